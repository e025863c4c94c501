//! Answers about a net that no search of the net itself has given. Data only.

use burnside_engine::{Engine, Procedure, Shortcut, Symmetry};
use burnside_limits::Stats;
use burnside_petri::{Found, Ground, NetQuestion, Query, SmallerNet};
use burnside_trace::{End, Tree};
use std::time::Duration;

/// After so many states a search makes room for other ways.
pub(crate) const FEW: u64 = 1 << 15;

/// What has been found otherwise than by searching the net itself.
#[derive(Clone, Debug)]
pub(crate) struct Indirect {
    /// The answer, with runs of the net itself.
    pub found: Found,
    /// How the run ends that shows it.
    pub end: End,
    /// What shows it of a branching-time formula, if it needs no run.
    pub tree: Option<Tree>,
    pub method: Option<Procedure>,
    pub engine: Engine,
    pub symmetry: Symmetry,
    pub stats: Stats,
    pub smaller: Option<SmallerNet>,
    pub time: Duration,
}

impl Indirect {
    /// By a shortcut.
    pub fn by_shortcut(found: Found, time: Duration) -> Self {
        let method = Procedure::Shortcut(match found.by {
            Ground::Initial => Shortcut::Initial,
            Ground::Equation => Shortcut::Equation,
            Ground::Walk => Shortcut::Walk,
        });
        let (engine, symmetry, stats) = (Engine::Explicit, Symmetry::None, Stats::default());
        let (end, tree, method, smaller) = (End::State, None, Some(method), None);
        Self { found, end, tree, method, engine, symmetry, stats, smaller, time }
    }
}

/// Whether an answer comes with all that there is to show. A formula that is refuted, or shown by what a run
/// reaches, has a run or a tree as evidence, which only a search makes.
pub(crate) fn is_shown(query: &Query, found: &Found) -> bool {
    match query.asked {
        NetQuestion::Ltl(_) => found.holds && found.beside.is_empty(),
        NetQuestion::Ctl(_) => found.beside.is_empty(),
        NetQuestion::Invariant(_) | NetQuestion::Reachable(_) | NetQuestion::Bound(_) => true,
    }
}
