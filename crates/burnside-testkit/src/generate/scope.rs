//! What a generated model has, and what is in scope at one place of it.

use super::Flavor;
use super::rng::Rng;
use super::types::{Ty, Types};
use std::collections::BTreeMap;

/// A variable of the model, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub name: String,
    pub ty: Ty,
    pub process: Option<usize>,
    /// No other variable has its name.
    pub unique: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub name: String,
    /// Names and types of the indices.
    pub indices: Vec<(String, Ty)>,
    pub locations: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub params: Vec<Ty>,
    pub result: Ty,
    /// Whether it reads variables.
    pub reads: bool,
}

/// A rule, as `enabled` needs it.
#[derive(Clone, Debug)]
pub(super) struct RuleName {
    pub process: usize,
    pub name: String,
    pub params: Vec<Ty>,
}

/// A bound name.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub name: String,
    pub ty: Ty,
    pub assignable: bool,
}

/// Where we are.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub process: Option<usize>,
    pub locals: Vec<Local>,
    /// Only variables before this one may be read.
    pub vars: usize,
    /// Whether functions that read variables may be called.
    pub readers: bool,
    /// Inside a property.
    pub property: bool,
    /// Inside a guard.
    pub guard: bool,
    /// Whether `any` and `goto` still make sense.
    pub looping: bool,
}

/// A model in the making.
pub(super) struct Generator {
    pub rng: Rng,
    pub flavor: Flavor,
    /// How often something that may fault is left unguarded, in percent.
    pub risk: u32,
    pub types: Types,
    pub truths: Vec<String>,
    pub vars: Vec<Var>,
    pub processes: Vec<Process>,
    pub functions: Vec<Function>,
    pub rules: Vec<RuleName>,
    pub at: Place,
    pub fresh: usize,
    /// How many indices we are inside of.
    pub nesting: u32,
    /// How many more choices a body may make.
    pub choices: u32,
    /// How often each construct was used.
    pub used: BTreeMap<&'static str, u32>,
}

impl Generator {
    pub fn note(&mut self, construct: &'static str) {
        *self.used.entry(construct).or_default() += 1;
    }

    pub fn risky(&mut self) -> bool {
        let risk = self.risk;
        self.rng.chance(risk)
    }

    pub fn symmetric(&self) -> bool {
        self.flavor == Flavor::Symmetric
    }

    /// A new name for something bound. Now and then one that hides another bound name.
    pub fn name(&mut self) -> String {
        let hides = !self.at.locals.is_empty() && self.rng.chance(3);
        if hides {
            self.note("shadowing");
            let locals = &self.at.locals;
            return self.rng.pick(locals).name.clone();
        }
        self.fresh += 1;
        format!("{}{}", self.rng.pick(&["i", "k", "m", "y"]), self.fresh)
    }

    pub fn bind(&mut self, name: &str, ty: &Ty, assignable: bool) {
        self.at.locals.push(Local { name: name.to_string(), ty: ty.clone(), assignable });
    }

    /// The bound names that are not hidden.
    pub fn visible(&self) -> Vec<Local> {
        let locals = &self.at.locals;
        let hidden = |i: usize| locals[i + 1..].iter().any(|later| later.name == locals[i].name);
        (0..locals.len()).filter(|&i| !hidden(i)).map(|i| locals[i].clone()).collect()
    }

