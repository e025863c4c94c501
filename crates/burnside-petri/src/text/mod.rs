//! Questions about nets as text: conditions, linear and branching time, bounds.
//!
//! [`parse_query`] reads and [`show()`] writes; what is shown is read as the same question. Operators and
//! their precedence are those of the language of models; what is asked of a marking is numbers of tokens and
//! which transitions can fire. A text that nests too deep is refused, so the formulas that come out are at
//! most [`MAX_DEPTH`] deep. All names that are not there are reported at once; of other mistakes the first
//! ends the reading.

mod infix;
mod lexer;
mod operand;
mod operator;
mod parser;
mod prefix;
mod show;
mod types;

pub use show::{show, show_formula};

use crate::error::Error;
use crate::names::Names;
use crate::net::Net;
use crate::query::{NetQuestion, Query};
use burnside_ts::Kind;
use parser::Parser;

/// How many formulas can be inside each other, the outermost and the innermost included.
pub const MAX_DEPTH: u32 = 200;

/// Reads a question about a net: a condition, a formula, or of a bound sums with commas between them.
///
/// # Errors
///
/// What is wrong with the text, or that a text asks nothing of this kind.
pub fn parse_query(text: &str, kind: Kind, name: &str, net: &Net) -> Result<Query, Vec<Error>> {
    let names = Names::new(net);
    let mut parser = Parser::new(text, kind, net, &names).map_err(|error| vec![error])?;
    let read = match kind {
        Kind::Bound => parser.sums().map(NetQuestion::Bound),
        Kind::Invariant => parser.whole().map(NetQuestion::Invariant),
        Kind::Reachable => parser.whole().map(NetQuestion::Reachable),
        Kind::Ltl => parser.whole().map(NetQuestion::Ltl),
        Kind::Ctl => parser.whole().map(NetQuestion::Ctl),
        Kind::Faults | Kind::Deadlock | Kind::Never | Kind::Automaton => {
            return Err(vec![Error::new(0..text.len(), format!("no formula asks for `{kind}`"))]);
        }
    };
    match read {
        Ok(asked) if parser.errors.is_empty() => {
            Ok(Query { name: name.into(), text: show(&asked, net), asked })
        }
        _ => Err(parser.errors),
    }
}
