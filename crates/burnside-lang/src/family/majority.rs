//! Majorities of a family of any size: a truth value beside each set of members that is asked for one.
//!
//! Entry point: [`abstracted`]. A model that asks `s.majority()` of variables that are sets of members, or
//! of cells of arrays of such sets, becomes one that never counts: each of these sets has a *flag*, which is
//! read instead, and every statement that changes the set is followed by one that changes its flag in any way
//! that the change allows. An element more cannot end a majority, one less cannot make one, and nothing is
//! none. So every run of the model, with flags that tell the truth, is a run of the new one; that true flags
//! belong to sets with a common member is for those who look at its states (`burnside-views`). Invariant:
//! what cannot be treated like this keeps its `majority()`, which is refused elsewhere.

use crate::diagnostic::Span;
use crate::hir::{
    Expr, ExprKind, Initial, LocalId, Model, PropertyKind, Sequence, Stmt, StmtKind, Stored, Ty, Var, VarId,
};
use burnside_limits::poll;
use burnside_ts::{Type, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// A set of members, or an array of them, and where it is noted which of them are majorities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flagged {
    /// The variable with the sets.
    pub set: VarId,
    /// The variable with the flags.
    pub flag: VarId,
}

/// The same model with flags, and which they are; nothing if no majority of members is asked for.
pub fn abstracted(model: &Model, sort: &str) -> Option<(Model, Vec<Flagged>)> {
    let member = |(id, ty): (TypeId, &Type)| match *ty {
        Type::Sort(found) if model.types.sort(found).name == sort => Some(id),
        _ => None,
    };
    let member = model.types.iter().find_map(member)?;
    let asked = asked(model, member);
    if asked.is_empty() {
        return None;
    }
    let mut changed = model.clone();
    let mut flags = BTreeMap::new();
    for set in asked {
        let var = &model.vars[set.index()];
        let Some(ty) = mirrored(&mut changed.types, var.ty, member) else { continue };
        let initial = if is_empty(&var.initial) { Initial::Zero } else { Initial::Any };
        let name = format!("{}_is_majority", var.name);
        flags.insert(set, VarId(changed.vars.len() as u32));
        changed.vars.push(Var { name, span: var.span, process: var.process, ty, initial });
    }
    let rewriter = Rewriter { types: &changed.types.clone(), vars: &changed.vars.clone(), member, flags };
    rewriter.model(&mut changed);
    let flagged = rewriter.flags.iter().map(|(&set, &flag)| Flagged { set, flag }).collect();
    Some((changed, flagged))
}

/// The variables that majorities are asked of, if all that is written of them stays in sight.
fn asked(model: &Model, member: TypeId) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    let mut visit = |expr: &Expr| {
        expr.each(&mut |part| {
            if let ExprKind::Majority(set) = &part.kind
                && let Some(var) = root(set)
            {
                found.insert(var);
            }
        });
    };
    model.each_expr(&mut visit);
    model.properties.iter().for_each(|property| property.kind.each(&mut visit));
    found.retain(|var| {
        let var = &model.vars[var.index()];
        let of_members = var.process.is_some_and(|process| {
            let indices = &model.processes[process.index()].indices;
            indices.iter().any(|index| model.locals[index.index()].ty == Stored::Type(member))
        });
        !of_members && holds_sets(&model.types, var.ty, member)
    });
    model.each_stmt(&mut |statement| {
        if let Some((var, target)) = written(statement)
            && !has_plain_indices(target)
        {
            found.remove(&var);
        }
    });
    found
}

/// The variable whose cell this is.
fn root(place: &Expr) -> Option<VarId> {
    match &place.kind {
        ExprKind::Var(var, _) => Some(*var),
        ExprKind::Index(base, _) => root(base),
        _ => None,
    }
}

/// What a statement writes, if it is a variable.
fn written(statement: &Stmt) -> Option<(VarId, &Expr)> {
    match &statement.kind {
        StmtKind::Assign(target, _)
        | StmtKind::Push(target, _)
        | StmtKind::Pop(target)
        | StmtKind::Add(target, _)
        | StmtKind::Remove(target, _)
        | StmtKind::Clear(target) => Some((root(target)?, target)),
        StmtKind::Let(..)
        | StmtKind::If(..)
        | StmtKind::For(..)
        | StmtKind::Assert(..)
        | StmtKind::Assume(_) => None,
    }
}

