//! The on-the-fly search for a fair accepting run: depth first over the product, with a stack of components
//! that grow together.
//!
//! Entry point: [`search`]. Every pair on the stack has an annotation from its names to those of the root of
//! the search. A component on the stack knows its acceptance marks and, once it has a cycle, its
//! [`FairnessClasses`]; an edge back into the stack melts components together, and the search ends as soon as
//! one is accepting and fair. One that closes without being so is dropped, unless strongly fair units starve
//! in it: then its parts are looked at ([`Subgraph`]). Follows Gyuris and Sistla, with a stack of roots in
//! place of numbers handed upwards, so that a violation is seen at the edge that closes it. No recursion:
//! memory for a pair that is no longer on the stack is 4 bytes.
//!
//! A cycle of pairs is one of the automaton's states. Pairs whose state is on no cycle with all marks are
//! looked at once and never put on the stack, and annotations begin anew where a run enters another component
//! of the automaton.
//!
//! Order decides how early a violation is seen: edges back to the stack first, then pairs near acceptance,
//! then those in which the same atoms are true, then states with many members alike: a cycle is more likely
//! to close there than after everybody has made a step.

use super::AcceptingComponent;
use crate::fair::Meter;
use crate::fair::UnitSetId;
use crate::fair::{AnnotationId, Subgraph};
use crate::fair::{FairnessClasses, FairnessVerdict, UnitAction};
use crate::fair::{PairId, Product, Rank, Transition};
use burnside_limits::{Large, Stop};
use burnside_logic::Marks;

/// Looks for a strongly connected set of pairs that is accepting and fair, among those that are inside and
/// can be reached from some.
pub(crate) fn search<'s>(
    product: &mut Product<'s>,
    unit_action: Option<&UnitAction<'s>>,
    meter: &mut Meter<'_>,
    starts: Vec<PairId>,
    inside: &dyn Fn(PairId) -> bool,
) -> Result<Option<AcceptingComponent>, Stop> {
    let mut search = OnTheFly {
        all: product.all_marks(),
        product,
        unit_action,
        meter,
        status: Vec::new(),
        stack: Vec::new(),
        frames: Vec::new(),
        edges: Vec::new(),
        roots: Vec::new(),
        above: Vec::new(),
        spare: Vec::new(),
        pairs: 0,
        outside: 0,
        inside,
        keyed: Vec::new(),
    };
    let found = search.run(starts)?;
    let status = search.status;
    Ok(found.map(|pairs| AcceptingComponent { pairs, seen: Some(status) }))
}

/// A pair on the stack.
#[derive(Clone, Copy)]
struct StackEntry {
    pair: PairId,
    /// Its names to those of the root of the search.
    annotation: AnnotationId,
}

/// A pair on the path of the search. Its transitions lie between those of its neighbours.
struct PathFrame {
    /// Where it is on the stack; [`OUTSIDE`] if it is not.
    at: usize,
    first: usize,
    next: usize,
}

/// No accepting cycle goes through the pair.
const OUTSIDE: usize = usize::MAX;

/// A component, as far as it is known.
struct Root {
    /// Where its pairs begin on the stack.
    at: usize,
    /// The frame of its first pair.
    frame: usize,
    /// The edge that leads into it: marks, whom it executes, from where on the stack.
    entered: Option<(Marks, UnitSetId, usize)>,
    /// Marks of its inner edges.
    marks: Marks,
    /// Whether it has an inner edge.
    cyclic: bool,
    /// Its fairness, if that counts and there is more than one pair or an inner edge.
    fairness: Option<FairnessClasses>,
}

struct OnTheFly<'r, 's, 'm> {
    product: &'r mut Product<'s>,
    unit_action: Option<&'r UnitAction<'s>>,
    meter: &'r mut Meter<'m>,
    all: Marks,
    /// For each pair: new, done, or where it is on the stack.
    status: Vec<u32>,
    stack: Vec<StackEntry>,
    frames: Vec<PathFrame>,
    edges: Vec<Transition>,
    roots: Vec<Root>,
    /// Components that melt together.
    above: Vec<Root>,
    /// Those of components that are done, to be used again.
    spare: Vec<FairnessClasses>,
    pairs: u64,
    /// How many pairs on the path are not on the stack.
    outside: u64,
    /// Which pairs may be entered.
    inside: &'r dyn Fn(PairId) -> bool,
    /// Transitions while they are sorted.
    keyed: Vec<(Key, Transition)>,
}

/// What transitions are sorted by: on the stack, new or done; near acceptance or not; members alike or not.
type Key = (u8, Rank, u64);
const LAST: Rank = (0, 0, false);

