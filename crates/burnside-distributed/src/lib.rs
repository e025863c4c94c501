//! Searches for states that are shared out among workers, on timely dataflow: threads of one process, or of
//! several on several machines.
//!
//! Entry points: [`Cluster::of_threads`] and [`Connection::open`], which make a [`Cluster`]; and
//! [`Cluster::on`], which searches one system with it, for the explicit engine. All processes of a cluster do
//! the same with the same model: each one asks the same questions in the same order, and gets the same
//! answers. What keeps them together is a handshake at the start (`hello`), a comparison before every search,
//! and a second connection between any two of them (`link`), which tells when one wants to end and when one
//! is gone.

mod cluster;
mod connection;
mod fingerprint;
mod health;
mod hello;
mod hosts;
mod level;
mod link;
mod note;
mod parents;
mod rounds;
mod search;
mod stop;
mod stream;

pub use cluster::{Cluster, OnSystem};
pub use connection::{ConnectError, Connection, Membership};
pub use fingerprint::Fingerprint;
pub use hosts::{Hosts, HostsError};
