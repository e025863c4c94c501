//! Random expressions of a wanted type.

use super::scope::Generator;
use super::types::Ty;

/// The text of an expression and how tightly it binds: 1 for `<->` to 9 for what can be followed by `.f`.
pub(super) type Text = (String, u8);

/// In parentheses unless it binds at least so tightly.
pub(super) fn wrap((text, level): Text, least: u8) -> String {
    if level >= least { text } else { format!("({text})") }
}

fn atom(text: impl Into<String>) -> Text {
    (text.into(), 9)
}

impl Generator {
    /// An expression where a value of the type is stored. `None` if nothing of the type can be had here.
    pub fn value(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        match ty {
            Ty::Bool => return self.boolean(depth),
            Ty::Int => return self.integer(depth),
            Ty::Range(lo, hi) => return self.ranged(*lo, *hi, depth),
            _ => {}
        }
        if depth > 0 {
            match self.rng.below(100) {
                0..4 => return self.branches(ty, depth),
                4..8 => return self.match_expr(ty, depth),
                8..10 => {
                    if let Some(chosen) = self.chosen(ty, depth - 1) {
                        return Some(chosen);
                    }
                }
                10..18 => {
                    if let Some(call) = self.call(ty, depth) {
                        return Some(call);
                    }
                }
                _ => {}
            }
        }
        let plain = if matches!(ty, Ty::Sort(_)) { 80 } else { 45 };
        if self.rng.chance(plain)
            && let Some((text, _)) = self.place(Some(ty), false, depth.saturating_sub(1))
        {
            return Some(atom(text));
        }
        self.made(ty, depth)
    }

    /// A value of a type that is neither a truth value nor an integer, from its parts.
    fn made(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        let less = depth.saturating_sub(1);
        match ty {
            Ty::Enum(i) => Some(self.enum_constant(*i)),
            Ty::Sort(i) => self.element(*i, depth),
            Ty::Record(i) => self.record(*i, less),
            Ty::Union(i) => self.case_value(*i, less),
            Ty::Option(inner) => match self.rng.chance(40) {
                true => {
                    self.note("none");
                    Some(atom("none"))
                }
                false => self.value(inner, less).or_else(|| Some(atom("none"))),
            },
            Ty::Array(index, element) => self.array(index, element, less),
            Ty::Set(element) => self.set(element, depth),
            Ty::Queue(..) if depth > 0 && self.risky() => self.part_of_queue(ty, less),
            Ty::Bag(..) if depth > 0 && self.risky() => {
                self.note("bag.joined");
                let (a, b) = (self.place(Some(ty), false, less)?.0, self.value(ty, less)?);
                Some((format!("{a} + {}", wrap(b, 7)), 6))
            }
            Ty::Queue(..) => {
                self.note("queue.empty_literal");
                Some(atom("[]"))
            }
            Ty::Bag(..) => {
                self.note("bag.empty_literal");
                Some(atom("{}"))
            }
            Ty::Int | Ty::Bool | Ty::Range(..) => unreachable!("made elsewhere"),
        }
    }

    /// Two queues together, or a part of one: both may fault.
    fn part_of_queue(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        let queue = self.place(Some(ty), false, depth)?.0;
        if self.rng.chance(50) {
            self.note("queue.joined");
            let other = wrap(self.value(ty, depth)?, 7);
            return Some((format!("{queue} + {other}"), 6));
        }
        self.note("queue.slice");
        let (from, to) = (wrap(self.integer(depth)?, 6), wrap(self.integer(depth)?, 6));
        Some(atom(format!("{queue}[{from}..{to}]")))
    }

    fn enum_constant(&mut self, i: usize) -> Text {
        let (name, constants) = (self.types.enums[i].name.clone(), self.types.enums[i].constants.clone());
        let constant = self.rng.pick(&constants).clone();
        let shared = self.types.enums.iter().filter(|e| e.constants.contains(&constant)).count() > 1;
        if shared || self.rng.chance(15) {
            self.note("enum.qualified");
            return atom(format!("{name}.{constant}"));
        }
        self.note("enum.constant");
        atom(constant)
    }

    fn element(&mut self, i: usize, depth: u32) -> Option<Text> {
        let sort = self.types.sorts[i].clone();
        let known =
            |generator: &mut Self| generator.place(Some(&Ty::Sort(i)), false, depth.saturating_sub(1));
        if sort.ring
            && depth > 0
            && self.rng.chance(50)
            && let Some((base, _)) = known(self)
        {
            return Some(match self.rng.below(4) {
                0 => {
                    self.note("ring.next");
                    atom(format!("next({base})"))
                }
                1 => {
                    self.note("ring.prev");
                    atom(format!("prev({base})"))
                }
                _ => {
                    self.note("ring.rotate");
                    let steps = wrap(self.integer(depth - 1)?, 7);
                    (format!("{base} {} {steps}", self.rng.pick(&["+", "-"])), 6)
                }
            });
        }
        if self.symmetric() {
            return known(self).map(|(text, _)| atom(text));
        }
        let last = i64::from(sort.size) - 1;
        if depth > 0 && self.rng.chance(25) {
            self.note("sort.computed");
            let number = match self.risky() {
                true => self.place(Some(&Ty::Int), false, depth - 1)?.0,
                false => self.ranged(0, last, depth - 1)?.0,
            };
            return Some(atom(format!("{}#({number})", sort.name)));
        }
        self.note("sort.literal");
        Some(atom(format!("{}#{}", sort.name, self.rng.between(0, last))))
    }

