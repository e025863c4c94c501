//! Random well-typed expressions: the checker accepts each of them, wherever it stands, and the result
//! lowers.

use crate::check_support;

use burnside_cases::{are_all, seeds};
use burnside_lang::lower::lower;
use check_support::{checked, errors, show};

const PRELUDE: &str = "const N = 2;
symmetric S[3];
ring Node[4];
enum Color { red, green }
enum Dim { red, blue }
record Msg { kind: Color, to: S, ticket: 0..7? }
var iv: -50..50;
var bv: bool;
var sv: S = any;
var rv: Node = any;
var ev: Color;
var os: S?;
var oi: 0..7?;
var ss: set of S;
var ks: set of 0..7;
var mv: Msg = Msg(red, S#0, none);
var om: Msg?;
var qv: queue[3] of Msg;
var gv: bag[3] of Msg;
var av: array[S, bool] of 0..7;
fn plus(a: int, b: int): int = a + b;
fn same(a: S, b: S?): bool = b == a;
fn first(m: Msg): S = m.to;
process P[p: S] { var own: 0..7; locations here, there; rule go at here { goto there; } rule back(n: 0..3) at there { own = n; goto here; } }
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Bool,
    S,
    R,
    E,
    OptS,
    OptInt,
    SetS,
    SetInt,
    Msg,
    OptMsg,
    Queue,
    Bag,
}

