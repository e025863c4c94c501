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
            (name && matches!(found.1, Ty::Bool | Ty::Enum(_) | Ty::Option(_))).then_some(found)
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
            _ => unreachable!("a type without cases"),
        }
    }
}
