//! What there is to cache: the instances of the rules with their arguments, which parts of their guards are
//! put into tables, and which bits their bodies read and write.
//!
//! Entry point: [`plan`]. From the first parameter on that ranges over a collection, or makes very many
//! instances, the parameters of a rule are left open: an instance has arguments for those before it, and
//! stands for all with these. What it does are then the steps of all of them.

use super::dependency::Dependency;
use super::effects::Effects;
use super::guards::{GuardTest, Guards, MOST_BITS};
use crate::code::{Binder, Domain, Slot, Target};
use crate::interpreter::{EarlyEnd, Halt, Interpreter};
use crate::machine::Sink;
use crate::symmetry::StepFilter;
use crate::system::{Rule, RuleId, System};
use std::collections::BTreeSet;

/// How many instances of a rule there may be.
const MOST_OF_RULE: u64 = 1 << 10;
/// How many instances there may be before further rules are left open.
const MOST_OF_ALL: u64 = 1 << 12;
/// How many parts of code are looked at.
const BUDGET: u32 = 1 << 17;

/// Rule instances, in the order in which the interpreter visits them.
#[derive(Clone, Debug, Default)]
pub(super) struct Instances {
    pub list: Vec<Instance>,
    /// By rule: its first instance, and how many it has.
    pub of_rule: Vec<(u32, u32)>,
    /// The arguments of all instances.
    args: Vec<u64>,
    /// The parts of guards that are in no table.
    rest: Vec<u32>,
}

/// An instance of a rule, or all with the same first arguments.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub rule: RuleId,
    /// How many parameters have arguments.
    pub level: usize,
    args: std::ops::Range<u32>,
    rest: std::ops::Range<u32>,
}

impl Instances {
    /// The arguments of an instance.
    #[inline]
    pub fn args(&self, instance: &Instance) -> &[u64] {
        &self.args[instance.args.start as usize..instance.args.end as usize]
    }

    /// The parts of its guard that are in no table.
    #[inline]
    pub fn rest(&self, instance: &Instance) -> &[u32] {
        &self.rest[instance.rest.start as usize..instance.rest.end as usize]
    }

    /// Puts the arguments of an instance into the frame of a machine.
    pub fn give(&self, machine: &mut Interpreter<'_>, instance: u32) {
        let instance = &self.list[instance as usize];
        let words = machine.system.rule(instance.rule).args.clone();
        machine.frame[words].copy_from_slice(self.args(instance));
    }

    /// Has the interpreter take the steps of a candidate. Parts of its guard that are in tables are true.
    pub fn interpret(
        &self,
        machine: &mut Interpreter<'_>,
        number: u32,
        source: &[u64],
        filter: StepFilter<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), EarlyEnd> {
        self.give(machine, number);
        let instance = &self.list[number as usize];
        let (id, rule) = (instance.rule, machine.system.rule(instance.rule));
        if instance.level < rule.params.len() {
            return machine.expand(id, instance.level, 0, source, filter, sink);
        }
        for &part in self.rest(instance) {
            match machine.eval(&rule.guard[part as usize].condition) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(Halt) => return machine.report(id, rule, sink),
            }
        }
        machine.run(id, rule, source, sink)
    }
}

/// Finds all instances, of all rules or of some only, and what is to be cached of them.
pub(super) fn plan(
    machine: &mut Interpreter<'_>,
    only: Option<&BTreeSet<RuleId>>,
) -> (Instances, Guards, Effects) {
    let system = machine.system;
    let mut planner = Planner {
        instances: Instances::default(),
        tests: Vec::new(),
        effects: Effects::default(),
        budget: BUDGET,
    };
    for id in (0..system.rules.len()).map(|id| RuleId(id as u32)) {
        match only.is_none_or(|only| only.contains(&id)) {
            true => planner.rule(machine, id),
            false => planner.instances.of_rule.push((planner.instances.list.len() as u32, 0)),
        }
    }
    let Planner { instances, tests, mut effects, .. } = planner;
    effects.settle();
    let guards = Guards::new(instances.list.len(), tests);
    (instances, guards, effects)
}

/// How many instances there are to plan.
pub(super) fn instances(system: &System) -> u32 {
    system.rules.iter().fold(0, |count, rule| {
        let room = MOST_OF_ALL.saturating_sub(u64::from(count)).min(MOST_OF_RULE);
        count.saturating_add(closed(system, rule, room).1 as u32)
    })
}

