//! The server, driven by real messages over a connection in memory.

mod checks;
mod client;
mod features;
mod mutations;
mod protocol;
mod speed;
