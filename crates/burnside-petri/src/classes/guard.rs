//! Which permutations of the classes keep a guard.
//!
//! Entry point: [`Judge::guard`]. The greatest parts of a guard that have few bindings, always those with one
//! variable, are evaluated for all of them, and what they are true of has to stay as it is, by value. Where
//! that is too much, a comparison counts as what it is: equality is kept by all permutations, steps along the
//! class by rotations, order by nothing; the blocks of a partition are unary predicates. Guards come from
//! readers that limit their depth.

use super::Judge;
use super::relation::Relation;
use crate::net::{ClassId, Comparison, Guard, Net, Operand, PartitionId, Term, VariableId};
use burnside_limits::poll;
use burnside_ts::Compare;
use std::collections::BTreeMap;

impl Judge<'_> {
    /// The guard must be true of a binding exactly when it is true of the moved one.
    pub(super) fn guard(&mut self, guard: &Guard) {
        let variables = variables(guard);
        let classes: Vec<ClassId> =
            variables.iter().map(|&variable| self.net.variable(variable).class).collect();
        let bindings = self.net.colours(&classes);
        match guard {
            Guard::Compare(comparison) if self.plain(comparison) => {}
            _ if variables.len() <= 1 || bindings.is_some_and(|count| count <= self.table) => {
                let truths: Vec<u64> = (0..bindings.unwrap_or(0))
                    .map(|number| self.net.colour(&classes, number))
                    .map(|binding| u64::from(holds(self.net, guard, &variables, &binding)))
                    .collect();
                self.relation(&Relation::dense(&classes, &truths));
            }
            _ => self.parts(guard),
        }
    }

    /// Judges the parts of a guard, those with the same variables together.
    fn parts(&mut self, guard: &Guard) {
        match guard {
            Guard::True | Guard::False => {}
            Guard::Not(part) => self.guard(part),
            Guard::Compare(comparison) => self.comparison(comparison),
            Guard::And(parts) => self.together(parts, Guard::And),
            Guard::Or(parts) => self.together(parts, Guard::Or),
        }
    }

    fn together(&mut self, parts: &[Guard], join: fn(Vec<Guard>) -> Guard) {
        let mut groups: BTreeMap<Vec<VariableId>, Vec<Guard>> = BTreeMap::new();
        parts.iter().for_each(|part| groups.entry(variables(part)).or_default().push(part.clone()));
        if groups.len() == 1 {
            return parts.iter().for_each(|part| self.guard(part));
        }
        groups.into_values().for_each(|group| self.guard(&join(group)));
    }

    /// Whether it is the equality of two variables, or its opposite.
    fn plain(&self, comparison: &Comparison) -> bool {
        comparison.partition.is_none()
            && matches!(comparison.op, Compare::Eq | Compare::Ne)
            && self.steps(comparison) == Some(0)
    }

    /// By how many steps two different variables that are compared are apart.
    fn steps(&self, comparison: &Comparison) -> Option<i64> {
        match (comparison.left, comparison.right) {
            (Operand::Element(Term::Variable(x, left)), Operand::Element(Term::Variable(y, right)))
                if x != y =>
            {
                let size = self.size(comparison.class).max(1) as i64;
                Some((left.rem_euclid(size) - right.rem_euclid(size)).rem_euclid(size))
            }
            _ => None,
        }
    }

    /// Judges a comparison with very many bindings.
    fn comparison(&mut self, comparison: &Comparison) {
        if let Some(partition) = comparison.partition {
            return [comparison.left, comparison.right]
                .into_iter()
                .for_each(|side| self.block(partition, side));
        }
        let equality = matches!(comparison.op, Compare::Eq | Compare::Ne);
        match self.steps(comparison) {
            Some(0) if equality => {}
            Some(_) if equality => self.ring(comparison.class),
            _ => self.fix(comparison.class),
        }
    }

    /// The block of a variable's element is looked at.
    fn block(&mut self, partition: PartitionId, side: Operand) {
        if let Operand::Element(term @ Term::Variable(..)) = side {
            let class = self.net.partitions[partition.index()].class;
            let block = |x: u32| value(self.net, Some(partition), class, Operand::Element(term), |_| x);
            let keys: Vec<u64> = (0..self.size(class) as u32).map(|x| u64::from(block(x))).collect();
            self.keys(class, &keys);
        }
    }
}

/// The variables of a guard, ascending.
fn variables(guard: &Guard) -> Vec<VariableId> {
    let (mut found, mut pending) = (Vec::new(), vec![guard]);
    while let Some(guard) = pending.pop() {
        match guard {
            Guard::True | Guard::False => {}
            Guard::Not(part) => pending.push(part),
            Guard::And(parts) | Guard::Or(parts) => pending.extend(parts),
            Guard::Compare(comparison) => {
                for side in [comparison.left, comparison.right] {
                    if let Operand::Element(Term::Variable(variable, _)) = side {
                        found.push(variable);
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a guard is true of a binding of these variables.
fn holds(net: &Net, guard: &Guard, variables: &[VariableId], binding: &[u32]) -> bool {
    poll();
    let of = |part: &Guard| holds(net, part, variables, binding);
    match guard {
        Guard::True => true,
        Guard::False => false,
        Guard::Not(part) => !of(part),
        Guard::And(parts) => parts.iter().all(of),
        Guard::Or(parts) => parts.iter().any(of),
        Guard::Compare(Comparison { op, class, partition, left, right }) => {
            let bound =
                |variable| binding[variables.binary_search(&variable).expect("a variable of the guard")];
            let [left, right] = [*left, *right].map(|side| value(net, *partition, *class, side, bound));
            match op {
                Compare::Eq => left == right,
                Compare::Ne => left != right,
                Compare::Lt => left < right,
                Compare::Le => left <= right,
            }
        }
    }
}

/// The position of one side of a comparison, of an element or of a block.
fn value(
    net: &Net,
    partition: Option<PartitionId>,
    class: ClassId,
    side: Operand,
    bound: impl Fn(VariableId) -> u32,
) -> u32 {
    let size = net.class(class).elements.len() as i64;
    let element = match side {
        Operand::Block(block) => return block,
        Operand::Element(Term::Variable(variable, shift)) => {
            (i64::from(bound(variable)) + shift.rem_euclid(size)).rem_euclid(size) as u32
        }
        Operand::Element(Term::Constant(element)) => element,
        Operand::Element(Term::All) => 0,
    };
    partition.map_or(element, |partition| net.partitions[partition.index()].block[element as usize])
}
