//! The instances of a rule: for each value of its parameters where it can fire, where it faults and what it
//! does.
//!
//! A parameter over a type takes each value in turn. One over a queue or bag takes the slots, so that its
//! value depends on the state; if the rule's instances are fairness units it takes the values instead. Where
//! that is wanted it is an unknown value, given by inputs, and so are parameters that have many values.

use super::choice::Choice;
use super::domain::Element;
use super::{Executor, Inputs};
use crate::store::{Bit, Out, Set, Store};
use crate::vector::same;
use burnside_ts::{Binder, Collection, Domain, Rule, RuleId, System, Type, TypeId, Units};

/// Where parameters may be unknown, they are once there are more combinations of values than this.
const COMBINATIONS: u64 = 256;

/// What a parameter of an instance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Argument {
    /// The value with this number.
    Number(u64),
    /// What is in some slot, or what some inputs say.
    Slot,
}

/// What a parameter over a queue or bag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elements {
    /// What is in each slot.
    Slots,
    /// Each value.
    Values,
    /// An unknown value.
    Inputs,
}

/// A rule with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub rule: RuleId,
    pub args: Vec<Argument>,
    /// Where it can fire, by state and inputs, if these are as assumed.
    pub fires: Set,
    /// What is assumed of the inputs, in parts.
    pub assumed: Vec<Set>,
    /// The bits of the state that it may change, each with what it becomes.
    pub writes: Vec<(u32, Set)>,
    /// The parameters that are unknown, with the inputs that are the bits of their values.
    pub unknown: Vec<(TypeId, Vec<Bit>)>,
    /// The choices of its body.
    pub choices: Vec<Choice>,
}

/// A rule for all values of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Outcomes {
    pub instances: Vec<Instance>,
    /// Where it faults, by state and inputs, and by those arguments that are known before the first that
    /// comes from a collection; fewer if it faults before they are needed.
    pub faults: Vec<(Vec<Argument>, Set)>,
}

struct InstanceWalk<'w, 's> {
    id: RuleId,
    rule: &'s Rule,
    elements: Elements,
    /// By parameter: whether it is an unknown value.
    is_unknown: Vec<bool>,
    args: Vec<Argument>,
    unknown: Vec<(TypeId, Vec<Bit>)>,
    faults: Vec<(Vec<Argument>, Set)>,
    out: &'w mut dyn FnMut(Instance) -> Out<()>,
}

impl InstanceWalk<'_, '_> {
    /// Notes a fault. Who it is of does not matter unless parameters may be unknown.
    fn fault(&mut self, fault: &Set) -> Out<()> {
        if fault.is_empty() {
            return Ok(());
        }
        let known = if self.elements == Elements::Inputs { known_arguments(self.rule) } else { 0 };
        let args = &self.args[..known.min(self.args.len())];
        match self.faults.last_mut() {
            Some((last, set)) if last == args => *set = set.or(fault)?,
            _ => self.faults.push((args.to_vec(), fault.clone())),
        }
        Ok(())
    }
}

/// The parameters that are unknown values where that is wanted.
pub(crate) fn unknown_parameters(system: &System, rule: &Rule) -> Vec<bool> {
    let mut combinations = 1u64;
    let is_unknown = |binder: &Binder| match &binder.domain {
        Domain::Collection(collection) => !matches!(system.types.get(collection.ty), Type::Set(_)),
        Domain::Type => {
            let size = system.types.size(binder.ty).expect("a bound type is numbered");
            let more = combinations.saturating_mul(size);
            combinations = if more > COMBINATIONS { combinations } else { more };
            more > COMBINATIONS
        }
    };
    rule.params.iter().map(|param| &param.binder).map(is_unknown).collect()
}

/// How many parameters are before the first that comes from a collection.
pub(crate) fn known_arguments(rule: &Rule) -> usize {
    let from_collection = |domain: &Domain| matches!(domain, Domain::Collection(_));
    let first = rule.params.iter().position(|param| from_collection(&param.binder.domain));
    first.unwrap_or(rule.params.len())
}

