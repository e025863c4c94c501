//! How states, values and steps are written for people: names of cells, texts of values.
//!
//! Entry points: [`System::leaves`], [`System::show_label`], [`show_value`]. Two different values of a type
//! have different texts.
//!
//! What has no name is shown by what it consists of: the cells of an array by their indices, a record as a
//! tuple, a rule as its process.

mod formula;

use crate::bits;
use crate::code::Target;
use crate::interpreter::unrank;
use crate::system::{Label, Process, ProcessId, Rule, RuleId, System, Var, VarId};
use crate::types::{Field, Type, TypeId, Types};
use crate::value::{Value, spare};
use burnside_limits::poll;

/// A part of the state that is shown as one: a scalar, an optional, a tuple, a set, a queue or a bag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its name, such as `phase[2]`.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// First bit in the state.
    pub offset: u32,
    /// The variable that it is a part of.
    pub var: VarId,
    /// In a variable of a family: the number of the [member](System::show_member) that it belongs to. In
    /// another array: the number of the outermost index.
    pub member: Option<u64>,
}

impl System {
    /// The leaves of the state, in its order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for (i, var) in self.vars.iter().enumerate() {
            self.descend(VarId(i as u32), var, &mut leaves);
        }
        leaves
    }

    /// How many members a process has: one, if it is no family. None if they are too many to be numbered.
    pub fn members(&self, process: ProcessId) -> Option<u64> {
        let sizes = self.process(process).indices.iter().map(|&ty| self.types.size(ty));
        sizes.into_iter().try_fold(1u64, |product, size| product.checked_mul(size?))
    }

    /// The name of the member of a process with a number, such as `Link[0, 2]`: the last index runs fastest.
    pub fn show_member(&self, process: ProcessId, mut number: u64) -> String {
        let process = self.process(process);
        let mut indices = Vec::new();
        for &ty in process.indices.iter().rev() {
            let size = self.types.size(ty).expect("an index type is numbered").max(1);
            indices.push(show_number(&self.types, ty, number % size));
            number /= size;
        }
        show_member(process, &mut indices.into_iter().rev())
    }

    /// The texts of all leaves of a state.
    pub fn show_state(&self, leaves: &[Leaf], state: &[u64]) -> Vec<String> {
        let words = spare(state);
        leaves.iter().map(|leaf| show_value(&self.types, leaf.ty, &words, leaf.offset)).collect()
    }

    /// The process of a step, such as `Client[2]`.
    pub fn show_process(&self, label: Label<'_>) -> String {
        let process = self.process(self.rule(label.rule).process);
        let mut values = self.argument_texts(label, true).into_iter().map(|(_, text)| text);
        show_member(process, &mut values)
    }

    /// The arguments of a step, without the indices of the process: names and texts.
    pub fn show_arguments(&self, label: Label<'_>) -> Vec<(String, String)> {
        let count = self.process(self.rule(label.rule).process).indices.len();
        self.argument_texts(label, false).split_off(count)
    }

    /// A step in one line, such as `Server.grant(c=Client#2)`.
    pub fn show_label(&self, label: Label<'_>) -> String {
        let args: Vec<_> =
            self.show_arguments(label).into_iter().map(|(name, text)| format!("{name}={text}")).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        format!("{}{args}", self.rule(label.rule).name_of(&self.show_process(label)))
    }

    /// The name of a rule with that of its process, such as `Server.grant`.
    pub fn show_rule(&self, rule: RuleId) -> String {
        let rule = self.rule(rule);
        rule.name_of(&self.process(rule.process).name)
    }

    /// The arguments of a step, without the indices of the process: names and values.
    pub fn arguments(&self, label: Label<'_>) -> Vec<(String, Value)> {
        let count = self.process(self.rule(label.rule).process).indices.len();
        let value = |types: &Types, ty, words: &[u64], from| Value::read(types, ty, words, from);
        self.each_argument(label, value).split_off(count)
    }

    fn argument_texts(&self, label: Label<'_>, as_index: bool) -> Vec<(String, String)> {
        self.each_argument(label, if as_index { show_index } else { show_value })
    }

    /// What `read` says of each argument, the indices of the process first.
    fn each_argument<T>(
        &self,
        label: Label<'_>,
        read: impl Fn(&Types, TypeId, &[u64], u32) -> T,
    ) -> Vec<(String, T)> {
        let rule = self.rule(label.rule);
        let words = spare(label.args);
        let each = |param: &crate::system::Param| {
            let ty = param.binder.ty;
            let start = rule.args.start;
            let (from, words) = match param.binder.target {
                Target::Scalar(slot) => {
                    let value = words[slot.index() - start] as i64 - self.types.bias(ty);
                    (0, spare(&[value as u64]))
                }
                Target::Wide(bit) => (bit - start as u32 * 64, words.clone()),
            };
            (param.name.clone(), read(&self.types, ty, &words, from))
        };
        rule.params.iter().map(each).collect()
    }

    fn descend(&self, id: VarId, var: &Var, leaves: &mut Vec<Leaf>) {
        let family = var.process.map_or(0, |p| self.process(p).indices.len());
        let (indices, suffix) = (Vec::new(), String::new());
        let mut path = LeafPath { system: self, id, var, family, indices, suffix, member: None };
        path.walk(var.ty, var.offset, leaves);
    }
}

