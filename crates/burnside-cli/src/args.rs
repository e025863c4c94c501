//! What can be typed: the commands and their options, as data for clap. What they mean is decided by the
//! commands.

use crate::exit::visible;
use crate::memory;
use crate::output::terminal;
use burnside::{
    AutomatonSymmetry, Choice, CtlAlgorithm, DeadlockPaths, Engine, Execution, Fairness, Invariance, Method,
    Part, PartialOrder, Search, Shortcuts, SymbolicMethod, Symmetry,
};
use burnside_petri::Global;
use burnside_ts::Strength;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXIT_CODES: &str = "\
Exit codes:
  0   every property holds (or the command did what was asked)
  1   some property is violated
  2   bad usage or a bad model
  3   some property is unknown and none is violated
  70  an internal error: a bug in Burnside";

const REPLAY_EXIT_CODES: &str = "\
Exit codes:
  0   everything in the file was checked, and is so
  1   something in the file is not so
  2   bad usage, a bad model or no trace file
  3   something was not checked, and the rest is so
  70  an internal error: a bug in Burnside";

const VERIFY_EXIT_CODES: &str = "\
Exit codes:
  0   the certificate proves what it claims
  1   it does not
  2   bad usage, a bad model or a damaged certificate
  3   a limit was reached, or it was interrupted
  70  an internal error: a bug in Burnside";

const LSP_EXIT_CODES: &str = "\
Exit codes:
  0   the editor has ended the server as it should
  1   the editor went away without saying so
  2   bad usage, or standard input or output failed
  3   a limit was reached, or it was interrupted
  70  an internal error: a bug in Burnside";

const TEST_EXIT_CODES: &str = "\
Exit codes:
  0   everything is as expected
  1   something is not as expected, and no model is bad
  2   bad usage or a bad model
  3   something is unknown that should not be, and the rest is as expected
  70  an internal error: a bug in Burnside";

/// More threads than this would only wait for each other.
const MOST_THREADS: usize = 1024;

/// More processes on one machine would try nothing new.
const MOST_PROCESSES: usize = 64;

/// A model checker for concurrent and distributed systems made of many alike parts.
#[derive(Parser, Debug)]
#[command(name = "burnside", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Cli {
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What was typed another time, the name of the program included.
    pub fn again(words: &[String]) -> Result<Self, clap::Error> {
        Self::from_arg_matches_mut(&mut Self::command().try_get_matches_from(words)?)
    }

    /// What was typed. By itself clap shows colours where `CI` is set, on a dumb terminal too.
    pub fn read() -> Result<Self, clap::Error> {
        let colors = if terminal::is_dumb() { ColorChoice::Never } else { ColorChoice::Auto };
        let mut matches = Self::command().color(colors).try_get_matches()?;
        Self::from_arg_matches_mut(&mut matches)
    }

    /// Whether it goes on until Ctrl-C: then limits on time are for each round.
    pub fn watches(&self) -> bool {
        match &self.command {
            Command::Check(args) => args.watch,
            Command::Test(args) => args.watch,
            _ => false,
        }
    }

    /// What must come out whatever happens, if the command was asked for a document.
    pub fn document(&self) -> Option<Document> {
        match &self.command {
            Command::Check(args) if args.format.is_document() && !args.watch => {
                let model = visible(&args.model.model.display().to_string());
                Some(Document { format: args.format, model })
            }
            _ => None,
        }
    }
}

