//! The part of a group that is given by generators.
//!
//! Entry point: [`Generated::new`], which chooses the strategy. If each cell that it moves has just one moved
//! index and holds nothing that moves, the factors of the group that permute alike members in all ways are
//! set apart ([`DiagonalFactor`]). For the rest:
//! - a small group is *listed*, and every element is tried, cell by cell if it can be ([`Listing`]);
//! - if each cell that it moves has just one moved index and holds nothing that moves, a state is a *word*
//!   with a letter for each element, and the least image of the word is found by a search in the group;
//! - otherwise by *local search*: a generator is applied as long as one makes the state less. This is not
//!   exact.

use super::diagonal::{DiagonalFactor, factors};
use super::listing::Listing;
use burnside_perm::{Group, Natural, Perm};
use burnside_ts::{Permutation, SortGroup, SortId, Symmetry, System, Type, TypeId, bits};

/// A listed group has at most so many elements (times the rotations of rings).
const LISTED: u64 = 20_000;
/// A group with at most so many elements is listed where words would do.
const FEW: u64 = 1_000;

/// How the generators are used.
#[derive(Debug)]
pub(super) enum Strategy {
    /// All elements, tried cell by cell.
    Tried(Listing),
    /// All elements, the identity first; none at all: there is no rest.
    Listed(Vec<Permutation>),
    Word(Word),
    /// The generators and their inverses.
    LocalSearch(Vec<Permutation>),
}

/// What the generators of a symmetry generate.
#[derive(Debug)]
pub(super) struct Generated {
    pub order: Natural,
    /// Factors that are symmetric groups of members.
    pub diagonal: Vec<DiagonalFactor>,
    /// How the rest is used.
    pub strategy: Strategy,
    points: Points,
}

/// States as words.
#[derive(Debug)]
pub(super) struct Word {
    group: Group,
    points: Points,
    columns: Vec<LetterColumn>,
}

/// Bits of each element of a sort: `width` at `offset + element * stride`.
#[derive(Clone, Copy, Debug)]
struct LetterColumn {
    sort: SortId,
    offset: u32,
    stride: u32,
    width: u32,
}

/// The elements that are moved, numbered.
#[derive(Clone, Debug)]
struct Points {
    /// The sorts with the number of their first element.
    sorts: Vec<(SortId, u32, u32)>,
    degree: usize,
}

impl Points {
    fn new(system: &System, generators: &[Permutation]) -> Self {
        let moves = |&sort: &usize| {
            let still = |permutation: &Permutation| {
                permutation.images[sort].iter().enumerate().all(|(i, &j)| i == j as usize)
            };
            !generators.iter().all(still)
        };
        let mut points = Self { sorts: Vec::new(), degree: 0 };
        for sort in (0..system.types.sorts().count()).filter(moves) {
            let size = system.types.sort(SortId(sort as u32)).size;
            points.sorts.push((SortId(sort as u32), points.degree as u32, size));
            points.degree += size as usize;
        }
        points
    }

    fn perm(&self, permutation: &Permutation) -> Perm {
        let images = self.sorts.iter().flat_map(|&(sort, first, _)| {
            permutation.images[sort.index()].iter().map(move |&image| first + image)
        });
        Perm::from_images(&images.collect::<Vec<_>>())
            .expect("a permutation permutes the elements of each sort")
    }

    fn permutation(&self, identity: &Permutation, perm: &Perm) -> Permutation {
        let mut permutation = identity.clone();
        for &(sort, first, size) in &self.sorts {
            permutation.images[sort.index()] = (0..size).map(|i| perm.image(first + i) - first).collect();
        }
        permutation
    }
}

