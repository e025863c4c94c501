//! Burnside as a library: load a model, check its properties, get verdicts with evidence that was replayed.
//! Prints nothing.
//!
//! # Load, check, read the verdict
//!
//! [`Model::load`] takes a text in our own language; [`check()`] gives a [`Report`] with an [`Answer`] for
//! each property; [`Report::run`] is the run that shows an answer, with names and [typed values](Value):
//!
//! ```
//! use burnside::{LoadOptions, Model, Options, Value, Verdict};
//!
//! let text = "
//!     const N = 3;
//!     symmetric Client[N];
//!     enum Phase { idle, trying, inside }
//!     process Client[c] {
//!         var phase: Phase = idle;
//!         rule attempt when phase == idle { phase = trying; }
//!         rule enter when phase == trying { phase = inside; }
//!         rule leave when phase == inside { phase = idle; }
//!     }
//!     invariant exclusion = count c: Client { phase[c] == inside } <= 1;
//! ";
//! let model = Model::load(text, &LoadOptions::new().set("N", 2)).into_model()?;
//! let report = burnside::check(&model, &Options::default(), &mut ())?;
//! let exclusion = report.answer("exclusion").unwrap();
//! assert_eq!(exclusion.verdict, Verdict::Violated);
//!
//! let run = report.run(exclusion).unwrap();
//! assert_eq!(run.steps().len(), 4);
//! assert_eq!(run.step(3).rule(), "enter");
//! let last = run.states().last().unwrap();
//! assert_eq!(last.get("phase[0]"), Some(Value::Constant("inside".into())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is wrong with a text is a [`LoadError`], with lines and columns; [`Loaded::diagnostics`] has warnings
//! too.
//!
//! # Limits
//!
//! A check that may take long gets [`Limits`]. What they end is [unknown](Verdict::Unknown), with the reason:
//!
//! ```
//! use burnside::{Limits, LoadOptions, Model, Options, Stop, Verdict};
//! use std::time::Duration;
//!
//! let text = "var x: 0..1000000; process P { rule up { x = (x + 1) % 1000001; } } invariant i = x >= 0;";
//! let model = Model::load(text, &LoadOptions::new()).into_model()?;
//! let limits = Limits { states: Some(1_000), time: Some(Duration::from_secs(60)), ..Limits::default() };
//! let report = burnside::check(&model, &Options { limits, ..Options::default() }, &mut ())?;
//! assert!(matches!(report.answer("i").unwrap().verdict, Verdict::Unknown(Stop::States(_))));
//! assert!(report.is_limited());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Petri nets
//!
//! A net in PNML is loaded the same way. What is asked about it comes from outside ([`LoadOptions`]):
//!
//! ```
//! use burnside::{Kind, LoadOptions, Model, Options, Value, Verdict};
//!
//! let net = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
//! <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
//!     <place id="left"><initialMarking><text>2</text></initialMarking></place>
//!     <place id="right"/>
//!     <transition id="move"/>
//!     <arc id="a" source="left" target="move"/>
//!     <arc id="b" source="move" target="right"/>
//! </page></net></pnml>"#;
//! let options = LoadOptions::new()
//!     .property(Kind::Reachable, "right == 2")
//!     .property(Kind::Bound, "left + right");
//! let model = Model::load(net, &options).into_model()?;
//! let report = burnside::check(&model, &Options::default(), &mut ())?;
//! let all_moved = report.answer("reachable-1").unwrap();
//! assert_eq!(all_moved.verdict, Verdict::Holds);
//! assert_eq!(report.run(all_moved).unwrap().state(2).get("right"), Some(Value::Int(2)));
//! assert_eq!(report.answer("bound-1").unwrap().value, Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Systems from Rust
//!
//! A [`SystemBuilder`](builder::SystemBuilder) makes a system without any text:
//!
//! ```
//! use burnside::builder::{Operators, SystemBuilder, set};
//! use burnside::{LoadOptions, Model, Options, Verdict};
//!
//! let mut b = SystemBuilder::new();
//! let count = b.range(0, 3);
//! let x = b.var("x", count, 0);
//! let p = b.process("P", &[]);
//! b.rule(p, "up").when(x.lt(3)).then(set(x, x.add(1)));
//! b.allow_deadlock();
//! b.invariant("small", x.lt(3));
//!
//! let model = Model::load(b.build()?, &LoadOptions::new()).into_model()?;
//! let report = burnside::check(&model, &Options::default(), &mut ())?;
//! let small = report.answer("small").unwrap();
//! assert_eq!(small.verdict, Verdict::Violated);
//! assert_eq!(report.run(small).unwrap().steps().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Or implement a trait for a state type and an action type of your own, with properties as closures: see
//! [`rust`].
//!
//! # Where to look
//!
//! | what | where |
//! |---|---|
//! | where models come from | [`Source`], [`LoadOptions`], [`Loaded`], [`builder`], [`rust`] |
//! | how to check | [`Options`], [`Limits`], [`Interrupt`], [`Observer`] |
//! | what comes back | [`Report`], [`Answer`], [`Verdict`], [`Stop`], [`Stats`] |
//! | what shows it | [`Run`], [`Value`], and as packed data [`evidence`] |
//! | how many states there are | [`state_space`] |
//! | what holds however many members a family has | [`every`] |

