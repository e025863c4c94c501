//! Rules run on all states at once, and the same seen through a generator.
//!
//! Entry points: [`Stage::outcomes`], [`Stage::moved`], [`Moved::difference`] and
//! [`Moved::fault_difference`]. The outcome of a rule is a function of state, arguments and choices. With `g`
//! acting on all of those, the outcome in the moved state, with moved arguments, must be the moved outcome.
//! First each choice is compared with the same choice in the moved run; if that is not enough, the moved
//! outcome may come from any choices.
//!
//! It is only asked whether every step is moved to a step. A permutation is one to one, so no instance can
//! have fewer steps than the one it comes from; and as some power of it moves nothing, none has more.

use crate::encode::{
    Argument, Choice, Executor, Form, Inputs, Instance, Mark, known_arguments, unknown_parameters,
};
use crate::layout::{Layout, bags};
use crate::space::quantified;
use crate::store::{Bit, Out, Renaming, Set, Store};
use crate::symmetry::action::Mover;
use burnside_limits::{Limits, Stop};
use burnside_ts::{Action, Permutation, Rule, RuleId, System, TypeId};
use foldhash::{HashMap, HashMapExt as _};

/// Nodes that may be in use at a time, for one rule or property.
const NODES: u64 = 1 << 18;

/// Nodes that may be made to run a rule, and again to compare it with what a generator makes of it.
const WORK: u64 = 1 << 22;

/// Bits of the slots of a bag that may have to be sorted again. To replace variables by sorted slots takes
/// long before it takes many nodes.
const SORTED: u32 = 20;

/// Variables for the states of a system, with what rules do to them.
pub(super) struct Stage<'s> {
    pub system: &'s System,
    pub store: Store,
    pub layout: Layout,
    pub inputs: Inputs,
    /// The valuations that are states.
    pub proper: Set,
}

/// A rule on all states at once.
pub(super) struct OutcomeTable {
    pub instances: Vec<Instance>,
    by_arguments: HashMap<Vec<Argument>, usize>,
    /// Where the rule faults for some choices, by arguments that are known.
    pub faults: Vec<(Vec<Argument>, Set)>,
}

/// A stage seen through a generator.
pub(super) struct Moved<'a, 's> {
    stage: &'a Stage<'s>,
    action: &'a Action<'s>,
    permutation: &'a Permutation,
    mover: Mover<'s, 'a>,
    /// The bits of the moved state.
    state: Vec<Set>,
}

impl<'s> Stage<'s> {
    /// For a rule, or for conditions.
    pub fn new(system: &'s System, rule: Option<RuleId>) -> Out<Self> {
        let interrupt = burnside_limits::current().unwrap_or_default();
        let store = Store::new(&Limits { nodes: Some(NODES), interrupt, ..Limits::default() });
        let unknown: Vec<TypeId> = rule
            .map(|rule| system.rule(rule))
            .map_or(Vec::new(), |rule| unknown_types(system, rule, rule.params.len()).collect());
        let inputs = Inputs::new(system, &store)?;
        let (layout, unknown) = Layout::with_values(system, &store, &unknown)?;
        let inputs = inputs.starting_with(unknown);
        let bits: Vec<Set> = layout.current.iter().map(|&bit| store.bit(bit)).collect();
        let proper = Mover::new(system, &store).proper(&bits)?;
        Ok(Self { system, store, layout, inputs, proper })
    }

    /// The bits of the state.
    pub fn state(&self) -> Vec<Set> {
        self.layout.current.iter().map(|&bit| self.store.bit(bit)).collect()
    }

    pub fn executor(&self) -> Executor<'s, '_> {
        Executor::new(self.system, &self.store, &self.inputs, self.state())
    }

    /// What a rule does.
    pub fn outcomes(&self, id: RuleId) -> Out<OutcomeTable> {
        let (system, store) = (self.system, &self.store);
        store.allow(WORK);
        let ran = self.executor().outcomes(id, &self.proper)?;
        let rule = system.rule(id);
        let known = unknown_types(system, rule, known_arguments(rule));
        let known: u32 = known.map(|ty| system.types.width(ty)).sum();
        let chosen = store.cube(self.inputs.after(known as usize))?;
        let mut faults = Vec::new();
        for (args, set) in ran.faults {
            faults.push((args, set.exists(&chosen)?));
        }
        let by_arguments = ran.instances.iter().enumerate().map(|(i, it)| (it.args.clone(), i)).collect();
        Ok(OutcomeTable { instances: ran.instances, by_arguments, faults })
    }

