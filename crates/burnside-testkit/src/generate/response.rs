//! Random linear-time properties of the models of the file `liveness`: mostly of the shapes that people
//! write, some without any shape.

use super::liveness::{Liveness, Name, Shared};

/// Heavier formulas are not made: their automata get large.
const HEAVIEST: usize = 6;

impl Liveness {
    /// A formula that is not too large when it is written out.
    pub fn property(&mut self) -> String {
        for _ in 0..20 {
            let formula = self.any_property();
            if self.weight(&formula) <= HEAVIEST {
                return formula;
            }
        }
        format!("G F {}", self.atom(&[]))
    }

    /// How many temporal operators there are about, with each quantifier written out but for `forall` in
    /// front.
    fn weight(&self, formula: &str) -> usize {
        let words = formula.split(|c: char| !c.is_alphanumeric());
        let operators = words.filter(|word| ["X", "F", "G", "U", "R", "W", "M"].contains(word)).count();
        let mut weight = operators << formula.matches("<->").count();
        // `y` is bound again in conditions, which are not written out.
        let quantified = [("x:", 0), ("x, y:", 0), ("x, y:", 0), ("z:", 1), ("w: P", 0), ("w: Q", 1)];
        for (name, sort) in quantified {
            let binder = formula.find(&format!(" {name}"));
            let front =
                formula.starts_with("forall") && binder.is_some_and(|at| !formula[..at].contains('{'));
            if binder.is_some() && !front {
                weight *= self.sorts[sort].size as usize;
            }
        }
        if formula.contains("{ exists y: P {") {
            weight *= self.sorts[0].size as usize;
        }
        weight
    }

    fn any_property(&mut self) -> String {
        let second = self.sorts.len() > 1;
        let (front, names): (String, Vec<Name>) = match self.rng.below(100) {
            0..22 => (String::new(), vec![]),
            22..55 => ("forall x: P".to_string(), vec![("x", 0)]),
            55..68 => ("exists x: P".to_string(), vec![("x", 0)]),
            68..82 if second => {
                let front = *self.rng.pick(&["forall x: P, z: Q", "exists x: P, z: Q", "forall z: Q, x: P"]);
                (front.to_string(), vec![("x", 0), ("z", 1)])
            }
            82..86 if second => ("exists z: Q".to_string(), vec![("z", 1)]),
            86..93 => ("forall x, y: P where x != y".to_string(), vec![("x", 0), ("y", 0)]),
            93..96 => ("exists x, y: P where x != y".to_string(), vec![("x", 0), ("y", 0)]),
            _ => ("forall x, y: P".to_string(), vec![("x", 0), ("y", 0)]),
        };
        if front.is_empty() {
            self.note("ltl.no_front");
            return self.shape(&names);
        }
        self.note(match (front.starts_with("forall"), names.len()) {
            (true, 1) => "ltl.forall",
            (true, _) => "ltl.forall_two",
            (false, 1) => "ltl.exists",
            (false, _) => "ltl.exists_two",
        });
        // Two quantifiers that are not alike.
        if names.len() == 1 && self.rng.chance(6) {
            self.note("ltl.forall_exists");
            let (inner, both) = match names[0].1 {
                0 if second => ("exists z: Q", vec![names[0], ("z", 1)]),
                0 => ("exists y: P", vec![names[0], ("y", 0)]),
                _ => ("forall x: P", vec![names[0], ("x", 0)]),
            };
            return format!("{front} {{ {inner} {{ {} }} }}", self.shape(&both));
        }
        format!("{front} {{ {} }}", self.shape(&names))
    }

    fn shape(&mut self, names: &[Name]) -> String {
        let (a, b, c) = (self.atom(names), self.atom(names), self.atom(names));
        match self.rng.below(100) {
            0..14 => format!("G ({a} -> F {b})"),
            14..28 => match self.two_phases(names) {
                Some((a, b)) => format!("G ({a} -> F {b})"),
                None => format!("G F {a}"),
            },
            28..34 => format!("F G {a}"),
            34..48 => format!("G F {a}"),
            48..53 => format!("{a} U {b}"),
            53..60 => format!("G F {a} -> G F {b}"),
            60..65 => format!("F {a}"),
            65..66 => format!("G {a}"),
            66..68 => format!("G ({a} -> X {b})"),
            68..71 => format!("G ({a} -> ({b} U {c}))"),
            71..73 => format!("F G {a} -> G F {b}"),
            73..76 => format!("{a} {} {b}", self.rng.pick(&["W", "R", "M"])),
            76..84 => self.inner(names),
            _ => self.formula(names, 3),
        }
    }

