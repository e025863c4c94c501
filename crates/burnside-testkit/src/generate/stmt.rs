//! Random statements.

use super::expr::wrap;
use super::scope::Generator;
use super::types::Ty;

impl Generator {
    /// Statements of a block, one per line.
    pub fn block(&mut self, depth: u32, indent: usize) -> String {
        let one = self.at.looping && self.symmetric();
        let count = if one { 1 } else { self.rng.between(1, if depth > 1 { 3 } else { 2 }) };
        self.scoped(|generator| {
            let mut lines = Vec::new();
            for _ in 0..count {
                for _ in 0..5 {
                    if let Some(statement) = generator.statement(depth, indent) {
                        lines.push(format!("{}{statement}", "    ".repeat(indent)));
                        break;
                    }
                }
            }
            lines.join("\n")
        })
    }

    fn statement(&mut self, depth: u32, indent: usize) -> Option<String> {
        let close = "    ".repeat(indent);
        if self.at.looping && self.symmetric() {
            return self.assignment(depth);
        }
        match self.rng.below(100) {
            0..34 => self.assignment(depth),
            34..58 => self.change(depth),
            58..61 if depth > 0 => self.match_stmt(depth, indent),
            61..68 if depth > 0 => {
                self.note("stmt.if");
                let condition = self.boolean(depth - 1)?.0;
                let then = self.block(depth - 1, indent + 1);
                let otherwise = match self.rng.below(4) {
                    0 => {
                        let condition = self.boolean(depth - 1)?.0;
                        let third = self.block(depth - 1, indent + 1);
                        self.note("stmt.else_if");
                        format!(" else if {condition} {{\n{third}\n{close}}}")
                    }
                    1 => {
                        let other = self.block(depth - 1, indent + 1);
                        self.note("stmt.else");
                        format!(" else {{\n{other}\n{close}}}")
                    }
                    _ => String::new(),
                };
                Some(format!("if {condition} {{\n{then}\n{close}}}{otherwise}"))
            }
            68..75 if depth > 0 => self.repeat(depth, indent),
            75..78 => self.copy(depth),
            78..84 => self.declare(depth),
            84..88 => {
                let condition = match self.risky() {
                    true => self.boolean(depth.min(1))?.0,
                    false => format!("{} || true", wrap(self.boolean(depth.min(1))?, 4)),
                };
                self.note("assert");
                let message = if self.rng.chance(40) { ", \"as it should be\"" } else { "" };
                Some(format!("assert {condition}{message};"))
            }
            88..94 => self.go(),
            _ => self.assignment(depth),
        }
    }

    fn go(&mut self) -> Option<String> {
        let process = self.at.process?;
        let locations = self.processes[process].locations.clone();
        if locations.is_empty() {
            return None;
        }
        self.note("goto");
        Some(format!("goto {};", self.rng.pick(&locations)))
    }

    fn assignment(&mut self, depth: u32) -> Option<String> {
        let (target, ty) = self.place(None, true, depth.min(1))?;
        if self.at.looping && self.symmetric() {
            return self.loop_assignment(&target, &ty);
        }
        let value = match (&ty, self.rng.chance(35)) {
            (Ty::Bool, true) => format!("!{target}"),
            (Ty::Range(..), true) if ty.is_wide() => self.assigned(&ty, depth)?,
            (Ty::Range(..), true) if self.risky() => format!("{target} + 1"),
            (Ty::Range(lo, hi), true) => format!("if {target} < {hi} {{ {target} + 1 }} else {{ {lo} }}"),
            _ => self.assigned(&ty, depth)?,
        };
        self.note(match ty {
            Ty::Int | Ty::Bool | Ty::Range(..) | Ty::Enum(_) | Ty::Sort(_) => "assign.scalar",
            Ty::Record(_) => "assign.record",
            Ty::Union(_) => "assign.union",
            Ty::Option(_) => "assign.option",
            Ty::Array(..) => "assign.array",
            Ty::Set(_) => "assign.set",
            Ty::Queue(..) => "assign.queue",
            Ty::Bag(..) => "assign.bag",
        });
        Some(format!("{target} = {value};"))
    }

    /// The steps of a loop over a symmetric type must not see each other: constants, or sums and unions,
    /// whose order does not matter unless the checker says that it does.
    fn loop_assignment(&mut self, target: &str, ty: &Ty) -> Option<String> {
        let value = match ty {
            Ty::Range(..) if self.rng.chance(30) => {
                self.note("loop.sum");
                let by = self.integer(1)?;
                format!("{target} {} {}", self.rng.pick(&["+", "+", "-"]), wrap(by, 7))
            }
            Ty::Set(element) if self.rng.chance(60) => {
                self.note("loop.union");
                let value = self.value(element, 1)?.0;
                format!("{target} {} {{{value}}}", self.rng.pick(&["|", "|", "\\"]))
            }
            Ty::Bool => "true".to_string(),
            Ty::Range(_, hi) => hi.to_string(),
            Ty::Option(_) => "none".to_string(),
            Ty::Set(_) | Ty::Bag(..) => "{}".to_string(),
            Ty::Queue(..) => "[]".to_string(),
            _ => return None,
        };
        self.note("assign.in_loop");
        Some(format!("{target} = {value};"))
    }

