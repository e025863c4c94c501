//! What can be asked, and what answers it. Everything is under the token; nothing is a file of the disk.
//!
//! Entry point: [`answer`].

use crate::explorer::{Explorer, lock};
use crate::html::FILES;
use crate::request::{Method, Request};
use crate::response::{Refusal, Response};
use burnside_report::{overview, page, symmetry};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The names of what can be asked for, with how.
const ROUTES: [(&str, Method); 8] = [
    ("model", Method::Get),
    ("symmetry", Method::Get),
    ("walk", Method::Get),
    ("evidence", Method::Get),
    ("graph", Method::Get),
    ("check", Method::Get),
    ("check", Method::Post),
    ("cancel", Method::Post),
];

/// Answers a request that was admitted.
pub(crate) fn answer(explorer: &Arc<Explorer>, what: &str, request: &Request) -> Response {
    match route(explorer, what, request) {
        Ok(response) => response,
        Err(refusal) => refusal.into(),
    }
}

fn route(explorer: &Arc<Explorer>, what: &str, request: &Request) -> Result<Response, Refusal> {
    let Some(name) = what.strip_prefix("api/") else { return file(what, request) };
    if !ROUTES.iter().any(|(known, _)| *known == name) {
        return Err(Refusal::new(404, "there is nothing of this name"));
    }
    if !ROUTES.contains(&(name, request.method)) {
        return Err(Refusal::new(405, format!("`{name}` is asked for in another way")));
    }
    let document = match (name, request.method) {
        ("model", _) => return fixed(explorer, 0, || overview::overview(&explorer.input)),
        ("symmetry", _) => return fixed(explorer, 1, || symmetry::page(&explorer.input)),
        ("walk", _) => explorer.walk(request.value("path"), number(request, "from")?.unwrap_or(0))?,
        ("graph", _) => explorer.graph(request)?,
        ("evidence", _) => evidence(explorer, request)?,
        ("check", Method::Get) => {
            let body = lock(&explorer.job).document().to_vec();
            return Ok(Response { status: 200, content_type: "application/json", body });
        }
        ("check", Method::Post) => start(explorer, &body(request)?)?,
        _ => {
            body(request)?;
            explorer.cancel();
            json!({})
        }
    };
    Ok(Response::json(200, &document))
}

/// A file of the page.
fn file(name: &str, request: &Request) -> Result<Response, Refusal> {
    if request.method != Method::Get {
        return Err(Refusal::new(405, "files are asked for with GET"));
    }
    let name = if name.is_empty() { "index.html" } else { name };
    let found = FILES.iter().find(|(known, ..)| *known == name);
    let (_, content_type, text) = found.ok_or_else(|| Refusal::new(404, "there is no such file"))?;
    Ok(Response::file(content_type, text))
}

/// A document that never changes: it is made once.
fn fixed(explorer: &Explorer, which: usize, make: impl FnOnce() -> Value) -> Result<Response, Refusal> {
    let kept: &OnceLock<Vec<u8>> = &explorer.documents[which];
    if kept.get().is_none() {
        let made = Response::json(200, &explorer.within(make)?).body;
        // Somebody else may have been faster: what they made is the same.
        let _ = kept.set(made);
    }
    let body = kept.get().cloned().unwrap_or_default();
    Ok(Response { status: 200, content_type: "application/json", body })
}

/// A number in the query.
pub(crate) fn number(request: &Request, name: &str) -> Result<Option<usize>, Refusal> {
    let Some(text) = request.value(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.map(Some).ok_or_else(|| Refusal::new(400, format!("`{name}` is not a number")))
}

/// What a POST says.
fn body(request: &Request) -> Result<Value, Refusal> {
    let content_type = request.header("content-type").unwrap_or_default();
    if content_type.split(';').next().map(str::trim) != Some("application/json") {
        return Err(Refusal::new(415, "a POST is of the type `application/json`"));
    }
    let value: Value = serde_json::from_slice(&request.body)
        .map_err(|error| Refusal::new(400, format!("the body is not JSON: {error}")))?;
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(Refusal::new(400, "the body is not an object")),
    }
}

/// Starts a check.
fn start(explorer: &Arc<Explorer>, wanted: &Value) -> Result<Value, Refusal> {
    let bad = |what: &str| Refusal::new(400, what);
    let names = match &wanted["properties"] {
        Value::Null => Vec::new(),
        Value::Array(names) => names
            .iter()
            .map(|name| name.as_str().map(str::to_string))
            .collect::<Option<_>>()
            .ok_or_else(|| bad("`properties` is a list of names"))?,
        _ => return Err(bad("`properties` is a list of names")),
    };
    let timeout = match &wanted["timeout"] {
        Value::Null => None,
        seconds => {
            let seconds = seconds.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            Some(seconds.ok_or_else(|| bad("`timeout` is a number of seconds"))?)
        }
    };
    Ok(json!({"run": explorer.start(names, timeout)?}))
}

/// What shows the answer for a property.
fn evidence(explorer: &Explorer, request: &Request) -> Result<Value, Refusal> {
    let Some(property) = request.value("property") else {
        return Err(Refusal::new(400, "`property` says of which one"));
    };
    let result = lock(&explorer.job).about(property);
    let result = result.ok_or_else(|| match explorer.named(&[property.to_string()]) {
        Ok(()) => Refusal::new(404, "nothing is known of this property: check it first"),
        Err(refusal) => Refusal { status: 404, ..refusal },
    })?;
    let (source, paths) = (&explorer.input.source.text, explorer.options.paths());
    let shown = explorer.within(|| page::evidence(&result.model, source, &result.answer, paths))?;
    shown.ok_or_else(|| Refusal::new(404, "there is no run that shows the answer for this property"))
}
