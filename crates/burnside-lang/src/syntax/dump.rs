//! The syntax tree as S-expressions: complete except for spans, so two trees that print alike are alike.
//! Entry points: [`sexpr`] and [`sexpr_expr`]. One line per declaration, member and statement; expressions on
//! one line.

use super::ast::*;
use std::fmt::{self, Display, Formatter};

/// The whole file, one declaration after the other.
pub fn sexpr(file: &File) -> String {
    let mut out = Out::default();
    for item in &file.items {
        out.item(item);
    }
    out.text
}

/// One expression.
pub fn sexpr_expr(expr: &Expr) -> String {
    expr.to_string()
}

/// Lines with indentation.
#[derive(Default)]
struct Out {
    text: String,
    indent: usize,
}

impl Out {
    fn line(&mut self, text: impl Display) {
        self.text.push_str(&format!("{:indent$}{text}\n", "", indent = 2 * self.indent));
    }

    /// A line with other lines inside its parentheses.
    fn nest(&mut self, head: impl Display, inside: impl FnOnce(&mut Self)) {
        self.line(format_args!("({head}"));
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.text.pop();
        self.text.push_str(")\n");
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Const { name, ty, value: Some(value) } => {
                self.line(format_args!("(const {name}{} {value})", Given(ty)))
            }
            ItemKind::Const { name, ty, value: None } => {
                self.line(format_args!("(const {name}{})", Given(ty)))
            }
            ItemKind::Import { path, alias } => {
                let alias = alias.as_ref().map_or(String::new(), |alias| format!(" {alias}"));
                self.line(format_args!("(import {:?}{alias})", path.text))
            }
            ItemKind::Constraint(condition) => self.line(format_args!("(constraint {condition})")),
            ItemKind::Type { name, ty } => self.line(format_args!("(type {name} {ty})")),
            ItemKind::Sort { ring: true, name, size } => self.line(format_args!("(ring {name} {size})")),
            ItemKind::Sort { name, size, .. } => self.line(format_args!("(symmetric {name} {size})")),
            ItemKind::Enum { name, constants } => self.line(format_args!("(enum {name}{})", All(constants))),
            ItemKind::Union { name, variants } => self.line(format_args!("(enum {name}{})", All(variants))),
            ItemKind::Record { name, fields } => self.line(format_args!("(record {name}{})", All(fields))),
            ItemKind::Var(var) => self.line(var),
            ItemKind::Function { name, params, result, body } => {
                self.line(format_args!("(fn {name} (params{}) {result} {body})", All(params)));
            }
            ItemKind::Proc { name, params, body } => {
                self.nest(format!("proc {name}{}", All(params)), |out| out.block(body));
            }
            ItemKind::Init(block) => self.nest("init", |out| out.block(block)),
            ItemKind::Process(process) => self.process(process),
            ItemKind::Fair(set) => self.fair_set(set),
            ItemKind::Symmetry(generators) => self.nest("symmetry", |out| {
                for Generator { parts, .. } in generators {
                    out.line(format_args!("(generator{})", All(parts)));
                }
            }),
            ItemKind::Property(property) => match item.expect {
                Some(Expect { verdict, .. }) => self.line(format_args!("(expect {verdict} {property})")),
                None => self.line(property),
            },
            ItemKind::Check(entries) => self.line(format_args!("(check{})", All(entries))),
            ItemKind::Hint { name, body } => self.line(format_args!("(hint {name} {body})")),
        }
    }

    fn process(&mut self, process: &Process) {
        let Process { fairness, name, indices, members } = process;
        let head = format!("{}process {name}{}", Fair(fairness), Listed("index", indices));
        self.nest(head, |out| {
            for member in members {
                out.member(member);
            }
        });
    }

    fn member(&mut self, member: &Member) {
        match &member.kind {
            MemberKind::Var(var) => self.line(var),
            MemberKind::Locations(names) => self.line(format_args!("(locations{})", All(names))),
            MemberKind::Rule(rule) => self.rule(rule),
            MemberKind::Fair(set) => self.fair_set(set),
            MemberKind::At(names, rules) => self.nest(format_args!("at{}", All(names)), |out| {
                for rule in rules {
                    out.rule(rule);
                }
            }),
        }
    }

    fn fair_set(&mut self, set: &FairSet) {
        let FairSet { fairness, name, params, members } = set;
        let name = name.as_ref().map_or("_", |name| name.text.as_str());
        let (fair, params) = (Fair(&Some(*fairness)), Listed("params", params));
        self.line(format_args!("({fair}set {name}{params}{})", All(members)));
    }

    fn rule(&mut self, rule: &Rule) {
        let Rule { fairness, name, params, priority, at, guard, body, .. } = rule;
        let mut head =
            format!("{}rule {name}{}{}", Fair(fairness), Listed("params", params), Listed("at", at));
        if let Some(priority) = priority {
            head.push_str(&format!(" (priority {priority})"));
        }
        if let Some(guard) = guard {
            head.push_str(&format!(" (when {guard})"));
        }
        self.nest(head, |out| out.block(body));
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign { target, value } => self.line(format_args!("(= {target} {value})")),
            StmtKind::Let { name, ty, value } => self.line(format_args!("(let {name}{} {value})", Given(ty))),
            StmtKind::Var(var) => self.line(var),
            StmtKind::If { condition, then, otherwise } => self.if_stmt(condition, then, otherwise),
            StmtKind::Match { value, arms } => self.nest(format_args!("match {value}"), |out| {
                for arm in arms {
                    out.nest(format_args!("case{}", All(&arm.patterns)), |out| out.block(&arm.body));
                }
            }),
            StmtKind::For { binders, filter, body } => {
                self.nest(format_args!("for{}{}", All(binders), Filter(filter.as_ref())), |out| {
                    out.block(body)
                });
            }
            StmtKind::Assert { condition, message: None } => self.line(format_args!("(assert {condition})")),
            StmtKind::Assert { condition, message: Some(message) } => {
                self.line(format_args!("(assert {condition} {message:?})"));
            }
            StmtKind::Assume(condition) => self.line(format_args!("(assume {condition})")),
            StmtKind::Goto(name) => self.line(format_args!("(goto {name})")),
            StmtKind::Method { target, method, args } => {
                self.line(format_args!("(call {target} {method}{})", All(args)));
            }
            StmtKind::Call { name, args } => self.line(format_args!("(do {name}{})", All(args))),
            StmtKind::Error => self.line("error"),
        }
    }

    fn if_stmt(&mut self, condition: &Expr, then: &Block, otherwise: &Option<Block>) {
        self.nest(format_args!("if {condition}"), |out| {
            out.nest("then", |out| out.block(then));
            if let Some(otherwise) = otherwise {
                out.nest("else", |out| out.block(otherwise));
            }
        });
    }
}

