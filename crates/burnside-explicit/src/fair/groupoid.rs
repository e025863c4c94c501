//! Local symmetries of a property's automaton: which of its states are alike up to a permutation of elements.
//!
//! Entry point: [`Groupoid::of`]. An *arrow* `π: b → b'` is a permutation of elements (and, along with it, of
//! acceptance sets) such that `b'` does with the renamed letters what `b` does; it comes from a bisimulation
//! up to `π` ([`Form::related`]). Arrows can be composed where one ends and the other begins, and undone; but
//! two arrows need not meet anywhere: this is a groupoid, not a group. One state of each class of connected
//! states stands for it ([`Groupoid::lead`]), with an arrow to every other ([`Groupoid::arrow`]), and the
//! arrows from it to itself, its stabiliser, say which names can be swapped ([`Groupoid::blocks`]).
//!
//! Arrows are looked for among swaps of two elements of one sort and rotations of rings, and composed: a
//! polynomial number. If all permutations are few, all of them are tried instead on demand, and then the
//! stabilisers are listed; so they are if there are only rings. Where the same permutation relates two states
//! by different permutations of the acceptance sets, one of these is used; any of them is right.
//!
//! Follows Ajami, Haddad and Ilié, with their relation made symmetric.

use super::Atom;
use super::annotation::{Annotation, MarkPermutation};
use super::position::Blocks;
use burnside_limits::poll;
use burnside_logic::{Automaton, Form, Image};
use burnside_ts::{Action, Permutation, SortGroup, SortId, Symmetry, System};
use foldhash::HashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// Sorts with what may be done to their elements; none is fixed.
pub type Movable = Vec<(SortId, SortGroup)>;

/// The most literals and elements that are renamed to find the arrows.
const MOST_WORK: usize = 40_000_000;

/// The most permutations that are all tried.
const MOST_LISTED: usize = 5_040;

/// The local symmetries of an automaton.
#[derive(Clone, Debug)]
pub struct Groupoid {
    automaton: Automaton,
    movable: Movable,
    /// By state: the state that stands for its class, and an arrow from there.
    arrows: Vec<(usize, Annotation)>,
    /// By state, for those that stand for a class.
    stabilisers: Vec<Option<Stabiliser>>,
    /// Whether the stabilisers are listed.
    listed: bool,
    exact: bool,
    permutes_marks: bool,
}

/// The arrows of a state to itself.
#[derive(Clone, Debug)]
struct Stabiliser {
    blocks: Blocks,
    /// As the blocks, but only of names whose swaps leave the acceptance sets alone.
    fixing_marks: Blocks,
    /// By sort of the blocks and element: where the swap with the least of its block takes the acceptance
    /// sets.
    swaps: Vec<Vec<MarkPermutation>>,
    /// All of them, if there are others than the blocks allow.
    listed: Option<Vec<Annotation>>,
}