const NEW: u32 = 0;
const DONE: u32 = 1;
const FIRST: u32 = 2;

impl OnTheFly<'_, '_, '_> {
    fn run(&mut self, starts: Vec<PairId>) -> Result<Option<Vec<PairId>>, Stop> {
        for start in starts {
            if self.status(start) != NEW {
                continue;
            }
            self.enter(start, AnnotationId::IDENTITY, None)?;
            while let Some(frame) = self.frames.last_mut() {
                let found = if frame.next < self.edges.len() {
                    frame.next += 1;
                    let at = frame.next - 1;
                    self.follow(at)?
                } else {
                    self.leave()?
                };
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    fn status(&self, pair: PairId) -> u32 {
        self.status.get(pair.index()).copied().unwrap_or(NEW)
    }

    fn enter(
        &mut self,
        pair: PairId,
        annotation: AnnotationId,
        entered: Option<(Marks, UnitSetId, usize)>,
    ) -> Result<(), Stop> {
        let at = if self.product.is_useful(pair) { self.stack.len() } else { OUTSIDE };
        if self.status.len() <= pair.index() {
            self.status.resize((pair.index() + 1).max(self.status.len() * 5 / 4), NEW);
        }
        self.status[pair.index()] = match at {
            OUTSIDE => DONE,
            at => u32::try_from(at).map_err(|_| Stop::TooLarge(Large::Depth))? + FIRST,
        };
        self.pairs += 1;
        self.outside += u64::from(at == OUTSIDE);
        let tables =
            self.status.len() * 4 + self.stack.len() * 16 + self.edges.len() * size_of::<Transition>();
        let open = self.stack.len() as u64 + self.outside;
        self.meter.look(self.product, self.pairs, open, tables as u64)?;
        let first = self.edges.len();
        self.product.expand(pair, &mut self.edges)?;
        self.order(pair, first)?;
        if at != OUTSIDE {
            let frame = self.frames.len();
            self.roots.push(Root { at, frame, entered, marks: Marks(0), cyclic: false, fairness: None });
            self.stack.push(StackEntry { pair, annotation });
        }
        self.frames.push(PathFrame { at, first, next: first });
        Ok(())
    }

    /// Sorts the transitions from `first` on by how soon they promise a violation.
    fn order(&mut self, pair: PairId, first: usize) -> Result<(), Stop> {
        if self.edges.len() - first < 2 {
            return Ok(());
        }
        let mut keyed = std::mem::take(&mut self.keyed);
        let mut last: Option<(PairId, Key)> = None;
        for edge in self.edges.drain(first..) {
            let key = match last {
                Some((same, key)) if same == edge.target => key,
                _ => match self.status.get(edge.target.index()).copied().unwrap_or(NEW) {
                    DONE => (2, LAST, 0),
                    NEW => {
                        let alike = self.product.alike(edge.target);
                        (1, self.product.rank(edge.target, pair)?, u64::MAX - alike)
                    }
                    _ => (0, LAST, 0),
                },
            };
            last = Some((edge.target, key));
            keyed.push((key, edge));
        }
        keyed.sort_by_key(|(key, _)| *key);
        self.edges.extend(keyed.drain(..).map(|(_, edge)| edge));
        self.keyed = keyed;
        Ok(())
    }

    fn follow(&mut self, edge: usize) -> Result<Option<Vec<PairId>>, Stop> {
        let Transition { target, executed, marks, annotation, .. } = self.edges[edge];
        let source = self.frames.last().expect("an edge has a source").at;
        match self.status(target) {
            DONE => Ok(None),
            NEW if !(self.inside)(target) => Ok(None),
            NEW => {
                let joined = source != OUTSIDE && self.product.may_be_joined(self.stack[source].pair, target);
                let (annotation, entered) = match joined {
                    true => {
                        let annotation =
                            self.product.quotient.compose(self.stack[source].annotation, annotation);
                        (annotation, Some((marks, executed, source)))
                    }
                    false => (AnnotationId::IDENTITY, None),
                };
                self.enter(target, annotation, entered)?;
                Ok(None)
            }
            at => {
                let there = self.product.quotient.compose(self.stack[source].annotation, annotation);
                Ok(self.close_cycle((at - FIRST) as usize, source, there, marks, executed))
            }
        }
    }

    /// An edge leads back to a pair on the stack: the components from there on become one.
    fn close_cycle(
        &mut self,
        target: usize,
        source: usize,
        there: AnnotationId,
        marks: Marks,
        executed: UnitSetId,
    ) -> Option<Vec<PairId>> {
        let mut above = std::mem::take(&mut self.above);
        let mut root = loop {
            let root = self.roots.pop().expect("the target is in some component");
            if root.at <= target {
                break root;
            }
            above.push(root);
        };
        self.start_fairness(&mut root);
        for mut part in above.drain(..) {
            let (entered, by, from) = part.entered.expect("only the first pair was not entered");
            root.marks = root.marks.union(part.marks).union(entered);
            if let Some(fairness) = &mut root.fairness {
                match &part.fairness {
                    Some(more) => fairness.merge(more),
                    None => self.add_single(fairness, &part),
                }
                self.execute(fairness, by, from);
            }
            self.spare.extend(part.fairness.take());
        }
        self.above = above;
        root.cyclic = true;
        root.marks = root.marks.union(marks);
        if let (Some(fairness), Some(unit_action)) = (&mut root.fairness, self.unit_action) {
            self.execute(fairness, executed, source);
            let back = self.stack[target].annotation;
            if there != back {
                let images = |id| unit_action.images_of(&self.product.quotient, id);
                fairness.add_cycle(images(there).as_deref(), images(back).as_deref());
            }
        }
        let good = root.marks == self.all
            && self.unit_action.is_none_or(|unit_action| {
                root.fairness
                    .as_ref()
                    .is_some_and(|fairness| fairness.verdict(unit_action) == FairnessVerdict::Fair)
            });
        let found = good.then(|| self.stack[root.at..].iter().map(|entry| entry.pair).collect());
        self.roots.push(root);
        found
    }

    /// Begins to count for a component, if fairness counts.
    fn start_fairness(&mut self, root: &mut Root) {
        if let (None, Some(unit_action)) = (&root.fairness, self.unit_action) {
            let mut fairness = self.spare.pop().unwrap_or_else(|| FairnessClasses::new(unit_action));
            fairness.clear();
            self.add_single(&mut fairness, root);
            root.fairness = Some(fairness);
        }
    }

    /// Adds a component that is a single pair, still on the path with all its transitions.
    fn add_single(&mut self, fairness: &mut FairnessClasses, root: &Root) {
        let Some(unit_action) = self.unit_action else { return };
        let StackEntry { pair, annotation } = self.stack[root.at];
        let end = self.frames.get(root.frame + 1).map_or(self.edges.len(), |frame| frame.first);
        let leads = self.product.leads(unit_action, pair);
        let images = unit_action.images_of(&self.product.quotient, annotation);
        let edges = &self.edges[self.frames[root.frame].first..end];
        let enabled =
            edges.iter().flat_map(|edge| self.product.quotient.unit_set(edge.executed).iter().copied());
        fairness.add_node(unit_action, images.as_deref(), leads.as_deref(), enabled);
    }

    /// A step from somewhere on the stack executes units.
    fn execute(&self, fairness: &mut FairnessClasses, executed: UnitSetId, from: usize) {
        let Some(unit_action) = self.unit_action else { return };
        let images = unit_action.images_of(&self.product.quotient, self.stack[from].annotation);
        for &unit in self.product.quotient.unit_set(executed) {
            fairness.execute(images.as_ref().map_or(unit, |images| images[unit as usize]));
        }
    }

    /// All edges of the topmost frame were followed.
    fn leave(&mut self) -> Result<Option<Vec<PairId>>, Stop> {
        let frame = self.frames.pop().expect("there is one");
        self.edges.truncate(frame.first);
        if frame.at == OUTSIDE {
            self.outside -= 1;
            return Ok(None);
        }
        if self.roots.last().is_none_or(|root| root.at != frame.at) {
            return Ok(None);
        }
        let mut root = self.roots.pop().expect("looked at");
        let starving = root.cyclic
            && root.marks == self.all
            && match (&root.fairness, self.unit_action) {
                (Some(fairness), Some(unit_action)) => {
                    matches!(fairness.verdict(unit_action), FairnessVerdict::Starved(_))
                        && self.stack.len() - root.at > 1
                }
                _ => false,
            };
        self.spare.extend(root.fairness.take());
        for entry in &self.stack[root.at..] {
            self.status[entry.pair.index()] = DONE;
        }
        if !starving {
            self.stack.truncate(root.at);
            return Ok(None);
        }
        let pairs: Vec<PairId> = self.stack.drain(root.at..).map(|entry| entry.pair).collect();
        let component = Subgraph::induced(self.product, self.unit_action, pairs)?;
        let nodes = (0..component.pairs.len()).collect();
        let found = component.fair_component(self.product, self.unit_action, nodes);
        Ok(found.map(|part| part.into_iter().map(|node| component.pairs[node]).collect()))
    }
}
