//! Loops whose result does not depend on the order of their values.
//!
//! Entry point: [`is_free`]. A loop is free if, whatever it writes, it writes in one of these ways, and reads
//! what it writes in no other:
//! - each value of the loop's name to cells of its own: `x[i] = …`, with `i` at the same index of `x`
//!   everywhere;
//! - the same constant everywhere: `found = true`, `x[f(i)] = 1`;
//! - only adding to sets or bags, or only removing from them: `s.add(i)`, `s = s | {i}`;
//! - only adding, or only taking away, numbers that are not negative: `n = n + 1`, `n[x[i]] = n[x[i]] +
//!   size[i]`. Whether a sum leaves its range on the way does not depend on the order then.
//!
//! Which cells are written may depend on the value: what is done to each of them is the same in every order.
//!
//! That a loop over a bag takes equal elements several times changes nothing: what is done with one is the
//! same each time.
//!
//! Everything else is taken to depend on the order.

use crate::hir::{
    ArithOp, Binder, Expr, ExprKind, FunctionId, Initial, LocalId, Model, SetOp, Stmt, StmtKind, Stored, Ty,
    VarId,
};
use crate::hir_walk::collection;
use burnside_limits::poll;
use burnside_ts::{Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// What is written: a variable of the model or a local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Var(VarId),
    Local(LocalId),
}

/// A way of writing that is free if all writes of a root agree in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Constant(i64),
    AddTo,
    RemoveFrom,
    Up,
    Down,
    /// Nothing that is free by itself.
    Other,
}

#[derive(Debug, Default)]
struct Writes {
    ways: BTreeSet<Way>,
    /// The positions at which every write so far has the loop's name as index.
    own: Option<BTreeSet<usize>>,
}

/// What is done for each value of a loop's name: the other names get their values, those combinations that
/// pass the filter go on to the body.
#[derive(Clone, Copy)]
pub(super) struct Rest<'e> {
    pub binders: &'e [Binder],
    pub filter: Option<&'e Expr>,
    pub body: &'e [Stmt],
}

/// Whether the result of a loop over `name` is the same for every order of the values.
pub(super) fn is_free(model: &Model, name: LocalId, rest: Rest<'_>) -> bool {
    let names = names_of(name, rest.body);
    let mut loop_ = Loop { model, names: &names, inner: BTreeSet::new(), writes: BTreeMap::new() };
    let mut reads = Reads { model, found: Vec::new(), functions: BTreeSet::new() };
    rest.binders.iter().filter_map(collection).chain(rest.filter).for_each(|expr| reads.expr(expr));
    for statement in rest.body {
        statement.each(&mut |statement| {
            loop_.note(statement);
            reads.statement(statement);
        });
    }
    let Loop { inner, writes, .. } = loop_;
    let outside = |root: &Root| !matches!(root, Root::Local(local) if inner.contains(local));
    writes.iter().filter(|(root, _)| outside(root)).all(|(root, writes)| {
        let mine = || reads.found.iter().filter(|(read, _)| read == root);
        let own = writes.own.iter().flatten().any(|&position| {
            mine().all(|(_, path)| path.get(position).is_some_and(|index| is_one_of(index, &names)))
        });
        own || (writes.ways.len() == 1 && !writes.ways.contains(&Way::Other) && mine().next().is_none())
    })
}

fn is_one_of(expr: &Expr, names: &BTreeSet<LocalId>) -> bool {
    matches!(expr.kind, ExprKind::Local(local) if names.contains(&local))
}

/// The name of a loop, and those that always stand for the same value: parameters of procedures that are
/// called in it, and what `let` gives it. A variable that is assigned to is none.
fn names_of(name: LocalId, body: &[Stmt]) -> BTreeSet<LocalId> {
    let (mut names, mut changed) = (BTreeSet::from([name]), BTreeSet::new());
    for statement in body {
        statement.each(&mut |statement| match &statement.kind {
            StmtKind::Let(local, Initial::Value(value)) if is_one_of(value, &names) => {
                names.insert(*local);
            }
            StmtKind::Assign(target, _) => {
                changed.extend(path(target).and_then(|(root, _)| match root {
                    Root::Local(local) => Some(local),
                    Root::Var(_) => None,
                }));
            }
            _ => {}
        });
    }
    // What is given the value of such a variable is not looked for: then no other name counts.
    match names.is_disjoint(&changed) {
        true => names,
        false => BTreeSet::from([name]),
    }
}