impl Groupoid {
    /// The local symmetries of an automaton over some atoms; none if there are none but those that can be
    /// used without it, or if to find them is too much work. With `exact` all permutations are tried if they
    /// are few.
    pub fn of(
        system: &System,
        automaton: &Automaton,
        atoms: &[Atom<'_>],
        movable: &Movable,
        without: &Symmetry,
        exact: bool,
    ) -> Option<Self> {
        let identity = Permutation::identity(&system.types);
        // Without anything that may move, the rest is not worth the effort.
        swaps_and_rotations(&identity, movable).next()?;
        let form = Form::of(automaton);
        // An automaton without states, over no atoms, in a model without sorts is no work at all.
        let each = (form.size() + atoms.len() + identity.images.iter().map(Vec::len).sum::<usize>()).max(1);
        let tried = swaps_and_rotations(&identity, movable).take(MOST_WORK / each + 1).count();
        if tried == 0 || each.saturating_mul(tried) > MOST_WORK {
            return None;
        }
        let only_rings = movable.iter().all(|(_, sort_group)| *sort_group == SortGroup::Rotations);
        let listed = if exact || only_rings { all_permutations(&identity, movable) } else { None };
        let listed = listed.filter(|all| each.saturating_mul(all.len()) <= MOST_WORK);
        let is_listed = listed.is_some();
        let action = AtomAction::new(system, atoms);
        let related = |permutation: Permutation| {
            Some((form.related(&action.images(&permutation)?), Rc::new(permutation)))
        };
        let found: Vec<Relation> = match listed {
            Some(all) => all.into_iter().filter_map(related).collect(),
            None => swaps_and_rotations(&identity, movable).filter_map(related).collect(),
        };
        let more = |(images, permutation): &Relation| {
            images.iter().any(Option::is_some) && !without.allows(permutation)
        };
        if !found.iter().any(more) {
            return None;
        }
        let mut groupoid = Self::join(form.automaton().clone(), found, (identity, movable), is_listed);
        groupoid.exact = exact && is_listed;
        (!groupoid.movable.is_empty()).then_some(groupoid)
    }

    /// What comes of given relations between states: for each state where a permutation takes it. Nothing is
    /// checked: if they are not bisimulations up to their permutations, verdicts that are found with the
    /// result may be wrong. This is for tests that show it.
    pub fn trusting(
        system: &System,
        automaton: &Automaton,
        relations: Vec<(Vec<Option<Image>>, Permutation)>,
        movable: &Movable,
    ) -> Self {
        let relations =
            relations.into_iter().map(|(images, permutation)| (images, Rc::new(permutation))).collect();
        Self::join(automaton.clone(), relations, (Permutation::identity(&system.types), movable), false)
    }

    /// Puts arrows together.
    fn join(
        automaton: Automaton,
        found: Vec<Relation>,
        (identity, movable): (Permutation, &Movable),
        listed: bool,
    ) -> Self {
        // Sorts whose elements no arrow moves are not worth the effort.
        let moves = |sort: SortId| {
            let useful = found.iter().filter(|(images, _)| images.iter().any(Option::is_some));
            useful
                .map(|(_, permutation)| &permutation.images[sort.index()])
                .any(|images| *images != identity.images[sort.index()])
        };
        let movable: Movable = movable.iter().filter(|(sort, _)| moves(*sort)).cloned().collect();
        let itself = Annotation::from(identity);
        let mut arrows: Vec<Option<(usize, Annotation)>> = vec![None; automaton.len()];
        let mut stabilisers = vec![None; automaton.len()];
        let mut permutes_marks = false;
        let out = |state: usize, from: &Annotation, (images, permutation): &Relation| {
            let Image { state, marks } = images[state].as_ref()?;
            poll();
            let marks = MarkPermutation::new(marks).after(&from.marks);
            Some((state.index(), Annotation { permutation: permutation.after(&from.permutation), marks }))
        };
        for lead in 0..automaton.len() {
            if arrows[lead].is_some() {
                continue;
            }
            arrows[lead] = Some((lead, itself.clone()));
            let mut queue = VecDeque::from([(lead, itself.clone())]);
            while let Some((state, from)) = queue.pop_front() {
                for (to, arrow) in found.iter().filter_map(|relation| out(state, &from, relation)) {
                    if arrows[to].is_none() {
                        permutes_marks |= !arrow.marks.is_identity();
                        arrows[to] = Some((lead, arrow.clone()));
                        queue.push_back((to, arrow));
                    }
                }
            }
            let own = found.iter().filter_map(|relation| out(lead, &itself, relation));
            let own: Vec<Annotation> = own.filter(|(to, _)| *to == lead).map(|(_, arrow)| arrow).collect();
            let stabiliser = Stabiliser::of(&itself.permutation, &movable, own, listed);
            permutes_marks |= stabiliser.permutes_marks();
            stabilisers[lead] = Some(stabiliser);
        }
        let arrows = arrows.into_iter().map(|arrow| arrow.expect("each state is in a class")).collect();
        Self { automaton, movable, arrows, stabilisers, listed, exact: false, permutes_marks }
    }

    /// The automaton: bisimilar states of the one that was given are one.
    pub(crate) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The sorts whose elements are moved.
    pub fn movable(&self) -> &Movable {
        &self.movable
    }

    /// Whether all permutations were wanted and tried.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether stabilisers may be more than what blocks allow.
    pub(crate) fn is_listed(&self) -> bool {
        self.listed
    }

    /// Whether some arrow moves acceptance sets.
    pub(crate) fn permutes_marks(&self) -> bool {
        self.permutes_marks
    }

    /// The state that stands for the class of a state.
    pub(crate) fn lead(&self, state: usize) -> usize {
        self.arrows[state].0
    }

    /// An arrow to a state from the one that stands for its class.
    pub(crate) fn arrow(&self, state: usize) -> &Annotation {
        &self.arrows[state].1
    }

    /// Which names can be swapped in a state that stands for its class.
    pub(crate) fn blocks(&self, lead: usize) -> &Blocks {
        &self.stabiliser(lead).blocks
    }

    /// Which can be swapped without moving acceptance sets. Only by these a step may stand for another: the
    /// other would have other marks.
    pub(crate) fn fixing_marks(&self, lead: usize) -> &Blocks {
        &self.stabiliser(lead).fixing_marks
    }

    /// The stabiliser, if it is more than all permutations inside the blocks.
    pub(crate) fn listed(&self, lead: usize) -> Option<&[Annotation]> {
        self.stabiliser(lead).listed.as_deref()
    }

    fn stabiliser(&self, lead: usize) -> &Stabiliser {
        self.stabilisers[lead].as_ref().expect("it stands for a class")
    }

    /// Where a permutation inside the blocks of a state takes its acceptance sets.
    pub(crate) fn marks(&self, lead: usize, inside: &Permutation) -> MarkPermutation {
        let Stabiliser { blocks, swaps, .. } = self.stabiliser(lead);
        let mut marks = MarkPermutation::default();
        if !self.permutes_marks {
            return marks;
        }
        for (i, sort) in blocks.sorts.iter().enumerate() {
            // The permutation is these swaps, one after the other.
            let mut rest = inside.images[sort.index()].clone();
            let mut done: Vec<(u32, u32)> = Vec::new();
            for name in 0..rest.len() as u32 {
                while rest[name as usize] != name {
                    let other = rest[name as usize];
                    // With the swap before it, what went to one goes to the other.
                    rest.swap(name as usize, other as usize);
                    done.push((name, other));
                }
            }
            let mut swap = |name: u32| marks = swaps[i][name as usize].after(&marks);
            for (a, b) in done {
                let lead = blocks.of(i, a);
                if a != lead && b != lead {
                    [a, b, a].into_iter().for_each(&mut swap);
                } else {
                    swap(if a == lead { b } else { a });
                }
            }
        }
        marks
    }
}

/// For each state where a permutation takes it, and the permutation.
type Relation = (Vec<Option<Image>>, Rc<Permutation>);

impl Stabiliser {
    fn of(identity: &Permutation, movable: &Movable, own: Vec<Annotation>, listed: bool) -> Self {
        let sorts: Vec<SortId> = movable.iter().map(|(sort, _)| *sort).collect();
        let images = |sort: &SortId| identity.images[sort.index()].clone();
        let mut blocks = Blocks { lead: sorts.iter().map(images).collect(), sorts };
        let mut fixing_marks = blocks.clone();
        let mut swaps: Vec<Vec<MarkPermutation>> =
            blocks.lead.iter().map(|lead| vec![MarkPermutation::default(); lead.len()]).collect();
        let swapped: HashMap<(SortId, u32, u32), &Annotation> =
            own.iter().filter_map(|arrow| Some((only_swap(&arrow.permutation)?, arrow))).collect();
        let of_sorts = movable.iter().enumerate();
        for (i, sort, elements) in of_sorts
            .flat_map(|(i, (sort, sort_group))| blocks_of(sort_group).iter().map(move |it| (i, sort, it)))
        {
            for (at, &high) in elements.iter().enumerate() {
                let with = |low: &u32| swapped.get(&(*sort, *low, high)).map(|arrow| (*low, *arrow));
                let leads = |low: &u32| blocks.lead[i][*low as usize] == *low;
                if let Some((low, arrow)) = elements[..at].iter().filter(|low| leads(low)).find_map(with) {
                    blocks.lead[i][high as usize] = low;
                    swaps[i][high as usize] = arrow.marks.clone();
                }
                let quiet = |arrow: &Annotation| arrow.marks.is_identity();
                let leads = |low: &u32| fixing_marks.lead[i][*low as usize] == *low;
                let found = elements[..at].iter().filter(|low| leads(low)).filter_map(with);
                if let Some((low, _)) = found.into_iter().find(|(_, arrow)| quiet(arrow)) {
                    fixing_marks.lead[i][high as usize] = low;
                }
            }
        }
        let more = listed && own.len() > order_within(&blocks);
        Self { blocks, fixing_marks, swaps, listed: more.then_some(own) }
    }

