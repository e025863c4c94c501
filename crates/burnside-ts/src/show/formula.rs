//! Formulas as text, in the language: with as few parentheses as a reader needs.
//!
//! Entry point: [`Formula::show`]. What binds loosely stands in parentheses inside what binds tighter.
//! Conditions come with their text; how tight they bind is seen from the operators in it.

use crate::code::Binder;
use crate::formula::{Formula, Path, Temporal};

/// How tight a text binds; the greater the tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Iff,
    Implies,
    Or,
    And,
    /// Operators over time with one operand, comparisons and arithmetic.
    Unary,
    /// Nothing can break it apart.
    Atom,
}

impl Formula {
    /// The text. Formulas do not know the names that they bind:
    /// `binder` shows them with what they range over, such as `c: Client`.
    pub fn show(&self, binder: &dyn Fn(&Binder) -> String) -> String {
        self.shown(binder).0
    }

    fn shown(&self, binder: &dyn Fn(&Binder) -> String) -> (String, Tightness) {
        let inside = |formula: &Formula, least: Tightness| formula.within(binder, least);
        let two = |sides: &[Formula; 2], sign: &str, least: [Tightness; 2], own: Tightness| {
            (format!("{} {sign} {}", inside(&sides[0], least[0]), inside(&sides[1], least[1])), own)
        };
        match self {
            Formula::Atom(_, text) => (text.clone(), tightness(text)),
            Formula::Step(step) => (step.text.clone(), tightness(&step.text)),
            Formula::Not(inner) => (format!("!{}", inside(inner, Tightness::Atom)), Tightness::Atom),
            Formula::And(sides) => two(sides, "&&", [Tightness::And; 2], Tightness::And),
            Formula::Or(sides) => two(sides, "||", [Tightness::Or; 2], Tightness::Or),
            Formula::Implies(sides) => {
                two(sides, "->", [Tightness::Or, Tightness::Implies], Tightness::Implies)
            }
            Formula::Iff(sides) => two(sides, "<->", [Tightness::Implies; 2], Tightness::Iff),
            Formula::Forall(bound, body) => {
                (format!("forall {} {{ {} }}", binder(bound), body.show(binder)), Tightness::Unary)
            }
            Formula::Exists(bound, body) => {
                (format!("exists {} {{ {} }}", binder(bound), body.show(binder)), Tightness::Unary)
            }
            Formula::Temporal(path, operator) => operator.shown(*path, binder),
        }
    }

    fn is_quantified(&self) -> bool {
        match self {
            Formula::Forall(..) | Formula::Exists(..) => true,
            Formula::Atom(_, text) => text.starts_with("forall ") || text.starts_with("exists "),
            _ => false,
        }
    }

    /// The text, in parentheses if it binds less tight.
    fn within(&self, binder: &dyn Fn(&Binder) -> String, least: Tightness) -> String {
        let (text, tightness) = self.shown(binder);
        if tightness < least { format!("({text})") } else { text }
    }
}

impl Temporal {
    /// The letter of the operator.
    pub fn letter(&self) -> char {
        match self {
            Temporal::Next(_) => 'X',
            Temporal::Finally(_) => 'F',
            Temporal::Globally(_) => 'G',
            Temporal::Until(_) => 'U',
            Temporal::Release(_) => 'R',
            Temporal::WeakUntil(_) => 'W',
            Temporal::StrongRelease(_) => 'M',
        }
    }

    fn shown(&self, path: Option<Path>, binder: &dyn Fn(&Binder) -> String) -> (String, Tightness) {
        let letter = self.letter();
        let quantifier = match path {
            Some(Path::All) => "A",
            Some(Path::Some) => "E",
            None => "",
        };
        match self.children() {
            [left, right] => {
                let side = |formula: &Formula| formula.within(binder, Tightness::Unary);
                let brackets = if path.is_some() { ["[", "]"] } else { ["(", ")"] };
                let text = format!(
                    "{quantifier}{}{} {letter} {}{}",
                    brackets[0],
                    side(left),
                    side(right),
                    brackets[1]
                );
                (text, Tightness::Atom)
            }
            inner => {
                // A quantifier right behind an operator is hard to read without parentheses.
                let least = if inner[0].is_quantified() { Tightness::Atom } else { Tightness::Unary };
                (format!("{quantifier}{letter} {}", inner[0].within(binder, least)), Tightness::Unary)
            }
        }
    }
}

/// How tight the text of a condition binds: the loosest of the operators that are in no parentheses.
fn tightness(text: &str) -> Tightness {
    let mut outside = String::new();
    let mut depth = 0u32;
    for letter in text.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            letter if depth == 0 => outside.push(letter),
            _ => {}
        }
    }
    let signs = [
        ("<->", Tightness::Iff),
        ("->", Tightness::Implies),
        ("||", Tightness::Or),
        ("&&", Tightness::And),
        // `a == b`, and also `forall c: Client { … }`.
        (" ", Tightness::Unary),
    ];
    let found = signs.into_iter().find(|(sign, _)| outside.contains(sign));
    found.map_or(Tightness::Atom, |(_, tightness)| tightness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Expr;

    fn atom(text: &str) -> Formula {
        Formula::Atom(Expr::Const(1), text.into())
    }

    fn pair(left: Formula, right: Formula) -> Box<[Formula; 2]> {
        Box::new([left, right])
    }

    fn all(operator: Temporal) -> Formula {
        Formula::Temporal(Some(Path::All), operator)
    }

    fn show(formula: &Formula) -> String {
        formula.show(&|_| "c: Client".into())
    }

    #[test]
    fn parentheses_only_where_they_are_needed() {
        let finally = all(Temporal::Finally(Box::new(atom("pc[c] == inside"))));
        let implies = Formula::Implies(pair(atom("a && b"), finally.clone()));
        assert_eq!(
            show(&all(Temporal::Globally(Box::new(implies.clone())))),
            "AG (a && b -> AF pc[c] == inside)"
        );
        assert_eq!(show(&Formula::Not(Box::new(finally.clone()))), "!(AF pc[c] == inside)");
        assert_eq!(
            show(&Formula::And(pair(atom("a || b"), finally.clone()))),
            "(a || b) && AF pc[c] == inside"
        );
        assert_eq!(
            show(&Formula::Implies(pair(implies.clone(), atom("x")))),
            "(a && b -> AF pc[c] == inside) -> x"
        );
        let until = all(Temporal::Until(pair(Formula::Not(Box::new(atom("f(a, b)"))), atom("p -> q"))));
        assert_eq!(show(&until), "A[!f(a, b) U (p -> q)]");
        assert_eq!(show(&Formula::Not(Box::new(until))), "!A[!f(a, b) U (p -> q)]");
        let everyone = Box::new(atom("forall c: Client { home(c) }"));
        assert_eq!(show(&all(Temporal::Globally(everyone))), "AG (forall c: Client { home(c) })");
    }

    #[test]
    fn operators_in_brackets_do_not_count() {
        assert_eq!(tightness("f(a && b)[c || d]"), Tightness::Atom);
        assert_eq!(tightness("forall c: Client { a || b }"), Tightness::Unary);
        assert_eq!(tightness("a <-> b -> c"), Tightness::Iff);
        assert_eq!(tightness("!done"), Tightness::Atom);
    }
}