mod ask;
mod check;
mod clock;
mod coverage;
mod engine;
pub mod every;
mod external;
mod generators;
mod indirect;
mod load;
mod loaded;
mod model;
mod murphi;
mod net;
mod orb;
mod ordered;
mod probed;
mod put;
mod read;
mod report;
mod rounds;
mod run;
pub mod rust;
mod shortcuts;
mod smaller;
mod source;
mod space;
mod stack;
mod steps;

pub use ask::{check, check_each, check_on};
/// Keeps a check in a folder while it goes on, so that another one can go on where it was: see
/// [`Options::checkpoints`].
///
/// ```
/// use burnside::{Checkpoints, Interrupt, Limits, LoadOptions, Model, Options, Stop, Verdict};
/// use std::time::Duration;
///
/// let text = "var x: 0..5000; process P { rule up { x = (x + 1) % 5001; } } invariant i = x < 5000;";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let folder = std::env::temp_dir().join(format!("burnside-doc-{}", std::process::id()));
/// let kept = Checkpoints::create(&folder, text.into(), Duration::from_secs(600)).unwrap();
/// let limits = Limits::of_states(3000);
/// let first = Options { limits, checkpoints: Some(kept), ..Options::default() };
/// let report = burnside::check(&model, &first, &mut ())?;
/// assert_eq!(report.answer("i").unwrap().verdict, Verdict::Unknown(Stop::States(3000)));
///
/// let opened = Checkpoints::open(&folder, Duration::from_secs(600)).unwrap();
/// assert_eq!(opened.head, text.as_bytes());
/// let then = Options { checkpoints: Some(opened.checkpoints), ..Options::default() };
/// let report = burnside::check(&model, &then, &mut ())?;
/// assert_eq!(report.answer("i").unwrap().verdict, Verdict::Violated);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use burnside_checkpoint::Checkpoints;
pub use burnside_checkpoint::{CreateError as CheckpointError, OpenError as ResumeError};
pub use burnside_distributed::{
    Cluster, ConnectError, Connection, Fingerprint, Hosts, HostsError, Membership,
};
/// The answer for one property, from [`Report::answer`] or [`Report::results`].
///
/// ```
/// use burnside::{Kind, LoadOptions, Model, Options, Verdict};
///
/// let text = "var x: 0..2; process P { rule up when x < 2 { x = x + 1; } } reachable top = x == 2;";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// let top = report.answer("top").unwrap();
/// assert_eq!((top.kind, &top.verdict, top.text.as_str()), (Kind::Reachable, &Verdict::Holds, "x == 2"));
/// assert!(top.evidence.is_some(), "a run leads there");
/// assert_eq!(report.answer("deadlock").unwrap().verdict, Verdict::Violated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use burnside_engine::Answer;
/// What to check, and how. Every field has a default.
///
/// ```
/// use burnside::{Engine, Fairness, Limits, LoadOptions, Model, Options, Verdict};
///
/// let text = "
///     var x: bool;
///     process P { rule stay {} fair rule on { x = true; } }
///     ltl comes = F x;
///     ctl possible = AG EF x;
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let fair = Options { properties: vec!["comes".into()], ..Options::default() };
/// let unfair = Options {
///     fairness: Fairness::None,
///     engine: Engine::Explicit,
///     limits: Limits::of_states(1_000_000),
///     ..fair.clone()
/// };
/// let verdict = |options| {
///     let report = burnside::check(&model, options, &mut ())?;
///     Ok::<Verdict, burnside::CheckError>(report.answer("comes").unwrap().verdict.clone())
/// };
/// assert_eq!(verdict(&fair)?, Verdict::Holds);
/// assert_eq!(verdict(&unfair)?, Verdict::Violated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use burnside_engine::Options;
/// Holds, violated, or unknown with the reason.
///
/// ```
/// use burnside::{Stop, Verdict};
///
/// fn tell(verdict: &Verdict) -> String {
///     match verdict {
///         Verdict::Holds => "it holds".to_string(),
///         Verdict::Violated => "it does not hold".to_string(),
///         Verdict::Unknown(stop) => format!("not known: {stop}"),
///     }
/// }
/// assert_eq!(tell(&Verdict::Unknown(Stop::States(9))), "not known: the limit of 9 states is reached");
/// ```
pub use burnside_engine::Verdict;
pub use burnside_engine::{
    AutomatonSymmetry, CtlAlgorithm, DeadlockPaths, DiagramOptions, Engine, Execution, Fairness, Invariance,
    Method, NotReduced, Part, PartialOrder, PartialOrderUse, Procedure, Search, Shortcut, Shortcuts,
    SymbolicMethod, Symmetry, Weighed, Weighing,
};
pub use burnside_explicit::Counts;
/// Ends work from outside, from another thread or on a signal. Clones are one and the same.
///
/// ```
/// use burnside::{Interrupt, Limits, LoadOptions, Model, Options, Stop, Verdict};
///
/// let text = "var x: bool; process P { rule r { x = !x; } } invariant i = x || !x;";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let interrupt = Interrupt::new();
/// let limits = Limits { interrupt: interrupt.clone(), ..Limits::default() };
/// interrupt.raise(Stop::Interrupted); // Here at once; usually somebody else does.
/// match burnside::check(&model, &Options { limits, ..Options::default() }, &mut ()) {
///     Ok(report) => assert_eq!(report.answer("i").unwrap().verdict, Verdict::Unknown(Stop::Interrupted)),
///     Err(error) => assert_eq!(error.to_string(), "interrupted"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use burnside_limits::Interrupt;
/// What a check may use: states, bytes, nodes of decision diagrams, time.
///
/// ```
/// use burnside::Limits;
/// use std::time::Duration;
///
/// let limits = Limits { memory: Some(1 << 30), time: Some(Duration::from_secs(10)), ..Limits::default() };
/// assert!(limits.states.is_none());
/// ```
pub use burnside_limits::Limits;
/// Is told how a check gets on: a closure, or `()` if nobody wants to know.
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Progress};
///
/// let text = "var x: 0..9; process P { rule up { x = (x + 1) % 10; } }";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let mut most = 0;
/// let mut watch = |progress: &Progress| most = progress.stats.states.max(most);
/// let report = burnside::check(&model, &Options::default(), &mut watch)?;
/// assert!(most <= report.stats.states);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use burnside_limits::Observer;
/// Why there is no answer. [`Stop::is_limit`] says whether more time or room could help.
///
/// ```
/// use burnside::Stop;
///
/// assert!(Stop::States(1_000).is_limit());
/// assert!(!Stop::Undefined("1 / x".into()).is_limit());
/// ```
pub use burnside_limits::Stop;
pub use burnside_limits::{
    Choice, Diagrams, Labelling, MANY, Product, Progress, Stats, Task, Threads, Xi, told,
};
pub use burnside_perm::Natural;
pub use burnside_ts::Kind;
/// A typed value, of a cell of a state or an argument of a step: see [`StateView::get`]. Its text is what
/// reports show.
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Value};
///
/// let text = "
///     record Job { size: 0..4, urgent: bool }
///     var jobs: queue[2] of Job;
///     process P { rule add when jobs.size() < 1 { jobs.push(Job(size: 3, urgent: true)); } }
///     deadlock allowed;
///     invariant none_yet = jobs.size() == 0;
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// let run = report.run(report.answer("none_yet").unwrap()).unwrap();
/// let jobs = run.state(1).get("jobs").unwrap();
/// let [job] = jobs.elements() else { panic!("there is one") };
/// assert_eq!(job.field("size"), Some(&Value::Int(3)));
/// assert_eq!(job.field("urgent").and_then(Value::as_bool), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use burnside_ts::Value;
pub use check::CheckError;
pub use coverage::{Coverage, Gap, GapKind, coverage};
pub use engine::engine_for;
pub use external::{ExternalKind, ExternalProperty};
pub use loaded::{LoadError, Loaded, Problem};
pub use model::{Front, Model};
pub use probed::Probed;
pub use put::PutOutput;
pub use report::Report;
pub use run::{Run, StateView, StepView};
pub use source::{LoadOptions, Source};
pub use space::state_space;