impl<'s, 'e> Executor<'s, 'e> {
    /// Passes on each instance of a rule that can fire in some state. The answer is where the rule faults, by
    /// state and inputs.
    pub fn instances(
        system: &'s System,
        store: &'e Store,
        inputs: &'e Inputs,
        current: &[Bit],
        id: RuleId,
        out: &mut dyn FnMut(Instance) -> Out<()>,
    ) -> Out<Set> {
        let is_collection =
            |&param: &usize| matches!(system.rule(id).params[param].binder.domain, Domain::Collection(_));
        let units = Units::new(system);
        let by_value = units.executed_by(id).iter().any(|it| it.params.iter().any(is_collection));
        let elements = if by_value { Elements::Values } else { Elements::Slots };
        let state = current.iter().map(|&bit| store.bit(bit)).collect();
        let faults = Executor::new(system, store, inputs, state).walk(id, elements, store.all(), out)?;
        store.union(faults.into_iter().map(|(_, fault)| fault).collect())
    }

    /// A rule on some states, whose parameters over queues and bags are unknown values: then what an instance
    /// does is a function of the state, of those values and of choices. No two instances have the same
    /// arguments.
    pub fn outcomes(self, id: RuleId, states: &Set) -> Out<Outcomes> {
        let mut instances = Vec::new();
        let mut out = |instance: Instance| {
            instances.push(instance);
            Ok(())
        };
        let faults = self.walk(id, Elements::Inputs, states.clone(), &mut out)?;
        Ok(Outcomes { instances, faults })
    }

    fn walk(
        mut self,
        id: RuleId,
        elements: Elements,
        states: Set,
        out: &mut dyn FnMut(Instance) -> Out<()>,
    ) -> Out<Vec<(Vec<Argument>, Set)>> {
        let rule = self.system.rule(id);
        let is_unknown = match elements {
            Elements::Inputs => unknown_parameters(self.system, rule),
            _ => vec![false; rule.params.len()],
        };
        let (args, unknown, faults) = (Vec::new(), Vec::new(), Vec::new());
        let mut walk = InstanceWalk { id, rule, elements, is_unknown, args, unknown, faults, out };
        self.expand(&mut walk, 0, states)?;
        Ok(walk.faults)
    }

    /// Binds the parameters from the next on, where the state is in `alive`. Parts of the guard from `next`
    /// on are still to be tested.
    fn expand(&mut self, walk: &mut InstanceWalk<'_, 's>, mut next: usize, mut alive: Set) -> Out<()> {
        let level = walk.args.len();
        while let Some(part) = walk.rule.guard.get(next).filter(|part| part.level <= level) {
            let value = self.eval(&part.condition)?;
            walk.fault(&alive.and(&value.fault)?)?;
            alive = alive.and(&value.int.is_true()?)?.minus(&value.fault)?;
            next += 1;
        }
        if alive.is_empty() {
            return Ok(());
        }
        let Some(param) = walk.rule.params.get(level) else { return self.fire(walk, alive) };
        let binder = &param.binder;
        let Domain::Collection(collection) = &binder.domain else {
            if walk.is_unknown[level] {
                return self.descend_unknown(walk, next, binder, None, alive);
            }
            for number in 0..self.system.types.size(binder.ty).expect("a bound type is numbered") {
                self.store.poll()?;
                self.bind(binder, number);
                self.descend(walk, next, Argument::Number(number), alive.clone())?;
            }
            return Ok(());
        };
        let (bits, fault) = self.collection(collection)?;
        walk.fault(&alive.and(&fault)?)?;
        let alive = alive.minus(&fault)?;
        if walk.is_unknown[level] {
            return self.descend_unknown(walk, next, binder, Some((collection, &bits)), alive);
        }
        for (when, element) in self.choices(collection, &bits, walk.elements == Elements::Values)? {
            self.store.poll()?;
            let argument = match element {
                Element::Number(number) => {
                    self.bind(binder, number);
                    Argument::Number(number)
                }
                Element::Bits(bits) => {
                    self.bind_bits(binder, &bits)?;
                    Argument::Slot
                }
            };
            self.descend(walk, next, argument, alive.and(&when)?)?;
        }
        Ok(())
    }

