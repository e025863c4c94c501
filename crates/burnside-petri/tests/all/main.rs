//! Nets, in one program: each module is a subject.

mod automorphism;
mod corpus;
mod dice;
mod pnml;
mod questions;