pub mod builder {
    //! Systems built by names, without any text: see [`SystemBuilder`].

    /// Says what there is and what it does, in any order; [`SystemBuilder::build`] checks all of it.
    ///
    /// ```
    /// use burnside::builder::{Operators, Strength, SystemBuilder, exists, finally, forall, globally, set};
    /// use burnside::{LoadOptions, Model, Options};
    ///
    /// let mut b = SystemBuilder::new();
    /// let client = b.symmetric("Client", 3);
    /// let phase = b.enumeration("Phase", &["idle", "trying", "inside"]);
    /// let phases = b.array(client, phase);
    /// let pc = b.var("pc", phases, "idle");
    /// let (c, d) = (b.name("c", client), b.name("d", client));
    ///
    /// let worker = b.process("Worker", &[c]);
    /// let free = exists([d], pc.at(d).eq("inside")).not();
    /// b.rule(worker, "try").when(pc.at(c).eq("idle")).then(set(pc.at(c), "trying")).fair(Strength::Weak);
    /// let enter = pc.at(c).eq("trying").and(free);
    /// b.rule(worker, "enter").when(enter).then(set(pc.at(c), "inside")).fair(Strength::Strong);
    /// b.rule(worker, "leave").when(pc.at(c).eq("inside")).then(set(pc.at(c), "idle")).fair(Strength::Weak);
    ///
    /// let both = pc.at(c).eq("inside").and(pc.at(d).eq("inside"));
    /// b.invariant("exclusion", forall([c, d], both.implies(c.eq(d))));
    /// let access = pc.at(c).eq("trying").implies(finally(pc.at(c).eq("inside")));
    /// b.linear("access", forall([c], globally(access)));
    ///
    /// let model = Model::load(b.build()?, &LoadOptions::new()).into_model()?;
    /// let report = burnside::check(&model, &Options::default(), &mut ())?;
    /// assert!(report.all_hold());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub use burnside_ts::builder::SystemBuilder;
    pub use burnside_ts::builder::{
        Act, BuildError, Name, Operators, Pattern, RuleDraft, Term, Variable, any, assert, assume, branch,
        count, delete, each, exists, finally, first, forall, globally, greatest, insert, least, next, none,
        on_all_paths, on_some_path, pop, push, put, release, set, strong_release, sum, take, until,
        weak_until,
    };
    pub use burnside_ts::{ProcessId, Strength, System, TypeId};
}

