//! Petri nets for tests: an interpreter that works by the definitions ([`explore`], [`holds`]), random nets
//! ([`random_net`]), also with very many tokens ([`large_net`]) or few arcs ([`sparse_net`]), their PNML
//! ([`write_pnml`]) and their unfolding ([`unfold()`]).

mod large;
mod oracle;
mod random;
mod sparse;
mod unfold;
mod write;

pub use large::{large_net, large_query};
pub use oracle::{Explored, Marking, explore, holds, value};
pub use random::{random_linear, random_net, random_query};
pub use sparse::{sparse_net, sparse_questions};
pub use unfold::unfold;
pub use write::write_pnml;
