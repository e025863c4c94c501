//! The server, driven by real messages over a connection in memory.

mod checks;
mod client;
mod features;
mod imports;
mod mutations;
mod names;
mod protocol;
mod speed;
