//! How far a state is from making a condition true, or false: a number that guides hunts.
//!
//! Entry point: [`distance`]. The distance of a condition is itself an expression, so whatever runs the
//! system evaluates it: 0 where the condition is as wanted, and greater the more would have to change. As in
//! search-based testing, `a == b` is as far as `a` is from `b`, a conjunction as far as its parts together,
//! a disjunction as far as the nearest of them, and likewise for quantifiers. What has no such parts is as
//! wanted (0) or not (1).
//!
//! It promises nothing: it is only ever used to choose where to look first. Evaluating it may fault where the
//! condition does not, since nothing is left out on the way; then there is no guidance in that state.

use burnside_ts::{Arith, Body, Compare, Domain, Expr, Quantifier, Quantify, SiteId, System};

/// Expressions get no larger than so many parts; what is left is a leaf.
const PARTS: usize = 1 << 12;

/// The distance from a condition that is true, or false, as wanted.
pub(super) fn distance(system: &System, condition: &Expr, wanted: bool) -> Expr {
    Measure { system, left: PARTS }.of(condition, wanted)
}

struct Measure<'s> {
    system: &'s System,
    left: usize,
}

impl Measure<'_> {
    fn of(&mut self, condition: &Expr, wanted: bool) -> Expr {
        if self.left == 0 {
            return leaf(condition.clone(), wanted);
        }
        self.left -= 1;
        match condition {
            Expr::Not(inner) => self.of(inner, !wanted),
            Expr::And(parts) | Expr::Or(parts) => {
                let all = matches!(condition, Expr::And(_)) == wanted;
                let parts = parts.each_ref().map(|part| self.of(part, wanted));
                arith(if all { Arith::Add } else { Arith::Min }, parts)
            }
            Expr::If(parts) => {
                let [choice, first, second] = &**parts;
                let branches = [choice.clone(), self.of(first, wanted), self.of(second, wanted)];
                Expr::If(Box::new(branches))
            }
            Expr::Let(slot, parts) => {
                Expr::Let(*slot, Box::new([parts[0].clone(), self.of(&parts[1], wanted)]))
            }
            Expr::Do(statements, value) => Expr::Do(statements.clone(), Box::new(self.of(value, wanted))),
            Expr::Call(function) => match &self.system.functions[function.index()].body {
                // Its parameters are in place.
                Body::Scalar(body) => self.of(body, wanted),
                Body::Wide(..) => leaf(condition.clone(), wanted),
            },
            Expr::Compare(op, sides) => comparison(*op, sides, wanted),
            Expr::Quantify(quantify) => self.quantified(quantify, wanted),
            other => leaf(other.clone(), wanted),
        }
    }

    fn quantified(&mut self, quantify: &Quantify, wanted: bool) -> Expr {
        let all = match quantify.quantifier {
            Quantifier::Forall => wanted,
            Quantifier::Exists => !wanted,
            _ => return leaf(Expr::Quantify(Box::new(quantify.clone())), wanted),
        };
        // There may be nothing to take the least of in a collection.
        if quantify.filter.is_some() || quantify.binders.iter().any(|it| it.domain != Domain::Type) {
            return leaf(Expr::Quantify(Box::new(quantify.clone())), wanted);
        }
        let quantifier = if all { Quantifier::Sum } else { Quantifier::Min };
        let body = self.of(&quantify.body, wanted);
        Expr::Quantify(Box::new(Quantify { quantifier, body, ..quantify.clone() }))
    }
}

/// 0 if it is as wanted, else 1.
fn leaf(condition: Expr, wanted: bool) -> Expr {
    let [yes, no] = if wanted { [0, 1] } else { [1, 0] };
    Expr::If(Box::new([condition, Expr::Const(yes), Expr::Const(no)]))
}

fn comparison(op: Compare, [left, right]: &[Expr; 2], wanted: bool) -> Expr {
    let minus = |a: &Expr, b: &Expr| arith(Arith::Sub, [a.clone(), b.clone()]);
    let positive = |value: Expr| arith(Arith::Max, [value, Expr::Const(0)]);
    match (op, wanted) {
        (Compare::Eq, true) | (Compare::Ne, false) => {
            arith(Arith::Max, [minus(left, right), minus(right, left)])
        }
        (Compare::Le, true) => positive(minus(left, right)),
        (Compare::Lt, true) => positive(Expr::Offset(Box::new(minus(left, right)), 1)),
        (Compare::Lt, false) => positive(minus(right, left)),
        (Compare::Le, false) => positive(Expr::Offset(Box::new(minus(right, left)), 1)),
        (Compare::Eq, false) | (Compare::Ne, true) => {
            leaf(Expr::compare(Compare::Ne, left.clone(), right.clone()), true)
        }
    }
}

/// What overflows has no distance, so nobody is to blame.
fn arith(op: Arith, parts: [Expr; 2]) -> Expr {
    Expr::Arith(op, Box::new(parts), SiteId(0))
}
