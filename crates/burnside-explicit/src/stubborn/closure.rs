//! Stubborn sets of a state, closed under what guards say.
//!
//! Entry point: [`Stubborn::choose`]. Beginning with an enabled instance, an enabled member brings in every
//! instance with which it conflicts, in whatever state; a disabled one brings in its enablers, for one part
//! of its guard that is unmet. If an enabled member is visible, all visible instances are members. Several
//! beginnings are tried; the set with the fewest enabled members is taken.

use super::dependency::Dependencies;
use super::guard::PartValue;
use super::steps::KeptSteps;
use burnside_engine::NotReduced;
use burnside_ts::{Expr, Label, Machine, System, Undefined};

/// So many enabled instances are tried as beginnings.
const SEEDS: usize = 12;

/// What is kept invisible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preserved {
    /// Which states can be reached, as far as conditions tell them apart, where runs end and what faults: if
    /// an enabled member is visible, all visible instances are members.
    States,
    /// All runs, but for states that look like the one before: no enabled member is visible.
    Runs,
}

/// Finds stubborn sets.
#[derive(Clone, Debug)]
pub(crate) struct Stubborn<'s> {
    dependencies: Dependencies<'s>,
    preserved: Preserved,
    /// The enabled instances of the state at hand, and how many they are.
    enabled: Vec<u64>,
    count: u32,
    /// The set at hand, and the best one so far.
    members: Vec<u64>,
    best: Vec<u64>,
    stack: Vec<u32>,
    /// The steps of the state at hand.
    pub(super) steps: KeptSteps,
    /// Beginnings, those with few conflicts first.
    seeds: Vec<(u32, u32)>,
    /// By instance: with how many others it conflicts.
    weights: Vec<u32>,
}

impl<'s> Stubborn<'s> {
    /// For a system of which some conditions are seen, unless there is too much to look at, or each instance
    /// conflicts with every other.
    pub fn new(system: &'s System, conditions: &[&Expr], preserved: Preserved) -> Result<Self, NotReduced> {
        let dependencies = Dependencies::of(system, conditions).ok_or(NotReduced::Opaque)?;
        let instances = dependencies.instances.len();
        let weight =
            |instance| dependencies.conflicts.row(instance).iter().map(|word| word.count_ones()).sum();
        let weights: Vec<u32> = (0..instances).map(weight).collect();
        if weights.iter().all(|&weight| weight as usize == instances) {
            return Err(NotReduced::Dependent);
        }
        let words = instances.div_ceil(64);
        Ok(Self {
            dependencies,
            preserved,
            enabled: vec![0; words],
            count: 0,
            members: vec![0; words],
            best: vec![0; words],
            stack: Vec::new(),
            steps: KeptSteps::default(),
            seeds: Vec::new(),
            weights,
        })
    }

    /// A new state is at hand.
    pub(super) fn begin(&mut self) {
        self.enabled.fill(0);
        self.count = 0;
    }

    /// A step of the state at hand: its instance is enabled.
    #[inline]
    pub(super) fn note(&mut self, label: Label<'_>) -> u32 {
        let instance = self.dependencies.instance(label);
        let (word, bit) = (&mut self.enabled[instance as usize / 64], 1 << (instance % 64));
        self.count += u32::from(*word & bit == 0);
        *word |= bit;
        instance
    }

    /// Whether an instance is in the set that was chosen.
    #[inline]
    pub(super) fn has(&self, instance: u32) -> bool {
        has(&self.best, instance)
    }

