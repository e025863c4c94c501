//! The texts that the editor has open, and how they change.

use crate::analysis::Known;
use crate::positions::Positions;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An open text.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its address.
    pub uri: Uri,
    /// The editor's number for this state of it.
    pub version: i32,
    /// The text.
    pub text: String,
    /// Whether it is a model in our language: nothing is said about others, such as nets.
    pub is_model: bool,
    known: Option<Rc<Known>>,
}

impl Document {
    /// A text as it was opened.
    pub fn new(uri: Uri, language: &str, version: i32, text: String) -> Self {
        let is_xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        let is_net = uri.as_str().ends_with(".pnml") || language == "pnml" || language == "xml" || is_xml;
        Self { uri, version, text, is_model: !is_net, known: None }
    }

    /// What is known about the text as it is now. Nothing about what is no model.
    pub fn known(&mut self) -> Option<Rc<Known>> {
        if !self.is_model {
            return None;
        }
        let known = self.known.get_or_insert_with(|| Rc::new(Known::new(self.text.clone())));
        Some(Rc::clone(known))
    }

    /// Makes changes, one after the other. If that panics the text is as before.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut text = self.text.clone();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let span = Positions::new(&text).span(&text, range);
                    text.replace_range(span.start as usize..span.end as usize, &change.text);
                }
            }
        }
        (self.text, self.version, self.known) = (text, version, None);
    }
}

/// All open texts, by their addresses.
#[derive(Debug, Default)]
pub(crate) struct Documents(BTreeMap<String, Document>);

impl Documents {
    /// Opens a text, or opens it anew.
    pub fn open(&mut self, document: Document) {
        self.0.insert(document.uri.as_str().to_string(), document);
    }

    /// Closes a text.
    pub fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.0.remove(uri.as_str())
    }

    /// The text with an address, if it is open.
    pub fn get(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.0.get_mut(uri.as_str())
    }

    /// What is known about a text, if it is open and a model.
    pub fn known(&mut self, uri: &Uri) -> Option<Rc<Known>> {
        self.get(uri)?.known()
    }

    /// All of them.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Document> {
        self.0.values_mut()
    }
}