/// Exactly one document about a check, in any case.
#[derive(Clone, Debug)]
pub struct Document {
    /// In this format.
    pub format: CheckFormat,
    /// The model, as typed.
    pub model: String,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check the properties of a model
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArgs>),
    /// Check models against the verdicts and figures that they expect, as a part of a build
    #[command(after_help = TEST_EXIT_CODES)]
    Test(TestArgs),
    /// Check a model with several processes on this machine, to try what a cluster does
    #[command(after_help = EXIT_CODES)]
    Cluster(ClusterArgs),
    /// Go on with a check that was kept in a folder
    #[command(after_help = EXIT_CODES)]
    Resume(ResumeArgs),
    /// Make a commented model to start from
    New(NewArgs),
    /// Check that the runs in a trace file are runs of the model and show what they claim
    #[command(after_help = REPLAY_EXIT_CODES)]
    Replay(ReplayArgs),
    /// Check that a certificate proves what it claims for every size of a family
    #[command(after_help = VERIFY_EXIT_CODES)]
    Verify(VerifyArgs),
    /// Explain the symmetry of a model: its group, and what breaks more of it
    Symmetry(SymmetryArgs),
    /// Print the state graph, or the graph of orbits
    Graph(GraphArgs),
    /// Explore a model in a browser: walk, counterexamples, graph, symmetry, checks
    Explore(ExploreArgs),
    /// Walk through a model, at random or by choice
    Simulate(SimulateArgs),
    /// Lay models out in the one true way
    Fmt(FmtArgs),
    /// Show a model as one of the stages between text and checking sees it
    Dump(DumpArgs),
    /// Print a Murphi model in our own language
    Convert(ConvertArgs),
    /// Translate a formula of linear temporal logic to an automaton
    Translate(TranslateArgs),
    /// Serve an editor: the language server, over standard input and output
    #[command(after_help = LSP_EXIT_CODES)]
    Lsp(LspArgs),
    /// Explain an error or a warning, by its code
    Explain(ExplainArgs),
    /// Open a page of the book
    Docs(DocsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, of the program or of one command
    Man(ManArgs),
}

/// A model and its constants.
#[derive(Args, Debug, Clone)]
pub struct ModelArgs {
    /// The model; `-` reads standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Replace a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<(String, String)>,
}

/// When to give up.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct LimitArgs {
    /// Give up when this many bytes are in use; units: K, M, G, T or KiB, MiB, GiB, TiB (all binary)
    /// [default: 75 % of the memory available at the start, where the system tells it]
    #[arg(long, global = true, value_name = "BYTES", value_parser = memory::parse_bytes)]
    pub max_memory: Option<u64>,
    /// Give up after this many seconds, counted from the start; fractions are allowed
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// Properties that do not stand in the model, and what a net is fair to.
#[derive(Args, Debug, Clone)]
pub struct ExternalArgs {
    /// Check this condition as an invariant (repeatable); `check` then checks nothing else
    #[arg(long = "invariant", value_name = "EXPR")]
    pub invariants: Vec<String>,
    /// Check whether this condition becomes true somewhere (repeatable); `check` then checks nothing else
    #[arg(long = "reachable", value_name = "EXPR")]
    pub reachable: Vec<String>,
    /// Check this linear-time formula (repeatable); `check` then checks nothing else
    #[arg(long = "ltl", value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Check this branching-time formula (repeatable); `check` then checks nothing else
    #[arg(long = "ctl", value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// Find the greatest value of this sum of places (repeatable); `check` then checks nothing else
    #[arg(long = "bound", value_name = "SUM")]
    pub bounds: Vec<String>,
    /// Check the formulas in this file about a net, in the XML of the Model Checking Contest (repeatable)
    #[arg(long = "properties", value_name = "FILE")]
    pub formulas: Vec<PathBuf>,
    /// Check a general property of a net (repeatable)
    #[arg(long = "global", value_enum, value_name = "NAME")]
    pub globals: Vec<Examination>,
    /// Assume that a net is fair
    #[arg(long, value_parser = choice::<Strength>(), value_name = "KIND")]
    pub fair: Option<Strength>,
    /// What a net is fair to
    #[arg(long, value_enum, default_value_t = FairTo::Transition, value_name = "WHAT", requires = "fair")]
    pub fair_to: FairTo,
    /// Also check that no fair run is accepted by the automaton in this file, in the HOA format (repeatable);
    /// its propositions are boolean expressions of the model; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub never: Vec<PathBuf>,
}

impl ExternalArgs {
    /// Whether there is anything.
    pub fn is_some(&self) -> bool {
        let texts = [&self.invariants, &self.reachable, &self.ltl, &self.ctl, &self.bounds];
        let files = [&self.formulas, &self.never];
        texts.iter().any(|it| !it.is_empty())
            || files.iter().any(|it| !it.is_empty())
            || !self.globals.is_empty()
            || self.fair.is_some()
    }
}

