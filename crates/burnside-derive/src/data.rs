//! Values: structs as records, enums without fields as constants, enums with fields as a constant beside
//! optional fields.
//!
//! Of an enum with fields, those of the other variants are none: a permutation moves a member that is stored
//! somewhere, so a field that is not in use must not hold one.

use crate::name::snake;
use proc_macro2::{Ident, TokenStream as Tokens};
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Type, Variant};

/// The code for a struct or an enum.
pub fn derive(input: &DeriveInput) -> syn::Result<Tokens> {
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "`Data` is for types without parameters"));
    }
    match &input.data {
        Data::Struct(it) => Ok(record(&input.ident, &it.fields)),
        Data::Enum(it) if it.variants.is_empty() => {
            Err(Error::new_spanned(&input.ident, "an enum without variants has no value"))
        }
        Data::Enum(it) if it.variants.iter().all(|variant| variant.fields.is_empty()) => {
            Ok(constants(&input.ident, it))
        }
        Data::Enum(it) => Ok(variants(&input.ident, it)),
        Data::Union(_) => Err(Error::new_spanned(&input.ident, "`Data` is for structs and enums")),
    }
}

/// The names by which fields are accessed and shown, and their types.
fn fields(fields: &Fields) -> (Vec<syn::Member>, Vec<String>, Vec<&Type>) {
    let members: Vec<syn::Member> = fields.members().collect();
    let text = |member: &syn::Member| match member {
        syn::Member::Named(name) => name.to_string().trim_start_matches("r#").to_string(),
        syn::Member::Unnamed(index) => format!("f{}", index.index),
    };
    let names = members.iter().map(text).collect();
    (members, names, fields.iter().map(|field| &field.ty).collect())
}

fn record(name: &Ident, its: &Fields) -> Tokens {
    let text = name.to_string();
    let (members, names, types) = fields(its);
    quote! {
        impl ::burnside::rust::Fields for #name {
            fn fields(
                schema: &mut ::burnside::rust::Schema<'_>,
            ) -> ::core::result::Result<
                ::std::vec::Vec<(::std::string::String, ::burnside::rust::ts::TypeId)>,
                ::burnside::rust::ts::TypeError,
            > {
                ::core::result::Result::Ok(::std::vec![#(
                    (#names.into(), <#types as ::burnside::rust::Data>::describe(schema)?)
                ),*])
            }
        }

        impl ::burnside::rust::Data for #name {
            fn describe(
                schema: &mut ::burnside::rust::Schema<'_>,
            ) -> ::core::result::Result<::burnside::rust::ts::TypeId, ::burnside::rust::ts::TypeError> {
                schema.record::<Self>(#text, <Self as ::burnside::rust::Fields>::fields)
            }

            fn width(layout: &::burnside::rust::Layout) -> u32 {
                0 #(+ <#types as ::burnside::rust::Data>::width(layout))*
            }

            fn write(
                &self,
                out: &mut ::burnside::rust::Writer<'_>,
            ) -> ::core::result::Result<(), ::burnside::rust::ts::FaultKind> {
                #(::burnside::rust::Data::write(&self.#members, out)?;)*
                ::core::result::Result::Ok(())
            }

            fn read(input: &mut ::burnside::rust::Reader<'_>) -> Self {
                Self { #(#members: ::burnside::rust::Data::read(input)),* }
            }

            fn read_into(&mut self, input: &mut ::burnside::rust::Reader<'_>) {
                #(::burnside::rust::Data::read_into(&mut self.#members, input);)*
            }
        }
    }
}