/// The root of a place and the indices from the root on.
fn path(place: &Expr) -> Option<(Root, Vec<&Expr>)> {
    match &place.kind {
        ExprKind::Var(var, member) => Some((Root::Var(*var), member.iter().collect())),
        ExprKind::Local(local) => Some((Root::Local(*local), Vec::new())),
        ExprKind::Index(base, index) => {
            let (root, mut indices) = path(base)?;
            indices.push(index);
            Some((root, indices))
        }
        ExprKind::Field(base, _) | ExprKind::Unwrap(base) => path(base),
        _ => None,
    }
}

/// A loop while its writes are noted.
struct Loop<'e> {
    model: &'e Model,
    /// What stands for its value.
    names: &'e BTreeSet<LocalId>,
    /// Names declared inside.
    inner: BTreeSet<LocalId>,
    writes: BTreeMap<Root, Writes>,
}

impl Loop<'_> {
    /// Notes what a statement writes and which names it declares.
    fn note(&mut self, statement: &Stmt) {
        let (target, way) = match &statement.kind {
            StmtKind::Assign(target, value) => (target, way(self.model, target, value)),
            StmtKind::Add(target, _) => (target, Way::AddTo),
            // From a bag too: whether it faults depends on how often each element is removed in all, not on
            // the order.
            StmtKind::Remove(target, _) => (target, Way::RemoveFrom),
            StmtKind::Push(target, _) | StmtKind::Pop(target) | StmtKind::Clear(target) => {
                (target, Way::Other)
            }
            StmtKind::Let(local, _) => {
                self.inner.insert(*local);
                return;
            }
            StmtKind::For(binders, ..) => {
                self.inner.extend(binders.iter().map(|binder| binder.local));
                return;
            }
            StmtKind::If(..) | StmtKind::Assert(..) | StmtKind::Assume(_) => return,
        };
        let (root, indices) = path(target).expect("only places are written");
        let own = |index: &&Expr| is_one_of(index, self.names);
        let positions: BTreeSet<usize> = (0..indices.len()).filter(|&i| own(&indices[i])).collect();
        let entry = self.writes.entry(root).or_default();
        entry.ways.insert(way);
        entry.own = Some(match entry.own.take() {
            None => positions,
            Some(before) => before.intersection(&positions).copied().collect(),
        });
    }
}

fn way(model: &Model, target: &Expr, value: &Initial) -> Way {
    let Initial::Value(value) = value else { return Way::Other };
    match &value.kind {
        ExprKind::Const(constant) => Way::Constant(*constant),
        ExprKind::None => Way::Constant(i64::MIN),
        ExprKind::Arith(op @ (ArithOp::Add | ArithOp::Sub), left, right) if same(target, left) => {
            match (&right.kind, op) {
                (ExprKind::Const(by), op) if (*by >= 0) == (*op == ArithOp::Add) => Way::Up,
                (ExprKind::Const(_), _) => Way::Down,
                (_, ArithOp::Add) if is_natural(model, right) => Way::Up,
                (_, ArithOp::Sub) if is_natural(model, right) => Way::Down,
                _ => Way::Other,
            }
        }
        ExprKind::SetOp(SetOp::Union, left, _) if same(target, left) => Way::AddTo,
        ExprKind::SetOp(SetOp::Difference, left, _) if same(target, left) => Way::RemoveFrom,
        _ => Way::Other,
    }
}

/// Whether a number is surely not negative: by its declared range, or because it counts something.
fn is_natural(model: &Model, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Size(_) | ExprKind::Count(..) => true,
        ExprKind::If(_, a, b) => {
            let natural = |e: &Expr| matches!(e.kind, ExprKind::Const(0..)) || is_natural(model, e);
            natural(a) && natural(b)
        }
        _ => declared(model, expr).and_then(|ty| model.types.bounds(ty)).is_some_and(|(lo, _)| lo >= 0),
    }
}

