//! A concrete run out of a fair accepting component: a stem, and a loop of original states that treats every
//! unit fairly.
//!
//! Entry points: [`lift_lasso`], and [`close_loop`] if there is a stem already. The stem is a shortest path
//! to the component among the pairs that were found. From its first pair a closed walk ([`LoopWalk`]) treats
//! every unit fairly and collects every mark. It is closed up to a permutation only: the concrete state may
//! be another one of the orbit. Then a short path on to the first concrete state is looked for, and if there
//! is none near, the walk is repeated until the powers of its permutation come back to the start.

use super::annotation::{Annotation, permutation_of};
use super::product::{ConcretePair, PairId, Product, STUTTER, Transition};
use super::scc::components;
use super::stem::{ConcreteRun, Stem, path_to};
use super::subgraph::Subgraph;
use super::units::UnitAction;
use super::walk::LoopWalk;
use burnside_limits::{Large, Stop};
use burnside_trace::{End, Evidence, Step};
use foldhash::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

/// Loops of more steps are not built.
const MOST_STEPS: usize = 1 << 21;
/// How many concrete steps are tried to find a short end of the loop.
const MOST_TRIES: usize = 100_000;

/// If a first loop has more steps, a better place for it is looked for.
const MANY_STEPS: usize = 20;
/// StepFilter so many pairs around, times units.
const MOST_AROUND: usize = 4_000_000;

/// A lasso through strongly connected pairs that are accepting and fair. Only pairs that `seen` allows are
/// used on the way there.
///
/// The component that was found may be small because many members were alike when it was; then its loop has
/// to give each of them a turn. A loop is shorter where few units wait for one. If the first is long, such a
/// place is looked for in the surroundings.
pub(crate) fn lift_lasso<'s>(
    product: &mut Product<'s>,
    unit_action: Option<&UnitAction<'s>>,
    pairs: Vec<PairId>,
    seen: &dyn Fn(PairId) -> bool,
) -> Result<Evidence, Stop> {
    let component = Subgraph::induced(product, unit_action, pairs)?;
    let starts = product.initial()?.into_iter().map(|pair| (pair, product.start(pair))).collect();
    let stem = Stem::to(product, starts, &component, seen)?;
    lift_behind(product, unit_action, component, stem)
}

/// The same with a path from an initial pair to one of these, which is known.
pub(crate) fn lift_lasso_along<'s>(
    product: &mut Product<'s>,
    unit_action: Option<&UnitAction<'s>>,
    pairs: Vec<PairId>,
    path: &[PairId],
) -> Result<Evidence, Stop> {
    let Some(stem) = Stem::along(product, path)? else {
        return lift_lasso(product, unit_action, pairs, &|_| true);
    };
    let component = Subgraph::induced(product, unit_action, pairs)?;
    lift_behind(product, unit_action, component, stem)
}

/// A lasso with a stem to a component.
fn lift_behind<'s>(
    product: &mut Product<'s>,
    unit_action: Option<&UnitAction<'s>>,
    component: Subgraph,
    stem: Stem,
) -> Result<Evidence, Stop> {
    let first = close_loop(product, unit_action, &component, stem.clone())?;
    let Some(unit_action) = unit_action.filter(|_| first.steps.len() - stem.run.steps.len() > MANY_STEPS)
    else {
        return Ok(first);
    };
    let Some((calm, stem)) = surroundings(product, unit_action, stem)? else { return Ok(first) };
    let second = close_loop(product, Some(unit_action), &calm, stem)?;
    Ok(if second.steps.len() < first.steps.len() { second } else { first })
}

