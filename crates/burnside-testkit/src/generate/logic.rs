//! Random conditions, and what quantifiers bind.

use super::expr::{Text, wrap};
use super::scope::Generator;
use super::types::Ty;

impl Generator {
    /// A condition.
    pub fn boolean(&mut self, depth: u32) -> Option<Text> {
        for _ in 0..10 {
            let found = if depth == 0 { self.simple_condition() } else { self.condition(depth) };
            if found.is_some() {
                return found;
            }
        }
        Some((self.rng.pick(&["true", "false"]).to_string(), 9))
    }

    fn simple_condition(&mut self) -> Option<Text> {
        match self.rng.below(10) {
            0..3 => Some((self.place(Some(&Ty::Bool), false, 0)?.0, 9)),
            3 => self.location(),
            4 if self.rng.chance(30) => Some((self.rng.pick(&["true", "false"]).to_string(), 9)),
            5 if !self.truths.is_empty() => {
                self.note("const.bool");
                Some((self.rng.pick(&self.truths).clone(), 9))
            }
            _ => self.comparison(0),
        }
    }

    fn condition(&mut self, depth: u32) -> Option<Text> {
        let less = depth - 1;
        match self.rng.below(100) {
            0..12 => self.simple_condition(),
            12..18 => {
                self.note("not");
                Some((format!("!{}", wrap(self.boolean(less)?, 8)), 8))
            }
            18..36 => self.connective(less),
            36..55 => self.comparison(depth),
            55..58 => self.is_case(less),
            58..64 => self.membership(less),
            64..68 => self.collection_test(less),
            68..78 => self.quantified(less),
            78..84 => self.guarded(less),
            84..88 => self.location(),
            88..91 => self.branches(&Ty::Bool, depth),
            91..96 => self.call(&Ty::Bool, less),
            _ if self.at.property || self.at.guard => self.enabled(less),
            _ => self.subset(less),
        }
    }

    fn connective(&mut self, depth: u32) -> Option<Text> {
        let (op, level, note) = *self.rng.pick(&[
            ("&&", 4, "and"),
            ("&&", 4, "and"),
            ("||", 3, "or"),
            ("||", 3, "or"),
            ("->", 2, "implies"),
            ("<->", 1, "iff"),
        ]);
        let (a, b) = (self.boolean(depth)?, self.boolean(depth)?);
        self.note(note);
        // Both sides one tighter: whatever the associativity.
        Some((format!("{} {op} {}", wrap(a, level + 1), wrap(b, level + 1)), level))
    }

    /// Equality on any type; order on integers, and where it is allowed on enums and sorts.
    fn comparison(&mut self, depth: u32) -> Option<Text> {
        let less = depth.saturating_sub(1);
        if self.rng.chance(35) {
            let known = if self.rng.chance(75) { self.place(Some(&Ty::Int), false, less) } else { None };
            let a = match known {
                Some((text, _)) => (text, 9),
                None => self.integer(less)?,
            };
            let b = self.integer(less)?;
            let op = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
            self.note("compare.int");
            return Some((format!("{} {op} {}", wrap(a, 6), wrap(b, 6)), 5));
        }
        let (left, ty) = self.place(None, false, less)?;
        let ordered = match ty {
            Ty::Enum(_) => self.rng.chance(25),
            Ty::Sort(_) => !self.symmetric() && self.rng.chance(25),
            _ => false,
        };
        let op = if ordered {
            self.note("compare.order");
            *self.rng.pick(&["<", "<=", ">", ">="])
        } else {
            *self.rng.pick(&["==", "!="])
        };
        self.note(match ty {
            Ty::Bool => "equal.bool",
            Ty::Int | Ty::Range(..) => "equal.int",
            Ty::Enum(_) => "equal.enum",
            Ty::Sort(_) => "equal.sort",
            Ty::Record(_) => "equal.record",
            Ty::Union(_) => "equal.union",
            Ty::Option(_) => "equal.option",
            Ty::Array(..) => "equal.array",
            Ty::Set(_) => "equal.set",
            Ty::Queue(..) => "equal.queue",
            Ty::Bag(..) => "equal.bag",
        });
        let right = match ty {
            Ty::Int | Ty::Range(..) => self.integer(less)?,
            // An integer that an optional range cannot hold is merely different.
            Ty::Option(ref inner) if matches!(**inner, Ty::Range(..)) && self.rng.chance(40) => {
                self.integer(less)?
            }
            ref ty => self.value(ty, less)?,
        };
        Some((format!("{left} {op} {}", wrap(right, 6)), 5))
    }

