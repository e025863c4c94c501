//! When we are wrong: a message that says so, and a file with all that is needed to see it again.
//!
//! Entry points: [`install`] for panics, [`report`] for contradictions that were noticed in time.

use crate::input::Source;
use crate::output::{self, progress};
use burnside::ExternalProperty;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What was being worked on.
#[derive(Clone, Debug, Default)]
struct Work {
    model: String,
    text: Arc<String>,
    settings: Vec<(String, String)>,
    given: Vec<ExternalProperty>,
}

static WORK: Mutex<Option<Work>> = Mutex::new(None);
thread_local! {
    /// What this thread works on, where several models are worked on at once.
    static OWN: RefCell<Option<Work>> = const { RefCell::new(None) };
}
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Notes what is being worked on, for the case that we fail on it.
pub fn remember(source: &Source, settings: &[(String, String)], given: &[ExternalProperty]) {
    let (model, text) = (source.path.clone(), source.text.clone());
    let work = Work { model, text, settings: settings.to_vec(), given: given.to_vec() };
    OWN.with_borrow_mut(|own| *own = Some(work.clone()));
    if let Ok(mut current) = WORK.lock() {
        *current = Some(work);
    }
}

/// From now on a panic is reported as our own fault.
pub fn install() {
    std::panic::set_hook(Box::new(|info| report(None, &describe(info))));
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text =
        payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    let message = text.unwrap_or("something went wrong");
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_string(),
    }
}

/// Says that we are wrong and writes the reproduction file. Does so once: what follows is only a consequence.
pub fn report(property: Option<&str>, message: &str) {
    if REPORTED.swap(true, Ordering::SeqCst) {
        return;
    }
    progress::clear_line();
    // A thread that an engine has started knows nothing of its own.
    let own = OWN.try_with(|own| own.try_borrow().ok().and_then(|own| own.clone())).ok().flatten();
    let last = || WORK.try_lock().ok().and_then(|work| work.clone());
    let work = own.or_else(last).unwrap_or_default();
    let saved = save(Path::new("."), &document(&work, property, message));
    let request = match saved {
        Ok(path) => format!("please report it with the file `{}`, which holds the model", path.display()),
        Err(error) => format!("please report it with the model (no file could be written: {error})"),
    };
    let verdict = "this is a bug in Burnside: the answer, if there is one, cannot be trusted";
    output::message(&format!("internal error: {message}\n{verdict}\n{request}\n"));
}

fn document(work: &Work, property: Option<&str>, message: &str) -> Value {
    let settings: serde_json::Map<_, _> = work.settings.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    json!({
        "burnside": env!("CARGO_PKG_VERSION"),
        "arguments": std::env::args().skip(1).collect::<Vec<_>>(),
        "message": message,
        "property": property,
        "model": work.model,
        "settings": settings,
        "text": *work.text,
        "given": work.given.iter().map(|given| json!({"origin": given.origin, "text": given.text})).collect::<Value>(),
    })
}

/// The name depends on the content only, so the same fault does not fill the directory.
fn save(directory: &Path, document: &Value) -> io::Result<PathBuf> {
    let text = format!("{document:#}\n");
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let path = directory.join(format!("burnside-repro-{:08x}.json", hasher.finish() as u32));
    std::fs::write(&path, text)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_holds_what_is_needed() {
        let directory = std::env::temp_dir().join(format!("burnside-crash-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let work = Work {
            model: "m.orb".into(),
            text: "var x: bool;".to_string().into(),
            settings: vec![("N".into(), "3".into())],
            given: Vec::new(),
        };
        let path = save(&directory, &document(&work, Some("mutex"), "wrong")).unwrap();
        let read: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(read["text"], "var x: bool;");
        assert_eq!(read["settings"]["N"], "3");
        assert_eq!((&read["property"], &read["message"]), (&json!("mutex"), &json!("wrong")));
        assert!(path.file_name().unwrap().to_str().unwrap().starts_with("burnside-repro-"));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