    /// The initialisation, as what a rule does that starts from nowhere.
    pub fn initial(&self) -> Out<Instance> {
        let zeros = vec![self.store.none(); self.layout.current.len()];
        let (flow, bits, choices) = Executor::new(self.system, &self.store, &self.inputs, zeros).initial()?;
        Ok(Instance {
            rule: RuleId(0),
            args: Vec::new(),
            fires: flow.alive,
            assumed: flow.assumed,
            writes: bits.into_iter().enumerate().map(|(i, bit)| (i as u32, bit)).collect(),
            unknown: Vec::new(),
            choices,
        })
    }

    /// The stage seen through a generator.
    pub fn moved<'a>(&'a self, action: &'a Action<'s>, permutation: &'a Permutation) -> Out<Moved<'a, 's>> {
        self.store.allow(WORK);
        let mover = Mover::unlimited(self.system, &self.store);
        let moves = |ty: TypeId| mover.moves(permutation, ty);
        if bags(self.system).iter().any(|bag| moves(bag.element) && bag.capacity * bag.width > SORTED) {
            return Err(Stop::Nodes(NODES));
        }
        let state = mover.state(permutation, &self.state())?;
        Ok(Moved { stage: self, action, permutation, mover, state })
    }

    /// Some state of a set.
    pub fn pick(&self, set: &Set) -> Option<Box<[u64]>> {
        set.pick().map(|valuation| self.layout.state(&valuation))
    }
}

/// The types of those of the first parameters of a rule that are unknown values.
fn unknown_types(system: &System, rule: &Rule, first: usize) -> impl Iterator<Item = TypeId> {
    let unknown = unknown_parameters(system, rule).into_iter().zip(&rule.params).take(first);
    unknown.filter(|(unknown, _)| *unknown).map(|(_, param)| param.binder.ty)
}

impl Moved<'_, '_> {
    /// The replacement of the variables of a state by what they are in the moved state, and some others.
    fn renaming(&self, others: Vec<(Bit, Set)>) -> Renaming {
        let bits = self.stage.layout.current.iter().copied().zip(self.stage.state()).zip(&self.state);
        let changed = bits.filter(|((_, old), new)| old != *new);
        let pairs = changed.map(|((bit, _), new)| (bit, new.clone()));
        self.stage.store.renaming(pairs.chain(others))
    }

    /// A set of states in which a condition is true in the moved state.
    pub fn pulled_back(&self, set: &Set) -> Out<Set> {
        set.renamed(&self.renaming(Vec::new()))
    }

    /// The arguments of the moved step.
    fn arguments(&self, rule: &Rule, args: &[Argument]) -> Vec<Argument> {
        let moved = |(arg, param): (&Argument, &burnside_ts::Param)| match *arg {
            Argument::Number(number) => {
                Argument::Number(self.action.number(self.permutation, param.binder.ty, number))
            }
            Argument::Slot => Argument::Slot,
        };
        args.iter().zip(&rule.params).map(moved).collect()
    }

    /// Where a step of some rule is moved to what is no step of the moved rule.
    pub fn difference(&self, here: &OutcomeTable, there: &OutcomeTable) -> Out<Option<Set>> {
        for instance in &here.instances {
            self.stage.store.poll()?;
            let args = self.arguments(self.stage.system.rule(instance.rule), &instance.args);
            let image = there.by_arguments.get(&args).map(|&i| &there.instances[i]);
            if let Some(wrong) = self.instance(instance, image)? {
                return Ok(Some(wrong));
            }
        }
        Ok(None)
    }

    /// Where a step of an instance is moved to what is no step of another.
    pub fn instance(&self, here: &Instance, there: Option<&Instance>) -> Out<Option<Set>> {
        let mut steps = here.fires.and(&self.stage.proper)?;
        for assumed in &here.assumed {
            steps = steps.and(assumed)?;
        }
        let there = match there {
            _ if steps.is_empty() => return Ok(None),
            None => return Ok(Some(steps)),
            Some(there) => there,
        };
        let (touched, target) = self.target(here, there)?;
        if let Some(choices) = self.choices(here, there)? {
            let wrong = self.choice_by_choice(
                &steps,
                (&touched, &target),
                there,
                self.unknown(here, there)?,
                choices,
            )?;
            if wrong.is_none() || there.choices.is_empty() {
                return Ok(wrong);
            }
        }
        self.for_some_choices(&steps, (&touched, &target), there, self.unknown(here, there)?)
    }

