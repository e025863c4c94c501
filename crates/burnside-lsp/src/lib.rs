//! The language server: what editors ask about a model, answered from its text as it is being typed.
//!
//! Entry points: [`serve`] over any connection, [`serve_streams`] for the program. One thread reads messages
//! and answers them (`server`); checks run in threads of their own (`check`). What is known about a text
//! is worked out once for each state of it (`analysis`), whole: a model of 2,000 lines takes
//! some 30 ms. Each file from `hover` to `lens` answers one kind of question; none of them changes
//! anything.
//!
//! A panic in an answer is an error for the editor and nothing else. Nothing is printed.

mod actions;
mod analysis;
mod capabilities;
mod check;
mod completion;
mod diagnostics;
mod documents;
mod format;
mod hover;
mod lens;
mod navigate;
mod outline;
mod positions;
mod rename;
mod server;
mod streams;
mod symmetry;
mod tokens;

pub use positions::Positions;
pub use server::{Ended, ServerOptions, serve, serve_streams};
