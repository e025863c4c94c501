//! Types of Murphi, and which of their values may be undefined.
//!
//! A simple value that may be undefined is an optional one in the translation. That is decided for each place
//! in the text where a simple type is written (its [`Node`]): a record type has one decision for each field,
//! whatever variables there are of it. Nodes whose values are copied as a whole are decided together.

use burnside_lang::diagnostic::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A place where a simple type is written.
pub type Node = u32;
/// No such place: such a value is never undefined.
pub const DEFINED: Node = Node::MAX;

/// A simple type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    Bool,
    /// Integers, with the name of the type if it has one.
    Int {
        lo: i64,
        hi: i64,
        name: Option<String>,
    },
    /// An enum, a scalarset or a union: its name in the translation.
    Enum(String),
    Sort(String),
    Union(String),
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Simple(Base, Node),
    Record(Rc<Record>),
    Array(Base, Rc<Ty>),
    Bag(i64, Rc<Ty>),
}

/// A record type.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name in the translation.
    pub name: String,
    /// Fields: names as written, names in the translation, types.
    pub fields: Vec<(String, String, Ty)>,
}

impl Ty {
    /// An integer that is computed.
    pub fn int(lo: i64, hi: i64) -> Ty {
        Ty::Simple(Base::Int { lo, hi, name: None }, DEFINED)
    }

    /// A truth value that is computed.
    pub fn bool() -> Ty {
        Ty::Simple(Base::Bool, DEFINED)
    }

    /// The same, defined.
    pub fn defined(&self) -> Ty {
        match self {
            Ty::Simple(base, _) => Ty::Simple(base.clone(), DEFINED),
            other => other.clone(),
        }
    }

    /// The bounds of an integer.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        if let Ty::Simple(base, _) = self { base.bounds() } else { None }
    }

    /// All places in it where simple types are written.
    pub fn nodes(&self, found: &mut Vec<Node>) {
        match self {
            Ty::Simple(_, node) => found.push(*node),
            Ty::Record(record) => record.fields.iter().for_each(|(_, _, ty)| ty.nodes(found)),
            Ty::Array(_, element) | Ty::Bag(_, element) => element.nodes(found),
        }
    }

    /// What messages call it.
    pub fn describe(&self) -> String {
        match self {
            Ty::Simple(base, _) => base.describe(),
            Ty::Record(record) => format!("record `{}`", record.name),
            Ty::Array(..) => "an array".to_string(),
            Ty::Bag(..) => "a multiset".to_string(),
        }
    }
}

impl Base {
    /// The bounds of an integer.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        if let Base::Int { lo, hi, .. } = self { Some((*lo, *hi)) } else { None }
    }

    /// What messages call it.
    pub fn describe(&self) -> String {
        match self {
            Base::Bool => "`boolean`".to_string(),
            Base::Int { name: Some(name), .. } => format!("`{name}`"),
            Base::Int { .. } => "a number".to_string(),
            Base::Enum(name) | Base::Sort(name) | Base::Union(name) => format!("`{name}`"),
        }
    }

    /// As a type in the translation.
    pub fn text(&self) -> String {
        match self {
            Base::Bool => "bool".to_string(),
            Base::Int { name: Some(name), .. } => name.clone(),
            Base::Int { lo, hi, .. } => format!("{lo}..{hi}"),
            Base::Enum(name) | Base::Sort(name) | Base::Union(name) => name.clone(),
        }
    }

    /// Whether it has the same values.
    pub fn same(&self, other: &Base) -> bool {
        match (self, other) {
            (Base::Int { lo, hi, .. }, Base::Int { lo: least, hi: most, .. }) => lo == least && hi == most,
            _ => self == other,
        }
    }
}

/// What is known about which values may be undefined, and which functions change the state. It only grows;
/// a model is translated again until it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    optional: BTreeSet<Node>,
    /// Nodes that are decided together: each with another one.
    joined: BTreeMap<Node, Node>,
    /// Functions that change the state or what they are given.
    pub changing: BTreeSet<String>,
    /// Those of them in which an assumption may be wrong.
    pub dropping: BTreeSet<String>,
    /// Functions that call themselves.
    pub recursive: BTreeSet<String>,
    /// Ranges that lose their names, since variables of them are passed by reference as ones of others.
    pub plain: BTreeSet<String>,
    /// Whether it is a model for CMurphi alone, which copies what is undefined.
    pub copying: bool,
}

impl Facts {
    /// The place of a simple type in the text.
    pub fn node(span: Span) -> Node {
        span.start
    }

    fn root(&self, node: Node) -> Node {
        let mut node = node;
        while let Some(&next) = self.joined.get(&node) {
            node = next;
        }
        node
    }

    /// Whether values there may be undefined.
    pub fn is_optional(&self, node: Node) -> bool {
        node != DEFINED && self.optional.contains(&self.root(node))
    }

    /// Values of the type may be undefined, everywhere in it.
    pub fn undefine(&mut self, ty: &Ty) {
        let mut nodes = Vec::new();
        ty.nodes(&mut nodes);
        for node in nodes.into_iter().filter(|node| *node != DEFINED) {
            let root = self.root(node);
            self.optional.insert(root);
        }
    }

    /// Values of the one type are copied to the other as a whole.
    pub fn join(&mut self, one: &Ty, other: &Ty) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        one.nodes(&mut left);
        other.nodes(&mut right);
        for (left, right) in left.into_iter().zip(right) {
            let (left, right) = (self.root(left), self.root(right));
            if left != right && left != DEFINED && right != DEFINED {
                let optional = self.optional.contains(&left) || self.optional.contains(&right);
                self.joined.insert(left.max(right), left.min(right));
                if optional {
                    self.optional.insert(left.min(right));
                }
            }
        }
    }
}