/// The declared type of what is stored at a place.
fn declared(model: &Model, place: &Expr) -> Option<TypeId> {
    let inside = |base: &Expr| match base.ty {
        Ty::Of(ty) => Some(model.types.get(ty)),
        Ty::Int => None,
    };
    match &place.kind {
        ExprKind::Var(var, _) => Some(model.vars[var.index()].ty),
        ExprKind::Local(local) => match model.locals[local.index()].ty {
            Stored::Type(ty) => Some(ty),
            Stored::Int => None,
        },
        ExprKind::Index(base, _) => match *inside(base)? {
            Type::Array { element, .. } | Type::Queue { element, .. } => Some(element),
            _ => None,
        },
        ExprKind::Field(base, field) => match *inside(base)? {
            Type::Record(record) => Some(model.types.record(record).fields[*field as usize].ty),
            _ => None,
        },
        _ => None,
    }
}

/// Whether two expressions are surely the same place, or the same plain value.
fn same(a: &Expr, b: &Expr) -> bool {
    poll();
    match (&a.kind, &b.kind) {
        (ExprKind::Var(a, member), ExprKind::Var(b, other)) => {
            a == b && member.len() == other.len() && member.iter().zip(other).all(|(a, b)| same(a, b))
        }
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Const(x), ExprKind::Const(y)) => x == y && a.ty == b.ty,
        (ExprKind::Index(a, i), ExprKind::Index(b, j)) => same(a, b) && same(i, j),
        (ExprKind::Field(a, i), ExprKind::Field(b, j)) => i == j && same(a, b),
        _ => false,
    }
}

/// Everything that is read, with the indices from the root on.
struct Reads<'e> {
    model: &'e Model,
    found: Vec<(Root, Vec<&'e Expr>)>,
    /// The functions that were looked into.
    functions: BTreeSet<FunctionId>,
}

impl<'e> Reads<'e> {
    /// What a statement reads, except the places it writes and the old value in `n = n + 1` and `s = s |
    /// {i}`.
    fn statement(&mut self, statement: &'e Stmt) {
        match &statement.kind {
            StmtKind::Assign(target, value) => {
                self.indices(target);
                match (value.expr().map(|expr| &expr.kind), way(self.model, target, value)) {
                    (
                        Some(ExprKind::Arith(_, _, right) | ExprKind::SetOp(_, _, right)),
                        Way::Up | Way::Down | Way::AddTo | Way::RemoveFrom,
                    ) => self.expr(right),
                    _ => value.expr().into_iter().for_each(|expr| self.expr(expr)),
                }
            }
            StmtKind::Add(target, element)
            | StmtKind::Remove(target, element)
            | StmtKind::Push(target, element) => {
                self.indices(target);
                self.expr(element);
            }
            StmtKind::Pop(target) | StmtKind::Clear(target) => self.indices(target),
            _ => statement.each_expr(&mut |expr| self.expr(expr)),
        }
    }

    /// The indices of a written place are read, and `x! = e` looks whether there is a value.
    fn indices(&mut self, place: &'e Expr) {
        let Some((root, indices)) = path(place) else { return self.expr(place) };
        if contains_unwrap(place) {
            self.found.push((root, indices.clone()));
        }
        indices.into_iter().for_each(|index| self.expr(index));
    }

    fn expr(&mut self, expr: &'e Expr) {
        poll();
        if let ExprKind::Call(function, _) = &expr.kind {
            self.function(*function);
        }
        match path(expr) {
            Some((root, indices)) => {
                indices.iter().for_each(|index| self.expr(index));
                self.found.push((root, indices));
            }
            None => expr.each_part(&mut |part| self.expr(part)),
        }
    }

    /// A function may read any cell of the variables in it.
    fn function(&mut self, function: FunctionId) {
        if !self.functions.insert(function) {
            return;
        }
        let model = self.model;
        model.functions[function.index()].body.each(&mut |part| match &part.kind {
            ExprKind::Var(var, _) => self.found.push((Root::Var(*var), Vec::new())),
            ExprKind::Call(inner, _) => self.function(*inner),
            _ => {}
        });
    }
}

fn contains_unwrap(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Unwrap(_) => true,
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => contains_unwrap(base),
        _ => false,
    }
}
