//! Terms as text, in the language: for messages, faults and atoms.

use super::SystemBuilder;
use super::term::{Join, Node, Term, Timed};
use crate::code::{Arith, Compare, Quantifier};
use crate::formula::Path;
use crate::types::{Type, TypeId};

impl SystemBuilder {
    /// The text of a term.
    pub(super) fn show(&self, term: &Term) -> String {
        let inner = |term: &Term| match *term.0 {
            Node::Join(..) | Node::Compare(..) | Node::Arith(..) | Node::Turn(_) | Node::Time(..) => {
                format!("({})", self.show(term))
            }
            _ => self.show(term),
        };
        let two = |[left, right]: &[Term; 2], sign: &str| format!("{} {sign} {}", inner(left), inner(right));
        match &*term.0 {
            Node::Number(number) => number.to_string(),
            Node::Truth(truth) => truth.to_string(),
            Node::Word(word) => word.clone(),
            Node::Nothing => "none".into(),
            Node::First => "first".into(),
            Node::Any => "any".into(),
            Node::Variable(id) => self.variables.get(id.0).map_or("?".into(), |it| it.name.clone()),
            Node::Name(id) => self.names.get(id.0).map_or("?".into(), |it| it.0.clone()),
            Node::Cell([base, index]) => format!("{}[{}]", inner(base), self.show(index)),
            Node::Field(base, field) => format!("{}.{field}", inner(base)),
            Node::Value(base) => format!("{}!", inner(base)),
            Node::Front(queue) => format!("{}.front", inner(queue)),
            Node::Not(condition) => format!("!{}", inner(condition)),
            Node::Join(join, sides) => two(sides, joined(*join)),
            Node::Compare(op, sides) => two(sides, compared(*op)),
            Node::Arith(op, sides) => two(sides, computed(*op)),
            Node::Turn(sides) => two(sides, "+"),
            Node::If([condition, then, otherwise]) => {
                format!("if {} then {} else {}", inner(condition), inner(then), inner(otherwise))
            }
            Node::Quantify(quantifier, names, body) => {
                let names: Vec<String> = names.iter().map(|name| self.show_name(name.0)).collect();
                format!("{} {} {{ {} }}", quantified(*quantifier), names.join(", "), self.show(body))
            }
            Node::Contains([set, element]) => format!("{} in {}", inner(element), inner(set)),
            Node::Subset(sides) => two(sides, "subset"),
            Node::Size(base) => format!("size({})", self.show(base)),
            Node::Count([base, element]) => format!("count({}, {})", self.show(base), self.show(element)),
            Node::Time(path, timed, parts) => {
                let path = path.map_or("", |path| if path == Path::All { "A" } else { "E" });
                match &**parts {
                    [left, right] => format!("{path}({} {} {})", inner(left), letter(*timed), inner(right)),
                    one => format!("{path}{} {}", letter(*timed), inner(&one[0])),
                }
            }
        }
    }

    fn show_name(&self, name: usize) -> String {
        let shown = |(name, ty): &(String, TypeId)| format!("{name}: {}", self.show_type(*ty));
        self.names.get(name).map_or("?".into(), shown)
    }

    /// The text of a type.
    pub(super) fn show_type(&self, ty: TypeId) -> String {
        let show = |ty| self.show_type(ty);
        match *self.types.get(ty) {
            Type::Bool => "bool".into(),
            Type::Range { lo, hi } => format!("{lo}..{hi}"),
            Type::Enum(id) => self.types.enumeration(id).name.clone(),
            Type::Sort(id) => self.types.sort(id).name.clone(),
            Type::Option(inner) => format!("{}?", show(inner)),
            Type::Record(id) => self.types.record(id).name.clone(),
            Type::Array { index, element } => format!("array[{}] of {}", show(index), show(element)),
            Type::Set(element) => format!("set of {}", show(element)),
            Type::Queue { capacity, element } => format!("queue[{capacity}] of {}", show(element)),
            Type::Bag { capacity, element } => format!("bag[{capacity}] of {}", show(element)),
        }
    }
}

fn joined(join: Join) -> &'static str {
    match join {
        Join::And => "&&",
        Join::Or => "||",
        Join::Implies => "->",
        Join::Iff => "<->",
    }
}

fn compared(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "==",
        Compare::Ne => "!=",
        Compare::Lt => "<",
        Compare::Le => "<=",
    }
}

fn computed(op: Arith) -> &'static str {
    match op {
        Arith::Add | Arith::Rotate(_) => "+",
        Arith::Sub | Arith::RotateBack(_) => "-",
        Arith::Mul => "*",
        Arith::Div => "/",
        Arith::Rem => "%",
        Arith::Min => "min",
        Arith::Max => "max",
    }
}

fn quantified(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
        Quantifier::Count => "count",
        Quantifier::Sum => "sum",
        Quantifier::Min => "min",
        Quantifier::Max => "max",
    }
}

fn letter(timed: Timed) -> char {
    match timed {
        Timed::Next => 'X',
        Timed::Finally => 'F',
        Timed::Globally => 'G',
        Timed::Until => 'U',
        Timed::Release => 'R',
        Timed::WeakUntil => 'W',
        Timed::StrongRelease => 'M',
    }
}
