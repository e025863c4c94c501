//! The part of a group that is given by generators.
//!
//! Entry point: [`Generated::new`], which chooses the strategy. If each cell that it moves has just one moved
//! index and holds nothing that moves, the factors of the group that permute alike members in all ways are
//! set apart ([`DiagonalFactor`]), and so are those in which cells are about several of them
//! ([`MemberLabelling`]). For the rest:
//! - a small group is *listed*, and every element is tried, cell by cell if it can be ([`Listing`]);
//! - if each cell that it moves has just one moved index and holds nothing that moves, a state is a *word*
//!   with a letter for each element, and the least image of the word is found by a search in the group
//!   (least if rare letters come first);
//! - otherwise, and for groups that would take too much room, by *local search*: a generator is applied as
//!   long as one makes the state less. This is not exact.

use super::diagonal::{DiagonalFactor, factors};
use super::listing::Listing;
use super::members::MemberLabelling;
use burnside_perm::{Group, MemberAction, Natural, Partition, Perm, Point};
use burnside_ts::{Permutation, SortGroup, SortId, SparsePermutation, Symmetry, System, Type, TypeId, bits};

/// A listed group has at most so many elements (times the rotations of rings).
const LISTED: u64 = 20_000;
/// A group with at most so many elements is listed where words would do.
const FEW: u64 = 1_000;

/// No stabiliser chain is made if it would take more points in all than this.
const MOST_POINTS: usize = 1 << 25;

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
    /// Factors that are products of symmetric groups of members, with cells that are about several of them.
    pub labelled: Vec<MemberLabelling>,
    /// How the rest is used.
    pub strategy: Strategy,
    points: Points,
}

/// States as words.
#[derive(Debug)]
pub(super) struct Word {
    group: RenamedGroup,
    points: Points,
    columns: Vec<LetterColumn>,
    /// By point, the least one of its orbit.
    orbits: Vec<Point>,
}

/// A group of points that have other numbers there: those of a base come first.
#[derive(Debug)]
struct RenamedGroup {
    group: Group,
    /// From the numbers here to those there; none if they are the same.
    by: Option<Perm>,
}

impl RenamedGroup {
    /// The group that some permutations generate. If these are strong generators for a base, nothing else has
    /// to be found.
    fn new(degree: usize, generators: &[Perm], base: &[Point]) -> Self {
        let recognised = if base.is_empty() { None } else { Group::recognised(degree, generators) };
        match recognised {
            _ if base.is_empty() => Self { group: Group::generated(degree, generators), by: None },
            Some(group) => Self { group, by: None },
            None => {
                let mut number: Vec<Point> = vec![Point::MAX; degree];
                let mut next = 0..degree as Point;
                for point in base.iter().copied().chain(0..degree as Point) {
                    if number[point as usize] == Point::MAX {
                        number[point as usize] = next.next().expect("as many numbers as points");
                    }
                }
                let by = Perm::from_images(&number).expect("each point has a number");
                let renamed: Vec<Perm> = generators.iter().map(|perm| perm.conjugate(&by)).collect();
                Self { group: Group::strongly_generated(degree, &renamed), by: Some(by) }
            }
        }
    }

    fn elements(&self) -> Vec<Perm> {
        match &self.by {
            None => self.group.elements().collect(),
            Some(by) => {
                let back = by.inverse();
                self.group.elements().map(|perm| perm.conjugate(&back)).collect()
            }
        }
    }

    fn minimiser(&self, word: &[u32]) -> Perm {
        match &self.by {
            None => self.group.minimiser(word),
            Some(by) => self.group.minimiser(&by.permute(word)).conjugate(&by.inverse()),
        }
    }

    fn word_stabiliser_order(&self, word: &[u32]) -> Natural {
        match &self.by {
            None => self.group.word_stabiliser_order(word),
            Some(by) => self.group.word_stabiliser_order(&by.permute(word)),
        }
    }
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
    fn new(system: &System, generators: &[SparsePermutation]) -> Self {
        let moves = |&sort: &usize| generators.iter().any(|it| it.moves(SortId(sort as u32)));
        let mut points = Self { sorts: Vec::new(), degree: 0 };
        for sort in (0..system.types.sorts().count()).filter(moves) {
            let size = system.types.sort(SortId(sort as u32)).size;
            points.sorts.push((SortId(sort as u32), points.degree as u32, size));
            points.degree += size as usize;
        }
        points
    }

    fn perm(&self, permutation: &SparsePermutation) -> Perm {
        let point = |sort, element| self.point(sort, element).expect("a sort that is moved");
        let moved = permutation.moved().iter();
        Perm::sparse(
            self.degree,
            moved.map(|&(sort, from, to)| (point(sort, from), point(sort, to))).collect(),
        )
    }

