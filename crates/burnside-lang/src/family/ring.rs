//! Rings of any size: whether everything that happens looks at a member and its neighbours only.
//!
//! Entry points: [`constants`], the constants that size a ring, and [`analyse`]. Every member that is named
//! is the one that acts, or so many places before or after it; nothing else may speak of members. What is
//! outside is refused with its place. The argument is in the book (`internals/every-n.md`).

use super::{Refusal, Uses, is_constant, sized};
use crate::diagnostic::Span;
use crate::hir::{
    Binder, Domain, Expr, ExprKind, Initial, LocalId, Model, PropertyKind, Quantifier, Rule, Stmt, StmtKind,
    Stored, Ty,
};
use crate::syntax::ast;
use burnside_limits::poll;
use burnside_ts::{SortId, Type, TypeId};
use std::collections::BTreeMap;

/// How far something looks from a member: so many places back, and so many ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Before it.
    pub back: u32,
    /// After it.
    pub ahead: u32,
}

/// A model with a ring of any size.
#[derive(Clone, Debug)]
pub struct RingFamily {
    /// The type.
    pub sort: SortId,
    /// How far each rule looks from its member.
    pub rules: Vec<Reach>,
    /// How far each property looks from each member. Only invariants have an answer.
    pub properties: Vec<Result<Reach, Refusal>>,
}

/// What to do instead of looking at anybody.
const NEAR: &str = "look at the member that acts and its neighbours only";

/// So far something may look.
const FAR: i64 = 4;

/// The constants that are the size of a ring, in the order of the text.
pub fn constants(file: &ast::File) -> Vec<String> {
    let mut found = Vec::new();
    for (_, size) in sized(file, true) {
        if let ast::ExprKind::Name(name) = &size.kind
            && is_constant(file, name)
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    }
    found
}

/// Looks at a model whose constant has any value of at least 3.
pub fn analyse(
    model: &Model,
    text: &str,
    file: &ast::File,
    constant: &str,
) -> Result<RingFamily, Vec<Refusal>> {
    let uses = Uses::of(text, file, constant, true).map_err(|refusal| vec![refusal])?;
    let is_ring = |(id, ty): (TypeId, &Type)| match *ty {
        Type::Sort(sort) if model.types.sort(sort).name == uses.sort => Some((sort, id)),
        _ => None,
    };
    let (sort, ty) = model.types.iter().find_map(is_ring).expect("a declared type is in the table");
    let mut walk = RingWalk { model, sort, ty, places: BTreeMap::new(), least: 0, greatest: 0 };
    let mut refusals: Vec<Refusal> = Vec::new();
    let message = format!("`{constant}` is used for something else than the size of `{}`", uses.sort);
    let help = "how many members there are must not matter";
    refusals.extend(uses.all.iter().map(|&span| Refusal::new(span, message.clone()).help(help)));
    refusals.extend(walk.start().err());
    let rules = model.rules.iter().map(|rule| {
        walk.rule(rule).unwrap_or_else(|refusal| {
            refusals.push(refusal);
            Reach::default()
        })
    });
    let rules = rules.collect();
    let properties = model.properties.iter().map(|property| {
        match uses.asked.iter().find(|at| super::within(**at, property.span)) {
            Some(&at) => Err(Refusal::new(at, "this depends on how many members there are").help(NEAR)),
            None => walk.property(&property.kind, property.span),
        }
    });
    let properties = properties.collect();
    refusals.sort_by_key(|refusal| refusal.span);
    refusals.dedup();
    match refusals.is_empty() {
        true => Ok(RingFamily { sort, rules, properties }),
        false => Err(refusals),
    }
}

struct RingWalk<'m> {
    model: &'m Model,
    sort: SortId,
    ty: TypeId,
    /// How many places after the member that acts each name is.
    places: BTreeMap<LocalId, i64>,
    least: i64,
    greatest: i64,
}

type Looked = Result<(), Refusal>;

impl<'m> RingWalk<'m> {
    fn mentions(&self, ty: TypeId) -> bool {
        self.model.types.sorts_in(ty).contains(&self.sort)
    }

    fn stored_mentions(&self, local: LocalId) -> bool {
        match self.model.locals[local.index()].ty {
            Stored::Int => false,
            Stored::Type(ty) => self.mentions(ty),
        }
    }

    fn is_member(&self, local: LocalId) -> bool {
        matches!(self.model.locals[local.index()].ty, Stored::Type(ty) if ty == self.ty)
    }

    /// From a member that has been named: nobody else, so far.
    fn from(&mut self, member: Option<LocalId>) {
        (self.least, self.greatest) = (0, 0);
        self.places = member.into_iter().map(|member| (member, 0)).collect();
    }

    fn reach(&self, span: Span) -> Result<Reach, Refusal> {
        match -self.least <= FAR && self.greatest <= FAR {
            true => Ok(Reach { back: -self.least as u32, ahead: self.greatest as u32 }),
            false => Err(Refusal::new(span, "this looks too far along the ring")
                .help("pass it on from neighbour to neighbour")),
        }
    }