/// Whether a place is the same before and after it is written: no index, and no member of a process, reads
/// the variable, a flag or what a function gives.
fn has_plain_indices(target: &Expr) -> bool {
    let var = root(target);
    let is_plain = |index: &Expr| {
        let mut plain = true;
        index.each(&mut |part| {
            plain &= match &part.kind {
                ExprKind::Var(read, _) => Some(*read) != var,
                ExprKind::Call(..) | ExprKind::Majority(_) => false,
                _ => true,
            };
        });
        plain
    };
    match &target.kind {
        ExprKind::Index(base, index) => is_plain(index) && has_plain_indices(base),
        ExprKind::Var(_, member) => member.iter().all(is_plain),
        _ => true,
    }
}

fn holds_sets(types: &Types, ty: TypeId, member: TypeId) -> bool {
    match *types.get(ty) {
        Type::Set(element) => element == member,
        Type::Array { index, element } => index != member && holds_sets(types, element, member),
        _ => false,
    }
}

/// The type with a truth value for each set.
fn mirrored(types: &mut Types, ty: TypeId, member: TypeId) -> Option<TypeId> {
    match *types.get(ty) {
        Type::Set(element) if element == member => types.intern(Type::Bool).ok(),
        Type::Array { index, element } => {
            let element = mirrored(types, element, member)?;
            types.intern(Type::Array { index, element }).ok()
        }
        _ => None,
    }
}

/// Whether all sets start with nothing.
fn is_empty(initial: &Initial) -> bool {
    match initial {
        Initial::Zero => true,
        Initial::Value(value) | Initial::Fill(value) => {
            matches!(&value.kind, ExprKind::Set(elements) if elements.is_empty())
        }
        Initial::Any | Initial::AnyIn(_) => false,
    }
}

struct Rewriter<'m> {
    types: &'m Types,
    vars: &'m [Var],
    member: TypeId,
    flags: BTreeMap<VarId, VarId>,
}