struct Planner {
    instances: Instances,
    tests: Vec<GuardTest>,
    effects: Effects,
    budget: u32,
}

impl Planner {
    fn rule(&mut self, machine: &mut Interpreter<'_>, id: RuleId) {
        let system = machine.system;
        let rule = system.rule(id);
        let first = self.instances.list.len() as u32;
        let free: Vec<&Binder> = rule.params.iter().map(|param| &param.binder).collect();
        let may_fault: Vec<bool> =
            rule.guard.iter().map(|part| system.may_fault(&part.condition, &free)).collect();
        let room = MOST_OF_ALL.saturating_sub(u64::from(first)).min(MOST_OF_RULE);
        let (level, count) = closed(system, rule, if self.budget > 0 { room } else { 1 });
        for number in 0..count {
            let known = bind(machine, rule, level, number);
            let args = machine.frame[rule.args.clone()].to_vec();
            self.instance(system, id, level, (&args, &known), &may_fault);
        }
        self.instances.of_rule.push((first, count as u32));
    }

    /// An instance with its arguments.
    fn instance(
        &mut self,
        system: &System,
        id: RuleId,
        level: usize,
        (args, known): (&[u64], &[(Slot, i64)]),
        may_fault: &[bool],
    ) {
        let rule = system.rule(id);
        let number = self.instances.list.len() as u32;
        let (first_arg, first_rest) = (self.instances.args.len() as u32, self.instances.rest.len() as u32);
        for (i, part) in rule.guard.iter().enumerate() {
            if part.level > level {
                break;
            }
            let look = Dependency::of(system, known, &mut self.budget, |look| look.expr(&part.condition));
            match look.map(|(reads, _)| reads).filter(|reads| reads.count() <= MOST_BITS) {
                Some(reads) => self.tests.push(GuardTest { instance: number, part: i as u32, reads }),
                None if may_fault[i] => {
                    self.instances.rest.extend(i as u32..rule.guard.len() as u32);
                    break;
                }
                None => self.instances.rest.push(i as u32),
            }
        }
        self.instances.args.extend_from_slice(args);
        self.instances.list.push(Instance {
            rule: id,
            level,
            args: first_arg..self.instances.args.len() as u32,
            rest: first_rest..self.instances.rest.len() as u32,
        });
        let rest = &self.instances.rest[first_rest as usize..];
        let effects = Dependency::of(system, known, &mut self.budget, |look| {
            if level < rule.params.len() {
                let open: Vec<Binder> = rule.params[level..].iter().map(|it| it.binder.clone()).collect();
                look.bound(&open, &mut |look| {
                    rule.guard.iter().for_each(|part| look.expr(&part.condition));
                    look.block(&rule.body);
                });
            } else {
                rest.iter().for_each(|&part| look.expr(&rule.guard[part as usize].condition));
                look.block(&rule.body);
            }
        });
        self.effects.add(effects);
    }
}

/// How many parameters get arguments, so that there are at most so many instances, and how many there are.
fn closed(system: &System, rule: &Rule, most: u64) -> (usize, u64) {
    let mut count = 1u64;
    for (level, param) in rule.params.iter().enumerate() {
        let size = match param.binder.domain {
            Domain::Type => system.types.size(param.binder.ty),
            Domain::Collection(_) => None,
        };
        match size.and_then(|size| count.checked_mul(size)).filter(|&more| more <= most) {
            Some(more) => count = more,
            None => return (level, count),
        }
    }
    (rule.params.len(), count)
}

/// Gives the first parameters the values of the instance with a number; these, as far as they are scalars.
fn bind(machine: &mut Interpreter<'_>, rule: &Rule, level: usize, mut number: u64) -> Vec<(Slot, i64)> {
    machine.frame[rule.args.clone()].fill(0);
    let closed = &rule.params[..level];
    for param in closed.iter().rev() {
        let size = machine.system.types.size(param.binder.ty).expect("it was counted");
        machine.give(&param.binder, number % size);
        number /= size;
    }
    let scalar = |target| match target {
        Target::Scalar(slot) => Some(slot),
        Target::Wide(_) => None,
    };
    let slots = closed.iter().filter_map(|param| scalar(param.binder.target));
    slots.map(|slot| (slot, machine.frame[slot.index()] as i64)).collect()
}
