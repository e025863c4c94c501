//! Questions about nets: from text, from the contest's XML, and those that every net has.

mod globals;
mod random;
mod support;
mod text;
mod text_errors;
mod xml;
mod xml_errors;
