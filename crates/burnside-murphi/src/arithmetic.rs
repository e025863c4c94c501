//! Arithmetic: its bounds, and what the translation has no operators for. Entry point:
//! [`Translator::arithmetic`].
//!
//! Murphi divides like C: towards zero. Where a dividend may be negative, and for operators on bits,
//! functions are put beside the model.

use crate::ast::BinaryOp;
use crate::expr::{Val, level, number_value};
use crate::translate::Translator;
use crate::types::Ty;
use burnside_lang::diagnostic::Span;

type Bounds = (i64, i64);

impl Translator<'_> {
    /// Two numbers with an operator between them.
    pub fn arithmetic(
        &mut self,
        span: Span,
        op: BinaryOp,
        left: (Val, Bounds),
        right: (Val, Bounds),
    ) -> Option<Val> {
        let ((left, from), (right, to)) = (left, right);
        if let (Some(a), Some(b)) = (left.constant, right.constant) {
            let Some(number) = fold(op, a, b) else {
                return self.wrong(span, "this has no value of 64 bits");
            };
            let simple = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            let value = number_value(number);
            let sign = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                _ => "*",
            };
            let this = if op == BinaryOp::Mul { level::MUL } else { level::ADD };
            let code = format!("{} {sign} {}", left.at(this), right.at(this + 1));
            return Some(if simple { Val { code, level: this, ..value } } else { value });
        }
        let (lo, hi) = bounds(op, from, to);
        let ty = Ty::int(lo, hi);
        let infix = |sign: &str, this: u8| {
            let code = format!("{} {sign} {}", left.at(this), right.at(this + 1));
            Val { code, level: this, ty: ty.clone(), constant: None }
        };
        Some(match op {
            BinaryOp::Add => infix("+", level::ADD),
            BinaryOp::Sub => infix("-", level::ADD),
            BinaryOp::Mul => infix("*", level::MUL),
            BinaryOp::Div if from.0 >= 0 => infix("/", level::MUL),
            BinaryOp::Rem if from.0 >= 0 => infix("%", level::MUL),
            _ => {
                let name = self.helper(op, from, to);
                Val::atom(format!("{name}({}, {})", left.code, right.code), ty)
            }
        })
    }

    /// A function for an operator that the translation does not have.
    fn helper(&mut self, op: BinaryOp, from: Bounds, to: Bounds) -> String {
        let width = width(from).max(width(to));
        let (name, body) = match op {
            BinaryOp::Div => ("quotient".to_string(), "if a < 0 { -(-a / b) } else { a / b }".to_string()),
            BinaryOp::Rem => ("remainder".to_string(), "if a < 0 { -(-a % b) } else { a % b }".to_string()),
            BinaryOp::ShiftLeft => ("shift_left".to_string(), powers("a * ")),
            BinaryOp::ShiftRight => ("shift_right".to_string(), powers("a / ")),
            BinaryOp::And => (format!("bits_and_{width}"), bitwise(width, |a, b| format!("{a} * {b}"))),
            BinaryOp::Or => (format!("bits_or_{width}"), bitwise(width, |a, b| format!("max({a}, {b})"))),
            _ => (format!("bits_xor_{width}"), bitwise(width, |a, b| format!("({a} + {b}) % 2"))),
        };
        self.helpers.insert(format!("fn murphi_{name}(a: int, b: int): int = {body};\n"));
        format!("murphi_{name}")
    }
}

/// Shifting is multiplying with a power of two; by how much must be known to be from 0 to 62.
fn powers(operation: &str) -> String {
    let cases = (0..62u32).map(|by| format!("if b == {by} {{ {operation}{} }} else ", 1i64 << by));
    format!("{}{{ {operation}{} }}", cases.collect::<String>(), 1i64 << 62)
}

/// How many bits numbers of these bounds have, with one for the sign.
fn width((lo, hi): Bounds) -> u32 {
    let bits = |number: i64| 65 - (if number < 0 { !number } else { number }).leading_zeros();
    bits(lo).max(bits(hi)).min(62)
}

/// An operation on each bit of two numbers in two's complement.
fn bitwise(width: u32, bit: impl Fn(&str, &str) -> String) -> String {
    let term = |at: u32| {
        let power = 1i64 << at;
        let part = bit(&format!("(a / {power} % 2)"), &format!("(b / {power} % 2)"));
        if at == width - 1 { format!(" - {power} * ({part})") } else { format!(" + {power} * ({part})") }
    };
    format!("0{}", (0..width).map(term).collect::<String>())
}

/// The value of an operation on constants.
fn fold(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::ShiftLeft => u32::try_from(b).ok().filter(|b| *b < 63).and_then(|b| a.checked_mul(1 << b)),
        BinaryOp::ShiftRight => u32::try_from(b).ok().filter(|b| *b < 64).map(|b| a >> b),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        _ => Some(a ^ b),
    }
}

/// Bounds of the result.
fn bounds(op: BinaryOp, (a, b): Bounds, (c, d): Bounds) -> Bounds {
    let products = [a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)];
    let most = a.saturating_abs().max(b.saturating_abs());
    match op {
        BinaryOp::Add => (a.saturating_add(c), b.saturating_add(d)),
        BinaryOp::Sub => (a.saturating_sub(d), b.saturating_sub(c)),
        BinaryOp::Mul => (products.into_iter().min().unwrap_or(a), products.into_iter().max().unwrap_or(b)),
        BinaryOp::Div => (-most, most),
        BinaryOp::Rem => {
            let rest = c.saturating_abs().max(d.saturating_abs()).saturating_sub(1).max(0).min(most);
            (if a < 0 { -rest } else { 0 }, rest)
        }
        BinaryOp::ShiftLeft => (i64::MIN / 2, i64::MAX / 2),
        BinaryOp::ShiftRight => (a.min(0), b.max(0)),
        _ => {
            let width = width((a, b)).max(width((c, d)));
            (if a < 0 || c < 0 { -(1i64 << (width - 1)) } else { 0 }, (1i64 << (width - 1)) - 1)
        }
    }
}
