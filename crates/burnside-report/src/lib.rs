//! What is told of a check, as data: runs as texts ([`decode`]), the names in formulas ([`names`]), JSON
//! documents ([`json`], [`tree_json`], written while they are made: [`document`]), state graphs ([`graph`]),
//! groups and what breaks them ([`symmetry`]).
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
pub mod names;
pub mod numbers;
pub mod reason;
pub mod symmetry;
pub mod tree_json;
