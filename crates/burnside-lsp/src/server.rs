//! The loop that reads messages and answers them.
//!
//! Entry points: [`serve`] and [`serve_streams`]. Diagnostics follow an edit as soon as no further message
//! comes for a moment, so that somebody who types fast is not told about every letter. Whatever panics in an
//! answer is caught here: the editor gets an error, the next message an answer.

use crate::analysis::Known;
use crate::capabilities::{abilities, offered};
use crate::check::{COMMAND, Checks, Post, Wanted};
use crate::documents::{Document, Documents};
use crate::{
    actions, completion, diagnostics, format, hover, lens, navigate, outline, rename, streams, tokens,
};
use burnside::Limits;
use burnside_limits::{catch, give_up};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{self as notes, Notification as _};
use lsp_types::request::{self as asks, Request as _};
use lsp_types::{
    CompletionResponse, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentSymbolResponse, ExecuteCommandParams, GotoDefinitionResponse, InitializeParams, InitializeResult,
    NumberOrString, PrepareRenameResponse, ProgressToken, PublishDiagnosticsParams, SemanticTokens,
    SemanticTokensResult, ServerInfo, TextEdit, Uri, WorkspaceEdit, WorkspaceSymbolResponse,
};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

/// Diagnostics wait for a further message so long.
const QUIET: Duration = Duration::from_millis(10);
/// A check ends after this time, unless the editor sets another.
const CHECK_TIME: Duration = Duration::from_secs(60);
/// So long is waited for checks when the server ends.
const PATIENCE: Duration = Duration::from_secs(2);
/// In builds for tests, a request that panics.
const PANIC: &str = "burnside/panic";

/// What the server may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServerOptions {
    /// Bytes that a check may have in use, together with everything else.
    pub memory: Option<u64>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The editor said `shutdown` and `exit`.
    Asked,
    /// The editor went away without a word, or only with `exit`.
    Left,
}

/// Serves over what the editor writes and what it reads, until the editor ends it.
pub fn serve_streams(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    options: ServerOptions,
) -> io::Result<Ended> {
    let (connection, threads) = streams::connect(input, output);
    let (ended, all_ended) = run(&connection, options);
    drop(connection);
    // Checks that do not end hold the writer; nobody reads what they say.
    if all_ended {
        threads.join()?;
    }
    Ok(ended)
}

/// Serves over a connection, until the editor ends it.
pub fn serve(connection: &Connection, options: ServerOptions) -> Ended {
    run(connection, options).0
}

fn run(connection: &Connection, options: ServerOptions) -> (Ended, bool) {
    let Ok((id, params)) = connection.initialize_start() else { return (Ended::Left, true) };
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let info = ServerInfo { name: "burnside".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
    let result = InitializeResult { capabilities: offered(), server_info: Some(info) };
    if connection.initialize_finish(id, json!(result)).is_err() {
        return (Ended::Left, true);
    }
    let seconds = params.initialization_options.as_ref().and_then(|it| it["timeout"].as_f64());
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let limits =
        Limits { time: Some(time.unwrap_or(CHECK_TIME)), memory: options.memory, ..Limits::default() };
    let sender = connection.sender.clone();
    // A message that nobody takes any more is lost: the editor has gone.
    let send = move |message| drop(sender.send(message));
    let checks = Checks::new(send.clone(), abilities(&params.capabilities));
    let mut server = Server {
        documents: Documents::default(),
        checks,
        send,
        limits,
        dirty: BTreeSet::new(),
        closing: false,
    };
    let ended = server.listen(connection);
    (ended, server.checks.end(PATIENCE))
}

/// Why there is no answer.
struct Refusal {
    code: ErrorCode,
    message: String,
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Refusal { code: ErrorCode::RequestFailed, message }
    }
}

type Answered<T> = Result<T, Refusal>;

struct Server<S: Post> {
    documents: Documents,
    checks: Checks<S>,
    send: S,
    limits: Limits,
    /// Addresses of texts whose diagnostics were not told yet.
    dirty: BTreeSet<String>,
    closing: bool,
}

