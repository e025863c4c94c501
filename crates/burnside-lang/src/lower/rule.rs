//! Processes, rules, the initialisation, and `enabled`.

use super::place::target;
use super::probe::ProbeRole;
use super::{LocalName, Lowering, Storage};
use crate::hir::{self, Expr, LocalId, Model, RuleId};
use burnside_ts::{self as ts, Compare, Conjunct, Param, Stmt};

/// The processes of a model.
pub(super) fn processes(model: &Model) -> Vec<ts::Process> {
    let index = |&id: &LocalId| match model.locals[id.index()].ty {
        hir::Stored::Type(ty) => ty,
        hir::Stored::Int => unreachable!("an index has a finite type"),
    };
    let process = |process: &hir::Process| ts::Process {
        name: process.name.clone(),
        indices: process.indices.iter().map(index).collect(),
    };
    model.processes.iter().map(process).collect()
}

/// Of some conditions the one whose number, from `first` on, is in the slot. A balanced tree: there may be
/// many.
fn choose_by_number(mut parts: Vec<ts::Expr>, first: i64, slot: ts::Slot) -> ts::Expr {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let upper = parts.split_off(parts.len() / 2);
    let middle = first + parts.len() as i64;
    let below = ts::Expr::compare(Compare::Lt, ts::Expr::Local(slot), ts::Expr::Const(middle));
    let (lower, upper) = (choose_by_number(parts, first, slot), choose_by_number(upper, middle, slot));
    ts::Expr::If(Box::new([below, lower, upper]))
}