/// A stream of choices from a seed, and the names bound so far.
struct Writer {
    state: u64,
    bound: Vec<(String, Kind)>,
    fresh: usize,
    property: bool,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) as usize % n
    }

    fn pick(&mut self, options: &[&str]) -> String {
        options[self.below(options.len())].to_string()
    }

    fn bind(&mut self, kind: Kind) -> String {
        self.fresh += 1;
        let name = format!("v{}", self.fresh);
        self.bound.push((name.clone(), kind));
        name
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let names: Vec<String> =
            self.bound.iter().filter(|(_, bound)| *bound == kind).map(|(name, _)| name.clone()).collect();
        if !names.is_empty() && self.below(2) == 0 {
            return names[self.below(names.len())].clone();
        }
        let options: &[&str] = match kind {
            Kind::Int => &["0", "1", "3", "N", "iv", "av[S#0, true]", "own[S#1]", "P[S#2].own", "7"],
            Kind::Bool => &["true", "false", "bv", "P[S#1]@there", "qv.empty()", "gv.full()"],
            Kind::S => &["S#0", "S#2", "S#(N - 1)", "sv", "mv.to"],
            Kind::R => &["Node#0", "Node#3", "rv"],
            Kind::E => &["Color.red", "green", "ev", "mv.kind"],
            Kind::OptS => &["os", "os"],
            Kind::OptInt => &["oi", "mv.ticket"],
            Kind::SetS => &["ss", "{S#0, sv}"],
            Kind::SetInt => &["ks", "ks"],
            Kind::Msg => &["mv", "om!", "Msg(red, sv, none)", "Msg(to: S#0, kind: green, ticket: 3)"],
            Kind::OptMsg => &["om", "om"],
            Kind::Queue => &["qv"],
            Kind::Bag => &["gv"],
        };
        self.pick(options)
    }

    fn expr(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(kind);
        }
        if self.below(7) == 0 {
            return self.branches(kind, depth - 1);
        }
        match kind {
            Kind::Int => self.int(depth - 1),
            Kind::Bool => self.boolean(depth - 1),
            Kind::S => match self.below(3) {
                0 => format!("{}!", self.expr(Kind::OptS, depth - 1)),
                1 => format!("first({})", self.expr(Kind::Msg, depth - 1)),
                _ => format!("{}.to", self.expr(Kind::Msg, depth - 1)),
            },
            Kind::R => match self.below(3) {
                0 => format!("next({})", self.expr(Kind::R, depth - 1)),
                1 => format!("({} + {})", self.expr(Kind::R, depth - 1), self.expr(Kind::Int, depth - 1)),
                _ => format!("Node#({} % 4)", self.expr(Kind::Int, depth - 1)),
            },
            Kind::E => format!("{}.kind", self.expr(Kind::Msg, depth - 1)),
            Kind::SetS => self.set(depth - 1),
            Kind::SetInt => {
                let op = self.pick(&["|", "&", "\\"]);
                format!("({} {op} {})", self.expr(Kind::SetInt, depth - 1), self.leaf(Kind::SetInt))
            }
            Kind::Msg => match self.below(3) {
                0 => format!("{}.front()", self.expr(Kind::Queue, depth - 1)),
                1 => format!("{}[{}]", self.expr(Kind::Queue, depth - 1), self.pick(&["0", "iv", "N"])),
                _ => self.message(depth - 1),
            },
            Kind::OptS | Kind::OptInt | Kind::OptMsg | Kind::Queue | Kind::Bag => self.leaf(kind),
        }
    }

    fn branches(&mut self, kind: Kind, depth: usize) -> String {
        let condition = self.expr(Kind::Bool, depth);
        let (a, b) = (self.expr(kind, depth), self.expr(kind, depth));
        if self.below(3) > 0 {
            return format!("(if {condition} {{ {a} }} else {{ {b} }})");
        }
        let mark = self.bound.len();
        let value = self.expr(Kind::Int, depth);
        let name = self.bind(Kind::Int);
        let body = self.expr(kind, depth);
        self.bound.truncate(mark);
        format!("(if {condition} {{ let {name} = {value}; {body} }} else {{ {b} }})")
    }

    fn int(&mut self, depth: usize) -> String {
        let op = self.pick(&["+", "-", "*", "/", "%"]);
        match self.below(8) {
            0 | 1 => format!("({} {op} {})", self.expr(Kind::Int, depth), self.expr(Kind::Int, depth)),
            2 => format!("max({}, {})", self.expr(Kind::Int, depth), self.expr(Kind::Int, depth)),
            3 => format!("plus({}, -{})", self.expr(Kind::Int, depth), self.expr(Kind::Int, depth)),
            4 => format!("ord({})", self.expr(Kind::S, depth)),
            5 => format!("{}.size()", self.expr(Kind::SetS, depth)),
            6 => self.quantified(&["sum", "min", "max"], Kind::Int, depth),
            _ => self.quantified(&["count"], Kind::Bool, depth),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        match self.below(12) {
            0 | 1 => {
                let op = self.pick(&["&&", "||", "->", "<->"]);
                format!("({} {op} {})", self.expr(Kind::Bool, depth), self.expr(Kind::Bool, depth))
            }
            2 => format!("!{}", self.expr(Kind::Bool, depth)),
            3 | 4 => self.equality(depth),
            5 => {
                let op = self.pick(&["<", "<=", ">", ">="]);
                let kind = [Kind::Int, Kind::S, Kind::E][self.below(3)];
                format!("({} {op} {})", self.expr(kind, depth), self.expr(kind, depth))
            }
            6 => format!("({} in {})", self.expr(Kind::S, depth), self.expr(Kind::SetS, depth)),
            7 => format!("({} in {})", self.expr(Kind::Int, depth), self.expr(Kind::SetInt, depth)),
            8 => format!("({} subset {})", self.expr(Kind::SetS, depth), self.expr(Kind::SetS, depth)),
            9 => format!("same({}, {})", self.expr(Kind::S, depth), self.pick(&["os", "none", "sv"])),
            10 if self.property => {
                format!("enabled(P[{}].back({}))", self.expr(Kind::S, depth), self.pick(&["1", "iv", "N"]))
            }
            _ => self.quantified(&["forall", "exists"], Kind::Bool, depth),
        }
    }

    fn equality(&mut self, depth: usize) -> String {
        let op = self.pick(&["==", "!="]);
        let (a, b) = match self.below(10) {
            0 => (self.expr(Kind::E, depth), self.pick(&["red", "green"])),
            1 => (self.expr(Kind::OptS, depth), self.pick(&["none", "S#1"])),
            2 => (self.expr(Kind::OptInt, depth), self.expr(Kind::Int, depth)),
            3 => (self.pick(&["{}", "{S#0}"]), self.expr(Kind::SetS, depth)),
            4 => (self.expr(Kind::OptMsg, depth), self.message(depth)),
            5 => (self.expr(Kind::R, depth), self.expr(Kind::R, depth)),
            // `[]` is an operator in `ltl`.
            6 if !self.property => (self.pick(&["[]", "qv"]), self.expr(Kind::Queue, depth)),
            7 => (self.expr(Kind::Bag, depth), self.pick(&["{}", "gv"])),
            8 => (
                String::from("av"),
                format!("[a: S, b: bool => {}]", self.pick(&["3", "av[a, b]", "ord(a)"])),
            ),
            _ => (self.expr(Kind::S, depth), self.expr(Kind::S, depth)),
        };
        format!("({a} {op} {b})")
    }

    fn quantified(&mut self, quantifiers: &[&str], body: Kind, depth: usize) -> String {
        let quantifier = self.pick(quantifiers);
        let mark = self.bound.len();
        let binder = match self.below(5) {
            0 => format!("{}: S", self.bind(Kind::S)),
            1 => format!("{}: 0..3", self.bind(Kind::Int)),
            2 => format!("{}: Color", self.bind(Kind::E)),
            3 => format!("{} in qv", self.bind(Kind::Msg)),
            _ => {
                let domain = self.expr(Kind::SetS, depth);
                format!("{} in {domain}", self.bind(Kind::S))
            }
        };
        let filter = if self.below(3) == 0 {
            format!(" where {}", self.expr(Kind::Bool, depth))
        } else {
            String::new()
        };
        let body = self.expr(body, depth);
        self.bound.truncate(mark);
        format!("({quantifier} {binder}{filter} {{ {body} }})")
    }

    fn set(&mut self, depth: usize) -> String {
        match self.below(4) {
            0 => {
                let op = self.pick(&["|", "&", "\\"]);
                format!("({} {op} {})", self.expr(Kind::SetS, depth), self.expr(Kind::SetS, depth))
            }
            1 => format!("{{{}, {}}}", self.expr(Kind::S, depth), self.expr(Kind::S, depth)),
            n => {
                let mark = self.bound.len();
                let domain = if n == 2 { String::from(" in ss") } else { String::from(": S") };
                let name = self.bind(Kind::S);
                let filter = self.expr(Kind::Bool, depth);
                self.bound.truncate(mark);
                format!("{{{name}{domain} where {filter}}}")
            }
        }
    }

    fn message(&mut self, depth: usize) -> String {
        let (kind, to) = (self.pick(&["red", "green", "ev"]), self.expr(Kind::S, depth));
        let ticket = self.pick(&["none", "oi", "3", "iv"]);
        format!("Msg({kind}, {to}, {ticket})")
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.below(12) {
            0 => format!("iv = {};", self.expr(Kind::Int, depth)),
            1 => format!("sv = {};", self.expr(Kind::S, depth)),
            2 => format!("os = {};", self.pick(&["none", "sv", "os", "any", "any in ss"])),
            3 => format!("ss = {};", self.expr(Kind::SetS, depth)),
            4 => format!("om = {};", self.expr(Kind::Msg, depth)),
            5 => format!("qv.push({});", self.message(depth)),
            6 => format!("gv.add({});", self.expr(Kind::Msg, depth)),
            7 => format!("av[{}, bv] = {};", self.expr(Kind::S, depth), self.expr(Kind::Int, depth)),
            8 => format!("mv.ticket = {};", self.pick(&["none", "3", "iv"])),
            9 => format!("own[{}] = {};", self.expr(Kind::S, depth), self.expr(Kind::Int, depth)),
            10 => {
                let condition = self.expr(Kind::Bool, depth);
                format!("if {condition} {{ {} }} else {{ {} }}", self.statement(depth), self.statement(depth))
            }
            _ => {
                let name = self.bind(Kind::S);
                let body = self.statement(depth);
                self.bound.pop();
                format!("for {name} in ss {{ {body} }}")
            }
        }
    }
}

