//! Symmetric types.

use proc_macro2::{Ident, Span, TokenStream as Tokens};
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields};

/// The code for a unit struct.
pub fn derive(input: &DeriveInput, kind: &str) -> syn::Result<Tokens> {
    let is_unit = matches!(&input.data, Data::Struct(it) if matches!(it.fields, Fields::Unit));
    if !is_unit || !input.generics.params.is_empty() {
        let message = format!("`{kind}` is for structs without fields and parameters: `struct Client;`");
        return Err(Error::new_spanned(&input.ident, message));
    }
    let name = &input.ident;
    let ring = (kind == "Ring").then(|| quote!(impl ::burnside::rust::RingSort for #name {}));
    let kind = Ident::new(kind, Span::call_site());
    let text = name.to_string();
    Ok(quote! {
        impl ::burnside::rust::Sort for #name {
            const NAME: &'static str = #text;
            const KIND: ::burnside::rust::SortKind = ::burnside::rust::SortKind::#kind;

            fn key() -> &'static ::burnside::rust::Key {
                static KEY: ::burnside::rust::Key = ::burnside::rust::Key::new();
                &KEY
            }
        }
        #ring
    })
}
