//! A question as text: what [`super::parse_query`] reads as the same question, with no more parentheses than
//! needed.
//!
//! Places and transitions are called by their ids. Conjunctions and disjunctions of fewer than two formulas
//! have no text of their own: they are shown as what they mean.

use super::lexer::{is_identifier, quote};
use super::operator::is_reserved;
use crate::net::Net;
use crate::query::{Atom, Formula, NetQuestion, Sum, Tokens};
use burnside_logic::operator::{AND, COMPARE, IFF, IMPLIES, OR, PREFIX, UNTIL};
use burnside_ts::{Compare, Path};

/// What is asked, as text. Whether an invariant or something else is asked is not in it.
pub fn show(asked: &NetQuestion, net: &Net) -> String {
    let mut printer = Printer { net, text: String::new() };
    match asked {
        NetQuestion::Invariant(formula)
        | NetQuestion::Reachable(formula)
        | NetQuestion::Ltl(formula)
        | NetQuestion::Ctl(formula) => {
            printer.formula(formula, IFF);
        }
        NetQuestion::Bound(sums) => printer.list(sums, ", ", Printer::sum),
    }
    printer.text
}

/// A formula as text.
pub fn show_formula(formula: &Formula, net: &Net) -> String {
    let mut printer = Printer { net, text: String::new() };
    printer.formula(formula, IFF);
    printer.text
}

struct Printer<'n> {
    net: &'n Net,
    text: String,
}

impl Printer<'_> {
    /// A formula where an operator of level `least` can stand.
    fn formula(&mut self, formula: &Formula, least: u8) {
        match formula {
            Formula::And(parts) | Formula::Or(parts) if parts.len() == 1 => self.formula(&parts[0], least),
            _ if level(formula) < least => self.enclosed("(", ")", |printer| printer.bare(formula)),
            _ => self.bare(formula),
        }
    }

    fn bare(&mut self, formula: &Formula) {
        use Formula::{Finally, Globally, Iff, Implies, Next, Release, StrongRelease, Until, WeakUntil};
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::And(parts) if parts.is_empty() => self.push("true"),
            Formula::Or(parts) if parts.is_empty() => self.push("false"),
            Formula::And(parts) => self.list(parts, " && ", |printer, part| printer.formula(part, AND + 1)),
            Formula::Or(parts) => self.list(parts, " || ", |printer, part| printer.formula(part, OR + 1)),
            Formula::Not(inner) => {
                self.push("!");
                self.formula(inner, PREFIX);
            }
            Implies(sides) => self.infix(sides, IMPLIES + 1, " -> ", IMPLIES),
            Iff(sides) => self.infix(sides, IFF, " <-> ", IFF + 1),
            Next(path, inner) => self.unary(*path, "X ", inner),
            Finally(path, inner) => self.unary(*path, "F ", inner),
            Globally(path, inner) => self.unary(*path, "G ", inner),
            Until(path, sides) => self.until(*path, sides, " U "),
            Release(path, sides) => self.until(*path, sides, " R "),
            WeakUntil(path, sides) => self.until(*path, sides, " W "),
            StrongRelease(path, sides) => self.until(*path, sides, " M "),
        }
    }

    fn infix(&mut self, [left, right]: &[Formula; 2], least_left: u8, operator: &str, least_right: u8) {
        self.formula(left, least_left);
        self.push(operator);
        self.formula(right, least_right);
    }

    fn unary(&mut self, path: Option<Path>, operator: &str, inner: &Formula) {
        self.push(letter(path));
        self.push(operator);
        self.formula(inner, COMPARE);
    }

    fn until(&mut self, path: Option<Path>, sides: &[Formula; 2], operator: &str) {
        if path.is_none() {
            return self.infix(sides, UNTIL + 1, operator, UNTIL);
        }
        self.push(letter(path));
        self.enclosed("[", "]", |printer| printer.infix(sides, IFF, operator, IFF));
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Constant(value) => self.push(if *value { "true" } else { "false" }),
            Atom::Deadlock => self.push("deadlock"),
            Atom::Fireable(transitions) if transitions.is_empty() => self.push("false"),
            Atom::Fireable(transitions) => {
                self.push("fireable");
                self.enclosed("(", ")", |printer| {
                    printer
                        .list(transitions, ", ", |printer, id| printer.name(&printer.net.transition(*id).id));
                });
            }
            Atom::Compare(op, left, right) => {
                self.sum(left);
                self.push(sign(*op));
                self.sum(right);
            }
        }
    }

    fn sum(&mut self, sum: &Sum) {
        for (position, (factor, tokens)) in sum.tokens.iter().enumerate() {
            self.sign(*factor < 0, position == 0);
            if factor.unsigned_abs() != 1 {
                self.push(&format!("{} * ", factor.unsigned_abs()));
            }
            self.tokens(tokens);
        }
        if sum.constant != 0 || sum.tokens.is_empty() {
            self.sign(sum.constant < 0, sum.tokens.is_empty());
            self.push(&sum.constant.unsigned_abs().to_string());
        }
    }

    fn sign(&mut self, negative: bool, first: bool) {
        self.push(match (negative, first) {
            (true, true) => "-",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        });
    }

    fn tokens(&mut self, tokens: &Tokens) {
        let place = self.net.place(tokens.place);
        self.name(&place.id);
        let Some(colour) = &tokens.colour else { return };
        let classes = place.domain.iter().map(|&class| self.net.class(class));
        let elements: Vec<&str> =
            classes.zip(colour).map(|(class, &element)| &*class.elements[element as usize]).collect();
        self.enclosed("[", "]", |printer| {
            printer.list(&elements, ", ", |printer, name| printer.element(name))
        });
    }

    fn element(&mut self, name: &str) {
        let digits = name.strip_prefix('-').unwrap_or(name);
        if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.push(name);
        }
        self.name(name);
    }

    fn name(&mut self, name: &str) {
        if is_identifier(name) && !is_reserved(name) {
            return self.push(name);
        }
        self.push(&quote(name));
    }

    fn list<T>(&mut self, items: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.push(separator);
            }
            each(self, item);
        }
    }

    fn enclosed(&mut self, open: &str, close: &str, inner: impl FnOnce(&mut Self)) {
        self.push(open);
        inner(self);
        self.push(close);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

fn level(formula: &Formula) -> u8 {
    use Formula::{And, Iff, Implies, Or, Release, StrongRelease, Until, WeakUntil};
    match formula {
        Iff(_) => IFF,
        Implies(_) => IMPLIES,
        Or(parts) if parts.len() > 1 => OR,
        And(parts) if parts.len() > 1 => AND,
        Until(None, _) | Release(None, _) | WeakUntil(None, _) | StrongRelease(None, _) => UNTIL,
        Formula::Atom(Atom::Compare(..)) => COMPARE,
        _ => PREFIX,
    }
}

fn letter(path: Option<Path>) -> &'static str {
    match path {
        None => "",
        Some(Path::All) => "A",
        Some(Path::Some) => "E",
    }
}

fn sign(op: Compare) -> &'static str {
    match op {
        Compare::Eq => " == ",
        Compare::Ne => " != ",
        Compare::Lt => " < ",
        Compare::Le => " <= ",
    }
}
