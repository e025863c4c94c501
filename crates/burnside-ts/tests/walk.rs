//! Walkers: visiting and changing see the same parts in the same order, of everything that code is made of.

use burnside_ts::{
    Access, Arith, Binder, Check, Collection, Compare, Domain, Expr, Formula, FunctionId, Index, Operand,
    Part, Path, Place, Quantifier, Quantify, Root, Sequence, SetOp, SiteId, Slot, Stmt, Target, Temporal,
    TypeId,
};

/// Makes expressions that differ.
struct Fresh(i64);

impl Fresh {
    fn expr(&mut self) -> Expr {
        self.0 += 1;
        Expr::Const(self.0)
    }

    fn two(&mut self) -> Box<[Expr; 2]> {
        Box::new([self.expr(), self.expr()])
    }

    fn place(&mut self) -> Place {
        let index = |value| Index { value, low: 0, size: 9, stride: 1, site: SiteId(0) };
        let indices = Box::new([index(self.expr()), index(self.expr())]);
        Place { root: Root::State, offset: 0, indices, width: 1, bias: 0 }
    }

    fn binder(&mut self) -> Binder {
        let setup = Box::new([Stmt::Local(Slot(0), self.expr())]);
        let collection = Collection { setup, place: self.place(), ty: TypeId(0) };
        let domain = Domain::Collection(Box::new(collection));
        Binder { target: Target::Scalar(Slot(1)), ty: TypeId(0), domain }
    }

    fn operands(&mut self) -> [Operand; 2] {
        [Operand::Scalar(self.expr(), 0), Operand::Wide(self.place())]
    }

    fn exprs(&mut self) -> Vec<Expr> {
        let (ty, site) = (TypeId(0), SiteId(0));
        let quantify = Quantify {
            quantifier: Quantifier::Sum,
            binders: Box::new([self.binder(), self.binder()]),
            filter: Some(self.expr()),
            body: self.expr(),
            site,
        };
        let [scalar, wide] = self.operands().map(Box::new);
        vec![
            Expr::Load(self.place().into()),
            Expr::Not(self.expr().into()),
            Expr::Offset(self.expr().into(), 1),
            Expr::Arith(Arith::Add, self.two(), site),
            Expr::Compare(Compare::Eq, self.two()),
            Expr::And(self.two()),
            Expr::Or(self.two()),
            Expr::If(Box::new([self.expr(), self.expr(), self.expr()])),
            Expr::Let(Slot(0), self.two()),
            Expr::Quantify(Box::new(quantify)),
            Expr::Do(Box::new([Stmt::Clear(self.place())]), self.expr().into()),
            Expr::Call(FunctionId(0)),
            Expr::Check(Box::new(Check { value: self.expr(), lo: 0, hi: 1, site })),
            Expr::Bound(self.two(), site),
            Expr::Unwrap(self.expr().into(), 0, site),
            Expr::Same(Box::new([self.place(), self.place()]), 1),
            Expr::Rank(self.place().into(), ty),
            Expr::Contains(self.place().into(), self.expr().into()),
            Expr::Subset(Box::new([self.place(), self.place()]), 1),
            Expr::Size(self.place().into(), ty),
            Expr::Count(self.place().into(), ty, scalar),
            Expr::Count(self.place().into(), ty, wide),
        ]
    }

    fn stmts(&mut self) -> Vec<Stmt> {
        let (ty, site) = (TypeId(0), SiteId(0));
        let local = |fresh: &mut Self| Stmt::Local(Slot(0), fresh.expr());
        let [scalar, wide] = self.operands();
        vec![
            local(self),
            Stmt::Store(self.place(), self.expr()),
            Stmt::Copy(self.place(), self.place()),
            Stmt::Clear(self.place()),
            Stmt::If(self.expr(), Box::new([local(self)]), Box::new([local(self), local(self)])),
            Stmt::For(self.binder().into(), Box::new([local(self)])),
            Stmt::Forget(Box::new([0..1, 1..2])),
            Stmt::Assert(self.expr(), site),
            Stmt::Assume(self.expr(), site),
            Stmt::Choose(self.place(), ty),
            Stmt::ChooseFrom(self.binder().into(), site),
            Stmt::Member(self.place(), self.expr(), true),
            Stmt::Combine(SetOp::Union, Box::new([self.place(), self.place(), self.place()])),
            Stmt::Push(self.place(), ty, scalar.clone(), site),
            Stmt::Pop(self.place(), ty, site),
            Stmt::Add(self.place(), ty, wide, site),
            Stmt::Remove(self.place(), ty, scalar, site),
            Stmt::Call(FunctionId(0)),
        ]
    }
}