    fn descend(
        &mut self,
        walk: &mut InstanceWalk<'_, 's>,
        next: usize,
        argument: Argument,
        alive: Set,
    ) -> Out<()> {
        walk.args.push(argument);
        let done = if alive.is_empty() { Ok(()) } else { self.expand(walk, next, alive) };
        walk.args.pop();
        done
    }

    /// Goes on with any value for the next parameter: any of its type, or any in a queue or bag.
    fn descend_unknown(
        &mut self,
        walk: &mut InstanceWalk<'_, 's>,
        next: usize,
        binder: &'s Binder,
        collection: Option<(&Collection, &[Set])>,
        alive: Set,
    ) -> Out<()> {
        self.used = walk.unknown.iter().map(|(_, bits)| bits.len()).sum();
        let first = self.used;
        let (value, valid) = self.choose(binder.ty)?;
        let mut alive = alive.and(&valid)?;
        if let Some((collection, bits)) = collection {
            let count = self.occurrences(collection.ty, bits, &value)?;
            alive = alive.and(&count.is_true()?)?;
        }
        self.bind_bits(binder, &value)?;
        walk.unknown.push((binder.ty, self.inputs.range(first..self.used)));
        self.descend(walk, next, Argument::Slot, alive)?;
        walk.unknown.pop();
        Ok(())
    }

    /// The elements of a collection with the conditions that they are there; by number if wanted.
    fn choices(&self, collection: &Collection, bits: &[Set], by_value: bool) -> Out<Vec<(Set, Element)>> {
        let elements = self.elements(collection, bits)?;
        let element = match *self.system.types.get(collection.ty) {
            Type::Queue { element, .. } | Type::Bag { element, .. } if by_value => element,
            _ => return Ok(elements),
        };
        let mut choices = Vec::new();
        for number in 0..self.system.types.size(element).expect("an index of a unit is numbered") {
            let value = self.number_bits(element, number);
            let mut there = self.store.none();
            for (first, slot) in &elements {
                let Element::Bits(slot) = slot else { unreachable!("a slot is given by its bits") };
                there = there.or(&same(self.store, slot, &value)?.and(first)?)?;
            }
            choices.push((there, Element::Number(number)));
        }
        Ok(choices)
    }

    /// Runs the body with all parameters bound.
    fn fire(&mut self, walk: &mut InstanceWalk<'_, 's>, alive: Set) -> Out<()> {
        let before = self.state.clone();
        if walk.elements == Elements::Inputs {
            for bit in &mut self.state {
                *bit = bit.simplified(&alive)?;
            }
            self.memo.clear();
        }
        let simple = self.state.clone();
        (self.used, self.selected) = (walk.unknown.iter().map(|(_, bits)| bits.len()).sum(), 0);
        self.choices.clear();
        self.flow = super::Flow::start(alive, self.store);
        self.block(&walk.rule.body, &self.store.all())?;
        let after = std::mem::replace(&mut self.state, before);
        self.memo.clear();
        walk.fault(&self.flow.fault)?;
        let changed = after.into_iter().enumerate().zip(&simple);
        let writes = changed.filter(|((_, after), before)| after != *before);
        let writes = writes.map(|((i, after), _)| (i as u32, after)).collect();
        let fires = self.flow.alive.clone();
        if fires.is_empty() {
            return Ok(());
        }
        let assumed = std::mem::take(&mut self.flow.assumed);
        let (args, unknown) = (walk.args.clone(), walk.unknown.clone());
        let choices = std::mem::take(&mut self.choices);
        (walk.out)(Instance { rule: walk.id, args, fires, assumed, writes, unknown, choices })
    }
}
