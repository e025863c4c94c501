//! A search for states that is kept on a disk while it goes on, and goes on from there.
//!
//! Entry points: [`BreadthFirst::mark`], [`BreadthFirst::keep`] and [`BreadthFirst::resume`]. Nodes are
//! numbered in the order of discovery, and what a search does next depends on its store, on the node that
//! is next and on some figures, not on threads or limits. So now and then, where no state waits for its
//! insertion, it notes these figures: a *mark*. The nodes before a mark never change, so a search that was
//! ended anywhere can be kept as it was at its last mark. Of hunts it is kept what they were asked: they do
//! it again.
//!
//! The table of the store is not kept, it is made again from the nodes.

use super::{BreadthFirst, Finding, SearchResult, Witness};
use crate::hunt::{Asked, Hunt};
use crate::orbits::Tallies;
use crate::search::reduced::Reduced;
use crate::store::NodeId;
use burnside_checkpoint::{Damage, Persist, Reader, persist_enum, persist_struct};
use burnside_limits::{Stats, Stop, give_up};
use burnside_ts::Fault;
use std::time::{Duration, Instant};

persist_struct!(Witness { evidence, stats, time });
persist_enum!(Finding {
    0 => Yes { 0: witness },
    1 => No {},
    2 => Greatest { 0: value, 1: witness },
    3 => Unknown {},
});
persist_struct!(SearchResult {
    findings,
    stats,
    unreduced,
    time,
    stop,
    faulted,
    unprofitable,
    too_hard,
    reduced
});

impl SearchResult {
    /// Whether no limit has to do with it: then it is the same whenever the search is done again.
    pub(crate) fn is_final(&self) -> bool {
        self.stop.as_ref().is_none_or(|stop| *stop == Stop::NotChecked)
    }
}

/// A place from which a search can go on: all of its state but its nodes.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    next: u32,
    layer: u32,
    nodes: u32,
    stats: Stats,
    found: Vec<Option<Box<Witness>>>,
    pending: Vec<Option<(u32, Fault)>>,
    greatest: Vec<Option<(i64, u32)>>,
    faulted: bool,
    tallies: Option<Tallies>,
    reduction: Option<Reduced>,
    /// How often hunts were asked something.
    asked: usize,
}

persist_struct!(Mark {
    next,
    layer,
    nodes,
    stats,
    found,
    pending,
    greatest,
    faulted,
    tallies,
    reduction,
    asked
});

/// Where a search begins.
pub(super) enum Resumed {
    /// With the initial states.
    New,
    /// With this node, before this layer.
    At(u32, u32),
    /// Nowhere: there is no room for what was kept.
    Full,
}