    /// The bits that may be changed by one of two instances, and by bit what the moved state after the first
    /// has.
    fn target(&self, here: &Instance, there: &Instance) -> Out<(Vec<usize>, Vec<Set>)> {
        let system = self.stage.system;
        let mut after = self.stage.state();
        here.writes.iter().for_each(|(bit, set)| after[*bit as usize] = set.clone());
        let mut target = after.clone();
        let mut touched = Vec::new();
        for var in &system.vars {
            let range = var.offset..var.offset + system.types.width(var.ty);
            let writes = |instance: &Instance| instance.writes.iter().any(|(bit, _)| range.contains(bit));
            if writes(here) || writes(there) {
                let at = range.start as usize..range.end as usize;
                let moved = self.mover.value(self.permutation, var.ty, &after[at.clone()])?;
                target[at.clone()].clone_from_slice(&moved);
                touched.extend(at);
            }
        }
        Ok((touched, target))
    }

    /// What the inputs of unknown arguments become.
    fn unknown(&self, here: &Instance, there: &Instance) -> Out<Vec<(Bit, Set)>> {
        let mut pairs = Vec::new();
        for ((ty, from), (_, to)) in here.unknown.iter().zip(&there.unknown) {
            let value: Vec<Set> = from.iter().map(|&bit| self.stage.store.bit(bit)).collect();
            pairs.extend(to.iter().copied().zip(self.mover.value(self.permutation, *ty, &value)?));
        }
        Ok(pairs)
    }

    /// What the inputs of choices become, if each has a counterpart.
    fn choices(&self, here: &Instance, there: &Instance) -> Out<Option<Vec<(Bit, Set)>>> {
        let mut own: HashMap<(usize, Vec<Mark>), Vec<&Choice>> = HashMap::new();
        for choice in here.choices.iter().rev() {
            let moved = |&(ty, number): &Mark| match ty {
                Some(ty) => (Some(ty), self.action.number(self.permutation, ty, number)),
                None => (None, number),
            };
            let context = choice.context.iter().map(moved).collect();
            own.entry((choice.statement, context)).or_default().push(choice);
        }
        let mut pairs = Vec::new();
        for choice in &there.choices {
            let key = (choice.statement, choice.context.clone());
            let Some(from) = own.get_mut(&key).and_then(Vec::pop) else { return Ok(None) };
            let value: Vec<Set> = from.bits.iter().map(|&bit| self.stage.store.bit(bit)).collect();
            if value.len() != choice.bits.len() {
                return Ok(None);
            }
            let moved = match choice.form {
                Form::Value => self.mover.value(self.permutation, choice.ty, &value)?,
                Form::Number => self.mover.code(self.permutation, choice.ty, &value)?,
                Form::Slot => value,
            };
            pairs.extend(choice.bits.iter().copied().zip(moved));
        }
        Ok(Some(pairs))
    }

    /// Where the moved step is not the one with the moved choices.
    fn choice_by_choice(
        &self,
        steps: &Set,
        (touched, target): (&[usize], &[Set]),
        there: &Instance,
        unknown: Vec<(Bit, Set)>,
        choices: Vec<(Bit, Set)>,
    ) -> Out<Option<Set>> {
        let renaming = self.renaming([unknown, choices].concat());
        for condition in std::iter::once(&there.fires).chain(&there.assumed) {
            let wrong = steps.minus(&condition.renamed(&renaming)?)?;
            if !wrong.is_empty() {
                return Ok(Some(wrong));
            }
        }
        let writes: HashMap<usize, &Set> =
            there.writes.iter().map(|(bit, set)| (*bit as usize, set)).collect();
        for &bit in touched {
            self.stage.store.poll()?;
            let found = match writes.get(&bit) {
                Some(set) => set.renamed(&renaming)?,
                None => self.state[bit].clone(),
            };
            if found != target[bit] {
                let wrong = steps.and(&found.xor(&target[bit])?)?;
                if !wrong.is_empty() {
                    return Ok(Some(wrong));
                }
            }
        }
        Ok(None)
    }

