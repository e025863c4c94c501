//! Searches for states, and for runs, that are shared out among workers, on timely dataflow: threads of
//! one process, or of several on several machines.
//!
//! Entry points: [`Cluster::of_threads`] and [`Connection::open`], which make a [`Cluster`]; and
//! [`Cluster::on`], which searches one system with it, for the explicit engine: `search` for states, with
//! one worker's share in `level`; `runs` for runs, with one worker's share in `remains` and `trim`. All
//! processes of a cluster do the same with the same model: each one asks the same questions in the same
//! order, and gets the same answers. What keeps them together is a handshake at the start (`hello`), a
//! comparison before every search, and a second connection between any two of them (`link`), which tells
//! when one wants to end and when one is gone.

mod cluster;
mod conditions;
mod connection;
mod fingerprint;
mod health;
mod hello;
mod hosts;
mod level;
mod link;
mod note;
mod pairs;
mod parents;
mod remains;
mod rounds;
mod runs;
mod search;
mod stop;
mod stream;
mod trim;

pub use cluster::{Cluster, OnSystem};
pub use connection::{ConnectError, Connection, Membership};
pub use fingerprint::Fingerprint;
pub use hosts::{Hosts, HostsError};
