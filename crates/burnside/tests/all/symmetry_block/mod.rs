//! Symmetry blocks: what is proved is used and changes no verdict, what is wrong is refused with the rule
//! that it breaks.

mod limits;
mod support;
mod topologies;
