//! Types of generated models: declarations, sizes and texts.

use super::rng::Rng;

/// A type; `Int` only for expressions and parameters of functions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty {
    Int,
    Bool,
    Range(i64, i64),
    Enum(usize),
    Sort(usize),
    Record(usize),
    Union(usize),
    Option(Box<Ty>),
    Array(Box<Ty>, Box<Ty>),
    Set(Box<Ty>),
    Queue(u32, Box<Ty>),
    Bag(u32, Box<Ty>),
}

#[derive(Clone, Debug)]
pub(super) struct Enum {
    pub name: String,
    pub constants: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Sort {
    pub name: String,
    pub size: u32,
    pub ring: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Record {
    pub name: String,
    pub fields: Vec<(String, Ty)>,
}

/// An enum whose constants hold values, or a union of types, whose cases are named like these and hold a
/// nameless value each.
#[derive(Clone, Debug)]
pub(super) struct Union {
    pub name: String,
    pub cases: Vec<(String, Vec<(String, Ty)>)>,
    pub of_types: bool,
}

/// The declared types of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    pub enums: Vec<Enum>,
    pub sorts: Vec<Sort>,
    pub records: Vec<Record>,
    pub unions: Vec<Union>,
    pub aliases: Vec<(String, Ty)>,
    /// Integer constants.
    pub constants: Vec<(String, i64)>,
}

impl Ty {
    /// Whether it is a range whose values are too many to go through.
    pub fn is_wide(&self) -> bool {
        matches!(self, Ty::Range(lo, hi) if hi - lo >= 60)
    }

    /// What a set, queue or bag holds.
    pub fn element(&self) -> Option<&Ty> {
        match self {
            Ty::Set(element) | Ty::Queue(_, element) | Ty::Bag(_, element) => Some(element),
            _ => None,
        }
    }
}

impl Types {
    /// How many values the type has.
    pub fn values(&self, ty: &Ty) -> f64 {
        match ty {
            Ty::Int => f64::INFINITY,
            Ty::Bool => 2.0,
            // Of wide ranges only a few values are ever used.
            Ty::Range(..) if ty.is_wide() => 3.0,
            Ty::Range(lo, hi) => (hi - lo + 1) as f64,
            Ty::Enum(i) => self.enums[*i].constants.len() as f64,
            Ty::Sort(i) => f64::from(self.sorts[*i].size),
            Ty::Record(i) => self.records[*i].fields.iter().map(|(_, ty)| self.values(ty)).product(),
            Ty::Union(i) => {
                let held =
                    |held: &[(String, Ty)]| held.iter().map(|(_, ty)| self.values(ty)).product::<f64>();
                self.unions[*i].cases.iter().map(|(_, parts)| held(parts)).sum()
            }
            Ty::Option(inner) => 1.0 + self.values(inner),
            Ty::Array(index, element) => self.values(element).powf(self.values(index)),
            Ty::Set(element) => 2f64.powf(self.values(element)),
            Ty::Queue(capacity, element) => {
                (0..=*capacity).map(|n| self.values(element).powi(n as i32)).sum()
            }
            Ty::Bag(capacity, element) => {
                // Multisets of at most so many.
                let n = self.values(element);
                (1..=*capacity).fold(1.0, |all, k| all * (n + f64::from(k)) / f64::from(k))
            }
        }
    }

    /// Whether the values are numbered and few, so that it can be an index.
    pub fn numbered(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Int | Ty::Queue(..) | Ty::Bag(..) => false,
            Ty::Range(..) if ty.is_wide() => false,
            Ty::Bool | Ty::Range(..) | Ty::Enum(_) | Ty::Sort(_) => true,
            Ty::Record(i) => self.records[*i].fields.iter().all(|(_, ty)| self.numbered(ty)),
            Ty::Union(i) => self.held(*i).all(|ty| self.numbered(ty)),
            Ty::Option(inner) | Ty::Set(inner) => self.numbered(inner),
            Ty::Array(index, element) => self.numbered(index) && self.numbered(element),
        }
    }

