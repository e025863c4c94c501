//! What is told of a check, as data: runs as texts ([`decode`]), the names in formulas ([`names`]), JSON
//! documents ([`json`], [`tree_json`], written while they are made: [`document`]), state graphs ([`graph`]),
//! groups and what breaks them ([`symmetry`]), and what the page shows ([`page`], [`overview`], [`picture`]):
//! whose what is ([`lanes`]), messages ([`messages`]), what a property sees ([`rows`]).
//!
//! The program, the page and reports of all kinds start from here. Prints nothing, and knows no terminal.

pub mod culprit;
pub mod decode;
pub mod document;
pub mod fault;
pub mod graph;
pub mod group;
pub mod input;
pub mod json;
pub mod lanes;
pub mod messages;
pub mod names;
pub mod numbers;
pub mod overview;
pub mod page;
pub mod picture;
pub mod reason;
pub mod rows;
pub mod symmetry;
pub mod tree_json;
