//! The older method, kept as a baseline and as a second opinion: the whole product first, then each component
//! unfolded for every unit.
//!
//! Entry point: [`search`]. The *threaded graph* of a component has a node `(u,
//! i)` for each of its pairs and each unit; an edge of the component with permutation `τ` leads from
//! `(u, τ(i))` to `(v, i)`. A connected part of it follows one unit around. No symmetry of single states is
//! used: every step of every representative is followed, and every tuple of tracked elements. Follows Emerson
//! and Sistla.

use super::AcceptingComponent;
use crate::fair::Meter;
use crate::fair::Subgraph;
use crate::fair::UnitAction;
use crate::fair::components;
use crate::fair::{PairId, Product, Transition};
use burnside_limits::Stop;
use burnside_logic::Marks;
use burnside_perm::Partition;
use foldhash::HashMap;

/// Looks for a strongly connected set of pairs that is accepting and fair.
pub(super) fn search(
    product: &mut Product<'_>,
    unit_action: Option<&UnitAction<'_>>,
    meter: &mut Meter<'_>,
) -> Result<Option<AcceptingComponent>, Stop> {
    let pairs = reachable(product, meter)?;
    let whole = Subgraph::induced(product, unit_action, pairs)?;
    meter.bytes = meter.bytes.max(product.quotient.bytes() + whole.bytes() as u64);
    let targets = |node: usize, out: &mut Vec<usize>| {
        out.extend(whole.edges[node].iter().map(|edge| edge.target));
    };
    let mut open = components(whole.pairs.len(), targets);
    while let Some(part) = open.pop() {
        let places: HashMap<usize, usize> = part.iter().enumerate().map(|(i, &node)| (node, i)).collect();
        let threaded = Threaded { whole: &whole, part: &part, places: &places };
        if !threaded.is_accepting(product) {
            continue;
        }
        let Some(unit_action) = unit_action else { return Ok(Some(accepting(&whole, &part))) };
        match threaded.starving(product, unit_action) {
            Starving::Nobody => return Ok(Some(accepting(&whole, &part))),
            Starving::Weak => {}
            Starving::Strong(nodes) => {
                let rest: Vec<usize> =
                    part.iter().copied().zip(nodes).filter(|(_, bad)| !bad).map(|(node, _)| node).collect();
                let places: HashMap<usize, usize> =
                    rest.iter().enumerate().map(|(i, &node)| (node, i)).collect();
                let inside = |node: usize, out: &mut Vec<usize>| {
                    let targets = whole.edges[rest[node]].iter();
                    out.extend(targets.filter_map(|edge| places.get(&edge.target).copied()));
                };
                let smaller = components(rest.len(), inside);
                open.extend(smaller.into_iter().map(|part| part.into_iter().map(|i| rest[i]).collect()));
            }
        }
    }
    Ok(None)
}

fn accepting(whole: &Subgraph, part: &[usize]) -> AcceptingComponent {
    AcceptingComponent { pairs: part.iter().map(|&node| whole.pairs[node]).collect(), seen: None }
}

/// All pairs.
fn reachable(product: &mut Product<'_>, meter: &mut Meter<'_>) -> Result<Vec<PairId>, Stop> {
    let mut seen: HashMap<PairId, ()> = HashMap::default();
    let mut pairs: Vec<PairId> = Vec::new();
    for pair in product.initial()? {
        if seen.insert(pair, ()).is_none() {
            pairs.push(pair);
        }
    }
    let mut transitions: Vec<Transition> = Vec::new();
    let mut next = 0;
    while let Some(&pair) = pairs.get(next) {
        next += 1;
        transitions.clear();
        product.expand(pair, &mut transitions)?;
        for transition in &transitions {
            if seen.insert(transition.target, ()).is_none() {
                pairs.push(transition.target);
            }
        }
        meter.look(product, pairs.len() as u64, (pairs.len() - next) as u64, pairs.len() as u64 * 32)?;
    }
    meter.pairs = pairs.len() as u64;
    Ok(pairs)
}

/// A component and all its threads.
struct Threaded<'c> {
    whole: &'c Subgraph,
    part: &'c [usize],
    places: &'c HashMap<usize, usize>,
}

/// Who is treated unfairly.
enum Starving {
    Nobody,
    /// A weakly fair unit.
    Weak,
    /// Strongly fair units only; for each node whether it enables one of them.
    Strong(Vec<bool>),
}

impl Threaded<'_> {
    /// Whether it has a cycle with all marks.
    fn is_accepting(&self, product: &Product<'_>) -> bool {
        let mut any = false;
        let mut marks = Marks(0);
        for &node in self.part {
            for edge in &self.whole.edges[node] {
                if self.places.contains_key(&edge.target) {
                    any = true;
                    marks = marks.union(edge.marks);
                }
            }
        }
        any && marks == product.all_marks()
    }

    fn starving(&self, product: &Product<'_>, unit_action: &UnitAction<'_>) -> Starving {
        let units = unit_action.len();
        let at = |place: usize, unit: u32| (place * units + unit as usize) as u32;
        let mut threads = Partition::discrete(self.part.len() * units);
        for (i, &node) in self.part.iter().enumerate() {
            for edge in &self.whole.edges[node] {
                let Some(&target) = self.places.get(&edge.target) else { continue };
                let annotation = product.quotient.annotation_of(edge.annotation);
                for (unit, image) in unit_action.images(annotation.as_deref()).into_iter().enumerate() {
                    threads.join(at(i, image), at(target, unit as u32));
                }
            }
        }
        let (mut executed, mut enabled, mut disabled) =
            (vec![false; threads.degree()], vec![false; threads.degree()], vec![false; threads.degree()]);
        let mut here = vec![vec![false; units]; self.part.len()];
        for (i, &node) in self.part.iter().enumerate() {
            self.whole.enabled(product, node).for_each(|unit| here[i][unit as usize] = true);
            for unit in 0..units as u32 {
                let thread = threads.find(at(i, unit)) as usize;
                let is_enabled = here[i][unit as usize] || unit_action.is_mark(unit);
                if is_enabled { enabled[thread] = true } else { disabled[thread] = true }
            }
            for edge in self.whole.edges[node].iter().filter(|edge| self.places.contains_key(&edge.target)) {
                for &unit in product.quotient.unit_set(edge.executed) {
                    executed[threads.find(at(i, unit)) as usize] = true;
                }
            }
        }
        let mut bad = vec![false; self.part.len()];
        for i in 0..self.part.len() {
            for unit in 0..units as u32 {
                let thread = threads.find(at(i, unit)) as usize;
                match unit_action.is_strong(unit) {
                    _ if executed[thread] => {}
                    false if !disabled[thread] => return Starving::Weak,
                    true if enabled[thread] && here[i][unit as usize] => bad[i] = true,
                    _ => {}
                }
            }
        }
        if bad.contains(&true) { Starving::Strong(bad) } else { Starving::Nobody }
    }
}
