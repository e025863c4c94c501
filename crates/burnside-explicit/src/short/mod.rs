//! Makes the lasso that a search has found shorter, on original states.
//!
//! Entry point: [`shorten`]. What a search on orbits closes first is a proof, but seldom a good explanation:
//! it goes around until everybody had a turn and every permutation came home. Here the product of original
//! states (`states`) with the automaton is built around the initial states (`ball`), as far as runs shorter
//! than the known one go, and in its fair parts short closed walks are looked for (`closed`), from the
//! nearest pairs first. If that is too much work, the same is done around the place where the known loop
//! begins. Work is counted, not timed, so the result is always the same.
//!
//! Nothing here decides a verdict: what is found is replayed, and the known run is kept if that fails.

mod ball;
mod closed;
mod states;

use crate::ltl::EmptinessQuery;
use ball::{Ball, Reader};
use burnside_limits::catch;
use burnside_logic::{Marks, StateId};
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Binder, SortGroup, Symmetry, System, Type};
use closed::{ClosedWalk, fair_parts};
use states::{LabelNumber, OriginalGraph, StateNumber};

/// Values of the names in front that are tried, at most.
const MOST_TUPLES: usize = 64;

/// How much more may be done.
#[derive(Debug)]
pub(crate) struct Work {
    left: u64,
}

impl Work {
    /// So many moves of the product.
    pub fn new(moves: u64) -> Self {
        Self { left: moves }
    }

    /// Takes some of it; false if there is not enough.
    fn spend(&mut self, moves: u64) -> bool {
        let left = self.left.checked_sub(moves);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// A run as short as the known one or shorter that shows the same: an original fair run that the automaton
/// of the query accepts for some values of its tracked names. Values that the symmetry makes alike are tried
/// once.
pub(crate) fn shorten<'s>(
    system: &'s System,
    query: &EmptinessQuery<'s>,
    symmetry: &Symmetry,
    known: Evidence,
    work: u64,
    is_right: impl Fn(&Evidence) -> bool,
) -> Evidence {
    let known = without_repetition(known);
    let found = catch(|| {
        let mut search =
            ShortLasso { graph: OriginalGraph::new(system, query.fair), query, known: &known, best: None };
        search.run(&tuples(system, query, symmetry), work);
        search.shortest()
    });
    match found {
        Ok(Some(better)) if is_right(&better) => better,
        _ => known,
    }
}

struct ShortLasso<'q, 's> {
    graph: OriginalGraph<'s>,
    query: &'q EmptinessQuery<'s>,
    known: &'q Evidence,
    best: Option<Evidence>,
}

impl<'s> ShortLasso<'_, 's> {
    /// Runs must have less steps than this.
    fn most(&self) -> u32 {
        let known = self.known.steps.len() + 1;
        self.best.as_ref().map_or(known, |best| best.steps.len()).try_into().unwrap_or(u32::MAX)
    }

    fn run(&mut self, tuples: &[Vec<u64>], work: u64) {
        let Some(initial) = self.graph.initial(&mut Work::new(work)) else { return };
        for tuple in tuples {
            let tracked = self.query.tracked.iter().copied().zip(tuple.iter().copied()).collect();
            let mut reader = Reader::new(&self.query.automaton, &self.query.atoms, tracked);
            let mut work = Work::new(work / tuples.len() as u64);
            let states = &self.query.automaton.initial;
            let sources: Vec<_> =
                initial.iter().flat_map(|&state| states.iter().map(move |&it| (state, it))).collect();
            // A run that is found nearby bounds how far there is to look.
            let mut radius = FIRST_RADIUS;
            let is_cut = loop {
                let is_cut = self.around(&mut reader, sources.clone(), (0, radius), &mut work);
                if is_cut || radius >= self.most() {
                    break is_cut;
                }
                radius = radius.saturating_mul(2);
            };
            if is_cut && self.best.is_none() {
                self.around_known(&mut reader, &mut work);
            }
        }
    }

    /// Looks around the place where the known loop begins.
    fn around_known(&mut self, reader: &mut Reader<'_, 's>, work: &mut Work) {
        let End::Loop(start) = self.known.end else { return };
        let mut at: Vec<StateId> = self.query.automaton.initial.clone();
        for state in &self.known.states[..start] {
            let number = self.graph.number(state);
            let Some(read) = reader.read(&mut self.graph, number) else { return };
            at = at.iter().flat_map(|state| read[state.index()].iter().map(|edge| edge.target)).collect();
            at.sort_unstable();
            at.dedup();
        }
        let number = self.graph.number(&self.known.states[start]);
        let sources = at.into_iter().map(|state| (number, state)).collect();
        // The first search has spent what there was.
        *work = Work::new(AROUND_KNOWN);
        self.around(reader, sources, (start, u32::MAX), work);
    }

    /// Looks for short lassos around pairs that the first states of the known run lead to, among the pairs
    /// that runs shorter than the radius meet. The result is whether not all of these could be looked at.
    fn around(
        &mut self,
        reader: &mut Reader<'_, 's>,
        sources: Vec<(StateNumber, StateId)>,
        (stem, radius): (usize, u32),
        work: &mut Work,
    ) -> bool {
        let mut half = Work::new(work.left / 2);
        let most = self.most().min(radius);
        let ball = Ball::around(&mut self.graph, reader, sources, stem as u32, most, &mut half);
        let mut walks = Work::new(work.left / 2 + half.left);
        if let Some(dead) = ball.dead
            && ball.nodes[dead as usize].depth < self.most()
        {
            self.best = Some(self.evidence(&ball, stem, dead, None));
        }
        self.close(&ball, stem, &mut walks);
        work.left = walks.left;
        ball.is_cut
    }

