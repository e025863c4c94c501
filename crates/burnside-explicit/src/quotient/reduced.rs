//! Partial order reduction of a quotient on which runs are looked for: all of its nodes and edges are found
//! first, with the steps of stubborn sets only.
//!
//! Entry point: [`Quotient::reduce`]. The proviso: a node of which some chosen step leads to a node that
//! was known before is expanded fully. So every cycle has a node that is, the one expanded last. If there
//! is no room for the edges of a node, they are found anew, all of them, whenever they are asked for, which
//! may lead to nodes that were left out, and does no harm.

use super::{Quotient, add};
use crate::edges::OrbitEdge;
use crate::store::NodeId;
use crate::stubborn::Stubborn;
use burnside_limits::{Stop, poll};
use burnside_ts::Machine;

impl<'s> Quotient<'s> {
    /// Finds every node that steps of stubborn sets lead to, and says in how many nodes steps were left out.
    /// Another machine looks at guards.
    pub(crate) fn reduce(
        &mut self,
        stubborn: &mut Stubborn<'s>,
        evaluator: &mut dyn Machine<'s>,
    ) -> Result<u64, Stop> {
        let (mut next, mut reduced) = (0, 0);
        while next < self.store.len() {
            poll();
            let node = NodeId(next);
            self.source.clear();
            self.source.extend_from_slice(&self.store.get(node));
            let chosen = stubborn.look(&mut *self.machine, evaluator, &self.source);
            if chosen.map_err(|_| Stop::Interrupted)? && self.take_some(stubborn, node)? {
                reduced += 1;
            } else {
                self.orbit_edges(node)?;
            }
            next += 1;
        }
        Ok(reduced)
    }

    /// Makes edges of the chosen steps of a node. False if one of them leads to a node that was known.
    fn take_some(&mut self, stubborn: &Stubborn<'s>, node: NodeId) -> Result<bool, Stop> {
        let (system, known) = (self.system(), self.store.len());
        let distinguishes = system.distinguishes_changes();
        self.arena.open();
        for (label, state) in stubborn.chosen() {
            let Self { canoniser, store, representative, annotations, labels, arena, source, .. } = self;
            let (target, annotation) = add(store, canoniser, annotations, representative, state)?;
            if target.0 < known {
                return Ok(false);
            }
            let changes = !distinguishes || system.changes(source, state);
            let label = labels.number(system, label, changes);
            arena.edges.push(OrbitEdge { target, annotation, label });
        }
        self.arena.close(node, false);
        Ok(true)
    }
}
