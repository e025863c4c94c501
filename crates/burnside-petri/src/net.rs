//! A Petri net, coloured or not. Data only.
//!
//! Colours are numbered: a *class* is a finite set of basic colours, a place's *domain* is a list of classes
//! (none for black tokens), and a colour of the place is a tuple with one element of each. Tuples are
//! numbered with the last component running fastest. Sorts that are products of products are flat here, and
//! so are variables of such sorts: one variable for each component.

use burnside_limits::poll;
use burnside_ts::Compare;

/// The most tokens of one colour that a place can hold, and that an arc can move. With more, sums and
/// differences of two such numbers would not fit 64 bits.
pub const MOST_TOKENS: u64 = (1 << 61) - 1;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A class of basic colours.
    ClassId;
    /// A partition of a class.
    PartitionId;
    /// A variable.
    VariableId;
    /// A place.
    PlaceId;
    /// A transition.
    TransitionId;
}

/// A net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// Its name, or its id if it has none.
    pub name: String,
    /// Whether it was written as a symmetric (coloured) net.
    pub coloured: bool,
    /// The basic colours.
    pub classes: Vec<Class>,
    /// Partitions of classes.
    pub partitions: Vec<Partition>,
    /// Variables of inscriptions and guards.
    pub variables: Vec<Variable>,
    /// Places.
    pub places: Vec<Place>,
    /// Transitions.
    pub transitions: Vec<Transition>,
}

/// Some basic colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// How it was declared, which says nothing about what is used of it.
    pub order: Order,
    /// The names of its elements, in order: for an integer range the numbers.
    pub elements: Vec<String>,
}

/// How a class was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A finite enumeration.
    Enumeration,
    /// A cyclic enumeration.
    Cyclic,
    /// A range of integers; carries the first.
    Range(i64),
}

/// A partition of a class: an ordered list of named blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its name.
    pub name: String,
    /// Of what.
    pub class: ClassId,
    /// The names of its blocks, in order.
    pub blocks: Vec<String>,
    /// For each element of the class, its block.
    pub block: Vec<u32>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name; components of a variable of a product sort are `x.1`, `x.2`, …
    pub name: String,
    /// What it ranges over.
    pub class: ClassId,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What formulas call it.
    pub id: String,
    /// What people call it; its id if it has no name or shares it.
    pub name: String,
    /// The classes of its colours' components; none for black tokens.
    pub domain: Vec<ClassId>,
    /// How many tokens of each colour there are at first, by the number of the colour.
    pub initial: Vec<u64>,
}

/// A transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// What formulas call it.
    pub id: String,
    /// What people call it; its id if it has no name or shares it.
    pub name: String,
    /// The variables of its guard and inscriptions, each once, in the order of the net.
    pub variables: Vec<VariableId>,
    /// Under which bindings it can fire.
    pub guard: Guard,
    /// What it takes. At most one arc for each place.
    pub inputs: Vec<Arc>,
    /// What it gives. At most one arc for each place.
    pub outputs: Vec<Arc>,
    /// What must be there but is not taken.
    pub reads: Vec<Arc>,
    /// What must not be there: of no colour as many tokens as the arc says (where it says at least one).
    pub inhibitors: Vec<Arc>,
    /// Places that are emptied, after what it takes is taken and before what it gives is given.
    pub resets: Vec<PlaceId>,
}

/// An arc, at the side of its transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The place.
    pub place: PlaceId,
    /// How many tokens of which colours.
    pub inscription: Inscription,
}

/// A multiset of colours that depends on the binding: the sum of the weights of all patterns that a colour
/// matches, at least 0. A pattern has a term for each component of the place's domain, so for black tokens it
/// is empty.
pub type Inscription = Vec<(i64, Vec<Term>)>;

/// Whether an inscription means as many tokens under every binding: every pattern that is taken away is a
/// part of patterns that are given, each given one used up once.
pub(crate) fn is_covered(inscription: &Inscription) -> bool {
    let mut given: Vec<(i128, &[Term])> = inscription
        .iter()
        .filter(|it| it.0 > 0)
        .map(|(weight, pattern)| (i128::from(*weight), &pattern[..]))
        .collect();
    inscription.iter().filter(|it| it.0 < 0).all(|(weight, pattern)| {
        let mut rest = -i128::from(*weight);
        for (left, _) in given.iter_mut().filter(|(_, general)| contains(general, pattern)) {
            let used = rest.min(*left);
            (rest, *left) = (rest - used, *left - used);
        }
        rest == 0
    })
}

fn contains(general: &[Term], pattern: &[Term]) -> bool {
    general.iter().zip(pattern).all(|(general, term)| *general == Term::All || general == term)
}

/// A component of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// What the variable is bound to, so many steps further around the class (back, if negative).
    Variable(VariableId, i64),
    /// An element.
    Constant(u32),
    /// Every element.
    All,
}

/// A condition on a binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// Always true.
    #[default]
    True,
    /// Never true.
    False,
    /// A comparison.
    Compare(Comparison),
    /// Negation.
    Not(Box<Guard>),
    /// Conjunction.
    And(Vec<Guard>),
    /// Disjunction.
    Or(Vec<Guard>),
}

/// A comparison of two elements of one class, or of two blocks of one partition, by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Which.
    pub op: Compare,
    /// The class of both.
    pub class: ClassId,
    /// The partition whose blocks are compared; none: the elements themselves.
    pub partition: Option<PartitionId>,
    /// The left side.
    pub left: Operand,
    /// The right side.
    pub right: Operand,
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An element: a variable or a constant. In a comparison of blocks, the block of it.
    Element(Term),
    /// A block of the comparison's partition.
    Block(u32),
}

impl Net {
    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// A transition.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// How many colours a domain has, if they are not too many to be numbered.
    pub fn colours(&self, domain: &[ClassId]) -> Option<usize> {
        domain.iter().try_fold(1usize, |count, &class| count.checked_mul(self.class(class).elements.len()))
    }

    /// The components of the colour with a number.
    pub fn colour(&self, domain: &[ClassId], number: usize) -> Vec<u32> {
        poll();
        let mut rest = number;
        let mut components: Vec<u32> = Vec::new();
        for &class in domain.iter().rev() {
            let size = self.class(class).elements.len();
            components.push((rest % size) as u32);
            rest /= size;
        }
        components.reverse();
        components
    }

    /// The number of the colour with these components.
    pub fn number(&self, domain: &[ClassId], components: &[u32]) -> usize {
        let digits = domain.iter().zip(components);
        digits.fold(0, |number, (&class, &digit)| number * self.class(class).elements.len() + digit as usize)
    }
}
