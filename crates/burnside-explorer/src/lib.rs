//! A model explored in a browser: the page, the server that hands it out on loopback, and what it answers;
//! and the same page as one file, for reports.
//!
//! Entry points: [`Server::start`] with an [`Explorer`], and [`html::report_page`]. A request is read
//! (`request`), admitted (`guard`), answered (`api`) from the model's machine (`walk`), a check in the
//! background (`job`) or the graph (`graph`), and the answer is sent (`response`). Every request has limits
//! of its own, so that a large model never blocks the page. Prints nothing.

mod api;
mod explorer;
mod graph;
mod guard;
pub mod html;
mod job;
mod request;
mod response;
mod server;
mod walk;

pub use explorer::{Bounds, Explorer, Subject};
pub use server::Server;