    /// Chooses a stubborn set of a state whose enabled instances were noted. False if only sets with all of
    /// them were found.
    pub(super) fn choose(&mut self, machine: &mut dyn Machine<'s>, state: &[u64]) -> Result<bool, Undefined> {
        if self.count < 2 {
            return Ok(false);
        }
        self.seeds.clear();
        for (at, &word) in self.enabled.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let instance = at as u32 * 64 + rest.trailing_zeros();
                self.seeds.push((self.weights[instance as usize], instance));
                rest &= rest - 1;
            }
        }
        self.seeds.sort_unstable();
        let mut least = self.count;
        for at in 0..self.seeds.len().min(SEEDS) {
            let seed = self.seeds[at].1;
            if let Some(count) = self.close(seed, least, machine, state)? {
                least = count;
                std::mem::swap(&mut self.members, &mut self.best);
            }
            if least == 1 {
                break;
            }
        }
        Ok(least < self.count)
    }

    /// Closes the set of one enabled instance, and counts its enabled members; none if they are not fewer
    /// than `least`, or if they are seen and may not be.
    fn close(
        &mut self,
        seed: u32,
        least: u32,
        machine: &mut dyn Machine<'s>,
        state: &[u64],
    ) -> Result<Option<u32>, Undefined> {
        self.members.fill(0);
        self.members[seed as usize / 64] |= 1 << (seed % 64);
        self.stack.clear();
        self.stack.push(seed);
        let (mut count, mut is_seen) = (1, false);
        while let Some(instance) = self.stack.pop() {
            if !has(&self.enabled, instance) {
                let row = self.enablers(instance, machine, state)?;
                count += add(
                    &mut self.members,
                    &mut self.stack,
                    self.dependencies.enablers.row(row),
                    &self.enabled,
                );
            } else {
                let Dependencies { conflicts, visible, .. } = &self.dependencies;
                count +=
                    add(&mut self.members, &mut self.stack, conflicts.row(instance as usize), &self.enabled);
                if !is_seen && has(visible, instance) {
                    if self.preserved == Preserved::Runs {
                        return Ok(None);
                    }
                    is_seen = true;
                    count += add(&mut self.members, &mut self.stack, visible, &self.enabled);
                }
            }
            if count >= least {
                return Ok(None);
            }
        }
        Ok(Some(count))
    }

    /// The row of the enablers of a disabled instance that add the fewest members. A part behind one that
    /// faults is not looked at: if what comes before that one is met, the instance faults.
    fn enablers(
        &mut self,
        instance: u32,
        machine: &mut dyn Machine<'s>,
        state: &[u64],
    ) -> Result<usize, Undefined> {
        let Self { dependencies, members, enabled, .. } = self;
        let Dependencies { instances, parts, enablers, .. } = dependencies;
        let instance = &instances[instance as usize];
        let binders = instance.rule.params.iter().map(|param| &param.binder);
        let params = binders.zip(instance.numbers.iter().copied());
        let mut best: Option<((u32, u32), usize)> = None;
        for part in &mut parts[instance.parts.clone()] {
            if !part.may_fault && best.is_some_and(|(_, row)| row == part.enablers) {
                continue;
            }
            match part.value(machine, state, params.clone())? {
                PartValue::Met => continue,
                PartValue::Fault => break,
                PartValue::Unmet => {}
            }
            let new = enablers.row(part.enablers).iter().zip(&*members).zip(&*enabled);
            let cost = new.fold((0, 0), |(acting, all), ((row, members), enabled)| {
                let new = row & !members;
                (acting + (new & enabled).count_ones(), all + new.count_ones())
            });
            if best.is_none_or(|(known, _)| cost < known) {
                best = Some((cost, part.enablers));
            }
            if cost.1 == 0 {
                break;
            }
        }
        Ok(best.map_or(instance.enablers, |(_, row)| row))
    }
}

fn has(set: &[u64], instance: u32) -> bool {
    set[instance as usize / 64] >> (instance % 64) & 1 != 0
}

/// Adds instances to the members, and counts the new ones that are enabled.
fn add(members: &mut [u64], stack: &mut Vec<u32>, row: &[u64], enabled: &[u64]) -> u32 {
    let mut count = 0;
    for (at, (members, (row, enabled))) in members.iter_mut().zip(row.iter().zip(enabled)).enumerate() {
        let mut new = row & !*members;
        *members |= new;
        count += (new & enabled).count_ones();
        while new != 0 {
            stack.push(at as u32 * 64 + new.trailing_zeros());
            new &= new - 1;
        }
    }
    count
}
