//! `fair answer(c: Client) { grant(c, _), refuse(c) }`: rules that are fair together.
//!
//! Entry point: `fair_sets`. The arguments of a rule are parameters of the set, each of them once, or `_`, so
//! that a rule instance belongs to one unit of the set and no permutation tells units apart.

use super::Checker;
use super::collect::{FairDecl, fairness};
use super::enabled::{Target, dissect};
use super::expr::strip;
use super::index::Symbol;
use super::scope::Bound;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{self, LocalId, ProcessId, RuleId, SetMember, Stored};
use crate::syntax::ast;
use burnside_ts::TypeId;

/// A parameter of a set.
struct SetParam<'a> {
    name: &'a ast::Name,
    local: LocalId,
    ty: Option<TypeId>,
}

/// The rules that one text names, with its arguments for the indices of their process and for their own
/// parameters; none: whatever they are.
struct Named<'a> {
    rules: Vec<RuleId>,
    indices: Option<&'a [ast::Expr]>,
    args: Option<&'a [ast::Expr]>,
}

impl<'a> Checker<'a> {
    pub(super) fn fair_sets(&mut self) {
        let mut known: Vec<(Option<ProcessId>, String, Span)> = Vec::new();
        for decl in self.decls.fair_sets.clone() {
            let Some(set) = self.fair_set(decl) else { continue };
            let first = known.iter().find(|(process, name, _)| *process == set.process && *name == set.name);
            let first = first.map(|(_, _, span)| *span).or_else(|| self.named_like(&set));
            let span = decl.set.name.as_ref().map_or(set.span, |name| name.span);
            match first {
                Some(first) => self.duplicate(&ast::Name { text: set.name, span }, first),
                None => {
                    known.push((set.process, set.name.clone(), span));
                    self.fair_sets.push(set);
                }
            }
        }
    }

    /// The rule, or the process, that has the name of a set: reports would confuse them.
    fn named_like(&self, set: &hir::FairSet) -> Option<Span> {
        match set.process {
            Some(process) => {
                let rule = self.names.processes[process.index()].rules.get(&set.name)?;
                Some(self.decls.rules[rule.index()].rule.name.span)
            }
            None => {
                let process = self.names.process_names.get(&set.name)?;
                Some(self.names.processes[process.index()].span)
            }
        }
    }

    fn fair_set(&mut self, FairDecl { set, process, span }: FairDecl<'a>) -> Option<hir::FairSet> {
        let params = self.set_params(&set.params);
        let mut members: Vec<SetMember> = Vec::new();
        let mut complete = true;
        for member in &set.members {
            match self.set_members(process, &params, member) {
                Some(more) => {
                    let twice = more.iter().any(|it| members.iter().any(|known| known.rule == it.rule));
                    if twice {
                        let message = "this set has the same rule twice";
                        self.error(Code::FairSet, member.span, message);
                        complete = false;
                    } else {
                        members.extend(more);
                    }
                }
                None => complete = false,
            }
        }
        if !complete {
            return None;
        }
        if members.is_empty() {
            let diagnostic = Diagnostic::error(Code::FairSet, span, "this set has no rules");
            self.report(diagnostic.help("write the rules that are fair together: `fair { a, b }`"));
            return None;
        }
        let name = match &set.name {
            Some(name) => name.text.clone(),
            None => self.set_name(process, &members),
        };
        let fairness = fairness(Some(set.fairness))?;
        Some(hir::FairSet { name, span, process, members, fairness })
    }

    /// `{a, b}`, or with the processes of the rules.
    fn set_name(&self, process: Option<ProcessId>, members: &[SetMember]) -> String {
        let name = |member: &SetMember| {
            let decl = &self.decls.rules[member.rule.index()];
            match process {
                Some(_) => decl.rule.name.text.clone(),
                None => {
                    let process = &self.names.processes[decl.process.index()].name;
                    format!("{process}.{}", decl.rule.name.text)
                }
            }
        };
        format!("{{{}}}", members.iter().map(name).collect::<Vec<_>>().join(", "))
    }

