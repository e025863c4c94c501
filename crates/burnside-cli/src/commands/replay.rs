//! `burnside replay`: a second opinion on recorded runs, by the interpreter alone.
//!
//! What is recorded is found in the model while the file is read (see [`crate::recorded`]). Whether it shows
//! the recorded verdict is then judged here, by the same replay that every check ends with. There are three
//! answers: everything was checked and is so, something is not so, or something was not checked. The last is
//! no success: neither the mark nor the exit code says so.

use crate::args::ReplayArgs;
use crate::claim::claimed;
use crate::commands::external::net_fairness;
use crate::commands::unless_closed;
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::input::{self, Input, Source};
use crate::output::marks::{HOLDS, VIOLATED};
use crate::output::view::View;
use crate::output::{Console, plural, text};
use crate::recorded::entry::{self, Entry, RecordedEvidence};
use crate::recorded::run::Run;
use crate::recorded::tree::{Node, Place, RecordedTree, ShownBy};
use crate::recorded::walker::Walker;
use crate::recorded::{self, Assumed, Head, Stream};
use crate::run::State;
use burnside::nets::NetOptions;
use burnside::{Answer, Choice, DeadlockPaths, Engine, Fairness, Kind, LoadOptions, Model, Verdict};
use burnside_report::json;
use burnside_report::names::{self, Names};
use burnside_trace::{
    Claim, End, Mismatch, Reason, Tree, TreeOptions, Why, explain_tree, greatest, holds_initially, replay,
};
use burnside_ts::{Binder, Formula, Outcome as Ended, Question, System, Units};
use serde_json::Value;
use std::io::Write;
use std::ops::ControlFlow;

/// What is said about all runs, or all states, is seen by looking at all states, if they are no more than
/// this.
const EXPLORED: usize = 10_000;

/// What has become of something that is recorded.
enum Checked {
    /// All of it was checked. What it is.
    All(String),
    /// Some of it was not. What it is, and what was not checked.
    Part(String, String),
}

/// What was checked, as it was found in the model: a finite run only if the walker keeps them.
#[derive(Default)]
struct Found {
    run: Option<burnside_trace::Evidence>,
    tree: Option<(State, Tree)>,
}

/// Runs the command.
pub fn run(args: &ReplayArgs, console: &Console) -> Outcome {
    if input::is_stdin(&args.model.model) && input::is_stdin(&args.file) {
        return Err(Failure::bad("only one of model and file can be standard input"));
    }
    let mut stream = input::trace_file(&args.file)?;
    let (lines, exit) = answer(args, console, || input::read(&args.model.model), &mut stream)?;
    let mut out = console.report();
    for line in lines {
        unless_closed(writeln!(out, "{line}"))?;
    }
    if args.view.is_asked_for() {
        unless_closed(out.write_all(&runs(args, console)?))?;
    }
    unless_closed(out.flush())?;
    Ok(exit)
}

/// The runs in the file, as `check` shows them. Nothing if one of them is none of the model: that was said.
fn runs(args: &ReplayArgs, console: &Console) -> Result<Vec<u8>, Failure> {
    if input::is_stdin(&args.model.model) || input::is_stdin(&args.file) {
        return Err(Failure::bad_with_help(
            "runs that are read from standard input cannot be shown: they are read twice",
            "give model and trace as files",
        ));
    }
    let mut out = Vec::new();
    let Ok(Shown { input, made, answers, .. }) = shown(args)? else { return Ok(out) };
    let view = View::new(&args.view, &input.model)?;
    let paths = TreeOptions { fair: made.fair, maximal: made.maximal, explore: 0 };
    let printer = text::Printer { input: &input, paint: console.out, view: &view, witness: true, paths };
    for answer in &answers {
        writeln!(out, "\n{}", console.out.strong(&answer.property))?;
        for line in printer.shown(answer)?.lines() {
            writeln!(out, "{}", format!("  {line}").trim_end())?;
        }
    }
    Ok(out)
}

