//! Which permutations of the classes go through the inscription of an arc.
//!
//! Entry point: [`Judge::inscription`]. Variables and whole classes always do; steps along a class allow
//! rotations only. Patterns with the same variables in the same components are taken together: what their
//! other components say is a weighting of colours of these components, and has to stay as it is, by value.
//! The sum of patterns may be cut off at 0 for each colour, which keeps what the sum keeps.

use super::Judge;
use super::relation::Relation;
use crate::net::{ClassId, Inscription, Term, VariableId};
use std::collections::BTreeMap;

/// The variables of a pattern with their steps; nothing for other components.
type Frame = Vec<Option<(VariableId, i64)>>;

impl Judge<'_> {
    /// The inscription of an arc at a place of this domain must give the moved tokens for the moved binding.
    pub(super) fn inscription(&mut self, domain: &[ClassId], inscription: &Inscription) {
        if inscription.iter().all(|part| part.0 <= 0) {
            return;
        }
        let mut groups: BTreeMap<Frame, Vec<(i64, &[Term])>> = BTreeMap::new();
        for (weight, pattern) in inscription.iter().filter(|part| part.0 != 0) {
            groups.entry(self.frame(domain, pattern)).or_default().push((*weight, pattern));
        }
        for (frame, patterns) in &groups {
            for (&class, _) in
                domain.iter().zip(frame).filter(|(_, term)| term.is_some_and(|term| term.1 != 0))
            {
                self.ring(class);
            }
            self.constants(domain, patterns);
        }
    }

    fn frame(&self, domain: &[ClassId], pattern: &[Term]) -> Frame {
        let of = |(&class, term): (&ClassId, &Term)| match *term {
            Term::Variable(variable, shift) => {
                Some((variable, shift.rem_euclid(self.size(class).max(1) as i64)))
            }
            Term::Constant(_) | Term::All => None,
        };
        domain.iter().zip(pattern).map(of).collect()
    }

    /// What patterns with the same variables say about the components in which some of them name elements.
    fn constants(&mut self, domain: &[ClassId], patterns: &[(i64, &[Term])]) {
        let named =
            |&at: &usize| patterns.iter().any(|(_, pattern)| matches!(pattern[at], Term::Constant(_)));
        let components: Vec<usize> = (0..domain.len()).filter(named).collect();
        let classes: Vec<ClassId> = components.iter().map(|&at| domain[at]).collect();
        if self.net.colours(&classes).is_none_or(|count| count > self.table) {
            return self.distinguish(domain, patterns);
        }
        let mut weights = Vec::new();
        for (weight, pattern) in patterns {
            for colour in self.colours(&classes, components.iter().map(|&at| pattern[at])) {
                weights.push((colour, i128::from(*weight)));
            }
        }
        self.relation(&Relation::sparse(&classes, weights));
    }

    /// The numbers of the colours that match elements and whole classes.
    fn colours(&self, classes: &[ClassId], terms: impl Iterator<Item = Term>) -> Vec<usize> {
        terms.zip(classes).fold(vec![0], |numbers, (term, &class)| {
            let size = self.size(class);
            let digits = match term {
                Term::Constant(element) => element as usize..element as usize + 1,
                _ => 0..size,
            };
            numbers.iter().flat_map(|number| digits.clone().map(move |digit| number * size + digit)).collect()
        })
    }

    /// No element that is named may move.
    fn distinguish(&mut self, domain: &[ClassId], patterns: &[(i64, &[Term])]) {
        for (_, pattern) in patterns {
            for (&class, term) in domain.iter().zip(*pattern) {
                if let Term::Constant(element) = term {
                    self.relation(&Relation::sparse(&[class], vec![(*element as usize, 1)]));
                }
            }
        }
    }
}