    /// The values that variables start with, and the rest of the initialisation: what each member starts with
    /// must depend on no other.
    fn start(&mut self) -> Looked {
        if let Some(constraint) = self.model.constraints.first() {
            let message = "constraints are not judged for every size";
            return Err(Refusal::new(constraint.span, message).help("write the condition into guards"));
        }
        for var in &self.model.vars {
            let indices =
                var.process.map_or(&[][..], |process| &self.model.processes[process.index()].indices);
            let members: Vec<LocalId> =
                indices.iter().copied().filter(|&index| self.stored_mentions(index)).collect();
            if members.len() > 1 || members.iter().any(|&member| !self.is_member(member)) {
                return Err(Refusal::new(var.span, "this is there for several members at once")
                    .help("give each member its own part of it"));
            }
            self.shape(var.ty, !members.is_empty(), var.span)?;
            self.from(members.first().copied());
            match &var.initial {
                Initial::Value(value) | Initial::Fill(value) | Initial::AnyIn(value) => self.expr(value)?,
                Initial::Zero | Initial::Any => {}
            }
            if (self.least, self.greatest) != (0, 0) {
                return Err(Refusal::new(var.span, "what a member starts with depends on a neighbour")
                    .help("let a first step of it look at the neighbour"));
            }
        }
        self.from(None);
        self.block(&self.model.init)
    }

    /// What belongs to each member, or to nobody, has nothing to do with members; or it is an array over
    /// them.
    fn shape(&self, ty: TypeId, is_own: bool, span: Span) -> Looked {
        let name = &self.model.types.sort(self.sort).name;
        match *self.model.types.get(ty) {
            _ if !self.mentions(ty) => Ok(()),
            Type::Array { index, element } if index == self.ty && !is_own && !self.mentions(element) => {
                Ok(())
            }
            _ => {
                let message = format!("this stores members of `{name}`, or something for pairs of them");
                Err(Refusal::new(span, message).help("give each member what is so only for it"))
            }
        }
    }

    fn rule(&mut self, rule: &'m Rule) -> Result<Reach, Refusal> {
        if self.model.rules.iter().any(|other| other.priority != rule.priority) {
            let message = "rules of different priorities are not judged for every size";
            return Err(Refusal::new(rule.span, message).help("write into the guards which rules go first"));
        }
        let indices = self.model.processes[rule.process.index()].indices.iter().copied();
        let names = indices.chain(rule.params.iter().map(|param| param.local));
        let members: Vec<LocalId> = names.filter(|&name| self.stored_mentions(name)).collect();
        if members.len() > 1 || members.iter().any(|&member| !self.is_member(member)) {
            return Err(Refusal::new(rule.span, "several members act in this rule at once")
                .help("name one of them, and the others as its neighbours"));
        }
        self.from(members.first().copied());
        for param in &rule.params {
            if let Domain::Collection(collection) = &param.domain {
                self.expr(collection)?;
            }
        }
        rule.guard.iter().try_for_each(|part| self.expr(part))?;
        self.block(&rule.body)?;
        self.reach(rule.span)
    }

    fn property(&mut self, kind: &'m PropertyKind, span: Span) -> Result<Reach, Refusal> {
        let PropertyKind::Invariant(condition) = kind else {
            return Err(Refusal::new(span, "only invariants and faults are judged for every size of a ring"));
        };
        self.from(None);
        if let ExprKind::Quantify { quantifier: Quantifier::Forall, binders, filter, body } = &condition.kind
            && let [Binder { local, domain: Domain::Type }] = &binders[..]
            && self.is_member(*local)
        {
            self.from(Some(*local));
            filter.iter().try_for_each(|filter| self.expr(filter))?;
            self.expr(body)?;
        } else {
            self.expr(condition)?;
        }
        self.reach(span)
    }

    fn block(&mut self, statements: &'m [Stmt]) -> Looked {
        statements.iter().try_for_each(|statement| self.stmt(statement))
    }

    fn stmt(&mut self, statement: &'m Stmt) -> Looked {
        poll();
        match &statement.kind {
            StmtKind::Let(local, value) if self.stored_mentions(*local) => {
                let place = match value {
                    Initial::Value(value) => self.place(value)?,
                    _ => return Err(Refusal::new(statement.span, "this chooses a member").help(NEAR)),
                };
                self.places.insert(*local, place);
                Ok(())
            }
            StmtKind::Let(_, value) => value.expr().map_or(Ok(()), |value| self.expr(value)),
            StmtKind::Assign(target, value) => {
                if matches!(target.ty, Ty::Of(ty) if self.mentions(ty)) {
                    let message = "this changes something that has to do with all members";
                    return Err(Refusal::new(statement.span, message).help(NEAR));
                }
                self.expr(target)?;
                value.expr().map_or(Ok(()), |value| self.expr(value))
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition)?;
                self.block(then)?;
                self.block(otherwise)
            }
            StmtKind::For(binders, filter, body) => {
                for binder in binders {
                    self.binder(binder, statement.span)?;
                }
                filter.iter().try_for_each(|filter| self.expr(filter))?;
                self.block(body)
            }
            StmtKind::Assert(condition, _) | StmtKind::Assume(condition) => self.expr(condition),
            StmtKind::Push(a, b) | StmtKind::Add(a, b) | StmtKind::Remove(a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            StmtKind::Pop(a) | StmtKind::Clear(a) => self.expr(a),
        }
    }

