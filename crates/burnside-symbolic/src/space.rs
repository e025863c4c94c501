//! A system as sets and relations: its initial states, its steps, where it faults, and what is reachable.
//!
//! Entry point: [`Space::new`]. States are valuations of the variables of the [`Layout`]; a set of states
//! depends on no others.

use crate::encode::{Argument, Executor, Inputs, Instance};
use crate::layout::Layout;
use crate::relation::Relation;
use crate::store::{Bit, Out, Set, Store};
use crate::symmetry::states;
use burnside_limits::Limits;
use burnside_perm::Natural;
use burnside_ts::{Binder, Expr, RuleId, System, Type, Units};

/// A rule instance.
#[derive(Debug)]
pub(crate) struct Step {
    pub rule: RuleId,
    pub args: Vec<Argument>,
    /// Whether it changes something, as far as that matters to fairness.
    pub changes: bool,
    pub relation: Relation,
    /// Where it can fire.
    pub enabled: Set,
}

/// A system as sets and relations.
#[derive(Debug)]
pub struct Space<'s> {
    pub(crate) system: &'s System,
    pub(crate) store: Store,
    pub(crate) layout: Layout,
    inputs: Inputs,
    /// The initial states.
    pub(crate) initial: Set,
    /// Whether the initialisation faults for some choices.
    pub(crate) initial_fault: bool,
    pub(crate) steps: Vec<Step>,
    /// The states in which some rule faults.
    pub(crate) fault: Set,
}

impl<'s> Space<'s> {
    /// Turns a system into sets and relations, perhaps with better and better orders of their variables.
    pub fn new(system: &'s System, limits: &Limits, reorder: bool) -> Out<Self> {
        let store = Store::new(limits);
        store.reordering(reorder);
        let inputs = Inputs::new(system, &store)?;
        let layout = Layout::new(system, &store)?;
        let (initial, initial_fault) = initial(system, &store, &layout, &inputs)?;
        let (mut steps, mut faults) = (Vec::new(), Vec::new());
        for id in 0..system.rules.len() {
            let id = RuleId(id as u32);
            let distinguished = distinguishes_changes(system, id);
            let mut out = |instance: Instance| {
                let parts = if distinguished {
                    by_change(system, &store, &layout, instance)?
                } else {
                    vec![(true, instance)]
                };
                for (changes, instance) in parts {
                    steps.push(step(&store, &layout, &inputs, changes, instance)?);
                }
                Ok(())
            };
            let fault = Executor::instances(system, &store, &inputs, &layout.current, id, &mut out)?;
            faults.push(fault.exists(&store.cube(inputs.all())?)?);
            store.settle();
        }
        let fault = store.union(faults)?;
        let mut space = Self { system, store, layout, inputs, initial, initial_fault, steps, fault };
        if !space.fault.is_empty() && space.is_plain() {
            // Codes that are no values would seem to fault.
            space.fault = space.fault.and(&states(&space)?)?;
        }
        Ok(space)
    }

