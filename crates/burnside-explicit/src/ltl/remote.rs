//! The parts of a search for fair runs whose pairs are kept elsewhere, by many workers that share them out.
//!
//! Entry points: [`RunQuery`], what they are asked, and [`RunExpander`], which has for one worker what it
//! needs of the product. Who asks is in `elsewhere`. A pair is a list of words that means the same
//! everywhere. Annotations stay here: an edge that is sent away says whom it executes and which marks it has,
//! and a partition of the units says which of them annotations and symmetries of pairs may take to each
//! other.

use super::{EmptinessQuery, unit_action};
use crate::canon::Canoniser;
use crate::fair::{
    AnnotationId, Atom, Groupoid, IndexedQuotient, PairId, Product, Transition, UnitAction, opaque_sorts,
};
use crate::quotient::{EdgeReduction, EdgeStorage, Quotient};
use crate::search::remote::OrbitSetting;
use burnside_limits::{Limits, Observer, Stats, Stop, Threads};
use burnside_logic::Automaton;
use burnside_perm::Partition;
use burnside_ts::{Binder, Expr, System, Units};
use foldhash::HashMap;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::rc::Rc;

/// A question about runs, for other threads.
#[derive(Clone, Debug)]
pub struct RunQuery {
    tracked: Vec<Binder>,
    atoms: Vec<OwnedAtom>,
    automaton: Automaton,
    fair: bool,
    local: Option<Groupoid>,
}

/// An [`Atom`], whole.
#[derive(Clone, Debug)]
struct OwnedAtom {
    condition: Expr,
    text: String,
    bound: Vec<(Binder, u64)>,
}

impl OwnedAtom {
    fn of(atom: &Atom<'_>) -> Self {
        let bound = atom.bound.iter().map(|&(binder, number)| (binder.clone(), number)).collect();
        Self { condition: atom.condition.clone(), text: atom.text.to_string(), bound }
    }

    fn borrowed(&self) -> Atom<'_> {
        let bound = self.bound.iter().map(|(binder, number)| (binder, *number)).collect();
        Atom { condition: &self.condition, text: &self.text, bound }
    }
}

impl RunQuery {
    pub(super) fn of(query: &EmptinessQuery<'_>) -> Self {
        Self {
            tracked: query.tracked.iter().map(|&binder| binder.clone()).collect(),
            atoms: query.atoms.iter().map(OwnedAtom::of).collect(),
            automaton: query.automaton.clone(),
            fair: query.fair,
            local: query.local.clone(),
        }
    }

    fn borrowed(&self) -> EmptinessQuery<'_> {
        EmptinessQuery {
            tracked: self.tracked.iter().collect(),
            atoms: self.atoms.iter().map(OwnedAtom::borrowed).collect(),
            automaton: self.automaton.clone(),
            fair: self.fair,
            local: self.local.clone(),
        }
    }
}

/// Somebody who can explore products elsewhere.
pub trait RunSearch {
    /// Explores the product of a question about runs, and leaves what a fair accepting cycle may go through.
    /// The group has been weighed.
    fn remains(
        &self,
        query: &RunQuery,
        orbits: &OrbitSetting<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Remains;

    /// Hears what was found in what was left, if that was something: the pairs of a component, if there is
    /// one, or why nobody knows. The result is a shortest path from an initial pair to one of these; an error
    /// if somebody else could not look.
    fn conclude(&self, limits: &Limits, found: Looked) -> Result<Vec<Box<[u64]>>, Stop>;
}

/// What came of looking at what is left: pairs as words.
pub type Looked = Result<Option<Vec<Box<[u64]>>>, Stop>;

/// What workers leave of a product.
#[derive(Clone, Debug, Default)]
pub struct Remains {
    /// The pairs that may be on a fair accepting cycle, in ascending order.
    pub pairs: Vec<Box<[u64]>>,
    /// Figures of all that was explored.
    pub stats: Stats,
    /// Whether some step faulted.
    pub faulted: bool,
    /// A state was too hard to bring into order: how much work was spent on it.
    pub too_hard: Option<u64>,
    /// Why there is nothing to be left, if so.
    pub stop: Option<Stop>,
}

/// What a worker needs of the product.
pub struct RunExpander<'s> {
    product: Product<'s>,
    unit_action: Option<UnitAction<'s>>,
    /// Units that annotations and symmetries of pairs take to each other.
    alike: Partition,
    /// By annotation, whether the partition knows it.
    joined: Vec<bool>,
    transitions: Vec<Transition>,
    words: Vec<u64>,
    labels: Recurring<(u64, Box<[u32]>)>,
    enabled: Recurring<Box<[u32]>>,
}

