//! For tests only: a brute-force [`oracle`], random models ([`generate`]), whole-graph comparison
//! ([`graph`], [`compare`]), forged evidence ([`forge`]), the expectations that models carry in their
//! comments ([`expect`]), the cases of a test with the command that runs one of them again ([`cases`]),
//! and what judges documents by their schemas ([`json_schema`], [`xml_schema`]).
//!
//! Nothing here is part of the program. The oracle shares no code with the interpreter behind the checked
//! model, so that a disagreement between the two is a finding about one of them.

pub mod cases;
pub mod compare;
pub mod equivariance;
pub mod expect;
pub mod forge;
pub mod fuzz;
pub mod generate;
pub mod graph;
pub mod json_schema;
pub mod machines;
pub mod murphi;
pub mod mutate;
pub mod nets;
pub mod oracle;
pub mod readers;
pub mod tally;
pub mod xml_schema;