/// What a constant may turn out to be without the type being wrong.
const BY_VALUE: &[&str] = &["out-of-range-constant", "index-out-of-range"];

#[test]
fn well_typed_text_checks_and_lowers() {
    let mut good = 0;
    for seed in seeds(0..600) {
        let state = seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0x5bd1e995;
        let mut writer = Writer { state, bound: Vec::new(), fresh: 0, property: false };
        let guard = writer.expr(Kind::Bool, 4);
        let statements: Vec<String> = (0..3).map(|_| writer.statement(2)).collect();
        writer.property = true;
        let (a, b) = (writer.expr(Kind::Bool, 4), writer.expr(Kind::Bool, 3));
        let source = format!(
            "{PRELUDE} process T {{ rule t when {guard} {{ {} }} }}\ninvariant i = {a};\nltl l = G ({b} -> F bv);",
            statements.join(" ")
        );
        let result = checked(&source);
        let wrong: Vec<_> =
            errors(&result).into_iter().filter(|d| !BY_VALUE.contains(&d.code.name())).collect();
        assert!(wrong.is_empty(), "{}\n{source}", show(&source, &wrong));
        if let Some(model) = result.model {
            lower(&model, &source);
            good += 1;
        }
    }
    assert!(good > 400 || !are_all(), "{good}");
}