/// Things that occur again and again, by number.
struct Recurring<T> {
    list: Vec<Rc<T>>,
    ids: HashMap<Rc<T>, u32>,
}

impl<T: Eq + std::hash::Hash> Recurring<T> {
    fn new() -> Self {
        Self { list: Vec::new(), ids: HashMap::default() }
    }

    fn number(&mut self, it: T) -> u32 {
        if let Some(&id) = self.ids.get(&it) {
            return id;
        }
        let (id, it) = (self.list.len() as u32, Rc::new(it));
        self.list.push(Rc::clone(&it));
        self.ids.insert(it, id);
        id
    }
}

/// What was found out about a pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairFacts {
    /// Which units are enabled: see [`RunExpander::enabled`].
    pub enabled: u32,
    /// How many steps of the model were followed, and how many of the product.
    pub transitions: (u64, u64),
}

/// Orbits that are kept while pairs are expanded: what they lead to is often the same.
const KEPT: u32 = 1 << 16;

impl<'s> RunExpander<'s> {
    /// For a worker with this interrupt among its limits.
    pub fn new(
        system: &'s System,
        query: &'s RunQuery,
        setting: &OrbitSetting<'_>,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let canoniser = (!setting.symmetry.is_trivial()).then(|| {
            let canoniser = Canoniser::new(system, setting.symmetry, setting.exact);
            match setting.weighing {
                Some(weighing) => canoniser.weighing(weighing),
                None => canoniser,
            }
        });
        let threads = Threads::of(NonZeroUsize::MIN);
        let limits = Limits { threads, interrupt: limits.interrupt.clone(), ..Limits::default() };
        let (reduction, storage) = (EdgeReduction::Distinct, EdgeStorage::Recomputed);
        let mut quotient = Quotient::new(system, canoniser, reduction, storage, &limits)?;
        let query = query.borrowed();
        quotient.set_opaque(opaque_sorts(system, query.fair, &query.tracked));
        let product = product(Rc::new(RefCell::new(quotient)), query, None);
        let unit_action = unit_action(&product);
        let units = unit_action.as_ref().map_or(0, UnitAction::len);
        Ok(Self {
            product,
            unit_action,
            alike: Partition::discrete(units),
            joined: Vec::new(),
            transitions: Vec::new(),
            words: Vec::new(),
            labels: Recurring::new(),
            enabled: Recurring::new(),
        })
    }

    /// How many words a pair is. The first of them are the words of a state.
    pub fn width(&self) -> usize {
        self.product.width()
    }

    /// Shows the pairs that runs start in. To be asked for once, before anything else.
    pub fn initial(&mut self, show: &mut dyn FnMut(&[u64])) -> Result<(), Stop> {
        for pair in self.product.initial()? {
            self.words.clear();
            self.product.export(pair, &mut self.words);
            show(&self.words);
        }
        Ok(())
    }

    /// Shows what the steps of a pair lead to, each once, with the label of the edge; none: no accepting
    /// cycle has this edge, because of the automaton.
    pub fn expand(
        &mut self,
        pair: &[u64],
        show: &mut dyn FnMut(&[u64], Option<u32>),
    ) -> Result<PairFacts, Stop> {
        self.product.quotient.forget(KEPT);
        let source = self.product.import(pair)?;
        let before = (self.product.quotient.transitions, self.product.transitions);
        let mut transitions = std::mem::take(&mut self.transitions);
        transitions.clear();
        self.product.expand(source, &mut transitions)?;
        let after = (self.product.quotient.transitions, self.product.transitions);
        let enabled = self.look(source, &transitions);
        transitions.sort_by_key(|transition| transition.target);
        for edges in transitions.chunk_by(|one, other| one.target == other.target) {
            let label = self.label(source, edges);
            self.words.clear();
            self.product.export(edges[0].target, &mut self.words);
            show(&self.words, label);
        }
        self.transitions = transitions;
        Ok(PairFacts { enabled, transitions: (after.0 - before.0, after.1 - before.1) })
    }

    /// Joins the units that the symmetries of a pair and its transitions take to each other. Returns the set
    /// of those that are enabled.
    fn look(&mut self, pair: PairId, transitions: &[Transition]) -> u32 {
        let Some(action) = &self.unit_action else { return self.enabled.number(Box::default()) };
        let leads = self.product.leads(action, pair);
        let lead = |unit: u32| leads.as_ref().map_or(unit, |leads| leads[unit as usize]);
        for unit in 0..action.len() as u32 {
            self.alike.join(unit, lead(unit));
        }
        let mut here = vec![false; action.len()];
        for Transition { executed, annotation, .. } in transitions {
            let units = self.product.quotient.unit_set(*executed).iter();
            units.for_each(|&unit| here[lead(unit) as usize] = true);
            join_images(&mut self.alike, &mut self.joined, action, &self.product.quotient, *annotation);
        }
        let enabled = |&unit: &u32| here[lead(unit) as usize] || action.is_mark(unit);
        self.enabled.number((0..action.len() as u32).filter(enabled).collect())
    }

    /// The label of the edges to one pair.
    fn label(&mut self, source: PairId, edges: &[Transition]) -> Option<u32> {
        let (product, target) = (&self.product, edges[0].target);
        let useful = product.is_useful(source) && product.is_useful(target);
        if !useful || !product.may_be_joined(source, target) {
            return None;
        }
        let executed = edges.iter().flat_map(|edge| product.quotient.unit_set(edge.executed));
        let mut units: Vec<u32> = executed.copied().collect();
        units.sort_unstable();
        units.dedup();
        let marks = edges.iter().fold(0, |marks, edge| marks | edge.marks.0);
        Some(self.labels.number((marks, units.into())))
    }

    /// The marks of an edge with a label, and whom it executes.
    pub fn labels(&self) -> impl Iterator<Item = (u64, &[u32])> {
        self.labels.list.iter().map(|label| (label.0, &*label.1))
    }

    /// The sets of units that are enabled in pairs.
    pub fn enabled(&self) -> impl Iterator<Item = &[u32]> {
        self.enabled.list.iter().map(|set| &***set)
    }

    /// The marks that every accepting cycle has.
    pub fn marks(&self) -> u64 {
        self.product.all_marks().0
    }

    /// For each unit whether it is strongly fair.
    pub fn strong(&self) -> Vec<bool> {
        let units = 0..self.alike.degree() as u32;
        units.map(|unit| self.unit_action.as_ref().is_some_and(|action| action.is_strong(unit))).collect()
    }

    /// For each unit the least one that is in its class, as far as this worker knows.
    pub fn alike(&self) -> Vec<u32> {
        (0..self.alike.degree() as u32).map(|unit| self.alike.representative(unit)).collect()
    }

    /// Whether a step faulted.
    pub fn faulted(&self) -> bool {
        self.product.quotient.faulted
    }

    /// If a state was too hard to bring into order: how much work was spent on it.
    pub fn too_hard(&self) -> Option<u64> {
        self.product.quotient.too_hard()
    }

    /// Bytes of what is kept while pairs are expanded.
    pub fn bytes(&self) -> u64 {
        self.product.quotient.bytes()
    }
}