    fn set_params(&mut self, fields: &'a [ast::Field]) -> Vec<SetParam<'a>> {
        let mut params: Vec<SetParam<'a>> = Vec::new();
        for field in fields {
            let first = params.iter().find(|it| it.name.text == field.name.text);
            if let Some(first) = first.map(|first| first.name.span) {
                self.duplicate(&field.name, first);
            }
            let ty = self.numbered(&field.ty, "the parameters of a set of rules");
            let stored = ty.map_or(Stored::Int, Stored::Type);
            let local = self.fresh(&field.name.text, field.name.span, stored, Bound::Parameter);
            params.push(SetParam { name: &field.name, local, ty });
        }
        params
    }

    /// The rules that are named.
    fn set_members(
        &mut self,
        process: Option<ProcessId>,
        params: &[SetParam<'a>],
        member: &ast::Expr,
    ) -> Option<Vec<SetMember>> {
        let target = strip(member);
        if matches!(target.kind, ast::ExprKind::Error) {
            return self.left_out();
        }
        let own = process.map_or(0, |process| self.decls.processes[process.index()].indices.len());
        let Named { rules, indices, args } = self.set_rules(process, target)?;
        let one = |rule: RuleId| {
            let types = self.rules[rule.index()].as_ref().map(|checked| self.rule_types(checked));
            let Some(types) = types else { return self.left_out() };
            let of_process =
                self.decls.processes[self.decls.rules[rule.index()].process.index()].indices.len();
            let mut positions: Vec<Option<usize>> = vec![None; params.len()];
            let (outer, inner) = types.split_at(of_process);
            let fits = self.bind_all(target.span, indices, 0, outer, params, &mut positions)
                && self.bind_all(target.span, args, of_process, inner, params, &mut positions);
            if !fits {
                return None;
            }
            if let Some(missing) = positions.iter().position(Option::is_none) {
                let (rule, name) =
                    (&self.decls.rules[rule.index()].rule.name.text, &params[missing].name.text);
                let message = format!("`{rule}` does not say which `{name}` it belongs to");
                let help = format!("give `{name}` as one of its arguments, and `_` for the others");
                self.report(Diagnostic::error(Code::FairSet, target.span, message).help(help));
                return None;
            }
            Some(SetMember { rule, params: (0..own).chain(positions.into_iter().flatten()).collect() })
        };
        rules.into_iter().map(one).collect()
    }

    /// Which rules a text names: inside of a process its own, outside as in `enabled(…)`.
    fn set_rules<'e>(&mut self, process: Option<ProcessId>, target: &'e ast::Expr) -> Option<Named<'e>> {
        if process.is_none()
            && let Some((process, indices)) = self.process_ref(target)
            && !self.is_rule(target)
        {
            self.note_process(target, process);
            let mut rules: Vec<RuleId> =
                self.names.processes[process.index()].rules.values().copied().collect();
            rules.sort();
            return Some(Named { rules, indices: (!indices.is_empty()).then_some(indices), args: None });
        }
        let named = dissect(target).filter(|named| process.is_none() || named.process.is_none());
        let Some(Target { process: of, name, args }) = named else {
            let diagnostic = Diagnostic::error(Code::FairSet, target.span, "this is not a rule");
            let help = match process {
                Some(_) => {
                    "write rules of this process: `r`, `r(a, _)`; sets of several processes stand outside of them"
                }
                None => "write `r`, `P.r`, `P[i].r(a, _)`, or `P[i]` for all rules of a process",
            };
            self.report(diagnostic.help(help));
            return None;
        };
        let (mut indices, mut within) = (None, process);
        if let Some(e) = of {
            let Some((process, given)) = self.process_ref(e) else {
                self.error(Code::NotAProcess, e.span, "this is not a process");
                return None;
            };
            self.note_process(e, process);
            (within, indices) = (Some(process), (!given.is_empty()).then_some(given));
        }
        let rule = self.rule_named(within, &name)?;
        Some(Named { rules: vec![rule], indices, args })
    }

    /// Finds the parameters of the set among arguments. Whether nothing is wrong.
    fn bind_all(
        &mut self,
        span: Span,
        args: Option<&[ast::Expr]>,
        first: usize,
        types: &[Option<TypeId>],
        params: &[SetParam<'_>],
        positions: &mut [Option<usize>],
    ) -> bool {
        let Some(args) = args else { return true };
        if args.len() != types.len() {
            let message = format!("{} expected here, {} given", types.len(), args.len());
            let diagnostic = Diagnostic::error(Code::WrongArgumentCount, span, message);
            self.report(diagnostic.help("write `_` for those that do not matter"));
            return false;
        }
        let mut fits = true;
        for (i, (arg, ty)) in args.iter().zip(types).enumerate() {
            fits &= self.bind_one(strip(arg), first + i, *ty, params, positions);
        }
        fits
    }

    fn bind_one(
        &mut self,
        arg: &ast::Expr,
        position: usize,
        ty: Option<TypeId>,
        params: &[SetParam<'_>],
        positions: &mut [Option<usize>],
    ) -> bool {
        let name = match &arg.kind {
            ast::ExprKind::Name(name) if name == "_" => return true,
            ast::ExprKind::Name(name) => Some(name),
            _ => None,
        };
        let Some(at) = params.iter().position(|param| name == Some(&param.name.text)) else {
            let message = "this is neither a parameter of the set nor `_`";
            let help = "a set is fair for all values alike: `fair NAME(a: T) { r(a, _) }`";
            self.report(Diagnostic::error(Code::FairSet, arg.span, message).help(help));
            return false;
        };
        self.note(arg.span, Symbol::Local(params[at].local));
        self.local_info[params[at].local.index()].used = true;
        let (wanted, name) = (params[at].ty, &params[at].name.text);
        if positions[at].is_some() {
            self.error(Code::FairSet, arg.span, format!("`{name}` is given twice"));
            return false;
        }
        positions[at] = Some(position);
        if let (Some(wanted), Some(ty)) = (wanted, ty)
            && wanted != ty
        {
            let (wanted, ty) = (self.type_name(wanted), self.type_name(ty));
            let message = format!("`{name}` is of the type `{wanted}`, and here one of `{ty}` is expected");
            self.report(
                Diagnostic::error(Code::TypeMismatch, arg.span, message)
                    .note(params[at].name.span, "declared here"),
            );
            return false;
        }
        true
    }
}
