//! Boolean expressions over propositions, as cubes.
//!
//! Entry point: [`Labels`]. An expression is kept as the cubes where it is true and those where it is false,
//! so that negation and aliases cost nothing. Work and size are limited: an expression that needs too many
//! cubes is none, and that is an error only where it is used.

use crate::Cube;

/// The most cubes of one expression.
const MOST: usize = 2_000;

/// Where an expression is true, and where it is false; none where that takes too many cubes.
pub(super) struct Label {
    pub yes: Option<Vec<Cube>>,
    pub no: Option<Vec<Cube>>,
}

/// Builds labels, with a limit on the work for all of them.
pub(super) struct Labels {
    pub atoms: u32,
    budget: usize,
}

impl Labels {
    pub fn new(atoms: u32) -> Self {
        Self { atoms, budget: 5_000_000 / (1 + atoms as usize / 64) }
    }

    pub fn constant(&self, value: bool) -> Label {
        let (all, none) = (Some(vec![Cube::top(self.atoms)]), Some(Vec::new()));
        if value { Label { yes: all, no: none } } else { Label { yes: none, no: all } }
    }

    pub fn atom(&self, atom: u32) -> Label {
        let side = |positive| Some(vec![Cube::literal(self.atoms, atom, positive)]);
        Label { yes: side(true), no: side(false) }
    }

    /// Another one of the same.
    pub fn copy(&mut self, label: &Label) -> Label {
        let mut side = |cubes: &Option<Vec<Cube>>| {
            let cubes = cubes.as_ref()?;
            self.budget = self.budget.checked_sub(cubes.len())?;
            Some(cubes.clone())
        };
        Label { yes: side(&label.yes), no: side(&label.no) }
    }

    pub fn not(label: Label) -> Label {
        Label { yes: label.no, no: label.yes }
    }

    pub fn and(&mut self, a: Label, b: Label) -> Label {
        Label { yes: self.both(a.yes.as_ref(), b.yes.as_ref()), no: self.either(a.no, b.no) }
    }

    pub fn or(&mut self, a: Label, b: Label) -> Label {
        let and = self.and(Self::not(a), Self::not(b));
        Self::not(and)
    }

    fn both(&mut self, a: Option<&Vec<Cube>>, b: Option<&Vec<Cube>>) -> Option<Vec<Cube>> {
        let (a, b) = (a?, b?);
        self.budget = self.budget.checked_sub(a.len() * b.len() + 1)?;
        let cubes = a.iter().flat_map(|a| b.iter().filter_map(|b| a.and(b))).collect();
        self.least(cubes)
    }

    fn either(&mut self, a: Option<Vec<Cube>>, b: Option<Vec<Cube>>) -> Option<Vec<Cube>> {
        self.least([a?, b?].concat())
    }

    /// The cubes without those that imply others.
    fn least(&mut self, mut cubes: Vec<Cube>) -> Option<Vec<Cube>> {
        cubes.sort_by_cached_key(|cube| (cube.size(), cube.clone()));
        cubes.dedup();
        let mut kept: Vec<Cube> = Vec::new();
        for cube in cubes {
            self.budget = self.budget.checked_sub(kept.len() + 1)?;
            if !kept.iter().any(|other| cube.implies(other)) {
                kept.push(cube);
            }
            if kept.len() > MOST {
                return None;
            }
        }
        Some(kept)
    }
}
