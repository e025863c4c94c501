//! Sequences that must not happen, as invariants: a model that watches itself.
//!
//! Entry point: [`watched`]. The sequence becomes a position automaton in the manner of Glushkov, with a
//! *flag*, a truth value, for each position: whether the states so far, up to this one, match a beginning
//! that ends there. Flags are variables of nobody; the initialisation and every rule end with statements that
//! give them their new values. So the model does what it did before, and the sequence does not happen if no
//! flag of a last position is ever set. Whether small instances speak for all sizes is then a question about
//! an ordinary model. Invariant: a condition is evaluated only where its position can be reached, as it is by
//! those who look for the sequence itself; if it faults there, so does the rule, and who wants to know
//! anything of the invariant must know that no step faults.

use super::Refusal;
use crate::diagnostic::Span;
use crate::hir::{
    Expr, ExprKind, Initial, Local, LocalId, Model, Property, PropertyKind, Sequence, Stmt, StmtKind, Stored,
    Ty, Var, VarId,
};
use burnside_ts::{Type, TypeId};

/// Sequences with more positions are not watched.
const POSITIONS: usize = 24;

/// The model with flags, whose only property is an invariant of the name of a sequence that must not happen.
pub fn watched(model: &Model, name: &str) -> Result<Model, Refusal> {
    let none = || Refusal::new(Span::default(), format!("there is no sequence `{name}`"));
    let property = model.properties.iter().find(|property| property.name == name).ok_or_else(none)?;
    let PropertyKind::Never(sequence) = &property.kind else { return Err(none()) };
    if let Some(span) = asks_for_rules(sequence) {
        let message = "`enabled` is not judged for every size";
        return Err(Refusal::new(span, message).help("write the guard out"));
    }
    let too_long = || {
        let message = "this sequence is too long to be judged for every size";
        Refusal::new(property.span, message).help("repeat less, or leave out what always matches")
    };
    let automaton = Automaton::new(sequence).ok_or_else(too_long)?;
    let mut changed = model.clone();
    let bool_ = changed.types.intern(Type::Bool).map_err(|_| too_long())?;
    let first = changed.vars.len() as u32;
    for i in 0..automaton.conditions.len() {
        let name = format!("{name}_{i}");
        changed.vars.push(Var {
            name,
            span: property.span,
            process: None,
            ty: bool_,
            initial: Initial::Zero,
        });
    }
    let watch = Watch { automaton, bool_, first, span: property.span };
    changed.init.extend(watch.begin());
    for rule in &mut changed.rules {
        let names = changed.locals.len() as u32;
        let old = |i: u32| Local {
            name: format!("{name}_{i}_before"),
            span: property.span,
            ty: Stored::Type(bool_),
        };
        changed.locals.extend((0..watch.automaton.conditions.len() as u32).map(old));
        rule.body.extend(watch.go_on(names));
    }
    let kind = PropertyKind::Invariant(watch.is_quiet());
    changed.properties = vec![Property { name: name.to_string(), span: property.span, kind }];
    Ok(changed)
}

/// Where a sequence asks whether a rule is enabled, which cannot be asked at the end of one.
fn asks_for_rules(sequence: &Sequence) -> Option<Span> {
    let mut found = None;
    sequence.each(&mut |condition| {
        condition.each(&mut |part| {
            if matches!(part.kind, ExprKind::Enabled { .. }) {
                found.get_or_insert(part.span);
            }
        });
    });
    found
}

/// What follows what in a sequence. Positions are numbers of conditions.
#[derive(Default)]
struct Automaton {
    conditions: Vec<Expr>,
    first: Vec<usize>,
    last: Vec<usize>,
    /// By position: those that may come before it.
    before: Vec<Vec<usize>>,
}

/// A part of an automaton.
struct Fragment {
    /// Whether nothing at all matches.
    is_nullable: bool,
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Fragment {
    fn nothing(is_nullable: bool) -> Self {
        Self { is_nullable, first: Vec::new(), last: Vec::new() }
    }
}

impl Automaton {
    fn new(sequence: &Sequence) -> Option<Self> {
        let mut automaton = Self::default();
        let whole = automaton.part(sequence)?;
        (automaton.first, automaton.last) = (whole.first, whole.last);
        (!whole.is_nullable).then_some(automaton)
    }

