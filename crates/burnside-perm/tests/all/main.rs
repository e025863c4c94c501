//! Permutations and groups, in one program: each module is a subject.

mod graphs;
mod labelling;
mod naive;
mod named;
mod natural;
mod perms;
mod rings;
mod sampled;
mod small;