/// Replays a file. Nothing is said before the whole of it is known to be one: the answer is lines, and how
/// the program ends.
fn answer(
    args: &ReplayArgs,
    console: &Console,
    source: impl FnOnce() -> Result<Source, Failure>,
    stream: &mut Stream<'_>,
) -> Result<(Vec<String>, Exit), Failure> {
    let (mut lines, mut exit) = (Vec::new(), Exit::Good);
    recorded::read(stream, |head, stream| {
        let (input, _, asked) = load(args, source()?, &head, true)?;
        lines.extend(foreign_constants(args, &input, &head));
        let walker = Walker::new(&input.model);
        let made = Assumed { fair: head.fair, maximal: head.maximal.unwrap_or(input.source.is_net()) };
        let judge = Judge { walker: &walker, asked, made, net: head.net.fairness.is_some() };
        let (about_entries, is) = judge.entries(console, stream)?;
        lines.extend(about_entries);
        exit = is;
        Ok(())
    })?;
    let unknown = stream.unknown_keys();
    if !unknown.is_empty() {
        exit = worse(exit, Exit::Unknown);
        let keys: Vec<_> = unknown.iter().map(|key| format!("`{key}`")).collect();
        let mark = console.out.open("?");
        lines.push(format!("{mark} keys that are not known were not looked at: {}", keys.join(", ")));
    }
    Ok((lines, exit))
}

/// What a file shows of a model.
pub struct Shown {
    /// The model, with the constants and properties of the file.
    pub input: Input,
    /// How it was loaded.
    pub load: LoadOptions,
    /// What the verdicts are about.
    pub made: Assumed,
    /// The answers, with what shows them.
    pub answers: Vec<Answer>,
}

/// Replays a file to look at what it shows, as it was made; or tells what in it is not so.
pub fn shown(args: &ReplayArgs) -> Result<Result<Shown, Vec<String>>, Failure> {
    let mut stream = input::trace_file(&args.file)?;
    let (mut found, mut wrong) = (None, Vec::new());
    recorded::read(&mut stream, |head, stream| {
        let (input, load, _) = load(args, input::read(&args.model.model)?, &head, false)?;
        let made = Assumed { fair: head.fair, maximal: head.maximal.unwrap_or(input.source.is_net()) };
        let mut answers = Vec::new();
        let mut walker = Walker::new(&input.model);
        walker.keeps = true;
        let judge = Judge { walker: &walker, asked: made, made, net: head.net.fairness.is_some() };
        stream.list(|stream, i| {
            stream.entry = Some(i);
            let entry = entry::read(stream, &walker)?;
            let about = entry.property.clone();
            match judge.shown(entry) {
                Ok(answer) => answers.push(answer),
                Err(why) => wrong.push(format!("{about}: {why}")),
            }
            Ok(())
        })?;
        stream.entry = None;
        drop(walker);
        found = Some(Shown { input, load, made, answers });
        Ok(())
    })?;
    Ok(found.filter(|_| wrong.is_empty()).ok_or(wrong))
}

fn tell(console: &Console, property: &str, checked: Result<Checked, String>) -> (String, Exit) {
    match checked {
        Ok(Checked::All(what)) => (
            format!("{} {property}: replays ({what})", console.out.good(&console.out.mark(HOLDS))),
            Exit::Good,
        ),
        Ok(Checked::Part(what, open)) => {
            (format!("{} {property}: replays ({what}), but {open}", console.out.open("?")), Exit::Unknown)
        }
        Err(why) => {
            (format!("{} {property}: {why}", console.out.bad(&console.out.mark(VIOLATED))), Exit::Violated)
        }
    }
}

fn worse(one: Exit, other: Exit) -> Exit {
    match (one, other) {
        (Exit::Good, exit) | (exit, Exit::Good) => exit,
        (Exit::Unknown, exit) | (exit, _) => exit,
    }
}

/// Loads the model with the constants, the properties and the assumptions of the file, and tells what the
/// verdicts should be about. Symmetries of a net are not looked for if nobody needs them.
fn load(
    args: &ReplayArgs,
    source: Source,
    head: &Head,
    unreduced: bool,
) -> Result<(Input, LoadOptions, Assumed), Failure> {
    let settings = settings(args, head)?;
    let external: Vec<_> = head.given.iter().map(|(_, it)| it.clone()).collect();
    let is_net = source.is_net();
    let asked_net = net_fairness(args.fair, args.fair_to);
    match asked_net {
        Some(_) if !is_net => return Err(Failure::bad("`--fair` is for Petri nets, and this is not one")),
        Some(_) if asked_net != head.net.fairness => {
            return Err(Failure::bad_with_help(
                "`--fair` and `--fair-to` disagree with what the file was made with",
                "leave them out: what holds without fairness is then decoded apart",
            ));
        }
        _ => {}
    }
    let net = NetOptions { unreduced, ..head.net };
    let options = LoadOptions { settings, external, net, keep_generators: true, coverage: false };
    let mut input = input::load_source(source, &options)?;
    let file = visible(&args.file.display().to_string());
    let disagrees = |what: &str| Failure::bad(format!("`{file}` is not a trace file of this model: {what}"));
    if head.recorded_net.as_ref().is_some_and(|net| *net != json::net(&input.model)) {
        return Err(disagrees("`net` is not what is assumed about it"));
    }
    if json::constants(&input.model) != Value::Object(head.constants.clone()) {
        return Err(disagrees("its `constants` are not all constants of the model"));
    }
    if !input.model.external.iter().map(|(name, _)| name).eq(head.given.iter().map(|(name, _)| name)) {
        return Err(disagrees("the properties in `given` have other names"));
    }
    input::widen(&mut input)?;
    let fair = args.fairness == Fairness::Model && (!is_net || asked_net.is_some());
    let maximal = args.deadlock_paths.map_or(is_net, |paths| paths == DeadlockPaths::Maximal);
    Ok((input, options, Assumed { fair, maximal }))
}