impl Lowering<'_> {
    pub(super) fn rule(&mut self, number: usize, rule: &hir::Rule) -> ts::Rule {
        self.frame.restart();
        let start = self.frame.position();
        let indices: Vec<_> = self.model.processes[rule.process.index()].indices.to_vec();
        // Room for all parameters first, side by side; what their collections need comes behind.
        let rooms: Vec<(LocalId, Storage)> = indices
            .iter()
            .copied()
            .chain(rule.params.iter().map(|param| param.local))
            .map(|id| (id, self.bind(id)))
            .collect();
        let args = start..self.frame.position();
        for (level, &(id, storage)) in rooms.iter().enumerate() {
            self.locals.insert(id, LocalName { storage, level: level + 1 });
        }
        let own = rule.params.iter().map(|param| &param.domain);
        let domains: Vec<_> = indices.iter().map(|_| &hir::Domain::Type).chain(own).collect();
        let params = rooms
            .iter()
            .zip(domains)
            .map(|(&(id, storage), domain)| self.param(id, storage, domain))
            .collect();
        let guard = self.guard(number, rule);
        let guard = [self.outer_guard(rule), guard].concat();
        let body = self.block(&rule.body);
        ts::Rule {
            name: rule.name.clone(),
            process: ts::ProcessId(rule.process.0),
            params,
            args,
            guard,
            body,
        }
    }

    fn param(&mut self, id: LocalId, storage: Storage, domain: &hir::Domain) -> Param {
        // `binder` gives the name new room; keep the one beside the other parameters.
        let kept = self.locals[&id];
        let mut binder = self.binder(&hir::Binder { local: id, domain: domain.clone() });
        binder.target = target(storage);
        self.locals.insert(id, kept);
        Param { name: self.model.locals[id.index()].name.clone(), binder }
    }

    fn guard(&mut self, number: usize, rule: &hir::Rule) -> Vec<Conjunct> {
        let mut level = 0;
        let mut guard = Vec::new();
        for part in &rule.guard {
            self.level = 0;
            let condition = self.watched(part, ProbeRole::Guard(number), rule.span);
            level = level.max(self.level);
            guard.push(Conjunct { level, condition });
        }
        guard
    }

    pub(super) fn init(&mut self) -> Box<[Stmt]> {
        self.frame.restart();
        let mut out = Vec::new();
        for i in 0..self.model.vars.len() {
            self.initialise(i, &mut out);
        }
        out.extend(self.block(&self.model.init));
        out.into()
    }

    /// A variable starts as zeros; families loop over their members.
    fn initialise(&mut self, i: usize, out: &mut Vec<Stmt>) {
        let model = self.model;
        let var = &model.vars[i];
        if matches!(var.initial, hir::Initial::Zero) {
            return;
        }
        let indices = var.process.map_or(&[][..], |p| &model.processes[p.index()].indices);
        let mut binders = Vec::new();
        let mut place = self.at(ts::Root::State, self.vars[i].offset, self.vars[i].ty);
        let blame = Expr { span: var.span, ty: hir::Ty::Int, kind: hir::ExprKind::Const(0) };
        for &index in indices {
            let binder = self.binder(&hir::Binder { local: index, domain: hir::Domain::Type });
            let number = self.bound_number(self.locals[&index].storage, binder.ty);
            place = self.element(place, number, &blame);
            binders.push(binder);
        }
        let mut statements = Vec::new();
        self.store(&place, &var.initial, &mut statements);
        for binder in binders.into_iter().rev() {
            statements = vec![Stmt::For(Box::new(binder), statements.into())];
        }
        out.extend(statements);
    }

    /// Some instance of one of the rules is enabled.
    pub(super) fn enabled(
        &mut self,
        rules: &[RuleId],
        member: Option<&[Expr]>,
        args: Option<&[Expr]>,
    ) -> ts::Expr {
        self.some_rule(rules, member, args, true)
    }

    /// The guard of some instance of one of the rules is true, whatever its priority: the one of the highest
    /// is enabled then, and a guard that faults does not hide it.
    pub(super) fn some_guard(&mut self, rules: &[RuleId]) -> ts::Expr {
        self.some_rule(rules, None, None, false)
    }

    fn some_rule(
        &mut self,
        rules: &[RuleId],
        member: Option<&[Expr]>,
        args: Option<&[Expr]>,
        blocked: bool,
    ) -> ts::Expr {
        let parts: Vec<_> =
            rules.iter().map(|&rule| self.rule_enabled(rule, (member, args), blocked)).collect();
        let last = parts.len() as i64 - 1;
        if last <= 0 {
            return parts.into_iter().next().unwrap_or(ts::Expr::Const(0));
        }
        // As with several instances, one that faults does not hide another that is enabled: a quantifier over
        // the rules.
        let slot = self.frame.slot();
        let body = choose_by_number(parts, 0, slot);
        let ty = self.types.intern(ts::Type::Range { lo: 0, hi: last }).expect("few rules");
        let binder = ts::Binder { target: ts::Target::Scalar(slot), ty, domain: ts::Domain::Type };
        let site = self.site(self.model.rules[rules[0].index()].span);
        exists(binder, body, site)
    }

    fn rule_enabled(
        &mut self,
        id: RuleId,
        (member, args): (Option<&[Expr]>, Option<&[Expr]>),
        blocked: bool,
    ) -> ts::Expr {
        let model = self.model;
        let rule = &model.rules[id.index()];
        let indices = &model.processes[rule.process.index()].indices;
        let given = indices.iter().enumerate().map(|(i, _)| member.map(|values| &values[i]));
        let given = given.chain((0..rule.params.len()).map(|i| args.map(|values| &values[i])));
        let own = indices.iter().map(|&local| hir::Binder { local, domain: hir::Domain::Type });
        let names: Vec<(hir::Binder, Option<&Expr>)> =
            own.chain(rule.params.iter().cloned()).zip(given).collect();
        // The given values are evaluated outside, before any name of the rule is bound: a guard may ask for
        // another member of its own process, which has the same names.
        let mut before = Vec::new();
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for (level, (name, value)) in names.iter().enumerate() {
            outer.push((name.local, self.locals.get(&name.local).copied()));
            match value {
                Some(value) => self.define(name.local, value, &mut before),
                None => drop(self.bind(name.local)),
            }
            let storage = self.locals[&name.local].storage;
            inner.push((name.local, LocalName { storage, level: level + 1 }));
            self.restore(&outer[level..]);
        }
        self.locals.extend(inner);
        let asked_at = self.level;
        let guard = self.guard(id.index(), rule);
        let outer_guard = if blocked { self.not_blocked(rule) } else { Vec::new() };
        let guard = [outer_guard, guard].concat();
        let site = self.site(rule.span);
        let condition = self.some_instance(&names, 0, &guard, site);
        self.restore(&outer);
        self.level = asked_at;
        super::expr::after(before, condition)
    }

    /// Names mean again what they meant before.
    fn restore(&mut self, names: &[(LocalId, Option<LocalName>)]) {
        for (local, meaning) in names {
            match meaning {
                Some(meaning) => drop(self.locals.insert(*local, *meaning)),
                None => drop(self.locals.remove(local)),
            }
        }
    }

    /// Some instance is enabled, with the names from `level` on still to be bound and these parts of the
    /// guard to be tested. What can be tested before comes before a collection, as when the rule is fired.
    fn some_instance(
        &mut self,
        names: &[(hir::Binder, Option<&Expr>)],
        level: usize,
        guard: &[Conjunct],
        site: ts::SiteId,
    ) -> ts::Expr {
        let conditions =
            |guard: &[Conjunct]| guard.iter().map(|part| part.condition.clone()).collect::<Vec<_>>();
        let Some((name, given)) = names.get(level) else {
            return ts::Expr::all(conditions(guard).into_iter());
        };
        let hir::Domain::Collection(collection) = &name.domain else {
            let rest = self.some_instance(names, level + 1, guard, site);
            if given.is_some() {
                return rest;
            }
            let storage = self.locals[&name.local].storage;
            let binder = self.param(name.local, storage, &name.domain).binder;
            return exists(binder, rest, site);
        };
        let ready = guard.iter().take_while(|part| part.level <= level).count();
        let mut parts = conditions(&guard[..ready]);
        let rest = self.some_instance(names, level + 1, &guard[ready..], site);
        match given {
            Some(_) => parts.extend([self.is_member(name.local, collection), rest]),
            None => {
                let storage = self.locals[&name.local].storage;
                let binder = self.param(name.local, storage, &name.domain).binder;
                parts.push(exists(binder, rest, site));
            }
        }
        ts::Expr::all(parts.into_iter())
    }

    /// The value of a parameter is in its collection.
    fn is_member(&mut self, local: LocalId, collection: &Expr) -> ts::Expr {
        let hir::Stored::Type(ty) = self.model.locals[local.index()].ty else {
            unreachable!("a parameter has a finite type")
        };
        let ty = if self.types.bounds(ty).is_some() { hir::Ty::Int } else { hir::Ty::Of(ty) };
        let element = Expr { span: collection.span, ty, kind: hir::ExprKind::Local(local) };
        let kind = hir::ExprKind::In(Box::new(element), Box::new(collection.clone()));
        self.scalar(&Expr { span: collection.span, ty: hir::Ty::Int, kind })
    }
}

fn exists(binder: ts::Binder, body: ts::Expr, site: ts::SiteId) -> ts::Expr {
    let (quantifier, binders) = (ts::Quantifier::Exists, Box::new([binder]));
    ts::Expr::Quantify(Box::new(ts::Quantify { quantifier, binders, filter: None, body, site }))
}