pub mod diagnostics {
    //! What is to be said about a text, with places in it as bytes: for editors, and for programs that show
    //! the text. [`LoadError`](crate::LoadError) is enough for others.
    //!
    //! ```
    //! use burnside::diagnostics::Severity;
    //! use burnside::{LoadOptions, Model};
    //!
    //! let text = "var x: bool; var y: bool; process P { rule r { x = !x; } }";
    //! let loaded = Model::load(text, &LoadOptions::new());
    //! let [warning] = &loaded.diagnostics[..] else { panic!("there is one") };
    //! assert_eq!((warning.severity, warning.primary.span.text(text)), (Severity::Warning, "y"));
    //! ```

    pub use burnside_lang::check::SettingError;
    pub use burnside_lang::diagnostic::{Code, Diagnostic, Note, Severity, Span};
}

pub mod evidence {
    //! What shows an answer, as packed data: a run ([`Answer::evidence`](crate::Answer::evidence)) or a tree
    //! ([`Answer::tree`](crate::Answer::tree)); and its replay by the interpreter alone. A
    //! [`Run`](crate::Run) has names and values.
    //!
    //! Evidence of a report has been replayed. What comes from elsewhere can be replayed here:
    //!
    //! ```
    //! use burnside::evidence::{Claim, replay};
    //! use burnside::{LoadOptions, Model, Options};
    //!
    //! let text = "var x: bool; process P { rule on { x = true; } } invariant off = !x;";
    //! let model = Model::load(text, &LoadOptions::new()).into_model()?;
    //! let report = burnside::check(&model, &Options::default(), &mut ())?;
    //! let mut evidence = report.answer("off").unwrap().evidence.clone().unwrap();
    //! let system = &report.model.system;
    //! let claim = Claim { question: &system.properties[0].question, fair: true, value: None };
    //! assert!(replay(system, &evidence, claim).is_ok());
    //! evidence.states[1][0] ^= 1;
    //! assert!(replay(system, &evidence, claim).is_err());
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```

    pub use burnside_trace::{Claim, End, Evidence, Mismatch, Step, Tree, TreeOptions, replay, replay_tree};
}

pub mod files {
    //! Reading texts from files, as [`Model::load`](crate::Model::load) does it. A model whose files are
    //! not on a disk is one text with all of them:
    //!
    //! ```
    //! use burnside::files::gather;
    //! use burnside::{LoadOptions, Model};
    //!
    //! let model = r#"
    //!     import "lib.orb";
    //!     var x: 0..lib.N;
    //!     process P { rule up when x < lib.N { x = x + 1; } }
    //! "#;
    //! let mut read = |name: &str| match name {
    //!     "lib.orb" => Ok("const N = 3;".to_string()),
    //!     _ => Err("there is no such file".to_string()),
    //! };
    //! let all = gather(model, &mut read).expect("it imports a file");
    //! let model = Model::load(&all, &LoadOptions::new().set("lib.N", 5)).into_model()?;
    //! assert_eq!(model.files, ["lib.orb"]);
    //! # Ok::<(), burnside::LoadError>(())
    //! ```

