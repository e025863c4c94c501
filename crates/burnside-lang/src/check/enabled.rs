//! `enabled(…)`: which rules, of which member, with which arguments.

use super::Checker;
use super::expr::{TypeHint, strip};
use super::index::Symbol;
use super::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, ProcessId, RuleId, Stored};
use crate::syntax::ast;

/// How deep guards may ask for the rules of guards.
const MAX_ASKED: usize = 50;

/// How many guards one may ask for in all, each as often as it is asked for: they are parts of it.
const MAX_WEIGHT: u32 = 10_000;

/// What stands between the parentheses.
pub(super) struct Target<'e> {
    pub process: Option<&'e ast::Expr>,
    pub name: ast::Name,
    pub args: Option<&'e [ast::Expr]>,
}

impl Checker<'_> {
    pub(super) fn enabled(&mut self, span: Span, target: &ast::Expr) -> Option<Expr> {
        if !self.env.context.is_property() && self.guarding.is_empty() {
            let message = "`enabled` is only for properties and for the guards of rules";
            self.report(Diagnostic::error(Code::EnabledOutsideProperty, span, message));
            return None;
        }
        let target = strip(target);
        if matches!(target.kind, ast::ExprKind::Error) {
            return self.left_out();
        }
        if let Some((process, args)) = self.process_ref(target)
            && !self.is_rule(target)
        {
            return self.enabled_process(span, process, target, args);
        }
        let Some(Target { process, name, args }) = dissect(target) else {
            let diagnostic = Diagnostic::error(Code::UnknownRule, target.span, "this is not a rule");
            self.report(
                diagnostic.help("write `enabled(r)`, `enabled(r(a))`, `enabled(P[i].r)` or `enabled(P[i])`"),
            );
            return None;
        };
        let own = self.env.process.filter(|process| {
            process.index() < self.names.processes.len()
                && self.names.processes[process.index()].rules.contains_key(&name.text)
        });
        let (process, member) = match (process, own) {
            (None, Some(own)) => (Some(own), Some(Some(self.own_member(span)))),
            (None, None) => (None, Some(None)),
            (Some(e), _) => self.named_process(e)?,
        };
        let rule = self.rule_named(process, &name);
        if let Some(rule) = rule {
            self.asked(span, rule)?;
        }
        let args = args.map(|args| self.rule_arguments(rule, &name, args));
        let args = match args {
            Some(args) => Some(args?),
            None => None,
        };
        Some(self.boolean(span, ExprKind::Enabled { rules: vec![rule?], member: member?, args }))
    }

    /// Whether a plain name is that of a rule.
    pub(super) fn is_rule(&self, target: &ast::Expr) -> bool {
        matches!(&target.kind, ast::ExprKind::Name(name) if self.names.rules.contains_key(name))
    }

    fn enabled_process(
        &mut self,
        span: Span,
        process: ProcessId,
        target: &ast::Expr,
        args: &[ast::Expr],
    ) -> Option<Expr> {
        self.note_process(target, process);
        let member = self.some_member(target.span, process, args)?;
        let rules: Vec<RuleId> = self.names.processes[process.index()].rules.values().copied().collect();
        let mut rules = rules;
        rules.sort();
        for rule in &rules {
            self.asked(span, *rule)?;
        }
        Some(self.boolean(span, ExprKind::Enabled { rules, member, args: None }))
    }

    /// A guard asks whether a rule is enabled: its own guard must be known before, and not ask for this one.
    fn asked(&mut self, span: Span, rule: RuleId) -> Option<()> {
        let Some(&asking) = self.guarding.last() else { return Some(()) };
        if self.guarding.contains(&rule) {
            let name = |rule: RuleId| format!("`{}`", self.decls.rules[rule.index()].rule.name.text);
            let from = self.guarding.iter().position(|it| *it == rule).unwrap_or_default();
            let around: Vec<String> =
                self.guarding[from..].iter().chain([&rule]).map(|rule| name(*rule)).collect();
            let message = match around.as_slice() {
                [_, _] => "the guard asks whether its own rule is enabled".to_string(),
                _ => format!("the guards ask for each other: {}", around.join(" asks for ")),
            };
            let help = "say the condition itself, or give it a name with `fn`";
            self.report(Diagnostic::error(Code::EnabledCycle, span, message).help(help));
            return None;
        }
        if self.rules[rule.index()].is_none() {
            if self.guarding.len() >= MAX_ASKED {
                let message = format!("guards ask for each other more than {MAX_ASKED} levels deep");
                self.report(Diagnostic::error(Code::EnabledCycle, span, message));
                return None;
            }
            self.rule_body(rule);
        }
        let (priority, own) = (self.rules[rule.index()].as_ref()?.priority, self.guarding_priority);
        if priority < own {
            let name = &self.decls.rules[rule.index()].rule.name.text;
            let message =
                format!("`{name}` has a lower priority, so whether it is enabled depends on this rule");
            let help = format!("give `{name}` a priority of {own} or more, or say its condition itself");
            self.report(Diagnostic::error(Code::EnabledCycle, span, message).help(help));
            return None;
        }
        let weight = self.guard_weights[rule.index()];
        let sum = &mut self.guard_weights[asking.index()];
        *sum = sum.saturating_add(weight);
        if *sum > MAX_WEIGHT {
            let message = "the guards that this one asks for are too many together";
            self.report(Diagnostic::error(Code::EnabledCycle, span, message));
            return None;
        }
        Some(())
    }

    /// The member that is named, or any one.
    fn some_member(
        &mut self,
        span: Span,
        process: ProcessId,
        args: &[ast::Expr],
    ) -> Option<Option<Vec<Expr>>> {
        let single = self.names.processes[process.index()].indices.is_empty();
        if args.is_empty() && !single {
            return Some(None);
        }
        self.process_member(span, process, args).map(Some)
    }

    #[expect(clippy::type_complexity)]
    fn named_process(&mut self, e: &ast::Expr) -> Option<(Option<ProcessId>, Option<Option<Vec<Expr>>>)> {
        let Some((process, args)) = self.process_ref(e) else {
            self.error(Code::NotAProcess, e.span, "this is not a process");
            return None;
        };
        self.note_process(e, process);
        Some((Some(process), self.some_member(e.span, process, args)))
    }

    pub(super) fn rule_named(&mut self, process: Option<ProcessId>, name: &ast::Name) -> Option<RuleId> {
        let Some(process) = process else { return self.rule_anywhere(name) };
        let info = &self.names.processes[process.index()];
        if let Some(&rule) = info.rules.get(&name.text) {
            self.note(name.span, Symbol::Rule(rule));
            return Some(rule);
        }
        let message = format!("`{}` has no rule `{}`", info.name, name.text);
        let near = nearest(&name.text, info.rules.keys().map(String::as_str));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownRule, name.span, message) });
        None
    }

    fn rule_anywhere(&mut self, name: &ast::Name) -> Option<RuleId> {
        let rules = self.names.rules.get(&name.text).map_or(&[][..], Vec::as_slice);
        match *rules {
            [rule] => {
                self.note(name.span, Symbol::Rule(rule));
                Some(rule)
            }
            [] => {
                let near = nearest(&name.text, self.names.rules.keys().map(String::as_str));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let message = format!("unknown rule `{}`", name.text);
                self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownRule, name.span, message) });
                None
            }
            _ => {
                let owners =
                    self.names.processes.iter().filter(|process| process.rules.contains_key(&name.text));
                let options: Vec<String> =
                    owners.map(|process| format!("`{}.{}`", process.name, name.text)).collect();
                let message = format!("several processes have a rule `{}`", name.text);
                let help = format!("write {}", options.join(" or "));
                self.report(Diagnostic::error(Code::AmbiguousName, name.span, message).help(help));
                None
            }
        }
    }

    fn rule_arguments(
        &mut self,
        rule: Option<RuleId>,
        name: &ast::Name,
        args: &[ast::Expr],
    ) -> Option<Vec<Expr>> {
        let Some(checked) = rule.and_then(|rule| self.rules[rule.index()].as_ref()) else {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            return None;
        };
        let types: Vec<Stored> =
            checked.params.iter().map(|param| self.locals[param.local.index()].ty).collect();
        if types.len() != args.len() {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(name, types.len(), args.len());
            return None;
        }
        let args: Vec<Option<Expr>> = args.iter().zip(types).map(|(arg, ty)| self.check(arg, ty)).collect();
        args.into_iter().collect()
    }
}

pub(super) fn dissect(target: &ast::Expr) -> Option<Target<'_>> {
    use ast::ExprKind as Kind;
    match &target.kind {
        Kind::Name(text) => {
            let name = ast::Name { text: text.clone(), span: target.span };
            Some(Target { process: None, name, args: None })
        }
        Kind::Call(name, args) => Some(Target { process: None, name: name.clone(), args: Some(args) }),
        Kind::Field(process, name) => Some(Target { process: Some(process), name: name.clone(), args: None }),
        Kind::Method(process, name, args) => {
            Some(Target { process: Some(process), name: name.clone(), args: Some(args) })
        }
        _ => None,
    }
}