impl BreadthFirst<'_> {
    /// The search can go on from here: no state waits for its insertion. If it is time to keep it, it is.
    pub(super) fn mark(&mut self, next: u32, layer: u32, hunt: &Option<Hunt<'_>>) {
        let Some(keeping) = &self.keeping else { return };
        debug_assert_eq!(self.waiting.len(), 0, "a state waits for its insertion");
        let due = keeping.is_due();
        let known = self.mark.take();
        let numbered = |it: &Option<(NodeId, Fault)>| it.map(|(id, fault)| (id.0, fault));
        let mark = Mark {
            next,
            layer,
            nodes: self.store.len(),
            stats: self.stats,
            found: match known {
                // Runs can be long, and there are few.
                Some(known) if known.open() == self.open && self.reduction.is_none() => known.found,
                _ => self.found.clone(),
            },
            pending: self.pending.iter().map(numbered).collect(),
            greatest: self.greatest.iter().map(|it| it.map(|(value, id)| (value, id.0))).collect(),
            faulted: self.faulted,
            tallies: self.orbits.as_ref().map(|orbits| orbits.tallies()),
            reduction: self.reduction.as_ref().map(|reduction| reduction.state()),
            asked: hunt.as_ref().map_or(0, |hunt| hunt.asked().len()),
        };
        self.mark = Some(Box::new(mark));
        if due {
            self.keep(hunt);
        }
    }

    /// Keeps the search as it was at the last mark, if it is to be kept.
    pub(super) fn keep(&self, hunt: &Option<Hunt<'_>>) {
        let (Some(keeping), Some(mark)) = (&self.keeping, &self.mark) else { return };
        let asked = hunt.as_ref().map_or(&[][..], Hunt::asked);
        keeping.save(|out| {
            out.section("search");
            self.started.elapsed().save(out);
            mark.save(out);
            asked[..mark.asked].to_vec().save(out);
            self.store.save(mark.nodes, out);
        });
    }

    /// Goes on from where a search for the same was kept.
    pub(super) fn resume(&mut self, hunt: &mut Option<Hunt<'_>>) -> Resumed {
        let Some(mut kept) = self.keeping.as_ref().and_then(|keeping| keeping.state()) else {
            return Resumed::New;
        };
        match self.load(&mut kept, hunt).and_then(|resumed| kept.end().map(|()| resumed)) {
            Ok(resumed) => resumed,
            // Files are looked through before, so somebody has changed this one since.
            Err(damage) => {
                give_up(Stop::Lost(format!("what was kept of the search cannot be used: {damage}")))
            }
        }
    }

    fn load(&mut self, kept: &mut Reader<'_>, hunt: &mut Option<Hunt<'_>>) -> Result<Resumed, Damage> {
        let wrong = Damage::Content("it is about another search");
        kept.section("search")?;
        let before = Duration::load(kept)?;
        let mark = Mark::load(kept)?;
        let asked: Vec<Asked> = Persist::load(kept)?;
        let count = self.questions.len();
        let of_questions = [mark.found.len(), mark.pending.len(), mark.greatest.len()];
        let numbers = mark.pending.iter().flatten().map(|(id, _)| *id);
        let mut numbers = numbers.chain(mark.greatest.iter().flatten().map(|(_, id)| *id));
        let fits = of_questions == [count; 3]
            && numbers.all(|id| id < mark.nodes)
            && mark.next <= mark.nodes
            && mark.layer <= mark.nodes
            && mark.tallies.is_some() == self.orbits.is_some()
            && mark.reduction.is_some() == self.reduction.is_some()
            && asked.len() == mark.asked;
        if !fits {
            return Err(wrong);
        }
        if !self.store.load(mark.nodes, kept)? {
            self.full = Some(self.store.full());
            return Ok(Resumed::Full);
        }
        if let (Some(reduction), Some(state)) = (&mut self.reduction, mark.reduction.clone())
            && !reduction.resume(state)
        {
            return Err(wrong);
        }
        let repeated = match hunt {
            Some(hunt) => hunt.repeat(asked),
            None => asked.is_empty(),
        };
        if !repeated {
            return Err(wrong);
        }
        self.take_up(&mark);
        let hunted = |i: usize| hunt.as_ref().is_some_and(|hunt| hunt.prey(i).is_some());
        self.news.extend((0..count).filter(|&i| self.found[i].is_none() && hunted(i)));
        self.started = self.started.checked_sub(before).unwrap_or_else(Instant::now);
        let at = Resumed::At(mark.next, mark.layer);
        self.mark = Some(Box::new(mark));
        Ok(at)
    }

    /// Takes over the figures of a mark.
    fn take_up(&mut self, mark: &Mark) {
        self.stats = mark.stats;
        self.faulted = mark.faulted;
        self.found.clone_from(&mark.found);
        self.open = mark.open();
        // Whoever listens now has not heard of it.
        self.news = (0..mark.found.len()).filter(|&i| mark.found[i].is_some()).collect();
        self.pending = mark.pending.iter().map(|it| it.map(|(id, fault)| (NodeId(id), fault))).collect();
        self.greatest = mark.greatest.iter().map(|it| it.map(|(value, id)| (value, NodeId(id)))).collect();
        if let (Some(orbits), Some(tallies)) = (&mut self.orbits, mark.tallies.clone()) {
            orbits.resume(tallies);
        }
    }
}

impl Mark {
    fn open(&self) -> usize {
        self.found.iter().filter(|found| found.is_none()).count()
    }
}
