//! Formulas of linear time for every size: small instances by the ordinary engines first, then one member is
//! followed by `burnside-views`.
//!
//! Entry points: [`LiveWork::new`], [`LiveClaims`]. The set of views that a proof rests on is checked like
//! every other one; what is concluded from it is not checked again.

use super::phase::{self, Phase};
use super::{Finding, TYPICAL, Unproved, Variants, add_to};
use crate::ask;
use crate::check::CheckError;
use crate::every::{EveryError, EveryOptions};
use crate::report::Report;
use burnside_engine::Verdict;
use burnside_lang::diagnostic::Span;
use burnside_lang::family::{self, Family, Refusal};
use burnside_limits::{Observer, Task, catch};
use burnside_ts::Kind;
use burnside_views::context::{self, Context};
use burnside_views::{
    Attempt, Certificate, Closed, FAULTS, Failure, Followed, Instances, LiveNeeds, Needs, Verified, follow,
    simple,
};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// So many states, or orbits, of an instance are looked at.
const STATES: u64 = 20_000;
/// So many states are run to close a set of views, and as many to follow a member.
const CLOSURE: u64 = 30_000;
/// So many states are run in all.
const ALL: u64 = 120_000;
/// So many contexts are tried.
const CONTEXTS: usize = 8;

/// A model with its formulas and its fairness.
pub(super) struct LiveWork<'t> {
    options: &'t EveryOptions,
    variants: Variants<'t>,
    /// The formulas that are asked for: names and places.
    formulas: Vec<(String, Span)>,
    family: Result<Family, Vec<Refusal>>,
    /// The judged properties, by position in the family's lists.
    names: Vec<(String, Kind)>,
}

impl<'t> LiveWork<'t> {
    /// The work on some formulas; nothing if there are none, or if instances cannot be built.
    pub fn new(safe: &super::Work<'t>, formulas: Vec<(String, Span)>) -> Option<Self> {
        if formulas.is_empty() {
            return None;
        }
        let plain = &safe.variants;
        let mut variants = Variants {
            text: plain.text,
            file: plain.file.clone(),
            settings: plain.settings,
            constant: plain.constant.clone(),
            names: Vec::new(),
            watched: None,
            is_live: true,
            known: RefCell::default(),
            family: plain.family.clone(),
            flagged: RefCell::default(),
        };
        let typical = variants.load(TYPICAL).ok()?;
        let hir = typical.hir()?;
        let family = match super::ring::is_ring(&variants.file, &variants.constant) {
            true => Err(vec![super::ring::no_runs(formulas[0].1)]),
            false => family::analyse(hir, variants.text, &variants.file, &variants.constant)
                .and_then(|family| without_majorities(family, formulas[0].1)),
        };
        let kind = |property: &burnside_ts::Property| (property.name.clone(), property.question.kind());
        let names: Vec<(String, Kind)> = typical.system.properties.iter().map(kind).collect();
        variants.names = names.iter().map(|(name, _)| name.clone()).collect();
        Some(Self { options: safe.options, variants, formulas, family, names })
    }

    /// What matters to states and steps, and to runs.
    fn needs(&self, family: &Family) -> (Needs, LiveNeeds) {
        let judged = self.names.iter().zip(&family.properties);
        let invariants = judged.filter(|((_, kind), _)| *kind == Kind::Invariant);
        let invariants = invariants.filter_map(|((name, _), it)| Some((name.clone(), *it.as_ref().ok()?)));
        let linear = self.names.iter().zip(&family.linear);
        let formulas =
            linear.filter_map(|((name, _), it)| Some((name.clone(), *it.as_ref()?.as_ref().ok()?)));
        let needs = Needs {
            sort: self.variants.family.clone(),
            init: family.init,
            step: family.rules.iter().copied().max().unwrap_or(0),
            rules: family.rules.clone(),
            invariants: invariants.collect(),
            functions: family.functions.clone(),
            majorities: Vec::new(),
        };
        let (enabling, formulas) = (family.enabling.clone(), formulas.collect());
        (needs, LiveNeeds { is_fair: self.options.check.is_fair(), enabling, formulas })
    }

    /// Why a formula cannot be judged; nothing if it can.
    fn refusal(&self, name: &str) -> Option<Refusal> {
        let family = match &self.family {
            Ok(family) => family,
            Err(refusals) => return refusals.first().cloned(),
        };
        let position = self.names.iter().position(|(it, _)| it == name)?;
        family.linear.get(position)?.as_ref()?.as_ref().err().cloned()
    }
}

/// What a member may do depends on flags where majorities are asked for, and fairness on what is true.
fn without_majorities(family: Family, span: Span) -> Result<Family, Vec<Refusal>> {
    let message = "runs of models that ask for majorities are not judged for every size";
    match family.majorities.is_empty() {
        true => Ok(family),
        false => Err(vec![Refusal { span, message: message.to_string(), help: None }]),
    }
}

