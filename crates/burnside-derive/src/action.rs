//! Actions: an enum whose variants are rules.

use crate::name::snake;
use proc_macro2::{Ident, TokenStream as Tokens};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Error, LitInt, Token, Variant};

/// What `#[process(Client, 1)]` says.
struct Process {
    name: String,
    indices: usize,
}

impl Parse for Process {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let wanted = "a name, and how many of the first fields say which member: `#[process(Client, 1)]`";
        let name = input.parse::<Ident>().map_err(|error| Error::new(error.span(), wanted))?.to_string();
        let indices = match input.is_empty() {
            true => 0,
            false => {
                input.parse::<Token![,]>()?;
                input.parse::<LitInt>()?.base10_parse()?
            }
        };
        Ok(Self { name, indices })
    }
}

/// The code for an enum.
pub fn derive(input: &DeriveInput) -> syn::Result<Tokens> {
    let Data::Enum(its) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "`Action` is for enums: each variant is a rule"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "`Action` is for enums without parameters"));
    }
    let name = &input.ident;
    let specs = its.variants.iter().map(spec).collect::<syn::Result<Vec<Tokens>>>()?;
    let labels = its.variants.iter().enumerate().map(|(number, variant)| label(number, variant));
    let body = match its.variants.is_empty() {
        true => quote!(match *self {}),
        false => quote!(::core::result::Result::Ok(match self { #(#labels)* })),
    };
    Ok(quote! {
        impl ::burnside::rust::Action for #name {
            fn rules() -> ::std::vec::Vec<::burnside::rust::RuleSpec> {
                ::std::vec![#(#specs),*]
            }

            fn label(
                &self,
                layout: &::burnside::rust::Layout,
                args: &mut ::std::vec::Vec<u64>,
            ) -> ::core::result::Result<usize, ::burnside::rust::ts::FaultKind> {
                #body
            }
        }
    })
}

fn process(variant: &Variant) -> syn::Result<Process> {
    let mut said = variant.attrs.iter().filter(|attribute| attribute.path().is_ident("process"));
    let Some(attribute) = said.next() else {
        return Ok(Process { name: snake(&variant.ident.to_string()), indices: 0 });
    };
    if let Some(again) = said.next() {
        return Err(Error::new_spanned(again, "the process is said twice"));
    }
    let process: Process = attribute.parse_args()?;
    match process.indices > variant.fields.len() {
        true => {
            let (fields, wanted) = (variant.fields.len(), process.indices);
            let message = format!("the variant has {fields} fields, not the {wanted} that say which member");
            Err(Error::new_spanned(attribute, message))
        }
        false => Ok(process),
    }
}

fn spec(variant: &Variant) -> syn::Result<Tokens> {
    let Process { name: process, indices } = process(variant)?;
    let name = snake(&variant.ident.to_string());
    let names = variant.fields.members().map(|member| match member {
        syn::Member::Named(name) => name.to_string().trim_start_matches("r#").to_string(),
        syn::Member::Unnamed(index) => char::from(b'a' + (index.index % 26) as u8).to_string(),
    });
    let types = variant.fields.iter().map(|field| &field.ty);
    Ok(quote! {
        ::burnside::rust::RuleSpec {
            name: #name,
            process: #process,
            indices: #indices,
            parameters: ::std::vec![#(::burnside::rust::Parameter::of::<#types>(#names)),*],
        }
    })
}

fn label(number: usize, variant: &Variant) -> Tokens {
    let (ident, members) = (&variant.ident, variant.fields.members());
    let locals: Vec<Ident> = (0..variant.fields.len()).map(|i| format_ident!("field{i}")).collect();
    quote! {
        Self::#ident { #(#members: #locals),* } => {
            #(args.push(::burnside::rust::argument(#locals, layout)?);)*
            #number
        }
    }
}
