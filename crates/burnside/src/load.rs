//! Loading a model, from wherever it comes.
//!
//! Entry point: [`Model::load`]. One more front end is one more [`Source`] and an arm here.

use crate::loaded::{Loaded, Problem};
use crate::model::{Front, Model};
use crate::read::{read_file, with_imports};
use crate::source::{LoadOptions, Source};
use crate::{murphi, net, orb};
use burnside_lang::diagnostic::Code;
use burnside_ts::System;
use std::path::Path;
use std::sync::Arc;

impl Model {
    /// Loads a model: from a text, a file, or a system that was built.
    ///
    /// A text is a Petri net if it is XML, and else in our own language:
    ///
    /// ```
    /// use burnside::{LoadOptions, Model};
    ///
    /// let text = "const N = 3; var x: 0..N; process P { rule up when x < N { x = x + 1; } }";
    /// let model = Model::load(text, &LoadOptions::new().set("N", 7)).into_model()?;
    /// # Ok::<(), burnside::LoadError>(())
    /// ```
    ///
    /// A file is read, and is a net also if it is named `*.pnml`:
    ///
    /// ```
    /// use burnside::{LoadOptions, Model};
    /// use std::path::Path;
    ///
    /// let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mutex.orb");
    /// let model = Model::load(path, &LoadOptions::new()).into_model()?;
    ///
    /// let error = Model::load(Path::new("none.orb"), &LoadOptions::new()).into_model().unwrap_err();
    /// assert_eq!(error.to_string(), "none.orb: there is no such file");
    /// # Ok::<(), burnside::LoadError>(())
    /// ```
    ///
    /// A system has been checked when it was built. Nothing can be set in it or asked beside it:
    ///
    /// ```
    /// use burnside::builder::{Operators, SystemBuilder, set};
    /// use burnside::{LoadOptions, Model};
    ///
    /// let mut b = SystemBuilder::new();
    /// let (truth, process) = (b.truth(), b.process("P", &[]));
    /// let x = b.var("x", truth, false);
    /// b.rule(process, "on").then(set(x, true));
    /// b.invariant("off", x.not());
    /// let model = Model::load(b.build()?, &LoadOptions::new()).into_model()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load<'t>(source: impl Into<Source<'t>>, options: &LoadOptions) -> Loaded {
        match source.into() {
            Source::Orb(text) => orb(None, &text, options),
            Source::Net(text) => net(None, &text, options),
            Source::Murphi(text) => murphi(None, &text, options),
            Source::File(path) => file(&path, options),
            Source::System(system) => built(*system, options),
        }
    }
}

fn orb(origin: Option<&Path>, text: &str, options: &LoadOptions) -> Loaded {
    Loaded::new(origin, text, options, orb::load(text, options))
}

fn murphi(origin: Option<&Path>, text: &str, options: &LoadOptions) -> Loaded {
    Loaded::new(origin, text, options, murphi::load(text, options))
}

fn net(origin: Option<&Path>, text: &str, options: &LoadOptions) -> Loaded {
    if !options.settings.is_empty() {
        return Loaded::refused(Problem::new(
            Code::NoConstants,
            "a Petri net has no constants that could be set",
        ));
    }
    Loaded::new(origin, text, options, net::load(text, options))
}

fn file(path: &Path, options: &LoadOptions) -> Loaded {
    let text = match read_file(path) {
        Ok(text) => text,
        Err(error) => return Loaded::unreadable(path, &error),
    };
    match Source::named(&path.to_string_lossy(), text) {
        Source::Net(text) => net(Some(path), &text, options),
        Source::Murphi(text) => murphi(Some(path), &text, options),
        Source::Orb(text) => {
            let all = with_imports(path, &text);
            orb(Some(path), all.as_deref().unwrap_or(&text), options)
        }
        Source::File(_) | Source::System(_) => unreachable!("a text is one of these"),
    }
}

fn built(system: System, options: &LoadOptions) -> Loaded {
    if !options.settings.is_empty() {
        return Loaded::refused(Problem::new(
            Code::NoConstants,
            "a system has no constants that could be set",
        ));
    }
    if !options.external.is_empty() {
        let message = "a system takes no properties from outside: build them with it";
        return Loaded::refused(Problem::new(Code::NoNames, message));
    }
    let (external, claimed) = (Vec::new(), Vec::new());
    Loaded::built(Model {
        front: Front::Built,
        system: Arc::new(system),
        files: Vec::new(),
        external,
        claimed,
        probed: None,
    })
}