/// `burnside check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Check only this property (repeatable); `faults` and `deadlock` are properties too
    #[arg(long = "property", short = 'p', value_name = "NAME")]
    pub properties: Vec<String>,
    #[command(flatten)]
    pub external: ExternalArgs,
    /// What searches
    #[arg(long, value_parser = choice::<Engine>(), default_value_t = Engine::Auto, value_name = "ENGINE")]
    pub engine: Engine,
    /// Give up when decision diagrams have this many nodes (only with `--engine symbolic`)
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = nodes)]
    pub max_nodes: u64,
    /// A condition on states that guides the search, after the hints of the model (repeatable); only used
    /// with `--engine symbolic --symbolic-method hints`
    #[arg(long = "hint", value_name = "EXPR")]
    pub hints: Vec<String>,
    /// Leave the variables of decision diagrams in their first order
    #[arg(long)]
    pub no_reorder: bool,
    /// How the symbolic engine uses symmetry; what a method cannot do the classical one does
    #[arg(long, value_parser = choice::<SymbolicMethod>(), default_value_t = SymbolicMethod::Classic, value_name = "METHOD")]
    pub symbolic_method: SymbolicMethod,
    /// Which part of a frontier the symbolic methods with symmetry go on from first [default: widen with
    /// live-rep, none with the others]
    #[arg(long, value_parser = choice::<Part>(), value_name = "KIND")]
    pub approximate: Option<Part>,
    /// Leave out for good what `--approximate` leaves for later: violations may be found sooner, and what
    /// holds is unknown
    #[arg(long)]
    pub forget: bool,
    /// Close sets of states under the generators of the symmetry by at most this many rounds; fewer only cost
    /// reduction
    #[arg(long, value_name = "N")]
    pub sigma_rounds: Option<u32>,
    /// Close sets of states only when the search turns to the next hint, not after each image
    #[arg(long)]
    pub sigma_seldom: bool,
    /// Which generators the symbolic methods with symmetry use for a property
    #[arg(long, value_parser = choice::<Invariance>(), default_value_t = Invariance::Stabiliser, value_name = "WHICH")]
    pub invariance_group: Invariance,
    /// Check with diagrams also the generators that the language guarantees to be symmetries
    #[arg(long)]
    pub check_generators: bool,
    /// Keep generators of `symmetry` blocks that are wrong or cannot be proved; only the symbolic methods
    /// with symmetry use them, and what holds is then unknown
    #[arg(long)]
    pub keep_generators: bool,
    /// In which order to look for states: `auto`, `depth` and `random` hunt for violations
    #[arg(long, value_parser = choice::<Search>(), default_value_t = Search::Auto, value_name = "ORDER")]
    pub search: Search,
    /// When questions about a net are answered without a search, where that is possible
    #[arg(long, value_parser = choice::<Shortcuts>(), default_value_t = Shortcuts::Auto, value_name = "WHEN")]
    pub shortcuts: Shortcuts,
    /// Where the random numbers of hunts start; the same seed gives the same result
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// Which symmetry reduction to use
    #[arg(long, value_parser = choice::<Symmetry>(), default_value_t = Symmetry::Auto, value_name = "KIND")]
    pub symmetry: Symmetry,
    /// Whether to leave out steps that commute with others, where that changes no verdict; figures are then
    /// those of what is left
    #[arg(long, value_parser = choice::<PartialOrder>(), default_value_t = PartialOrder::None, value_name = "WHEN")]
    pub partial_order: PartialOrder,
    /// How to check `ltl` properties and automata
    #[arg(long, value_parser = choice::<Method>(), default_value_t = Method::OnTheFly, value_name = "METHOD")]
    pub method: Method,
    /// Which local symmetries of the automaton to use for `ltl` properties with quantifiers inside temporal
    /// operators
    #[arg(long, value_parser = choice::<AutomatonSymmetry>(), default_value_t = AutomatonSymmetry::Local, value_name = "KIND")]
    pub automaton_symmetry: AutomatonSymmetry,
    /// Leave the quantifiers of `ltl` properties where they are instead of pulling them to the front; for
    /// comparison
    #[arg(long)]
    pub keep_quantifiers: bool,
    /// What runs the steps of the model in the explicit engine
    #[arg(long, value_parser = choice::<Execution>(), default_value_t = Execution::Auto, value_name = "KIND")]
    pub machine: Execution,
    /// How to check `ctl` properties
    #[arg(long, value_parser = choice::<CtlAlgorithm>(), default_value_t = CtlAlgorithm::New, value_name = "ALGORITHM")]
    pub ctl_algorithm: CtlAlgorithm,
    /// What happens after a deadlock, for `ctl` properties [default: maximal for nets, stutter for the rest]
    #[arg(long, value_parser = choice::<DeadlockPaths>(), value_name = "KIND")]
    pub deadlock_paths: Option<DeadlockPaths>,
    /// Which fairness to assume
    #[arg(long, value_parser = choice::<Fairness>(), default_value_t = Fairness::Model, value_name = "WHICH")]
    pub fairness: Fairness,
    /// Search with this many threads; results do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub cluster: MemberArgs,
    #[command(flatten)]
    pub kept: KeepArgs,
    /// Keep states packed: less memory, more time
    #[arg(long)]
    pub compress: bool,
    /// Give up after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Give up on each property after this many seconds; without it each has a fair share of `--timeout`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub property_timeout: Option<Duration>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, value_name = "FORMAT")]
    pub format: CheckFormat,
    /// Judge the invariants and faults for every value of this constant, the size of a symmetric type; it
    /// need not be named if there is only one
    #[arg(long, value_name = "CONSTANT", num_args = 0..=1, default_missing_value = "", conflicts_with_all = FINITE)]
    pub for_every: Option<String>,
    /// Write the proofs to this file, for `burnside verify`
    #[arg(long, value_name = "FILE", requires = "for_every")]
    pub certificate: Option<PathBuf>,
    /// Do not check the proofs before they are shown
    #[arg(long, requires = "for_every")]
    pub trust: bool,
    /// Tell what is proved for every size in clauses: what is true of all reachable states, in the words of
    /// the model
    #[arg(long, requires = "for_every")]
    pub explain: bool,
    /// Print what is proved for every size in another language, instead of the report
    #[arg(long, value_enum, requires = "for_every", value_name = "LANGUAGE")]
    pub export: Option<Export>,
    /// Write the runs that show the verdicts to this file, for `burnside replay`
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Also show the runs that reach the goals of `reachable` properties, and those that show why `ctl`
    /// properties hold
    #[arg(long)]
    pub witness: bool,
    #[command(flatten)]
    pub view: ViewArgs,
    /// Visit all states once more, and tell which rules never fire and which conditions are never true, or
    /// never false
    #[arg(long)]
    pub coverage: bool,
    /// Do not look for deadlocks, even if the model asks for it
    #[arg(long)]
    pub no_deadlock: bool,
    /// Print no warnings, no progress and no text report: the exit code tells the answer (a report in another
    /// format is printed if asked for)
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub progress: ProgressArgs,
    /// Check again whenever the model, or a file given beside it, is saved; Ctrl-C ends
    #[arg(long)]
    pub watch: bool,
}

