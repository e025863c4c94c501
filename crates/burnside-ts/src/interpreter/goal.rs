//! Steps to a certain state, without a look at all the others.
//!
//! Entry points: [`Machine::successors_to`](crate::Machine::successors_to) and the like. A
//! body with many choices has too many outcomes to list, but most choices go wrong early: as soon as no
//! statement that is still to come writes a bit, the bit must be as the goal has it, or else the choices made
//! so far are given up. So where each choice is about a part of the state, the work grows with their sum
//! instead of their product.
//!
//! Which bits are still to be written is taken from the text of the body: where an index is not known, all
//! elements count as written. A step that is found was run to its end, so only one that is not found rests on
//! this.

use super::domain::Each;
use super::{Cause, Halt, Interpreter, Walk, Wanted};
use crate::code::{Binder, Domain, Expr, Place, Root, Slot, Stmt, Target};
use crate::system::System;
use crate::walk::{Access, Part};

/// Loops with more values are not looked into.
const LONG: u64 = 4096;

/// A state that steps are to lead to, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    state: Box<[u64]>,
    /// The bits that count.
    part: Box<[u64]>,
}

impl Goal {
    /// A state.
    pub fn state(state: &[u64]) -> Self {
        Self::part(state, &vec![u64::MAX; state.len()])
    }

    /// Some bits of a state.
    pub fn part(state: &[u64], part: &[u64]) -> Self {
        assert_eq!(state.len(), part.len(), "there is a word for each");
        Self { state: state.into(), part: part.into() }
    }

    /// Whether a state is as wanted.
    pub fn is_met(&self, state: &[u64]) -> bool {
        let words = self.state.iter().zip(&self.part).zip(state);
        words.fold(0, |wrong, ((goal, part), state)| wrong | (goal ^ state) & part) == 0
    }

    /// Whether a state is as wanted, apart from some bits.
    fn agrees(&self, state: &[u64], apart: &[u64]) -> bool {
        let words = self.state.iter().zip(&self.part).zip(state.iter().zip(apart));
        words.fold(0, |wrong, ((goal, part), (state, apart))| wrong | (goal ^ state) & part & !apart) == 0
    }
}

/// The values of names that are known: slots with what is in them.
type Scope = Vec<(Slot, i64)>;

impl<'s> Interpreter<'s> {
    pub(super) fn wanting(&mut self, wanted: Wanted, walk: impl FnOnce(&mut Self) -> Walk) -> Walk {
        self.wanted = wanted;
        let walked = walk(self);
        self.wanted = Wanted::All;
        walked
    }

    /// Runs a body, or gives up what does not lead to the goal. The known names are the parameters of the
    /// rule.
    pub(super) fn run_to(
        &mut self,
        body: &'s [Stmt],
        args: std::ops::Range<usize>,
        goal: &Goal,
    ) -> Result<(), Halt> {
        let mut scope: Scope = args.map(|i| (Slot(i as u32), self.frame[i] as i64)).collect();
        let none = vec![0; goal.state.len()];
        self.block_to(body, &mut scope, &none, goal)
    }

    /// The same for some statements, after which some bits may still be written.
    fn block_to(
        &mut self,
        statements: &'s [Stmt],
        scope: &mut Scope,
        after: &[u64],
        goal: &Goal,
    ) -> Result<(), Halt> {
        // Constants choose nothing, and there may be as many as a large net has tokens: one look behind all
        // of them is enough.
        let runs: Vec<&'s [Stmt]> = statements.chunk_by(|a, b| is_constant(a) && is_constant(b)).collect();
        // For each run of statements, what may be written after it.
        let mut later = vec![after.to_vec()];
        for run in runs.iter().rev() {
            let mut bits = later.last().expect("there is a last one").clone();
            run.iter().for_each(|statement| self.writes(statement, scope, &mut bits));
            later.push(bits);
        }
        self.must_agree(goal, &later.pop().expect("there is one more"))?;
        for run in runs {
            let later = later.pop().expect("there is one for each");
            run.iter().try_for_each(|statement| self.statement_to(statement, scope, &later, goal))?;
            self.must_agree(goal, &later)?;
        }
        Ok(())
    }

