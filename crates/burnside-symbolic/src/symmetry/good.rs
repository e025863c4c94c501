//! Whether a generator is a symmetry: it maps initial states to initial states and steps to steps.
//!
//! Entry point: [`Judge::judge`]. The steps of a rule with its arguments are moved and looked for among those
//! of the moved rule with the moved arguments, and if that is not enough among all steps. As a permutation is
//! one to one and there are finitely many states, it is enough that nothing is moved out of the set. Only
//! valuations that are states count, reachable or not: a generator that is bad only where no run leads is
//! bad.

use super::action::states;
use super::generator::Generator;
use crate::encode::Argument;
use crate::space::{Space, Step};
use crate::store::{Out, Set, Store};
use burnside_limits::Stop;
use burnside_ts::{Action, Permutation, RuleId};

/// What is known of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quality {
    /// It is a symmetry of the system.
    Good,
    /// It is none, for this reason.
    Bad(String),
    /// It may be one or not: nobody could find out, for this reason.
    Unchecked(String),
}

/// A rule with its arguments; none where they are what is in some slot.
type Key = (RuleId, Vec<Option<u64>>);

/// Checks generators of one system.
#[derive(Debug)]
pub struct Judge<'j, 's> {
    space: &'j Space<'s>,
    action: Action<'s>,
    limit: usize,
    /// The steps, as pairs of states, by rule and arguments; none if there was no room.
    steps: Option<Vec<(Key, Set)>>,
}

impl<'j, 's> Judge<'j, 's> {
    /// One that may use so many nodes more than are in use now.
    pub fn new(space: &'j Space<'s>, nodes: usize) -> Out<Self> {
        let limit = space.store.collect().saturating_add(nodes);
        let mut judge = Self { space, action: Action::new(space.system), limit, steps: None };
        judge.steps = within_limit(&space.store, judge.collected())?;
        Ok(judge)
    }

    /// All steps from states, reachable or not.
    fn collected(&self) -> Out<Vec<(Key, Set)>> {
        let (store, layout) = (&self.space.store, &self.space.layout);
        let proper = states(self.space)?;
        let mut steps: Vec<(Key, Set)> = Vec::new();
        for step in &self.space.steps {
            let (key, pairs) = (key(step), step.relation.pairs(store, layout, &proper)?);
            match steps.last_mut() {
                Some((last, union)) if *last == key => *union = union.or(&pairs)?,
                _ => steps.push((key, pairs)),
            }
            self.room()?;
        }
        Ok(steps)
    }

    fn room(&self) -> Out<()> {
        let store = &self.space.store;
        store.poll()?;
        if store.nodes() > self.limit && store.collect() > self.limit {
            Err(Stop::Nodes(self.limit as u64))
        } else {
            Ok(())
        }
    }

    /// Checks a generator and notes what came of it.
    pub fn judge(&self, generator: &mut Generator) -> Out<()> {
        let why = || "there are too few nodes to check it".to_string();
        let quality = within_limit(&self.space.store, self.quality(generator))?;
        generator.quality = quality.flatten().unwrap_or_else(|| Quality::Unchecked(why()));
        Ok(())
    }

    fn quality(&self, generator: &Generator) -> Out<Option<Quality>> {
        if !generator.image(&self.space.initial)?.is_within(&self.space.initial)? {
            return Ok(Some(Quality::Bad("it moves an initial state elsewhere".to_string())));
        }
        let Some(steps) = &self.steps else { return Ok(None) };
        for (key, pairs) in steps {
            self.room()?;
            if !self.is_kept(generator, key, pairs)? {
                let why = format!("it moves a step of `{}` to what is no step", self.rule_name(key.0));
                return Ok(Some(Quality::Bad(why)));
            }
        }
        Ok(Some(Quality::Good))
    }

    fn is_kept(&self, generator: &Generator, key: &Key, pairs: &Set) -> Out<bool> {
        let steps = self.steps.as_deref().unwrap_or_default();
        let target = self.moved(generator.permutation(), key);
        let mut left = generator.image_of_both(pairs)?;
        let own = steps.iter().filter(|(key, _)| *key == target);
        for (_, others) in own.chain(steps.iter().filter(|(key, _)| *key != target)) {
            if left.is_empty() {
                break;
            }
            left = left.minus(others)?;
        }
        Ok(left.is_empty())
    }

    fn moved(&self, permutation: &Permutation, (rule, args): &Key) -> Key {
        let params = &self.space.system.rule(*rule).params;
        let moved = args.iter().zip(params).map(|(number, param)| {
            number.map(|number| self.action.number(permutation, param.binder.ty, number))
        });
        (self.action.rule(permutation, *rule), moved.collect())
    }

    fn rule_name(&self, rule: RuleId) -> String {
        let rule = self.space.system.rule(rule);
        let process = &self.space.system.process(rule.process).name;
        if rule.name.is_empty() { process.clone() } else { format!("{process}.{}", rule.name) }
    }
}

fn key(step: &Step) -> Key {
    let number = |arg: &Argument| match arg {
        Argument::Number(number) => Some(*number),
        Argument::Slot => None,
    };
    (step.rule, step.args.iter().map(number).collect())
}

/// None if there was no room; what was made on the way is given back.
fn within_limit<T>(store: &Store, result: Out<T>) -> Out<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(stop) if stop.is_room() => {
            store.collect();
            Ok(None)
        }
        Err(stop) => Err(stop),
    }
}