/// Whether a check is kept on a disk while it goes on.
#[derive(Args, Debug, Clone)]
pub struct KeepArgs {
    /// Keep the check in this folder while it goes on, so that `burnside resume` can go on with it
    #[arg(long, value_name = "DIR", conflicts_with_all = NOT_KEPT)]
    pub checkpoint: Option<PathBuf>,
    /// How often to keep it; units: s, m, h
    #[arg(long, value_name = "TIME", requires = "checkpoint", value_parser = period, default_value = "10m")]
    pub every: Duration,
}

/// Options that nothing is kept with.
const NOT_KEPT: [&str; 4] = ["for_every", "watch", "workers", "hosts"];

/// `burnside resume`
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// The folder that was given to `burnside check --checkpoint`
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// How often to keep it; units: s, m, h
    #[arg(long, value_name = "TIME", value_parser = period, default_value = "10m")]
    pub every: Duration,
    /// Search with this many threads; results do not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Give up after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Give up on each property after this many seconds; without it each has a fair share of `--timeout`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub property_timeout: Option<Duration>,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// Workers that share out a search, in this process and in others.
#[derive(Args, Debug, Clone)]
pub struct MemberArgs {
    /// Share out the search for states among this many workers, or this many in each process with `--hosts`
    #[arg(long, value_name = "N", value_parser = threads, conflicts_with_all = ALONE)]
    pub workers: Option<NonZeroUsize>,
    /// Search together with other processes, whose addresses are in this file: one `HOST:PORT` in each line
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ALONE)]
    pub hosts: Option<PathBuf>,
    /// Which line of the hosts file is this process, from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    pub process: Option<usize>,
    /// How long to wait until all processes are connected
    #[arg(long, value_name = "SECONDS", requires = "hosts", value_parser = seconds, default_value = "30")]
    pub connect_timeout: Duration,
}