fn constants(name: &Ident, its: &DataEnum) -> Tokens {
    let text = name.to_string();
    let variants: Vec<&Ident> = its.variants.iter().map(|variant| &variant.ident).collect();
    let names = variants.iter().map(|variant| snake(&variant.to_string()));
    let (numbers, count) = (0..variants.len() as u64, variants.len() as u64);
    let codes = numbers.clone();
    quote! {
        impl ::burnside::rust::Data for #name {
            ::burnside::rust::scalar_bits!();

            fn describe(
                schema: &mut ::burnside::rust::Schema<'_>,
            ) -> ::core::result::Result<::burnside::rust::ts::TypeId, ::burnside::rust::ts::TypeError> {
                schema.enumeration::<Self>(#text, &[#(#names),*])
            }

            fn size(_: &::burnside::rust::Layout) -> u64 {
                #count
            }

            fn code(
                &self,
                _: &::burnside::rust::Layout,
            ) -> ::core::result::Result<u64, ::burnside::rust::ts::FaultKind> {
                ::core::result::Result::Ok(match self { #(Self::#variants { .. } => #numbers),* })
            }

            fn from_code(code: u64) -> Self {
                match code {
                    #(#codes => Self::#variants {},)*
                    _ => ::core::unreachable!("a constant that there is not"),
                }
            }
        }
    }
}

fn variants(name: &Ident, its: &DataEnum) -> Tokens {
    let text = name.to_string();
    let count = its.variants.len() as u64;
    let constants: Vec<String> =
        its.variants.iter().map(|variant| snake(&variant.ident.to_string())).collect();
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for (variant, constant) in its.variants.iter().zip(&constants) {
        let (_, texts, of_variant) = fields(&variant.fields);
        names.extend(texts.iter().map(|text| format!("{constant}_{text}")));
        types.extend(of_variant);
    }
    let reads = its.variants.iter().enumerate().map(|(number, variant)| read_variant(number, variant));
    let writes = (0..its.variants.len()).map(|number| write_variant(number, its));
    quote! {
        impl ::burnside::rust::Data for #name {
            fn describe(
                schema: &mut ::burnside::rust::Schema<'_>,
            ) -> ::core::result::Result<::burnside::rust::ts::TypeId, ::burnside::rust::ts::TypeError> {
                schema.record::<Self>(#text, |schema| {
                    // What kinds there are is a type of its own; a declared one could hide that of a field.
                    ::core::result::Result::Ok(::std::vec![
                        ("kind".into(), schema.enumeration::<(Self,)>(#text, &[#(#constants),*])?),
                        #((
                            #names.into(),
                            <::core::option::Option<#types> as ::burnside::rust::Data>::describe(schema)?,
                        ),)*
                    ])
                })
            }

            fn width(layout: &::burnside::rust::Layout) -> u32 {
                ::burnside::rust::bits_for_size(#count)
                    #(+ <::core::option::Option<#types> as ::burnside::rust::Data>::width(layout))*
            }

            fn write(
                &self,
                out: &mut ::burnside::rust::Writer<'_>,
            ) -> ::core::result::Result<(), ::burnside::rust::ts::FaultKind> {
                let width = ::burnside::rust::bits_for_size(#count);
                match self { #(#writes)* }
                ::core::result::Result::Ok(())
            }

            fn read(input: &mut ::burnside::rust::Reader<'_>) -> Self {
                let number = input.take(::burnside::rust::bits_for_size(#count));
                let mut read = ::core::option::Option::None;
                #(#reads)*
                read.expect("a variant that there is")
            }
        }
    }
}

/// Names for the fields of a variant inside of a function.
fn locals(variant: &Variant) -> Vec<Ident> {
    (0..variant.fields.len()).map(|i| format_ident!("field{i}")).collect()
}

/// Reads the fields of a variant, and makes it the result if it is the one.
fn read_variant(number: usize, variant: &Variant) -> Tokens {
    let (ident, number) = (&variant.ident, number as u64);
    let ((members, _, types), locals) = (fields(&variant.fields), locals(variant));
    if members.is_empty() {
        return quote! {
            if number == #number {
                read = ::core::option::Option::Some(Self::#ident {});
            }
        };
    }
    quote! {
        let value = (
            #(<::core::option::Option<#types> as ::burnside::rust::Data>::read(input),)*
        );
        if number == #number {
            let (#(::core::option::Option::Some(#locals),)*) = value else {
                ::core::unreachable!("the fields of a variant are there")
            };
            read = ::core::option::Option::Some(Self::#ident { #(#members: #locals),* });
        }
    }
}

/// The arm that writes a variant: its own fields, and none for those of the others.
fn write_variant(number: usize, its: &DataEnum) -> Tokens {
    let of_variant = |(other, variant): (usize, &Variant)| match other == number {
        true => {
            let locals = locals(variant);
            quote!(#(::burnside::rust::write_some(#locals, out)?;)*)
        }
        false => {
            let types = variant.fields.iter().map(|field| &field.ty);
            quote!(#(::burnside::rust::write_none::<#types>(out);)*)
        }
    };
    let all = its.variants.iter().enumerate().map(of_variant);
    let (variant, code) = (&its.variants[number], number as u64);
    let (ident, (members, ..), locals) = (&variant.ident, fields(&variant.fields), locals(variant));
    quote!(Self::#ident { #(#members: #locals),* } => { out.put(width, #code); #(#all)* })
}
