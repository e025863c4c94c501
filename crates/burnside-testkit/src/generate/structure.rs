//! What is added to a random model as a whole: sets of rules that are fair together, fairness for which only
//! steps count that change something, constraints, priorities of rules, and properties about steps.
//!
//! Entry point: [`structure`]. The numbers come from a source of their own, so that the model of a seed is
//! the same with these and without.

use super::rng::Rng;
use burnside_lang::syntax::{ast, parse};
use std::collections::BTreeMap;

/// The text of a model with more structure; `temporal` if it is about fairness.
pub fn structure(text: &str, seed: u64, temporal: bool, used: &mut BTreeMap<&'static str, u32>) -> String {
    let file = parse(text).file;
    let mut added = Structure {
        text,
        rng: Rng::new(seed.rotate_left(17) ^ 0x5e75),
        rules: rules(text, &file),
        insertions: Vec::new(),
        used,
    };
    if temporal && added.rng.chance(30) {
        added.fair_set(&file);
    }
    if temporal && added.rng.chance(25) {
        added.changing(&file);
    }
    if added.rng.chance(if temporal { 15 } else { 12 }) {
        added.constraint(&file);
    }
    if added.rng.chance(15) {
        added.priorities();
    }
    if temporal && added.rng.chance(25) {
        added.steps(&file);
    }
    added.finish()
}

/// A rule, as a set of rules names it.
struct Rule {
    process: usize,
    process_name: String,
    /// The types of the indices of the process.
    indices: Vec<String>,
    name: String,
    /// The types of its parameters; none for elements of collections.
    params: Vec<Option<String>>,
    /// Where its name and parameters end.
    head: usize,
}

fn rules(text: &str, file: &ast::File) -> Vec<Rule> {
    let mut found = Vec::new();
    for (number, item) in file.items.iter().enumerate() {
        let ast::ItemKind::Process(process) = &item.kind else { continue };
        let index = |index: &ast::Index| match &index.ty {
            Some(ty) => ty.span.text(text).to_string(),
            None => process.name.text.clone(),
        };
        let indices: Vec<String> = process.indices.iter().map(index).collect();
        let of_member = |member: &ast::Member| match &member.kind {
            ast::MemberKind::Rule(rule) => vec![rule.clone()],
            ast::MemberKind::At(_, rules) => rules.clone(),
            _ => Vec::new(),
        };
        for rule in process.members.iter().flat_map(of_member) {
            let params = rule.params.iter().flat_map(|binder| {
                let ty = match &binder.domain {
                    ast::Domain::Type(ty) => Some(ty.span.text(text).to_string()),
                    ast::Domain::Collection(_) => None,
                };
                binder.names.iter().map(move |_| ty.clone())
            });
            found.push(Rule {
                process: number,
                process_name: process.name.text.clone(),
                indices: indices.clone(),
                name: rule.name.text.clone(),
                params: params.collect(),
                head: end_of_head(text, rule.name.span.end as usize),
            });
        }
    }
    found
}

/// Where the parentheses behind a name end, or the name itself.
fn end_of_head(text: &str, name: usize) -> usize {
    if !text[name..].starts_with('(') {
        return name;
    }
    let mut depth = 0;
    for (i, sign) in text[name..].char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return name + i + 1;
        }
    }
    name
}

struct Structure<'t> {
    text: &'t str,
    rng: Rng,
    rules: Vec<Rule>,
    insertions: Vec<(usize, String)>,
    used: &'t mut BTreeMap<&'static str, u32>,
}

