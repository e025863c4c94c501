//! Expressions and statements of the transition system as text.
//! `%3` is a word of the frame; a place is shown as its cell's name if it is fixed, else as `state[bit +
//! index * stride]:width`.

use burnside_ts::{
    Arith, Binder, Body, Cell, Collection, Compare, Domain, Expr, Function, Operand, Place, Quantifier,
    Quantify, Root, SetOp, Stmt, System, Target,
};
use std::collections::HashMap;

/// Shows the code of one system.
pub struct Code<'s> {
    system: &'s System,
    /// First bit and width of the cells.
    cells: HashMap<(u32, u32), String>,
}

impl<'s> Code<'s> {
    /// For a system.
    pub fn new(system: &'s System) -> Self {
        let leaves = system.leaves().into_iter();
        let cells = leaves.map(|leaf| ((leaf.offset, system.types.width(leaf.ty)), leaf.name)).collect();
        Self { system, cells }
    }

    /// An expression.
    pub fn expr(&self, expr: &Expr) -> String {
        let show = |expr: &Expr| self.expr(expr);
        let two = |sign: &str, parts: &[Expr; 2]| format!("({} {sign} {})", show(&parts[0]), show(&parts[1]));
        match expr {
            Expr::Foreign(condition, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                format!("foreign{condition}({})", args.join(", "))
            }
            Expr::Const(value) => value.to_string(),
            Expr::Local(slot) => format!("%{}", slot.0),
            Expr::Cell(cell) => self.cell(*cell),
            Expr::Load(place) => self.place(place),
            Expr::Not(inner) => format!("!{}", show(inner)),
            Expr::Offset(inner, by) if *by < 0 => format!("({} - {})", show(inner), by.unsigned_abs()),
            Expr::Offset(inner, by) => format!("({} + {by})", show(inner)),
            Expr::Arith(op, parts, _) => two(arith(*op), parts),
            Expr::Compare(op, parts) => two(compare(*op), parts),
            Expr::And(parts) => two("&&", parts),
            Expr::Or(parts) => two("||", parts),
            Expr::If(parts) => {
                format!("if {} {{ {} }} else {{ {} }}", show(&parts[0]), show(&parts[1]), show(&parts[2]))
            }
            Expr::Let(slot, parts) => format!("{{ %{} = {}; {} }}", slot.0, show(&parts[0]), show(&parts[1])),
            Expr::Quantify(quantify) => self.quantify(quantify),
            Expr::Do(stmts, value) => format!("{{ {} {} }}", self.inline(stmts), show(value)),
            Expr::Call(id) => format!("f{}()", id.0),
            Expr::Check(check) => format!("check({}, {}..{})", show(&check.value), check.lo, check.hi),
            Expr::Bound(parts, _) => format!("below({}, {})", show(&parts[0]), show(&parts[1])),
            Expr::Unwrap(inner, bias, _) => format!("unwrap({}, {bias})", show(inner)),
            Expr::Same(places, _) => format!("({} == {})", self.place(&places[0]), self.place(&places[1])),
            Expr::Rank(place, _) => format!("number({})", self.place(place)),
            Expr::Contains(place, number) => format!("({} in {})", show(number), self.place(place)),
            Expr::Subset(places, _) => {
                format!("({} subset {})", self.place(&places[0]), self.place(&places[1]))
            }
            Expr::Size(place, _) => format!("size({})", self.place(place)),
            Expr::Count(place, _, operand) => {
                format!("count({}, {})", self.operand(operand), self.place(place))
            }
        }
    }

