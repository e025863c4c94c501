//! The library as programs use it, in one program: each module is a subject. What counts allocations has an
//! allocator of its own, and so a program of its own.

// Each example is a program of its own, and they share a file.
#![allow(clippy::duplicate_mod)]

mod blocks;
mod bounds;
mod changing;
mod external;
mod growing;
mod lassos;
mod linear;
mod load;
mod local;
mod moved_rules;
mod murphi;
mod quotient;
mod run;
mod rust_corners;
mod rust_models;
mod rust_odd;
mod rust_random;
mod settled;
mod symmetry_block;
mod trees;
mod weighed;