    /// What is assigned: an expression, `any`, or `any in` a collection.
    fn assigned(&mut self, ty: &Ty, depth: u32) -> Option<String> {
        if self.choices > 0 && !self.at.looping && self.rng.chance(15) {
            if self.types.numbered(ty) && self.types.values(ty) <= 6.0 && self.rng.chance(60) {
                self.choices -= 1;
                self.note("any");
                return Some("any".to_string());
            }
            let inner = match ty {
                Ty::Option(inner) if self.rng.chance(40) => inner,
                ty => ty,
            };
            if let Some(source) = self.choosable(inner, depth) {
                self.choices -= 1;
                self.note(if inner == ty { "any_in" } else { "any_in.option" });
                return Some(format!("any in {source}"));
            }
        }
        Some(self.value(ty, depth)?.0)
    }

    /// A collection that is surely not empty, or at a risk any.
    fn choosable(&mut self, element: &Ty, depth: u32) -> Option<String> {
        if self.risky() {
            return Some(self.collection_of(Some(element), depth)?.0);
        }
        if !self.types.numbered(element) || self.types.values(element) > 8.0 {
            return None;
        }
        let over = self.types.text(element, &mut self.rng);
        let name = self.name();
        Some(format!("{{{name}: {over} where true}}"))
    }

    /// `push`, `pop`, `add`, `remove`, `clear`
    fn change(&mut self, depth: u32) -> Option<String> {
        let (target, ty) = (0..6).find_map(|_| {
            let found = self.place(None, true, depth.min(1))?;
            matches!(found.1, Ty::Set(_) | Ty::Queue(..) | Ty::Bag(..)).then_some(found)
        })?;
        let guard = !self.risky();
        match ty {
            Ty::Queue(_, element) => match self.rng.below(13) {
                12 => {
                    let at = self.integer(depth)?.0;
                    self.note("queue.remove");
                    self.fresh += 1;
                    let name = format!("y{}", self.fresh);
                    Some(match guard {
                        true => format!(
                            "if true {{ let {name} = {at}; if 0 <= {name} && {name} < {target}.size() {{ {target}.remove({name}); }} }}"
                        ),
                        false => format!("{target}.remove({at});"),
                    })
                }
                11 => {
                    let (at, value) = (self.integer(depth)?.0, self.value(&element, depth)?.0);
                    self.note("queue.insert");
                    self.fresh += 1;
                    let name = format!("y{}", self.fresh);
                    Some(match guard {
                        true => format!(
                            "if true {{ let {name} = {at}; if 0 <= {name} && {name} <= {target}.size() && !{target}.full() {{ {target}.insert({name}, {value}); }} }}"
                        ),
                        false => format!("{target}.insert({at}, {value});"),
                    })
                }
                10 => {
                    self.note("queue.take");
                    self.fresh += 1;
                    let name = format!("y{}", self.fresh);
                    let over = self.types.text(&element, &mut self.rng);
                    let text = format!("let {name}: {over} = {target}.pop(); assert {name} == {name};");
                    Some(match guard {
                        true => format!("if !{target}.empty() {{ {text} }}"),
                        false => format!("if true {{ {text} }}"),
                    })
                }
                0..4 => {
                    let value = self.value(&element, depth)?.0;
                    self.note("push");
                    Some(match guard {
                        true => format!("if !{target}.full() {{ {target}.push({value}); }}"),
                        false => format!("{target}.push({value});"),
                    })
                }
                4..7 => {
                    self.note("pop");
                    Some(match guard {
                        true => format!("if !{target}.empty() {{ {target}.pop(); }}"),
                        false => format!("{target}.pop();"),
                    })
                }
                _ => {
                    self.note("clear");
                    Some(format!("{target}.clear();"))
                }
            },
            Ty::Bag(_, element) => match self.rng.below(8) {
                0..4 => {
                    let value = self.value(&element, depth)?.0;
                    self.note("bag.add");
                    Some(match guard {
                        true => format!("if !{target}.full() {{ {target}.add({value}); }}"),
                        false => format!("{target}.add({value});"),
                    })
                }
                4..7 => {
                    let value = self.value(&element, depth)?.0;
                    self.note("bag.remove");
                    Some(match guard {
                        true => {
                            self.fresh += 1;
                            let (name, over) =
                                (format!("y{}", self.fresh), self.types.text(&element, &mut self.rng));
                            format!(
                                "if true {{ let {name}: {over} = {value}; if {name} in {target} {{ {target}.remove({name}); }} }}"
                            )
                        }
                        false => format!("{target}.remove({value});"),
                    })
                }
                _ => {
                    self.note("clear");
                    Some(format!("{target}.clear();"))
                }
            },
            Ty::Set(element) => {
                let value = self.value(&element, depth)?.0;
                let (word, note) = *self.rng.pick(&[
                    ("add", "set.add"),
                    ("add", "set.add"),
                    ("remove", "set.remove"),
                    ("clear", "clear"),
                ]);
                self.note(note);
                Some(if word == "clear" {
                    format!("{target}.clear();")
                } else {
                    format!("{target}.{word}({value});")
                })
            }
            _ => None,
        }
    }

