//! A readable text of a checked model: declarations with their types, and every expression with its names
//! resolved.
//!
//! It looks like the language but says more: the member that a variable belongs to, values that became
//! optional, the comparison behind `@L`. Locals carry their numbers, since a text may bind one name many
//! times.

use super::types::type_name;
use crate::hir::{
    ArithOp, Binder, Domain, Expr, ExprKind, Fairness, Initial, LocalId, Model, PropertyKind, Quantifier,
    Rule, Sequence, SetMember, SetOp, Stmt, StmtKind, Stored, Ty,
};
use burnside_ts::{Strength, Type, TypeId};
use std::fmt::Write;

/// The text of a model.
pub fn dump(model: &Model) -> String {
    let mut dump = Dump { model, out: String::new() };
    dump.declarations();
    dump.functions();
    dump.processes();
    dump.fair_sets();
    dump.block("init", &model.init);
    dump.properties();
    dump.out
}

struct Dump<'m> {
    model: &'m Model,
    out: String,
}

impl Dump<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    fn declarations(&mut self) {
        for constant in &self.model.constants {
            self.line(0, &format!("const {} = {}", constant.name, constant.value));
        }
        for var in &self.model.vars {
            let owner = var
                .process
                .map_or(String::new(), |process| format!("{}.", self.model.processes[process.index()].name));
            let ty = type_name(&self.model.types, var.ty);
            let value = self.initial(&var.initial);
            self.line(0, &format!("var {owner}{}: {ty}{value}", var.name));
        }
    }

    fn functions(&mut self) {
        for function in &self.model.functions {
            let params: Vec<String> = function.params.iter().map(|param| self.declared(*param)).collect();
            let (result, body) = (self.stored(function.result), self.expr(&function.body));
            self.line(0, &format!("fn {}({}): {result} = {body}", function.name, params.join(", ")));
        }
    }

    fn processes(&mut self) {
        for (index, process) in self.model.processes.iter().enumerate() {
            let indices: Vec<String> = process.indices.iter().map(|index| self.declared(*index)).collect();
            let indices =
                if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
            self.line(0, &format!("{}process {}{indices}", fairness(process.fairness), process.name));
            for rule in self.model.rules.iter().filter(|rule| rule.process.index() == index) {
                self.rule(rule);
            }
        }
    }

    fn fair_sets(&mut self) {
        for set in &self.model.fair_sets {
            let owner = set
                .process
                .map_or(String::new(), |process| format!("{}.", self.model.processes[process.index()].name));
            let member = |it: &SetMember| {
                let rule = &self.model.rules[it.rule.index()];
                let process = &self.model.processes[rule.process.index()].name;
                format!("{process}.{}{:?}", rule.name, it.params)
            };
            let members: Vec<String> = set.members.iter().map(member).collect();
            let fair = fairness(Some(set.fairness));
            self.line(0, &format!("{fair}set {owner}{}: {}", set.name, members.join(", ")));
        }
    }

    fn rule(&mut self, rule: &Rule) {
        let params =
            if rule.params.is_empty() { String::new() } else { format!("({})", self.binders(&rule.params)) };
        let priority =
            if rule.priority == 0 { String::new() } else { format!(" priority {}", rule.priority) };
        self.line(1, &format!("{}rule {}{params}{priority}", fairness(rule.fairness), rule.name));
        for conjunct in &rule.guard {
            let conjunct = self.expr(conjunct);
            self.line(2, &format!("when {conjunct}"));
        }
        self.statements(2, &rule.body);
    }

    fn block(&mut self, title: &str, block: &[Stmt]) {
        if !block.is_empty() {
            self.line(0, title);
            self.statements(1, block);
        }
    }

    fn properties(&mut self) {
        let deadlock = if self.model.deadlock_free { "free" } else { "allowed" };
        self.line(0, &format!("deadlock {deadlock}"));
        for property in &self.model.properties {
            let (kind, body) = match &property.kind {
                PropertyKind::Invariant(e) => ("invariant", self.expr(e)),
                PropertyKind::Reachable(e) => ("reachable", self.expr(e)),
                PropertyKind::Ltl(e) => ("ltl", self.expr(e)),
                PropertyKind::Ctl(e) => ("ctl", self.expr(e)),
                PropertyKind::Never(s) => ("never", self.sequence(s)),
            };
            self.line(0, &format!("{kind} {} = {body}", property.name));
        }
        for observed in &self.model.observed {
            let conditions: Vec<String> = observed.conditions.iter().map(|e| self.expr(e)).collect();
            self.line(0, &format!("automaton {} = {}", observed.name, conditions.join(", ")));
        }
        for constraint in &self.model.constraints {
            self.line(0, &format!("constraint {}", self.expr(constraint)));
        }
        for hint in &self.model.hints {
            self.line(0, &format!("hint {} = {}", hint.name, self.expr(&hint.condition)));
        }
        for (property, verdict) in &self.model.expectations.properties {
            self.line(0, &format!("expect {property} = {verdict}"));
        }
        for configuration in &self.model.expectations.configurations {
            self.line(0, &format!("check {{ {} }}", configuration.entries().join("; ")));
        }
    }

    fn sequence(&self, s: &Sequence) -> String {
        let join = |parts: &[Sequence], by: &str| {
            parts.iter().map(|part| self.sequence(part)).collect::<Vec<_>>().join(by)
        };
        match s {
            Sequence::State(e) => self.expr(e),
            Sequence::Then(parts) => format!("{{ {} }}", join(parts, "; ")),
            Sequence::Or(parts) => format!("{{ {} }}", join(parts, " | ")),
            Sequence::Repeat { body, least, most } => {
                let most = most.map_or(String::new(), |most| most.to_string());
                format!("{}[*{least}..{most}]", self.sequence(body))
            }
        }
    }

    fn statements(&mut self, depth: usize, block: &[Stmt]) {
        for stmt in block {
            self.statement(depth, stmt);
        }
    }

    fn statement(&mut self, depth: usize, stmt: &Stmt) {
        let text = match &stmt.kind {
            StmtKind::Assign(place, value) => format!("{}{}", self.expr(place), self.initial(value)),
            StmtKind::Let(local, value) => format!("let {}{}", self.declared(*local), self.initial(value)),
            StmtKind::Assert(e, message) => {
                let message = message.as_ref().map_or(String::new(), |message| format!(", {message:?}"));
                format!("assert {}{message}", self.expr(e))
            }
            StmtKind::Assume(e) => format!("assume {}", self.expr(e)),
            StmtKind::Push(place, e) => format!("{}.push({})", self.expr(place), self.expr(e)),
            StmtKind::Add(place, e) => format!("{}.add({})", self.expr(place), self.expr(e)),
            StmtKind::Remove(place, e) => format!("{}.remove({})", self.expr(place), self.expr(e)),
            StmtKind::Pop(place) => format!("{}.pop()", self.expr(place)),
            StmtKind::Clear(place) => format!("{}.clear()", self.expr(place)),
            StmtKind::If(condition, then, otherwise) => {
                let text = format!("if {}", self.expr(condition));
                self.line(depth, &text);
                self.statements(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "else");
                    self.statements(depth + 1, otherwise);
                }
                return;
            }
            StmtKind::For(binders, filter, body) => {
                let text = format!("for {}{}", self.binders(binders), self.filter(filter.as_ref()));
                self.line(depth, &text);
                return self.statements(depth + 1, body);
            }
        };
        self.line(depth, &text);
    }

    fn initial(&self, value: &Initial) -> String {
        match value {
            Initial::Value(e) => format!(" = {}", self.expr(e)),
            Initial::Fill(e) => format!(" = {} everywhere", self.expr(e)),
            Initial::Zero => String::new(),
            Initial::Any => String::from(" = any"),
            Initial::AnyIn(e) => format!(" = any in {}", self.expr(e)),
        }
    }

    fn stored(&self, stored: Stored) -> String {
        match stored {
            Stored::Int => String::from("int"),
            Stored::Type(ty) => type_name(&self.model.types, ty),
        }
    }

    fn local(&self, local: LocalId) -> String {
        format!("{}%{}", self.model.locals[local.index()].name, local.0)
    }

    fn declared(&self, local: LocalId) -> String {
        format!("{}: {}", self.local(local), self.stored(self.model.locals[local.index()].ty))
    }

    fn binders(&self, binders: &[Binder]) -> String {
        let binder = |binder: &Binder| match &binder.domain {
            Domain::Type => self.declared(binder.local),
            Domain::Collection(e) => format!("{} in {}", self.local(binder.local), self.expr(e)),
        };
        binders.iter().map(binder).collect::<Vec<_>>().join(", ")
    }

    fn filter(&self, filter: Option<&Expr>) -> String {
        filter.map_or(String::new(), |filter| format!(" where {}", self.expr(filter)))
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn infix(&self, a: &Expr, op: &str, b: &Expr) -> String {
        format!("({} {op} {})", self.expr(a), self.expr(b))
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(value) => self.constant(*value, e.ty),
            ExprKind::Var(var, member) => self.var(var.index(), member),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Index(base, index) => format!("{}[{}]", self.expr(base), self.expr(index)),
            ExprKind::Field(base, field) => format!("{}.{}", self.expr(base), self.field(base.ty, *field)),
            ExprKind::Unwrap(base) => format!("{}!", self.expr(base)),
            ExprKind::Next(inner) => format!("({})'", self.expr(inner)),
            ExprKind::None => String::from("none"),
            ExprKind::Some(e) => format!("some({})", self.expr(e)),
            ExprKind::Not(e) => format!("!{}", self.expr(e)),
            ExprKind::Neg(e) => format!("-{}", self.expr(e)),
            ExprKind::Arith(op, a, b) => self.infix(a, arith(*op), b),
            ExprKind::Rotate { element, steps, backwards } => {
                self.infix(element, if *backwards { "-" } else { "+" }, steps)
            }
            ExprKind::Ord(e) => format!("ord({})", self.expr(e)),
            ExprKind::Element(number) => format!("{}#({})", self.ty(e.ty), self.expr(number)),
            ExprKind::Equal(negated, a, b) => self.infix(a, if *negated { "!=" } else { "==" }, b),
            ExprKind::Less { left, right, or_equal } => {
                self.infix(left, if *or_equal { "<=" } else { "<" }, right)
            }
            ExprKind::And(a, b) => self.infix(a, "&&", b),
            ExprKind::Or(a, b) => self.infix(a, "||", b),
            ExprKind::Implies(a, b) => self.infix(a, "->", b),
            ExprKind::Iff(a, b) => self.infix(a, "<->", b),
            ExprKind::If(c, a, b) => {
                format!("(if {} then {} else {})", self.expr(c), self.expr(a), self.expr(b))
            }
            ExprKind::Let(local, value, body) => {
                format!("(let {} = {}; {})", self.local(*local), self.expr(value), self.expr(body))
            }
            ExprKind::Block(statements, value) => {
                let mut inside = Self { out: String::new(), ..*self };
                inside.block("block", statements);
                let text = inside.out.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("({text}; {})", self.expr(value))
            }
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                let (binders, filter) = (self.binders(binders), self.filter(filter.as_deref()));
                format!("({} {binders}{filter} {{ {} }})", quantifier_name(*quantifier), self.expr(body))
            }
            ExprKind::Call(function, args) => {
                format!("{}({})", self.model.functions[function.index()].name, self.list(args))
            }
            ExprKind::Extremum(greater, a, b) => {
                format!("{}({}, {})", if *greater { "max" } else { "min" }, self.expr(a), self.expr(b))
            }
            ExprKind::Abs(e) => format!("abs({})", self.expr(e)),
            _ => self.compound(e),
        }
    }

    fn compound(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Record(fields) => format!("{}({})", self.ty(e.ty), self.list(fields)),
            ExprKind::Array(items) => format!("[{}]", self.list(items)),
            ExprKind::ArrayOf(local, body) => format!("[{} => {}]", self.declared(*local), self.expr(body)),
            ExprKind::Empty => String::from("empty"),
            ExprKind::Set(items) => format!("{{{}}}", self.list(items)),
            ExprKind::SetOf(binder, filter) => {
                format!("{{{} where {}}}", self.binders(std::slice::from_ref(binder)), self.expr(filter))
            }
            ExprKind::SetOp(op, a, b) => {
                let op = match op {
                    SetOp::Union => "|",
                    SetOp::Intersection => "&",
                    SetOp::Difference => "\\",
                };
                self.infix(a, op, b)
            }
            ExprKind::Subset(a, b) => self.infix(a, "subset", b),
            ExprKind::In(a, b) => self.infix(a, "in", b),
            ExprKind::Size(e) => format!("{}.size()", self.expr(e)),
            ExprKind::Full(e) => format!("{}.full()", self.expr(e)),
            ExprKind::Majority(e) => format!("{}.majority()", self.expr(e)),
            ExprKind::Concat(a, b) => format!("({} + {})", self.expr(a), self.expr(b)),
            ExprKind::Slice(q, a, b) => format!("{}[{}..{}]", self.expr(q), self.expr(a), self.expr(b)),
            ExprKind::End(back, e) => format!("{}.{}()", self.expr(e), if *back { "back" } else { "front" }),
            ExprKind::Count(bag, e) => format!("{}.count({})", self.expr(bag), self.expr(e)),
            ExprKind::Enabled { rules, member, args } => {
                self.enabled(rules, member.as_deref(), args.as_deref())
            }
            ExprKind::Temporal(op, body) => format!("{op} {}", self.expr(body)),
            ExprKind::Until(op, a, b) => self.infix(a, &format!("{op:?}"), b),
            ExprKind::Path { exists, body } => {
                format!("{}[{}]", if *exists { "E" } else { "A" }, self.expr(body))
            }
            _ => String::from("?"),
        }
    }

    fn enabled(
        &self,
        rules: &[crate::hir::RuleId],
        member: Option<&[Expr]>,
        args: Option<&[Expr]>,
    ) -> String {
        let names: Vec<&str> =
            rules.iter().map(|rule| self.model.rules[rule.index()].name.as_str()).collect();
        let owner = rules.first().map(|rule| self.model.rules[rule.index()].process);
        let owner = owner.map_or("", |process| self.model.processes[process.index()].name.as_str());
        let member = match member {
            None => String::from("[some]"),
            Some([]) => String::new(),
            Some(indices) => format!("[{}]", self.list(indices)),
        };
        let args = args.map_or(String::new(), |args| format!("({})", self.list(args)));
        format!("enabled({owner}{member}.{}{args})", names.join("|"))
    }

    fn constant(&self, value: i64, ty: Ty) -> String {
        let Ty::Of(id) = ty else { return value.to_string() };
        match *self.model.types.get(id) {
            Type::Bool => (value != 0).to_string(),
            Type::Enum(id) => {
                let enumeration = self.model.types.enumeration(id);
                format!("{}.{}", enumeration.name, enumeration.constants[value as usize])
            }
            Type::Sort(id) => format!("{}#{value}", self.model.types.sort(id).name),
            _ => value.to_string(),
        }
    }

    fn var(&self, var: usize, member: &[Expr]) -> String {
        let var = &self.model.vars[var];
        let Some(process) = var.process else { return var.name.clone() };
        let process = &self.model.processes[process.index()].name;
        let member = if member.is_empty() { String::new() } else { format!("[{}]", self.list(member)) };
        format!("{process}{member}.{}", var.name)
    }

    fn field(&self, record: Ty, field: u32) -> String {
        let Ty::Of(id) = record else { return field.to_string() };
        match *self.model.types.get(id) {
            Type::Record(id) => self.model.types.record(id).fields[field as usize].name.clone(),
            _ => field.to_string(),
        }
    }

    fn ty(&self, ty: Ty) -> String {
        let name = |id: TypeId| type_name(&self.model.types, id);
        match ty {
            Ty::Int => String::from("int"),
            Ty::Of(id) => name(id),
        }
    }
}

fn fairness(fairness: Option<Fairness>) -> String {
    let Some(Fairness { strength, changing }) = fairness else { return String::new() };
    let strong = if strength == Strength::Strong { "strong " } else { "" };
    format!("{strong}fair {}", if changing { "changing " } else { "" })
}

fn arith(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div => "/",
        ArithOp::Rem => "%",
    }
}

fn quantifier_name(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
        Quantifier::Count => "count",
        Quantifier::Sum => "sum",
        Quantifier::Min => "min",
        Quantifier::Max => "max",
    }
}
