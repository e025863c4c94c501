//! Conditions that can be watched: which truth values they have while a model runs.
//!
//! Entry point: [`lower_probed`](super::lower_probed). A watched condition becomes a range check that never
//! fails, with a site of its own; an interpreter that remembers what checks let through tells the rest. The
//! states of the probed system are those of the model. Conditions that the checker has made, for `match`
//! among others, are not watched; the cases that they decide between are.

use super::Lowering;
use crate::diagnostic::Span;
use crate::hir::{self, Expr};
use burnside_ts::{self as ts, Check, SiteId, Stmt};

/// What a watched condition is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeRole {
    /// A part of the guard of the rule with this number.
    Guard(usize),
    /// The condition of an `if`.
    Condition,
    /// A case of a `match`: true when it is taken.
    Case,
    /// What is assumed in an implication, or the `where` of a `forall`.
    Premise,
}

impl ProbeRole {
    fn name(self) -> String {
        match self {
            ProbeRole::Guard(rule) => format!("guard {rule}"),
            ProbeRole::Condition => "condition".to_string(),
            ProbeRole::Case => "case".to_string(),
            ProbeRole::Premise => "premise".to_string(),
        }
    }
}

/// A watched condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Where its values are remembered.
    pub site: SiteId,
    /// What it is for.
    pub role: ProbeRole,
    /// What is decided by it: a rule, an `if`, an implication.
    pub scope: Span,
}

impl Lowering<'_> {
    /// The value of a condition, which is watched if that is wanted.
    pub(super) fn watched(&mut self, condition: &Expr, role: ProbeRole, scope: Span) -> ts::Expr {
        let value = self.scalar(condition);
        match self.probe(condition.span, role, scope) {
            Some(site) => ts::Expr::Check(Box::new(Check { value, lo: 0, hi: 1, site })),
            None => value,
        }
    }

    /// Whether a condition was made by the checker: then it has no place of its own.
    pub(super) fn is_made(condition: &Expr, scope: Span) -> bool {
        condition.span == scope
    }

    /// The condition of an `if`.
    pub(super) fn branch_condition(&mut self, condition: &Expr, scope: Span) -> ts::Expr {
        match Self::is_made(condition, scope) {
            true => self.scalar(condition),
            false => self.watched(condition, ProbeRole::Condition, scope),
        }
    }

    /// Tells that a case begins, if that is watched: where its text is, and that of the whole `match`.
    pub(super) fn case(&mut self, text: Span, scope: Span) -> Option<Stmt> {
        let site =
            if text.start > scope.start { self.probe(text, ProbeRole::Case, text)? } else { return None };
        let value = ts::Expr::Check(Box::new(Check { value: ts::Expr::Const(1), lo: 0, hi: 1, site }));
        Some(Stmt::Local(self.frame.slot(), value))
    }

    /// A branch of an `if` that was made for a `match`.
    pub(super) fn branch(&mut self, made: bool, body: &[hir::Stmt], scope: Span) -> Box<[Stmt]> {
        let decides = |first: &hir::Stmt| match &first.kind {
            hir::StmtKind::If(condition, ..) => Self::is_made(condition, first.span) && first.span == scope,
            _ => false,
        };
        let first = body.first().filter(|first| made && !decides(first));
        let case = first.and_then(|first| self.case(first.span, scope));
        let rest = self.block(body);
        if case.is_none() { rest } else { case.into_iter().chain(rest).collect() }
    }

    /// What tells that the values of an `if` that was made for a `match` are taken.
    pub(super) fn cases_of(&mut self, condition: &Expr, values: [&Expr; 2], scope: Span) -> [Vec<Stmt>; 2] {
        let made = Self::is_made(condition, scope);
        let decides = |value: &Expr| matches!(value.kind, hir::ExprKind::If(..)) && value.span == scope;
        values.map(|value| match made && !decides(value) {
            true => self.case(value.span, scope).into_iter().collect(),
            false => Vec::new(),
        })
    }

    fn probe(&mut self, span: Span, role: ProbeRole, scope: Span) -> Option<SiteId> {
        if self.probes.is_none() || self.element_names.is_some() {
            return None;
        }
        let known = self.sites.len();
        let site = self.site_with(self.with_brackets(span), Some(role.name()));
        if site.index() >= known {
            self.probes.iter_mut().for_each(|probes| probes.push(Probe { site, role, scope }));
        }
        Some(site)
    }

    /// A place with the brackets that close after it what is opened in it: the place of `a[i]` ends with its
    /// index.
    fn with_brackets(&self, span: Span) -> Span {
        let text = span.text(self.source);
        let open = text.matches('[').count().saturating_sub(text.matches(']').count());
        let rest = self.source.get(span.end as usize..).unwrap_or_default();
        let closing = rest.match_indices(']').take(open).last();
        match closing.filter(|(at, _)| rest[..*at].chars().all(|c| c == ']' || c.is_whitespace())) {
            Some((at, _)) => Span::new(span.start, span.end + at as u32 + 1),
            None => span,
        }
    }
}
