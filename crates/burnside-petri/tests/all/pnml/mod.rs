//! Reading PNML: what each construct becomes, what is said about wrong texts, and that nothing makes the
//! reader panic.

mod arcs;
mod coloured;
mod errors;
mod example;
mod fuzz;
mod guards;
mod limits;
mod support;
mod wrong_terms;