/// Options that workers know nothing of.
const ALONE: [&str; 2] = ["for_every", "watch"];

/// `burnside cluster`
#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// How many processes to start
    #[arg(long, value_name = "K", default_value = "2", value_parser = processes)]
    pub processes: NonZeroUsize,
    /// How many workers each of them has
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub workers: NonZeroUsize,
    /// The model, and what else `burnside check` is to be given
    #[arg(value_name = "CHECK", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub check: Vec<OsString>,
}

/// How much of the states of runs is shown, in texts.
#[derive(Args, Debug, Clone, Default)]
pub struct ViewArgs {
    /// What to show of the states of a run [default: changes]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub show: Option<ShowStates>,
    /// Show only these variables, or cells of them, in runs; several are separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub vars: Vec<String>,
}

impl ViewArgs {
    /// Whether anything was typed.
    pub fn is_asked_for(&self) -> bool {
        self.show.is_some() || !self.vars.is_empty()
    }
}

/// What is shown of the states of a run.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowStates {
    /// After each step what it changes
    Changes,
    /// After each step the whole state
    Full,
}

/// How progress is shown.
#[derive(Args, Debug, Clone, Copy)]
pub struct ProgressArgs {
    /// When and how to show progress, on standard error
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto, value_name = "WHEN")]
    pub progress: ProgressMode,
    /// Do not show progress, even on a terminal: the same as `--progress never`
    #[arg(long, conflicts_with = "progress")]
    pub no_progress: bool,
}

/// Options of `check` that are about one size, and mean nothing for every size.
const FINITE: [&str; 13] = [
    "bounds",
    "fair",
    "invariants",
    "reachable",
    "ltl",
    "ctl",
    "formulas",
    "never",
    "globals",
    "hints",
    "trace",
    "witness",
    "keep_generators",
];

/// `burnside test`
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Models, and folders with models (`*.orb` and `*.pnml`, at any depth)
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// How many configurations to check at a time [default: as many as there are cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// What searches
    #[arg(long, value_parser = choice::<Engine>(), default_value_t = Engine::Auto, value_name = "ENGINE")]
    pub engine: Engine,
    /// Which symmetry reduction to use; with several, separated by commas, everything is checked with each
    #[arg(long, value_parser = choice::<Symmetry>(), default_value = "auto", value_delimiter = ',', value_name = "KIND")]
    pub symmetry: Vec<Symmetry>,
    /// How to check `ltl` properties
    #[arg(long, value_parser = choice::<Method>(), default_value_t = Method::OnTheFly, value_name = "METHOD")]
    pub method: Method,
    /// How to check `ctl` properties
    #[arg(long, value_parser = choice::<CtlAlgorithm>(), default_value_t = CtlAlgorithm::New, value_name = "ALGORITHM")]
    pub ctl_algorithm: CtlAlgorithm,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = TestFormat::Text, value_name = "FORMAT")]
    pub format: TestFormat,
    /// Print only what is not as expected, and the summary
    #[arg(long, short)]
    pub quiet: bool,
    /// Test again whenever a model is saved, comes or goes; Ctrl-C ends
    #[arg(long)]
    pub watch: bool,
}

/// `burnside new`
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The name of the model; `NAME.orb` is written
    #[arg(value_name = "NAME")]
    pub name: PathBuf,
    /// What to start from
    #[arg(long, value_enum, default_value_t = Template::Lock, value_name = "TEMPLATE")]
    pub template: Template,
}

/// A model to start from.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Alike processes that share a lock: symmetry, safety, liveness and fairness
    Lock,
    /// A server and its clients, who send messages that may be lost
    Messages,
    /// The least there is: one variable, one process, one property
    Empty,
}