impl Structure<'_> {
    fn note(&mut self, construct: &'static str) {
        *self.used.entry(construct).or_default() += 1;
    }

    /// One or two sets, in a process or over several.
    fn fair_set(&mut self, file: &ast::File) {
        for number in 0..1 + self.rng.below(2) {
            let inside = self.rng.chance(60);
            let processes: Vec<usize> = self.rules.iter().map(|rule| rule.process).collect();
            let process = *self.rng.pick(&processes);
            let mut chosen: Vec<usize> =
                (0..self.rules.len()).filter(|&i| !inside || self.rules[i].process == process).collect();
            chosen.retain(|_| self.rng.chance(60));
            let Some(&first) = chosen.first() else { continue };
            let own = |rule: &Rule| if inside { Vec::new() } else { rule.indices.clone() };
            let types: Vec<String> = own(&self.rules[first])
                .into_iter()
                .chain(self.rules[first].params.iter().flatten().cloned())
                .collect();
            let ty = if types.is_empty() || self.rng.chance(40) {
                None
            } else {
                Some(self.rng.pick(&types).clone())
            };
            let members: Vec<String> =
                chosen.iter().filter_map(|&i| self.member(i, inside, ty.as_deref())).collect();
            if members.is_empty() {
                continue;
            }
            let strong = if self.rng.chance(45) { "strong " } else { "" };
            let changing = if self.rng.chance(20) { "changing " } else { "" };
            let name = match &ty {
                Some(ty) => format!("set{number}(k: {ty}) "),
                // Two sets without names may be called the same.
                None if number > 0 || self.rng.chance(50) => format!("set{number} "),
                None => String::new(),
            };
            self.note(if inside { "set.inside" } else { "set.outside" });
            if ty.is_some() {
                self.note("set.parameter");
            }
            let set = format!("{strong}fair {changing}{name}{{ {} }}", members.join(", "));
            let end = file.items[process].span.end as usize - 1;
            let at = if inside { end } else { self.text.len() };
            self.insertions.push((at, if inside { format!("    {set}\n") } else { format!("{set}\n") }));
        }
    }

    /// A rule in a set with a parameter `k` of a type, if it has one.
    fn member(&mut self, rule: usize, inside: bool, ty: Option<&str>) -> Option<String> {
        let Rule { process_name, indices, name, params, .. } = &self.rules[rule];
        let outer = if inside { 0 } else { indices.len() };
        let all: Vec<Option<&str>> = (indices.iter().take(outer).map(|it| Some(it.as_str())))
            .chain(params.iter().map(|it| it.as_deref()))
            .collect();
        let fitting: Vec<usize> = (0..all.len()).filter(|&i| ty.is_some() && all[i] == ty).collect();
        let bound = match ty {
            None => None,
            Some(_) if fitting.is_empty() => return None,
            Some(_) => Some(*self.rng.pick(&fitting)),
        };
        let args: Vec<&str> = (0..all.len()).map(|i| if bound == Some(i) { "k" } else { "_" }).collect();
        let (before, after) = args.split_at(outer);
        // What does not matter may be left out.
        let plain = bound.is_none() && self.rng.chance(60);
        let member =
            if plain || before.is_empty() { String::new() } else { format!("[{}]", before.join(", ")) };
        let given = if plain || after.is_empty() { String::new() } else { format!("({})", after.join(", ")) };
        Some(match inside {
            true => format!("{name}{given}"),
            false => format!("{process_name}{member}.{name}{given}"),
        })
    }

    /// Some of what is fair asks for steps that change something.
    fn changing(&mut self, file: &ast::File) {
        let mut places = Vec::new();
        for item in &file.items {
            let ast::ItemKind::Process(process) = &item.kind else { continue };
            places.extend(process.fairness);
            for member in &process.members {
                match &member.kind {
                    ast::MemberKind::Rule(rule) => places.extend(rule.fairness),
                    ast::MemberKind::At(_, rules) => {
                        places.extend(rules.iter().filter_map(|rule| rule.fairness))
                    }
                    _ => {}
                }
            }
        }
        for place in places {
            if self.rng.chance(60) {
                self.note("fairness.changing");
                self.insertions.push((place.span.end as usize, " changing".to_string()));
            }
        }
    }

    /// A condition that some states do not have.
    fn constraint(&mut self, file: &ast::File) {
        let mut conditions: Vec<String> = Vec::new();
        for item in &file.items {
            if let ast::ItemKind::Property(
                ast::Property::Invariant { body, .. } | ast::Property::Reachable { body, .. },
            ) = &item.kind
            {
                conditions.push(body.span.text(self.text).to_string());
            }
        }
        let known = [
            ("var lock: bool", "!lock"),
            ("var owner: P?", "owner == none || (forall x: P { owner != x -> phase[x] == a })"),
            ("var n: 0..2", "n < 2"),
            ("var asks: set of P", "asks.size() < 2"),
            ("enum PPhase { a, b", "(count x: P { phase[x] == b }) <= 1"),
            ("enum PPhase { a, b, c", "(count x: P { phase[x] != a }) <= 2"),
            ("symmetric P[", "phase[P#0] == a"),
        ];
        let here = known.into_iter().filter(|(declared, _)| self.text.contains(declared));
        conditions.extend(here.map(|(_, condition)| condition.to_string()));
        if conditions.is_empty() {
            return;
        }
        for _ in 0..1 + self.rng.below(5) / 4 {
            let condition = self.rng.pick(&conditions).clone();
            self.note("constraint");
            self.insertions.push((self.text.len(), format!("constraint {condition};\n")));
        }
    }

    /// A property about steps: what a variable is before one and after it.
    fn steps(&mut self, file: &ast::File) {
        let mut changes = Vec::new();
        for item in &file.items {
            match &item.kind {
                ast::ItemKind::Var(var) => changes.push((String::new(), var.name.text.clone())),
                ast::ItemKind::Process(process) => {
                    let index = |(i, index): (usize, &ast::Index)| match &index.ty {
                        Some(ty) => format!("i{i}: {}", ty.span.text(self.text)),
                        None => format!("i{i}: {}", process.name.text),
                    };
                    let indices: Vec<String> = process.indices.iter().enumerate().map(index).collect();
                    let names: Vec<String> = (0..indices.len()).map(|i| format!("i{i}")).collect();
                    let member = match names.is_empty() {
                        true => process.name.text.clone(),
                        false => format!("{}[{}]", process.name.text, names.join(", ")),
                    };
                    for part in &process.members {
                        if let ast::MemberKind::Var(var) = &part.kind {
                            changes.push((indices.join(", "), format!("{member}.{}", var.name.text)));
                        }
                    }
                }
                _ => {}
            }
        }
        if changes.is_empty() {
            return;
        }
        let (all, place) = self.rng.pick(&changes).clone();
        let same = format!("{place}' == {place}");
        let formula = match self.rng.below(5) {
            0 => format!("G F !({same})"),
            1 => format!("F G ({same})"),
            2 => format!("G ({same} -> F !({same}))"),
            3 => format!("F ({place} != {place}') -> F G ({same})"),
            _ => format!("G (({same}) -> X ({same}))"),
        };
        let formula = match all.as_str() {
            "" => formula,
            all => format!("{} {all} {{ {formula} }}", self.rng.pick(&["forall", "exists"])),
        };
        self.note("ltl.step");
        self.insertions.push((self.text.len(), format!("ltl steps = {formula};\n")));
    }

    fn priorities(&mut self) {
        // A guard may not ask for a rule of a lower priority.
        if self.text.lines().any(|line| line.contains("rule ") && line.contains("enabled(")) {
            return;
        }
        for rule in 0..self.rules.len() {
            if self.rng.chance(45) {
                self.note("rule.priority");
                let priority = *self.rng.pick(&["-1", "1", "1", "2", "1 + 1"]);
                self.insertions.push((self.rules[rule].head, format!(" priority {priority}")));
            }
        }
    }

    fn finish(mut self) -> String {
        self.insertions.sort_by_key(|(at, _)| *at);
        let mut out = self.text.to_string();
        for (at, text) in self.insertions.iter().rev() {
            out.insert_str(*at, text);
        }
        out
    }
}