    fn point(&self, sort: SortId, element: u32) -> Option<Point> {
        let found = self.sorts.iter().find(|(known, ..)| *known == sort);
        found.map(|&(_, first, _)| first + element)
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
        let (diagonal, labelled, perms) = match &columns {
            Some(columns) => set_apart(&points, columns, perms),
            None => (Vec::new(), Vec::new(), perms),
        };
        let apart =
            diagonal.iter().map(DiagonalFactor::order).chain(labelled.iter().map(MemberLabelling::order));
        let apart: Natural = apart.product();
        // What is set apart are factors, and so is what is left, whose generators are as strong as before.
        let base: Vec<Point> =
            symmetry.base.iter().filter_map(|&(sort, element)| points.point(sort, element)).collect();
        let identity = Permutation::identity(&system.types);
        if !base.is_empty() && perms.len().saturating_mul(points.degree) > MOST_POINTS {
            let order = strong_order(points.degree, &perms, &base);
            let strategy = Strategy::LocalSearch(steps(&points, &identity, &perms));
            return Some(Self { order: &order * &apart, diagonal, labelled, strategy, points });
        }
        let group = RenamedGroup::new(points.degree, &perms, &base);
        let order = group.group.order();
        let at_most = |limit: u64| order <= Natural::from(limit / enumerated.max(1) as u64);
        let tried = columns.as_ref().filter(|_| at_most(FEW)).and_then(|columns| {
            let mut elements: Vec<Perm> = group.elements();
            elements.sort_by_key(|element| !element.is_identity());
            let cells = |point| cells(&points, columns, point);
            Listing::new(points.degree, &elements, &cells, &|perm| points.permutation(&identity, perm))
        });
        let strategy = match (tried, columns) {
            _ if perms.is_empty() => Strategy::Listed(Vec::new()),
            (Some(listing), _) => Strategy::Tried(listing),
            (None, Some(columns)) => {
                let orbits = Partition::orbits(points.degree, &perms).labels();
                Strategy::Word(Word { group, points: points.clone(), columns, orbits })
            }
            (None, None) if at_most(LISTED) => Strategy::Listed(
                group.elements().iter().map(|perm| points.permutation(&identity, perm)).collect(),
            ),
            (None, None) => Strategy::LocalSearch(steps(&points, &identity, &perms)),
        };
        Some(Self { order: &order * &apart, diagonal, labelled, strategy, points })
    }

    /// Brings the members of the factors that are set apart into order and tries what is listed, in place:
    /// the permutation that does it.
    pub fn sort(&mut self, identity: &Permutation, state: &mut [u64], most_work: u64) -> Option<Permutation> {
        let Self { diagonal, labelled, points, strategy, .. } = self;
        let degree = points.degree;
        let mut permutation: Option<Permutation> = None;
        let mut then = |step: Permutation| {
            permutation = Some(match permutation.take() {
                Some(permutation) => step.after(&permutation),
                None => step,
            });
        };
        let sorted = diagonal.iter_mut().filter_map(|factor| factor.sort(degree, state));
        sorted.for_each(|perm| then(points.permutation(identity, &perm)));
        let sorted = labelled.iter_mut().filter_map(|factor| factor.sort(degree, state, most_work));
        sorted.for_each(|perm| then(points.permutation(identity, &perm)));
        if let Strategy::Tried(listing) = strategy {
            listing.canonise(state).into_iter().for_each(then);
        }
        permutation
    }

    /// How many elements of the factors that are set apart leave a state as it is.
    pub fn stabiliser(&mut self, state: &[u64]) -> Natural {
        let sorted = self.diagonal.iter_mut().map(|factor| factor.stabiliser(state));
        let labelled = self.labelled.iter_mut().map(|factor| factor.stabiliser(state));
        sorted.chain(labelled).product()
    }

    /// The same for the state that was brought into order last, if it is known and no long number.
    pub fn known_stabiliser(&self) -> Option<u128> {
        let all = matches!(&self.strategy, Strategy::Listed(elements) if elements.is_empty());
        all.then_some(())?;
        let sorted = self.diagonal.iter().try_fold(1, |order, factor| factor.known_stabiliser(order))?;
        self.labelled.iter().try_fold(sorted, |order, factor| factor.known_stabiliser(order))
    }

    /// Whether some rules of a state need not be looked at, as far as that can be told.
    pub fn covers(&self, rules: SortId) -> bool {
        self.points.point(rules, 0).is_some() && !(self.diagonal.is_empty() && self.labelled.is_empty())
    }

    /// By rule, whether one before it leads from a state to the same orbits: members that are alike in the
    /// state make one of the other.
    pub fn covered(&mut self, rules: SortId, state: &[u64], covered: &mut Vec<bool>) {
        covered.clear();
        let Some(&(_, first, size)) = self.points.sorts.iter().find(|it| it.0 == rules) else { return };
        covered.resize(size as usize, false);
        self.diagonal.iter_mut().for_each(|factor| factor.covered(state, first..first + size, covered));
        self.labelled.iter_mut().for_each(|factor| factor.covered(state, first..first + size, covered));
    }

    /// Whether the last state was brought into canonical order.
    pub fn is_complete(&self) -> bool {
        self.labelled.iter().all(|factor| factor.complete)
    }

    /// Whether something is done in place.
    pub fn sorts(&self) -> bool {
        !self.diagonal.is_empty() || !self.labelled.is_empty() || matches!(self.strategy, Strategy::Tried(_))
    }

