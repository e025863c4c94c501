//! Random `match`es, as statements and as expressions.

use super::expr::Text;
use super::scope::Generator;
use super::types::Ty;

/// The cases of an arm as they are written, and the names for what they hold.
struct Arm {
    text: String,
    names: Vec<(String, Ty)>,
}

impl Generator {
    /// `match e { a => { … } _ => { … } }`
    pub fn match_stmt(&mut self, depth: u32, indent: usize) -> Option<String> {
        let (value, arms) = self.arms(depth)?;
        let close = "    ".repeat(indent + 1);
        let mut lines = Vec::new();
        for Arm { text, names } in arms {
            let body = self.scoped(|generator| {
                names.iter().for_each(|(name, ty)| generator.bind(name, ty, false));
                generator.block(depth - 1, indent + 2)
            });
            lines.push(format!("{close}{text} => {{\n{body}\n{close}}}"));
        }
        self.note("stmt.match");
        Some(format!("match {value} {{\n{}\n{}}}", lines.join("\n"), "    ".repeat(indent)))
    }

    /// `match e { a => x, _ => y }`
    pub fn match_expr(&mut self, ty: &Ty, depth: u32) -> Option<Text> {
        let (value, arms) = self.arms(depth)?;
        let mut texts = Vec::new();
        for Arm { text, names } in arms {
            let body = self.scoped(|generator| {
                names.iter().for_each(|(name, ty)| generator.bind(name, ty, false));
                generator.body(ty, depth - 1)
            })?;
            let braces = body.starts_with("let ") || body.starts_with('{') || self.rng.chance(30);
            texts.push(if braces { format!("{text} => {{ {body} }}") } else { format!("{text} => {body},") });
        }
        self.note("expr.match");
        Some((format!("match {value} {{ {} }}", texts.join(" ")), 8))
    }

    /// What is looked at, and its cases in some order, perhaps the last of them as `_`.
    fn arms(&mut self, depth: u32) -> Option<(String, Vec<Arm>)> {
        let (value, ty) = (0..6).find_map(|_| {
            let found = self.place(None, false, depth.min(1))?;
            let name = found.0.chars().all(|c| c.is_alphanumeric() || "_.[], #".contains(c));
            (name && matches!(found.1, Ty::Bool | Ty::Enum(_) | Ty::Option(_) | Ty::Union(_)))
                .then_some(found)
        })?;
        let mut arms = self.cases(&ty);
        let turn = self.rng.below(arms.len());
        arms.rotate_left(turn);
        if arms.len() > 2 && self.rng.chance(40) {
            let (a, b) = (arms.pop()?, arms.pop()?);
            self.note("match.alternatives");
            let nameless = |arm: &Arm| {
                arm.names.iter().fold(arm.text.clone(), |text, (name, _)| text.replace(name, "_"))
            };
            arms.push(Arm { text: format!("{} | {}", nameless(&a), nameless(&b)), names: Vec::new() });
        }
        if self.rng.chance(30) {
            self.note("match.rest");
            *arms.last_mut()? = Arm { text: "_".to_string(), names: Vec::new() };
        }
        Some((value, arms))
    }

    fn cases(&mut self, ty: &Ty) -> Vec<Arm> {
        let plain = |text: String| Arm { text, names: Vec::new() };
        match ty {
            Ty::Bool => {
                self.note("match.bool");
                ["false", "true"].map(|text| plain(text.to_string())).into()
            }
            Ty::Enum(i) => {
                self.note("match.enum");
                let e = self.types.enums[*i].clone();
                let qualified = self.rng.chance(20);
                let text =
                    |name: &String| if qualified { format!("{}.{name}", e.name) } else { name.clone() };
                e.constants.iter().map(|name| plain(text(name))).collect()
            }
            Ty::Option(inner) => {
                self.note("match.option");
                let name = self.name();
                let some = Arm { text: format!("some({name})"), names: vec![(name, (**inner).clone())] };
                vec![plain("none".to_string()), some]
            }
            Ty::Union(i) => {
                let union = self.types.unions[*i].clone();
                self.note(if union.of_types { "match.types" } else { "match.union" });
                union.cases.into_iter().map(|(case, parts)| self.case_arm(case, parts)).collect()
            }
            _ => unreachable!("a type without cases"),
        }
    }

    /// A case of a union, with names for some of what it holds, in order or by the names of fields.
    fn case_arm(&mut self, case: String, parts: Vec<(String, Ty)>) -> Arm {
        if parts.is_empty() || self.rng.chance(15) {
            return Arm { text: case, names: Vec::new() };
        }
        let by_name = parts.iter().all(|(field, _)| !field.is_empty()) && self.rng.chance(40);
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        for (field, ty) in parts {
            let left_out = self.rng.chance(25);
            if by_name && left_out {
                continue;
            }
            self.fresh += 1;
            let name = if left_out { "_".to_string() } else { format!("h_{}", self.fresh) };
            texts.push(if by_name { format!("{field}: {name}") } else { name.clone() });
            if !left_out {
                names.push((name, ty));
            }
        }
        match texts.is_empty() {
            true => Arm { text: case, names },
            false => Arm { text: format!("{case}({})", texts.join(", ")), names },
        }
    }

    /// A value of a union.
    pub fn case_value(&mut self, i: usize, depth: u32) -> Option<Text> {
        let union = self.types.unions[i].clone();
        let (case, parts) = self.rng.pick(&union.cases).clone();
        if union.of_types {
            self.note("union.part");
            return self.value(&parts[0].1, depth);
        }
        let mut values = Vec::new();
        for (field, ty) in &parts {
            values.push((field, self.value(ty, depth)?.0));
        }
        self.note("union.value");
        let qualified = self.rng.chance(15);
        let by_name = !qualified && self.rng.chance(40);
        let text = |(field, value): &(&String, String)| match by_name {
            true => format!("{field}: {value}"),
            false => value.clone(),
        };
        let values: Vec<String> = values.iter().map(text).collect();
        let name = if qualified { format!("{}.{case}", union.name) } else { case };
        Some((if values.is_empty() { name } else { format!("{name}({})", values.join(", ")) }, 9))
    }

    /// `e is a`
    pub fn is_case(&mut self, depth: u32) -> Option<Text> {
        let (value, arms) = self.arms(depth)?;
        let cases: Vec<String> = arms
            .into_iter()
            .flat_map(|arm| arm.text.split(" | ").map(str::to_string).collect::<Vec<_>>())
            .map(|text| text.split('(').next().unwrap_or_default().to_string())
            .filter(|text| text != "_")
            .collect();
        if cases.is_empty() {
            return None;
        }
        self.note("is");
        Some((format!("{value} is {}", self.rng.pick(&cases)), 5))
    }
}
