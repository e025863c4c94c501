//! Structural reductions: a smaller net in which a question has the same answer, and from there the way back.
//!
//! Entry points: [`Structure::reduced`], [`Structure::lifted`]. A net with colours is unfolded first. Each
//! rule has a file of its own, which says why it is right; what they all keep is said in `premise`, what a
//! question
//! needs in `question`. The rules are tried over and over until none of them finds anything. Runs of the
//! smaller net become runs of the net itself, to be replayed by who asked. Nothing here is about fairness.

mod cone;
mod constant;
mod dead;
mod draft;
mod identity;
mod implicit;
mod outcome;
mod parallel;
mod post;
mod pre;
mod premise;
mod question;
mod series;
mod sink;

use crate::net::{Arc, Net, Place, PlaceId, Transition, TransitionId};
use crate::query::Query;
use crate::structure::{Fired, Firing, Structure, Weights, Work};
use burnside_limits::poll;
use draft::Draft;
pub use outcome::{Reductions, SmallerNet};
pub use premise::{Keep, Premise, Rule};

/// So much may be done with the state equation for one question.
const WORK: u64 = 1 << 22;

/// Which rules are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// These, in this order.
    pub used: Vec<Rule>,
    /// A premise that is not looked at: for tests, which must see that it matters.
    pub without: Option<Premise>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { used: Rule::ALL.to_vec(), without: None }
    }
}

/// A net that was made smaller for a question.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// What is left of it, without colours.
    pub net: Net,
    /// The question about that.
    pub query: Query,
    /// What is the same in it.
    pub keep: Keep,
    /// How many places it had without colours, and how many it has.
    pub places: [usize; 2],
    /// The same for transitions.
    pub transitions: [usize; 2],
    /// How often each rule found something, without those that did not.
    pub applied: Vec<(Rule, u32)>,
    stands_for: Vec<Vec<u32>>,
    postponed: Vec<Vec<Vec<u32>>>,
}

impl Reduced {
    /// Whether it may have fewer markings.
    pub fn saves_markings(&self) -> bool {
        self.applied.iter().any(|(rule, _)| rule.saves_markings())
    }
}

impl Structure {
    /// A smaller net for a question. None if there is nothing to be made smaller, or too much to be said.
    pub fn reduced(&self, query: &Query, rules: &Rules) -> Option<Reduced> {
        let flat = &self.flat;
        let keep = question::keep(&query.asked);
        let observed = question::observed(flat, &query.asked)?;
        let mut draft = Draft::of(flat, keep, observed, rules.without);
        let applied = exhaust(&mut draft, &rules.used);
        if applied.is_empty() {
            return None;
        }
        let cells: Vec<u32> = draft.cells().collect();
        let place = |cell: u32| cells.binary_search(&cell).ok().map(|place| PlaceId(place as u32));
        // Whoever looks at what is gone looks at what it always was.
        let asked = question::translated(flat, &query.asked, &place)?;
        let net = net(&draft, &cells);
        Some(Reduced {
            query: Query { name: query.name.clone(), text: query.text.clone(), asked },
            keep,
            places: [flat.initial.len(), net.places.len()],
            transitions: [flat.firings.len(), net.transitions.len()],
            net,
            applied,
            stands_for: draft.links.into_iter().map(|link| link.stands_for).collect(),
            postponed: draft.postponed,
        })
    }

    /// A run of the smaller net as one of the net itself, with the marking that it ends in. If it is to end
    /// in a dead marking, what was put off is done there. None if it is no run of the net.
    pub fn lifted(
        &self,
        reduced: &Reduced,
        run: &[TransitionId],
        to_dead_end: bool,
    ) -> Option<(Vec<Fired>, Vec<i64>)> {
        let mut marking = self.flat.initial.clone();
        let mut firings: Vec<u32> = Vec::new();
        for transition in run {
            let next = reduced.stands_for.get(transition.index())?;
            if !self.happens(&mut marking, next) {
                return None;
            }
            firings.extend(next);
        }
        if to_dead_end {
            for alternatives in reduced.postponed.iter().rev() {
                while let Some(next) = alternatives.iter().find(|next| self.happens(&mut marking, next)) {
                    poll();
                    firings.extend(next);
                }
            }
        }
        Some((self.fired(&firings), marking))
    }

    /// Lets firings happen, one after the other. False, and nothing happens, if they cannot.
    fn happens(&self, marking: &mut Vec<i64>, firings: &[u32]) -> bool {
        let mut after = marking.clone();
        let one = |&number: &u32| {
            let it = &self.flat.firings[number as usize];
            it.is_enabled(&after) && it.fire(&mut after)
        };
        let happen = firings.iter().all(one);
        if happen {
            *marking = after;
        }
        happen
    }
}

/// Uses rules until none finds anything.
fn exhaust(draft: &mut Draft, rules: &[Rule]) -> Vec<(Rule, u32)> {
    let mut counts = vec![0u32; rules.len()];
    let (most, mut work) = (draft.links.len(), Work(WORK));
    loop {
        let mut found = false;
        for (rule, count) in rules.iter().zip(&mut counts) {
            poll();
            // What costs most comes when nothing else is left to be found.
            if found && *rule == Rule::Implicit {
                continue;
            }
            let more = apply(draft, *rule, most, &mut work);
            (*count, found) = (*count + more, found || more > 0);
        }
        if !found {
            break;
        }
    }
    rules.iter().copied().zip(counts).filter(|(_, count)| *count > 0).collect()
}

fn apply(draft: &mut Draft, rule: Rule, most: usize, work: &mut Work) -> u32 {
    match rule {
        Rule::Dead => dead::reduce(draft),
        Rule::Constant => constant::reduce(draft),
        Rule::Implicit => implicit::reduce(draft, work),
        Rule::Parallel => parallel::reduce(draft),
        Rule::Identity => identity::reduce(draft),
        Rule::Sink => sink::reduce(draft),
        Rule::Cone => cone::reduce(draft),
        Rule::Post => post::reduce(draft, most),
        Rule::Pre => pre::reduce(draft, most),
    }
}

/// What is left as a net.
fn net(draft: &Draft, cells: &[u32]) -> Net {
    let place = |&cell: &u32| {
        let (id, tokens) = (format!("c{cell}"), draft.initial[cell as usize]);
        Place { name: id.clone(), id, domain: Vec::new(), initial: vec![tokens as u64] }
    };
    let number = |cell: u32| PlaceId(cells.binary_search(&cell).unwrap_or_default() as u32);
    let arcs = |weights: &Weights| -> Vec<Arc> {
        let arc = |&(cell, weight): &(u32, i64)| Arc {
            place: number(cell),
            inscription: vec![(weight, Vec::new())],
        };
        weights.iter().map(arc).collect()
    };
    let transition = |(at, it): (usize, &Firing)| {
        let id = format!("t{at}");
        let reads = it.needs.iter().copied().filter(|&(cell, need)| need > draft::weight(&it.takes, cell));
        Transition {
            name: id.clone(),
            id,
            inputs: arcs(&it.takes),
            outputs: arcs(&it.gives),
            reads: arcs(&reads.collect()),
            inhibitors: arcs(&it.inhibited),
            resets: it.resets.iter().map(|&cell| number(cell)).collect(),
            ..Transition::default()
        }
    };
    Net {
        name: "reduced".into(),
        places: cells.iter().map(place).collect(),
        transitions: draft.links.iter().map(|link| &link.firing).enumerate().map(transition).collect(),
        ..Net::default()
    }
}