/// The constants of the file; what is set besides must agree.
fn settings(args: &ReplayArgs, head: &Head) -> Result<Vec<(String, String)>, Failure> {
    for (name, value) in &args.model.settings {
        let recorded = head.constants.get(name).map(Value::to_string);
        if recorded.as_ref() != Some(value) {
            let is = recorded
                .map_or("has no such constant".into(), |value| format!("was made with {name}={value}"));
            let help = "leave `--set` out: the constants come from the file";
            let file = visible(&args.file.display().to_string());
            return Err(Failure::bad_with_help(
                format!("--set {name}={value} disagrees: `{file}` {is}"),
                help,
            ));
        }
    }
    Ok(head.constants.iter().map(|(name, value)| (name.clone(), value.to_string())).collect())
}

/// Says which constants are not as in the model: what follows is about another one.
fn foreign_constants(args: &ReplayArgs, input: &Input, head: &Head) -> Option<String> {
    if head.constants.is_empty() {
        return None;
    }
    let own = Model::load(
        input.source.of_model(),
        &LoadOptions::new().settings(&args.model.settings).keep_generators(),
    )
    .model
    .ok();
    let own = own.map(|model| json::constants(&model));
    let foreign = head.constants.iter().filter_map(|(name, value)| {
        let own = own.as_ref().map(|own| &own[name]);
        match own == Some(value) {
            true => None,
            false => Some(format!("{name} = {value} (not {})", own.map_or("known".into(), Value::to_string))),
        }
    });
    let foreign: Vec<_> = foreign.collect();
    (!foreign.is_empty()).then(|| format!("with constants of the file: {}", foreign.join(", ")))
}

/// What a property says that does not stand in the model.
fn external_text(model: &Model, property: &str) -> Option<String> {
    let (_, external) = model.external.iter().find(|(name, _)| name == property)?;
    Some(match external.kind.is_file() {
        true => {
            format!("    (the property is in the file, from `{}`)", visible(&external.origin))
        }
        false => format!("    (the property is in the file: {})", visible(&external.text)),
    })
}

/// Judges what was found in the model.
pub struct Judge<'w, 's> {
    /// Finds it.
    pub walker: &'w Walker<'s>,
    /// What the verdicts should be about.
    pub asked: Assumed,
    /// What they were about when the file was made.
    pub made: Assumed,
    /// Whether the file assumes fairness of a net.
    pub net: bool,
}

