//! Rings of any size: small ones by the ordinary engines, all others by windows of neighbours.
//!
//! Entry point: `Known::prove_ring`. Windows speak for all sizes from some least one on; nothing is claimed
//! before all smaller ones were checked.

use super::{EveryError, Finding, Known, add_to, phase};
use burnside_lang::diagnostic::Span;
use burnside_lang::family::ring::{Reach, RingFamily};
use burnside_lang::family::{self, Refusal};
use burnside_lang::syntax::ast;
use burnside_limits::{Observer, Watchdog, catch};
use burnside_views::{FAULTS, Failure, RingNeeds, prove_ring};

/// So many rows are run.
const ROWS: u64 = 200_000;
/// Windows have from so many to so many members.
const MEMBERS: std::ops::RangeInclusive<u32> = 1..=4;
/// Instances up to this size are checked one by one at most.
const SMALL: u32 = 10;

/// Whether a constant is the size of a ring, and of nothing that is symmetric.
pub(super) fn is_ring(file: &ast::File, constant: &str) -> bool {
    let contains = |all: Vec<String>| all.iter().any(|name| name == constant);
    contains(family::ring::constants(file)) && !contains(family::constants(file))
}

/// Why runs of rings are not judged.
pub(super) fn no_runs(span: Span) -> Refusal {
    let message = "runs of rings are not judged for every size";
    Refusal { span, message: message.to_string(), help: None }
}

/// Why a certificate for a ring is not checked.
pub(super) fn uncertified() -> Refusal {
    let message = "what is proved of rings has no certificate";
    Refusal { span: Span::default(), message: message.to_string(), help: None }
}

impl Known<'_, '_> {
    /// Tries to prove what is still open, by longer and longer windows.
    pub(super) fn prove_ring(
        &mut self,
        ring: &RingFamily,
        observer: &mut dyn Observer,
    ) -> Result<(), EveryError> {
        let needs = self.ring_needs(ring);
        let provable =
            |name: &String| name == FAULTS || needs.invariants.iter().any(|(known, _)| known == name);
        for k in MEMBERS {
            let least = needs.least(k);
            if least > SMALL {
                self.give_reasons(&format!("sizes below {least} are too many to be checked one by one"));
                return Ok(());
            }
            self.check(self.up_to + 1..=least - 1, observer)?;
            let open: Vec<String> = self.open().into_iter().filter(provable).collect();
            if open.is_empty() || self.exhausted || self.up_to + 1 < least {
                return Ok(());
            }
            self.windows(&needs, k, &open, observer)?;
        }
        Ok(())
    }

    fn ring_needs(&self, ring: &RingFamily) -> RingNeeds {
        let pair = |reach: &Reach| (reach.back, reach.ahead);
        let judged = self.work.judged.iter().zip(&ring.properties);
        let invariants = judged.filter_map(|(name, it)| Some((name.clone(), pair(it.as_ref().ok()?))));
        let all = || ring.rules.iter();
        let back = all().map(|reach| reach.back).max().unwrap_or(0);
        let ahead = all().map(|reach| reach.ahead).max().unwrap_or(0);
        let sort = self.work.variants.family.clone();
        RingNeeds { sort, rules: (back, ahead), invariants: invariants.collect() }
    }

    fn windows(
        &mut self,
        needs: &RingNeeds,
        k: u32,
        open: &[String],
        observer: &mut dyn Observer,
    ) -> Result<(), EveryError> {
        let rows = self.work.options.check.limits.states.unwrap_or(ROWS).min(ROWS);
        let _watchdog = Watchdog::start(&self.work.options.check.limits);
        observer.begins(&self.task(open, phase::windows(k)));
        let found = match catch(|| prove_ring(&self.work.variants, needs, k, rows, open, observer)) {
            Ok(Ok(found)) => found,
            Ok(Err(Failure::Unfit(why))) if why.starts_with("internal error") => {
                return Err(EveryError::Internal(why));
            }
            Ok(Err(failure)) => {
                self.give_reasons(&failure.to_string());
                return Ok(());
            }
            Err(stop) => {
                self.exhausted = true;
                self.give_reasons(&stop.to_string());
                return Ok(());
            }
        };
        if found.properties.is_empty() {
            self.give_reasons("windows of so few members allow bad rows, which need not be reachable");
            return Ok(());
        }
        add_to(&mut self.verified, &found.verified);
        for claim in self.claims.iter_mut().filter(|claim| found.properties.contains(&claim.name)) {
            debug_assert!(open.contains(&claim.name));
            let views = found.count;
            claim.finding = Some(Finding::Holds { k, contexts: Vec::new(), views, followed: None });
        }
        Ok(())
    }
}