    fn record(&mut self, i: usize, depth: u32) -> Option<Text> {
        let record = self.types.records[i].clone();
        let mut fields = Vec::new();
        for (name, ty) in &record.fields {
            fields.push((name.clone(), self.value(ty, depth)?.0));
        }
        if self.rng.chance(40) {
            self.note("record.named");
            let turn = self.rng.below(fields.len());
            fields.rotate_left(turn);
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            return Some(atom(format!("{}({})", record.name, fields.join(", "))));
        }
        self.note("record.ordered");
        let fields: Vec<String> = fields.into_iter().map(|(_, value)| value).collect();
        Some(atom(format!("{}({})", record.name, fields.join(", "))))
    }

    fn array(&mut self, index: &Ty, element: &Ty, depth: u32) -> Option<Text> {
        let size = self.types.values(index);
        let positional = size <= 4.0 && !(self.symmetric() && self.types.has_sort(index));
        if positional && self.rng.chance(40) {
            self.note("array.literal");
            let elements: Option<Vec<String>> =
                (0..size as usize).map(|_| Some(self.value(element, depth)?.0)).collect();
            return Some(atom(format!("[{}]", elements?.join(", "))));
        }
        let name = self.name();
        let over = self.types.text(index, &mut self.rng);
        let body = self.scoped(|generator| {
            generator.bind(&name, index, false);
            generator.value(element, depth)
        })?;
        self.note("array.of");
        Some(atom(format!("[{name}: {over} => {}]", body.0)))
    }

    fn set(&mut self, element: &Ty, depth: u32) -> Option<Text> {
        let ty = Ty::Set(Box::new(element.clone()));
        let less = depth.saturating_sub(1);
        match if depth == 0 { self.rng.below(3) } else { self.rng.below(10) } {
            0 => {
                self.note("set.empty");
                Some(atom("{}"))
            }
            1 | 2 => {
                self.note("set.literal");
                let count = self.rng.between(1, 3);
                let elements: Option<Vec<String>> =
                    (0..count).map(|_| Some(self.value(element, less)?.0)).collect();
                Some(atom(format!("{{{}}}", elements?.join(", "))))
            }
            3 if self.rng.chance(40) => self.all_values(element),
            3..6 if self.rng.chance(30) => self.set_map(element, less),
            3..6 => self.comprehension(element, less),
            _ => {
                let (op, note, level) = *self.rng.pick(&[
                    ("|", "set.union", 6),
                    ("\\", "set.difference", 6),
                    ("&", "set.intersection", 7),
                ]);
                // One side knows its type.
                let left = match self.place(Some(&ty), false, less) {
                    Some((text, _)) => atom(text),
                    None => self.comprehension(element, less)?,
                };
                let right = self.value(&ty, less)?;
                self.note(note);
                Some((format!("{} {op} {}", wrap(left, level), wrap(right, level + 1)), level))
            }
        }
    }

    /// `choose x: T where e`, `choose x in s where e`
    pub fn chosen(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        // It would break the symmetry that is looked for.
        let broken = self.symmetric() && self.types.has_sort(ty) && !self.rng.chance(10);
        if broken || matches!(ty, Ty::Option(_) | Ty::Int) {
            return None;
        }
        let source = if self.rng.chance(50) { self.collection_of(Some(ty), depth) } else { None };
        let over_type = self.types.numbered(ty) && self.types.values(ty) <= 8.0;
        if source.is_none() && !over_type {
            return None;
        }
        let name = self.name();
        let filter = self.scoped(|generator| {
            generator.bind(&name, ty, false);
            generator.boolean(depth)
        })?;
        // Often something passes.
        let filter = match (self.rng.below(4), source.is_none()) {
            (0, _) => String::new(),
            (1, true) => format!(" where {} || true", wrap(filter, 4)),
            _ => format!(" where {}", filter.0),
        };
        Some(atom(match source {
            Some((source, _)) => {
                self.note("choose.in");
                format!("(choose {name} in {source}{filter})")
            }
            None => {
                self.note("choose.of");
                format!("(choose {name}: {}{filter})", self.types.text(ty, &mut self.rng))
            }
        }))
    }

    /// `S.all`
    fn all_values(&mut self, element: &Ty) -> Option<Text> {
        if !matches!(element, Ty::Enum(_) | Ty::Sort(_) | Ty::Record(_) | Ty::Union(_)) {
            return None;
        }
        self.note("set.all");
        Some(atom(format!("{}.all", self.types.text(element, &mut self.rng))))
    }

