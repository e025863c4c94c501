//! Reading texts of models from files: what is a text, and how large it may be.
//!
//! Entry points: [`read_file`] and [`read_text`].

use burnside_lang::import::bundle::gather;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The greatest size of a text.
pub const MAX_SIZE: u64 = 256 << 20;

/// Why a text cannot be read.
#[derive(Clone, Debug)]
pub enum ReadError {
    /// There is no such file.
    Missing,
    /// It is a directory.
    Directory,
    /// It has more bytes than [`MAX_SIZE`].
    TooLarge,
    /// It is not a text in UTF-8, or has a zero in it: says where.
    NotText(String),
    /// The system says no.
    Io(Arc<io::Error>),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Missing => f.write_str("there is no such file"),
            ReadError::Directory => f.write_str("this is a directory"),
            ReadError::TooLarge => write!(f, "the text is larger than {} MiB", MAX_SIZE >> 20),
            ReadError::NotText(why) => write!(f, "this is not a text file: {why}"),
            ReadError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => ReadError::Missing,
            io::ErrorKind::IsADirectory => ReadError::Directory,
            _ => ReadError::Io(Arc::new(error)),
        }
    }
}

/// Reads a text from a file.
///
/// ```
/// use burnside::files::{ReadError, read_file};
///
/// let error = read_file("no/such/file.orb".as_ref()).unwrap_err();
/// assert!(matches!(error, ReadError::Missing));
/// ```
pub fn read_file(path: &Path) -> Result<String, ReadError> {
    read_text(open(path)?)
}

/// Reads a text from somewhere, such as standard input.
///
/// ```
/// let text = burnside::files::read_text("var x: bool;".as_bytes())?;
/// assert_eq!(text, "var x: bool;");
/// # Ok::<(), burnside::files::ReadError>(())
/// ```
pub fn read_text(from: impl Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    from.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(ReadError::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ReadError::NotText(format!("byte {} (0x{:02x}) is not UTF-8", at + 1, error.as_bytes()[at]))
    })?;
    match text.find('\0') {
        Some(at) => Err(ReadError::NotText(format!("byte {} is zero", at + 1))),
        None => Ok(text),
    }
}

/// The text of a model with the files that it imports behind it, as one text that can be loaded, stored and
/// sent; nothing if it imports none. `path` is the file that the text stands in.
///
/// ```
/// use burnside::files::with_imports;
/// use std::path::{Path, PathBuf};
///
/// assert_eq!(with_imports(Path::new("m.orb"), "var x: bool;"), None);
/// ```
pub fn with_imports(path: &Path, text: &str) -> Option<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut known: BTreeMap<PathBuf, String> = BTreeMap::new();
    known.extend(path.canonicalize().map(|path| (path, String::new())));
    gather(text, &mut |name| {
        let path = folder.join(name);
        let text = read_file(&path).map_err(|error| error.to_string())?;
        match path.canonicalize().ok().and_then(|path| known.insert(path, name.to_string())) {
            Some(first) if first.is_empty() => Err("it imports this file itself".to_string()),
            Some(first) => Err(format!("this is `{first}` under another name")),
            None => Ok(text),
        }
    })
}

/// Opens a file that is not a directory.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    }
}