impl Rewriter<'_> {
    fn model(&self, model: &mut Model) {
        model.vars.iter_mut().for_each(|var| self.initial(&mut var.initial, &[]));
        model.functions.iter_mut().for_each(|function| self.expr(&mut function.body, &[]));
        let locals: Vec<Stored> = model.locals.iter().map(|local| local.ty).collect();
        let is_member = |local: LocalId| locals[local.index()] == Stored::Type(self.member);
        for rule in &mut model.rules {
            for param in &mut rule.params {
                if let crate::hir::Domain::Collection(collection) = &mut param.domain {
                    self.expr(collection, &[]);
                }
            }
            rule.guard.iter_mut().for_each(|part| self.expr(part, &[]));
            self.block(&mut rule.body, &is_member, &[]);
        }
        self.block(&mut model.init, &is_member, &[]);
        model.constraints.iter_mut().for_each(|constraint| self.expr(constraint, &[]));
        for property in &mut model.properties {
            match &mut property.kind {
                PropertyKind::Invariant(it)
                | PropertyKind::Reachable(it)
                | PropertyKind::Ltl(it)
                | PropertyKind::Ctl(it) => {
                    self.expr(it, &[]);
                }
                PropertyKind::Never(it) => self.sequence(it),
            }
        }
    }

    fn sequence(&self, sequence: &mut Sequence) {
        match sequence {
            Sequence::State(condition) => self.expr(condition, &[]),
            Sequence::Then(parts) | Sequence::Or(parts) => parts.iter_mut().for_each(|it| self.sequence(it)),
            Sequence::Repeat { body, .. } => self.sequence(body),
        }
    }

    /// Reads flags instead of counting, but for variables that are being changed.
    fn expr(&self, expr: &mut Expr, changing: &[VarId]) {
        poll();
        if let ExprKind::Majority(set) = &expr.kind
            && root(set).is_some_and(|var| !changing.contains(&var))
            && let Some(flag) = self.flag(set)
        {
            *expr = Expr { span: expr.span, ..flag };
        }
        if let ExprKind::Block(statements, value) = &mut expr.kind {
            // They change nothing but names of their own.
            self.block(statements, &|_| false, changing);
            self.expr(value, changing);
        }
        expr.each_part_mut(&mut |part| self.expr(part, changing));
    }

    fn initial(&self, initial: &mut Initial, changing: &[VarId]) {
        match initial {
            Initial::Value(value) | Initial::Fill(value) | Initial::AnyIn(value) => {
                self.expr(value, changing)
            }
            Initial::Zero | Initial::Any => {}
        }
    }

    /// The flags of what a place holds.
    fn flag(&self, place: &Expr) -> Option<Expr> {
        let (ty, kind) = match &place.kind {
            ExprKind::Var(var, member) => {
                let flag = *self.flags.get(var)?;
                (self.vars[flag.index()].ty, ExprKind::Var(flag, member.clone()))
            }
            ExprKind::Index(base, index) => {
                let base = self.flag(base)?;
                let Ty::Of(ty) = base.ty else { return None };
                let Type::Array { element, .. } = *self.types.get(ty) else { return None };
                (element, ExprKind::Index(Box::new(base), index.clone()))
            }
            _ => return None,
        };
        Some(Expr { span: place.span, ty: Ty::Of(ty), kind })
    }

    fn block(&self, statements: &mut Vec<Stmt>, is_member: &dyn Fn(LocalId) -> bool, changing: &[VarId]) {
        for mut statement in std::mem::take(statements) {
            let flagged = match written(&statement) {
                Some((var, _)) if changing.contains(&var) => None,
                _ => self.after(&statement),
            };
            let mut hoisted = Vec::new();
            if let StmtKind::For(binders, ..) = &statement.kind
                && binders.iter().any(|binder| is_member(binder.local))
            {
                hoisted = self.changed_by(&statement);
            }
            let inside: Vec<VarId> = changing.iter().chain(&hoisted).copied().collect();
            self.stmt(&mut statement, is_member, &inside);
            let span = statement.span;
            statements.push(statement);
            statements.extend(flagged);
            let all = hoisted.into_iter().filter(|var| !changing.contains(var));
            statements.extend(all.map(|var| self.anything(var, span)));
        }
    }

    fn stmt(&self, statement: &mut Stmt, is_member: &dyn Fn(LocalId) -> bool, changing: &[VarId]) {
        match &mut statement.kind {
            StmtKind::Assign(target, value) => {
                self.expr(target, changing);
                self.initial(value, changing);
            }
            StmtKind::Let(_, value) => self.initial(value, changing),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition, changing);
                self.block(then, is_member, changing);
                self.block(otherwise, is_member, changing);
            }
            StmtKind::For(binders, filter, body) => {
                for binder in binders {
                    if let crate::hir::Domain::Collection(collection) = &mut binder.domain {
                        self.expr(collection, changing);
                    }
                }
                filter.iter_mut().for_each(|filter| self.expr(filter, changing));
                self.block(body, is_member, changing);
            }
            StmtKind::Assert(a, _) | StmtKind::Assume(a) | StmtKind::Pop(a) | StmtKind::Clear(a) => {
                self.expr(a, changing);
            }
            StmtKind::Push(a, b) | StmtKind::Add(a, b) | StmtKind::Remove(a, b) => {
                self.expr(a, changing);
                self.expr(b, changing);
            }
        }
    }

    /// What happens to flags after a statement.
    fn after(&self, statement: &Stmt) -> Option<Stmt> {
        let (_, target) = written(statement)?;
        let flag = self.flag(target)?;
        let at = |kind| Stmt { span: statement.span, kind };
        let any = at(StmtKind::Assign(flag.clone(), Initial::Any));
        let flag_is = |wanted: bool| match wanted {
            true => flag.clone(),
            false => Expr { kind: ExprKind::Not(Box::new(flag.clone())), ..flag },
        };
        Some(match &statement.kind {
            StmtKind::Add(..) => at(StmtKind::If(flag_is(false), vec![any], Vec::new())),
            StmtKind::Remove(..) => at(StmtKind::If(flag_is(true), vec![any], Vec::new())),
            StmtKind::Clear(_) => {
                let no = Expr { kind: ExprKind::Const(0), ..flag.clone() };
                at(StmtKind::Assign(flag.clone(), Initial::Value(no)))
            }
            _ => any,
        })
    }

    /// The sets outside of processes that a loop over members changes.
    fn changed_by(&self, statement: &Stmt) -> Vec<VarId> {
        let mut found = BTreeSet::new();
        statement.each(&mut |inner| {
            if let Some((var, _)) = written(inner)
                && self.flags.contains_key(&var)
                && self.vars[var.index()].process.is_none()
            {
                found.insert(var);
            }
        });
        found.into_iter().collect()
    }

    /// All flags of a variable get any values.
    fn anything(&self, var: VarId, span: Span) -> Stmt {
        let flag = self.flags[&var];
        let ty = Ty::Of(self.vars[flag.index()].ty);
        let target = Expr { span, ty, kind: ExprKind::Var(flag, Vec::new()) };
        Stmt { span, kind: StmtKind::Assign(target, Initial::Any) }
    }
}