/// How the results of tests are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// One document in the XML of JUnit, which build servers read
    Junit,
}

impl ProgressArgs {
    /// What was asked for, for a command that is to be quiet otherwise.
    pub fn unless_asked_for(self) -> Self {
        Self { no_progress: self.no_progress || self.progress == ProgressMode::Auto, ..self }
    }

    /// What it comes to.
    pub fn mode(self) -> ProgressMode {
        if self.no_progress { ProgressMode::Never } else { self.progress }
    }
}

/// `burnside replay`
#[derive(Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// A file that `burnside check --trace` has written; the constants come from it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which fairness the verdicts are about
    #[arg(long, value_parser = choice::<Fairness>(), default_value_t = Fairness::Model, value_name = "WHICH")]
    pub fairness: Fairness,
    /// What happens after a deadlock, for `ctl` properties [default: maximal for nets, stutter for the rest]
    #[arg(long, value_parser = choice::<DeadlockPaths>(), value_name = "KIND")]
    pub deadlock_paths: Option<DeadlockPaths>,
    /// Assume that a net is fair
    #[arg(long, value_parser = choice::<Strength>(), value_name = "KIND")]
    pub fair: Option<Strength>,
    /// What a net is fair to
    #[arg(long, value_enum, default_value_t = FairTo::Transition, value_name = "WHAT", requires = "fair")]
    pub fair_to: FairTo,
    #[command(flatten)]
    pub view: ViewArgs,
}

/// `burnside verify`
#[derive(Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// A file that `burnside check --for-every --certificate` has written
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// `burnside symmetry`
#[derive(Args, Debug)]
pub struct SymmetryArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, value_name = "FORMAT")]
    pub format: ReportFormat,
}

/// `burnside graph`
#[derive(Args, Debug)]
pub struct GraphArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print the graph of orbits: one state of each, and no edge that a symmetry makes redundant
    #[arg(long)]
    pub quotient: bool,
    /// Stop after this many states
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: u64,
    /// How to print the graph
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot, value_name = "FORMAT")]
    pub format: GraphFormat,
    /// Print only figures about the graph
    #[arg(long)]
    pub summary: bool,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// `burnside explore`
#[derive(Args, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// A file that `burnside check --trace` has written, to be looked at; the constants and
    /// the properties come from it
    #[arg(value_name = "TRACE")]
    pub trace: Option<PathBuf>,
    #[command(flatten)]
    pub external: ExternalArgs,
    /// The port on loopback [default: a free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Open the page in the system's browser
    #[arg(long, overrides_with = "no_open")]
    pub open: bool,
    /// Only print where the page is (the default)
    #[arg(long, overrides_with = "open")]
    pub no_open: bool,
}

/// `burnside simulate`
#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// How many steps to take at most, in each run [default: 20, 1000 with --runs, no limit if interactive]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Where the random numbers start; the same seed gives the same run [default: from the clock]
    #[arg(long, value_name = "N", conflicts_with = "interactive")]
    pub seed: Option<u64>,
    /// Take many random runs, and print what goes wrong in one of them and how often each rule was taken
    #[arg(long, value_name = "N", conflicts_with = "interactive", value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: Option<u64>,
    #[command(flatten)]
    pub view: ViewArgs,
    /// How to print the result of many runs
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, value_name = "FORMAT", requires = "runs")]
    pub format: ReportFormat,
    /// Choose each step by its number, from standard input
    #[arg(long, short)]
    pub interactive: bool,
}

/// `burnside fmt`
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// The models to format in place; `-` formats standard input to standard output
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,
    /// Change nothing; list the files that would change and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// `burnside dump`
#[derive(Args, Debug)]
pub struct DumpArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Which stage to show
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stage: Stage,
}

/// `burnside convert`
#[derive(Args, Debug)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub model: ModelArgs,
}

/// `burnside translate`
#[derive(Args, Debug)]
pub struct TranslateArgs {
    /// The formula, such as `G(request -> F grant)`; `-` reads standard input
    #[arg(value_name = "FORMULA", allow_hyphen_values = true)]
    pub formula: String,
    /// How to print the automaton
    #[arg(long, value_enum, default_value_t = AutomatonFormat::Hoa, value_name = "FORMAT")]
    pub format: AutomatonFormat,
    /// Translate the negation of the formula
    #[arg(long)]
    pub negate: bool,
    /// Use one acceptance set
    #[arg(long)]
    pub buchi: bool,
    /// Use one acceptance set, of states
    #[arg(long)]
    pub state_based: bool,
    /// Say in a comment which states are alike up to swapping two numbers in the names of the atoms
    #[arg(long, conflicts_with_all = ["buchi", "state_based"])]
    pub symmetry: bool,
}