    pub use crate::read::{MAX_SIZE, ReadError, open, read_file, read_text, with_imports};
    pub use burnside_lang::import::bundle::gather;
}

pub mod nets {
    //! What is known of Petri nets only: how fairly they fire, and general properties of the Model Checking
    //! Contest.

    /// How fairly transitions fire.
    ///
    /// ```
    /// use burnside::nets::{NetFairness, Strength};
    /// use burnside::{Kind, LoadOptions, Model, Options, Verdict};
    ///
    /// let net = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
    /// <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
    ///     <place id="here"><initialMarking><text>1</text></initialMarking></place>
    ///     <place id="there"/>
    ///     <transition id="stay"/><transition id="go"/>
    ///     <arc id="a" source="here" target="stay"/><arc id="b" source="stay" target="here"/>
    ///     <arc id="c" source="here" target="go"/><arc id="d" source="go" target="there"/>
    /// </page></net></pnml>"#;
    /// let asked = LoadOptions::new().property(Kind::Ltl, "F there == 1");
    /// let fair = asked.clone().fair(NetFairness { strength: Strength::Strong, by_binding: false });
    /// for (options, verdict) in [(asked, Verdict::Violated), (fair, Verdict::Holds)] {
    ///     let model = Model::load(net, &options).into_model()?;
    ///     let report = burnside::check(&model, &Options::default(), &mut ())?;
    ///     assert_eq!(report.answer("ltl-1").unwrap().verdict, verdict);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub use burnside_petri::NetFairness;
    pub use burnside_petri::{Global, NetModel, NetOptions, Reductions, SmallerNet};
    pub use burnside_ts::Strength;
}
