//! A net without colours that does the same: a cell for each colour of each place, a firing for each
//! binding of each transition that its guard allows.
//!
//! Entry point: [`Flat::of`]. None if it would be too large. What a firing is called in the transition
//! system, a rule with arguments, is kept, so that a sequence of firings becomes a run there.

use crate::lower::parameters;
use crate::net::{Arc, Comparison, Guard, Net, Operand, PlaceId, Term, Transition, VariableId};
use burnside_limits::poll;
use burnside_ts::Compare;
use std::collections::BTreeMap;

/// The most arcs of all firings together, and the most bindings that are looked at.
const MOST_ARCS: usize = 4_000_000;

/// Weights by cell, each cell once, in order.
pub(crate) type Weights = Vec<(u32, i64)>;

/// The net without colours.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    /// By place, its first cell.
    first: Vec<u32>,
    /// By place, the sizes of the classes of its domain.
    sizes: Vec<Vec<u32>>,
    /// By cell, the tokens at first.
    pub initial: Vec<i64>,
    /// All firings, those of a transition side by side.
    pub firings: Vec<Firing>,
    /// By transition, its first firing; the number of all at the end.
    starts: Vec<usize>,
}

/// A transition under one binding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Firing {
    /// The number of the transition.
    pub transition: u32,
    /// What its parameters are bound to.
    pub args: Box<[u64]>,
    /// So many tokens must be there.
    pub needs: Weights,
    /// So many must not be there.
    pub inhibited: Weights,
    /// What is taken, before anything is given.
    pub takes: Weights,
    /// What is given.
    pub gives: Weights,
    /// What is emptied in between.
    pub resets: Vec<u32>,
}

impl Flat {
    /// The net without colours, if it is not too large.
    pub fn of(net: &Net) -> Option<Self> {
        let (initial, firings, sizes) = (Vec::new(), Vec::new(), Vec::new());
        let mut flat = Self { first: vec![0], sizes, initial, firings, starts: vec![0] };
        for place in &net.places {
            let sizes = place.domain.iter().map(|&class| net.class(class).elements.len() as u32);
            flat.sizes.push(sizes.collect());
            for &tokens in &place.initial {
                flat.initial.push(i64::try_from(tokens).ok()?);
            }
            flat.first.push(u32::try_from(flat.initial.len()).ok()?);
        }
        let mut left = MOST_ARCS;
        for (number, transition) in net.transitions.iter().enumerate() {
            let variables = parameters(transition);
            let firing = Firing { transition: number as u32, ..Firing::default() };
            let mut binding =
                Binding { net, transition, variables: &variables, values: Vec::new(), left: &mut left };
            flat.bind(&mut binding, &firing)?;
            flat.starts.push(flat.firings.len());
        }
        Some(flat)
    }

    /// A net of cells and firings alone: each is a place, or a transition, of its own.
    pub fn plain(initial: Vec<i64>, firings: Vec<Firing>) -> Self {
        let first = (0..=initial.len() as u32).collect();
        let (sizes, starts) = (vec![Vec::new(); initial.len()], (0..=firings.len()).collect());
        Self { first, sizes, initial, firings, starts }
    }

    /// The cells of a place.
    pub fn cells(&self, place: PlaceId) -> std::ops::Range<u32> {
        self.first[place.index()]..self.first[place.index() + 1]
    }

    /// The cell of one colour, as a range.
    pub fn cell(&self, place: PlaceId, colour: &[u32]) -> std::ops::Range<u32> {
        let digits = self.sizes[place.index()].iter().zip(colour);
        let cell = self.first[place.index()] + digits.fold(0, |number, (size, digit)| number * size + digit);
        cell..cell + 1
    }

    /// The firings of a transition.
    pub fn firings_of(&self, transition: usize) -> &[Firing] {
        &self.firings[self.starts[transition]..self.starts[transition + 1]]
    }

    /// Whether a firing may empty a place, whatever is in it.
    pub fn has_resets(&self) -> bool {
        self.firings.iter().any(|firing| !firing.resets.is_empty())
    }

    /// Binds the next variable to all its values; adds a firing when all are bound.
    fn bind(&mut self, binding: &mut Binding<'_>, empty: &Firing) -> Option<()> {
        poll();
        *binding.left = binding.left.checked_sub(1)?;
        if !binding.may_pass(&binding.transition.guard).unwrap_or(true) {
            return Some(());
        }
        let Some(&variable) = binding.variables.get(binding.values.len()) else {
            let firing = self.firing(binding, empty.clone())?;
            self.firings.push(firing);
            return Some(());
        };
        let class = binding.net.variable(variable).class;
        for value in 0..binding.net.class(class).elements.len() as i64 {
            binding.values.push(value);
            let bound = self.bind(binding, empty);
            binding.values.pop();
            bound?;
        }
        Some(())
    }

    fn firing(&self, binding: &mut Binding<'_>, mut firing: Firing) -> Option<Firing> {
        let transition = binding.transition;
        firing.args = binding.values.iter().map(|&value| value as u64).collect();
        firing.takes = self.weights(binding, &transition.inputs)?;
        firing.gives = self.weights(binding, &transition.outputs)?;
        firing.inhibited = self.weights(binding, &transition.inhibitors)?;
        let mut needs: BTreeMap<u32, i64> = self.weights(binding, &transition.reads)?.into_iter().collect();
        for &(cell, weight) in &firing.takes {
            let need = needs.entry(cell).or_default();
            *need = weight.max(*need);
        }
        firing.needs = needs.into_iter().collect();
        firing.resets = transition.resets.iter().flat_map(|&place| self.cells(place)).collect();
        Some(firing)
    }

