//! The server from outside: requests over real sockets in, answers out.

mod checks;
#[path = "../common/mod.rs"]
mod common;
mod graphs;
mod hostile;
mod patience;
mod walks;
