//! Conditions on steps, turned into conditions on states: a system that remembers.
//!
//! Entry points: [`System::remembering`] makes, for one linear-time property, a system whose states also say
//! what the variables were before the last step; in it a condition on a step is one on the state that the
//! step leads to. [`Memory`] says how a run of the original is laid out in it, and gives the way back. So
//! engines, with all of their symmetries, know nothing of steps: what is remembered is of the type of the
//! variable, and permutations move it along.
//!
//! In a deadlock a run stays for ever, and each time it stays is a step, from the deadlock to itself. Here
//! that is a rule of its own, the last one, which no fairness unit has, and which forgets what was before.
//! Before the first step there is nothing to remember: `begun` is false, and no condition is looked at.

use crate::bits;
use crate::code::{Cell, Expr, Place, Quantifier, Quantify, Root, SiteId, Stmt};
use crate::formula::{Formula, Remembered, StepCondition, Temporal};
use crate::system::{Conjunct, Process, ProcessId, Property, Question, Rule, RuleId, System, Var};
use crate::types::{Type, TypeId};

/// How the states of a system that remembers are made of those of the original.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Bits of an original state.
    width: u32,
    /// From where to where bits are copied with each step, and how many.
    copied: Vec<(u32, u32, u32)>,
    /// The bit that says whether there was a step.
    begun: u32,
    /// The rule by which a run stays in a deadlock.
    stay: RuleId,
}

impl Formula {
    /// The conditions on steps in it.
    pub fn steps(&self) -> Vec<&StepCondition> {
        match self {
            Formula::Step(step) => vec![&**step],
            _ => self.children().iter().flat_map(Formula::steps).collect(),
        }
    }

    /// The same of a system that remembers: a condition on a step is one on the next state.
    fn remembering(&self, begun: Cell) -> Formula {
        match self {
            Formula::Step(step) => {
                let first = Expr::Cell(begun).negate();
                let condition = Expr::Or(Box::new([first, step.condition.clone()]));
                let next = Temporal::Next(Box::new(Formula::Atom(condition, step.text.clone())));
                Formula::Temporal(None, next)
            }
            _ => self.map(&mut |inner| inner.remembering(begun)),
        }
    }
}

impl Question {
    /// Whether it speaks of steps, so that it must be asked of a system that remembers.
    pub fn is_about_steps(&self) -> bool {
        matches!(self, Question::Linear(formula) if !formula.steps().is_empty())
    }
}

impl System {
    /// The system that remembers what the conditions on steps of a linear-time formula need, with the formula
    /// of it. It has no properties.
    pub fn remembering(&self, formula: &Formula) -> (System, Formula, Memory) {
        let mut system = System { properties: Vec::new(), hints: Vec::new(), ..self.clone() };
        let boolean = system.types.intern(Type::Bool).expect("bool has two values");
        let rooms = rooms(formula);
        let mut copied = Vec::new();
        for room in &rooms {
            let var = &self.vars[room.var.index()];
            if room.used {
                copied.push((var.offset, room.offset, system.types.width(var.ty)));
            }
            system.remember(format!("{} before", var.name), var.ty, room.offset);
        }
        let begun = system.width;
        system.remember("begun".into(), boolean, begun);
        let memory = Memory { width: self.width, copied, begun, stay: RuleId(self.rules.len() as u32) };
        let begun = Cell { offset: begun, width: 1, bias: 0 };
        let keep = system.keep(&rooms);
        let set = Stmt::Store(place(begun.offset, 1, 0), Expr::Const(1));
        let first: Vec<Stmt> = keep.iter().cloned().chain([set]).collect();
        system.original = Some(self.width);
        system.init = self.init.iter().cloned().chain(keep).collect();
        for rule in &mut system.rules {
            rule.body = first.iter().cloned().chain(rule.body.iter().cloned()).collect();
        }
        system.stay(first);
        let formula = formula.remembering(begun);
        (system, formula, memory)
    }

    /// The same for a property, which is the only one then.
    pub fn remembering_property(&self, property: &Property) -> Option<(System, Memory)> {
        let Question::Linear(formula) = &property.question else { return None };
        let (mut system, formula, memory) = self.remembering(formula);
        let question = Question::Linear(formula);
        // Elements that conditions name are not moved along: they stand in conditions on steps, too.
        system.properties.push(Property { question, named: None, ..property.clone() });
        Some((system, memory))
    }