impl<'s> Judge<'_, 's> {
    /// Reads the list of traces and judges each: lines, and how the program ends.
    pub fn entries(
        &self,
        console: &Console,
        stream: &mut Stream<'_>,
    ) -> Result<(Vec<String>, Exit), Failure> {
        let (mut lines, mut exit) = (Vec::new(), Exit::Good);
        stream.list(|stream, i| {
            stream.entry = Some(i);
            let entry = entry::read(stream, self.walker)?;
            let about = entry.property.clone();
            let (line, is) = tell(console, &about, self.check(entry).map(|(checked, _)| checked));
            exit = worse(exit, is);
            lines.push(line);
            lines.extend(external_text(self.walker.model, &about));
            Ok(())
        })?;
        stream.entry = None;
        if lines.is_empty() {
            lines.push("the file holds no runs".to_string());
        }
        Ok((lines, exit))
    }

    fn system(&self) -> &'s System {
        self.walker.system()
    }

    /// The answer that is recorded, with what shows it, if that is so.
    fn shown(&self, entry: Entry<'s>) -> Result<Answer, String> {
        let (property, verdict, value) = (entry.property.clone(), entry.verdict.clone(), entry.value);
        let system = self.system();
        let built_in = [Question::Fault, Question::Deadlock].map(|question| system.built_in(question));
        let known = system.properties.iter().chain(&built_in).find(|known| known.name == property);
        let known = known.ok_or("the model has no such property")?;
        let (_, found) = self.check(entry)?;
        let mut answer = Answer::open(known, Engine::Auto, known.symmetry.clone());
        answer.verdict = if verdict == "holds" { Verdict::Holds } else { Verdict::Violated };
        (answer.value, answer.evidence, answer.tree) = (value, found.run, found.tree);
        Ok(answer)
    }

    fn check(&self, entry: Entry<'s>) -> Result<(Checked, Found), String> {
        let Entry { property, kind, verdict, value, evidence } = entry;
        match evidence? {
            RecordedEvidence::Run(run) => self.check_run(&property, &kind, &verdict, value, *run),
            RecordedEvidence::Tree(_) if value.is_some() => Err("a tree shows no value".into()),
            RecordedEvidence::Tree(tree) => self.check_tree(&property, &verdict, *tree),
        }
    }

    /// A run shows the verdict, and the value if it is about one.
    fn check_run(
        &self,
        property: &str,
        kind: &str,
        verdict: &str,
        value: Option<i64>,
        run: Run<'s>,
    ) -> Result<(Checked, Found), String> {
        let Some(known) = Kind::named(kind) else {
            return Err(format!("there is no kind of properties called `{}`", visible(kind)));
        };
        let shown = match (known, &run.end) {
            (Kind::Reachable | Kind::Bound, End::State) => "holds",
            (Kind::Ctl, End::State | End::Loop(_) | End::Stutter) => {
                return Err("a run alone does not show it".into());
            }
            (Kind::Faults | Kind::Deadlock | Kind::Invariant | Kind::Never, _)
            | (Kind::Ltl | Kind::Automaton | Kind::Ctl | Kind::Reachable | Kind::Bound, _) => "violated",
        };
        if verdict != shown {
            return Err(format!("the run can only show `{shown}`, not the recorded `{}`", visible(verdict)));
        }
        if (kind == "bound" && shown == "holds") != value.is_some() {
            return Err("a value is for a bound, and needed there".into());
        }
        let claimed = |fair: bool| {
            claimed(self.walker.model, kind, property, fair, value.or(Some(0)))
                .ok_or_else(|| format!("the model has no {kind} property of this name"))
        };
        let claim = claimed(self.asked.fair)?;
        let length = run.shown_length();
        if run.kept.as_ref().is_none_or(|kept| kept.loop_start().is_none()) {
            run.path.end(&run.end, claim).map_err(|mismatch| mismatch.to_string())?;
            let checked = self.check_greatest(claim, run.end, length)?;
            return Ok((checked, Found { run: run.kept, tree: None }));
        }
        let lasso = run.kept.ok_or("there is no loop")?;
        let checked = match replay(self.system(), &lasso, claim) {
            Ok(()) => Ok(Checked::All(length)),
            Err(mismatch @ Mismatch::Unfair(_)) if !self.made.fair => {
                replay(self.system(), &lasso, claimed(false)?).map_err(|mismatch| mismatch.to_string())?;
                Ok(Checked::Part(length, format!("{mismatch}: {}", self.made_otherwise())))
            }
            Err(mismatch) => Err(mismatch.to_string()),
        };
        Ok((checked?, Found { run: Some(lasso), tree: None }))
    }

    /// That a value is reached was shown; that it is the greatest is seen by a look at all states.
    fn check_greatest(&self, claim: Claim<'s>, end: End, length: String) -> Result<Checked, String> {
        let (Question::Bound(expr), Some(value), End::State) = (claim.question, claim.value, end) else {
            return Ok(Checked::All(length));
        };
        match greatest(self.system(), expr, EXPLORED) {
            Some(greatest) if greatest > value => {
                Err(format!("the greatest value is {greatest}, not {value}"))
            }
            Some(_) => Ok(Checked::All(length)),
            None => Ok(Checked::Part(length, format!("that no state has more than {value} was not checked"))),
        }
    }

    /// A tree shows the verdict.
    fn check_tree(
        &self,
        property: &str,
        verdict: &str,
        mut recorded: RecordedTree,
    ) -> Result<(Checked, Found), String> {
        let formula = names::formula(self.walker.model, property)
            .ok_or("the model has no ctl property of this name")?;
        let truth = match verdict {
            "holds" => true,
            "violated" => false,
            _ => return Err(format!("a tree does not show that it is `{}`", visible(verdict))),
        };
        if recorded.assumed != self.made {
            return Err("the tree is about other paths than the file".into());
        }
        let what = plural(recorded.root.runs(), "run", "runs");
        let tree = recorded.root.tree()?;
        let explain = |Assumed { fair, maximal }| {
            let options = TreeOptions { fair, maximal, explore: EXPLORED };
            explain_tree(self.system(), formula, truth, &recorded.state, &tree, options)
        };
        let mut reason = explain(self.made).map_err(|mismatch| mismatch.to_string())?;
        let names = Names::of(self.walker.model, property);
        if !is_said(&recorded.root, &reason, &names, &mut Vec::new()) {
            return Err("what the tree is said to show is not what it shows".into());
        }
        if self.asked != self.made {
            match explain(self.asked) {
                Ok(other) => reason = other,
                Err(_) => return Ok((Checked::Part(what, self.made_otherwise()), Found::default())),
            }
        }
        let mut open = Vec::new();
        if !reason.complete {
            open.push("what it says about all runs from a state, or leaves out, was not checked");
        }
        if truth && !self.check_initial(formula)? {
            open.push("the other initial states were not looked at");
        }
        let checked = match open.is_empty() {
            true => Checked::All(what),
            false => Checked::Part(what, open.join(", and ")),
        };
        Ok((checked, Found { run: None, tree: Some((recorded.state, tree)) }))
    }

    /// What holds does so in all initial states, and a tree is about one. Tells whether that was checked.
    fn check_initial(&self, formula: &'s Formula) -> Result<bool, String> {
        if !has_several_initial(self.system()) {
            return Ok(true);
        }
        if self.asked.fair && !Units::new(self.system()).is_empty() {
            return Ok(false);
        }
        match holds_initially(self.system(), formula, self.asked.maximal, EXPLORED) {
            Some(true) => Ok(true),
            Some(false) => Err("it is not true in all initial states".into()),
            None => Ok(false),
        }
    }

    /// The options that the file was made with, and this was not.
    fn made_otherwise(&self) -> String {
        let fairness = match (self.made.fair, self.net) {
            (false, _) => "`--fairness none`",
            (true, true) => "`--fair`",
            (true, false) => "`--fairness model`",
        };
        let paths =
            if self.made.maximal { "`--deadlock-paths maximal`" } else { "`--deadlock-paths stutter`" };
        let different =
            [(self.made.fair != self.asked.fair, fairness), (self.made.maximal != self.asked.maximal, paths)];
        let different: Vec<_> =
            different.into_iter().filter(|(is, _)| *is).map(|(_, option)| option).collect();
        format!("it shows the verdict only with {}, as the file was made", different.join(" and "))
    }
}