impl Generated {
    /// For the generators of a symmetry, if it has any. `enumerated` is how often everything is done for the
    /// rings.
    pub fn new(system: &System, symmetry: &Symmetry, enumerated: usize) -> Option<Self> {
        if symmetry.generators.is_empty() {
            return None;
        }
        let points = Points::new(system, &symmetry.generators);
        let perms: Vec<Perm> =
            symmetry.generators.iter().map(|permutation| points.perm(permutation)).collect();
        let columns = columns(system, symmetry, &points);
        let (diagonal, perms) = match &columns {
            Some(columns) => set_apart(&points, columns, perms),
            None => (Vec::new(), perms),
        };
        let group = Group::generated(points.degree, &perms);
        let order = group.order();
        let at_most = |limit: u64| order <= Natural::from(limit / enumerated.max(1) as u64);
        let identity = Permutation::identity(&system.types);
        let tried = columns.as_ref().filter(|_| at_most(FEW)).and_then(|columns| {
            let mut elements: Vec<Perm> = group.elements().collect();
            elements.sort_by_key(|element| !element.is_identity());
            let cells = |point| cells(&points, columns, point);
            Listing::new(points.degree, &elements, &cells, &|perm| points.permutation(&identity, perm))
        });
        let strategy = match (tried, columns) {
            _ if perms.is_empty() => Strategy::Listed(Vec::new()),
            (Some(listing), _) => Strategy::Tried(listing),
            (None, Some(columns)) => Strategy::Word(Word { group, points: points.clone(), columns }),
            (None, None) if at_most(LISTED) => {
                Strategy::Listed(group.elements().map(|perm| points.permutation(&identity, &perm)).collect())
            }
            (None, None) => {
                let mut steps: Vec<Permutation> =
                    perms.iter().map(|perm| points.permutation(&identity, perm)).collect();
                steps.extend(steps.iter().map(Permutation::inverse).collect::<Vec<_>>());
                Strategy::LocalSearch(steps)
            }
        };
        let order = diagonal.iter().fold(order, |order, factor| &order * &factor.order());
        Some(Self { order, diagonal, strategy, points })
    }

    /// Brings the members of the factors that are set apart into order and tries what is listed, in place:
    /// the permutation that does it.
    pub fn sort(&mut self, identity: &Permutation, state: &mut [u64]) -> Option<Permutation> {
        let mut permutation: Option<Permutation> = None;
        for factor in &mut self.diagonal {
            if let Some(perm) = factor.sort(self.points.degree, state) {
                let step = self.points.permutation(identity, &perm);
                permutation = Some(match permutation {
                    Some(permutation) => step.after(&permutation),
                    None => step,
                });
            }
        }
        if let Strategy::Tried(listing) = &mut self.strategy
            && let Some(step) = listing.canonise(state)
        {
            permutation = Some(match permutation {
                Some(permutation) => step.after(&permutation),
                None => step,
            });
        }
        permutation
    }

    /// Whether it is a list of all elements and nothing else.
    pub fn is_listed(&self) -> bool {
        self.diagonal.is_empty() && matches!(self.strategy, Strategy::Listed(_))
    }

    /// Whether states of one orbit always get one representative.
    pub fn is_exact(&self) -> bool {
        !matches!(self.strategy, Strategy::LocalSearch(_))
    }
}

impl Word {
    /// The permutation to the least word.
    pub fn least(&self, identity: &Permutation, state: &[u64]) -> Permutation {
        self.points.permutation(identity, &self.group.minimiser(&self.letters(state)))
    }

    /// How many elements of the group leave the word as it is.
    pub fn stabiliser(&self, state: &[u64]) -> Natural {
        self.group.word_stabiliser(&self.letters(state)).order()
    }

    /// The bits of each element, by point.
    fn letters(&self, state: &[u64]) -> Vec<Vec<u64>> {
        let mut letters = Vec::with_capacity(self.points.degree);
        for &(sort, _, size) in &self.points.sorts {
            for element in 0..size {
                let mut letter = Vec::new();
                for column in self.columns.iter().filter(|column| column.sort == sort) {
                    let at = column.offset + element * column.stride;
                    letter.extend(
                        bits::chunks(column.width).map(|(chunk, width)| bits::read(state, at + chunk, width)),
                    );
                }
                letters.push(letter);
            }
        }
        letters
    }
}

