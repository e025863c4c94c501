//! Random branching-time properties of the models of the file `liveness`: half of the shapes that people
//! write, half without any shape.

use super::liveness::{Liveness, Name};

impl Liveness {
    /// A formula, with quantifiers in front and inside.
    pub fn branching_property(&mut self) -> String {
        let second = self.sorts.len() > 1;
        let (front, names): (&str, Vec<Name>) = match self.rng.below(100) {
            0..30 => ("", vec![]),
            30..52 => ("forall x: P", vec![("x", 0)]),
            52..68 => ("exists x: P", vec![("x", 0)]),
            68..80 if second => {
                let front = *self.rng.pick(&["forall x: P, z: Q", "exists x: P, z: Q", "forall z: Q, x: P"]);
                (front, vec![("x", 0), ("z", 1)])
            }
            80..84 if second => ("exists z: Q", vec![("z", 1)]),
            84..91 => ("forall x, y: P where x != y", vec![("x", 0), ("y", 0)]),
            91..95 => ("exists x, y: P where x != y", vec![("x", 0), ("y", 0)]),
            _ => ("forall x, y: P", vec![("x", 0), ("y", 0)]),
        };
        if front.is_empty() {
            self.note("ctl.no_front");
            return self.branching_shape(&names);
        }
        self.note(match (front.starts_with("forall"), names.len()) {
            (true, 1) => "ctl.forall",
            (true, _) => "ctl.forall_two",
            (false, 1) => "ctl.exists",
            (false, _) => "ctl.exists_two",
        });
        if names.len() == 1 && self.rng.chance(12) {
            self.note("ctl.forall_exists");
            let quantifier = *self.rng.pick(&["forall", "exists"]);
            let (over, new) =
                if names[0].1 == 0 && !second { ("y: P", ("y", 0)) } else { ("v: P", ("v", 0)) };
            let both = [names[0], new];
            return format!("{front} {{ {quantifier} {over} {{ {} }} }}", self.branching_shape(&both));
        }
        // A quantifier in front that is below a connective.
        if self.rng.chance(6) {
            self.note("ctl.joined_fronts");
            let sign = *self.rng.pick(&["&&", "||", "->", "<->"]);
            let (a, b) = (self.branching_shape(&names), self.branching_shape(&[]));
            return format!("({front} {{ {a} }}) {sign} ({b})");
        }
        format!("{front} {{ {} }}", self.branching_shape(&names))
    }

    fn branching_shape(&mut self, names: &[Name]) -> String {
        let (a, b, c) = (self.atom(names), self.atom(names), self.atom(names));
        match self.rng.below(100) {
            0..5 => format!("AG EF {a}"),
            5..14 => match self.two_phases(names) {
                Some((a, b)) => format!("AG ({a} -> AF {b})"),
                None => format!("AG AF {a}"),
            },
            14..18 => format!("AG ({a} -> AF {b})"),
            18..20 => format!("AG ({a} -> EF {b})"),
            20..25 => format!("AG AF {a}"),
            25..28 => format!("EF EG {a}"),
            28..31 => format!("AF AG {a}"),
            31..33 => format!("EG AF {a}"),
            33..36 => format!("AG ({a} -> A[{b} U {c}])"),
            36..38 => format!("EF ({a} && EX ({b} && EX {c}))"),
            38..41 => format!("AG ({a} || EX {b})"),
            41..43 => format!("EF ({a} && AX {b})"),
            43..45 => format!("AG ({a} || EX true)"),
            45..47 => format!("EF ({a} && AX false)"),
            47..49 => format!("{}F {a}", self.quantifier()),
            49..51 => format!("{}G {a}", self.quantifier()),
            51..54 => format!("{}[{a} {} {b}]", self.quantifier(), self.letter()),
            54..63 => self.branching_inner(names),
            _ => {
                self.note("ctl.random");
                self.branching(names, 3)
            }
        }
    }

    fn quantifier(&mut self) -> &'static str {
        if self.rng.chance(50) { "A" } else { "E" }
    }

    fn letter(&mut self) -> &'static str {
        let letters =
            [("U", "ctl.until"), ("R", "ctl.release"), ("W", "ctl.weak_until"), ("M", "ctl.strong_release")];
        let (letter, note) = *self.rng.pick(&letters);
        self.note(note);
        letter
    }

    /// A quantifier below a path operator.
    fn branching_inner(&mut self, names: &[Name]) -> String {
        self.note("ctl.inner");
        let sort = self.rng.below(self.sorts.len());
        let all: Vec<Name> = [names, &[("w", sort)]].concat();
        let (a, b, over) = (self.atom(&all), self.atom(&all), self.sorts[sort].name);
        let (q, r) = (self.quantifier(), self.quantifier());
        match self.rng.below(8) {
            0 => format!("{q}G (forall w: {over} {{ {a} -> {r}F {b} }})"),
            1 => format!("{q}F (exists w: {over} {{ {r}G {a} }})"),
            2 => format!("{q}G (exists w: {over} {{ {r}F {a} }})"),
            3 => format!("{q}G (exists w: {over} where {a} {{ {r}X {b} }})"),
            4 => format!("{q}F (forall w: {over} {{ {r}[{a} {} {b}] }})", self.letter()),
            5 => format!("{q}[{} {} (exists w: {over} {{ {r}X {a} }})]", self.atom(names), self.letter()),
            6 => format!("{q}X (forall w: {over} where {a} {{ {r}F {b} }})"),
            _ => format!("(exists w: {over} {{ {q}G {a} }}) -> {r}F {}", self.atom(names)),
        }
    }

    /// Without any shape.
    fn branching(&mut self, names: &[Name], depth: u32) -> String {
        if depth == 0 || self.rng.chance(12) {
            return self.atom(names);
        }
        match self.rng.below(16) {
            0 => format!("!({})", self.branching(names, depth - 1)),
            1..5 => {
                let (a, b) = (self.branching(names, depth - 1), self.branching(names, depth - 1));
                format!("(({a}) {} ({b}))", self.rng.pick(&["&&", "||", "->", "<->"]))
            }
            5..10 => {
                let operator = *self.rng.pick(&["AX", "EX", "AF", "EF", "AG", "EG", "AF", "EG"]);
                format!("{operator} ({})", self.branching(names, depth - 1))
            }
            10 => {
                self.note("ctl.inner");
                let quantifier = *self.rng.pick(&["forall", "exists"]);
                let all: Vec<Name> = [names, &[("w", 0)]].concat();
                format!("({quantifier} w: P {{ {} }})", self.branching(&all, depth.min(2) - 1))
            }
            _ => {
                let (a, b) = (self.branching(names, depth - 1), self.branching(names, depth - 1));
                format!("{}[({a}) {} ({b})]", self.quantifier(), self.letter())
            }
        }
    }
}
