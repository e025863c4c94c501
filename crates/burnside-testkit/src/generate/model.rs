//! Whole random models: what is declared, then the texts of the declarations.

use super::Flavor;
use super::rng::Rng;
use super::scope::{Function, Generator, Place, Process, RuleName, Var};
use super::types::{Enum, Record, Sort, Ty, Types, Union};
use std::collections::BTreeMap;

/// How many bits the variables may have in all.
const BITS: f64 = 12.0;

/// What is declared, in the order of the text.
#[derive(Clone, Copy)]
enum Slot {
    Var(usize),
    Process(usize),
}

impl Generator {
    pub fn new(seed: u64, flavor: Flavor) -> Self {
        let mut rng = Rng::new(seed);
        let risk = *rng.pick(&[0, 0, 0, 5, 25]);
        Self {
            rng,
            flavor,
            risk,
            types: Types::default(),
            truths: Vec::new(),
            vars: Vec::new(),
            processes: Vec::new(),
            functions: Vec::new(),
            rules: Vec::new(),
            at: Place::default(),
            fresh: 0,
            nesting: 0,
            choices: 0,
            used: BTreeMap::new(),
        }
    }

    /// The text of a model.
    pub fn model(&mut self) -> String {
        let constants = self.constants();
        self.declare_types();
        let slots = self.plan();
        let functions = self.make_functions();
        let mut fixed = Vec::new();
        let mut initial = 24.0;
        for slot in slots {
            fixed.push(match slot {
                Slot::Var(id) => self.var_item(id, None, &mut initial),
                Slot::Process(p) => self.process_item(p, &mut initial),
            });
        }
        if self.rng.chance(25) {
            // Moves what comes after it across the words of a state.
            self.note("padding");
            let at = self.rng.below(fixed.len() + 1);
            fixed.insert(at, Item::new(format!("var _pad: array[0..{}] of bool;", self.rng.between(10, 70))));
        }
        let mut rest = functions;
        if self.rng.chance(35) {
            rest.push(self.init_item(initial));
        }
        rest.extend(self.properties());
        // Last: types get names while the rest is made.
        let mut free = constants;
        free.extend(self.type_items());
        free.extend(rest);
        // Variables keep their order; everything else may stand anywhere.
        let shuffled = self.rng.chance(25);
        let types_first = fixed.len();
        for (i, item) in free.into_iter().enumerate() {
            match shuffled {
                true => {
                    let at = self.rng.below(fixed.len() + 1);
                    fixed.insert(at, item);
                }
                false => fixed.insert(
                    if item.is_property { fixed.len() } else { i.min(fixed.len() - types_first) },
                    item,
                ),
            }
        }
        fixed.into_iter().map(|item| item.text).collect::<Vec<_>>().join("\n") + "\n"
    }

    fn constants(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        for i in 0..self.rng.below(3) {
            let (name, value) = (format!("N{i}"), self.rng.between(1, 3));
            let text = match (i, self.types.constants.first().cloned()) {
                (1, Some((first, other))) => format!("{first} + {}", value - other).replace("+ -", "- "),
                _ => value.to_string(),
            };
            let ty = if self.rng.chance(30) { ": 0..9" } else { "" };
            items.push(Item::new(format!("const {name}{ty} = {text};")));
            self.types.constants.push((name, value));
        }
        if self.rng.chance(25) {
            items.push(Item::new(format!("const FLAG = {};", self.rng.pick(&["true", "false", "2 > 1"]))));
            self.truths.push("FLAG".to_string());
        }
        items
    }