    /// A variable at the end of the state.
    fn remember(&mut self, name: String, ty: TypeId, offset: u32) {
        debug_assert_eq!(offset, self.width, "what is remembered lies side by side");
        self.vars.push(Var { name, process: None, qualified: false, ty, offset });
        self.width = offset + self.types.width(ty);
    }

    /// Remembers the variables that are needed.
    fn keep(&self, rooms: &[Remembered]) -> Vec<Stmt> {
        let copy = |room: &Remembered| {
            let Var { ty, offset, .. } = self.vars[room.var.index()];
            let (width, bias) = (self.types.width(ty), self.types.bias(ty));
            match self.types.is_scalar(ty) {
                true => {
                    Stmt::Store(place(room.offset, width, bias), Expr::Cell(Cell { offset, width, bias }))
                }
                false => Stmt::Copy(place(room.offset, width, bias), place(offset, width, bias)),
            }
        };
        rooms.iter().filter(|room| room.used).map(copy).collect()
    }

    /// The rule by which a run stays in a deadlock.
    fn stay(&mut self, body: Vec<Stmt>) {
        let enabled: Vec<Expr> = self.rules.iter().map(|rule| some_instance(rule, 0, &rule.guard)).collect();
        // No run goes through a state outside of the constraint.
        let within = self.constraint.iter().map(|constraint| constraint.condition.clone());
        let conditions = within.chain(enabled.into_iter().map(Expr::negate));
        let guard = conditions.map(|condition| Conjunct { level: 0, condition }).collect();
        let process = ProcessId(self.processes.len() as u32);
        self.processes.push(Process { name: "the end".into(), indices: Vec::new() });
        let (name, params, args) = (String::new(), Vec::new(), 0..0);
        self.rules.push(Rule { name, process, params, args, guard, body: body.into() });
    }
}

/// Where all conditions on steps of a formula find what was before, with what any of them reads.
fn rooms(formula: &Formula) -> Vec<Remembered> {
    let steps = formula.steps();
    let mut rooms: Vec<Remembered> = Vec::new();
    for step in &steps {
        for (i, room) in step.remembered.iter().enumerate() {
            match rooms.get_mut(i) {
                Some(known) => known.used |= room.used,
                None => rooms.push(*room),
            }
        }
    }
    rooms
}

/// Whether some instance of a rule is enabled, with the parameters from `level` on still to be bound. Its own
/// places in the frame are free: nothing of it runs meanwhile.
fn some_instance(rule: &Rule, level: usize, guard: &[Conjunct]) -> Expr {
    let ready = guard.iter().take_while(|part| part.level <= level).count();
    let ready = if level == rule.params.len() { guard.len() } else { ready };
    let (now, later) = guard.split_at(ready);
    let rest = rule.params.get(level).map(|param| {
        let body = some_instance(rule, level + 1, later);
        let (quantifier, binders) = (Quantifier::Exists, Box::new([param.binder.clone()]));
        Expr::Quantify(Box::new(Quantify { quantifier, binders, filter: None, body, site: SiteId(0) }))
    });
    Expr::all(now.iter().map(|part| part.condition.clone()).chain(rest).collect::<Vec<_>>().into_iter())
}

fn place(offset: u32, width: u32, bias: i64) -> Place {
    Place { root: Root::State, offset, indices: Box::new([]), width, bias }
}

impl Memory {
    /// The rule by which a run stays in a deadlock.
    pub fn stay(&self) -> RuleId {
        self.stay
    }

    /// The state of the original.
    pub fn original(&self, state: &[u64]) -> Box<[u64]> {
        let mut state: Box<[u64]> = state[..(self.width as usize).div_ceil(64)].into();
        if let (Some(last), rest @ 1..) = (state.last_mut(), self.width % 64) {
            *last &= bits::mask(rest);
        }
        state
    }

    /// A state after a step from another one; the first state of a run if there is no step.
    pub fn after(&self, before: Option<&[u64]>, state: &[u64]) -> Box<[u64]> {
        let words = (self.begun as usize + 1).div_ceil(64);
        let mut whole = vec![0; words + bits::SPARE];
        whole[..state.len()].copy_from_slice(state);
        let mut from = vec![0; state.len() + bits::SPARE];
        from[..state.len()].copy_from_slice(before.unwrap_or(state));
        for &(source, target, width) in &self.copied {
            bits::copy(&mut whole, target, &from, source, width);
        }
        bits::write(&mut whole, self.begun, 1, u64::from(before.is_some()));
        whole[..words].into()
    }
}