    fn weights(&self, binding: &mut Binding<'_>, arcs: &[Arc]) -> Option<Weights> {
        let mut sums: BTreeMap<u32, i64> = BTreeMap::new();
        for arc in arcs {
            let domain = &binding.net.place(arc.place).domain;
            for (weight, pattern) in &arc.inscription {
                let mut numbers = vec![0u32];
                for (&class, term) in domain.iter().zip(pattern) {
                    let size = binding.net.class(class).elements.len() as u32;
                    let values = match term {
                        Term::All => 0..size,
                        term => {
                            let value = binding.element(*term, i64::from(size))? as u32;
                            value..value + 1
                        }
                    };
                    let next = numbers.iter().flat_map(|&n| values.clone().map(move |v| n * size + v));
                    numbers = next.collect();
                    *binding.left = binding.left.checked_sub(numbers.len())?;
                }
                for number in numbers {
                    let sum = sums.entry(self.first[arc.place.index()] + number).or_default();
                    *sum = sum.checked_add(*weight)?;
                }
            }
        }
        *binding.left = binding.left.checked_sub(sums.len())?;
        Some(sums.into_iter().filter(|(_, weight)| *weight > 0).collect())
    }
}

/// Some of a transition's variables with values.
struct Binding<'n> {
    net: &'n Net,
    transition: &'n Transition,
    variables: &'n [VariableId],
    values: Vec<i64>,
    /// So much may still be done for the whole net.
    left: &'n mut usize,
}

impl Binding<'_> {
    /// The element that a term is, of a class of some size; none: not bound yet.
    fn element(&self, term: Term, size: i64) -> Option<i64> {
        match term {
            Term::Constant(element) => Some(i64::from(element)),
            Term::Variable(variable, steps) => {
                let at = self.variables.iter().position(|known| *known == variable)?;
                Some((self.values.get(at)? + steps).rem_euclid(size))
            }
            Term::All => None,
        }
    }

    /// The truth of a guard, if what is bound tells it.
    fn may_pass(&self, guard: &Guard) -> Option<bool> {
        match guard {
            Guard::True => Some(true),
            Guard::False => Some(false),
            Guard::Compare(comparison) => self.compare(comparison),
            Guard::Not(inner) => self.may_pass(inner).map(|truth| !truth),
            Guard::And(parts) => joined(parts.iter().map(|part| self.may_pass(part)), false),
            Guard::Or(parts) => joined(parts.iter().map(|part| self.may_pass(part)), true),
        }
    }

    fn compare(&self, comparison: &Comparison) -> Option<bool> {
        let size = self.net.class(comparison.class).elements.len() as i64;
        let side = |operand| match (operand, comparison.partition) {
            (Operand::Block(block), _) => Some(i64::from(block)),
            (Operand::Element(term), None) => self.element(term, size),
            (Operand::Element(term), Some(partition)) => {
                let element = self.element(term, size)?;
                Some(i64::from(self.net.partitions[partition.index()].block[element as usize]))
            }
        };
        let (left, right) = (side(comparison.left)?, side(comparison.right)?);
        Some(match comparison.op {
            Compare::Eq => left == right,
            Compare::Ne => left != right,
            Compare::Lt => left < right,
            Compare::Le => left <= right,
        })
    }
}

/// A conjunction, or a disjunction, of truths that may be open: the value that decides it alone, if one has
/// it, otherwise the other one if none is open.
pub(crate) fn joined(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut result = Some(!decisive);
    for part in parts {
        match part {
            Some(truth) if truth == decisive => return Some(decisive),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}

impl Firing {
    /// Whether it can happen in a marking.
    pub fn is_enabled(&self, marking: &[i64]) -> bool {
        self.needs.iter().all(|&(cell, weight)| marking[cell as usize] >= weight)
            && self.inhibited.iter().all(|&(cell, weight)| marking[cell as usize] < weight)
    }

    /// Lets it happen. False if there would be more tokens than a number holds.
    #[must_use]
    pub fn fire(&self, marking: &mut [i64]) -> bool {
        for &(cell, weight) in &self.takes {
            marking[cell as usize] -= weight;
        }
        for &cell in &self.resets {
            marking[cell as usize] = 0;
        }
        self.gives.iter().all(|&(cell, weight)| {
            let sum = marking[cell as usize].checked_add(weight);
            marking[cell as usize] = sum.unwrap_or(i64::MAX);
            sum.is_some()
        })
    }

    /// By how much it changes each cell, but for what is emptied.
    pub fn change(&self) -> Weights {
        let mut sums: BTreeMap<u32, i64> = self.gives.iter().copied().collect();
        for &(cell, weight) in &self.takes {
            // Both are at least 1, so the difference fits.
            *sums.entry(cell).or_default() -= weight;
        }
        sums.into_iter().filter(|(_, weight)| *weight != 0).collect()
    }
}
