//! Properties of runs: which can be judged by following one member, and how many members matter to whether a
//! rule is enabled.
//!
//! Entry points: [`WitnessCount::enabling`], [`WitnessCount::linear`]. A formula of linear time may speak of
//! one member, named by a `forall` that could as well stand in front of it; everything below its temporal
//! operators are conditions on states, as in invariants.

use super::{Refusal, WitnessCount, Witnesses, times_of};
use crate::diagnostic::Span;
use crate::hir::{Domain, Expr, ExprKind, PathOp, PropertyKind, Quantifier, Rule, UntilOp};
use crate::lower::is_temporal;
use burnside_limits::poll;

/// Where a formula stands.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// Below an even number of negations.
    positive: bool,
    /// Whether a `forall` here (an `exists`, if it is negated) could stand in front of everything.
    in_front: bool,
}

impl Standing {
    fn behind(self) -> Self {
        Self { in_front: false, ..self }
    }

    fn in_front_if(self, still: bool) -> Self {
        Self { in_front: self.in_front && still, ..self }
    }
}

impl<'m> WitnessCount<'m> {
    /// How many members, apart from its parameters, matter to whether a rule is disabled for some of them.
    /// Nothing if that is not known.
    pub(super) fn enabling(&mut self, rule: &'m Rule) -> Option<u32> {
        let collections = rule.params.iter().filter_map(|param| match &param.domain {
            Domain::Collection(collection) => Some(collection),
            Domain::Type => None,
        });
        let parts: Vec<&Expr> = collections.chain(&rule.guard).collect();
        let mut witnesses = 0;
        for part in parts {
            witnesses += self.expr(part).ok()?;
        }
        let indices = self.model.processes[rule.process.index()].indices.iter().copied();
        let names = indices.chain(rule.params.iter().map(|param| param.local));
        let values = names.filter_map(|name| self.plain_size(name)).fold(1, u64::saturating_mul);
        times_of(witnesses, values, rule.span).ok()
    }

    /// How many members, apart from the one that it follows, matter to each condition in a formula of linear
    /// time. Nothing if the claim is another one.
    pub(super) fn linear(&mut self, kind: &'m PropertyKind, span: Span) -> Option<Witnesses> {
        let PropertyKind::Ltl(formula) = kind else { return None };
        let mut followed = false;
        let witnesses = self.formula(formula, Standing { positive: true, in_front: true }, &mut followed);
        Some(witnesses.and_then(|witnesses| {
            match self.uses.inside(span).find(|at| !self.claimed.contains(at)) {
                Some(at) => Err(Refusal::new(at, "this depends on how many members there are")
                    .help("only the number of members that something is true of may be compared with it")),
                None => Ok(witnesses),
            }
        }))
    }

    fn formula(&mut self, e: &'m Expr, at: Standing, followed: &mut bool) -> Witnesses {
        poll();
        if !is_temporal(e) {
            return self.condition(e);
        }
        match &e.kind {
            ExprKind::Not(a) => self.formula(a, Standing { positive: !at.positive, ..at }, followed),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                Ok(self.formula(a, at, followed)?.max(self.formula(b, at, followed)?))
            }
            ExprKind::Implies(a, b) => {
                let negated = Standing { positive: !at.positive, ..at };
                Ok(self.formula(a, negated, followed)?.max(self.formula(b, at, followed)?))
            }
            ExprKind::Iff(a, b) => {
                Ok(self.formula(a, at.behind(), followed)?.max(self.formula(b, at.behind(), followed)?))
            }
            ExprKind::Temporal(operator, a) => {
                let still = match operator.op {
                    PathOp::X => true,
                    PathOp::G => at.positive,
                    PathOp::F => !at.positive,
                };
                self.formula(a, at.in_front_if(still), followed)
            }
            ExprKind::Until(operator, a, b) => {
                let left = matches!(operator, UntilOp::U | UntilOp::W) == at.positive;
                let first = self.formula(a, at.in_front_if(left), followed)?;
                Ok(first.max(self.formula(b, at.in_front_if(!left), followed)?))
            }
            ExprKind::Quantify { .. } => self.formula_for_all(e, at, followed),
            _ => Err(Refusal::new(e.span, "this is not judged for every size")),
        }
    }

    fn condition(&mut self, e: &'m Expr) -> Witnesses {
        let mut step = None;
        e.each(&mut |part| {
            if matches!(part.kind, ExprKind::Next(_)) {
                step.get_or_insert(part.span);
            }
        });
        match step {
            Some(span) => Err(Refusal::new(span, "conditions on steps are not judged for every size")
                .help("write it with `X`")),
            None => self.expr(e),
        }
    }

    fn formula_for_all(&mut self, e: &'m Expr, at: Standing, followed: &mut bool) -> Witnesses {
        let ExprKind::Quantify { quantifier, binders, filter, body } = &e.kind else {
            unreachable!("asked for quantifiers only")
        };
        let all = (*quantifier == Quantifier::Forall) == at.positive;
        let mut inner = at;
        for binder in binders {
            if !self.is_member_name(binder.local, e.span)? {
                inner = inner.in_front_if(all);
                continue;
            }
            if !all || !inner.in_front {
                let message = "only a member that is named by a `forall` in front of the formula is followed";
                return Err(
                    Refusal::new(e.span, message).help("put it in front, or below the temporal operators")
                );
            }
            if std::mem::replace(followed, true) {
                let message = "this follows more than one member, and only one is followed for every size";
                let help = "say what it says of others below the temporal operators";
                return Err(Refusal::new(e.span, message).help(help));
            }
        }
        let filtered = match filter {
            Some(filter) => self.condition(filter)?,
            None => 0,
        };
        Ok(filtered.max(self.formula(body, inner, followed)?))
    }
}