    fn membership(&mut self, depth: u32) -> Option<Text> {
        let (source, element) = self.collection_of(None, depth)?;
        let value = match element {
            Ty::Range(..) if self.rng.chance(50) => self.integer(depth)?,
            ref element => self.value(element, depth)?,
        };
        if matches!(element, Ty::Range(..) | Ty::Enum(_)) && self.rng.chance(25) {
            // StepFilter some values that are listed.
            self.note("in.listed");
            let (x, ty) = self.place(Some(&element), false, depth)?;
            let listed: Option<Vec<String>> = (0..2).map(|_| Some(self.value(&ty, depth)?.0)).collect();
            return Some((format!("{x} in {{{}}}", listed?.join(", ")), 5));
        }
        let word = *self.rng.pick(&["in", "in", "not in"]);
        self.note(if word == "in" { "in" } else { "not_in" });
        Some((format!("{} {word} {source}", wrap(value, 6)), 5))
    }

    fn subset(&mut self, depth: u32) -> Option<Text> {
        let (left, ty) = self.place(None, false, depth)?;
        if !matches!(ty, Ty::Set(_)) {
            return None;
        }
        let right = self.value(&ty, depth)?;
        self.note("subset");
        Some((format!("{left} subset {}", wrap(right, 6)), 5))
    }

    fn collection_test(&mut self, depth: u32) -> Option<Text> {
        let (text, ty) = self.place(None, false, depth)?;
        let test = match ty {
            Ty::Set(_) => *self.rng.pick(&["empty", "majority"]),
            Ty::Queue(..) | Ty::Bag(..) => *self.rng.pick(&["empty", "full"]),
            _ => return None,
        };
        self.note(test);
        Some((format!("{text}.{test}()"), 9))
    }

    /// `x != none && … x! …` and the like: no fault.
    fn guarded(&mut self, depth: u32) -> Option<Text> {
        let (text, ty) = self.place(None, false, depth)?;
        let (guard, part, inner) = match ty {
            Ty::Option(inner) => (format!("{text} != none"), format!("{text}!"), *inner),
            Ty::Queue(_, inner) => {
                let end = *self.rng.pick(&["front()", "back()"]);
                (format!("!{text}.empty()"), format!("{text}.{end}"), *inner)
            }
            _ => return None,
        };
        let test = match inner {
            Ty::Bool => part,
            Ty::Range(..) => {
                format!("{part} {} {}", self.rng.pick(&["==", "<", ">="]), wrap(self.integer(depth)?, 6))
            }
            ref inner => format!("{part} == {}", wrap(self.value(inner, depth)?, 6)),
        };
        self.note("guarded");
        Some(match self.rng.chance(60) {
            true => (format!("{guard} && {test}"), 4),
            false => (format!("({guard}) -> {test}"), 2),
        })
    }

    fn location(&mut self) -> Option<Text> {
        let with: Vec<usize> =
            (0..self.processes.len()).filter(|&p| !self.processes[p].locations.is_empty()).collect();
        // Locations are variables: they have no value yet in initial values, and functions that ask for them
        // read.
        if with.is_empty() || !self.at.readers {
            return None;
        }
        let p = *self.rng.pick(&with);
        let process = self.processes[p].clone();
        let location = self.rng.pick(&process.locations).clone();
        if self.at.process == Some(p) && self.rng.chance(40) {
            self.note("at.own");
            return Some((format!("@{location}"), 9));
        }
        let indices: Option<Vec<String>> =
            process.indices.iter().map(|(_, ty)| Some(self.value(ty, 0)?.0)).collect();
        let indices = indices?;
        let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        self.note("at.process");
        Some((format!("{}{indices}@{location}", process.name), 9))
    }