    fn quantify(&self, quantify: &Quantify) -> String {
        let word = match quantify.quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Count => "count",
            Quantifier::Sum => "sum",
            Quantifier::Min => "min",
            Quantifier::Max => "max",
        };
        let binders: Vec<_> = quantify.binders.iter().map(|binder| self.binder(binder)).collect();
        let filter =
            quantify.filter.as_ref().map_or(String::new(), |filter| format!(" where {}", self.expr(filter)));
        format!("{word} {}{filter} {{ {} }}", binders.join(", "), self.expr(&quantify.body))
    }

    /// A name with what it ranges over.
    pub fn binder(&self, binder: &Binder) -> String {
        let target = self.target(binder.target);
        match &binder.domain {
            Domain::Type => {
                format!("{target}: {}", burnside_report::names::show_type(self.system, binder.ty))
            }
            Domain::Collection(from) => format!("{target} in {}", self.collection(from)),
        }
    }

    /// What a binder takes its values from.
    pub fn collection(&self, from: &Collection) -> String {
        match from.setup.is_empty() {
            true => self.place(&from.place),
            false => format!("{{ {} {} }}", self.inline(&from.setup), self.place(&from.place)),
        }
    }

    /// Where a bound value goes.
    pub fn target(&self, target: Target) -> String {
        match target {
            Target::Scalar(slot) => format!("%{}", slot.0),
            Target::Wide(bit) => format!("frame[{bit}]"),
        }
    }

    fn cell(&self, cell: Cell) -> String {
        let known = self.cells.get(&(cell.offset, cell.width)).cloned();
        known.unwrap_or_else(|| format!("state[{}]:{}", cell.offset, cell.width))
    }

    /// A place.
    pub fn place(&self, place: &Place) -> String {
        let fixed = place.indices.is_empty() && place.root == Root::State;
        if let Some(name) = self.cells.get(&(place.offset, place.width)).filter(|_| fixed) {
            return name.clone();
        }
        let root = if place.root == Root::State { "state" } else { "frame" };
        let indices =
            place.indices.iter().map(|index| format!(" + {} * {}", self.expr(&index.value), index.stride));
        format!("{root}[{}{}]:{}", place.offset, indices.collect::<String>(), place.width)
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Scalar(value, _) => self.expr(value),
            Operand::Wide(place) => self.place(place),
        }
    }

    /// A function's body.
    pub fn function(&self, function: &Function, indent: usize) -> String {
        match &function.body {
            Body::Scalar(value) => format!("{}{}", "  ".repeat(indent), self.expr(value)),
            Body::Wide(body, _) => self.block(body, indent),
        }
    }

    /// Statements, one per line.
    pub fn block(&self, stmts: &[Stmt], indent: usize) -> String {
        stmts.iter().map(|stmt| self.stmt(stmt, indent)).collect()
    }

    fn inline(&self, stmts: &[Stmt]) -> String {
        let lines = self.block(stmts, 0);
        lines.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn stmt(&self, stmt: &Stmt, indent: usize) -> String {
        let nested = |body: &[Stmt]| format!("{{\n{}{}}}", self.block(body, indent + 1), "  ".repeat(indent));
        let place = |place: &Place| self.place(place);
        let text = match stmt {
            Stmt::If(condition, yes, no) if no.is_empty() => {
                format!("if {} {}", self.expr(condition), nested(yes))
            }
            Stmt::If(condition, yes, no) => {
                format!("if {} {} else {}", self.expr(condition), nested(yes), nested(no))
            }
            Stmt::For(binder, body) => format!("for {} {}", self.binder(binder), nested(body)),
            Stmt::Forget(words) => {
                let [functions, locals] = &**words;
                format!("forget %{functions:?}, %{locals:?}")
            }
            Stmt::Store(to, value) => format!("{} = {}", place(to), self.expr(value)),
            Stmt::Local(slot, value) => format!("%{} = {}", slot.0, self.expr(value)),
            Stmt::Copy(to, from) => format!("{} = {}", place(to), place(from)),
            Stmt::Clear(at) => format!("clear {}", place(at)),
            Stmt::Assert(condition, _) => format!("assert {}", self.expr(condition)),
            Stmt::Assume(condition, _) => format!("assume {}", self.expr(condition)),
            Stmt::Choose(to, _) => format!("{} = any", place(to)),
            Stmt::ChooseFrom(binder, _) => format!("any {}", self.binder(binder)),
            Stmt::Member(set, number, true) => format!("{} add #{}", place(set), self.expr(number)),
            Stmt::Member(set, number, false) => format!("{} remove #{}", place(set), self.expr(number)),
            Stmt::Combine(op, places) => {
                let sign = match op {
                    SetOp::Union => "|",
                    SetOp::Intersection => "&",
                    SetOp::Difference => "\\",
                };
                let [to, left, right] = &**places;
                format!("{} = {} {sign} {}", place(to), place(left), place(right))
            }
            Stmt::Push(queue, _, value, _) => format!("{} push {}", place(queue), self.operand(value)),
            Stmt::Pop(queue, _, _) => format!("{} pop", place(queue)),
            Stmt::Add(bag, _, value, _) => format!("{} add {}", place(bag), self.operand(value)),
            Stmt::Remove(bag, _, value, _) => format!("{} remove {}", place(bag), self.operand(value)),
            Stmt::Call(id) => format!("f{}()", id.0),
        };
        format!("{}{text}\n", "  ".repeat(indent))
    }
}

fn arith(op: Arith) -> &'static str {
    match op {
        Arith::Add => "+",
        Arith::Sub => "-",
        Arith::Mul => "*",
        Arith::Div => "/",
        Arith::Rem => "%",
        Arith::Min => "min",
        Arith::Max => "max",
        Arith::Rotate(_) => "+ring",
        Arith::RotateBack(_) => "-ring",
    }
}

fn compare(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "==",
        Compare::Ne => "!=",
        Compare::Lt => "<",
        Compare::Le => "<=",
    }
}