/// Joins the units that an annotation takes to each other, once.
fn join_images(
    alike: &mut Partition,
    joined: &mut Vec<bool>,
    action: &UnitAction<'_>,
    quotient: &IndexedQuotient<'_>,
    annotation: AnnotationId,
) {
    let at = annotation.0 as usize;
    if joined.len() <= at {
        joined.resize((at + 1).max(joined.len() * 5 / 4), false);
    }
    if !std::mem::replace(&mut joined[at], true)
        && let Some(images) = action.images_of(quotient, annotation)
    {
        (0..).zip(&*images).for_each(|(unit, &image)| _ = alike.join(unit, image));
    }
}

/// The product for a question, with the symmetries of single states.
pub(super) fn product<'s>(
    quotient: Rc<RefCell<Quotient<'s>>>,
    query: EmptinessQuery<'s>,
    memory: Option<u64>,
) -> Product<'s> {
    let EmptinessQuery { tracked, atoms, automaton, local, fair } = query;
    let system = quotient.borrow().system();
    let local = local.map(Rc::new);
    let automaton = local.as_ref().map_or(automaton, |local| local.automaton().clone());
    let units = (fair && !system.fairness.is_empty()).then(|| Units::new(system));
    let indexed = IndexedQuotient::new(quotient, tracked, atoms, units, true, memory, local.as_deref());
    Product::new(indexed, automaton, local)
}