    /// Whether it is a list of all elements and nothing else.
    pub fn is_listed(&self) -> bool {
        self.diagonal.is_empty() && self.labelled.is_empty() && matches!(self.strategy, Strategy::Listed(_))
    }

    /// Whether states of one orbit always get one representative.
    pub fn is_exact(&self) -> bool {
        !matches!(self.strategy, Strategy::LocalSearch(_))
    }
}

/// The generators and their inverses.
fn steps(points: &Points, identity: &Permutation, perms: &[Perm]) -> Vec<Permutation> {
    let mut steps: Vec<Permutation> = perms.iter().map(|perm| points.permutation(identity, perm)).collect();
    let inverses =
        steps.iter().map(Permutation::inverse).zip(&steps).filter(|(inverse, step)| inverse != *step);
    let inverses: Vec<Permutation> = inverses.map(|(inverse, _)| inverse).collect();
    steps.extend(inverses);
    steps
}

/// The order of a group with strong generators for a base.
fn strong_order(degree: usize, generators: &[Perm], base: &[Point]) -> Natural {
    let mut joining: Vec<Vec<&Perm>> = vec![Vec::new(); base.len() + 1];
    for generator in generators {
        let level = base.iter().position(|&point| generator.image(point) != point);
        joining[level.unwrap_or(base.len())].push(generator);
    }
    let (mut order, mut orbits) = (Natural::one(), Partition::discrete(degree));
    for (&point, joining) in base.iter().zip(&joining).rev() {
        joining.iter().for_each(|generator| orbits.join_orbits(generator));
        if !joining.is_empty() {
            order.mul_small(orbits.class(point).len() as u64);
        }
    }
    order
}

impl Word {
    /// The permutation to the least word.
    pub fn least(&self, identity: &Permutation, state: &[u64]) -> Permutation {
        self.points.permutation(identity, &self.group.minimiser(&self.letters(state)))
    }

    /// How many elements of the group leave the word as it is.
    pub fn stabiliser(&self, state: &[u64]) -> Natural {
        self.group.word_stabiliser_order(&self.letters(state))
    }

    /// By point, which letter it has among those of its orbit: the rare ones first, so that a search meets
    /// what tells points apart before what does not. The group changes neither orbits nor how often a letter
    /// is in one.
    fn letters(&self, state: &[u64]) -> Vec<u32> {
        let bits = self.bits(state);
        let mut order: Vec<u32> = (0..bits.len() as u32).collect();
        let key = |&point: &u32| (self.orbits[point as usize], &bits[point as usize]);
        order.sort_unstable_by_key(key);
        let mut letters = vec![0; bits.len()];
        for orbit in order.chunk_by(|a, b| self.orbits[*a as usize] == self.orbits[*b as usize]) {
            let mut classes: Vec<&[u32]> = orbit.chunk_by(|a, b| key(a) == key(b)).collect();
            classes.sort_by_key(|class| class.len());
            for (rank, class) in (0..).zip(classes) {
                class.iter().for_each(|&point| letters[point as usize] = rank);
            }
        }
        letters
    }

    /// The bits of each element, by point.
    fn bits(&self, state: &[u64]) -> Vec<Letter> {
        let mut letters = Vec::with_capacity(self.points.degree);
        for &(sort, _, size) in &self.points.sorts {
            let columns = || self.columns.iter().filter(move |column| column.sort == sort);
            let narrow = columns().map(|column| column.width).sum::<u32>() <= 64;
            for element in 0..size {
                let parts = columns().flat_map(|column| {
                    let at = column.offset + element * column.stride;
                    bits::chunks(column.width).map(move |(chunk, width)| (at + chunk, width))
                });
                letters.push(match narrow {
                    true => Letter::Narrow(parts.fold(0, |all, (at, width)| {
                        all.checked_shl(width).unwrap_or(0) | bits::read(state, at, width)
                    })),
                    false => Letter::Wide(parts.map(|(at, width)| bits::read(state, at, width)).collect()),
                });
            }
        }
        letters
    }
}

/// All bits of an element.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Letter {
    Narrow(u64),
    Wide(Vec<u64>),
}

/// The factors that are symmetric groups of members, products of those that are not small, and the generators
/// of the rest.
fn set_apart(
    points: &Points,
    columns: &[LetterColumn],
    perms: Vec<Perm>,
) -> (Vec<DiagonalFactor>, Vec<MemberLabelling>, Vec<Perm>) {
    let cells = |point| cells(points, columns, point);
    let (mut found, mut labelled, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for factor in factors(points.degree, &perms, &cells) {
        if let Some(diagonal) = DiagonalFactor::find(points.degree, &factor, &cells) {
            found.push(diagonal);
            continue;
        }
        let action = MemberAction::find(points.degree, &factor).filter(|it| it.order() > Natural::from(FEW));
        match action.and_then(|action| MemberLabelling::new(action, &cells)) {
            Some(labelling) => labelled.push(labelling),
            None => rest.extend(factor),
        }
    }
    (found, labelled, rest)
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