    /// Whether it is simple to say which valuations are states: bags are in order.
    fn is_plain(&self) -> bool {
        let types = &self.system.types;
        types.iter().all(|(_, ty)| !matches!(ty, Type::Bag { .. }))
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The initial states.
    pub fn initial(&self) -> &Set {
        &self.initial
    }

    /// Where its sets are.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Whether the initialisation, or a step from some state, reachable or not, faults.
    pub fn may_fault(&self) -> bool {
        self.initial_fault || !self.fault.is_empty()
    }

    /// Nodes of all relations.
    pub fn relation_size(&self) -> usize {
        self.steps.iter().map(|step| step.relation.size()).sum()
    }

    /// The most nodes that were in use.
    pub fn peak_nodes(&self) -> usize {
        self.store.peak()
    }

    /// How many states a set has.
    pub fn count(&self, states: &Set) -> Natural {
        states.count(&self.layout.current)
    }

    /// Where a condition is true, and where it faults. Names that it has free have these values.
    pub fn condition(&self, condition: &'s Expr, bound: &[(&'s Binder, u64)]) -> Out<(Set, Set)> {
        let mut executor = self.executor();
        bound.iter().for_each(|(binder, number)| executor.bind(binder, *number));
        executor.condition(condition)
    }

    pub(crate) fn executor(&self) -> Executor<'s, '_> {
        let state = self.layout.current.iter().map(|&bit| self.store.bit(bit)).collect();
        Executor::new(self.system, &self.store, &self.inputs, state)
    }

    /// The states after a step from some states.
    pub fn image(&self, states: &Set) -> Out<Set> {
        let mut images = Vec::new();
        for step in &self.steps {
            self.store.poll()?;
            images.push(step.relation.image(states)?);
        }
        self.store.union(images)
    }

    /// The states from which a step leads to some states.
    pub fn preimage(&self, states: &Set) -> Out<Set> {
        let mut images = Vec::new();
        for step in &self.steps {
            self.store.poll()?;
            images.push(step.relation.preimage(states)?);
        }
        self.store.union(images)
    }

    /// Those of some states, within the constraint, without any outcome of any rule. Where some rule can fire
    /// is never put together: for all states at once that can take more nodes than anything else.
    pub(crate) fn dead(&self, states: &Set) -> Out<Set> {
        let within = match &self.system.constraint {
            None => states.clone(),
            Some(constraint) => states.and(&self.condition(&constraint.condition, &[])?.0)?,
        };
        self.steps.iter().try_fold(within.minus(&self.fault)?, |left, step| left.minus(&step.enabled))
    }

    /// Some state of a set.
    pub fn pick(&self, states: &Set) -> Option<Box<[u64]>> {
        states.pick().map(|valuation| self.layout.state(&valuation))
    }

    /// The set of one state.
    pub fn point(&self, state: &[u64]) -> Out<Set> {
        self.store.point(self.layout.values(state))
    }
}

fn initial(system: &System, store: &Store, layout: &Layout, inputs: &Inputs) -> Out<(Set, bool)> {
    let zeros = vec![store.none(); system.width as usize];
    let (flow, bits, _) = Executor::new(system, store, inputs, zeros).initial()?;
    let all = inputs.all();
    let cube = store.cube(all.iter().copied())?;
    let mut parts = vec![flow.alive];
    parts.extend(flow.assumed);
    for (bit, value) in layout.current.iter().zip(&bits) {
        parts.push(store.bit(*bit).iff(value)?);
    }
    Ok((quantified(store, parts, &all)?, !flow.fault.exists(&cube)?.is_empty()))
}

/// The conjunction of some parts for some values of the inputs. Each input is quantified as soon as no later
/// part has it.
pub(crate) fn quantified(store: &Store, parts: Vec<Set>, inputs: &[Bit]) -> Out<Set> {
    let supports: Vec<Vec<Bit>> = parts.iter().map(Set::support).collect();
    let mut all = store.all();
    for (i, part) in parts.iter().enumerate() {
        let later = |bit: &Bit| supports[i + 1..].iter().any(|support| support.binary_search(bit).is_ok());
        let done = store.cube(inputs.iter().copied().filter(|bit| !later(bit)))?;
        all = all.and_exists(part, &done)?;
    }
    Ok(all)
}

/// Whether it counts for the fairness of some unit if a step of the rule changes something.
fn distinguishes_changes(system: &System, rule: RuleId) -> bool {
    let units = Units::new(system);
    units.executed_by(rule).iter().any(|it| system.fairness[it.family].changing)
}

/// An instance where it changes nothing, and where it changes something.
fn by_change(
    system: &System,
    store: &Store,
    layout: &Layout,
    instance: Instance,
) -> Out<Vec<(bool, Instance)>> {
    let mut same = store.all();
    let width = system.original.unwrap_or(system.width);
    for (bit, value) in instance.writes.iter().filter(|(bit, _)| *bit < width) {
        same = same.and(&store.bit(layout.current[*bit as usize]).iff(value)?)?;
    }
    let parts = [(false, instance.fires.and(&same)?), (true, instance.fires.minus(&same)?)];
    let part = |(changes, fires)| (changes, Instance { fires, ..instance.clone() });
    Ok(parts.into_iter().filter(|(_, fires)| !fires.is_empty()).map(part).collect())
}

fn step(store: &Store, layout: &Layout, inputs: &Inputs, changes: bool, instance: Instance) -> Out<Step> {
    let bits = inputs.all();
    let relation = Relation::new(store, layout, &bits, &instance)?;
    let parts = [&instance.assumed[..], std::slice::from_ref(&instance.fires)].concat();
    let enabled = quantified(store, parts, &bits)?;
    Ok(Step { rule: instance.rule, args: instance.args, changes, relation, enabled })
}