impl Rule {
    /// Its name behind that of a process; a rule without a name is called like the process.
    pub fn name_of(&self, process: &str) -> String {
        match self.name.is_empty() {
            true => process.to_string(),
            false => format!("{process}.{}", self.name),
        }
    }
}

/// The name of a leaf while it grows.
struct LeafPath<'s> {
    system: &'s System,
    id: VarId,
    var: &'s Var,
    /// How many of the outer indices are those of the family.
    family: usize,
    indices: Vec<String>,
    suffix: String,
    member: Option<u64>,
}

impl LeafPath<'_> {
    fn walk(&mut self, ty: TypeId, offset: u32, leaves: &mut Vec<Leaf>) {
        poll();
        let types = &self.system.types;
        match *types.get(ty) {
            Type::Array { index, element } => {
                let (size, member) = (types.size(index).expect("an index type is numbered"), self.member);
                for number in 0..size {
                    let text = show_number(types, index, number);
                    let suffix = self.suffix.len();
                    self.member = match member {
                        Some(outer) if self.indices.len() < self.family => Some(outer * size + number),
                        Some(outer) => Some(outer),
                        None => Some(number),
                    };
                    if self.indices.len() < self.family {
                        self.indices.push(text);
                        self.walk(element, offset + number as u32 * types.width(element), leaves);
                        self.indices.pop();
                    } else {
                        match self.is_nameless() {
                            true => self.suffix.push_str(&text),
                            false => self.suffix.push_str(&format!("[{text}]")),
                        }
                        self.walk(element, offset + number as u32 * types.width(element), leaves);
                    }
                    self.suffix.truncate(suffix);
                }
                self.member = member;
            }
            Type::Record(id) if !types.record(id).name.is_empty() && types.cases(ty).is_empty() => {
                for field in &types.record(id).fields {
                    let suffix = self.suffix.len();
                    self.suffix.push_str(&format!(".{}", field.name));
                    self.walk(field.ty, offset + field.offset, leaves);
                    self.suffix.truncate(suffix);
                }
            }
            _ => leaves.push(Leaf { name: self.name(), ty, offset, var: self.id, member: self.member }),
        }
    }

    /// Whether there is nothing yet that an index could stand behind.
    fn is_nameless(&self) -> bool {
        self.var.name.is_empty() && self.indices.is_empty() && self.suffix.is_empty()
    }

    fn name(&self) -> String {
        let Var { name, process, qualified, .. } = self.var;
        let indices: String = self.indices.iter().map(|i| format!("[{i}]")).collect();
        match (qualified, process) {
            (true, Some(process)) => {
                let process = self.system.process(*process);
                let member = show_member(process, &mut self.indices.iter().cloned());
                format!("{member}.{name}{}", self.suffix)
            }
            _ => format!("{name}{indices}{}", self.suffix),
        }
    }
}

fn show_member(process: &Process, values: &mut dyn Iterator<Item = String>) -> String {
    let indices: Vec<String> = values.take(process.indices.len()).collect();
    match indices.is_empty() {
        true => process.name.clone(),
        false => format!("{}[{}]", process.name, indices.join(", ")),
    }
}

/// The text of the value with a number, as an index.
fn show_number(types: &Types, ty: TypeId, number: u64) -> String {
    let mut words = vec![0; (types.width(ty) as usize).div_ceil(64) + bits::SPARE];
    unrank(types, ty, &mut words, 0, number);
    show_index(types, ty, &words, 0)
}

/// As [`show_value`], but an element of a sort is just its number, and a tuple has no parentheses.
pub(crate) fn show_index(types: &Types, ty: TypeId, words: &[u64], offset: u32) -> String {
    match types.get(ty) {
        Type::Sort(id) if types.sort(*id).labels.is_none() => {
            bits::read(words, offset, types.width(ty)).to_string()
        }
        Type::Record(id) if types.record(*id).name.is_empty() => {
            let part = |field: &Field| match types.get(field.ty) {
                Type::Record(_) => show_value(types, field.ty, words, offset + field.offset),
                _ => show_index(types, field.ty, words, offset + field.offset),
            };
            types.record(*id).fields.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        _ => show_value(types, ty, words, offset),
    }
}

/// The text of the value of a type at some bit. The slice has [spare](bits::SPARE) words.
pub fn show_value(types: &Types, ty: TypeId, words: &[u64], offset: u32) -> String {
    Value::read(types, ty, words, offset).to_string()
}
