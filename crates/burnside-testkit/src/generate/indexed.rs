//! Random linear-time properties whose indices are inside temporal operators, for the models of the file
//! `liveness`. Written out they name every member, so only local symmetries of their automata are left.

use super::liveness::{Liveness, Name};

/// Formulas with more temporal operators, when they are written out, are not made.
const HEAVIEST: usize = 8;

impl Liveness {
    /// A formula that is not too large when it is written out.
    pub fn indexed_property(&mut self) -> String {
        self.note("ltl.indexed");
        for _ in 0..20 {
            let sort = self.rng.below(self.sorts.len());
            let (formula, weight) = self.indexed(sort);
            if weight * self.sorts[sort].size as usize <= HEAVIEST {
                return formula;
            }
        }
        let over = self.sorts[0].name;
        format!("exists w: {over} {{ F {} }}", self.atom(&[("w", 0)]))
    }

    /// A formula and how many temporal operators it has for each member of the sort.
    fn indexed(&mut self, sort: usize) -> (String, usize) {
        let over = self.sorts[sort].name;
        let w: [Name; 1] = [("w", sort)];
        let (a, b) = match (self.rng.chance(40), self.two_phases(&w)) {
            (true, Some(both)) => both,
            _ => (self.atom(&w), self.atom(&w)),
        };
        let c = self.atom(&[]);
        let both = [("x", sort), ("w", sort)];
        match self.rng.below(20) {
            0 => (format!("G (forall w: {over} {{ {a} -> F {b} }})"), 1),
            1 => (format!("exists w: {over} {{ F G {a} }}"), 2),
            2 => (format!("exists w: {over} {{ G F {a} }}"), 2),
            3 => (format!("(forall w: {over} {{ F {a} }}) -> G F {c}"), 1),
            4 => (format!("F (exists w: {over} {{ G {a} }})"), 1),
            5 => (format!("G (exists w: {over} {{ F {a} }})"), 1),
            6 => (format!("(forall w: {over} {{ {a} U {b} }}) || F {c}"), 1),
            7 => (format!("exists w: {over} {{ {a} U {b} }}"), 1),
            8 => (
                format!("(forall w: {over} {{ G F {a} }}) -> (exists w: {over} {{ G F {b} }})"),
                if self.sorts[sort].size == 2 { 4 } else { 5 },
            ),
            9 => {
                let (a, b) = (self.atom(&both), self.atom(&both));
                (format!("forall x: {over} {{ exists w: {over} {{ G ({a} -> F {b}) }} }}"), 2)
            }
            10 => (format!("G F (forall w: {over} {{ {a} U {b} }})"), 1),
            11 => (format!("X (exists w: {over} {{ {a} && X {b} }})"), 1),
            12 => (format!("(exists w: {over} {{ G {a} }}) U {c}"), 1),
            13 => {
                let (a, b) = (self.atom(&both[..1]), self.atom(&both));
                let front = format!("exists x, w: {over} where x != w");
                (format!("{front} {{ F {a} && G {b} }}"), self.sorts[sort].size as usize)
            }
            14 => (format!("G (forall w: {over} {{ {a} -> X {b} }}) || G F {c}"), 1),
            15 => (format!("(forall w: {over} {{ F G {a} }}) -> F {c}"), 2),
            16 => (format!("exists w: {over} {{ G ({a} -> F {b}) }}"), 2),
            17 => (format!("(exists w: {over} {{ F {a} }}) <-> (forall w: {over} {{ F {b} }})"), 2),
            _ => {
                let inner = self.formula(&w, 2);
                let words = inner.split(|c: char| !c.is_alphanumeric());
                let count = words.filter(|word| ["X", "F", "G", "U", "R", "W", "M"].contains(word)).count();
                let heavy = inner.contains("<->") || inner.contains("w: P");
                let front = *self.rng.pick(&["exists", "F forall", "G exists"]);
                let text = match front.split_once(' ') {
                    Some((operator, quantifier)) => {
                        format!("{operator} ({quantifier} w: {over} {{ {inner} }})")
                    }
                    None => format!("{front} w: {over} {{ {inner} }}"),
                };
                (text, if heavy { HEAVIEST } else { count.max(1) })
            }
        }
    }
}
