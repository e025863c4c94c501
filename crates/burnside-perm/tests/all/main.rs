//! Permutations and groups, in one program: each module is a subject.

mod adversarial;
mod gallery;
mod graphs;
mod labelling;
mod naive;
mod named;
mod natural;
mod perms;
mod relation;
mod rings;
mod sampled;
mod small;