/// Things each with a space before it.
struct All<'a, T>(&'a [T]);

impl<T: Display> Display for All<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|item| write!(f, " {item}"))
    }
}

/// ` (word things)`, or nothing if there are none.
struct Listed<'a, T>(&'static str, &'a [T]);

impl<T: Display> Display for Listed<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() { Ok(()) } else { write!(f, " ({}{})", self.0, All(self.1)) }
    }
}

/// Something optional with a space before it.
struct Given<'a, T>(&'a Option<T>);

impl<T: Display> Display for Given<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|item| write!(f, " {item}"))
    }
}

struct Filter<'a>(Option<&'a Expr>);

impl Display for Filter<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|filter| write!(f, " (where {filter})"))
    }
}

struct Fair<'a>(&'a Option<Fairness>);

impl Display for Fair<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            None => "",
            Some(Fairness { strong: false, .. }) => "fair ",
            Some(Fairness { strong: true, .. }) => "strong fair ",
        })
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.text.is_empty() { "error" } else { &self.text })
    }
}

impl Display for Var {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "(var {} {}{})", self.name, self.ty, Given(&self.value))
    }
}

impl Display for Initial {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Initial::Expr(expr) => write!(f, "{expr}"),
            Initial::Any(_) => f.write_str("any"),
            Initial::AnyIn(_, expr) => write!(f, "(any {expr})"),
        }
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.inout { write!(f, "(inout {})", self.field) } else { self.field.fmt(f) }
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({} {})", self.name, self.ty)
    }
}

