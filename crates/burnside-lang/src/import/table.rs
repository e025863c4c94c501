//! What the names of each file of a model stand for.

use crate::diagnostic::Span;
use crate::syntax::ast::{File, ItemKind, MemberKind, Name};
use std::collections::{BTreeMap, BTreeSet};

/// The files of a model, the model itself first; none if nothing is imported.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) modules: Vec<Module>,
}

impl Table {
    /// The names of a file that the model imports, with the places where they are declared; none if the path
    /// leads to no file. Constants of enums have the place of their enum.
    pub fn names(&self, path: &[&str]) -> Option<Vec<(String, Span)>> {
        let mut number = 0;
        for name in path {
            number = (*self.modules.get(number)?.aliases.get(*name)?)?;
        }
        let own = &self.modules.get(number).filter(|_| number > 0)?.own;
        Some(own.places.iter().map(|(name, span)| (name.clone(), *span)).collect())
    }
}

/// A file as others see it.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    /// What stands before its names in the model: nothing, or something that ends with a dot.
    pub prefix: String,
    pub own: Declared,
    /// The files that it imports, by their names here; none if it cannot be imported, which is reported.
    pub aliases: BTreeMap<String, Option<usize>>,
}

impl Module {
    pub fn new(own: Declared) -> Self {
        Self { own, ..Self::default() }
    }

    /// What a name that it declares is called in the model.
    pub fn full(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

/// What a file declares.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared {
    /// Constants, variables, functions, procedures and types, with their places.
    pub places: BTreeMap<String, Span>,
    /// The types among them.
    pub types: BTreeSet<String>,
    /// The constants of enums, with the enums that have them.
    pub constants: BTreeMap<String, Vec<String>>,
    /// Processes and their variables.
    pub of_processes: BTreeSet<String>,
}

impl Declared {
    /// What a file declares.
    pub fn by(file: &File) -> Self {
        let mut declared = Self::default();
        file.items.iter().for_each(|item| declared.item(&item.kind));
        declared
    }

    fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Const { name, .. } | ItemKind::Function { name, .. } | ItemKind::Proc { name, .. } => {
                self.value(name);
            }
            ItemKind::Var(var) => self.value(&var.name),
            ItemKind::Type { name, .. } | ItemKind::Sort { name, .. } | ItemKind::Record { name, .. } => {
                self.ty(name);
            }
            ItemKind::Enum { name, constants } => self.cases(name, constants.iter()),
            ItemKind::Union { name, variants } => self.cases(name, variants.iter().map(|case| &case.name)),
            ItemKind::Process(process) => {
                self.of_processes.insert(process.name.text.clone());
                for member in &process.members {
                    if let MemberKind::Var(var) = &member.kind {
                        self.of_processes.insert(var.name.text.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, name: &Name) {
        self.places.entry(name.text.clone()).or_insert(name.span);
    }

    fn ty(&mut self, name: &Name) {
        self.value(name);
        self.types.insert(name.text.clone());
    }

    fn cases<'n>(&mut self, name: &Name, constants: impl Iterator<Item = &'n Name>) {
        self.ty(name);
        for constant in constants {
            self.constants.entry(constant.text.clone()).or_default().push(name.text.clone());
        }
    }

    /// The enum that a constant belongs to, if there is only one.
    pub fn enum_of(&self, constant: &str) -> Option<&String> {
        match self.constants.get(constant)?.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Whether it has something of this name, whatever it is.
    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(name) || self.constants.contains_key(name)
    }
}
