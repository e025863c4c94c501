//! Better orders of the variables, when they pay.
//!
//! Entry points: [`Store::settle`], to be called between operations, looks for a better order once the nodes
//! in use have doubled; [`Store::reorder`] does so at once, and [`Store::defer`] puts it off. Variables that
//! were put into one [group](Store::group) move together. Sets and renamings stay what they are; only numbers
//! of nodes change. How the search goes is in `sift.rs`. Nothing here depends on time, so equal work gives
//! equal orders.

use oxidd::ManagerRef;
use std::time::{Duration, Instant};

use super::sift::{self, Bounds};
use super::{Bit, Store};

/// Below so many nodes any order is good enough: one that is better for them is often worse for what comes.
pub(super) const FIRST: usize = 10_000;

/// Below so many nodes, dead ones included, nobody counts those in use: that forgets all known results.
pub(super) const LOOK: usize = 100_000;

/// How often a reordering may look at each node, and at how many in all: some seconds.
const EFFORT: (usize, usize) = (500, 40_000_000);

/// So many nodes may be looked at for each that was made: then looking for better orders takes a small part
/// of the time, whether they pay or not.
const LOOKS: u64 = 6;

/// With fewer looks at each node than this hardly a variable finds its place.
const WORTH: u64 = 60;

/// The library has no more nodes than this.
const MOST_NODES: usize = (1 << 31) - 1;

/// When to look for a better order next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    on: bool,
    /// The number of nodes in use that calls for a better order.
    pub(super) due: usize,
    /// The number of nodes, dead ones included, at which to count those in use.
    pub(super) look: usize,
    reorderings: usize,
    /// How many nodes reorderings have looked at.
    looked: u64,
    time: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { on: true, due: FIRST, look: LOOK, reorderings: 0, looked: 0, time: Duration::ZERO }
    }
}

impl Store {
    /// Whether [settling](Store::settle) may look for a better order; it may at first.
    pub fn reordering(&self, on: bool) {
        self.reordering.set(Schedule { on, ..self.reordering.get() });
    }

    /// Keeps variables side by side that are so now. Groups with a variable in common become one.
    pub fn group(&self, bits: &[Bit]) {
        let mut groups = self.groups.borrow_mut();
        let joined: Vec<u32> = bits.iter().map(|bit| groups[bit.0 as usize]).collect();
        let Some(&name) = joined.iter().min() else { return };
        groups.iter_mut().filter(|group| joined.contains(group)).for_each(|group| *group = name);
    }

    /// The variables from the top of the order.
    pub fn order(&self) -> Vec<Bit> {
        use oxidd::Manager;
        self.manager.with_manager_shared(|manager| {
            (0..manager.num_levels()).map(|level| Bit(manager.level_to_var(level))).collect()
        })
    }

    /// How often a better order was looked for, and how long that took.
    pub fn reorderings(&self) -> (usize, Duration) {
        let schedule = self.reordering.get();
        (schedule.reorderings, schedule.time)
    }

    /// Looks for a better order now, as far as there is room, until the interrupt flag is raised. Returns the
    /// number of nodes then in use.
    pub fn reorder(&self) -> usize {
        self.sift(EFFORT.1)
    }

    /// The same with so many looks at nodes at most.
    fn sift(&self, looks: usize) -> usize {
        let start = Instant::now();
        self.nodes();
        let (capacity, effort) = (self.limit.min(MOST_NODES), (EFFORT.0, looks.min(EFFORT.1)));
        let bounds = Bounds { capacity, effort, interrupt: &self.ends.interrupt };
        let (nodes, looked) =
            self.manager.with_manager_exclusive(|manager| sift::sift(manager, &self.groups.borrow(), bounds));
        let mut schedule = self.reordering.get();
        schedule.looked += looked as u64;
        schedule.reorderings += 1;
        schedule.time += start.elapsed();
        self.reordering.set(schedule);
        nodes
    }

    /// The nodes that are in use now are no reason to look for a better order; twice as many are.
    pub fn defer(&self) {
        let mut schedule = self.reordering.get();
        schedule.due = schedule.due.max(2 * self.collect());
        schedule.look = schedule.look.max(schedule.due);
        self.reordering.set(schedule);
    }

    /// Looks for a better order if the nodes in use have become many since the last time, and so many were
    /// made that it is a small part of the work.
    pub fn settle(&self) {
        let mut schedule = self.reordering.get();
        if !schedule.on || self.nodes() < schedule.look.min(self.limit / 4 * 3) {
            return;
        }
        // Close to the limit a better order is worth more than the time.
        let is_short = self.nodes() > self.limit / 2;
        let left = (LOOKS * self.made.get()).saturating_sub(schedule.looked);
        let affords = |nodes: usize| is_short || left >= WORTH * nodes as u64;
        if !affords(schedule.due) {
            return;
        }
        let live = self.collect();
        if live < schedule.due {
            // Collecting forgets all known results, so after each time in vain it has to wait longer.
            schedule.look = (4 * schedule.look).min(self.limit / 4 * 3).max(schedule.due);
            self.reordering.set(schedule);
            return;
        }
        if !affords(live) {
            schedule.due = live;
            self.reordering.set(schedule);
            return;
        }
        let looks = if is_short { usize::MAX } else { usize::try_from(left).unwrap_or(usize::MAX) };
        let after = self.sift(looks);
        let mut schedule = self.reordering.get();
        let factor = if 10 * after > 9 * live { 4 } else { 2 };
        schedule.due = (factor * after).min(after.midpoint(self.limit)).max(FIRST);
        schedule.look = schedule.due.max(LOOK);
        self.reordering.set(schedule);
    }
}