    fn permutes_marks(&self) -> bool {
        let listed = self.listed.iter().flatten().map(|arrow| &arrow.marks);
        self.swaps.iter().flatten().chain(listed).any(|marks| !marks.is_identity())
    }
}

/// How many permutations stay inside blocks.
pub(super) fn order_within(blocks: &Blocks) -> usize {
    let mut sizes: HashMap<(usize, u32), usize> = HashMap::default();
    let mut order = 1;
    for (i, lead) in blocks.lead.iter().enumerate() {
        for &lead in lead {
            let size = sizes.entry((i, lead)).or_insert(0);
            *size += 1;
            order *= *size;
        }
    }
    order
}

/// The two elements that a permutation swaps if it does nothing else, the lesser first.
fn only_swap(permutation: &Permutation) -> Option<(SortId, u32, u32)> {
    let sorts = permutation.images.iter().enumerate().flat_map(|(sort, images)| {
        let moved = images.iter().enumerate().filter(|&(i, &image)| i as u32 != image);
        moved.map(move |(i, _)| (SortId(sort as u32), i as u32))
    });
    let moved: Vec<(SortId, u32)> = sorts.take(3).collect();
    match moved[..] {
        [(sort, low), (same, high)] if sort == same => Some((sort, low, high)),
        _ => None,
    }
}

/// The blocks of elements inside which all permutations are allowed.
pub(super) fn blocks_of(sort_group: &SortGroup) -> &[Vec<u32>] {
    match sort_group {
        SortGroup::Full(blocks) => blocks,
        SortGroup::Rotations | SortGroup::Fixed => &[],
    }
}

/// What rotations make of a permutation in a sort, itself first; it alone if the sort may not be rotated.
pub(super) fn rotated(
    permutation: &Permutation,
    sort: SortId,
    sort_group: &SortGroup,
) -> impl Iterator<Item = Permutation> {
    let turns = if *sort_group == SortGroup::Rotations { permutation.images[sort.index()].len() } else { 1 };
    (0..turns).map(move |by| {
        let mut permutation = permutation.clone();
        permutation.images[sort.index()].rotate_left(by);
        permutation
    })
}

/// All swaps of two elements of a sort, and all rotations of one.
fn swaps_and_rotations<'m>(
    identity: &'m Permutation,
    movable: &'m Movable,
) -> impl Iterator<Item = Permutation> + 'm {
    let rotations =
        movable.iter().flat_map(|(sort, sort_group)| rotated(identity, *sort, sort_group).skip(1));
    let blocks =
        movable.iter().flat_map(|(sort, sort_group)| blocks_of(sort_group).iter().map(move |it| (sort, it)));
    let swaps = blocks.flat_map(move |(sort, elements)| {
        let pairs = elements
            .iter()
            .enumerate()
            .flat_map(|(i, &low)| elements[i + 1..].iter().map(move |&high| (low, high)));
        pairs.map(move |(low, high)| {
            let mut permutation = identity.clone();
            permutation.images[sort.index()].swap(low as usize, high as usize);
            permutation
        })
    });
    rotations.chain(swaps)
}