impl Display for Variant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.fields.is_empty() {
            true => write!(f, "{}", self.name),
            false => write!(f, "({}{})", self.name, All(&self.fields)),
        }
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.ty)?;
        for cycle in &self.cycles {
            let elements: Vec<String> = cycle.iter().map(Element::to_string).collect();
            write!(f, " ({})", elements.join(" "))?;
        }
        write!(f, ")")
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ElementKind::Number(number) => write!(f, "{number}"),
            ElementKind::Name(name) => write!(f, "{name}"),
            ElementKind::Error => write!(f, "error"),
        }
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "(= {} {})", self.key, self.value)
    }
}

impl Display for Index {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.ty {
            Some(ty) => write!(f, "({} {ty})", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

impl Display for Binder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = All(&self.names);
        match &self.domain {
            Domain::Type(ty) => write!(f, "(:{names} {ty})"),
            Domain::Collection(expr) => write!(f, "(in{names} {expr})"),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PatternKind::Rest => f.write_str("_"),
            PatternKind::None => f.write_str("none"),
            PatternKind::Bool(value) => write!(f, "{value}"),
            PatternKind::Case { of: None, name, parts: None } => write!(f, "{name}"),
            PatternKind::Case { of, name, parts } => {
                write!(f, "(of{} {name}", Given(of))?;
                parts.iter().try_for_each(|parts| write!(f, " (parts{})", All(parts)))?;
                f.write_str(")")
            }
            PatternKind::Error => f.write_str("error"),
        }
    }
}

impl Display for PatternPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "({field} {})", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TypeKind::Bool => f.write_str("bool"),
            TypeKind::Int => f.write_str("int"),
            TypeKind::Range(low, high) => write!(f, "(.. {low} {high})"),
            TypeKind::Name(name) => write!(f, "{name}"),
            TypeKind::Optional(ty) => write!(f, "(? {ty})"),
            TypeKind::Array(indices, ty) => write!(f, "(array{} {ty})", All(indices)),
            TypeKind::Set(ty) => write!(f, "(set {ty})"),
            TypeKind::Queue(size, ty) => write!(f, "(queue {size} {ty})"),
            TypeKind::Bag(size, ty) => write!(f, "(bag {size} {ty})"),
            TypeKind::Union(names) => write!(f, "(|{})", All(names)),
            TypeKind::Error => f.write_str("error"),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Bool(value) => write!(f, "{value}"),
            ExprKind::None => f.write_str("none"),
            ExprKind::Name(name) => f.write_str(name),
            ExprKind::Element(name, number) => write!(f, "(# {name} {number})"),
            ExprKind::Paren(inner) => write!(f, "(paren {inner})"),
            ExprKind::Unary(UnaryOp::Not, e) => write!(f, "(! {e})"),
            ExprKind::Unary(UnaryOp::Neg, e) => write!(f, "(- {e})"),
            ExprKind::Binary(op, left, right) => write!(f, "({} {left} {right})", binary_text(*op)),
            ExprKind::LeadsTo(left, right) => write!(f, "(~> {left} {right})"),
            // As the tree that it stands for.
            ExprKind::Chain(operands, ops) => {
                ops.iter().rev().try_for_each(|op| write!(f, "({} ", binary_text(*op)))?;
                let mut operands = operands.iter();
                operands.by_ref().take(1).try_for_each(|first| write!(f, "{first}"))?;
                operands.try_for_each(|operand| write!(f, " {operand})"))
            }
            ExprKind::Index(base, indices) => write!(f, "(index {base}{})", All(indices)),
            ExprKind::Slice(base, from, to) => write!(f, "(slice {base} {from} {to})"),
            ExprKind::Field(base, name) => write!(f, "(. {base} {name})"),
            ExprKind::Unwrap(base) => write!(f, "(unwrap {base})"),
            ExprKind::Next(base) => write!(f, "(next {base})"),
            ExprKind::At(base, name) => write!(f, "(@{} {name})", Given(base)),
            ExprKind::Call(name, args) => write!(f, "(call {name}{})", All(args)),
            ExprKind::Method(base, name, args) => write!(f, "(method {base} {name}{})", All(args)),
            ExprKind::If(condition, then, otherwise) => write!(f, "(if {condition} {then} {otherwise})"),
            ExprKind::Block(statements, value) => {
                let mut out = Out::default();
                statements.iter().for_each(|statement| out.statement(statement));
                write!(f, "(block {} {value})", out.text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            ExprKind::Let { name, ty, value, body } => write!(f, "(let {name}{} {value} {body})", Given(ty)),
            ExprKind::Array(items) => write!(f, "(array{})", All(items)),
            ExprKind::Set(items) => write!(f, "(set{})", All(items)),
            ExprKind::SetOf { binder, filter } => write!(f, "(setof {binder} {filter})"),
            ExprKind::Enabled(target) => write!(f, "(enabled {target})"),
            ExprKind::Temporal(op, body) => write!(f, "({op} {body})"),
            ExprKind::Until(op, left, right) => write!(f, "({op:?} {left} {right})"),
            ExprKind::Path { exists: true, body } => write!(f, "(E {body})"),
            ExprKind::Path { body, .. } => write!(f, "(A {body})"),
            ExprKind::Error => f.write_str("error"),
            _ => self.fmt_binding(f),
        }
    }
}

