//! Derives for models written in Rust: `Data` for states and what they are made of, `Action` for what can
//! happen, `Symmetric` and `Ring` for types with alike members. What they are for is said in the crate
//! `burnside`, module `rust`; the code that they write names that path.

mod action;
mod data;
mod name;
mod sort;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct or an enum something that a state can be made of. The fields of a struct, and of the
/// variants of an enum, must be so themselves.
#[proc_macro_derive(Data)]
pub fn data(input: TokenStream) -> TokenStream {
    finish(data::derive(&parse_macro_input!(input as DeriveInput)))
}

/// Makes an enum the actions of a model: each variant is a rule, its fields are the parameters.
/// `#[process(Name)]` on a variant says whose rule it is, `#[process(Name, 1)]` that its first field (or so
/// many) says which member of a family of processes.
#[proc_macro_derive(Action, attributes(process))]
pub fn action(input: TokenStream) -> TokenStream {
    finish(action::derive(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a unit struct a type whose members can be permuted in all ways.
#[proc_macro_derive(Symmetric)]
pub fn symmetric(input: TokenStream) -> TokenStream {
    finish(sort::derive(&parse_macro_input!(input as DeriveInput), "Symmetric"))
}

/// Makes a unit struct a type whose members stand in a ring and can be rotated.
#[proc_macro_derive(Ring)]
pub fn ring(input: TokenStream) -> TokenStream {
    finish(sort::derive(&parse_macro_input!(input as DeriveInput), "Ring"))
}

fn finish(code: syn::Result<Tokens>) -> TokenStream {
    code.unwrap_or_else(|error| error.to_compile_error()).into()
}
