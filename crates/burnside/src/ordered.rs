//! Runs whose members are called 0, 1, 2 in the order in which they appear.
//!
//! Entry point: [`in_order`]. Which members a search on orbits, or one that goes through members in some
//! order, happens to name is nothing that a reader should have to remember. A permutation of the symmetry
//! takes a run to a run, so the whole run is moved: the member that appears first becomes the first of those
//! that it can be exchanged with, and so on. Members appear as values of plain variables in the first state,
//! as arguments of steps, and as new values. The symmetry is one of the property too, so the moved run shows
//! the same (of another instance, perhaps); whoever calls replays it. Generators of `symmetry` blocks are not
//! used.

use burnside_limits::poll;
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Action, Leaf, Permutation, SortGroup, SortId, Symmetry, System, Target, Value, bits};
use std::collections::HashMap;

/// A run with more steps than this is left as it is.
const LONGEST: usize = 100_000;

/// The run with its members in order; none if they are already.
pub(crate) fn in_order(system: &System, symmetry: &Symmetry, run: &Evidence) -> Option<Evidence> {
    let movable = symmetry.sorts.iter().any(|sort_group| *sort_group != SortGroup::Fixed);
    if !movable || run.states.is_empty() || run.steps.len() > LONGEST {
        return None;
    }
    let permutation = Appearance::of(system, run).permutation(symmetry);
    (!permutation.is_identity()).then(|| moved(system, &permutation, run))
}

/// The members in the order in which they appear.
struct Appearance<'s> {
    system: &'s System,
    /// By sort.
    order: Vec<Vec<u32>>,
    seen: Vec<Vec<bool>>,
    sorts: HashMap<&'s str, SortId>,
    /// Elements that have names of their own.
    labels: HashMap<&'s str, (SortId, u32)>,
}

impl<'s> Appearance<'s> {
    fn of(system: &'s System, run: &Evidence) -> Self {
        let types = &system.types;
        let mut appearance = Self {
            system,
            order: types.sorts().map(|_| Vec::new()).collect(),
            seen: types.sorts().map(|(_, sort)| vec![false; sort.size as usize]).collect(),
            sorts: types.sorts().map(|(id, sort)| (sort.name.as_str(), id)).collect(),
            labels: HashMap::new(),
        };
        for (id, sort) in types.sorts() {
            let labels = sort.labels.iter().flatten().zip(0..);
            labels.for_each(|(label, i)| _ = appearance.labels.entry(label).or_insert((id, i)));
        }
        let leaves = system.leaves();
        let mut before = spare(&run.states[0]);
        let plain = leaves.iter().filter(|leaf| leaf.member.is_none());
        plain.for_each(|leaf| appearance.leaf(leaf, &before));
        for (i, step) in run.steps.iter().enumerate() {
            poll();
            appearance.step(step);
            let next = run.states.get(i + 1).or_else(|| run.states.get(run.loop_start()?));
            let Some(after) = next.map(|state| spare(state)) else { break };
            leaves
                .iter()
                .filter(|leaf| differs(system, leaf, &before, &after))
                .for_each(|leaf| appearance.leaf(leaf, &after));
            before = after;
        }
        if let End::Fault(Some(step), _) = &run.end {
            appearance.step(step);
        }
        appearance
    }

    fn step(&mut self, step: &Step) {
        let rule = self.system.rule(step.rule);
        let args = spare(&step.args);
        for param in &rule.params {
            let ty = param.binder.ty;
            match param.binder.target {
                Target::Scalar(slot) => {
                    let value = args[slot.index() - rule.args.start] as i64 - self.system.types.bias(ty);
                    if self.system.types.size(ty).is_some_and(|size| (value as u64) < size) {
                        self.value(&Value::numbered(&self.system.types, ty, value as u64));
                    }
                }
                Target::Wide(bit) => {
                    let at = bit - rule.args.start as u32 * 64;
                    self.value(&Value::read(&self.system.types, ty, &args, at));
                }
            }
        }
    }

    fn leaf(&mut self, leaf: &Leaf, state: &[u64]) {
        if !self.system.types.sorts_in(leaf.ty).is_empty() {
            self.value(&Value::read(&self.system.types, leaf.ty, state, leaf.offset));
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Element(sort, element) => {
                if let Some(&sort) = self.sorts.get(sort.as_str()) {
                    self.element(sort, *element as u32);
                }
            }
            Value::Constant(label) => {
                if let Some(&(sort, element)) = self.labels.get(label.as_str()) {
                    self.element(sort, element);
                }
            }
            Value::Record(_, fields) => fields.iter().for_each(|(_, value)| self.value(value)),
            Value::Array(all) | Value::Set(all) | Value::Queue(all) | Value::Bag(all) => {
                all.iter().for_each(|value| self.value(value));
            }
            Value::Bool(_) | Value::Int(_) | Value::None => {}
        }
    }

    fn element(&mut self, sort: SortId, element: u32) {
        if let Some(seen) = self.seen[sort.index()].get_mut(element as usize)
            && !std::mem::replace(seen, true)
        {
            self.order[sort.index()].push(element);
        }
    }

    /// Takes the members in this order to the first places that the symmetry has for them.
    fn permutation(&self, symmetry: &Symmetry) -> Permutation {
        let mut permutation = Permutation::identity(&self.system.types);
        for ((sort_group, order), images) in
            symmetry.sorts.iter().zip(&self.order).zip(&mut permutation.images)
        {
            match sort_group {
                SortGroup::Full(blocks) => {
                    for block in blocks {
                        let inside = |element: &&u32| block.binary_search(element).is_ok();
                        let rest = block.iter().filter(|element| !order.contains(element));
                        let named = order.iter().filter(inside).chain(rest);
                        named.zip(block).for_each(|(&from, &to)| images[from as usize] = to);
                    }
                }
                SortGroup::Rotations => {
                    let (size, first) = (images.len() as u32, order.first().copied().unwrap_or(0));
                    images.iter_mut().zip(0..).for_each(|(image, i)| *image = (i + size - first) % size);
                }
                SortGroup::Fixed => {}
            }
        }
        permutation
    }
}

/// The image of a run.
fn moved(system: &System, permutation: &Permutation, run: &Evidence) -> Evidence {
    let action = Action::new(system);
    let state = |state: &[u64]| {
        let mut to = vec![0; state.len() + bits::SPARE];
        action.state(permutation, &spare(state), &mut to);
        to.truncate(state.len());
        to.into_boxed_slice()
    };
    let step = |step: &Step| {
        let mut args = step.args.clone();
        let rule = action.label(permutation, step.rule, &step.args, &mut args);
        Step { rule, args }
    };
    let end = match &run.end {
        End::Fault(tried, fault) => End::Fault(tried.as_ref().map(step), *fault),
        end => end.clone(),
    };
    Evidence {
        states: run.states.iter().map(|it| state(it)).collect(),
        steps: run.steps.iter().map(step).collect(),
        end,
    }
}

fn differs(system: &System, leaf: &Leaf, before: &[u64], after: &[u64]) -> bool {
    bits::chunks(system.types.width(leaf.ty)).any(|(at, width)| {
        let at = leaf.offset + at;
        bits::read(before, at, width) != bits::read(after, at, width)
    })
}

fn spare(words: &[u64]) -> Vec<u64> {
    [words, &[0; bits::SPARE]].concat()
}