    fn enabled(&mut self, depth: u32) -> Option<Text> {
        if self.rules.is_empty() {
            return None;
        }
        let rule = self.rng.pick(&self.rules).clone();
        let process = self.processes[rule.process].clone();
        let indices: Option<Vec<String>> =
            process.indices.iter().map(|(_, ty)| Some(self.value(ty, depth)?.0)).collect();
        let member = match indices {
            Some(indices) if !indices.is_empty() && self.rng.chance(70) => {
                format!("{}[{}]", process.name, indices.join(", "))
            }
            _ => process.name.clone(),
        };
        let args: Option<Vec<String>> = rule.params.iter().map(|ty| Some(self.value(ty, depth)?.0)).collect();
        self.note(if self.at.guard { "enabled.in_guard" } else { "enabled" });
        Some((
            match (self.rng.below(4), args) {
                // In a guard that would ask for the rule itself.
                (0, _) if !self.at.guard => format!("enabled({member})"),
                (1, _) => format!("enabled({})", rule.name),
                (2, Some(args)) if !args.is_empty() => {
                    format!("enabled({member}.{}({}))", rule.name, args.join(", "))
                }
                _ => format!("enabled({member}.{})", rule.name),
            },
            9,
        ))
    }

    /// Binders with their names bound from here on; callers are scoped.
    pub fn binders(&mut self, depth: u32, most: f64) -> Option<String> {
        let mut parts = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut size = 1.0;
        for _ in 0..if self.rng.chance(70) { 1 } else { 2 } {
            if self.rng.chance(25)
                && let Some((source, ty)) = self.collection(None, false, depth)
            {
                let name = self.another_name(&names);
                self.bind(&name, ty.element()?, false);
                names.push(name.clone());
                self.note(match ty {
                    Ty::Queue(..) => "binder.queue",
                    Ty::Bag(..) => "binder.bag",
                    _ => "binder.collection",
                });
                parts.push(format!("{name} in {source}"));
                continue;
            }
            let ty = self.types.random(&mut self.rng, 9.0, true, 1);
            let count = if self.rng.chance(20) { 2 } else { 1 };
            let count = if size * self.types.values(&ty).powi(count) > most { 1 } else { count };
            size *= self.types.values(&ty).powi(count);
            if size > most && !parts.is_empty() {
                break;
            }
            let over = self.types.text(&ty, &mut self.rng);
            let before = names.len();
            for _ in 0..count {
                let name = self.another_name(&names);
                names.push(name);
            }
            names[before..].iter().for_each(|name| self.bind(name, &ty, false));
            self.note("binder.type");
            parts.push(format!("{}: {over}", names[before..].join(", ")));
        }
        Some(parts.join(", "))
    }

    /// A name that is not among these.
    fn another_name(&mut self, taken: &[String]) -> String {
        loop {
            let name = self.name();
            if !taken.contains(&name) {
                return name;
            }
        }
    }

    fn quantified(&mut self, depth: u32) -> Option<Text> {
        let (word, note) = *self.rng.pick(&[("forall", "forall"), ("exists", "exists")]);
        self.note(note);
        self.quantifier(word, &Ty::Bool, depth)
    }

    /// `word binders where filter { body }`
    pub fn quantifier(&mut self, word: &str, body: &Ty, depth: u32) -> Option<Text> {
        self.scoped(|generator| {
            let binders = generator.binders(depth, 16.0)?;
            let filter = if generator.rng.chance(25) {
                generator.note("where");
                format!(" where {}", generator.boolean(depth)?.0)
            } else {
                String::new()
            };
            let body = generator.body(body, depth)?;
            Some((format!("{word} {binders}{filter} {{ {body} }}"), 8))
        })
    }
}