/// `burnside lsp`
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Changes nothing: some editors pass it to every server
    #[arg(long)]
    pub stdio: bool,
}

/// `burnside explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code, such as `unknown-name`; without it, all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
    /// How to print the page
    #[arg(long, value_enum, default_value_t = PageFormat::Text, value_name = "FORMAT")]
    pub format: PageFormat,
}

/// `burnside docs`
#[derive(Args, Debug)]
pub struct DocsArgs {
    /// A page, such as `tutorial` or `language`, or the code of an error; without it, the first page
    #[arg(value_name = "PAGE")]
    pub page: Option<String>,
    /// Open nothing: print the page, or where its file is
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub print: Option<DocsPrint>,
}

/// `burnside completions`
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `burnside man`
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The command; without it, the page of the program
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// When and how to show progress.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressMode {
    /// A line on a terminal, unless TERM is dumb
    Auto,
    /// Not at all
    Never,
    /// A line on a terminal, and lines below each other elsewhere
    Always,
    /// JSON, a document in each line
    Json,
}

/// A general property of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Examination {
    /// One that every net has.
    One(Global),
    /// How many markings and firings there are, and the greatest numbers of tokens.
    StateSpace,
}

impl ValueEnum for Examination {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Examination; 6] = [
            Examination::One(Global::ReachabilityDeadlock),
            Examination::One(Global::OneSafe),
            Examination::One(Global::QuasiLiveness),
            Examination::One(Global::Liveness),
            Examination::One(Global::StableMarking),
            Examination::StateSpace,
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Examination::One(global) => PossibleValue::new(global.name()).help(sentence(global.words())),
            Examination::StateSpace => PossibleValue::new("StateSpace")
                .help("How many markings and firings there are, and the greatest numbers of tokens"),
        })
    }
}

/// What a net is fair to.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairTo {
    /// Each transition, whatever its binding
    Transition,
    /// Each binding of each transition
    Binding,
}

/// In what language a proof is told.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// A module in TLA+
    Tla,
}

/// How the report of a check is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// JUnit's XML, for build servers: a case for each property
    Junit,
    /// SARIF 2.1.0, for code scanning: violations and diagnostics at their places
    Sarif,
    /// Markdown as GitHub shows it: a table, and the runs folded below it
    Markdown,
    /// The lines that the Model Checking Contest asks for
    Contest,
    /// One page for a browser, which needs nothing else
    Html,
}

impl CheckFormat {
    /// Whether a document must come out even if there is no report.
    pub fn is_document(self) -> bool {
        match self {
            CheckFormat::Text | CheckFormat::Contest => false,
            CheckFormat::Json
            | CheckFormat::Html
            | CheckFormat::Junit
            | CheckFormat::Sarif
            | CheckFormat::Markdown => true,
        }
    }
}

/// How a report is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
}

/// How the page of a code is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFormat {
    /// For people
    Text,
    /// As it stands in the book
    Markdown,
    /// One JSON document
    Json,
}

/// What of a page of the book is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocsPrint {
    /// Its text
    Text,
    /// The path of its file in HTML, which is written
    Path,
}

/// How a graph is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// For Graphviz
    Dot,
    /// One JSON document
    Json,
}

/// How an automaton is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomatonFormat {
    /// The Hanoi Omega-Automata format, which other tools read
    Hoa,
    /// For Graphviz
    Dot,
}

/// A stage between text and checking.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The tokens, with their places
    Tokens,
    /// The syntax tree
    Syntax,
    /// The checked model: names resolved, types worked out
    Model,
    /// The transition system: layout of the state, rules, fairness units, properties
    System,
}

/// Reads a value of an option of the library by its name.
fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|choice| PossibleValue::new(choice.name()).help(choice.help()));
    PossibleValuesParser::new(values).try_map(|name| T::named(&name).ok_or("there is no such value"))
}

