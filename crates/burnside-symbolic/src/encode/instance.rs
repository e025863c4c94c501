//! The instances of a rule: for each value of its parameters where it can fire, where it faults and what it
//! does.
//!
//! A parameter over a type takes each value in turn. One over a queue or bag takes the slots, so that its
//! value depends on the state; if the rule's instances are fairness units it takes the values instead.

use super::domain::Element;
use super::{Executor, Inputs};
use crate::store::{Bit, Out, Set, Store};
use crate::vector::same;
use burnside_ts::{Collection, Domain, Fair, Rule, RuleId, System, Type};

/// What a parameter of an instance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The value with this number.
    Number(u64),
    /// What is in some slot.
    Slot,
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
}

struct InstanceWalk<'w, 's> {
    id: RuleId,
    rule: &'s Rule,
    by_value: bool,
    args: Vec<Argument>,
    fault: Set,
    out: &'w mut dyn FnMut(Instance) -> Out<()>,
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
        let state: Vec<Set> = current.iter().map(|&bit| store.bit(bit)).collect();
        let by_value = system.fairness.iter().any(|family| family.target == Fair::Rule(id));
        let mut executor = Executor::new(system, store, inputs, state);
        let (rule, args, fault) = (system.rule(id), Vec::new(), store.none());
        let mut walk = InstanceWalk { id, rule, by_value, args, fault, out };
        executor.expand(&mut walk, 0, store.all())?;
        Ok(walk.fault)
    }

    /// Binds the parameters from the next on, where the state is in `alive`. Parts of the guard from `next`
    /// on are still to be tested.
    fn expand(&mut self, walk: &mut InstanceWalk<'_, 's>, mut next: usize, mut alive: Set) -> Out<()> {
        let level = walk.args.len();
        while let Some(part) = walk.rule.guard.get(next).filter(|part| part.level <= level) {
            let value = self.eval(&part.condition)?;
            walk.fault = walk.fault.or(&alive.and(&value.fault)?)?;
            alive = alive.and(&value.int.is_true()?)?.minus(&value.fault)?;
            next += 1;
        }
        if alive.is_empty() {
            return Ok(());
        }
        let Some(param) = walk.rule.params.get(level) else { return self.fire(walk, alive) };
        let binder = &param.binder;
        let Domain::Collection(collection) = &binder.domain else {
            for number in 0..self.system.types.size(binder.ty).expect("a bound type is numbered") {
                self.store.poll()?;
                self.bind(binder, number);
                self.descend(walk, next, Argument::Number(number), alive.clone())?;
            }
            return Ok(());
        };
        let (bits, fault) = self.collection(collection)?;
        walk.fault = walk.fault.or(&alive.and(&fault)?)?;
        let alive = alive.minus(&fault)?;
        for (when, element) in self.choices(collection, &bits, walk.by_value)? {
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
        (self.used, self.selected) = (0, 0);
        self.flow = super::Flow::start(alive, self.store);
        self.block(&walk.rule.body, &self.store.all())?;
        let after = std::mem::replace(&mut self.state, before);
        self.memo.clear();
        walk.fault = walk.fault.or(&self.flow.fault)?;
        let changed = after.into_iter().enumerate().zip(&self.state);
        let writes = changed.filter(|((_, after), before)| after != *before);
        let writes = writes.map(|((i, after), _)| (i as u32, after)).collect();
        let fires = self.flow.alive.clone();
        if fires.is_empty() {
            return Ok(());
        }
        let assumed = std::mem::take(&mut self.flow.assumed);
        (walk.out)(Instance { rule: walk.id, args: walk.args.clone(), fires, assumed, writes })
    }
}
