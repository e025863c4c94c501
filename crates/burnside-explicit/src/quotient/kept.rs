//! A quotient that is kept on a disk while it grows.
//!
//! Entry points: [`Quotient::keep_in`], [`Quotient::keep_if_due`], [`Quotient::keep`]. Who looks for runs,
//! or labels states, asks for the edges of nodes; whether these were found before does not matter to what
//! it does. So it is enough to keep the nodes with their numbers, and the edges, labels and permutations as
//! far as they are known: who begins anew with these does the same again, without taking a step, until it
//! comes to edges that nobody has found yet.

use super::Quotient;
use crate::edges::{EdgeSpan, LabelId, OrbitEdge};
use crate::fair::AnnotationId;
use crate::store::NodeId;
use burnside_checkpoint::{Damage, Keeping, Persist, Reader, Writer};
use burnside_limits::{Stop, poll};
use burnside_trace::Step;
use burnside_ts::SortId;

impl Quotient<'_> {
    /// From now on it is kept here, and what was kept before is taken over: says whether there was anything.
    /// It must not have edges yet.
    pub(crate) fn keep_in(&mut self, keeping: Keeping) -> Result<bool, Stop> {
        let kept = keeping.state();
        let taken = kept.is_some();
        if let Some(mut kept) = kept {
            // Files are looked through before, so somebody has changed this one since.
            let lost = |damage| Stop::Lost(format!("what was kept of the states cannot be used: {damage}"));
            self.load(&mut kept).map_err(lost)??;
            kept.end().map_err(lost)?;
            self.kept.set(self.extent());
        }
        self.keeping = Some(keeping);
        Ok(taken)
    }

    /// Keeps it if it is time to.
    pub(crate) fn keep_if_due(&self) {
        if self.keeping.as_ref().is_some_and(Keeping::is_due) {
            self.keep();
        }
    }

    /// Keeps it, unless it is there already, or is not gone on with since a part of the group does not pay.
    pub(crate) fn keep(&self) {
        let is_news = self.kept.get() != self.extent() && self.unprofitable.is_none();
        let Some(keeping) = self.keeping.as_ref().filter(|_| is_news) else { return };
        if keeping.save(|out| self.save(out)) {
            self.kept.set(self.extent());
        }
    }

    /// How many nodes and edges there are.
    fn extent(&self) -> (u32, usize) {
        (self.len(), self.arena.known())
    }

    fn save(&self, out: &mut Writer<'_>) {
        out.section("quotient");
        self.weighed_at.save(out);
        self.tracked.save(out);
        self.too_hard().is_some().save(out);
        self.len().save(out);
        self.store.save(self.len(), out);
        out.section("labels");
        out.number(self.labels.len() as u64);
        for id in (0..self.labels.len() as u32).map(LabelId) {
            self.labels.step(id).save(out);
            self.labels.changes(id).save(out);
        }
        self.annotations.save(out);
        out.section("edges");
        for node in (0..self.len()).map(NodeId) {
            if out.has_failed() {
                return;
            }
            let Some(EdgeSpan { edges, faults }) = self.arena.get(node) else {
                out.number(0);
                continue;
            };
            out.number(1 + 2 * edges.len() as u64 + u64::from(faults));
            for edge in &self.arena.edges[edges] {
                [edge.target.0, edge.annotation.0, edge.label.0].save(out);
            }
        }
    }

    fn load(&mut self, kept: &mut Reader<'_>) -> Result<Result<(), Stop>, Damage> {
        kept.section("quotient")?;
        self.weighed_at = Persist::load(kept)?;
        self.tracked = Vec::<SortId>::load(kept)?;
        if bool::load(kept)? {
            self.canoniser.iter_mut().for_each(|canoniser| canoniser.give_up_exactness());
        }
        let count = u32::load(kept)?;
        if !self.store.load(count, kept)? {
            return Ok(Err(self.store.full()));
        }
        kept.section("labels")?;
        let labels: u32 = kept.small()?;
        for number in 0..labels {
            let (step, changes): (Step, bool) = Persist::load(kept)?;
            let system = self.system();
            let rule = system.rules.get(step.rule.index());
            let fits = rule.is_some_and(|rule| rule.args.len() == step.args.len());
            if !fits || self.labels.number(system, step.label(), changes) != LabelId(number) {
                return Err(Damage::Content("a step is not of this system"));
            }
        }
        let annotations = self.annotations.load(kept)?;
        kept.section("edges")?;
        for node in (0..count).map(NodeId) {
            poll();
            let Some(length) = kept.number()?.checked_sub(1) else { continue };
            self.arena.open();
            for _ in 0..length / 2 {
                let [target, annotation, label]: [u32; 3] = Persist::load(kept)?;
                if target >= count || annotation >= annotations || label >= labels {
                    return Err(Damage::Content("an edge leads nowhere"));
                }
                let (target, annotation) = (NodeId(target), AnnotationId(annotation));
                self.arena.edges.push(OrbitEdge { target, annotation, label: LabelId(label) });
            }
            self.arena.close(node, length % 2 == 1);
        }
        Ok(Ok(()))
    }
}