/// A fair component near the end of a stem in which few units are enabled, and the stem extended to it.
///
/// Looks first at what follows pairs in which few units are enabled.
fn surroundings<'s>(
    product: &mut Product<'s>,
    unit_action: &UnitAction<'s>,
    mut stem: Stem,
) -> Result<Option<(Subgraph, Stem)>, Stop> {
    let mut from: HashMap<PairId, Option<(PairId, Transition)>> = HashMap::from_iter([(stem.pair, None)]);
    let mut open = BinaryHeap::from([Reverse((0, Reverse(0), stem.pair))]);
    let mut places: HashMap<PairId, usize> = HashMap::default();
    let mut around: Vec<(usize, PairId, Vec<PairId>)> = Vec::new();
    let mut transitions = Vec::new();
    while around.len() * unit_action.len() < MOST_AROUND {
        let Some(Reverse((_, _, pair))) = open.pop() else { break };
        product.expand(pair, &mut transitions)?;
        let leads = match product.leads(unit_action, pair) {
            Some(leads) => leads,
            None => unit_action.leads(None).into(),
        };
        let executed =
            |it: &Transition| product.quotient.unit_set(it.executed).iter().map(|&unit| leads[unit as usize]);
        let enabled: HashSet<u32> = transitions.iter().flat_map(executed).collect();
        let enabled = leads.iter().filter(|lead| enabled.contains(lead)).count();
        places.insert(pair, around.len());
        around.push((enabled, pair, transitions.iter().map(|transition| transition.target).collect()));
        for transition in transitions.drain(..) {
            if let Entry::Vacant(vacant) = from.entry(transition.target) {
                open.push(Reverse((enabled, Reverse(around.len()), transition.target)));
                vacant.insert(Some((pair, transition)));
            }
        }
    }
    let targets = |node: usize, out: &mut Vec<usize>| {
        out.extend(around[node].2.iter().filter_map(|target| places.get(target)));
    };
    let mut parts = components(around.len(), targets);
    parts.retain(|part| part.len() > 1);
    parts.sort_by_key(|part| part.iter().map(|&node| around[node].0).min());
    for part in parts.into_iter().take(3) {
        let calm = part.iter().copied().min_by_key(|&node| around[node].0).expect("not empty");
        let component =
            Subgraph::induced(product, Some(unit_action), part.iter().map(|&node| around[node].1).collect())?;
        if component.is_fair(product, unit_action) {
            stem.extend(product, path_to(around[calm].1, &mut from))?;
            return Ok(Some((component, stem)));
        }
    }
    Ok(None)
}

/// A lasso whose loop starts where a stem ends, in a component that is accepting and fair.
pub(crate) fn close_loop<'s>(
    product: &mut Product<'s>,
    unit_action: Option<&UnitAction<'s>>,
    component: &Subgraph,
    stem: Stem,
) -> Result<Evidence, Stop> {
    let Stem { pair, annotation: start, mut run } = stem;
    let root = component.pairs.iter().position(|&it| it == pair).expect("the stem leads to the component");
    if component.edges[root].iter().any(|edge| edge.successor == STUTTER) {
        run.states.push(run.concrete(product, component.pairs[root], &start));
        return Ok(Evidence { states: run.states, steps: run.steps, end: End::Stutter });
    }
    let loop_start = run.states.len();
    let mut walk = LoopWalk::new(product, unit_action, component, root, start.clone());
    walk.collect_units();
    walk.collect_marks();
    walk.return_to(root);
    let walk = walk.steps;
    let pair = component.pairs[root];
    let place = |run: &ConcreteRun, product: &Product<'s>, annotation: &Option<Rc<Annotation>>| {
        product.concrete_pair(pair, permutation_of(annotation), run.concrete(product, pair, annotation))
    };
    let target = place(&run, product, &start);
    let tuple = product.moved_tuple(pair, permutation_of(&start));
    let (mut annotation, mut looked) = (start, false);
    loop {
        annotation = run.walk(product, component, &walk, annotation)?;
        let here = place(&run, product, &annotation);
        if here == target {
            break;
        }
        if run.steps.len() > MOST_STEPS {
            return Err(Stop::TooLarge(Large::Run));
        }
        if !looked {
            looked = true;
            if let Some((states, steps)) = shortcut(product, component, here, &target, &tuple)? {
                run.states.extend(states);
                run.steps.extend(steps);
                break;
            }
        }
    }
    Ok(Evidence { states: run.states, steps: run.steps, end: End::Loop(loop_start) })
}

/// States and the steps from them.
type ConcretePath = (Vec<Box<[u64]>>, Vec<Step>);

/// A path through concrete states of a component, if one is near.
fn shortcut(
    product: &mut Product<'_>,
    component: &Subgraph,
    from: ConcretePair,
    goal: &ConcretePair,
    tuple: &[u64],
) -> Result<Option<ConcretePath>, Stop> {
    let inside: HashSet<PairId> = component.pairs.iter().copied().collect();
    let mut parents: HashMap<ConcretePair, Option<(ConcretePair, Step)>> =
        HashMap::from_iter([(from.clone(), None)]);
    let mut queue = VecDeque::from([from]);
    let mut tries = 0;
    while let Some(pair) = queue.pop_front() {
        for (step, key) in product.concrete_successors(&pair, tuple)? {
            tries += 1;
            if !inside.contains(&key.pair) || parents.contains_key(&key) {
                continue;
            }
            let done = key == *goal;
            parents.insert(key.clone(), Some((pair.clone(), step)));
            if done {
                let (mut states, mut steps, mut at) = (Vec::new(), Vec::new(), key);
                while let Some(Some((before, step))) = parents.remove(&at) {
                    states.push(before.state.clone());
                    steps.push(step);
                    at = before;
                }
                states.reverse();
                steps.reverse();
                return Ok(Some((states, steps)));
            }
            queue.push_back(key);
        }
        if tries > MOST_TRIES {
            break;
        }
    }
    Ok(None)
}
