//! What is told of a check, as data: runs as texts ([`decode`]), the names in formulas ([`names`]), JSON
//! documents ([`json`], [`tree_json`], [`typed`], written while they are made: [`document`]), state graphs
//! ([`graph`]), groups and what breaks them ([`symmetry`]), and what the page shows ([`page`], [`overview`],
//! [`picture`]): whose what is ([`lanes`]), messages ([`messages`]), what a property sees ([`rows`]); and
//! reports in other formats, all made from what came out of a check ([`outcome`]): [`junit`], [`sarif`],
//! [`markdown`].
//!
//! The program, the page and reports of all kinds start from here. Prints nothing, and knows no terminal.

pub mod culprit;
pub mod decode;
pub mod difference;
pub mod document;
pub mod every;
pub mod fault;
pub mod figures;
pub mod flow;
pub mod graph;
pub mod group;
pub mod input;
pub mod json;
pub mod junit;
pub mod lanes;
pub mod markdown;
pub mod messages;
pub mod names;
pub mod numbers;
pub mod outcome;
pub mod overview;
pub mod page;
pub mod picture;
pub mod place;
pub mod reason;
pub mod rows;
pub mod sarif;
pub mod symmetry;
pub mod tree_json;
pub mod typed;
pub mod verdict;