/// What is known of a formula.
struct LiveClaim {
    name: String,
    finding: Option<Finding>,
    /// It is not violated up to this size.
    up_to: u32,
    /// Whether larger instances are too large.
    exhausted: bool,
    reason: Option<Unproved>,
    /// Whether the reason says what was seen when a member was followed.
    is_followed: bool,
}

/// What is known so far.
pub(super) struct LiveClaims<'w, 't> {
    work: &'w LiveWork<'t>,
    claims: Vec<LiveClaim>,
    pub violations: Vec<(u32, Report)>,
    pub verified: Option<Verified>,
}

impl<'w, 't> LiveClaims<'w, 't> {
    pub fn new(work: &'w LiveWork<'t>) -> Self {
        let claim = |(name, _): &(String, Span)| LiveClaim {
            name: name.clone(),
            finding: None,
            up_to: 0,
            exhausted: false,
            reason: None,
            is_followed: false,
        };
        let claims = work.formulas.iter().map(claim).collect();
        Self { work, claims, violations: Vec::new(), verified: None }
    }

    /// What is known of a formula.
    pub fn finding(&self, name: &str) -> Option<Finding> {
        let claim = self.claims.iter().find(|claim| claim.name == name)?;
        let unknown = || {
            let refused = self.work.refusal(name).map(Unproved::Refused);
            let tried = refused.or_else(|| claim.reason.clone());
            let nothing = || Unproved::Stopped(String::from("nothing was tried"));
            Finding::Unknown { up_to: claim.up_to, reason: tried.unwrap_or_else(nothing) }
        };
        Some(claim.finding.clone().unwrap_or_else(unknown))
    }

    /// Checks instances for violations of what is still open.
    pub fn check(
        &mut self,
        sizes: RangeInclusive<u32>,
        observer: &mut dyn Observer,
    ) -> Result<(), EveryError> {
        for size in sizes {
            let is_open = |claim: &&mut LiveClaim| claim.finding.is_none() && !claim.exhausted;
            let Some(model) = self.work.variants.model(size) else {
                self.claims.iter_mut().for_each(|claim| claim.exhausted = true);
                return Ok(());
            };
            let open: Vec<String> =
                self.claims.iter_mut().filter(is_open).map(|claim| claim.name.clone()).collect();
            if open.is_empty() {
                return Ok(());
            }
            // What names a member that is not there says nothing about this size.
            let open: Vec<String> =
                open.into_iter().filter(|name| model.properties().any(|it| it == name)).collect();
            if open.is_empty() {
                continue;
            }
            let mut options = self.work.options.check.clone();
            options.properties = open;
            let there = options.properties.clone();
            options.limits.states = Some(options.limits.states.unwrap_or(STATES).min(STATES));
            let mut phase = Phase::of_size(&self.work.variants.constant, size, observer);
            match ask::check(&model, &options, &mut phase) {
                Ok(report) => self.learn(size, report),
                // An instance without initial states violates nothing.
                Err(CheckError::NoInitialState(_)) => {
                    let asked = self.claims.iter_mut().filter(is_open);
                    asked.filter(|claim| there.contains(&claim.name)).for_each(|claim| claim.up_to = size);
                }
                Err(CheckError::Stopped(stop)) => return Err(EveryError::Stopped(stop)),
                Err(error) => return Err(EveryError::Check(size, error)),
            }
        }
        Ok(())
    }

    fn learn(&mut self, size: u32, report: Report) {
        let mut violated = false;
        for claim in self.claims.iter_mut().filter(|claim| claim.finding.is_none() && !claim.exhausted) {
            match report.answer(&claim.name).map(|answer| &answer.verdict) {
                Some(Verdict::Violated) => {
                    claim.finding = Some(Finding::Violated { size });
                    violated = true;
                }
                Some(Verdict::Holds) => claim.up_to = size,
                Some(Verdict::Unknown(_)) => claim.exhausted = true,
                None => {}
            }
        }
        if violated {
            self.violations.push((size, report));
        }
    }

    /// What a task looks like to those who watch.
    fn task(&self, names: &[String], phase: String) -> Task {
        let numbered = self.claims.iter().map(|claim| claim.name.clone()).enumerate();
        let properties = numbered.filter(|(_, name)| names.contains(name)).collect();
        Task { properties, of: self.claims.len(), phase: Some(phase) }
    }