    /// Looks for short closed walks in a ball.
    fn close(&mut self, ball: &Ball, stem: usize, work: &mut Work) {
        let marks = Marks::all(self.query.automaton.sets);
        let mut found: Vec<(u32, ClosedWalk)> = Vec::new();
        let mut most = self.most();
        let parts = fair_parts(ball, &self.graph, marks);
        let mut roots: Vec<(u32, u32, usize)> = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            roots.extend(part.nodes.iter().map(|&node| (ball.nodes[node as usize].depth, node, i)));
        }
        roots.sort_unstable();
        for (depth, root, part) in roots {
            if depth + 1 >= most || !work.spend(parts[part].nodes.len() as u64) {
                break;
            }
            if let Some(walk) = parts[part].closed_walk(root, most - 1 - depth, work) {
                most = depth + walk.len() as u32;
                found.push((root, walk));
            }
        }
        if let Some((root, walk)) = found.pop() {
            self.best = Some(self.evidence(ball, stem, root, Some(walk)));
        }
    }

    /// The run to a pair, and around a closed walk or staying there.
    fn evidence(&self, ball: &Ball, stem: usize, root: u32, walk: Option<ClosedWalk>) -> Evidence {
        let mut states: Vec<Box<[u64]>> = self.known.states[..stem].to_vec();
        let mut steps: Vec<Step> = self.known.steps[..stem].to_vec();
        let mut push = |state: StateNumber, label: Option<LabelNumber>| {
            states.push((**self.graph.state(state)).into());
            steps.extend(label.map(|label| self.graph.instance(label).step.clone()));
        };
        let (_, way) = ball.way_to(root);
        let start = stem + way.len();
        way.into_iter().for_each(|(state, label)| push(state, Some(label)));
        let end = match walk {
            None => {
                push(ball.nodes[root as usize].state, None);
                End::Stutter
            }
            Some(walk) => {
                walk.iter().for_each(|(node, edge)| push(ball.nodes[*node as usize].state, Some(edge.label)));
                End::Loop(start)
            }
        };
        Evidence { states, steps, end }
    }

    /// The best that was found, unless the known one is as short and changes processes less often.
    fn shortest(mut self) -> Option<Evidence> {
        let best = without_repetition(self.best.take()?);
        let known = (self.known.steps.len(), self.switches(self.known));
        ((best.steps.len(), self.switches(&best)) <= known).then_some(best)
    }

    /// How often another process moves.
    fn switches(&mut self, run: &Evidence) -> usize {
        let label = |step: &Step| self.graph.label(step.clone(), true);
        let labels: Vec<LabelNumber> = run.steps.iter().map(label).collect();
        let executors: Vec<u32> = labels.iter().map(|&label| self.graph.instance(label).executor).collect();
        executors.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }
}

/// So far away it is looked first, then twice as far, and so on.
const FIRST_RADIUS: u32 = 8;
/// What is spent around the place where the known loop begins.
const AROUND_KNOWN: u64 = 500_000;

/// Values of the tracked names, one tuple for all that the symmetry takes to each other, as far as that is
/// seen at once.
fn tuples(system: &System, query: &EmptinessQuery<'_>, symmetry: &Symmetry) -> Vec<Vec<u64>> {
    let mut tuples: Vec<Vec<u64>> = vec![Vec::new()];
    for (i, binder) in query.tracked.iter().enumerate() {
        let size = system.types.size(binder.ty).unwrap_or(0).min(MOST_TUPLES as u64);
        let mut longer = Vec::new();
        for tuple in &tuples {
            let earlier = |value: u64| {
                query.tracked[..i].iter().zip(tuple).any(|(it, &known)| it.ty == binder.ty && known == value)
            };
            let mut fresh = false;
            for value in 0..size {
                // Elements that were not named yet are alike.
                let is_fresh = is_alike(system, symmetry, binder, value) && !earlier(value);
                if !(is_fresh && fresh) {
                    longer.push([&tuple[..], &[value]].concat());
                }
                fresh |= is_fresh;
            }
        }
        longer.truncate(MOST_TUPLES);
        tuples = longer;
    }
    tuples
}

/// Whether the symmetry moves the value of a name freely among all of its type.
fn is_alike(system: &System, symmetry: &Symmetry, binder: &Binder, value: u64) -> bool {
    let Type::Sort(sort) = *system.types.get(binder.ty) else { return false };
    match &symmetry.sorts[sort.index()] {
        SortGroup::Full(blocks) => {
            blocks.len() == 1 && blocks[0].len() as u64 == system.types.size(binder.ty).unwrap_or(0)
        }
        SortGroup::Rotations => value == 0,
        SortGroup::Fixed => false,
    }
}

/// The same run without going around a loop more often than once, and with a loop that begins as early as it
/// can.
fn without_repetition(mut run: Evidence) -> Evidence {
    let End::Loop(mut start) = run.end else { return run };
    let length = run.steps.len() - start;
    let repeats = |period: usize| {
        length.is_multiple_of(period)
            && (start..run.steps.len() - period)
                .all(|i| run.states[i] == run.states[i + period] && run.steps[i] == run.steps[i + period])
    };
    if let Some(period) = (1..length).find(|&period| repeats(period)) {
        run.states.truncate(start + period);
        run.steps.truncate(start + period);
    }
    let same =
        |run: &Evidence, a: usize, b: usize| run.states[a] == run.states[b] && run.steps[a] == run.steps[b];
    while start > 0 && same(&run, start - 1, run.steps.len() - 1) {
        run.states.pop();
        run.steps.pop();
        start -= 1;
    }
    run.end = End::Loop(start);
    run
}
