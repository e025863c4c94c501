//! Random integers: any, and such that fit into a range.

use super::expr::{Text, wrap};
use super::scope::Generator;
use super::types::Ty;

impl Generator {
    /// An integer.
    pub fn integer(&mut self, depth: u32) -> Option<Text> {
        for _ in 0..6 {
            let found = if depth == 0 { self.simple_integer() } else { self.composed(depth) };
            if found.is_some() {
                return found;
            }
        }
        Some((self.rng.between(0, 4).to_string(), 9))
    }

    fn simple_integer(&mut self) -> Option<Text> {
        match self.rng.below(10) {
            0..3 => Some((self.rng.between(0, 4).to_string(), 9)),
            3 if !self.types.constants.is_empty() => {
                self.note("const.int");
                Some((self.rng.pick(&self.types.constants).0.clone(), 9))
            }
            _ => Some((self.place(Some(&Ty::Int), false, 0)?.0, 9)),
        }
    }

    fn composed(&mut self, depth: u32) -> Option<Text> {
        let less = depth - 1;
        match self.rng.below(100) {
            0..25 => self.simple_integer(),
            25..45 => {
                let (op, level, note) = *self.rng.pick(&[
                    ("+", 6, "add"),
                    ("+", 6, "add"),
                    ("-", 6, "sub"),
                    ("-", 6, "sub"),
                    ("*", 7, "mul"),
                ]);
                let (a, b) = (self.integer(less)?, self.integer(less)?);
                self.note(note);
                Some((format!("{} {op} {}", wrap(a, level), wrap(b, level + 1)), level))
            }
            45..52 => {
                let (op, note) = *self.rng.pick(&[("/", "div"), ("%", "rem")]);
                let a = wrap(self.integer(less)?, 7);
                let b = match self.risky() {
                    true => wrap((self.place(Some(&Ty::Int), false, less)?.0, 9), 8),
                    false => self.rng.pick(&["2", "3", "(0 - 2)"]).to_string(),
                };
                self.note(note);
                Some((format!("{a} {op} {b}"), 7))
            }
            52..55 => {
                self.note("neg");
                Some((format!("-{}", wrap(self.integer(less)?, 9)), 8))
            }
            55..58 => {
                self.note("abs");
                Some((format!("abs({})", self.integer(less)?.0), 9))
            }
            58..64 => {
                let word = *self.rng.pick(&["min", "max"]);
                self.note("extremum");
                Some((format!("{word}({}, {})", self.integer(less)?.0, self.integer(less)?.0), 9))
            }
            64..72 => self.measured(less),
            72..84 => {
                let (word, body, note) = *self.rng.pick(&[
                    ("count", &Ty::Bool, "count"),
                    ("sum", &Ty::Int, "sum"),
                    ("max", &Ty::Int, "max"),
                ]);
                if word == "max" {
                    return self.extreme(less);
                }
                self.note(note);
                self.quantifier(word, body, less)
            }
            84..88 => self.ordinal(less),
            88..93 => self.branches(&Ty::Int, depth),
            _ => self.call(&Ty::Int, less),
        }
    }

    /// `min` or `max` over some values; of nothing only at a risk.
    fn extreme(&mut self, depth: u32) -> Option<Text> {
        let word = *self.rng.pick(&["min", "max"]);
        self.note(if word == "min" { "min" } else { "max" });
        if self.risky() {
            return self.quantifier(word, &Ty::Int, depth);
        }
        if self.rng.chance(30) {
            return self.extreme_of_collection(word, depth);
        }
        let ty = self.types.random(&mut self.rng, 4.0, true, 0);
        let (name, over) = (self.name(), self.types.text(&ty, &mut self.rng));
        let body = self.scoped(|generator| {
            generator.bind(&name, &ty, false);
            generator.body(&Ty::Int, depth)
        })?;
        Some((format!("{word} {name}: {over} {{ {body} }}"), 8))
    }

