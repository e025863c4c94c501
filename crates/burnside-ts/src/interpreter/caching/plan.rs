//! What there is to cache: the instances of the rules with their arguments, which parts of their guards are
//! put into tables, and which bits their bodies read and write.
//!
//! Entry point: [`plan`]. A rule with a parameter that ranges over a collection, or with very many instances,
//! is one instance as a whole: only the parts of its guard that need no argument are put into tables, and the
//! interpreter does the rest.

use super::dependency::{Dependency, StateBits};
use super::guards::{GuardTest, Guards, MOST_BITS};
use super::effects::Effects;
use crate::code::{Binder, Domain, Slot, Target};
use crate::interpreter::Interpreter;
use crate::system::{Rule, RuleId, System};

/// Rules with more instances are looked at as a whole.
const MOST_OF_RULE: u64 = 1 << 10;
/// How many instances there may be before rules are looked at as a whole.
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

/// An instance of a rule, or a whole rule.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub rule: RuleId,
    pub whole: bool,
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
        if !instance.whole {
            let words = machine.system.rule(instance.rule).args.clone();
            machine.frame[words].copy_from_slice(self.args(instance));
        }
    }
}

/// Finds all instances, and what is to be cached of them.
pub(super) fn plan(machine: &mut Interpreter<'_>) -> (Instances, Guards, Effects) {
    let system = machine.system;
    let mut planner = Planner {
        instances: Instances::default(),
        tests: Vec::new(),
        effects: Effects::default(),
        budget: BUDGET,
    };
    for id in 0..system.rules.len() {
        planner.rule(machine, RuleId(id as u32));
    }
    let Planner { instances, tests, effects, .. } = planner;
    let guards = Guards::new(instances.list.len(), tests);
    (instances, guards, effects)
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
        match count(system, rule).filter(|&count| count <= room && self.budget > 0) {
            Some(count) => {
                for number in 0..count {
                    let known = bind(machine, rule, number);
                    let args = machine.frame[rule.args.clone()].to_vec();
                    self.instance(system, id, Some((&args, &known)), &may_fault);
                }
            }
            None => self.instance(system, id, None, &may_fault),
        }
        self.instances.of_rule.push((first, self.instances.list.len() as u32 - first));
    }

    /// An instance with its arguments, or a rule as a whole.
    fn instance(
        &mut self,
        system: &System,
        id: RuleId,
        given: Option<(&[u64], &[(Slot, i64)])>,
        may_fault: &[bool],
    ) {
        let rule = system.rule(id);
        let (args, known) = given.unwrap_or_default();
        let number = self.instances.list.len() as u32;
        let (first_arg, first_rest) = (self.instances.args.len() as u32, self.instances.rest.len() as u32);
        for (i, part) in rule.guard.iter().enumerate() {
            if given.is_none() && part.level > 0 {
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
            whole: given.is_none(),
            args: first_arg..self.instances.args.len() as u32,
            rest: first_rest..self.instances.rest.len() as u32,
        });
        let body: Option<(StateBits, StateBits)> = match given {
            Some(_) => Dependency::of(system, known, &mut self.budget, |look| look.block(&rule.body)),
            None => None,
        };
        self.effects.add(body);
    }
}

/// How many instances a rule has; none if that depends on the state, or if they are too many to count.
fn count(system: &System, rule: &Rule) -> Option<u64> {
    rule.params.iter().try_fold(1u64, |count, param| match param.binder.domain {
        Domain::Type => count.checked_mul(system.types.size(param.binder.ty)?),
        Domain::Collection(_) => None,
    })
}

/// Gives the parameters the values of the instance with a number; these, as far as they are scalars.
fn bind(machine: &mut Interpreter<'_>, rule: &Rule, mut number: u64) -> Vec<(Slot, i64)> {
    machine.frame[rule.args.clone()].fill(0);
    for param in rule.params.iter().rev() {
        let size = machine.system.types.size(param.binder.ty).expect("it was counted");
        machine.give(&param.binder, number % size);
        number /= size;
    }
    let scalar = |target| match target {
        Target::Scalar(slot) => Some(slot),
        Target::Wide(_) => None,
    };
    let slots = rule.params.iter().filter_map(|param| scalar(param.binder.target));
    slots.map(|slot| (slot, machine.frame[slot.index()] as i64)).collect()
}