    /// A quantifier below a temporal operator.
    fn inner(&mut self, names: &[Name]) -> String {
        self.note("ltl.inner");
        let sort = self.rng.below(self.sorts.len());
        let all: Vec<Name> = [names, &[("w", sort)]].concat();
        let (a, b, over) = (self.atom(&all), self.atom(&all), self.sorts[sort].name);
        match self.rng.below(6) {
            0 => format!("G (forall w: {over} {{ {a} -> F {b} }})"),
            1 => format!("F (exists w: {over} {{ G {a} }})"),
            2 => format!("G (exists w: {over} {{ F {a} }})"),
            3 => format!("G F (forall w: {over} {{ {a} U {b} }})"),
            4 => format!("{} U (exists w: {over} {{ X {a} }})", self.atom(names)),
            _ => format!("(exists w: {over} {{ F G {a} }}) -> G F {}", self.atom(names)),
        }
    }

    /// Without any shape.
    pub(super) fn formula(&mut self, names: &[Name], depth: u32) -> String {
        if depth == 0 || self.rng.chance(15) {
            return self.atom(names);
        }
        self.note("ltl.random");
        match self.rng.below(14) {
            0 => format!("!({})", self.formula(names, depth - 1)),
            1..4 => {
                let (a, b) = (self.formula(names, depth - 1), self.formula(names, depth - 1));
                format!("(({a}) {} ({b}))", self.rng.pick(&["&&", "||", "->", "<->"]))
            }
            4..9 => {
                let operator = *self.rng.pick(&["X", "F", "G", "G F", "F G"]);
                format!("{operator} ({})", self.formula(names, depth - 1))
            }
            9 if self.sorts[0].size < 4 => {
                self.note("ltl.inner");
                let quantifier = *self.rng.pick(&["forall", "exists"]);
                let all: Vec<Name> = [names, &[("w", 0)]].concat();
                format!("({quantifier} w: P {{ {} }})", self.formula(&all, depth.min(2) - 1))
            }
            _ => {
                let (a, b) = (self.formula(names, depth - 1), self.formula(names, depth - 1));
                format!("(({a}) {} ({b}))", self.rng.pick(&["U", "R", "W", "M"]))
            }
        }
    }

    /// A condition in parentheses.
    pub(super) fn atom(&mut self, names: &[Name]) -> String {
        if self.rng.chance(12)
            && let Some(enabled) = self.enabled(names)
        {
            self.note("formula.enabled");
            return enabled;
        }
        if self.rng.chance(1) && self.shared.contains(&Shared::Owner) {
            self.note("formula.may_fault");
            return format!("(phase[owner!] == {})", self.sorts[0].phase.1[0]);
        }
        // Of a phase, or of the names that are there, most of the time.
        if self.rng.chance(40) {
            let sort = names.last().map_or(0, |(_, sort)| *sort);
            let (phase, values) = self.sorts[sort].phase.clone();
            if let Some(who) = self.named(names, sort) {
                return format!("({phase}[{who}] == {})", self.rng.pick(&values));
            }
        }
        for _ in 0..3 {
            let condition = self.condition(names);
            let about =
                |name: &Name| condition.split(|c: char| !c.is_alphanumeric()).any(|word| word == name.0);
            if names.is_empty() || names.iter().any(about) || self.rng.chance(30) {
                return format!("({condition})");
            }
        }
        format!("({})", self.condition(names))
    }

    /// A member in two different phases.
    pub(super) fn two_phases(&mut self, names: &[Name]) -> Option<(String, String)> {
        let sort = names.last()?.1;
        let who = self.named(names, sort)?;
        let (phase, values) = self.sorts[sort].phase.clone();
        let last = values.len() - 1;
        let (from, to) = match self.rng.chance(50) {
            true => (self.rng.below(last), last),
            false => (last, self.rng.below(last)),
        };
        let text = |value: usize| format!("({phase}[{who}] == {})", values[value]);
        Some((text(from), text(to)))
    }

    fn enabled(&mut self, names: &[Name]) -> Option<String> {
        let rules = self.rules.clone();
        if rules.is_empty() {
            return None;
        }
        let rule = self.rng.pick(&rules).clone();
        let member = match rule.family {
            None => "Server".to_string(),
            Some(sort) => {
                let who = self.named(names, sort)?;
                format!("{}[{who}]", self.sorts[sort].name)
            }
        };
        if self.rng.chance(30) {
            return Some(format!("enabled({member})"));
        }
        let args = match rule.param {
            Some(sort) if self.rng.chance(60) => match self.named(names, sort) {
                Some(name) => format!("({name})"),
                None => String::new(),
            },
            _ => String::new(),
        };
        Some(format!("enabled({member}.{}{args})", rule.name))
    }
}