    /// Where the moved step is one for no choices.
    fn for_some_choices(
        &self,
        steps: &Set,
        (touched, target): (&[usize], &[Set]),
        there: &Instance,
        unknown: Vec<(Bit, Set)>,
    ) -> Out<Option<Set>> {
        let (store, layout) = (&self.stage.store, &self.stage.layout);
        let mut parts = vec![there.fires.clone()];
        parts.extend(there.assumed.iter().cloned());
        let mut pairs = unknown;
        let mut writes: Vec<&(u32, Set)> = there.writes.iter().collect();
        writes.sort_by_key(|(bit, _)| layout.current[*bit as usize]);
        for (bit, set) in &writes {
            let next = layout.next[*bit as usize];
            parts.push(store.bit(next).iff(set)?);
            pairs.push((next, target[*bit as usize].clone()));
        }
        for &bit in touched.iter().filter(|&&bit| !writes.iter().any(|(other, _)| *other as usize == bit)) {
            let wrong = steps.and(&self.state[bit].xor(&target[bit])?)?;
            if !wrong.is_empty() {
                return Ok(Some(wrong));
            }
        }
        let chosen: Vec<Bit> = there.choices.iter().flat_map(|choice| choice.bits.iter().copied()).collect();
        let relation = quantified(store, parts, &chosen)?;
        let wrong = steps.minus(&relation.renamed(&self.renaming(pairs))?)?;
        Ok(Some(wrong).filter(|wrong| !wrong.is_empty()))
    }

    /// Where a rule faults for some arguments, and the moved rule does not for the moved ones in the moved
    /// state.
    pub fn fault_difference(
        &self,
        rule: RuleId,
        here: &OutcomeTable,
        there: &OutcomeTable,
    ) -> Out<Option<Set>> {
        let system = self.stage.system;
        let rule = system.rule(rule);
        let known = known_arguments(rule);
        // Inputs for arguments that are unknown are the same for all instances.
        let mut first = 0;
        let mut pairs = Vec::new();
        for ty in unknown_types(system, rule, known) {
            let bits = self.stage.inputs.range(first..first + system.types.width(ty) as usize);
            first += bits.len();
            let value: Vec<Set> = bits.iter().map(|&bit| self.stage.store.bit(bit)).collect();
            pairs.extend(bits.into_iter().zip(self.mover.value(self.permutation, ty, &value)?));
        }
        let renaming = self.renaming(pairs);
        for (args, fault) in &here.faults {
            self.stage.store.poll()?;
            let fault = fault.and(&self.stage.proper)?;
            let args = self.arguments(rule, args);
            let left = self.without_faults(fault, &args, there, &renaming)?;
            if left.is_empty() {
                continue;
            }
            // With more arguments it may fault too.
            for more in completions(system, rule, args, known) {
                let wrong = self.without_faults(left.clone(), &more, there, &renaming)?;
                if !wrong.is_empty() {
                    return Ok(Some(wrong));
                }
            }
        }
        Ok(None)
    }

    /// What is left of some states without those whose moved states have a fault that these arguments have.
    fn without_faults(
        &self,
        mut states: Set,
        args: &[Argument],
        outcomes: &OutcomeTable,
        renaming: &Renaming,
    ) -> Out<Set> {
        for (_, fault) in outcomes.faults.iter().filter(|(shown, _)| args.starts_with(shown)) {
            if states.is_empty() {
                break;
            }
            states = states.minus(&fault.renamed(renaming)?)?;
        }
        Ok(states)
    }
}

/// All ways to go on with some arguments, up to so many.
pub(super) fn completions(
    system: &System,
    rule: &Rule,
    args: Vec<Argument>,
    known: usize,
) -> Vec<Vec<Argument>> {
    let params = unknown_parameters(system, rule).into_iter().zip(&rule.params).take(known).skip(args.len());
    let mut all = vec![args];
    for (is_unknown, param) in params {
        let size = system.types.size(param.binder.ty).expect("a bound type is numbered");
        let values: Vec<Argument> = match is_unknown {
            true => vec![Argument::Slot],
            false => (0..size).map(Argument::Number).collect(),
        };
        let longer = |args: &Vec<Argument>| {
            let with = |&value: &Argument| [&args[..], &[value]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
