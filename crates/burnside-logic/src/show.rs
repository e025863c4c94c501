//! Formulas back to text.
//!
//! Entry point: [`show`]. [`crate::parse()`] reads the text as the same formula, but for conjunctions and
//! disjunctions of fewer than two, which are shown as what they mean. Names that are no identifiers are
//! quoted. Does not recurse.

use crate::lex::is_plain_name;
use crate::operator::{AND, IFF, IMPLIES, OR, PREFIX, UNTIL};
use crate::{AtomId, Ltl};

enum Piece<'a> {
    Text(&'a str),
    /// In parentheses if it binds looser than that.
    Formula(&'a Ltl, u8),
}

/// The text of a formula; atom `i` is called `names[i]`, or `p` with its number if there is no such name.
pub fn show(formula: &Ltl, names: &[String]) -> String {
    let mut text = String::new();
    let mut open = vec![Piece::Formula(formula, 0)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Formula(Ltl::Atom(AtomId(atom)), _) => match names.get(*atom as usize) {
                Some(name) => push_name(name, &mut text),
                None => text.push_str(&format!("p{atom}")),
            },
            Piece::Formula(formula, least) => {
                let mut pieces = pieces(formula);
                if level(formula) < least {
                    pieces.insert(0, Piece::Text("("));
                    pieces.push(Piece::Text(")"));
                }
                open.extend(pieces.into_iter().rev());
            }
        }
    }
    text
}

/// A name as it is written in formulas: quoted, unless it is an identifier.
fn push_name(name: &str, text: &mut String) {
    if is_plain_name(name) {
        text.push_str(name);
    } else {
        text.push('"');
        text.push_str(&name.replace('\\', "\\\\").replace('"', "\\\""));
        text.push('"');
    }
}

/// How tight a formula binds.
fn level(mut formula: &Ltl) -> u8 {
    while let Ltl::And(all) | Ltl::Or(all) = formula
        && let [only] = &all[..]
    {
        formula = only;
    }
    match formula {
        Ltl::Iff(_) => IFF,
        Ltl::Implies(_) => IMPLIES,
        Ltl::Or(all) if !all.is_empty() => OR,
        Ltl::And(all) if !all.is_empty() => AND,
        Ltl::Until(_) | Ltl::Release(_) | Ltl::WeakUntil(_) | Ltl::StrongRelease(_) => UNTIL,
        _ => PREFIX,
    }
}

fn pieces(formula: &Ltl) -> Vec<Piece<'_>> {
    let prefix = |operator, operand| vec![Piece::Text(operator), Piece::Formula(operand, PREFIX)];
    // No operator has its like as an operand without parentheses.
    let infix = |operator| {
        let operand = |operand| [Piece::Text(operator), Piece::Formula(operand, level(formula) + 1)];
        formula.children().iter().flat_map(operand).skip(1).collect()
    };
    match formula {
        Ltl::True => vec![Piece::Text("true")],
        Ltl::False => vec![Piece::Text("false")],
        Ltl::Atom(_) => Vec::new(),
        Ltl::And(all) if all.is_empty() => vec![Piece::Text("true")],
        Ltl::Or(all) if all.is_empty() => vec![Piece::Text("false")],
        Ltl::And(all) | Ltl::Or(all) if all.len() == 1 => vec![Piece::Formula(&all[0], 0)],
        Ltl::Not(one) => prefix("!", one),
        Ltl::Next(one) => prefix("X ", one),
        Ltl::Finally(one) => prefix("F ", one),
        Ltl::Globally(one) => prefix("G ", one),
        Ltl::And(_) => infix(" && "),
        Ltl::Or(_) => infix(" || "),
        Ltl::Implies(_) => infix(" -> "),
        Ltl::Iff(_) => infix(" <-> "),
        Ltl::Until(_) => infix(" U "),
        Ltl::Release(_) => infix(" R "),
        Ltl::WeakUntil(_) => infix(" W "),
        Ltl::StrongRelease(_) => infix(" M "),
    }
}