/// The factors that are symmetric groups of members, and the generators of the rest.
fn set_apart(
    points: &Points,
    columns: &[LetterColumn],
    perms: Vec<Perm>,
) -> (Vec<DiagonalFactor>, Vec<Perm>) {
    let cells = |point| cells(points, columns, point);
    let (mut found, mut rest) = (Vec::new(), Vec::new());
    for factor in factors(points.degree, &perms, &cells) {
        match DiagonalFactor::find(points.degree, &factor, &cells) {
            Some(diagonal) => found.push(diagonal),
            None => rest.extend(factor),
        }
    }
    (found, rest)
}

/// The cells of a point: first bits and widths.
fn cells(points: &Points, columns: &[LetterColumn], point: u32) -> Vec<(u32, u32)> {
    let sort = points.sorts.iter().rev().find(|(_, first, _)| *first <= point);
    let &(sort, first, _) = sort.expect("a point is an element of a sort");
    let columns = columns.iter().filter(|column| column.sort == sort);
    let chunks = columns.flat_map(|column| {
        let offset = column.offset + (point - first) * column.stride;
        bits::chunks(column.width).map(move |(chunk, width)| (offset + chunk, width))
    });
    chunks.collect()
}

/// The columns of the moved sorts, if words suit the system.
fn columns(system: &System, symmetry: &Symmetry, points: &Points) -> Option<Vec<LetterColumn>> {
    let mut planner = LetterPlanner { system, symmetry, points, columns: Vec::new() };
    let suits = system.vars.iter().all(|var| planner.collect(var.ty, var.offset));
    suits.then_some(planner.columns)
}

struct LetterPlanner<'p> {
    system: &'p System,
    symmetry: &'p Symmetry,
    points: &'p Points,
    columns: Vec<LetterColumn>,
}

impl LetterPlanner<'_> {
    fn is_generated(&self, sort: SortId) -> bool {
        self.points.sorts.iter().any(|&(known, ..)| known == sort)
    }

    /// Whether a sort is moved, by generators or otherwise.
    fn is_moved(&self, sort: SortId) -> bool {
        self.is_generated(sort) || self.symmetry.sorts[sort.index()] != SortGroup::Fixed
    }

    /// Whether a wanted sort occurs in a type.
    fn touches(&self, ty: TypeId, wanted: &dyn Fn(SortId) -> bool) -> bool {
        let types = &self.system.types;
        match *types.get(ty) {
            Type::Bool | Type::Range { .. } | Type::Enum(_) => false,
            Type::Sort(sort) => wanted(sort),
            Type::Option(inner) | Type::Set(inner) => self.touches(inner, wanted),
            Type::Queue { element, .. } | Type::Bag { element, .. } => self.touches(element, wanted),
            Type::Record(id) => types.record(id).fields.iter().any(|field| self.touches(field.ty, wanted)),
            Type::Array { index, element } => self.touches(index, wanted) || self.touches(element, wanted),
        }
    }

    /// Notes the columns of a value outside of all moved indices; false if it does not suit.
    fn collect(&mut self, ty: TypeId, offset: u32) -> bool {
        let types = &self.system.types;
        if !self.touches(ty, &|sort| self.is_generated(sort)) {
            return true;
        }
        match *types.get(ty) {
            Type::Record(id) => {
                types.record(id).fields.iter().all(|field| self.collect(field.ty, offset + field.offset))
            }
            Type::Set(element) => match *types.get(element) {
                Type::Sort(sort) => {
                    self.columns.push(LetterColumn { sort, offset, stride: 1, width: 1 });
                    true
                }
                _ => false,
            },
            Type::Array { index, element } => {
                let width = types.width(element);
                match *types.get(index) {
                    Type::Sort(sort) if self.is_generated(sort) => {
                        self.columns.push(LetterColumn { sort, offset, stride: width, width });
                        !self.touches(element, &|sort| self.is_moved(sort))
                    }
                    _ if self.touches(index, &|sort| self.is_moved(sort)) => false,
                    _ => {
                        let count = types.size(index).expect("an index type is numbered") as u32;
                        (0..count).all(|i| self.collect(element, offset + i * width))
                    }
                }
            }
            _ => false,
        }
    }
}