/// Some words as the beginning of a sentence.
fn sentence(words: &str) -> String {
    let (first, rest) = words.split_at(1);
    first.to_uppercase() + rest
}

/// A limit on nodes: fewer are not enough for anything, more cannot be numbered.
fn nodes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(nodes @ 1_000..=4_000_000_000) => Ok(nodes),
        _ => Err("a number from 1000 to 4000000000 is expected".to_string()),
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, for example N=4")?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return Err("expected NAME=VALUE, for example N=4".into());
    }
    Ok((name.to_string(), value.to_string()))
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

fn processes(text: &str) -> Result<NonZeroUsize, String> {
    let processes = text.parse().ok().filter(|processes: &NonZeroUsize| processes.get() <= MOST_PROCESSES);
    processes.ok_or_else(|| format!("expected a number from 1 to {MOST_PROCESSES}"))
}

/// A time with a unit; without one it is in seconds.
fn period(text: &str) -> Result<Duration, String> {
    let units = [("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    let with_unit = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let (number, unit) = with_unit.unwrap_or((text, 1.0));
    let time = number.parse().ok().and_then(|number: f64| Duration::try_from_secs_f64(number * unit).ok());
    time.ok_or_else(|| "expected a time, for example 90s, 10m or 1.5h".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds, for example 2.5")?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "expected a number of seconds that is not negative".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_are_split_at_the_first_equals_sign() {
        assert_eq!(setting(" N = 4"), Ok(("N".into(), "4".into())));
        assert!(setting("N").is_err() && setting("=4").is_err() && setting("N=").is_err());
    }

    #[test]
    fn seconds_may_be_fractions() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["-1", "x", "nan", "1e300", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn periods_have_units() {
        let seconds = |text| period(text).map(|time| time.as_secs_f64());
        assert_eq!([seconds("90"), seconds("1.5s")], [Ok(90.0), Ok(1.5)]);
        assert_eq!([seconds("10m"), seconds("0.5h")], [Ok(600.0), Ok(1800.0)]);
        for wrong in ["", "m", "-1s", "10 m", "nans", "infh", "1e300h", "10d"] {
            assert!(period(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_are_neither_none_nor_too_many() {
        assert_eq!(threads("2").map(NonZeroUsize::get), Ok(2));
        for wrong in ["0", "-1", "x", "1025", "99999999999999999999", ""] {
            assert!(threads(wrong).is_err(), "{wrong}");
        }
    }

    /// Every command, option and value that can be typed is in the book.
    #[test]
    fn everything_is_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/command-line.md");
        let page = std::fs::read_to_string(path).expect("docs/src/command-line.md can be read");
        let mut missing = Vec::new();
        for command in Cli::command().get_subcommands() {
            missing.extend(undocumented(command, &page));
        }
        assert!(missing.is_empty(), "docs/src/command-line.md says nothing about: {}", missing.join(", "));
    }

    /// What of a command its section of the page does not mention. The global options may be anywhere on the
    /// page.
    fn undocumented(command: &clap::Command, page: &str) -> Vec<String> {
        let name = command.get_name();
        let Some(section) = section(page, &format!("burnside {name}")) else {
            return vec![format!("a section for `burnside {name}`")];
        };
        let options = command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_id() != "help");
        let options = options.filter_map(|arg| arg.get_long().map(|long| (arg, long)));
        options
            .flat_map(|(arg, long)| {
                let values = arg.get_possible_values().into_iter().map(|value| value.get_name().to_string());
                std::iter::once(format!("--{long}")).chain(values.filter(|v| v != "true" && v != "false"))
            })
            .filter(|word| !section.contains(word.as_str()))
            .map(|word| format!("{word} of `burnside {name}`"))
            .collect()
    }

    /// From the heading with a text to the next heading of the same level.
    fn section<'p>(page: &'p str, heading: &str) -> Option<&'p str> {
        let start = page.lines().find(|line| line.starts_with("## ") && line.contains(heading))?;
        let start = start.as_ptr() as usize - page.as_ptr() as usize;
        let length = page[start + 3..].find("\n## ").map_or(page.len() - start, |end| end + 3);
        Some(&page[start..start + length])
    }
}