    /// A name for many values: no members.
    fn binder(&mut self, binder: &'m Binder, span: Span) -> Looked {
        if self.stored_mentions(binder.local) {
            return Err(Refusal::new(span, "this goes through members").help(NEAR));
        }
        match &binder.domain {
            Domain::Type => Ok(()),
            Domain::Collection(collection) => self.expr(collection),
        }
    }

    /// Something that is no member, and all that is in it.
    fn expr(&mut self, e: &'m Expr) -> Looked {
        poll();
        match &e.kind {
            ExprKind::Var(var, indices) => {
                let has_members = self.mentions(self.model.vars[var.index()].ty);
                if has_members {
                    return Err(
                        Refusal::new(e.span, "this looks at what there is for all members").help(NEAR)
                    );
                }
                indices.iter().try_for_each(|index| self.index(index))
            }
            ExprKind::Index(base, index) => {
                match &base.kind {
                    // The array itself is not looked at.
                    ExprKind::Var(_, indices) if index.ty == Ty::Of(self.ty) => {
                        indices.iter().try_for_each(|index| self.index(index))?;
                    }
                    _ => self.expr(base)?,
                }
                self.index(index)
            }
            ExprKind::Equal(_, a, b) if a.ty == Ty::Of(self.ty) => {
                self.place(a)?;
                self.place(b).map(drop)
            }
            ExprKind::Let(local, value, body) if self.stored_mentions(*local) => {
                let place = self.place(value)?;
                self.places.insert(*local, place);
                self.expr(body)
            }
            ExprKind::Call(function, args) => {
                self.args(&self.model.functions[function.index()].params, args)?;
                self.expr(&self.model.functions[function.index()].body)
            }
            ExprKind::Quantify { binders, filter, body, .. } => {
                for binder in binders {
                    self.binder(binder, e.span)?;
                }
                filter.iter().try_for_each(|filter| self.expr(filter))?;
                self.expr(body)
            }
            ExprKind::SetOf(binder, filter) => {
                self.binder(binder, e.span)?;
                self.expr(filter)
            }
            ExprKind::ArrayOf(local, _) if self.stored_mentions(*local) => {
                Err(Refusal::new(e.span, "this goes through members").help(NEAR))
            }
            ExprKind::Block(statements, value) => {
                self.block(statements)?;
                self.expr(value)
            }
            ExprKind::Enabled { .. }
            | ExprKind::Temporal(..)
            | ExprKind::Until(..)
            | ExprKind::Path { .. }
            | ExprKind::Next(_) => {
                Err(Refusal::new(e.span, "this is not judged for every size of a ring").help("write it out"))
            }
            _ if matches!(e.ty, Ty::Of(ty) if self.mentions(ty)) => {
                Err(Refusal::new(e.span, "this is, or holds, a member that is not named as a neighbour")
                    .help(NEAR))
            }
            _ => {
                let mut looked = Ok(());
                e.each_part(&mut |part| {
                    if looked.is_ok() {
                        looked = self.expr(part);
                    }
                });
                looked
            }
        }
    }

    fn index(&mut self, index: &'m Expr) -> Looked {
        match index.ty == Ty::Of(self.ty) {
            true => self.place(index).map(drop),
            false => self.expr(index),
        }
    }

    /// The arguments of a function: members are known by their places in its body.
    fn args(&mut self, params: &'m [LocalId], args: &'m [Expr]) -> Looked {
        // An argument may call the same function.
        let mut places = Vec::new();
        for (&param, arg) in params.iter().zip(args) {
            match self.is_member(param) {
                true => places.push((param, self.place(arg)?)),
                false => self.expr(arg)?,
            }
        }
        self.places.extend(places);
        Ok(())
    }

    /// How many places after the member that acts another one is.
    fn place(&mut self, e: &'m Expr) -> Result<i64, Refusal> {
        poll();
        let place = match &e.kind {
            ExprKind::Local(local) => self.places.get(local).copied(),
            ExprKind::Rotate { element, steps, backwards } => match steps.kind {
                ExprKind::Const(steps) if (-FAR..=FAR).contains(&steps) => {
                    Some(self.place(element)? + if *backwards { -steps } else { steps })
                }
                _ => None,
            },
            ExprKind::Call(function, args) => {
                let function = &self.model.functions[function.index()];
                self.args(&function.params, args)?;
                Some(self.place(&function.body)?)
            }
            _ => None,
        };
        let place = place.ok_or_else(|| {
            let message = "this member is not so many places before or after the one that acts";
            Refusal::new(e.span, message).help("name it by `next` and `prev`")
        })?;
        self.least = self.least.min(place);
        self.greatest = self.greatest.max(place);
        Ok(place)
    }
}