    fn statement_to(
        &mut self,
        statement: &'s Stmt,
        scope: &mut Scope,
        later: &[u64],
        goal: &Goal,
    ) -> Result<(), Halt> {
        match statement {
            Stmt::If(condition, then, otherwise) => {
                let chosen = if self.eval(condition)? != 0 { then } else { otherwise };
                self.block_to(chosen, scope, later, goal)
            }
            Stmt::For(binder, body) => match self.numbered(binder) {
                Some((slot, values)) => self.loop_to((binder, body), (slot, values), scope, later, goal),
                None => self.exec(statement),
            },
            other => self.exec(other),
        }
    }

    fn loop_to(
        &mut self,
        (binder, body): (&'s Binder, &'s [Stmt]),
        (slot, values): (Slot, Vec<i64>),
        scope: &mut Scope,
        after: &[u64],
        goal: &Goal,
    ) -> Result<(), Halt> {
        // For each value, what may be written by the loop after it.
        let mut later = vec![after.to_vec()];
        for &value in values.iter().skip(1).rev() {
            let mut bits = later.last().expect("there is a last one").clone();
            scope.push((slot, value));
            body.iter().for_each(|statement| self.writes(statement, scope, &mut bits));
            scope.pop();
            later.push(bits);
        }
        let mut values = values.into_iter();
        let classes = self.symmetry.classes.take();
        let walked = self.each(binder, Each::Occurrence, &mut |machine: &mut Self| {
            let (Some(value), Some(later)) = (values.next(), later.pop()) else {
                unreachable!("one for each")
            };
            scope.push((slot, value));
            let done = machine.block_to(body, scope, &later, goal);
            scope.pop();
            done.map(|()| true)
        });
        self.symmetry.classes = classes;
        walked.map(drop)
    }

    fn must_agree(&mut self, goal: &Goal, apart: &[u64]) -> Result<(), Halt> {
        if goal.agrees(&self.state, apart) {
            return Ok(());
        }
        self.cause = Cause::Dropped(None);
        Err(Halt)
    }

    /// The slot of a name that takes all values of a type, and these.
    fn numbered(&self, binder: &Binder) -> Option<(Slot, Vec<i64>)> {
        let (Domain::Type, Target::Scalar(slot)) = (&binder.domain, binder.target) else { return None };
        let size = self.system.types.size(binder.ty).filter(|&size| size <= LONG)?;
        let bias = self.system.types.bias(binder.ty);
        Some((slot, (0..size).map(|number| number as i64 + bias).collect()))
    }

    /// Marks the bits of the state that a statement may write. Functions write to the frame.
    fn writes(&self, statement: &Stmt, scope: &mut Scope, bits: &mut [u64]) {
        if let Stmt::For(binder, body) = statement
            && let Some((slot, values)) = self.numbered(binder)
        {
            for value in values {
                scope.push((slot, value));
                body.iter().for_each(|it| self.writes(it, scope, bits));
                scope.pop();
            }
            return;
        }
        statement.children(&mut |part| match part {
            Part::Stmt(inner) => self.writes(inner, scope, bits),
            Part::Place(Access::Write | Access::Update, place) => mark(self.system, place, scope, bits),
            Part::Place(Access::Read, _) | Part::Expr(_) => {}
        });
    }
}

fn is_constant(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Store(_, Expr::Const(_)))
}

/// Marks the bits that a place may have. Where an index is not known, all from the first element to the last.
fn mark(system: &System, place: &Place, scope: &Scope, bits: &mut [u64]) {
    if place.root != Root::State {
        return;
    }
    let (mut offset, mut width) = (u64::from(place.offset), u64::from(place.width));
    for index in &place.indices {
        let known = match index.value {
            Expr::Const(value) => Some(value),
            Expr::Local(slot) => scope.iter().rev().find(|(its, _)| *its == slot).map(|&(_, value)| value),
            _ => None,
        };
        let number = known.and_then(|value| u64::try_from(value.checked_sub(index.low)?).ok());
        match number.filter(|&number| number < index.size) {
            Some(number) => offset += number * u64::from(index.stride),
            None => width += index.size.saturating_sub(1) * u64::from(index.stride),
        }
    }
    for bit in offset..(offset + width).min(u64::from(system.width)) {
        bits[bit as usize / 64] |= 1 << (bit % 64);
    }
}