    /// Whether elements of symmetric types or rings are inside.
    pub fn has_sort(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Int | Ty::Bool | Ty::Range(..) | Ty::Enum(_) => false,
            Ty::Sort(_) => true,
            Ty::Record(i) => self.records[*i].fields.iter().any(|(_, ty)| self.has_sort(ty)),
            Ty::Union(i) => self.held(*i).any(|ty| self.has_sort(ty)),
            Ty::Option(inner) | Ty::Set(inner) | Ty::Queue(_, inner) | Ty::Bag(_, inner) => {
                self.has_sort(inner)
            }
            Ty::Array(index, element) => self.has_sort(index) || self.has_sort(element),
        }
    }

    /// Whether a variable may go without an initial value.
    pub fn has_default(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Sort(_) => false,
            Ty::Record(i) => self.records[*i].fields.iter().all(|(_, ty)| self.has_default(ty)),
            Ty::Union(i) => self.unions[*i].cases[0].1.iter().all(|(_, ty)| self.has_default(ty)),
            Ty::Array(_, element) => self.has_default(element),
            _ => true,
        }
    }

    /// Everything that a union can hold.
    fn held(&self, i: usize) -> impl Iterator<Item = &Ty> {
        self.unions[i].cases.iter().flat_map(|(_, parts)| parts).map(|(_, ty)| ty)
    }

    /// Whether a binder over the values (or elements) takes them in an order that both sides know.
    pub fn simple(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Bool | Ty::Range(..) | Ty::Enum(_) | Ty::Sort(_) => true,
            Ty::Option(inner) => self.simple(inner),
            _ => false,
        }
    }

    /// The text of a type.
    pub fn text(&self, ty: &Ty, rng: &mut Rng) -> String {
        if let Some((name, _)) = self.aliases.iter().find(|(_, alias)| alias == ty) {
            return name.clone();
        }
        match ty {
            Ty::Int => "int".to_string(),
            Ty::Bool => "bool".to_string(),
            Ty::Range(lo, hi) => {
                let constant = self.constants.iter().find(|(_, value)| (0..3).contains(&(hi - value)));
                match constant {
                    Some((name, value)) if rng.chance(50) => match hi - value {
                        0 => format!("{lo}..{name}"),
                        more => format!("{lo}..{name} + {more}"),
                    },
                    _ => format!("{lo}..{hi}"),
                }
            }
            Ty::Enum(i) => self.enums[*i].name.clone(),
            Ty::Sort(i) => self.sorts[*i].name.clone(),
            Ty::Record(i) => self.records[*i].name.clone(),
            Ty::Union(i) => self.unions[*i].name.clone(),
            Ty::Option(inner) => format!("{}?", self.text(inner, rng)),
            Ty::Array(index, element) => match &**element {
                Ty::Array(second, element) if rng.chance(60) && !self.aliased(ty) => {
                    let (index, second) = (self.text(index, rng), self.text(second, rng));
                    format!("array[{index}, {second}] of {}", self.text(element, rng))
                }
                _ => format!("array[{}] of {}", self.text(index, rng), self.text(element, rng)),
            },
            Ty::Set(element) => format!("set of {}", self.text(element, rng)),
            Ty::Queue(capacity, element) => format!("queue[{capacity}] of {}", self.text(element, rng)),
            Ty::Bag(capacity, element) => format!("bag[{capacity}] of {}", self.text(element, rng)),
        }
    }

    fn aliased(&self, ty: &Ty) -> bool {
        self.aliases.iter().any(|(_, alias)| alias == ty)
    }

    /// A random type whose values are at most so many.
    pub fn random(&mut self, rng: &mut Rng, most: f64, numbered: bool, depth: u32) -> Ty {
        for _ in 0..20 {
            let ty = self.candidate(rng, most, numbered, depth);
            if self.values(&ty) <= most && (!numbered || self.numbered(&ty)) {
                return ty;
            }
        }
        Ty::Bool
    }

    fn candidate(&mut self, rng: &mut Rng, most: f64, numbered: bool, depth: u32) -> Ty {
        let deep = u32::from(depth > 0);
        let open = deep * u32::from(!numbered);
        let record = deep * 14 * u32::from(!self.records.is_empty());
        let sort = 14 * u32::from(!self.sorts.is_empty());
        let weights = [10, 14, 10 * u32::from(!self.enums.is_empty()), sort, record];
        let weights = [&weights[..], &[deep * 12, deep * 11, deep * 12, open * 15, open * 15]].concat();
        let weights = [&weights[..], &[14 * u32::from(!self.unions.is_empty())]].concat();
        let root = most.sqrt().max(2.0);
        match rng.weighted(&weights) {
            0 => Ty::Bool,
            1 if !numbered && rng.chance(8) => {
                let lo = *rng.pick(&[0, 0, 1, -5]);
                Ty::Range(lo, lo + *rng.pick(&[100, 1_000_000, 1 << 40, (1 << 61) - 1]))
            }
            1 => {
                let lo = *rng.pick(&[0, 0, 0, 0, 1, -1, 2, -2]);
                let least = i64::from(rng.chance(95));
                Ty::Range(lo, lo + rng.between(least, 3))
            }
            2 => Ty::Enum(rng.below(self.enums.len())),
            3 => Ty::Sort(rng.below(self.sorts.len())),
            4 => Ty::Record(rng.below(self.records.len())),
            5 => match self.random(rng, most, numbered, depth - 1) {
                inner @ Ty::Option(_) => inner,
                inner => self.option(inner),
            },
            6 => {
                let index = self.random(rng, root.min(6.0), true, depth - 1);
                let element = self.random(rng, root, numbered, depth - 1);
                Ty::Array(Box::new(index), Box::new(element))
            }
            7 if !numbered && rng.chance(10) => Ty::Set(Box::new(Ty::Range(0, rng.between(60, 140)))),
            7 => Ty::Set(Box::new(self.random(rng, most.log2().max(2.0), true, depth - 1))),
            8 => {
                let capacity = *rng.pick(&[1, 2, 2, 3, 3]);
                Ty::Queue(capacity, Box::new(self.random(rng, root, false, depth - 1)))
            }
            10 => Ty::Union(rng.below(self.unions.len())),
            _ => {
                let capacity = *rng.pick(&[1, 2, 2, 3, 3]);
                Ty::Bag(capacity, Box::new(self.random(rng, root, false, depth - 1)))
            }
        }
    }

    /// The option of a type. What cannot be written in front of `?` gets a name.
    pub fn option(&mut self, inner: Ty) -> Ty {
        let needs_name = matches!(inner, Ty::Array(..) | Ty::Set(_) | Ty::Queue(..) | Ty::Bag(..));
        if needs_name && !self.aliased(&inner) {
            let name = format!("T{}", self.aliases.len());
            self.aliases.push((name, inner.clone()));
        }
        Ty::Option(Box::new(inner))
    }
}
