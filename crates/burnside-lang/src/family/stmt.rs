//! Statements: how many members matter to them, and loops over all members.
//!
//! A loop over the members is *pointwise*: for each member it writes what is the member's own, and reads that
//! and what it writes for nobody. So what it does to some members does not depend on the others, and it has
//! no witnesses.

use super::{Refusal, Variable, WitnessCount, Witnesses, times_of};
use crate::diagnostic::Span;
use crate::hir::{Binder, Domain, Expr, ExprKind, Initial, LocalId, Stmt, StmtKind, Stored, Ty};
use burnside_limits::poll;
use burnside_ts::Type;
use std::collections::BTreeSet;

impl<'m> WitnessCount<'m> {
    pub(super) fn block(&mut self, statements: &'m [Stmt]) -> Witnesses {
        statements.iter().try_fold(0, |all, statement| Ok(all + self.stmt(statement)?))
    }

    fn stmt(&mut self, statement: &'m Stmt) -> Witnesses {
        poll();
        let span = statement.span;
        match &statement.kind {
            StmtKind::Assign(target, value) => Ok(self.target(target)? + self.assigned(target, value)?),
            StmtKind::Let(local, value) => self.local(*local, value, span),
            StmtKind::If(condition, then, otherwise) => {
                let witnesses = self.expr(condition)?;
                Ok(witnesses + self.block(then)?.max(self.block(otherwise)?))
            }
            StmtKind::For(binders, filter, body) => self.for_(span, binders, filter.as_ref(), body),
            StmtKind::Assert(condition, _) | StmtKind::Assume(condition) => self.expr(condition),
            StmtKind::Push(target, element)
            | StmtKind::Add(target, element)
            | StmtKind::Remove(target, element) => Ok(self.target(target)? + self.expr(element)?),
            StmtKind::Pop(target) | StmtKind::Clear(target) => self.target(target),
        }
    }

    fn assigned(&mut self, target: &'m Expr, value: &'m Initial) -> Witnesses {
        match target.ty {
            Ty::Of(ty) => self.initial(value, ty, target.span),
            Ty::Int => match value {
                Initial::Value(value) | Initial::Fill(value) | Initial::AnyIn(value) => self.expr(value),
                Initial::Zero | Initial::Any => Ok(0),
            },
        }
    }

    fn local(&mut self, local: LocalId, value: &'m Initial, span: Span) -> Witnesses {
        match self.model.locals[local.index()].ty {
            Stored::Type(ty) => {
                self.shape(ty, span)?;
                self.initial(value, ty, span)
            }
            Stored::Int => value.expr().map_or(Ok(0), |value| self.expr(value)),
        }
    }

    /// What is written: its indices are read.
    fn target(&mut self, target: &'m Expr) -> Witnesses {
        if let Ty::Of(ty) = target.ty {
            self.shape(ty, target.span)?;
        }
        self.place(target)
    }

    fn for_(
        &mut self,
        span: Span,
        binders: &'m [Binder],
        filter: Option<&'m Expr>,
        body: &'m [Stmt],
    ) -> Witnesses {
        let mut members = Vec::new();
        for binder in binders {
            if self.is_member_name(binder.local, span)? && !self.is_queue(binder) {
                members.push(binder);
            }
        }
        match members[..] {
            [] => self.few(span, binders, filter, body),
            [member] => self.pointwise(span, member, binders, filter, body),
            _ => Err(Refusal::new(span, "this loop goes through pairs of members")
                .help("go through one of them, with the other as a parameter of the rule")),
        }
    }

    fn is_queue(&self, binder: &Binder) -> bool {
        match &binder.domain {
            Domain::Type => false,
            Domain::Collection(collection) => {
                matches!(collection.ty, Ty::Of(ty) if matches!(self.model.types.get(ty), Type::Queue { .. }))
            }
        }
    }

