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
use crate::query::{Asked, Query};
use parser::Parser;

/// How many formulas can be inside each other, the outermost and the innermost included.
pub const MAX_DEPTH: u32 = 200;

/// What a text asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// A condition: is it true in every reachable marking?
    Invariant,
    /// A condition: is it true in some reachable marking?
    Reachable,
    /// A formula of linear time: is it true on every run?
    Ltl,
    /// A formula of branching time: is it true in the initial marking?
    Ctl,
    /// Sums, with commas between them: how great does the greatest become?
    Bound,
}

impl QueryKind {
    /// What such a question is called.
    fn words(self) -> &'static str {
        match self {
            QueryKind::Invariant => "an invariant",
            QueryKind::Reachable => "a reachable condition",
            QueryKind::Ltl => "a formula of `ltl`",
            QueryKind::Ctl => "a formula of `ctl`",
            QueryKind::Bound => "a bound",
        }
    }
}

/// Reads a question about a net.
///
/// # Errors
///
/// What is wrong with the text.
pub fn parse_query(text: &str, kind: QueryKind, name: &str, net: &Net) -> Result<Query, Vec<Error>> {
    let names = Names::new(net);
    let mut parser = Parser::new(text, kind, net, &names).map_err(|error| vec![error])?;
    let read = match kind {
        QueryKind::Bound => parser.sums().map(Asked::Bound),
        QueryKind::Invariant => parser.whole().map(Asked::Invariant),
        QueryKind::Reachable => parser.whole().map(Asked::Reachable),
        QueryKind::Ltl => parser.whole().map(Asked::Ltl),
        QueryKind::Ctl => parser.whole().map(Asked::Ctl),
    };
    match read {
        Ok(asked) if parser.errors.is_empty() => {
            Ok(Query { name: name.into(), text: show(&asked, net), asked })
        }
        _ => Err(parser.errors),
    }
}