    fn part(&mut self, sequence: &Sequence) -> Option<Fragment> {
        match sequence {
            Sequence::State(condition) => {
                let position = self.conditions.len();
                if position == POSITIONS {
                    return None;
                }
                self.conditions.push(condition.clone());
                self.before.push(Vec::new());
                Some(Fragment { is_nullable: false, first: vec![position], last: vec![position] })
            }
            Sequence::Then(parts) => {
                let mut whole = Fragment::nothing(true);
                for part in parts {
                    let part = self.part(part)?;
                    whole = self.then(whole, part);
                }
                Some(whole)
            }
            Sequence::Or(parts) => {
                let mut whole = Fragment::nothing(false);
                for part in parts {
                    let part = self.part(part)?;
                    whole.is_nullable |= part.is_nullable;
                    whole.first.extend(part.first);
                    whole.last.extend(part.last);
                }
                Some(whole)
            }
            Sequence::Repeat { body, least, most } => self.repeat(body, *least, *most),
        }
    }

    /// The copies that must be there, then those that may be, or a loop.
    fn repeat(&mut self, body: &Sequence, least: u32, most: Option<u32>) -> Option<Fragment> {
        let mut whole = Fragment::nothing(true);
        let copies = most.unwrap_or(least.max(1));
        for copy in 0..copies {
            let mut part = self.part(body)?;
            if most.is_none() && copy + 1 == copies {
                self.link(&part.last, &part.first);
            }
            part.is_nullable |= copy >= least;
            whole = self.then(whole, part);
        }
        Some(whole)
    }

    fn then(&mut self, left: Fragment, right: Fragment) -> Fragment {
        self.link(&left.last, &right.first);
        let is_nullable = left.is_nullable && right.is_nullable;
        let first = if left.is_nullable { [left.first, right.first].concat() } else { left.first };
        let last = if right.is_nullable { [left.last, right.last].concat() } else { right.last };
        Fragment { is_nullable, first, last }
    }

    fn link(&mut self, from: &[usize], to: &[usize]) {
        for &next in to {
            let more = from.iter().filter(|position| !self.before[next].contains(position));
            let more: Vec<usize> = more.copied().collect();
            self.before[next].extend(more);
        }
    }
}

/// What a model gets so that it watches itself.
struct Watch {
    automaton: Automaton,
    bool_: TypeId,
    /// The variable with the flag of the first position.
    first: u32,
    span: Span,
}

impl Watch {
    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { span: self.span, ty: Ty::Of(self.bool_), kind }
    }

    /// It stands nowhere in the text, so it uses no constant of it.
    fn constant(&self, value: bool) -> Expr {
        let span = Span { end: self.span.start, ..self.span };
        Expr { span, ..self.expr(ExprKind::Const(i64::from(value))) }
    }

    fn flag(&self, position: usize) -> Expr {
        self.expr(ExprKind::Var(VarId(self.first + position as u32), Vec::new()))
    }

    fn any_of(&self, parts: impl Iterator<Item = Expr>) -> Option<Expr> {
        parts.reduce(|all, part| self.expr(ExprKind::Or(Box::new(all), Box::new(part))))
    }

    fn set(&self, position: usize, value: Expr) -> Stmt {
        Stmt { span: self.span, kind: StmtKind::Assign(self.flag(position), Initial::Value(value)) }
    }

    /// At the end of the initialisation: a match may begin.
    fn begin(&self) -> Vec<Stmt> {
        let condition = |position: usize| self.automaton.conditions[position].clone();
        self.automaton.first.iter().map(|&position| self.set(position, condition(position))).collect()
    }

    /// At the end of a rule, which has names for the flags of before.
    fn go_on(&self, names: u32) -> Vec<Stmt> {
        let Automaton { conditions, first, before, .. } = &self.automaton;
        let name = |position: usize| LocalId(names + position as u32);
        let positions = || 0..conditions.len();
        let mut all: Vec<Stmt> = Vec::new();
        for position in positions().filter(|it| before.iter().any(|before| before.contains(it))) {
            let kind = StmtKind::Let(name(position), Initial::Value(self.flag(position)));
            all.push(Stmt { span: self.span, kind });
        }
        for position in positions() {
            let condition = conditions[position].clone();
            let was = |&position: &usize| self.expr(ExprKind::Local(name(position)));
            let value = match self.any_of(before[position].iter().map(was)) {
                _ if first.contains(&position) => condition,
                Some(reached) => self.expr(ExprKind::And(Box::new(reached), Box::new(condition))),
                None => self.constant(false),
            };
            all.push(self.set(position, value));
        }
        all
    }

    /// No match has ended.
    fn is_quiet(&self) -> Expr {
        let ended = self.any_of(self.automaton.last.iter().map(|&position| self.flag(position)));
        match ended {
            Some(ended) => self.expr(ExprKind::Not(Box::new(ended))),
            None => self.constant(true),
        }
    }
}
