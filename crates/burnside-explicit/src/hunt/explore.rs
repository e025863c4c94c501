//! A small search with a store of its own, in any order: deepest nodes first, or those first that are nearest
//! to an answer, or (to shorten runs) breadth-first.
//!
//! Entry point: [`Pack::explore`]. It ends when it has as many nodes as it may have, when the steps of the
//! burst are spent, or when nothing is wanted any more. It is one loop for all orders: the frontier is a heap
//! of keys, and an order is how the key of a node is computed.

use super::Pack;
use super::chase::Chase;
use crate::store::{Insert, NodeId, Store};
use burnside_limits::Limits;
use burnside_trace::End;
use burnside_ts::{Label, Outcome, Walk};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Which node is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The one that was reached last.
    Depth,
    /// The one that is nearest to an answer of this question; of those, the one that was reached last.
    Greedy(usize),
    /// The one for which its depth and its distance from an answer are least together: finds shorter runs.
    Short(usize),
    /// The one that was reached first.
    Breadth,
}

/// A run that comes back to another one.
#[derive(Debug)]
pub(super) struct Detour {
    /// Its nodes, the first and the last included.
    pub nodes: Vec<Box<[u64]>>,
    /// Where the other run goes on behind the last node.
    pub rejoins: usize,
    /// How many steps it saves.
    pub saves: usize,
}

/// Where runs may come back to another one: its nodes, by their places in it.
pub(super) struct Rejoin<'r> {
    pub places: &'r HashMap<Box<[u64]>, usize>,
    /// The place where the search begins.
    pub from: usize,
    pub best: Option<Detour>,
}

/// What a search has found and where it goes on.
struct Frontier<'r, 'b> {
    store: Store,
    depths: Vec<u32>,
    /// Least first: what the order says, then the latest expansion, then the order of steps.
    heap: BinaryHeap<Reverse<(u64, Reverse<u32>, u32)>>,
    order: Order,
    expansion: u32,
    rejoin: Option<&'r mut Rejoin<'b>>,
    full: bool,
}

impl Frontier<'_, '_> {
    fn run(&self, id: NodeId) -> Vec<Box<[u64]>> {
        self.store.path(id).into_iter().map(|id| self.store.get(id).into()).collect()
    }

    /// A step leads to a state.
    fn reach(&mut self, chase: &mut Chase<'_>, from: Option<NodeId>, before: &[u64], state: &[u64]) {
        let depth = from.map_or(0, |id| self.depths[id.0 as usize] + 1);
        if depth as usize >= chase.longest || !chase.arrive(before, state) {
            return;
        }
        let id = match self.store.insert(&chase.node, from) {
            Insert::New(id) => id,
            Insert::Old(_) => return,
            Insert::Full => {
                self.full = true;
                return;
            }
        };
        self.depths.push(depth);
        chase.judge(|| self.run(id));
        self.rejoin(id, depth as usize);
        let value = match self.order {
            Order::Depth => 0,
            Order::Breadth => u64::from(id.0),
            Order::Greedy(question) => chase.distance(question, state),
            Order::Short(question) => chase.distance(question, state) + u64::from(depth),
        };
        self.heap.push(Reverse((value, Reverse(self.expansion), id.0)));
    }

    fn rejoin(&mut self, id: NodeId, depth: usize) {
        let Some(rejoin) = &self.rejoin else { return };
        let Some(&place) = rejoin.places.get(&*self.store.get(id)) else { return };
        let saves = (place - rejoin.from.min(place)).saturating_sub(depth);
        if saves > rejoin.best.as_ref().map_or(0, |best| best.saves) {
            let best = Some(Detour { nodes: self.run(id), rejoins: place + 1, saves });
            if let Some(rejoin) = &mut self.rejoin {
                rejoin.best = best;
            }
        }
    }
}

impl Pack<'_> {
    /// Searches from a node, or from the initial states, until it has so many nodes. Says whether nothing is
    /// left to be looked at.
    pub(super) fn explore(
        &mut self,
        order: Order,
        from: Option<&[u64]>,
        most: u64,
        rejoin: Option<&mut Rejoin<'_>>,
    ) -> bool {
        let Self { machine, chase, walker, room, .. } = self;
        let states = Some(room.states.map_or(most, |states| states.min(most)));
        let mut frontier = Frontier {
            store: Store::new(chase.node.len(), &Limits { states, ..room.clone() }),
            depths: Vec::new(),
            heap: BinaryHeap::new(),
            order,
            expansion: 0,
            rejoin,
            full: false,
        };
        match from {
            Some(node) => frontier.begin(chase, node),
            None => {
                let before = chase.before();
                walker.starts().for_each(|state| frontier.reach(chase, None, &before, state));
            }
        }
        let mut source = chase.node.clone();
        while let Some(Reverse((_, _, id))) = frontier.heap.pop() {
            if chase.is_over() || frontier.full {
                return false;
            }
            let id = NodeId(id);
            frontier.expansion += 1;
            source.copy_from_slice(&frontier.store.get(id));
            let (state, positions) = source.split_at(chase.state_words);
            let mut dead = true;
            let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
                dead = false;
                chase.steps += 1;
                match outcome {
                    Outcome::State(target) => frontier.reach(chase, Some(id), positions, target),
                    Outcome::Fault(fault) => {
                        let end = End::Fault(Some(label.into()), fault);
                        chase.faulted(&end, || frontier.run(id));
                    }
                }
                chase.flow()
            });
            if walk == Walk::Interrupted {
                chase.interrupted = true;
            }
            if dead && walk == Walk::Complete && machine.is_outside(state) == Ok(false) {
                chase.dead(|| frontier.run(id));
            }
        }
        !frontier.full
    }
}

impl Frontier<'_, '_> {
    /// Begins in a node that was judged before.
    fn begin(&mut self, chase: &mut Chase<'_>, node: &[u64]) {
        chase.node.copy_from_slice(node);
        if let Insert::New(id) = self.store.insert(node, None) {
            self.depths.push(0);
            self.heap.push(Reverse((0, Reverse(0), id.0)));
        }
    }
}