impl Expr {
    /// The kinds with labels or binders.
    fn fmt_binding(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Record(name, fields) => {
                write!(f, "(record {name}")?;
                fields.iter().try_for_each(|(label, value)| write!(f, " ({label} {value})"))?;
                f.write_str(")")
            }
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                let filter = Filter(filter.as_deref());
                write!(f, "({}{}{filter} {body})", quantifier_text(*quantifier), All(binders))
            }
            ExprKind::SetMap { value, binders, filter } => {
                write!(f, "(setmap {value}{}{})", All(binders), Filter(filter.as_deref()))
            }
            ExprKind::Choose { binder, filter } => {
                write!(f, "(choose {binder}{})", Filter(filter.as_deref()))
            }
            ExprKind::ArrayOf { binders, body } => write!(f, "(arrayof{} {body})", All(binders)),
            ExprKind::Match(value, arms) => {
                write!(f, "(match {value}")?;
                arms.iter().try_for_each(|arm| write!(f, " (case{} {})", All(&arm.patterns), arm.body))?;
                f.write_str(")")
            }
            _ => Ok(()),
        }
    }
}

fn quantifier_text(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
        Quantifier::Count => "count",
        Quantifier::Sum => "sum",
        Quantifier::Min => "min",
        Quantifier::Max => "max",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => "<->",
        BinaryOp::Implies => "->",
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "not-in",
        BinaryOp::Subset => "subset",
        BinaryOp::Is => "is",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Union => "|",
        BinaryOp::Difference => "\\",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Intersection => "&",
    }
}

impl Display for Property {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Property::Invariant { name, body } => write!(f, "(invariant {name} {body})"),
            Property::Reachable { name, body } => write!(f, "(reachable {name} {body})"),
            Property::Ltl { name, body } => write!(f, "(ltl {name} {body})"),
            Property::Ctl { name, body } => write!(f, "(ctl {name} {body})"),
            Property::Never { name, body } => write!(f, "(never {name} {body})"),
            Property::Deadlock { allowed: true } => f.write_str("(deadlock allowed)"),
            Property::Deadlock { allowed: false } => f.write_str("(deadlock free)"),
        }
    }
}

impl Display for Sequence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SequenceKind::State(expr) => write!(f, "{expr}"),
            SequenceKind::Then(parts) => write!(f, "(then{})", All(parts)),
            SequenceKind::Or(parts) => write!(f, "(or{})", All(parts)),
            SequenceKind::Group(inner) => write!(f, "(group {inner})"),
            SequenceKind::Repeat { body, least, most: Some(most) } => {
                write!(f, "(repeat {least} {most} {body})")
            }
            SequenceKind::Repeat { body, least, most: None } => write!(f, "(repeat {least} * {body})"),
        }
    }
}