    /// Tries to prove what is still open.
    pub fn prove(&mut self, observer: &mut dyn Observer) -> Result<(), EveryError> {
        let Ok(family) = &self.work.family else { return Ok(()) };
        let (needs, live) = self.work.needs(family);
        let Some(two) = self.work.variants.instance(2) else { return Ok(()) };
        let all = context::candidates(&two, &needs).into_iter().chain(simple::predicates(&two, &needs.sort));
        let mut texts: Vec<String> = Vec::new();
        for text in all.map(|predicate| predicate.text(&two)) {
            if !texts.contains(&text) && texts.len() < CONTEXTS {
                texts.push(text);
            }
        }
        let mut left = ALL;
        for (k, contexts) in attempts(&texts) {
            let is_open = |claim: &&LiveClaim| {
                let judged = live.formulas.iter().any(|(name, _)| *name == claim.name);
                // Instances that are smaller than a view must be known.
                claim.finding.is_none() && judged && claim.up_to + 1 >= k
            };
            let wanted: Vec<String> =
                self.claims.iter().filter(is_open).map(|claim| claim.name.clone()).collect();
            if wanted.is_empty() || left == 0 {
                return Ok(());
            }
            let limit = self.work.options.check.limits.states.unwrap_or(CLOSURE).min(CLOSURE);
            let attempt = Attempt { k, contexts, states: limit, wanted: vec![FAULTS.to_string()] };
            observer.begins(&self.task(&wanted, phase::views(k, attempt.contexts.len())));
            match catch(|| self.attempt(&needs, &live, &attempt, &wanted, observer)) {
                Ok(Ok((closed, followed))) => {
                    left = left.saturating_sub(closed.states + followed.states);
                    match catch(|| self.note(&needs, closed, followed, observer)) {
                        Ok(noted) => noted?,
                        Err(stop) => {
                            self.give_reason(&wanted, &stop.to_string(), false);
                            return Ok(());
                        }
                    }
                }
                Ok(Err(failure)) => {
                    if let Failure::States(states) = failure {
                        left = left.saturating_sub(states);
                    }
                    self.give_reason(&wanted, &reason(&failure), false);
                }
                Err(stop) => {
                    self.give_reason(&wanted, &stop.to_string(), false);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn attempt(
        &self,
        needs: &Needs,
        live: &LiveNeeds,
        attempt: &Attempt,
        wanted: &[String],
        observer: &mut dyn Observer,
    ) -> Result<(Closed, Followed), Failure> {
        let variants = &self.work.variants;
        let closed = burnside_views::prove(variants, needs, attempt, observer)?;
        observer.begins(&self.task(wanted, String::from(phase::FOLLOWING)));
        let followed = follow(variants, needs, live, &closed.proof, wanted, attempt.states, observer)?;
        Ok((closed, followed))
    }

    fn note(
        &mut self,
        needs: &Needs,
        closed: Closed,
        followed: Followed,
        observer: &mut dyn Observer,
    ) -> Result<(), EveryError> {
        for (name, why) in followed.open {
            self.give_reason(&[name], &why, true);
        }
        if followed.holds.is_empty() {
            return Ok(());
        }
        let proof = &closed.proof;
        if !self.work.options.trust {
            let constant = self.work.variants.constant.clone();
            let single = Certificate { constant, proofs: vec![proof.clone()] };
            observer.begins(&self.task(&proof.properties, String::from(phase::PROOF)));
            let verified = burnside_views::verify(&self.work.variants, needs, &single, observer);
            let verified = verified.map_err(|rejection| EveryError::Internal(rejection.to_string()))?;
            add_to(&mut self.verified, &verified);
        }
        let contexts: Vec<String> = proof.contexts.iter().map(|context| context.text.clone()).collect();
        for (name, nodes) in followed.holds {
            if let Some(claim) = self.claims.iter_mut().find(|claim| claim.name == name) {
                let (k, views, contexts) = (proof.k, proof.views.len() as u64, contexts.clone());
                claim.finding = Some(Finding::Holds { k, contexts, views, followed: Some(nodes) });
            }
        }
        Ok(())
    }

    /// Says why some formulas are not proved. What was seen by following says more than why nothing was.
    fn give_reason(&mut self, names: &[String], why: &str, is_followed: bool) {
        for claim in self.claims.iter_mut().filter(|claim| names.contains(&claim.name)) {
            if is_followed || !claim.is_followed {
                claim.reason = Some(Unproved::Stopped(why.to_string()));
                claim.is_followed = is_followed;
            }
        }
    }
}

fn reason(failure: &Failure) -> String {
    match failure {
        Failure::Hopeless(_) => String::from("that no step faults is not proved"),
        Failure::States(_) | Failure::Size(_) | Failure::Unfit(_) => failure.to_string(),
    }
}

/// What is tried, in order: small views first, then counts of members beside them.
fn attempts(candidates: &[String]) -> Vec<(u32, Vec<Context>)> {
    let context = |text: &String| Context { text: text.clone(), most: 1 };
    let mut all = vec![(1, Vec::new()), (2, Vec::new())];
    for k in [1, 2] {
        all.extend(candidates.iter().map(|text| (k, vec![context(text)])));
    }
    for k in [1, 2] {
        for (i, first) in candidates.iter().enumerate() {
            all.extend(candidates[i + 1..].iter().map(|second| (k, vec![context(first), context(second)])));
        }
    }
    all
}