    /// Does something; the names it binds are gone afterwards.
    pub fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.at.locals.len();
        let result = work(self);
        self.at.locals.truncate(before);
        result
    }

    /// How a variable is written here. `None` if no value for an index can be found.
    pub fn var_text(&mut self, id: usize, depth: u32) -> Option<String> {
        let var = self.vars[id].clone();
        let Some(p) = var.process else {
            self.note("var.global");
            return Some(var.name);
        };
        let process = self.processes[p].clone();
        let own = self.at.process == Some(p);
        if own && (process.indices.is_empty() || self.rng.chance(70)) {
            self.note("var.own");
            return Some(var.name);
        }
        if process.indices.is_empty() {
            let short = var.unique && self.rng.chance(50);
            self.note(if short { "var.single.short" } else { "var.single.qualified" });
            return Some(if short { var.name } else { format!("{}.{}", process.name, var.name) });
        }
        let mut indices = Vec::new();
        for (_, ty) in &process.indices {
            indices.push(self.value(ty, depth.min(1))?.0);
        }
        let indices = indices.join(", ");
        let indexed = matches!(var.ty, Ty::Array(..) | Ty::Queue(..));
        let short = (if own { !indexed } else { var.unique }) && self.rng.chance(50);
        self.note(if short { "var.member.short" } else { "var.member.qualified" });
        Some(match short {
            true => format!("{}[{indices}]", var.name),
            false => format!("{}[{indices}].{}", process.name, var.name),
        })
    }

    /// A place of the wanted type, or of any type. The text can be followed by anything postfix.
    pub fn place(&mut self, want: Option<&Ty>, assign: bool, depth: u32) -> Option<(String, Ty)> {
        if self.nesting > 2 {
            return None;
        }
        let attempts = [8, 3, 1][self.nesting as usize];
        self.nesting += 1;
        let found = (0..attempts).find_map(|_| self.walk(want, assign, depth));
        self.nesting -= 1;
        found
    }

    fn walk(&mut self, want: Option<&Ty>, assign: bool, depth: u32) -> Option<(String, Ty)> {
        let locals: Vec<Local> =
            self.visible().into_iter().filter(|local| local.assignable || !assign).collect();
        let vars = if self.at.readers || self.at.vars > 0 { self.at.vars } else { 0 };
        if locals.is_empty() && vars == 0 {
            return None;
        }
        let from_locals = !locals.is_empty() && (vars == 0 || self.rng.chance(if assign { 15 } else { 35 }));
        let computed = if assign || self.nesting > 1 { 100 } else { self.rng.below(100) };
        let (mut text, mut ty) = if computed < 8 {
            self.computed_root(depth)?
        } else if from_locals {
            let local = self.rng.pick(&locals).clone();
            (local.name, local.ty)
        } else {
            let id = self.rng.below(vars);
            (self.var_text(id, depth)?, self.vars[id].ty.clone())
        };
        for _ in 0..4 {
            let fits = match want {
                Some(want) => matches(want, &ty),
                None => self.rng.chance(55) || !matches!(ty, Ty::Array(..) | Ty::Record(_) | Ty::Option(_)),
            };
            if fits {
                return Some((text, ty));
            }
            (text, ty) = self.descend(text, ty, assign, depth)?;
        }
        None
    }

    /// Something to start from that is not stored anywhere.
    fn computed_root(&mut self, depth: u32) -> Option<(String, Ty)> {
        let readers = self.at.readers;
        let usable: Vec<Ty> =
            self.functions.iter().filter(|f| readers || !f.reads).map(|f| f.result.clone()).collect();
        if !usable.is_empty() && self.rng.chance(60) {
            let ty = self.rng.pick(&usable).clone();
            self.note("place.of_call");
            return Some((self.call(&ty, depth)?.0, ty));
        }
        if self.at.vars == 0 {
            return None;
        }
        let id = self.rng.below(self.at.vars);
        let (condition, a, b) = (self.boolean(0)?.0, self.var_text(id, depth)?, self.var_text(id, depth)?);
        self.note("place.of_if");
        Some((format!("(if {condition} {{ {a} }} else {{ {b} }})"), self.vars[id].ty.clone()))
    }

    fn descend(&mut self, text: String, ty: Ty, assign: bool, depth: u32) -> Option<(String, Ty)> {
        match ty {
            Ty::Array(index, element) => {
                let at = self.value(&index, depth.min(1))?.0;
                self.note("place.index");
                if let Ty::Array(second, inner) = &*element
                    && self.rng.chance(40)
                {
                    let second = self.value(second, depth.min(1))?.0;
                    return Some((format!("{text}[{at}, {second}]"), (**inner).clone()));
                }
                Some((format!("{text}[{at}]"), *element))
            }
            Ty::Record(i) => {
                let (field, ty) = self.rng.pick(&self.types.records[i].fields).clone();
                self.note("place.field");
                Some((format!("{text}.{field}"), ty))
            }
            Ty::Option(inner) if self.risky() => {
                self.note("place.unwrap");
                Some((format!("{text}!"), *inner))
            }
            Ty::Queue(capacity, element) if self.risky() => {
                self.note("place.queue");
                if !assign && self.rng.chance(60) {
                    let end = *self.rng.pick(&["front", "back"]);
                    return Some((format!("{text}.{end}()"), *element));
                }
                let at = self.value(&Ty::Range(0, i64::from(capacity) - 1), depth.min(1))?.0;
                Some((format!("{text}[{at}]"), *element))
            }
            _ => None,
        }
    }
}

/// Whether a value of the type can stand where the wanted type is.
fn matches(want: &Ty, ty: &Ty) -> bool {
    match (want, ty) {
        (Ty::Int, Ty::Range(..)) => true,
        (Ty::Range(lo, hi), Ty::Range(l, h)) => lo <= l && h <= hi,
        _ => want == ty,
    }
}