    /// `{f(x): x in s where e}`
    fn set_map(&mut self, element: &Ty, depth: u32) -> Option<Text> {
        // Others do not know their types, or have too many values.
        let known = matches!(element, Ty::Bool | Ty::Enum(_) | Ty::Sort(_) | Ty::Union(_));
        if !known || self.types.values(element) > 8.0 {
            return None;
        }
        let source = if self.rng.chance(60) { self.collection_of(None, depth) } else { None };
        let (binder, ty) = match source {
            Some((source, ty)) => (format!("in {source}"), ty),
            None => {
                let ty = self.types.random(&mut self.rng, 4.0, true, 1);
                (format!(": {}", self.types.text(&ty, &mut self.rng)), ty)
            }
        };
        self.fresh += 1;
        let name = format!("e_{}", self.fresh);
        let (value, filter) = self.scoped(|generator| {
            generator.bind(&name, &ty, false);
            let filter = if generator.rng.chance(30) { generator.boolean(depth) } else { None };
            (generator.place(Some(element), false, depth).map(|(text, _)| text), filter)
        });
        // A plain name before the colon would be one that is bound.
        let value = value.filter(|text| !text.chars().all(|c| c.is_alphanumeric() || c == '_'))?;
        self.note("set.map");
        let filter = filter.map_or(String::new(), |(text, _)| format!(" where {text}"));
        let space = if binder.starts_with(':') { "" } else { " " };
        Some(atom(format!("{{{value}: {name}{space}{binder}{filter}}}")))
    }

    /// `{x: T where e}` or `{x in s where e}`
    fn comprehension(&mut self, element: &Ty, depth: u32) -> Option<Text> {
        let source = if self.rng.chance(30) { self.collection_of(Some(element), depth) } else { None };
        let name = self.name();
        let filter = self.scoped(|generator| {
            generator.bind(&name, element, false);
            generator.boolean(depth)
        })?;
        Some(atom(match source {
            Some((source, _)) => {
                self.note("set.filter");
                format!("{{{name} in {source} where {}}}", filter.0)
            }
            None => {
                self.note("set.of");
                let over = self.types.text(element, &mut self.rng);
                format!("{{{name}: {over} where {}}}", filter.0)
            }
        }))
    }

    /// A set, queue or bag that knows its type, with the type of its elements.
    pub fn collection_of(&mut self, element: Option<&Ty>, depth: u32) -> Option<(String, Ty)> {
        let (text, ty) = self.collection(element, false, depth)?;
        Some((text, ty.element()?.clone()))
    }

    /// A set, queue or bag that knows its type, with that type.
    pub fn collection(&mut self, element: Option<&Ty>, assigned: bool, depth: u32) -> Option<(String, Ty)> {
        (0..6).find_map(|_| {
            let (text, ty) = self.place(None, assigned, depth.min(1))?;
            let inner = ty.element()?;
            element.is_none_or(|element| element == inner).then_some((text, ty))
        })
    }

    /// `if c { a } else { b }`, perhaps with a `let`
    pub fn branches(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        self.note("expr.if");
        let condition = self.boolean(depth - 1)?.0;
        let mut sides = Vec::new();
        for _ in 0..2 {
            sides.push(self.body(ty, depth - 1)?);
        }
        let otherwise = match self.rng.chance(20) {
            true => {
                self.note("expr.else_if");
                let condition = self.boolean(depth - 1)?.0;
                let third = self.body(ty, depth - 1)?;
                format!("if {condition} {{ {} }} else {{ {third} }}", sides[1])
            }
            false => format!("{{ {} }}", sides[1]),
        };
        Some((format!("if {condition} {{ {} }} else {otherwise}", sides[0]), 8))
    }

    /// An expression that may start with `let`s.
    pub fn body(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        if depth == 0 || self.rng.chance(75) {
            return Some(self.value(ty, depth)?.0);
        }
        let bound = self.types.random(&mut self.rng, 20.0, false, 1);
        let value = self.value(&bound, depth - 1)?.0;
        let name = self.name();
        // Without a type some values do not know what they are.
        let annotated = !matches!(bound, Ty::Bool | Ty::Range(..)) || self.rng.chance(40);
        let (bound, over) = match annotated {
            true => (bound.clone(), format!(": {}", self.types.text(&bound, &mut self.rng))),
            false => (if bound == Ty::Bool { bound } else { Ty::Int }, String::new()),
        };
        self.note("expr.let");
        let rest = self.scoped(|generator| {
            generator.bind(&name, &bound, false);
            generator.body(ty, depth - 1)
        })?;
        Some(format!("let {name}{over} = {value}; {rest}"))
    }

    /// A call of a function with this result, or of one whose result has a field or element of this type.
    pub fn call(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        let readers = self.at.readers;
        let usable: Vec<_> =
            self.functions.iter().filter(|f| f.result == *ty && (readers || !f.reads)).cloned().collect();
        if usable.is_empty() {
            return None;
        }
        let function = self.rng.pick(&usable).clone();
        let mut args = Vec::new();
        for param in &function.params {
            args.push(self.value(param, depth.saturating_sub(1))?.0);
        }
        self.note("call");
        Some(atom(format!("{}({})", function.name, args.join(", "))))
    }
}
