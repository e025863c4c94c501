//! Models in several files: what `import` means.
//!
//! Entry point: [`parse`], from the text of a model with its [files](bundle) to one tree. What a file
//! declares gets a name that says where it comes from (`lib.N`), there and wherever it is used, so that the
//! checker and everything after it know of names only. Invariant: a plain name in a file is one that the file
//! declares itself, or a constant of an enum.

pub mod bundle;
mod rename;
mod table;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::ast::{Expr, File, Item, ItemKind, Name};
use crate::syntax::{parse as parse_alone, parse_part};
use bundle::{ModelFile, is_path, parts, resolve};
use rename::Renamer;
use std::collections::BTreeMap;
pub use table::Table;
use table::{Declared, Module};

/// A model with everything that it imports.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    /// The tree: what is imported comes first.
    pub file: File,
    /// What is wrong, file by file.
    pub diagnostics: Vec<Diagnostic>,
    /// What its names stand for, for formulas from elsewhere.
    pub table: Table,
}

/// An import that can be followed.
struct Import {
    /// The place of its path.
    span: Span,
    /// The number of the file.
    to: usize,
}

/// Parses a model with the files that it imports.
pub fn parse(text: &str) -> Linked {
    let parts = parts(text);
    if let [_] = parts.as_slice() {
        let alone = parse_alone(text);
        if !alone.file.items.iter().any(is_import) {
            return Linked { file: alone.file, diagnostics: alone.diagnostics, table: Table::default() };
        }
    }
    let mut files = Vec::new();
    let mut diagnostics = Vec::new();
    for part in &parts {
        let parsed = parse_part(text, part.start..part.end);
        files.push(parsed.file);
        diagnostics.extend(parsed.diagnostics);
    }
    let mut modules: Vec<Module> = files.iter().map(|file| Module::new(Declared::by(file))).collect();
    let mut imports = Vec::new();
    for (number, file) in files.iter().enumerate() {
        imports.push(follow(file, &parts, number, &mut modules[number], &mut diagnostics));
    }
    let lacks = !diagnostics.iter().all(|it| it.code != Code::BadImport);
    let order = in_order(&imports, &parts, &mut diagnostics);
    name_modules(&mut modules, &order);
    let table = Table { modules };
    let mut file = File { items: Vec::new(), own: Some(parts[0].end as u32), lacks };
    for &number in &order {
        let mut items = std::mem::take(&mut files[number].items);
        items.retain(|item| !is_import(item));
        if number > 0 {
            items.retain(|item| may_be_imported(item, &mut diagnostics));
        }
        Renamer::new(&table, number, &mut diagnostics).items(&mut items);
        file.items.append(&mut items);
    }
    Linked { file, diagnostics, table }
}

impl Table {
    /// Resolves the names in a formula that stands beside the model.
    pub fn resolve(&self, expr: &mut Expr) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if !self.modules.is_empty() {
            Renamer::new(self, 0, &mut diagnostics).expr(expr);
        }
        diagnostics
    }
}

fn is_import(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Import { .. })
}

