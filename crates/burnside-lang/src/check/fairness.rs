//! Warns when something is claimed to happen eventually in a model in which nothing is fair.

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Expr, ExprKind, PathOp, PropertyKind, UntilOp};

impl Checker<'_> {
    /// Properties that no model without fairness is likely to have.
    pub(super) fn warn_about_properties(&mut self) {
        let processes = self.names.processes.iter().map(|process| process.fairness);
        let rules = self.rules.iter().flatten().map(|rule| rule.fairness);
        let sets = self.fair_sets.iter().map(|set| Some(set.fairness));
        if processes.chain(rules).chain(sets).any(|fairness| fairness.is_some()) || self.has_errors() {
            return;
        }
        let eventual = |kind: &PropertyKind| match kind {
            PropertyKind::Ltl(body) | PropertyKind::Ctl(body) => claims_eventually(body, true),
            _ => false,
        };
        let found: Vec<_> = self.properties.iter().filter(|property| eventual(&property.kind)).collect();
        let Some(first) = found.first() else { return };
        let claims = match found.len() {
            1 => format!("`{}` claims", first.name),
            2 => format!("`{}` and `{}` claim", first.name, found[1].name),
            many => format!("`{}` and {} other properties claim", first.name, many - 1),
        };
        let message = format!("{claims} that something happens eventually, but nothing is fair");
        let help = "without fairness a process may stop for ever; write `fair process`, or `fair rule`";
        self.report(Diagnostic::warning(Code::NoFairness, first.span, message).help(help));
    }
}

/// Whether the formula, or its negation if not `positive`, says of all runs that something happens.
fn claims_eventually(e: &Expr, positive: bool) -> bool {
    match &e.kind {
        ExprKind::Not(a) => claims_eventually(a, !positive),
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            claims_eventually(a, positive) || claims_eventually(b, positive)
        }
        ExprKind::Implies(a, b) => claims_eventually(a, !positive) || claims_eventually(b, positive),
        ExprKind::Iff(a, b) => {
            [a, b].iter().any(|e| claims_eventually(e, true) || claims_eventually(e, false))
        }
        ExprKind::Quantify { body, .. } => claims_eventually(body, positive),
        ExprKind::Temporal(op, body) => {
            let eventual = match (op.op, op.exists) {
                (PathOp::F, None | Some(false)) => positive,
                (PathOp::G, None | Some(true)) => !positive,
                _ => false,
            };
            eventual || claims_eventually(body, positive)
        }
        ExprKind::Path { exists, body } => match &body.kind {
            ExprKind::Until(op, a, b) => {
                let strong = matches!(op, UntilOp::U | UntilOp::M);
                let eventual = if *exists { !strong && !positive } else { strong && positive };
                eventual || claims_eventually(a, positive) || claims_eventually(b, positive)
            }
            _ => false,
        },
        ExprKind::Until(op, a, b) => {
            let strong = matches!(op, UntilOp::U | UntilOp::M);
            strong == positive || claims_eventually(a, positive) || claims_eventually(b, positive)
        }
        _ => false,
    }
}