fn has_several_initial(system: &System) -> bool {
    let mut first: Option<Box<[u64]>> = None;
    let mut several = false;
    system.machine().initial(&mut |outcome| {
        if let Ended::State(state) = outcome {
            several = first.get_or_insert_with(|| state.into())[..] != *state;
        }
        if several { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    several
}

/// Whether the parts of a tree are said to show what they show.
fn is_said<'s>(
    said: &Node,
    is: &Reason<'s, '_>,
    names: &Names<'_>,
    bound: &mut Vec<(&'s Binder, u64)>,
) -> bool {
    let values = bound.iter().map(|(binder, number)| (names.name(binder), names.value(binder, *number)));
    let mut same = said.truth == is.truth && said.formula == names.show(is.formula);
    // A name can be bound again: the inner value counts.
    let values: std::collections::HashMap<_, _> = values.collect();
    same &= values.len() == said.values.len();
    same &= values.iter().all(|(name, value)| said.values.get(*name).and_then(Value::as_str) == Some(value));
    let hanging: Vec<(Place, &Reason<'s, '_>)> = match (&said.shown_by, &is.why) {
        (ShownBy::Condition, Why::Condition)
        | (ShownBy::Everywhere, Why::Everywhere)
        | (ShownBy::Omitted, Why::Omitted) => Vec::new(),
        (ShownBy::Sides, Why::Sides(are)) => are.iter().map(|(side, is)| (Place::Side(*side), is)).collect(),
        (ShownBy::Value(_), Why::Value(_, _, inner)) => vec![(Place::Alone, inner)],
        (ShownBy::Run(_), Why::Run(_, are)) => {
            are.iter().map(|at| (Place::Position(at.position, at.operand), &at.reason)).collect()
        }
        _ => return false,
    };
    if let Why::Value(binder, number, _) = &is.why {
        bound.push((binder, *number));
    }
    same &= hanging.len() == said.children.len()
        && said
            .children
            .iter()
            .zip(&hanging)
            .all(|(child, (place, is))| child.place == *place && is_said(child, is, names, bound));
    if let Why::Value(..) = &is.why {
        bound.pop();
    }
    same
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