/// The imports of a file that can be followed, which are entered in its table.
fn follow(
    file: &File,
    parts: &[ModelFile<'_>],
    number: usize,
    module: &mut Module,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Import> {
    let mut found = Vec::new();
    let mut spans: BTreeMap<String, Span> = BTreeMap::new();
    for item in &file.items {
        let ItemKind::Import { path, alias } = &item.kind else { continue };
        let target = target(path, parts, number);
        let name = alias.clone().or_else(|| named_by(path));
        let to = target.map_err(|wrong| diagnostics.push(wrong)).ok();
        found.extend(to.map(|to| Import { span: path.span, to }));
        let Some(name) = name else {
            let message = format!("`{}` is no name for what is imported", path.text);
            let error = Diagnostic::error(Code::BadImport, path.span, message);
            diagnostics.push(error.help(format!("give it one: `import \"{}\" as lib;`", path.text)));
            continue;
        };
        if name.text.is_empty() {
            continue;
        }
        let first = spans.get(&name.text).or_else(|| module.own.places.get(&name.text));
        if let Some(&first) = first {
            let message = format!("`{}` is declared twice", name.text);
            let error = Diagnostic::error(Code::DuplicateName, name.span, message);
            let help = format!("choose another name: `import \"{}\" as {}_;`", path.text, name.text);
            diagnostics.push(error.label("again here").note(first, "first here").help(help));
            continue;
        }
        spans.insert(name.text.clone(), name.span);
        module.aliases.insert(name.text, to);
    }
    found
}

/// What a file is called if the import does not say it.
fn named_by(path: &Name) -> Option<Name> {
    let file = path.text.rsplit('/').next()?;
    let stem = file.strip_suffix(".orb").unwrap_or(file);
    let mut chars = stem.chars();
    let first = chars.next().is_some_and(|char| char.is_alphabetic() || char == '_');
    let plain = first && chars.all(|char| char.is_alphanumeric() || char == '_');
    let word = crate::syntax::lexer::lex(stem);
    let name = word.tokens.first().is_some_and(|token| token.kind.is_name());
    (plain && name).then(|| Name { text: stem.to_string(), span: path.span })
}

/// The file that an import means.
fn target(path: &Name, parts: &[ModelFile<'_>], from: usize) -> Result<usize, Diagnostic> {
    let error = |message: String| Diagnostic::error(Code::BadImport, path.span, message);
    if !is_path(&path.text) {
        return Err(error("this is not the path of a file".into()).help("write `import \"file.orb\";`"));
    }
    let name = resolve(parts[from].name, &path.text);
    let Some(to) = parts.iter().skip(1).position(|part| part.name == name).map(|at| at + 1) else {
        let message = format!("`{}` cannot be imported: this text stands in no file", path.text);
        return Err(error(message).help("paths are relative to the importing file: put the model into one"));
    };
    match parts[to].refused {
        Some(why) => {
            let help = "the path is relative to the file that imports";
            Err(error(format!("`{}` cannot be imported: {why}", path.text)).help(help))
        }
        None => Ok(to),
    }
}

/// The files, each after those that it imports. Imports that lead back are reported and not followed.
fn in_order(
    imports: &[Vec<Import>],
    parts: &[ModelFile<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<usize> {
    let mut order = Vec::new();
    let (mut seen, mut stack) = (vec![false; imports.len()], vec![(0, 0)]);
    seen[0] = true;
    while let Some((number, next)) = stack.last_mut() {
        let (from, Some(import)) = (*number, imports[*number].get(*next)) else {
            order.push(*number);
            stack.pop();
            continue;
        };
        *next += 1;
        if let Some(at) = stack.iter().position(|(open, _)| *open == import.to) {
            let names = stack[at..].iter().map(|(open, _)| *open).chain([import.to]);
            let names: Vec<String> = names.map(|open| format!("`{}`", parts[open].name)).collect();
            let message = match import.to == from {
                true => "the file imports itself".to_string(),
                false => format!("the files import each other: {}", names.join(" imports ")),
            };
            let error = Diagnostic::error(Code::BadImport, import.span, message);
            diagnostics.push(error.help("put what they share into a file that both import"));
        } else if !std::mem::replace(&mut seen[import.to], true) {
            stack.push((import.to, 0));
        }
    }
    order
}

/// Gives each file the shortest name that leads to it.
fn name_modules(modules: &mut [Module], order: &[usize]) {
    let mut open = vec![0];
    let mut named = vec![false; modules.len()];
    named[0] = true;
    while !open.is_empty() {
        for number in std::mem::take(&mut open) {
            let (prefix, aliases) = (modules[number].prefix.clone(), modules[number].aliases.clone());
            for (alias, to) in aliases {
                let Some(to) = to.filter(|to| !named[*to] && order.contains(to)) else { continue };
                named[to] = true;
                modules[to].prefix = format!("{prefix}{alias}.");
                open.push(to);
            }
        }
    }
    // A file whose import has a wrong name is named by its number, which nobody can write.
    for (number, module) in modules.iter_mut().enumerate().filter(|(number, _)| !named[*number]) {
        module.prefix = format!("{number}.");
    }
}

/// Whether something can be imported.
pub fn is_importable(item: &ItemKind) -> bool {
    not_importable(item).is_none()
}

/// What something is that cannot be imported.
fn not_importable(item: &ItemKind) -> Option<&'static str> {
    Some(match item {
        ItemKind::Process(_) => "a process",
        ItemKind::Fair(_) => "a set of rules",
        ItemKind::Symmetry(_) => "a `symmetry` block",
        ItemKind::Property(_) => "a property",
        ItemKind::Hint { .. } => "a hint",
        ItemKind::Constraint(_) => "a constraint",
        ItemKind::Check(_) => "a `check` block",
        _ => return None,
    })
}

/// Whether something can be imported; else it is reported.
fn may_be_imported(item: &Item, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let Some(what) = not_importable(&item.kind) else { return true };
    let message = format!("{what} cannot be imported");
    let help = "a file that is imported has constants, types, variables, functions, procedures and `init` \
                blocks: put the rest into the file that imports it";
    diagnostics.push(Diagnostic::error(Code::BadImport, item.span, message).help(help));
    false
}