/// The nearest expressions.
fn nearest(part: Part<'_>, out: &mut Vec<Expr>) {
    match part {
        Part::Expr(expr) => out.push(expr.clone()),
        Part::Stmt(statement) => statement.children(&mut |part| nearest(part, out)),
        Part::Place(_, place) => out.extend(place.indices.iter().map(|index| index.value.clone())),
    }
}

/// Notes what it is given, and changes it.
fn change(seen: &mut Vec<Expr>) -> impl FnMut(Expr) -> Expr {
    |expr| {
        seen.push(expr.clone());
        Expr::Not(Box::new(expr))
    }
}

fn changed(exprs: &[Expr]) -> Vec<Expr> {
    exprs.iter().map(|expr| Expr::Not(Box::new(expr.clone()))).collect()
}

#[test]
fn code_is_visited_and_changed_alike() {
    for expr in Fresh(0).exprs() {
        let (mut visited, mut seen, mut after) = (Vec::new(), Vec::new(), Vec::new());
        expr.children(&mut |part| nearest(part, &mut visited));
        expr.clone().map(&mut change(&mut seen)).children(&mut |part| nearest(part, &mut after));
        assert_eq!((&visited, changed(&visited)), (&seen, after), "{expr:?}");
    }
    for statement in Fresh(0).stmts() {
        let (mut visited, mut seen, mut after) = (Vec::new(), Vec::new(), Vec::new());
        statement.children(&mut |part| nearest(part, &mut visited));
        statement.clone().map(&mut change(&mut seen)).children(&mut |part| nearest(part, &mut after));
        assert_eq!((&visited, changed(&visited)), (&seen, after), "{statement:?}");
    }
}

#[test]
fn what_happens_to_places() {
    let accesses = |statement: &Stmt| {
        let mut found = Vec::new();
        statement.children(&mut |part| found.extend(matches!(part, Part::Place(..)).then_some(part)));
        let access = |part: &Part<'_>| match part {
            Part::Place(access, _) => *access,
            _ => unreachable!("only places were kept"),
        };
        found.iter().map(access).collect::<Vec<_>>()
    };
    use Access::{Read, Update, Write};
    let all: Vec<_> = Fresh(0).stmts().iter().map(accesses).filter(|it| !it.is_empty()).collect();
    let (read, write, update) = (vec![Read], vec![Write], vec![Update]);
    let expected = [
        write.clone(),
        vec![Read, Write],
        write.clone(),
        read.clone(),
        write,
        read,
        update.clone(),
        vec![Read, Read, Write],
        update.clone(),
        update.clone(),
        vec![Read, Update],
        update,
    ];
    assert_eq!(all, expected);
}

#[test]
fn formulas_and_sequences() {
    let mut fresh = Fresh(0);
    let mut atom = || Formula::Atom(fresh.expr(), String::new());
    let mut two = || Box::new([atom(), atom()]);
    let binder = Binder { target: Target::Scalar(Slot(0)), ty: TypeId(0), domain: Domain::Type };
    let timed = |operator| Formula::Temporal(Some(Path::All), operator);
    let one = |sides: Box<[Formula; 2]>| Box::new(Formula::Not(Box::new(sides[0].clone())));
    let parts = [
        Formula::And(two()),
        Formula::Or(two()),
        Formula::Implies(two()),
        Formula::Iff(two()),
        Formula::Forall(binder.clone(), one(two())),
        Formula::Exists(binder, one(two())),
        timed(Temporal::Next(one(two()))),
        timed(Temporal::Finally(one(two()))),
        timed(Temporal::Globally(one(two()))),
        timed(Temporal::Until(two())),
        timed(Temporal::Release(two())),
        timed(Temporal::WeakUntil(two())),
        timed(Temporal::StrongRelease(two())),
    ];
    for part in &parts {
        assert_eq!(part.map(&mut Formula::clone), *part);
        let twice = part.map(&mut |inner| Formula::Not(Box::new(inner.clone())));
        assert!(twice.children().iter().all(|inner| matches!(inner, Formula::Not(_))));
        assert_eq!(twice.conditions(), part.conditions());
        assert_eq!(part.children().len(), part.conditions().len());
    }
    let state = |number| Sequence::State(Expr::Const(number));
    let repeated = Sequence::Repeat(Box::new(state(2)), 1, None);
    let sequence = Sequence::Then(vec![state(1), Sequence::Or(vec![repeated, state(3)])]);
    let numbers = [Expr::Const(1), Expr::Const(2), Expr::Const(3)];
    assert_eq!(sequence.conditions(), numbers.each_ref());
    fn same(sequence: &Sequence) -> Sequence {
        sequence.map(&mut same)
    }
    assert_eq!(same(&sequence), sequence);
}