    /// A loop over values that are no members, or members that a queue points to.
    fn few(
        &mut self,
        span: Span,
        binders: &'m [Binder],
        filter: Option<&'m Expr>,
        body: &'m [Stmt],
    ) -> Witnesses {
        let mut witnesses = 0;
        for binder in binders {
            if let Domain::Collection(collection) = &binder.domain {
                witnesses += self.expr(collection)?;
            }
        }
        witnesses += filter.map_or(Ok(0), |filter| self.expr(filter))? + self.block(body)?;
        let times = binders.iter().map(|it| self.often(it)).fold(1, u64::saturating_mul);
        times_of(witnesses, times, span)
    }

    fn pointwise(
        &mut self,
        span: Span,
        member: &'m Binder,
        binders: &'m [Binder],
        filter: Option<&'m Expr>,
        body: &'m [Stmt],
    ) -> Witnesses {
        if self.each {
            return Err(Refusal::new(span, "this loop over all members is in another one")
                .help("write them one behind the other"));
        }
        let written = self.written(member.local, body)?;
        let mut witnesses = 0;
        for (i, binder) in binders.iter().enumerate() {
            if let Domain::Collection(collection) = &binder.domain {
                if i > 0 {
                    let message = "what this name runs through is computed for each member";
                    return Err(Refusal::new(collection.span, message).help("compute it before the loop"));
                }
                self.is_kept(collection, &written)?;
                witnesses += self.expr(collection)?;
            }
        }
        self.binds = true;
        self.each = true;
        self.loop_ = Some((member.local, written));
        let inside = filter.map_or(Ok(0), |filter| self.expr(filter)).and_then(|_| self.block(body));
        self.loop_ = None;
        self.each = false;
        inside?;
        Ok(witnesses)
    }

    /// A loop must not change what it runs through.
    fn is_kept(&self, collection: &'m Expr, written: &BTreeSet<Variable>) -> Result<(), Refusal> {
        let mut changed = false;
        collection.each(&mut |part| match &part.kind {
            ExprKind::Local(local) => changed |= written.contains(&Variable::Local(*local)),
            ExprKind::Var(..) | ExprKind::Call(..) => {
                changed |= self.reads_of(part).iter().any(|&var| written.contains(&Variable::Var(var)));
            }
            _ => {}
        });
        match changed {
            true => Err(Refusal::new(collection.span, "the loop changes what it runs through")
                .help("run through a copy: `let all = …;`")),
            false => Ok(()),
        }
    }

    /// What the body of a loop over the members writes, apart from its own names; all of it must be the
    /// member's own.
    fn written(&self, member: LocalId, body: &'m [Stmt]) -> Result<BTreeSet<Variable>, Refusal> {
        let mut inner = BTreeSet::new();
        let mut targets: Vec<(&Stmt, &Expr, Option<&Expr>)> = Vec::new();
        body.iter().for_each(|top| {
            top.each(&mut |statement| match &statement.kind {
                StmtKind::Let(local, _) => drop(inner.insert(*local)),
                StmtKind::For(binders, ..) => inner.extend(binders.iter().map(|binder| binder.local)),
                StmtKind::Assign(target, _)
                | StmtKind::Push(target, _)
                | StmtKind::Pop(target)
                | StmtKind::Clear(target) => targets.push((statement, target, None)),
                StmtKind::Add(target, element) | StmtKind::Remove(target, element) => {
                    targets.push((statement, target, Some(element)));
                }
                StmtKind::If(..) | StmtKind::Assert(..) | StmtKind::Assume(_) => {}
            });
        });
        let mut written = BTreeSet::new();
        for (statement, target, element) in targets {
            let (root, indices) = self.path(target).expect("only places are written");
            if matches!(root, Variable::Local(local) if inner.contains(&local)) {
                continue;
            }
            let own_bit = || {
                let set = matches!(target.ty, Ty::Of(ty) if matches!(self.model.types.get(ty), Type::Set(of) if *of == self.ty));
                set && element.is_some_and(|it| matches!(it.kind, ExprKind::Local(local) if local == member))
            };
            if !self.is_own(&indices, member) && !own_bit() {
                let message = "a loop over the members writes something that is not the member's own";
                let help = "write it outside of the loop, with `exists` or `forall`";
                return Err(Refusal::new(statement.span, message).help(help));
            }
            written.insert(root);
        }
        Ok(written)
    }
}
