//! The texts that the editor has open, and how they change.

use crate::analysis::Known;
use crate::positions::Positions;
use burnside::files::{gather, read_file};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
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
    /// Whether it is a Murphi model, of which mistakes are told and nothing else.
    pub is_murphi: bool,
    known: Option<Rc<Known>>,
}

impl Document {
    /// A text as it was opened.
    pub fn new(uri: Uri, language: &str, version: i32, text: String) -> Self {
        let is_xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        let is_net = uri.as_str().ends_with(".pnml") || language == "pnml" || language == "xml" || is_xml;
        let is_murphi = !is_net && (uri.as_str().ends_with(".m") || language == "murphi");
        Self { uri, version, text, is_model: !is_net && !is_murphi, is_murphi, known: None }
    }

    /// What is known about the text as it is now. Nothing about what is no model.
    fn known(&mut self, imported: &str) -> Option<Rc<Known>> {
        if !self.is_model {
            return None;
        }
        // What it imports may have changed meanwhile.
        if self.known.as_ref().is_some_and(|known| known.imported() != imported) {
            self.known = None;
        }
        let known = self.known.get_or_insert_with(|| Rc::new(Known::new(self.text.clone(), imported)));
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
        let imported = self.imported(uri).unwrap_or_default();
        self.get(uri)?.known(&imported)
    }

    /// The text of a model with the files that it imports behind it, if it is open.
    pub fn whole(&self, uri: &Uri) -> Option<String> {
        let document = self.0.get(uri.as_str()).filter(|it| it.is_model)?;
        Some(format!("{}{}", document.text, self.imported(uri).unwrap_or_default()))
    }

    /// The files that a text imports, as they stand behind it: those that are open as they are there.
    fn imported(&self, uri: &Uri) -> Option<String> {
        let document = self.0.get(uri.as_str()).filter(|it| it.is_model)?;
        let path = path(uri)?;
        let folder = path.parent()?;
        let all = gather(&document.text, &mut |name| {
            let wanted = folder.join(name);
            if normal(&wanted) == normal(&path) {
                return Err("it imports this file itself".to_string());
            }
            let is_this =
                |it: &&Document| self::path(&it.uri).is_some_and(|it| normal(&it) == normal(&wanted));
            match self.0.values().find(is_this) {
                Some(open) => Ok(open.text.clone()),
                None => read_file(&wanted).map_err(|error| error.to_string()),
            }
        })?;
        Some(all[document.text.len()..].to_string())
    }

    /// The addresses of all of them.
    pub fn addresses(&self) -> Vec<Uri> {
        self.0.values().map(|document| document.uri.clone()).collect()
    }

    /// The addresses of the texts that import something.
    pub fn importing(&self) -> Vec<Uri> {
        let imports = self.0.values().filter(|document| document.text.contains("import"));
        imports.map(|document| document.uri.clone()).collect()
    }
}

/// The path of an address, if it is that of a file.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = rest.bytes();
    while let Some(byte) = rest.next() {
        let digit = |it: Option<u8>| char::from(it?).to_digit(16);
        match byte {
            b'%' => bytes.push((digit(rest.next())? * 16 + digit(rest.next())?) as u8),
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The address of a file beside another.
pub(crate) fn beside(uri: &Uri, name: &str) -> Option<Uri> {
    let path = normal(&path(uri)?.parent()?.join(name));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let text: String = path
        .to_string_lossy()
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("file://{text}").parse().ok()
}

/// A path without steps back.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for step in path.components() {
        match step {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            step => normal.push(step),
        }
    }
    normal
}