    /// `min` or `max` over the elements of a collection, if it has some.
    fn extreme_of_collection(&mut self, word: &str, depth: u32) -> Option<Text> {
        let (source, element) = self.collection_of(None, depth)?;
        let name = self.name();
        let body = self.scoped(|generator| {
            generator.bind(&name, &element, false);
            generator.body(&Ty::Int, depth)
        })?;
        self.note("extreme.collection");
        Some((format!("if {source}.empty() {{ 0 }} else {{ {word} {name} in {source} {{ {body} }} }}"), 8))
    }

    fn measured(&mut self, depth: u32) -> Option<Text> {
        let (text, ty) = (0..4).find_map(|_| {
            let found = self.place(None, false, depth)?;
            matches!(found.1, Ty::Set(_) | Ty::Queue(..) | Ty::Bag(..)).then_some(found)
        })?;
        match ty {
            Ty::Bag(_, element) if self.rng.chance(50) => {
                let x = match *element {
                    Ty::Range(..) => self.integer(depth)?,
                    ref element => self.value(element, depth)?,
                };
                self.note("bag.count");
                Some((format!("{text}.count({})", x.0), 9))
            }
            Ty::Set(_) | Ty::Queue(..) | Ty::Bag(..) => {
                self.note("size");
                Some((format!("{text}.size()"), 9))
            }
            _ => None,
        }
    }

    fn ordinal(&mut self, depth: u32) -> Option<Text> {
        let (text, ty) = self.place(None, false, depth)?;
        match ty {
            Ty::Bool | Ty::Enum(_) => {}
            Ty::Sort(_) if !self.symmetric() => {}
            _ => return None,
        }
        self.note("ord");
        Some((format!("ord({text})"), 9))
    }

    /// An integer that fits into a range, most of the time.
    pub fn ranged(&mut self, lo: i64, hi: i64, depth: u32) -> Option<Text> {
        let ty = Ty::Range(lo, hi);
        if depth == 0 || self.rng.chance(30) {
            return match self.rng.chance(60) {
                true => self.place(Some(&ty), false, depth.saturating_sub(1)).map(|(text, _)| (text, 9)),
                false => None,
            }
            .or_else(|| Some(self.literal(lo, hi)));
        }
        if ty.is_wide() {
            self.note("wide_range");
            let call = if self.rng.chance(20) { self.call(&ty, depth - 1) } else { None };
            return call.or_else(|| Some(self.literal(lo, hi)));
        }
        if self.rng.chance(4)
            && let Some(chosen) = self.chosen(&ty, depth - 1)
        {
            return Some(chosen);
        }
        let less = depth - 1;
        let span = hi - lo + 1;
        match self.rng.below(10) {
            0..2 => Some((format!("max({lo}, min({hi}, {}))", self.integer(less)?.0), 9)),
            2..4 => {
                let value = wrap(self.integer(less)?, 7);
                Some(match lo {
                    0 => (format!("{value} % {span}"), 7),
                    _ => (
                        format!(
                            "{value} % {span} + {}",
                            wrap((lo.to_string(), if lo < 0 { 1 } else { 9 }), 7)
                        ),
                        6,
                    ),
                })
            }
            4 => self.branches(&ty, depth),
            5 => self.call(&ty, less).or_else(|| Some(self.literal(lo, hi))),
            6..9 => {
                // One more, or around to the start.
                let Some((x, _)) = self.place(Some(&ty), false, less) else {
                    return Some(self.literal(lo, hi));
                };
                self.note("count_up");
                Some((format!("if {x} < {hi} {{ {x} + 1 }} else {{ {lo} }}"), 8))
            }
            _ if self.risky() => {
                let (x, _) = self.place(Some(&Ty::Int), false, less)?;
                self.note("unchecked_store");
                Some((format!("{x} {} {}", self.rng.pick(&["+", "-"]), wrap(self.integer(less)?, 7)), 6))
            }
            _ => Some(self.literal(lo, hi)),
        }
    }

    fn literal(&mut self, lo: i64, hi: i64) -> Text {
        let value = match Ty::Range(lo, hi).is_wide() {
            true => *self.rng.pick(&[lo, hi, lo + (hi - lo) / 3]),
            false => self.rng.between(lo, hi),
        };
        (value.to_string(), if value < 0 { 8 } else { 9 })
    }
}
