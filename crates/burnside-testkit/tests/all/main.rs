//! Random models, all small worlds and the examples against what is right by brute force, in one program:
//! each module is a subject.

mod automorphism;
mod built;
mod caching;
mod canon;
mod cases;
mod contest;
mod coverage;
mod ctl;
mod ctl_worlds;
mod every;
mod evidence;
mod examples;
mod goals;
mod hunts;
mod lassos;
mod local;
mod ltl;
mod ltl_worlds;
mod machines;
mod members;
mod models;
mod murphi;
mod native;
mod nets;
mod random;
mod readers;
mod structure;
mod symbolic;
mod symbolic_symmetry;
mod symmetry_inferred;
mod threads;
mod tokens;
mod tuples;
mod weighed;
