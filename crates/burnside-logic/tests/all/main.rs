//! Formulas and automata, in one program: each module is a subject.

mod bisimulation;
mod common;
mod hoa;
mod limits;
mod parse;
mod patterns;
mod translate;
