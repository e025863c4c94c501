//! From text to a syntax tree and back: lexer, parser with recovery, formatter.
//!
//! Entry points: [`parse`] for a file, [`parse_expression`] for one expression or formula,
//! [`format()`] for the one true layout, [`sexpr`] to show a tree, [`cursor()`](cursor::cursor) for what is
//! expected at a place. All of them are total: any text gives a
//! result, none panics, and trees are at most [`MAX_DEPTH`] deep, so that recursive walks over them are safe.

pub mod ast;
pub mod cursor;
pub mod dump;
pub mod format;
pub mod lexer;
pub mod parser;
pub mod token;

pub use dump::{sexpr, sexpr_expr};
pub use format::format;
pub use parser::{
    MAX_DEPTH, Mode, Parsed, ParsedExpression, parse, parse_expression, parse_expression_from, parse_part,
};