    fn declare_types(&mut self) {
        let symmetric = self.symmetric();
        for i in 0..self.rng.below(3) {
            let count = self.rng.between(1, 3) as usize;
            let mut constants: Vec<String> =
                ["a", "b", "c"][..count].iter().map(|c| format!("{c}{i}")).collect();
            if self.rng.chance(25) {
                constants.push("common".to_string());
            }
            self.types.enums.push(Enum { name: format!("E{i}"), constants });
        }
        let sorts = if symmetric { self.rng.between(1, 2) } else { self.rng.between(0, 2) };
        for i in 0..sorts {
            let size = *self.rng.pick(&[1, 2, 2, 3, 3]);
            let size = if symmetric { size.max(2) } else { size };
            self.types.sorts.push(Sort { name: format!("S{i}"), size, ring: self.rng.chance(40) });
        }
        for i in 0..self.rng.below(3) {
            let count = self.rng.between(1, 3);
            let field = |generator: &mut Self, j| {
                let ty = generator.types.random(&mut generator.rng, 5.0, false, 1);
                (format!("f{j}"), ty)
            };
            let fields = (0..count).map(|j| field(self, j)).collect();
            self.types.records.push(Record { name: format!("R{i}"), fields });
        }
        self.declare_unions();
        if self.rng.chance(30) {
            let ty = self.types.random(&mut self.rng, 16.0, false, 2);
            self.types.aliases.push((format!("T{}", self.types.aliases.len()), ty));
        }
    }

    fn declare_unions(&mut self) {
        if self.rng.chance(35) {
            let mut cases = Vec::new();
            for (i, name) in ["ka", "kb", "kc"].into_iter().enumerate() {
                let count = self.rng.below(3);
                let parts = (0..count)
                    .map(|j| (format!("h{j}"), self.types.random(&mut self.rng, 5.0, false, 1)))
                    .collect();
                cases.push((format!("{name}{i}"), parts));
            }
            // Else it is an enum.
            if cases.iter().all(|(_, parts): &(String, Vec<_>)| parts.is_empty()) {
                cases[1].1.push(("h0".to_string(), Ty::Bool));
            }
            self.types.unions.push(Union { name: "U0".to_string(), cases, of_types: false });
        }
        let sorts = (0..self.types.sorts.len()).map(Ty::Sort);
        let parts: Vec<Ty> = sorts.chain((0..self.types.enums.len()).map(Ty::Enum)).collect();
        if parts.len() > 1 && self.rng.chance(35) {
            let first = self.rng.below(parts.len() - 1);
            let case = |ty: &Ty| (self.types.text(ty, &mut Rng::new(0)), vec![(String::new(), ty.clone())]);
            let cases = parts[first..].iter().take(3).map(case).collect();
            self.types.unions.push(Union { name: "Un".to_string(), cases, of_types: true });
        }
    }