    /// A loop that puts what is in one collection into another, element by element and as often as it is
    /// there.
    fn copy(&mut self, depth: u32) -> Option<String> {
        let (source, from) = self.collection(None, false, depth)?;
        let element = from.element()?.clone();
        let (target, to) = self.collection(Some(&element), true, depth)?;
        let broken = self.symmetric() && self.types.has_sort(&element);
        let ordered = matches!(from, Ty::Queue(..)) || self.types.simple(&element) && !broken;
        // One that hides nothing: the target is named inside the loop.
        self.fresh += 1;
        let name = format!("y{}", self.fresh);
        let copied = |word: &str| format!("for {name} in {source} {{ {target}.{word}({name}); }}");
        let room = |most: u32, word: &str| {
            format!("if {source}.size() + {target}.size() <= {most} {{ {} }}", copied(word))
        };
        let text = match to {
            Ty::Queue(most, _) if ordered => room(most, "push"),
            Ty::Bag(most, _) => room(most, "add"),
            Ty::Set(_) => copied("add"),
            _ => return None,
        };
        self.note(match from {
            Ty::Queue(..) => "copy.queue",
            Ty::Bag(..) => "copy.bag",
            _ => "copy.set",
        });
        Some(text)
    }

    fn declare(&mut self, depth: u32) -> Option<String> {
        let ty = self.types.random(&mut self.rng, 30.0, false, 2);
        let variable = self.rng.chance(45);
        let bare = variable && self.types.has_default(&ty) && self.rng.chance(30);
        let value = if bare { None } else { Some(self.assigned(&ty, depth)?) };
        let over = self.types.text(&ty, &mut self.rng);
        let fill = match (&ty, self.rng.chance(30)) {
            (Ty::Array(_, element), true) if !bare => Some(self.value(&innermost(element), depth)?.0),
            _ => None,
        };
        if fill.is_some() {
            self.note("local.fill");
        }
        let name = self.name();
        let value = fill.or(value);
        let untyped = !variable && matches!(ty, Ty::Bool | Ty::Range(..)) && self.rng.chance(50);
        let untyped = untyped && value.as_deref().is_some_and(|value| value != "any");
        let chosen = value.as_deref().is_some_and(|value| value.starts_with("any"));
        // The type of an untyped name: of a chosen element exactly, of an integer expression `int`.
        let bound = match (&ty, untyped && !chosen) {
            (Ty::Range(..), true) => Ty::Int,
            (ty, _) => (*ty).clone(),
        };
        self.note(if variable { "local.var" } else { "local.let" });
        self.bind(&name, &bound, variable);
        let word = if variable { "var" } else { "let" };
        let over = if untyped { String::new() } else { format!(": {over}") };
        Some(match value {
            Some(value) => format!("{word} {name}{over} = {value};"),
            None => format!("{word} {name}{over};"),
        })
    }

    fn repeat(&mut self, depth: u32, indent: usize) -> Option<String> {
        let close = "    ".repeat(indent);
        self.scoped(|generator| {
            let (binder, filter) = generator.loop_head(depth)?;
            let outer = (generator.at.looping, generator.risk);
            generator.at.looping = true;
            if generator.symmetric() {
                generator.risk = 0;
            }
            let body = generator.block(depth - 1, indent + 1);
            (generator.at.looping, generator.risk) = outer;
            Some(format!("for {binder}{filter} {{\n{body}\n{close}}}"))
        })
    }

    fn loop_head(&mut self, depth: u32) -> Option<(String, String)> {
        let name = self.name();
        let (binder, ty) = match self.rng.chance(35) {
            true => {
                let (source, ty) = self.collection(None, false, depth - 1)?;
                let element = ty.element()?.clone();
                // The order of a bag of compound values is nobody's business.
                if !self.types.simple(&element) && !matches!(ty, Ty::Queue(..)) {
                    return None;
                }
                self.note(match ty {
                    Ty::Queue(..) => "for.queue",
                    Ty::Bag(..) => "for.bag",
                    _ => "for.collection",
                });
                (format!("{name} in {source}"), element)
            }
            false => {
                let ty = self.types.random(&mut self.rng, 4.0, true, 1);
                self.note("for.type");
                (format!("{name}: {}", self.types.text(&ty, &mut self.rng)), ty)
            }
        };
        self.bind(&name, &ty, false);
        let filter = match self.rng.chance(25) {
            true if !self.symmetric() => {
                self.note("for.where");
                format!(" where {}", self.boolean(depth - 1)?.0)
            }
            _ => String::new(),
        };
        Some((binder, filter))
    }
}

/// The elements of an array of any number of dimensions.
fn innermost(ty: &Ty) -> Ty {
    match ty {
        Ty::Array(_, element) => innermost(element),
        other => other.clone(),
    }
}
