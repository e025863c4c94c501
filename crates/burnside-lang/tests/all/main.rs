//! The language, in one program: each module is a subject.

mod check_diagnostics;
mod check_dump;
mod check_fuzz;
mod check_models;
mod check_support;
mod check_typed;
mod cursor;
mod foreign;
mod loops;
mod matches;
mod name_index;
mod procedures;
mod queues;
mod structure;
mod symmetry_infer;
mod syntax_bad_input;
mod syntax_errors;
mod syntax_format;
mod syntax_fuzz;
mod syntax_support;
mod syntax_tree;
mod unions;
