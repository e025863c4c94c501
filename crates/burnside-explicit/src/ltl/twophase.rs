//! The older method, kept as a baseline and as a second opinion: the whole product first, then each component unfolded for every unit.
//!
//! Entry point: [`search`]. The *threaded graph* of a component has a node `(u, i)` for each of its pairs and each unit; an edge of the
//! component with motion `τ` leads from `(u, τ(i))` to `(v, i)`. A connected part of it follows one unit around. No symmetry of single states is
//! used: every step of every representative is followed, and every tuple of tracked elements. Follows Emerson and Sistla.

use super::Found;
use crate::fair::Component;
use crate::fair::Naming;
use crate::fair::components;
use crate::fair::{Halted, Meter};
use crate::fair::{PairId, Product, Transition};
use burnside_logic::Marks;
use burnside_perm::Partition;
use foldhash::HashMap;

/// Looks for a strongly connected set of pairs that is accepting and fair.
pub(super) fn search(
    product: &mut Product<'_>,
    naming: Option<&Naming<'_>>,
    meter: &mut Meter<'_>,
) -> Result<Option<Found>, Halted> {
    let pairs = reachable(product, meter)?;
    let whole = Component::of(product, pairs)?;
    meter.bytes = meter.bytes.max(product.indexed.bytes() + whole.bytes() as u64);
    let targets = |node: usize, out: &mut Vec<usize>| {
        out.extend(whole.links[node].iter().map(|link| link.target));
    };
    let mut open = components(whole.pairs.len(), targets);
    while let Some(part) = open.pop() {
        let places: HashMap<usize, usize> = part.iter().enumerate().map(|(i, &node)| (node, i)).collect();
        let threaded = Threaded { whole: &whole, part: &part, places: &places };
        if !threaded.is_accepting(product) {
            continue;
        }
        let Some(naming) = naming else { return Ok(Some(found(&whole, &part))) };
        match threaded.starving(product, naming) {
            Starving::Nobody => return Ok(Some(found(&whole, &part))),
            Starving::Weak => {}
            Starving::Strong(nodes) => {
                let rest: Vec<usize> =
                    part.iter().copied().zip(nodes).filter(|(_, bad)| !bad).map(|(node, _)| node).collect();
                let places: HashMap<usize, usize> =
                    rest.iter().enumerate().map(|(i, &node)| (node, i)).collect();
                let inside = |node: usize, out: &mut Vec<usize>| {
                    let targets = whole.links[rest[node]].iter();
                    out.extend(targets.filter_map(|link| places.get(&link.target).copied()));
                };
                let smaller = components(rest.len(), inside);
                open.extend(smaller.into_iter().map(|part| part.into_iter().map(|i| rest[i]).collect()));
            }
        }
    }
    Ok(None)
}

fn found(whole: &Component, part: &[usize]) -> Found {
    Found { pairs: part.iter().map(|&node| whole.pairs[node]).collect(), seen: None }
}

/// All pairs.
fn reachable(product: &mut Product<'_>, meter: &mut Meter<'_>) -> Result<Vec<PairId>, Halted> {
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
    whole: &'c Component,
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
            for link in &self.whole.links[node] {
                if self.places.contains_key(&link.target) {
                    any = true;
                    marks = marks.union(link.marks);
                }
            }
        }
        any && marks == product.all_marks()
    }

    fn starving(&self, product: &Product<'_>, naming: &Naming<'_>) -> Starving {
        let units = naming.len();
        let at = |place: usize, unit: u32| (place * units + unit as usize) as u32;
        let mut threads = Partition::discrete(self.part.len() * units);
        for (i, &node) in self.part.iter().enumerate() {
            for link in &self.whole.links[node] {
                let Some(&target) = self.places.get(&link.target) else { continue };
                for (unit, image) in naming.images(link.motion.as_deref()).into_iter().enumerate() {
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
                let is_enabled = here[i][unit as usize] || naming.is_mark(unit);
                if is_enabled { enabled[thread] = true } else { disabled[thread] = true }
            }
            for link in self.whole.links[node].iter().filter(|link| self.places.contains_key(&link.target)) {
                for &unit in product.indexed.set(link.executed) {
                    executed[threads.find(at(i, unit)) as usize] = true;
                }
            }
        }
        let mut bad = vec![false; self.part.len()];
        for i in 0..self.part.len() {
            for unit in 0..units as u32 {
                let thread = threads.find(at(i, unit)) as usize;
                match naming.is_strong(unit) {
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