    /// Processes and variables, with types that keep the state small.
    fn plan(&mut self) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut bits = BITS;
        let processes = self.rng.between(1, 3) as usize;
        for p in 0..processes {
            for _ in 0..self.rng.below(if p == 0 { 4 } else { 2 }) {
                slots.extend(self.plan_var(None, 1.0, &mut bits).map(Slot::Var));
            }
            let indices = self.plan_indices();
            let members: f64 = indices.iter().map(|(_, ty)| self.types.values(ty)).product();
            let named = match &indices[..] {
                [(_, Ty::Sort(i))] => Some(self.types.sorts[*i].name.clone()),
                [(_, Ty::Enum(i))] => Some(self.types.enums[*i].name.clone()),
                _ => None,
            };
            let taken = |name: &String| self.processes.iter().any(|other| other.name == *name);
            let name =
                named.filter(|name| !taken(name)).filter(|_| self.rng.chance(60)).unwrap_or(format!("P{p}"));
            let locations = match self.rng.chance(35) && bits > members * 1.6 {
                true => (0..self.rng.between(2, 3))
                    .map(|i| format!("p{p}{}", ["x", "y", "z"][i as usize]))
                    .collect(),
                false => Vec::new(),
            };
            bits -= members * (locations.len().max(1) as f64).log2();
            self.processes.push(Process { name, indices, locations });
            for _ in 0..self.rng.below(3) {
                self.plan_var(Some(p), members, &mut bits);
            }
            slots.push(Slot::Process(p));
        }
        if self.vars.is_empty() {
            slots.extend(self.plan_var(None, 1.0, &mut bits).map(Slot::Var));
        }
        let names: Vec<String> = self.vars.iter().map(|var| var.name.clone()).collect();
        for var in &mut self.vars {
            var.unique = names.iter().filter(|name| **name == var.name).count() == 1;
        }
        slots
    }

    fn plan_indices(&mut self) -> Vec<(String, Ty)> {
        let count = self.rng.weighted(&if self.symmetric() { [3, 6, 2] } else { [5, 4, 1] });
        let mut indices = Vec::new();
        let mut members = 1.0;
        for i in 0..count {
            let sort = self.symmetric() && !self.types.sorts.is_empty() && self.rng.chance(80);
            let ty = match sort {
                true => Ty::Sort(self.rng.below(self.types.sorts.len())),
                false => self.types.random(&mut self.rng, 3.0, true, 1),
            };
            members *= self.types.values(&ty);
            if members > 4.0 {
                break;
            }
            indices.push((format!("n{i}"), ty));
        }
        indices
    }

    fn plan_var(&mut self, process: Option<usize>, members: f64, bits: &mut f64) -> Option<usize> {
        let most = 2f64.powf((*bits / members).min(7.0));
        if most < 2.0 {
            return None;
        }
        let mut ty = self.types.random(&mut self.rng, most, false, 2);
        let affordable = self.types.numbered(&ty) && self.types.values(&ty).powf(members) <= 9.0;
        if !self.types.has_default(&ty) && !affordable {
            ty = match ty {
                Ty::Sort(_) | Ty::Record(_) | Ty::Union(_) => self.types.option(ty),
                _ => Ty::Bool,
            };
        }
        *bits -= members * self.types.values(&ty).log2();
        let id = self.vars.len();
        let shared = process.is_some() && self.rng.chance(12);
        let used = self.vars.iter().any(|var| var.process == process && var.name == "same");
        let name = if shared && !used { "same".to_string() } else { format!("v{id}") };
        self.vars.push(Var { name, ty, process, unique: true });
        Some(id)
    }

    fn type_items(&mut self) -> Vec<Item> {
        let types = self.types.clone();
        let mut items = Vec::new();
        for e in &types.enums {
            items.push(Item::new(format!("enum {} {{ {} }}", e.name, e.constants.join(", "))));
        }
        for s in &types.sorts {
            self.note(if s.ring { "type.ring" } else { "type.symmetric" });
            let word = if s.ring { "ring" } else { "symmetric" };
            items.push(Item::new(format!("{word} {}[{}];", s.name, s.size)));
        }
        for r in &types.records {
            let fields: Vec<String> = r
                .fields
                .iter()
                .map(|(name, ty)| format!("{name}: {}", types.text(ty, &mut self.rng)))
                .collect();
            items.push(Item::new(format!("record {} {{ {} }}", r.name, fields.join(", "))));
        }
        for u in &types.unions {
            self.note(if u.of_types { "type.union" } else { "type.enum_with_values" });
            let held = |(name, ty): &(String, Ty)| format!("{name}: {}", types.text(ty, &mut self.rng));
            let mut case = held;
            let cases = u.cases.iter().map(|(name, parts)| match u.of_types || parts.is_empty() {
                true => name.clone(),
                false => {
                    format!("{name}({})", parts.iter().map(&mut case).collect::<Vec<_>>().join(", "))
                }
            });
            let cases: Vec<String> = cases.collect();
            items.push(Item::new(match u.of_types {
                true => format!("type {} = {};", u.name, cases.join(" | ")),
                false => format!("enum {} {{ {} }}", u.name, cases.join(", ")),
            }));
        }
        for (i, (name, ty)) in types.aliases.iter().enumerate() {
            // The type itself has to be written out here.
            let mut others = types.clone();
            others.aliases.remove(i);
            items.push(Item::new(format!("type {name} = {};", others.text(ty, &mut self.rng))));
        }
        items
    }

    fn make_functions(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        for i in 0..self.rng.below(4) {
            let reads = self.rng.chance(50);
            let param = |generator: &mut Self| match generator.rng.chance(25) {
                true => Ty::Int,
                false => generator.types.random(&mut generator.rng, 30.0, false, 2),
            };
            let params: Vec<Ty> = (0..self.rng.below(3)).map(|_| param(self)).collect();
            let result = match self.rng.below(10) {
                0..2 => Ty::Int,
                2..4 => Ty::Bool,
                _ => match self.vars.is_empty() || self.rng.chance(40) {
                    true => param(self),
                    false => self.rng.pick(&self.vars).ty.clone(),
                },
            };
            let vars = if reads { self.vars.len() } else { 0 };
            self.at = Place { readers: reads, vars, ..Place::default() };
            let names: Vec<String> = (0..params.len()).map(|j| format!("x{j}")).collect();
            names.iter().zip(&params).for_each(|(name, ty)| self.bind(name, ty, false));
            let Some(body) = self.body(&result, 2) else { continue };
            let texts: Vec<String> = params.iter().map(|ty| self.types.text(ty, &mut self.rng)).collect();
            let params_text: Vec<String> =
                names.iter().zip(texts).map(|(name, ty)| format!("{name}: {ty}")).collect();
            let (params_text, over) = (params_text.join(", "), self.types.text(&result, &mut self.rng));
            self.note(match result {
                Ty::Int | Ty::Bool | Ty::Range(..) | Ty::Enum(_) | Ty::Sort(_) => "fn.scalar",
                _ => "fn.wide",
            });
            let block = body.starts_with("let ") || self.rng.chance(40);
            items.push(Item::new(match block {
                true => format!("fn f{i}({params_text}): {over} {{ {body} }}"),
                false => format!("fn f{i}({params_text}): {over} = {body};"),
            }));
            self.functions.push(Function { name: format!("f{i}"), params, result, reads });
        }
        items
    }

    fn var_item(&mut self, id: usize, process: Option<usize>, initial: &mut f64) -> Item {
        let var = self.vars[id].clone();
        let mut members = 1.0;
        self.at = Place { process, vars: id, ..Place::default() };
        if let Some(p) = process {
            for (name, ty) in self.processes[p].indices.clone() {
                members *= self.types.values(&ty);
                self.bind(&name, &ty, false);
            }
        }
        let over = self.types.text(&var.ty, &mut self.rng);
        let any = self.types.values(&var.ty).powf(members);
        let default = self.types.has_default(&var.ty);
        let may_any = self.types.numbered(&var.ty) && any <= *initial;
        let value = match self.rng.below(10) {
            0..2 if may_any => "any".to_string(),
            2..6 if default => String::new(),
            6 if matches!(var.ty, Ty::Array(..)) => {
                self.note("var.fill");
                let mut element = &var.ty;
                while let Ty::Array(_, inner) = element {
                    element = inner;
                }
                self.value(&element.clone(), 1).map_or(String::new(), |value| value.0)
            }
            _ => self.value(&var.ty, 1).map_or(String::new(), |value| value.0),
        };
        let value = if value.is_empty() && !default { "any".to_string() } else { value };
        if value == "any" {
            self.note("var.any");
            *initial /= any;
        }
        let value = if value.is_empty() { value } else { format!(" = {value}") };
        Item::new(format!("var {}: {over}{value};", var.name))
    }

    fn process_item(&mut self, p: usize, initial: &mut f64) -> Item {
        let process = self.processes[p].clone();
        let mut lines = Vec::new();
        for id in 0..self.vars.len() {
            if self.vars[id].process == Some(p) {
                lines.push(format!("    {}", self.var_item(id, Some(p), initial).text));
            }
        }
        if !process.locations.is_empty() {
            self.note("locations");
            lines.push(format!("    locations {};", process.locations.join(", ")));
        }
        for i in 0..self.rng.between(2, 4) {
            lines.push(self.rule(p, &format!("r{p}_{i}")));
        }
        let short = |ty: &Ty| match ty {
            Ty::Sort(i) => self.types.sorts[*i].name == process.name,
            Ty::Enum(i) => self.types.enums[*i].name == process.name,
            _ => false,
        };
        let head = match &process.indices[..] {
            [] => String::new(),
            [(name, ty)] if short(ty) => format!("[{name}]"),
            indices => {
                let text =
                    |(name, ty): &(String, Ty)| format!("{name}: {}", self.types.text(ty, &mut self.rng));
                format!("[{}]", indices.iter().map(text).collect::<Vec<_>>().join(", "))
            }
        };
        self.note(["process.single", "process.family", "process.two_indices"][process.indices.len()]);
        let fair = self.fairness();
        Item::new(format!("{fair}process {}{head} {{\n{}\n}}", process.name, lines.join("\n")))
    }

    fn fairness(&mut self) -> &'static str {
        let fair = *self.rng.pick(&["", "", "", "fair ", "strong fair "]);
        match fair {
            "fair " => self.note("fair"),
            "strong fair " => self.note("strong"),
            _ => {}
        }
        fair
    }

    fn rule(&mut self, p: usize, name: &str) -> String {
        let process = self.processes[p].clone();
        self.at = Place { process: Some(p), vars: self.vars.len(), readers: true, ..Place::default() };
        process.indices.iter().for_each(|(name, ty)| self.bind(name, ty, false));
        self.choices = 2;
        let before = self.at.locals.len();
        let params = match self.rng.chance(40) {
            true => self.binders(1, 6.0).unwrap_or_default(),
            false => String::new(),
        };
        let types = self.at.locals[before..].iter().map(|local| local.ty.clone()).collect();
        let params = if params.is_empty() { params } else { format!("({params})") };
        let at = match process.locations.is_empty() || self.rng.chance(20) {
            true => String::new(),
            false => {
                self.note("rule.at");
                let first = self.rng.pick(&process.locations).clone();
                let second = self.rng.pick(&process.locations).clone();
                if first != second && self.rng.chance(25) {
                    format!(" at {first}, {second}")
                } else {
                    format!(" at {first}")
                }
            }
        };
        self.at.guard = true;
        let guard = match self.rng.below(10) {
            0..3 => String::new(),
            3..8 => format!(" when {}", self.boolean(2).map_or("true".to_string(), |text| text.0)),
            _ => {
                let (a, b) = (self.boolean(1), self.boolean(1));
                let part = |text: Option<super::expr::Text>| {
                    super::expr::wrap(text.unwrap_or(("true".to_string(), 9)), 5)
                };
                format!(" when {} && {}", part(a), part(b))
            }
        };
        self.at.guard = false;
        let body = self.block(2, 2);
        // Instances of a fair rule are numbered.
        let countable = self.at.locals[before..].iter().all(|local| self.types.numbered(&local.ty));
        let fair = if countable { self.fairness() } else { "" };
        self.note("rule");
        self.rules.push(RuleName { process: p, name: name.to_string(), params: types });
        let text = format!("{fair}rule {name}{params}{at}{guard} {{\n{body}\n    }}");
        match process.locations.is_empty() || self.rng.chance(85) {
            true => format!("    {text}"),
            false => {
                self.note("at.block");
                format!("    at {} {{ {text} }}", self.rng.pick(&process.locations))
            }
        }
    }

    fn init_item(&mut self, initial: f64) -> Item {
        self.at = Place { vars: self.vars.len(), readers: true, ..Place::default() };
        self.choices = u32::from(initial >= 6.0);
        let mut body = self.block(2, 1);
        self.note("init");
        if self.rng.chance(25) {
            self.note("assume");
            let condition = self.boolean(1).map_or("true".to_string(), |text| text.0);
            body = format!("{body}\n    assume {condition};");
        }
        Item::new(format!("init {{\n{body}\n}}"))
    }
}

/// A declaration.
pub(super) struct Item {
    text: String,
    is_property: bool,
}

impl Item {
    fn new(text: String) -> Self {
        Self { text, is_property: false }
    }

    pub fn property(text: String) -> Self {
        Self { text, is_property: true }
    }
}