/// All permutations, if they are few; the identity first.
pub(super) fn all_permutations(identity: &Permutation, movable: &Movable) -> Option<Vec<Permutation>> {
    let mut found = vec![identity.clone()];
    for (sort, sort_group) in movable {
        found = found.iter().flat_map(|permutation| rotated(permutation, *sort, sort_group)).collect();
        if found.len() > MOST_LISTED {
            return None;
        }
    }
    let blocks =
        movable.iter().flat_map(|(sort, sort_group)| blocks_of(sort_group).iter().map(move |it| (sort, it)));
    for (sort, elements) in blocks {
        // Each permutation is one that swaps an element with a later one or itself, for the first, then the
        // second, and so on.
        for i in 0..elements.len() {
            let mut longer = Vec::new();
            for permutation in &found {
                for j in i..elements.len() {
                    let mut permutation = permutation.clone();
                    permutation.images[sort.index()].swap(elements[i] as usize, elements[j] as usize);
                    longer.push(permutation);
                }
            }
            found = longer;
            if found.len() > MOST_LISTED {
                return None;
            }
        }
    }
    Some(found)
}

/// Where permutations take atoms.
struct AtomAction<'a, 's> {
    action: Action<'a>,
    atoms: &'a [Atom<'s>],
    /// For each atom the first with an equal condition: they differ in elements only.
    like: Vec<usize>,
    /// By first atom with an equal condition, and by elements.
    known: HashMap<(usize, Vec<u64>), u32>,
}

impl<'a, 's> AtomAction<'a, 's> {
    fn new(system: &'a System, atoms: &'a [Atom<'s>]) -> Self {
        let equal = |a: &Atom<'_>, b: &Atom<'_>| {
            let names = |atom: &Atom<'_>| atom.bound.iter().map(|(name, _)| name.target).collect::<Vec<_>>();
            (std::ptr::eq(a.condition, b.condition) || a.condition == b.condition) && names(a) == names(b)
        };
        let first = |atom| atoms.iter().position(|other| equal(other, atom)).expect("itself at least");
        let like: Vec<usize> = atoms.iter().map(first).collect();
        let mut action = Self { action: Action::new(system), atoms, like, known: HashMap::default() };
        for atom in (0..atoms.len()).rev() {
            action.known.insert(action.key(atom, |_, number| number), atom as u32);
        }
        action
    }

    fn key(&self, atom: usize, moved: impl Fn(burnside_ts::TypeId, u64) -> u64) -> (usize, Vec<u64>) {
        let values = self.atoms[atom].bound.iter().map(|(name, number)| moved(name.ty, *number));
        (self.like[atom], values.collect())
    }

    /// Where each atom goes; none if one goes to none of them.
    fn images(&self, permutation: &Permutation) -> Option<Vec<u32>> {
        poll();
        let image =
            |atom| self.known.get(&self.key(atom, |ty, number| self.action.number(permutation, ty, number)));
        (0..self.atoms.len()).map(|atom| image(atom).copied()).collect()
    }
}
