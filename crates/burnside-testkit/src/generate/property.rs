//! Random properties.

use super::formula;
use super::model::Item;
use super::scope::{Generator, Place};

impl Generator {
    pub fn properties(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        if self.rng.chance(60) {
            items.push(Item::property(format!(
                "deadlock {};",
                self.rng.pick(&["free", "allowed", "allowed"])
            )));
        }
        self.at = Place { vars: self.vars.len(), readers: true, property: true, ..Place::default() };
        for i in 0..self.rng.between(1, 3) {
            let Some((body, _)) = self.boolean(3) else { continue };
            items.push(Item::property(match self.rng.chance(50) {
                true => {
                    self.note("invariant");
                    format!("invariant q{i} = {body};")
                }
                false => {
                    self.note("reachable");
                    format!("reachable q{i} = {body};")
                }
            }));
        }
        if self.rng.chance(45) {
            self.note("never");
            items.push(Item::property(format!("never q9 {{ {} }}", self.sequence(2))));
        }
        if self.rng.chance(40) {
            // `[]` is an operator here.
            let atoms = (0..9).filter_map(|_| Some(self.boolean(1)?.0)).filter(|atom| !atom.contains("[]"));
            let atoms: Vec<String> = atoms.take(2).chain(["true".to_string()]).collect();
            let steps: Vec<String> = (0..2).filter_map(|_| self.step_condition()).collect();
            self.note("ltl");
            let atoms_of_steps = [&atoms[..], &steps].concat();
            if !steps.is_empty() {
                self.note("ltl.step");
                let text = formula::ltl(&mut self.rng, &atoms_of_steps, 2);
                items.push(Item::property(format!("ltl q6 = {text};")));
            }
            items.push(Item::property(format!("ltl q7 = {};", formula::ltl(&mut self.rng, &atoms, 3))));
            self.note("ctl");
            items.push(Item::property(format!("ctl q8 = {};", formula::ctl(&mut self.rng, &atoms, 3))));
        }
        items
    }

    /// A condition on a step: something is compared with what it, or something of its type, becomes.
    fn step_condition(&mut self) -> Option<String> {
        let (left, ty) = self.place(None, false, 1)?;
        let right = match self.rng.chance(60) {
            true => left.clone(),
            false => self.place(Some(&ty), false, 1)?.0,
        };
        // `[]` is an operator here.
        if [&left, &right].iter().any(|text| text.contains('{') || text.contains("[]")) {
            return None;
        }
        let op = match ty {
            super::types::Ty::Int | super::types::Ty::Range(..) => *self.rng.pick(&["==", "!=", "<", ">="]),
            super::types::Ty::Set(_) if self.rng.chance(50) => "subset",
            _ => *self.rng.pick(&["==", "!="]),
        };
        Some(match self.rng.below(4) {
            0 => format!("{left} {op} ({right})'"),
            1 => format!("({left})' {op} {right} && ({left})' {op} ({right})'"),
            2 => format!("(({left}) {op} ({right}))' -> {left} {op} ({right})'"),
            _ => format!("({left})' {op} {right}"),
        })
    }

    /// A sequence that matches at least one state.
    fn sequence(&mut self, depth: u32) -> String {
        // A brace at the start would be a group.
        let state = |generator: &mut Self| match generator.boolean(1) {
            Some((text, _)) if text.starts_with('{') => format!("({text})"),
            Some((text, _)) => text,
            None => "true".to_string(),
        };
        if depth == 0 {
            return state(self);
        }
        match self.rng.below(8) {
            0 => state(self),
            1 => {
                let repeat = *self.rng.pick(&["[+]", "[*2]", "[*1..3]", "[*2..2]"]);
                format!("{}{repeat}", self.grouped(depth - 1))
            }
            2 => format!("{} | {}", self.grouped(depth - 1), self.grouped(depth - 1)),
            3..6 => format!("{}; {}", self.sequence(depth - 1), state(self)),
            _ => {
                let repeat = *self.rng.pick(&["[*]", "[*0..2]", "[+]"]);
                format!("{}; ({}){repeat}; {}", self.grouped(depth - 1), state(self), state(self))
            }
        }
    }

    fn grouped(&mut self, depth: u32) -> String {
        format!("{{ {} }}", self.sequence(depth))
    }
}