impl<S: Post> Server<S> {
    fn listen(&mut self, connection: &Connection) -> Ended {
        loop {
            let next = match self.dirty.is_empty() {
                true => connection.receiver.recv().ok(),
                false => match connection.receiver.recv_timeout(QUIET) {
                    Ok(message) => Some(message),
                    Err(error) if error.is_timeout() => {
                        self.publish();
                        continue;
                    }
                    Err(_) => None,
                },
            };
            match next {
                None => return Ended::Left,
                Some(Message::Notification(note)) if note.method == notes::Exit::METHOD => {
                    return if self.closing { Ended::Asked } else { Ended::Left };
                }
                Some(message) => self.message(message),
            }
        }
    }

    fn message(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let answered = guard(|| self.request(request));
                let response = match answered {
                    Ok(None) => return,
                    Ok(Some(Ok(value))) => Response::new_ok(id, value),
                    Ok(Some(Err(refusal))) => Response::new_err(id, refusal.code as i32, refusal.message),
                    Err(message) => Response::new_err(id, ErrorCode::InternalError as i32, message),
                };
                (self.send)(response.into());
            }
            Message::Notification(note) => {
                if let Err(message) = guard(|| self.notification(note)) {
                    self.log(&message);
                }
            }
            // Answers to what we asked say nothing.
            Message::Response(_) => {}
        }
    }

    fn log(&self, message: &str) {
        let params = json!({"type": 1, "message": message});
        (self.send)(Notification::new("window/logMessage".into(), params).into());
    }

    fn notification(&mut self, note: Notification) {
        let params = note.params;
        match note.method.as_str() {
            notes::DidOpenTextDocument::METHOD => {
                self.with::<notes::DidOpenTextDocument>(params, Self::opened)
            }
            notes::DidChangeTextDocument::METHOD => {
                self.with::<notes::DidChangeTextDocument>(params, Self::changed)
            }
            notes::DidCloseTextDocument::METHOD => {
                self.with::<notes::DidCloseTextDocument>(params, Self::closed)
            }
            notes::Cancel::METHOD => self.with::<notes::Cancel>(params, |server, params| {
                let id = match params.id {
                    NumberOrString::Number(id) => id.into(),
                    NumberOrString::String(id) => id.into(),
                };
                server.checks.cancel(&id);
            }),
            "window/workDoneProgress/cancel" => {
                if let Ok(ProgressToken::String(token)) = serde_json::from_value(params["token"].clone()) {
                    self.checks.cancel_token(&token);
                }
            }
            _ => {}
        }
    }

    /// Reads the parameters of a notification. Wrong ones are ignored, but for a word in the editor's log.
    fn with<N: notes::Notification>(&mut self, params: Value, work: impl FnOnce(&mut Self, N::Params)) {
        match serde_json::from_value(params) {
            Ok(params) => work(self, params),
            Err(error) => self.log(&format!("`{}` is ignored: {error}", N::METHOD)),
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        self.dirty.insert(opened.uri.as_str().to_string());
        self.documents.open(Document::new(opened.uri, &opened.language_id, opened.version, opened.text));
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        if let Some(document) = self.documents.get(&uri) {
            document.change(params.text_document.version, params.content_changes);
            self.dirty.insert(uri.as_str().to_string());
        }
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.checks.close(uri.as_str());
        self.dirty.remove(uri.as_str());
        if self.documents.close(&uri).is_some_and(|it| it.is_model || it.is_murphi) {
            self.tell_diagnostics(uri, Vec::new(), None);
        }
    }

    /// Tells the diagnostics of all texts that changed.
    fn publish(&mut self) {
        let mut dirty = std::mem::take(&mut self.dirty);
        if !dirty.is_empty() {
            dirty.extend(self.documents.importing().iter().map(|uri| uri.as_str().to_string()));
        }
        let mut found = Vec::new();
        let told = guard(|| {
            for uri in self.documents.addresses().into_iter().filter(|it| dirty.contains(it.as_str())) {
                let Some(document) = self.documents.get(&uri) else { continue };
                let version = document.version;
                let murphi = document.is_murphi.then(|| Rc::new(Known::of_murphi(&document.text)));
                let Some(known) = murphi.or_else(|| self.documents.known(&uri)) else { continue };
                found.push((diagnostics::all(&known, &uri), uri, version));
            }
        });
        for (diagnostics, uri, version) in found {
            self.tell_diagnostics(uri, diagnostics, Some(version));
        }
        if let Err(message) = told {
            self.log(&message);
        }
    }

    fn tell_diagnostics(&self, uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>, version: Option<i32>) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        let method = notes::PublishDiagnostics::METHOD.to_string();
        (self.send)(Notification::new(method, params).into());
    }

    /// The answer to a request; nothing if it comes later.
    fn request(&mut self, request: Request) -> Option<Answered<Value>> {
        let method = request.method.clone();
        if self.closing {
            let message = "the server was asked to shut down".to_string();
            return Some(Err(Refusal { code: ErrorCode::InvalidRequest, message }));
        }
        match method.as_str() {
            asks::Shutdown::METHOD => {
                self.closing = true;
                Some(Ok(Value::Null))
            }
            asks::ExecuteCommand::METHOD => self.execute(request),
            PANIC if cfg!(debug_assertions) => panic!("as it was asked to"),
            _ => Some(self.question(&method, request.params)),
        }
    }

    /// Questions about names.
    fn question(&mut self, method: &str, params: Value) -> Answered<Value> {
        match method {
            asks::HoverRequest::METHOD => self.answer::<asks::HoverRequest>(params, |server, params| {
                let at = params.text_document_position_params;
                let uri = at.text_document.uri;
                Ok(server.known(&uri).and_then(|known| hover::hover(&known, &uri, at.position)))
            }),
            asks::GotoDefinition::METHOD => self.answer::<asks::GotoDefinition>(params, |server, params| {
                let at = params.text_document_position_params;
                let uri = at.text_document.uri;
                let found =
                    server.known(&uri).and_then(|known| navigate::definition(&known, &uri, at.position));
                Ok(found.map(GotoDefinitionResponse::Scalar))
            }),
            asks::References::METHOD => self.answer::<asks::References>(params, |server, params| {
                let at = params.text_document_position;
                let (uri, declared) = (at.text_document.uri, params.context.include_declaration);
                let known = server.known(&uri);
                Ok(known.and_then(|known| navigate::references(&known, &uri, at.position, declared)))
            }),
            asks::DocumentHighlightRequest::METHOD => {
                self.answer::<asks::DocumentHighlightRequest>(params, |server, params| {
                    let at = params.text_document_position_params;
                    let known = server.known(&at.text_document.uri);
                    Ok(known.and_then(|known| navigate::highlights(&known, at.position)))
                })
            }
            asks::PrepareRenameRequest::METHOD => {
                self.answer::<asks::PrepareRenameRequest>(params, |server, params| {
                    let Some(known) = server.known(&params.text_document.uri) else { return Ok(None) };
                    let (span, placeholder) = rename::prepare(&known, params.position)?;
                    let range = known.range(span);
                    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
                })
            }
            asks::Rename::METHOD => self.answer::<asks::Rename>(params, |server, params| {
                let at = params.text_document_position;
                let uri = at.text_document.uri;
                let Some(known) = server.known(&uri) else { return Ok(None) };
                let edits = rename::rename(&known, at.position, &params.new_name)?;
                Ok(Some(in_one(uri, edits)))
            }),
            asks::Completion::METHOD => self.answer::<asks::Completion>(params, |server, params| {
                let at = params.text_document_position;
                let known = server.known(&at.text_document.uri);
                let items = known.map(|known| completion::complete(&known, at.position));
                Ok(items.map(CompletionResponse::Array))
            }),
            _ => self.question_about_text(method, params),
        }
    }

    /// Questions about whole texts.
    fn question_about_text(&mut self, method: &str, params: Value) -> Answered<Value> {
        match method {
            asks::Formatting::METHOD => self.answer::<asks::Formatting>(params, |server, params| {
                Ok(server.known(&params.text_document.uri).and_then(|known| format::format(&known)))
            }),
            asks::DocumentSymbolRequest::METHOD => {
                self.answer::<asks::DocumentSymbolRequest>(params, |server, params| {
                    let known = server.known(&params.text_document.uri);
                    Ok(known.map(|known| DocumentSymbolResponse::Nested(outline::symbols(&known))))
                })
            }
            asks::WorkspaceSymbolRequest::METHOD => {
                self.answer::<asks::WorkspaceSymbolRequest>(params, |server, params| {
                    let mut found = Vec::new();
                    for uri in server.documents.addresses() {
                        if let Some(known) = server.documents.known(&uri) {
                            found.extend(outline::matching(&known, &uri, &params.query));
                        }
                    }
                    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
                })
            }
            asks::FoldingRangeRequest::METHOD => {
                self.answer::<asks::FoldingRangeRequest>(params, |server, params| {
                    Ok(server.known(&params.text_document.uri).map(|known| outline::foldings(&known)))
                })
            }
            asks::CodeActionRequest::METHOD => {
                self.answer::<asks::CodeActionRequest>(params, |server, params| {
                    let uri = params.text_document.uri;
                    Ok(server.known(&uri).map(|known| actions::actions(&known, &uri, params.range)))
                })
            }
            asks::CodeLensRequest::METHOD => {
                self.answer::<asks::CodeLensRequest>(params, |server, params| {
                    let uri = params.text_document.uri;
                    let Some(known) = server.known(&uri) else { return Ok(None) };
                    let verdicts = server.checks.verdicts(uri.as_str(), &known.all);
                    Ok(Some(lens::lenses(&known, &uri, verdicts.as_ref())))
                })
            }
            asks::InlayHintRequest::METHOD => {
                self.answer::<asks::InlayHintRequest>(params, |server, params| {
                    let uri = params.text_document.uri;
                    let Some(known) = server.known(&uri) else { return Ok(None) };
                    let verdicts = server.checks.verdicts(uri.as_str(), &known.all);
                    Ok(Some(lens::hints(&known, verdicts.as_ref(), params.range)))
                })
            }
            asks::SemanticTokensFullRequest::METHOD => {
                self.answer::<asks::SemanticTokensFullRequest>(params, |server, params| {
                    let known = server.known(&params.text_document.uri);
                    let tokens =
                        |known: Rc<Known>| SemanticTokens { result_id: None, data: tokens::tokens(&known) };
                    Ok(known.map(tokens).map(SemanticTokensResult::Tokens))
                })
            }
            _ => {
                let message = format!("`{method}` is not offered");
                Err(Refusal { code: ErrorCode::MethodNotFound, message })
            }
        }
    }

    fn known(&mut self, uri: &Uri) -> Option<Rc<Known>> {
        self.documents.known(uri)
    }

    fn answer<R: asks::Request>(
        &mut self,
        params: Value,
        work: impl FnOnce(&mut Self, R::Params) -> Answered<R::Result>,
    ) -> Answered<Value> {
        let params = serde_json::from_value(params)
            .map_err(|error| Refusal { code: ErrorCode::InvalidParams, message: error.to_string() })?;
        Ok(json!(work(self, params)?))
    }

    /// Starts a check, which answers the request when it is over.
    fn execute(&mut self, request: Request) -> Option<Answered<Value>> {
        let wrong = |message: &str| {
            Some(Err(Refusal { code: ErrorCode::InvalidParams, message: message.to_string() }))
        };
        let Ok(params) = serde_json::from_value::<ExecuteCommandParams>(request.params) else {
            return wrong("a command has a name and arguments");
        };
        if params.command != COMMAND {
            return wrong(&format!("there is no command `{}`", params.command));
        }
        // Either one object, or the address and the property one after the other.
        let (uri, property) = match &params.arguments[..] {
            [Value::Object(named)] => (named.get("uri").cloned(), named.get("property").cloned()),
            [uri, rest @ ..] => (Some(uri.clone()), rest.first().cloned()),
            [] => (None, None),
        };
        let Some(Ok(uri)) = uri.map(serde_json::from_value::<Uri>) else {
            return wrong("the command needs the address of an open text");
        };
        let property = property.and_then(|property| property.as_str().map(String::from));
        let Some(text) = self.documents.whole(&uri) else {
            return wrong("this text is not open, or it is no model");
        };
        let (uri, limits) = (uri.as_str().to_string(), self.limits.clone());
        self.checks.start(Wanted { id: request.id, uri, text, property, limits });
        None
    }
}

/// Edits of one text.
fn in_one(uri: Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    // The protocol's own type wants this map; addresses never change.
    #[allow(clippy::mutable_key_type)]
    let changes = HashMap::from([(uri, edits)]);
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// Does some work; a panic is a message. What ends the whole program goes on.
fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(|| catch(work))) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(stop)) => give_up(stop),
        Err(panic) => {
            let told = panic.downcast_ref::<&str>().map(|told| told.to_string());
            let told = told.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(format!("an internal error, which is a bug in Burnside: {told}"))
        }
    }
}
