//! Values, states and steps as text, in the words that the interpreter uses too.

use super::value::Value;
use super::{Oracle, State};
use crate::graph::{StepLabel, state_text};
use burnside_lang::hir::{LocalId, Rule, Stored, Var};
use burnside_ts::{Type, TypeId};

impl Oracle<'_> {
    /// The text of a state.
    pub(super) fn show_state(&self, state: &State) -> String {
        let mut leaves = Vec::new();
        for (var, members) in self.model.vars.iter().zip(&state.vars) {
            for (member, value) in members {
                self.leaves(var.ty, value, self.var_name(var, member), &mut leaves);
            }
        }
        state_text(leaves.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// The name of a step; fewer arguments than the rule has mean that the next one is not known.
    pub(super) fn show_step(&self, rule: &Rule, args: &[(LocalId, Value)]) -> StepLabel {
        let process = &self.model.processes[rule.process.index()];
        let (indices, own) = args.split_at(process.indices.len());
        let indices: Vec<String> =
            indices.iter().map(|(id, value)| self.show_index(self.ty(*id), value)).collect();
        let process = match indices.is_empty() {
            true => process.name.clone(),
            false => format!("{}[{}]", process.name, indices.join(", ")),
        };
        let texts: Vec<(&str, String)> = own
            .iter()
            .map(|(id, value)| (self.model.locals[id.index()].name.as_str(), self.show(self.ty(*id), value)))
            .collect();
        let complete = own.len() == rule.params.len();
        let args = state_text(texts.iter().map(|(name, value)| (*name, value.as_str())));
        StepLabel { rule: format!("{process}.{}", rule.name), args: complete.then_some(args) }
    }

    fn ty(&self, local: LocalId) -> TypeId {
        match self.local_type(local) {
            Stored::Type(ty) => ty,
            Stored::Int => panic!("a parameter has a finite type"),
        }
    }

    /// `x[1]`, or `P[1].x` if several variables are named `x` and this is not a global one.
    fn var_name(&self, var: &Var, member: &[Value]) -> String {
        let several = self.model.vars.iter().filter(|other| other.name == var.name).count() > 1;
        let Some(process) = var.process.map(|id| &self.model.processes[id.index()]) else {
            return var.name.clone();
        };
        let texts: Vec<String> = process
            .indices
            .iter()
            .zip(member)
            .map(|(id, value)| self.show_index(self.ty(*id), value))
            .collect();
        if several {
            let indices = if texts.is_empty() { String::new() } else { format!("[{}]", texts.join(", ")) };
            return format!("{}{indices}.{}", process.name, var.name);
        }
        let indices: String = texts.iter().map(|text| format!("[{text}]")).collect();
        format!("{}{indices}", var.name)
    }

    fn leaves(&self, ty: TypeId, value: &Value, name: String, leaves: &mut Vec<(String, String)>) {
        match (self.model.types.get(ty), value) {
            (Type::Array { index, element }, Value::Array(list)) => {
                for (i, value) in self.values(*index).iter().zip(list) {
                    self.leaves(*element, value, format!("{name}[{}]", self.show_index(*index, i)), leaves);
                }
            }
            (Type::Record(id), Value::Record(list)) if self.model.types.record(*id).cases.is_empty() => {
                for (field, value) in self.model.types.record(*id).fields.iter().zip(list) {
                    self.leaves(field.ty, value, format!("{name}.{}", field.name), leaves);
                }
            }
            _ => leaves.push((name, self.show(ty, value))),
        }
    }

    /// As an index: an element of a sort is just its number.
    fn show_index(&self, ty: TypeId, value: &Value) -> String {
        match value {
            Value::Element(number) => number.to_string(),
            _ => self.show(ty, value),
        }
    }

    fn show(&self, ty: TypeId, value: &Value) -> String {
        let types = &self.model.types;
        let list = |ty: TypeId, values: &[Value]| {
            values.iter().map(|value| self.show(ty, value)).collect::<Vec<_>>().join(", ")
        };
        match (types.get(ty), value) {
            (_, Value::Bool(value)) => value.to_string(),
            (_, Value::Int(value)) => value.to_string(),
            (_, Value::None) => "none".to_string(),
            (Type::Enum(id), Value::Enum(number)) => {
                types.enumeration(*id).constants[*number as usize].clone()
            }
            (Type::Sort(id), Value::Element(number)) => format!("{}#{number}", types.sort(*id).name),
            (Type::Option(inner), Value::Some(value)) => self.show(*inner, value),
            (Type::Record(id), Value::Record(values)) if !types.record(*id).cases.is_empty() => {
                let record = types.record(*id);
                let case = &record.cases[values[0].int() as usize];
                let held = |part: &burnside_ts::UnionPart| {
                    self.show(record.fields[part.field as usize].ty, &values[part.field as usize])
                };
                match &case.parts[..] {
                    [] => case.name.clone(),
                    [only] if only.name.is_empty() => {
                        let text = held(only);
                        let has = |case: &burnside_ts::UnionCase| match types.get(case.parts[0].ty) {
                            Type::Enum(id) => types.enumeration(*id).constants.contains(&text),
                            _ => false,
                        };
                        match record.cases.iter().filter(|case| has(case)).count() {
                            0 | 1 => text,
                            _ => format!("{}.{text}", case.name),
                        }
                    }
                    parts => {
                        let parts: Vec<String> =
                            parts.iter().map(|part| format!("{}: {}", part.name, held(part))).collect();
                        format!("{}({})", case.name, parts.join(", "))
                    }
                }
            }
            (Type::Record(id), Value::Record(values)) => {
                let record = types.record(*id);
                let field = |(f, value): (&burnside_ts::Field, &Value)| {
                    format!("{}: {}", f.name, self.show(f.ty, value))
                };
                let fields: Vec<String> = record.fields.iter().zip(values).map(field).collect();
                format!("{}({})", record.name, fields.join(", "))
            }
            (Type::Array { element, .. }, Value::Array(values)) => format!("[{}]", list(*element, values)),
            (Type::Set(element), Value::Set(members)) => {
                format!("{{{}}}", list(*element, &members.0.iter().cloned().collect::<Vec<_>>()))
            }
            (Type::Queue { element, .. }, Value::Queue(values)) => format!("[{}]", list(*element, values)),
            (Type::Bag { element, .. }, Value::Bag(values)) => format!("{{|{}|}}", list(*element, values)),
            (ty, value) => panic!("{value:?} is no value of {ty:?}"),
        }
    }
}
