//! A transition system for the curious: layout, rules, fairness units, properties. The number before a part
//! of a guard says how many parameters must be bound before it is tested.

use crate::output::code::Code;
use crate::output::{pad, pad_left, plural};
use burnside_report::names::show_type;
use burnside_ts::{
    Domain, Fair, Formula, Param, Path, Question, RuleId, Sequence, Strength, System, Temporal,
};
use std::fmt::Write;

/// The whole system as text.
pub fn describe(system: &System) -> String {
    let mut text = Text { system, code: Code::new(system), out: String::new() };
    text.layout();
    text.functions();
    text.init();
    text.rules();
    text.units();
    text.properties();
    text.out
}

struct Text<'s> {
    system: &'s System,
    code: Code<'s>,
    out: String,
}

impl Text<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.out, "{text}").expect("to a string");
    }

    fn layout(&mut self) {
        let system = self.system;
        let bits = plural(u64::from(system.width), "bit", "bits");
        self.line(&format!("state: {bits} in {}", plural(system.words() as u64, "word", "words")));
        let name_width = system.vars.iter().map(|var| var.name.len()).max().unwrap_or(0);
        for var in &system.vars {
            let owner = var.process.map_or(String::new(), |id| format!("  of {}", system.process(id).name));
            let (at, width) = (var.offset.to_string(), system.types.width(var.ty).to_string());
            let name = pad(&var.name, name_width);
            let ty = show_type(system, var.ty);
            self.line(&format!("  {} +{}  {name}: {ty}{owner}", pad_left(&at, 6), pad(&width, 5)));
        }
        self.line(&format!("frame: {}", plural(system.frame as u64, "word", "words")));
    }

    fn functions(&mut self) {
        for (i, function) in self.system.functions.iter().enumerate() {
            let body = self.code.function(function, 1);
            self.line(&format!("\nfunction f{i}\n{}", body.trim_end()));
        }
    }

    fn init(&mut self) {
        let body = self.code.block(&self.system.init, 1);
        let body = if body.is_empty() { "  all bits are zero" } else { body.trim_end() };
        self.line(&format!("\ninit\n{body}"));
    }

    fn rules(&mut self) {
        for rule in 0..self.system.rules.len() as u32 {
            let text = self.rule(RuleId(rule));
            self.line(&format!("\n{}", text.trim_end()));
        }
    }

    fn rule(&self, id: RuleId) -> String {
        let rule = self.system.rule(id);
        let params: Vec<_> = rule.params.iter().map(|param| self.param(param)).collect();
        let mut text = format!("rule {}({})\n", self.system.show_rule(id), params.join(", "));
        for part in &rule.guard {
            let condition = self.code.expr(&part.condition);
            text.push_str(&format!("  when [{}] {condition}\n", part.level));
        }
        text.push_str(&self.code.block(&rule.body, 1));
        text
    }

    fn param(&self, param: &Param) -> String {
        let target = self.code.target(param.binder.target);
        let ty = show_type(self.system, param.binder.ty);
        match &param.binder.domain {
            Domain::Type => format!("{} {target}: {ty}", param.name),
            Domain::Collection(from) => {
                format!("{} {target}: {ty} in {}", param.name, self.code.collection(from))
            }
        }
    }

    fn units(&mut self) {
        let count = plural(u64::from(self.system.units()), "fairness unit", "fairness units");
        self.line(&format!("\n{count}"));
        for family in &self.system.fairness {
            let strength = match family.strength {
                Strength::Weak => "weak",
                Strength::Strong => "strong",
            };
            let target = match family.target {
                Fair::Process(id) => format!("process {}", self.system.process(id).name),
                Fair::Rule(id) => format!("rule {}", self.system.show_rule(id)),
                Fair::Set(id) => {
                    let set = self.system.fair_set(id);
                    let process = set.process.map(|process| &self.system.process(process).name);
                    format!("set {}{}", process.map_or(String::new(), |name| format!("{name}.")), set.name)
                }
            };
            let first = family.first.0;
            let last = (first + family.count).saturating_sub(1);
            let changing = if family.changing { "changing " } else { "" };
            self.line(&format!("  {first}..{last}  {strength}  {changing}{target}"));
        }
    }

    fn properties(&mut self) {
        let deadlock = if self.system.deadlock_free { "an error" } else { "allowed" };
        self.line(&format!("\ndeadlock: {deadlock}"));
        for property in &self.system.properties {
            let question = match &property.question {
                Question::Invariant(condition) => format!("invariant {}", self.code.expr(condition)),
                Question::Reachable(condition) => format!("reachable {}", self.code.expr(condition)),
                Question::Bound(expr) => format!("bound {}", self.code.expr(expr)),
                Question::Sequence(sequence) => format!("never {}", self.sequence(sequence)),
                Question::Linear(formula) => format!("ltl {}", self.formula(formula)),
                Question::Branching(formula) => format!("ctl {}", self.formula(formula)),
                Question::Automaton(_, conditions) => {
                    let conditions: Vec<_> = conditions.iter().map(|one| self.code.expr(one)).collect();
                    format!("automaton over {}", conditions.join(", "))
                }
                Question::Fault | Question::Deadlock => property.question.kind().to_string(),
            };
            self.line(&format!("property {}: {question}", property.name));
        }
        for hint in &self.system.hints {
            self.line(&format!("hint {}: {}", hint.name, self.code.expr(&hint.condition)));
        }
    }

    fn sequence(&self, sequence: &Sequence) -> String {
        let all = |parts: &[Sequence], between: &str| {
            let parts: Vec<_> = parts.iter().map(|part| self.sequence(part)).collect();
            format!("{{{}}}", parts.join(between))
        };
        match sequence {
            Sequence::State(condition) => self.code.expr(condition),
            Sequence::Then(parts) => all(parts, "; "),
            Sequence::Or(parts) => all(parts, " | "),
            Sequence::Repeat(body, least, most) => {
                let most = most.map_or(String::new(), |most| most.to_string());
                format!("{}[*{least}..{most}]", self.sequence(body))
            }
        }
    }

    fn formula(&self, formula: &Formula) -> String {
        let two = |parts: &[Formula; 2], sign: &str| {
            format!("({} {sign} {})", self.formula(&parts[0]), self.formula(&parts[1]))
        };
        match formula {
            Formula::Atom(condition, _) => self.code.expr(condition),
            Formula::Not(inner) => format!("!{}", self.formula(inner)),
            Formula::And(parts) => two(parts, "&&"),
            Formula::Or(parts) => two(parts, "||"),
            Formula::Implies(parts) => two(parts, "->"),
            Formula::Iff(parts) => two(parts, "<->"),
            Formula::Forall(binder, body) => {
                format!("forall {} {{ {} }}", self.code.binder(binder), self.formula(body))
            }
            Formula::Exists(binder, body) => {
                format!("exists {} {{ {} }}", self.code.binder(binder), self.formula(body))
            }
            Formula::Temporal(path, temporal) => {
                let path = path.map_or("", |path| if path == Path::All { "A" } else { "E" });
                format!("{path}{}", self.temporal(temporal))
            }
        }
    }

    fn temporal(&self, temporal: &Temporal) -> String {
        let sign = temporal.letter();
        let inside: Vec<_> = temporal.children().iter().map(|inner| self.formula(inner)).collect();
        match &*inside {
            [left, right] => format!("({left} {sign} {right})"),
            inner => format!("{sign} {}", inner[0]),
        }
    }
}
