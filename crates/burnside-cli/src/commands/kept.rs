//! A check that is kept in a folder while it goes on: `--checkpoint`.
//!
//! Entry points: [`begin`] and [`end`]; `resume` goes on with it. What is kept of what was typed are the
//! words themselves and the texts that were read, so that files may change or be gone. Limits, threads and
//! how progress is shown are said anew.

use crate::args::CheckArgs;
use crate::commands::check::Texts;
use crate::exit::{Failure, visible};
use crate::input::{Input, Source};
use crate::output::Console;
use burnside::{
    CheckpointError, Checkpoints, Engine, ExternalKind, ExternalProperty, Options, Report, Verdict,
};
use burnside_checkpoint::{Damage, Persist, Reader, Writer, persist_struct};
use std::path::Path;

/// What a check is of.
pub struct Kept {
    /// What was typed, the name of the program included.
    pub words: Vec<String>,
    path: String,
    text: String,
    /// Kind, origin and text of what was given beside the model.
    external: Vec<(String, String, String)>,
}

persist_struct!(Kept { words, path, text, external });

impl Kept {
    fn of(texts: &Texts) -> Result<Self, Failure> {
        let words = std::env::args_os().map(|word| word.into_string());
        let words = words.collect::<Result<Vec<String>, _>>().map_err(|word| {
            let message = format!("`{}` is not UTF-8, so the check cannot be kept", word.display());
            Failure::bad_with_help(message, "leave out `--checkpoint`, or give the file another name")
        })?;
        let Source { path, text } = texts.source.clone();
        let external = texts.external.iter();
        Ok(Self {
            words,
            path,
            text: text.to_string(),
            external: external
                .map(|it| (it.kind.name().to_string(), it.origin.clone(), it.text.clone()))
                .collect(),
        })
    }

    /// The texts that were read.
    pub fn texts(&self) -> Result<Texts, Damage> {
        let external = self.external.iter().map(|(kind, origin, text)| {
            let kind = ExternalKind::named(kind).ok_or(Damage::Content("a kind of property is not known"))?;
            Ok::<_, Damage>(ExternalProperty { kind, origin: origin.clone(), text: text.clone() })
        });
        let external = external.collect::<Result<_, Damage>>()?;
        Ok(Texts { source: Source { path: self.path.clone(), text: self.text.clone().into() }, external })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        self.save(&mut writer);
        writer.finish().expect("a list takes everything");
        bytes
    }

    /// What [`Checkpoints::open`] gives back.
    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        let mut reader = Reader::new(bytes)?;
        let kept = Self::load(&mut reader)?;
        reader.end().map(|()| kept)
    }
}

/// Where the check is kept, if it is to be: in the folder that it was kept in before, or in a new one.
pub fn begin(
    args: &CheckArgs,
    before: Option<Checkpoints>,
    texts: &Texts,
    input: &Input,
    options: &Options,
) -> Result<Option<Checkpoints>, Failure> {
    let Some(folder) = &args.kept.checkpoint else { return Ok(None) };
    if burnside::engine_for(&input.model, options) == Engine::Symbolic {
        let help = "leave out `--checkpoint`, or say `--engine explicit`";
        return Err(Failure::bad_with_help("only searches of the explicit engine can be kept", help));
    }
    if before.is_some() {
        return Ok(before);
    }
    let shown = shown(folder);
    let created = Checkpoints::create(folder, Kept::of(texts)?.bytes(), args.kept.every);
    if let (Ok(kept), Some(room)) = (&created, room()) {
        kept.set_room(room);
    }
    created.map(Some).map_err(|error| match error {
        CheckpointError::Taken => Failure::bad_with_help(
            format!("a check is kept in `{shown}` already"),
            format!("go on with it by `burnside resume {shown}`, or remove the folder"),
        ),
        CheckpointError::Io(error) => Failure::bad(format!("cannot keep the check in `{shown}`: {error}")),
    })
}

/// In builds for tests the environment can say how many bytes fit on the disk.
fn room() -> Option<u64> {
    cfg!(debug_assertions).then(|| std::env::var("BURNSIDE_ROOM").ok()).flatten()?.parse().ok()
}

/// The search is over. What is not needed any more is removed; if there is more to do, that is said.
pub fn end(kept: &Checkpoints, report: &Report, quiet: bool, console: &Console) {
    let left = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(stop) if stop.is_limit());
    if !report.results.iter().any(|answer| left(&answer.verdict)) {
        kept.complete();
    } else if !quiet {
        let shown = shown(kept.folder());
        console.note(&format!("`burnside resume {shown}` goes on from here, with other limits if you like"));
    }
}

/// A folder as it is shown.
pub fn shown(folder: &Path) -> String {
    visible(&folder.display().to_string())
}
