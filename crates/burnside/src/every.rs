//! What holds however many members a family has: invariants, and that no step faults, for every value of a
//! constant that sizes a symmetric type.
//!
//! Entry points: [`for_every`], which proves and refutes, and [`verify`], which checks a certificate. Small
//! instances are checked first, by the ordinary engines, so a violation is found at its least size and its
//! run is replayed. What they do not violate is proved by view abstraction if it can be (`burnside-views`),
//! and a proof is checked by its own checker before anyone sees it. What is neither is unknown, with the
//! reason.
//!
//! ```
//! use burnside::every::{EveryOptions, Finding, for_every};
//!
//! let text = "
//!     const N = 3;
//!     symmetric Client[N];
//!     var busy: bool;
//!     process Client[c] {
//!         var inside: bool;
//!         rule enter when !busy && !inside { inside = true; busy = true; }
//!         rule leave when inside { inside = false; busy = false; }
//!     }
//!     invariant exclusion = forall a, b: Client { inside[a] && inside[b] -> a == b };
//!     invariant few = count c: Client { inside[c] } <= 0;
//! ";
//! let report = for_every(text, &EveryOptions::default(), &mut ())?;
//! assert!(matches!(report.answer("exclusion").unwrap().finding, Finding::Holds { k: 2, .. }));
//! assert!(matches!(report.answer("few").unwrap().finding, Finding::Violated { size: 1 }));
//! # Ok::<(), burnside::every::EveryError>(())
//! ```

mod live;
mod phase;
mod ring;
mod watch;

use crate::ask;
use crate::check::CheckError;
use crate::loaded::{Found, LoadError, Loaded};
use crate::model::{Front, Model};
use crate::report::Report;
use crate::source::LoadOptions;
use burnside_engine::{Options, Verdict};
use burnside_lang::diagnostic::Span;
use burnside_lang::family::ring::RingFamily;
use burnside_lang::family::{self, Family};
use burnside_lang::hir::Model as Hir;
use burnside_lang::syntax::ast::{self, ItemKind};
use burnside_lang::{check, import, lower};
use burnside_limits::{Observer, Stop, Task, Watchdog, catch};
use burnside_ts::{Kind, System};
use burnside_views::context::{self, Context};
use burnside_views::tla::{self, About};
use burnside_views::{
    Attempt, Certificate, Counterview, FAULTS, Failure, Instances, Needs, Proof, Rejection, Verified, clause,
};
use phase::Phase;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use burnside_lang::family::Refusal;
pub use burnside_views::clause::Explained;
pub use burnside_views::{Certificate as EveryCertificate, Damage, Verified as CheckedCertificate};

/// The largest instance that is checked for violations.
const LARGEST: u32 = 6;
/// So many states, or orbits, of an instance are looked at.
const STATES: u64 = 100_000;
/// So many states are run to close a set of views.
const CLOSURE: u64 = 400_000;
/// So many contexts are tried.
const CONTEXTS: usize = 12;

/// How to go about it.
#[derive(Clone, Debug, Default)]
pub struct EveryOptions {
    /// The constant that is left open; none if there is only one that can be.
    pub constant: Option<String>,
    /// Values of other constants.
    pub settings: Vec<(String, String)>,
    /// How instances are checked, and within which limits.
    pub check: Options,
    /// Whether proofs are believed without being checked.
    pub trust: bool,
    /// Whether what is proved is told in clauses.
    pub explain: bool,
    /// Whether it is told as a module in TLA+.
    pub tla: bool,
}

/// What is known for every size.
#[derive(Clone, Debug)]
pub struct EveryReport {
    /// The constant that was left open.
    pub constant: String,
    /// The type that it sizes.
    pub family: String,
    /// Whether that is a ring, which is judged by windows of neighbours.
    pub is_ring: bool,
    /// `faults`, then the invariants in the order of the model, and others that were asked for by name.
    pub answers: Vec<EveryAnswer>,
    /// Other properties of the model, which nobody asked for by name: only invariants and faults are judged.
    pub skipped: Vec<String>,
    /// Why nothing can be proved of this model, if that is so; in the order of the text.
    pub refusals: Vec<Refusal>,
    /// The proofs.
    pub certificate: Certificate,
    /// What their checker found; none if there was nothing to check, or nobody wanted it.
    pub verified: Option<Verified>,
    /// What each proof says, if it is wanted.
    pub explained: Vec<Explained>,
    /// The same as a module in TLA+, if it is wanted.
    pub tla: Option<String>,
    /// The reports of instances in which something is violated, by size.
    pub violations: Vec<(u32, Report)>,
    /// How long everything took.
    pub time: Duration,
}

/// The answer for one property.
#[derive(Clone, Debug)]
pub struct EveryAnswer {
    /// Its name.
    pub property: String,
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// What is known.
    pub finding: Finding,
}

/// What is known of a property for every size.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It holds for every size from 1 on.
    Holds {
        /// How many members a view has.
        k: u32,
        /// What is counted beside the views.
        contexts: Vec<String>,
        /// How many views there are.
        views: u64,
        /// If it is a formula of linear time: how many situations of the member that was followed were told
        /// apart.
        followed: Option<u64>,
    },
    /// It is violated at this size, and at no smaller one.
    Violated {
        /// The size.
        size: u32,
    },
    /// It holds up to a size (0: not even that is known); what is beyond is not known.
    Unknown {
        /// The size.
        up_to: u32,
        /// Why.
        reason: Unproved,
    },
}

/// Why something is not proved.
#[derive(Clone, Debug)]
pub enum Unproved {
    /// The model, or the property, is not of the kind that can be judged by small instances.
    Refused(Refusal),
    /// The closed set of views allows this bad state, which need not be reachable.
    Spurious(Box<Spurious>),
    /// There was not enough room or time.
    Stopped(String),
}

/// A bad state that views allow.
#[derive(Clone, Debug)]
pub struct Spurious {
    /// How many members a view has.
    pub k: u32,
    /// The instance.
    pub model: Model,
    /// The state, and what faults in a step from it.
    pub counterview: Counterview,
}

impl EveryReport {
    /// The answer for the property with this name.
    pub fn answer(&self, property: &str) -> Option<&EveryAnswer> {
        self.answers.iter().find(|answer| answer.property == property)
    }
}

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum EveryError {
    /// The text is no model.
    Load(LoadError),
    /// The constant cannot be left open; what to do.
    Constant(String, String),
    /// There is no property of this name; these there are.
    UnknownProperty(String, Vec<String>),
    /// No instance has an initial state, whatever its size.
    NoInitialState,
    /// A check of an instance gave no report.
    Check(u32, CheckError),
    /// It was ended before there was any answer.
    Stopped(Stop),
    /// Our own fault: a proof that its checker refuses.
    Internal(String),
}

impl fmt::Display for EveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EveryError::Load(error) => error.fmt(f),
            EveryError::Constant(message, help) => write!(f, "{message} ({help})"),
            EveryError::UnknownProperty(name, known) => {
                write!(f, "there is no property `{name}`; there are {}", known.join(", "))
            }
            EveryError::NoInitialState => write!(f, "no instance has an initial state, whatever its size"),
            EveryError::Check(size, error) => write!(f, "the instance of size {size}: {error}"),
            EveryError::Stopped(stop) => stop.fmt(f),
            EveryError::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for EveryError {}

/// Proves and refutes the invariants of a model, and that it has no faults, for every size of a family.
pub fn for_every(
    text: &str,
    options: &EveryOptions,
    observer: &mut dyn Observer,
) -> Result<EveryReport, EveryError> {
    let started = Instant::now();
    let mut options = options.clone();
    options.check.limits.since.get_or_insert(started);
    let interrupt = options.check.limits.interrupt.clone();
    let work = || interrupt.enter(|| Work::new(text, &options)?.run(observer, started));
    catch(work).map_err(EveryError::Stopped)?
}

/// Checks a certificate for a model. An error is about the model; a rejection about the certificate.
pub fn verify(
    text: &str,
    options: &EveryOptions,
    certificate: &Certificate,
    observer: &mut dyn Observer,
) -> Result<Result<Verified, NotProved>, EveryError> {
    let constant = Some(certificate.constant.clone());
    let options = EveryOptions { constant, ..options.clone() };
    let interrupt = options.check.limits.interrupt.clone();
    let work = || {
        interrupt.enter(|| {
            let _watchdog = Watchdog::start(&options.check.limits);
            let work = Work::new(text, &options)?;
            Ok(match &work.family {
                Err(refusals) => {
                    let refusal = refusals.first().cloned().unwrap_or_else(ring::uncertified);
                    Err(NotProved::Refused(refusal))
                }
                Ok(family) => work.verify(family, certificate, observer),
            })
        })
    };
    catch(work).map_err(EveryError::Stopped)?
}

/// Why a certificate proves nothing about a model.
#[derive(Clone, Debug)]
pub enum NotProved {
    /// The model is not of the kind that can be judged by small instances.
    Refused(Refusal),
    /// The certificate is wrong.
    Rejected(Rejection),
}

/// Whether a model is of the kind that can be judged by small instances, for each constant that sizes a
/// symmetric type: the refusals, none if it is.
pub fn fragment(text: &str, settings: &[(String, String)]) -> Vec<(String, Vec<Refusal>)> {
    let file = import::parse(text).file;
    let judge = |constant: String| {
        let options = EveryOptions {
            constant: Some(constant.clone()),
            settings: settings.iter().filter(|(name, _)| *name != constant).cloned().collect(),
            ..EveryOptions::default()
        };
        let work = Work::new(text, &options).ok()?;
        Some((constant, work.family.err().unwrap_or_default()))
    };
    constants(&file).into_iter().filter_map(judge).collect()
}

/// The instances of a model, with its invariants as its only properties.
struct Variants<'t> {
    text: &'t str,
    file: ast::File,
    settings: &'t [(String, String)],
    constant: String,
    /// The names of the properties of an instance that has all of them.
    names: Vec<String>,
    /// The sequence that instances watch for by themselves, which is then their only property.
    watched: Option<String>,
    /// Whether instances have fairness, and formulas of linear time.
    is_live: bool,
    known: RefCell<Vec<(u32, Option<Model>)>>,
    /// The type that the constant sizes.
    family: String,
    /// The same instances with flags instead of majorities, where there are any.
    flagged: RefCell<Vec<(u32, Option<Model>)>>,
}

impl Variants<'_> {
    /// The instance of a size.
    fn model(&self, size: u32) -> Option<Model> {
        if let Some((_, model)) = self.known.borrow().iter().find(|(known, _)| *known == size) {
            return model.clone();
        }
        let model = self.load(size).ok();
        self.known.borrow_mut().push((size, model.clone()));
        model
    }

    /// The instance of a size, with flags instead of majorities.
    fn flagged(&self, size: u32) -> Option<Model> {
        if let Some((_, model)) = self.flagged.borrow().iter().find(|(known, _)| *known == size) {
            return model.clone();
        }
        let model = self.model(size).map(|model| {
            let flagged = model.hir().and_then(|hir| family::abstracted(hir, &self.family));
            flagged.map_or(model, |(hir, _)| self.model_of(hir))
        });
        self.flagged.borrow_mut().push((size, model.clone()));
        model
    }

    fn model_of(&self, hir: Hir) -> Model {
        let mut system = lower::lower(&hir, self.text);
        system.meet_properties();
        let (front, system) = (Front::Orb(Arc::new(hir)), Arc::new(system));
        Model { front, system, files: Vec::new(), external: Vec::new(), claimed: Vec::new(), probed: None }
    }

    fn load(&self, size: u32) -> Result<Model, LoadError> {
        let whole = self.load_with(size, None);
        if whole.is_ok() || self.names.is_empty() {
            return whole;
        }
        // What names a member is not there in instances that are too small for it.
        let is_there = |name: &&String| self.load_with(size, Some(std::slice::from_ref(*name))).is_ok();
        let kept: Vec<String> = self.names.iter().filter(is_there).cloned().collect();
        self.load_with(size, Some(&kept))
    }

    /// An instance with these properties; with all if there is no list.
    fn load_with(&self, size: u32, kept: Option<&[String]>) -> Result<Model, LoadError> {
        let mut settings = self.settings.to_vec();
        settings.push((self.constant.clone(), size.to_string()));
        let mut file = self.file.clone();
        file.items.retain(|item| self.is_kept(item, kept));
        let checked = check::check(&file, &settings);
        let right = checked.model.filter(|_| checked.setting_errors.is_empty());
        let model = right.map(|hir| self.model_of(self.watching(hir)));
        let (diagnostics, setting_errors) = (checked.diagnostics, checked.setting_errors);
        let found = Found { model, diagnostics, setting_errors, external: Vec::new() };
        Loaded::new(None, self.text, &LoadOptions::new(), found).model
    }

    /// The model that watches for a sequence, if there is one.
    fn watching(&self, hir: Hir) -> Hir {
        let watched = self.watched.as_ref().and_then(|name| family::watched(&hir, name).ok());
        watched.unwrap_or(hir)
    }

    /// Only what says what the model does, and its properties of states.
    fn is_kept(&self, item: &ast::Item, kept: Option<&[String]>) -> bool {
        let is_listed = |name: &ast::Name| match &self.watched {
            Some(watched) => name.text == *watched,
            None => kept.is_none_or(|kept| kept.contains(&name.text)),
        };
        match &item.kind {
            ItemKind::Import { .. }
            | ItemKind::Const { .. }
            | ItemKind::Type { .. }
            | ItemKind::Sort { .. }
            | ItemKind::Enum { .. }
            | ItemKind::Union { .. }
            | ItemKind::Record { .. }
            | ItemKind::Var(_)
            | ItemKind::Function { .. }
            | ItemKind::Proc { .. }
            | ItemKind::Init(_)
            | ItemKind::Process(_)
            | ItemKind::Constraint(_) => true,
            ItemKind::Property(ast::Property::Invariant { name, .. } | ast::Property::Never { name, .. }) => {
                is_listed(name)
            }
            ItemKind::Property(ast::Property::Ltl { name, .. }) => self.is_live && is_listed(name),
            // Fairness does not matter to invariants and faults.
            ItemKind::Fair(_) => self.is_live,
            ItemKind::Property(_) | ItemKind::Symmetry(_) | ItemKind::Hint { .. } | ItemKind::Check(_) => {
                false
            }
        }
    }
}

impl Instances for Variants<'_> {
    fn instance(&self, size: u32) -> Option<Arc<System>> {
        self.flagged(size).map(|model| model.system)
    }

    fn exact(&self, size: u32) -> Option<Arc<System>> {
        self.model(size).map(|model| model.system)
    }
}

/// The size at which the text is looked at: no member is special in it.
const TYPICAL: u32 = 3;

struct Work<'t> {
    options: &'t EveryOptions,
    variants: Variants<'t>,
    /// All properties in the order of the text: names, kinds and texts.
    properties: Vec<(String, Kind, String, Span)>,
    family: Result<Family, Vec<Refusal>>,
    /// The names of the properties that the lists of the family, or of the ring, are about, in order.
    judged: Vec<String>,
    /// If it is a ring that can be judged, which has no family.
    ring: Option<RingFamily>,
}

impl<'t> Work<'t> {
    fn new(text: &'t str, options: &'t EveryOptions) -> Result<Self, EveryError> {
        let parsed = import::parse(text);
        let constant = constant(&parsed.file, options)?;
        // All that is wrong with the text is said as always.
        let plain = LoadOptions::new().settings(&options.settings).set(&constant, TYPICAL);
        let loaded = Model::load(crate::source::Source::Orb(text.into()), &plain);
        let whole = loaded.into_model().map_err(EveryError::Load)?;
        let properties = whole.hir().map_or(Vec::new(), |hir| {
            let properties = whole.system.properties.iter().zip(&hir.properties);
            let one = |(it, hir): (&burnside_ts::Property, &burnside_lang::hir::Property)| {
                (it.name.clone(), it.question.kind(), it.text.clone(), hir.span)
            };
            properties.map(one).collect()
        });
        if let Some(name) = options
            .check
            .properties
            .iter()
            .find(|wanted| *wanted != FAULTS && !properties.iter().any(|(name, ..)| name == *wanted))
        {
            let known = properties.iter().map(|(name, ..)| name.clone());
            let known = [FAULTS.to_string()].into_iter().chain(known).collect();
            return Err(EveryError::UnknownProperty(name.clone(), known));
        }
        let family_name = sized_by(&parsed.file, &constant);
        let mut variants = Variants {
            text,
            file: parsed.file,
            settings: &options.settings,
            constant,
            names: Vec::new(),
            watched: None,
            is_live: false,
            known: RefCell::default(),
            family: family_name,
            flagged: RefCell::default(),
        };
        let typical = variants.load(TYPICAL).map_err(EveryError::Load)?;
        let hir = typical.hir().expect("it is a text in our own language");
        let (family, ring) = match ring::is_ring(&variants.file, &variants.constant) {
            true => match family::ring::analyse(hir, text, &variants.file, &variants.constant) {
                Ok(ring) => (Err(Vec::new()), Some(ring)),
                Err(refusals) => (Err(refusals), None),
            },
            false => (family::analyse(hir, text, &variants.file, &variants.constant), None),
        };
        let judged: Vec<String> =
            typical.system.properties.iter().map(|property| property.name.clone()).collect();
        variants.names = judged.clone();
        Ok(Self { options, variants, properties, judged, family, ring })
    }

    /// Whether a property is asked for.
    fn is_wanted(&self, name: &str) -> bool {
        let wanted = &self.options.check.properties;
        wanted.is_empty() || wanted.iter().any(|it| it == name)
    }

    /// Whether an answer is wanted: by name, or because it is an invariant.
    fn is_asked(&self, (name, kind, ..): &(String, Kind, String, Span)) -> bool {
        match self.options.check.properties.is_empty() {
            true => matches!(kind, Kind::Faults | Kind::Invariant | Kind::Never | Kind::Ltl),
            false => self.is_wanted(name),
        }
    }

    fn needs(&self, family: &Family) -> Needs {
        let judged = self.judged.iter().zip(&family.properties);
        let invariants = judged.filter_map(|(name, it)| Some((name.clone(), *it.as_ref().ok()?)));
        Needs {
            sort: self.variants.family.clone(),
            init: family.init,
            step: family.rules.iter().copied().max().unwrap_or(0),
            rules: family.rules.clone(),
            invariants: invariants.collect(),
            functions: family.functions.clone(),
            majorities: family.majorities.iter().map(|it| (it.set.index(), it.flag.index())).collect(),
        }
    }

    /// The formulas of linear time that are asked for.
    fn formulas(&self) -> Vec<(String, Span)> {
        let linear = self.properties.iter().filter(|property| property.1 == Kind::Ltl);
        let asked = linear.filter(|property| self.is_asked(property));
        asked.map(|(name, _, _, span)| (name.clone(), *span)).collect()
    }

    /// What proofs say, in clauses and in TLA+; those of sequences are about models that watch themselves.
    fn explain(&self, certificate: &Certificate) -> Result<(Vec<Explained>, Option<String>), EveryError> {
        let (Ok(family), Some(model)) = (&self.family, self.variants.flagged(TYPICAL)) else {
            return Ok((Vec::new(), None));
        };
        let internal = |unfit: burnside_views::layout::Unfit| EveryError::Internal(unfit.0);
        let plain = (self.needs(family), model.system);
        let mut bases = Vec::new();
        for proof in &certificate.proofs {
            let watching = self.sequence_of(proof).and_then(|name| self.watching(&name).ok());
            let watching = watching.and_then(|(it, needs)| Some((needs, it.flagged(TYPICAL)?.system)));
            bases.push(watching.unwrap_or_else(|| plain.clone()));
        }
        let all: Vec<_> = certificate.proofs.iter().zip(&bases).collect();
        let clauses = all.iter().filter(|_| self.options.explain);
        let clauses = clauses.map(|(proof, (needs, system))| clause::explain(system, needs, proof));
        let clauses = clauses.collect::<Result<_, _>>().map_err(internal)?;
        let proofs: Vec<(&Proof, About<'_>)> =
            all.iter().map(|(proof, (needs, system))| (*proof, About { system, needs })).collect();
        let base = About { system: &plain.1, needs: &plain.0 };
        let tla = self.options.tla.then(|| tla::module(base, &certificate.constant, &proofs)).transpose();
        Ok((clauses, tla.map_err(internal)?))
    }

    fn run(&self, observer: &mut dyn Observer, started: Instant) -> Result<EveryReport, EveryError> {
        let lively = live::LiveWork::new(self, self.formulas());
        let mut runs = lively.as_ref().map(live::LiveClaims::new);
        let mut state = Known::new(self);
        state.check(1..=TYPICAL, observer)?;
        if let Ok(family) = &self.family {
            let _watchdog = Watchdog::start(&self.options.check.limits);
            state.prove(family, observer)?;
        }
        if let Some(ring) = &self.ring {
            state.prove_ring(ring, observer)?;
        }
        state.check(TYPICAL + 1..=LARGEST, observer)?;
        if let Some(runs) = &mut runs {
            runs.check(1..=TYPICAL, observer)?;
            {
                let _watchdog = Watchdog::start(&self.options.check.limits);
                runs.prove(observer)?;
            }
            runs.check(TYPICAL + 1..=LARGEST, observer)?;
            state.join(runs);
        }
        let (explained, tla) = self.explain(&state.certificate)?;
        let skipped = self.properties.iter().filter(|property| !self.is_asked(property));
        let skipped = skipped.filter(|_| self.options.check.properties.is_empty());
        Ok(EveryReport {
            skipped: skipped.map(|(name, ..)| name.clone()).collect(),
            constant: self.variants.constant.clone(),
            family: self.variants.family.clone(),
            is_ring: self.ring.is_some(),
            answers: state.answers(runs.as_ref()),
            refusals: self.family.as_ref().err().cloned().unwrap_or_default(),
            explained,
            tla,
            certificate: state.certificate,
            verified: state.verified,
            violations: state.violations,
            time: started.elapsed(),
        })
    }
}

/// The constants that are the size of a symmetric type or of a ring.
fn constants(file: &ast::File) -> Vec<String> {
    let mut all = family::constants(file);
    all.extend(family::ring::constants(file).into_iter().filter(|name| ring::is_ring(file, name)));
    all
}

/// The constant that is left open.
fn constant(file: &ast::File, options: &EveryOptions) -> Result<String, EveryError> {
    let known = constants(file);
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let error = |message: String, help: &str| Err(EveryError::Constant(message, help.to_string()));
    let constant = match (&options.constant, &known[..]) {
        (_, []) => {
            let help = "declare one, such as `const N = 3; symmetric Client[N];`";
            return error(String::from("no constant is the size of a symmetric type"), help);
        }
        (Some(name), known) if !known.contains(name) => {
            let message = format!("`{name}` is not the size of a symmetric type");
            return error(message, &format!("these are: {list}"));
        }
        (Some(name), _) => name.clone(),
        (None, [only]) => only.clone(),
        (None, _) => {
            let message = format!("several constants are sizes of symmetric types: {list}");
            return error(message, "say which is to be left open, the others keep their values");
        }
    };
    if options.settings.iter().any(|(name, _)| *name == constant) {
        return error(format!("`{constant}` is left open and set at once"), "leave one of both out");
    }
    Ok(constant)
}

/// The type that a constant sizes.
fn sized_by(file: &ast::File, constant: &str) -> String {
    let name = file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Sort { name, size, .. } => match &size.kind {
            ast::ExprKind::Name(it) if it == constant => Some(name.text.clone()),
            _ => None,
        },
        _ => None,
    });
    name.unwrap_or_default()
}

/// What is known of a property.
struct Claim {
    name: String,
    finding: Option<Finding>,
    /// Why it was not proved.
    reason: Option<Unproved>,
    /// It is not violated up to this size.
    up_to: u32,
}

/// What is known so far.
struct Known<'w, 't> {
    work: &'w Work<'t>,
    /// `faults` first.
    claims: Vec<Claim>,
    /// All that is still open was looked at up to this size.
    up_to: u32,
    /// Whether larger instances are too large.
    exhausted: bool,
    /// Whether a limit has ended the search for proofs.
    stopped: bool,
    /// Whether some instance has an initial state.
    begins: bool,
    certificate: Certificate,
    verified: Option<Verified>,
    violations: Vec<(u32, Report)>,
}

/// What a proof is tried with.
struct Base<'b, 't> {
    variants: &'b Variants<'t>,
    needs: Needs,
    /// The sequence that the instances watch for: it is proved together with the absence of faults.
    watched: Option<String>,
}

impl<'w, 't> Known<'w, 't> {
    fn new(work: &'w Work<'t>) -> Self {
        let of_states = |kind: &Kind| matches!(kind, Kind::Invariant | Kind::Never);
        let names =
            work.properties.iter().filter(|(_, kind, ..)| of_states(kind)).map(|(name, ..)| name.clone());
        let names = [FAULTS.to_string()].into_iter().chain(names).filter(|name| work.is_wanted(name));
        let claim = |name: String| Claim { name, finding: None, reason: None, up_to: 0 };
        let constant = work.variants.constant.clone();
        Self {
            work,
            claims: names.map(claim).collect(),
            up_to: 0,
            exhausted: false,
            stopped: false,
            begins: false,
            certificate: Certificate { constant, proofs: Vec::new() },
            verified: None,
            violations: Vec::new(),
        }
    }

    fn open(&self) -> Vec<String> {
        let open = self.claims.iter().filter(|claim| claim.finding.is_none());
        open.map(|claim| claim.name.clone()).collect()
    }

    /// Checks instances for violations of what is still open.
    fn check(
        &mut self,
        sizes: std::ops::RangeInclusive<u32>,
        observer: &mut dyn Observer,
    ) -> Result<(), EveryError> {
        for size in sizes {
            let open = self.open();
            if open.is_empty() || self.exhausted {
                return Ok(());
            }
            let Some(model) = self.work.variants.model(size) else {
                self.exhausted = true;
                return Ok(());
            };
            let mut options = self.work.options.check.clone();
            let there = |name: &String| name == FAULTS || model.properties().any(|it| it == name);
            options.properties = open.iter().filter(|name| there(name)).cloned().collect();
            if options.properties.is_empty() {
                // What names a member that is not there says nothing about this size.
                self.up_to = size;
                continue;
            }
            options.limits.states = Some(options.limits.states.unwrap_or(STATES).min(STATES));
            let mut phase = Phase::of_size(&self.work.variants.constant, size, observer);
            let report = match ask::check(&model, &options, &mut phase) {
                Ok(report) => report,
                // An instance without initial states violates nothing.
                Err(CheckError::NoInitialState(_)) => {
                    self.up_to = size;
                    let open = self.claims.iter_mut().filter(|claim| claim.finding.is_none());
                    open.filter(|claim| options.properties.contains(&claim.name))
                        .for_each(|claim| claim.up_to = size);
                    continue;
                }
                Err(CheckError::Stopped(stop)) => return Err(EveryError::Stopped(stop)),
                Err(error) => return Err(EveryError::Check(size, error)),
            };
            self.learn(size, report);
        }
        Ok(())
    }

    fn learn(&mut self, size: u32, report: Report) {
        let mut violated = false;
        self.begins = true;
        for claim in self.claims.iter_mut().filter(|claim| claim.finding.is_none()) {
            match report.answer(&claim.name).map(|answer| &answer.verdict) {
                Some(Verdict::Violated) => {
                    claim.finding = Some(Finding::Violated { size });
                    violated = true;
                }
                Some(Verdict::Unknown(_)) => self.exhausted = true,
                Some(Verdict::Holds) => claim.up_to = size,
                None => {}
            }
        }
        if violated {
            self.violations.push((size, report));
        }
        if !self.exhausted {
            self.up_to = size;
        }
    }

    /// Tries to prove what is still open.
    fn prove(&mut self, family: &Family, observer: &mut dyn Observer) -> Result<(), EveryError> {
        let work = self.work;
        let base = Base { variants: &work.variants, needs: work.needs(family), watched: None };
        self.prove_by(&base, observer)?;
        for name in work.sequences() {
            let is_open = self.open().contains(&name);
            match work.watching(&name) {
                _ if !is_open || self.stopped => {}
                Ok((variants, needs)) => {
                    self.prove_by(&Base { variants: &variants, needs, watched: Some(name) }, observer)?;
                }
                Err(refusal) => {
                    let mine = self.claims.iter_mut().filter(|claim| claim.name == name);
                    mine.for_each(|claim| claim.reason = Some(Unproved::Refused(refusal.clone())));
                }
            }
        }
        Ok(())
    }

    fn prove_by(&mut self, base: &Base<'_, 't>, observer: &mut dyn Observer) -> Result<(), EveryError> {
        let Some(two) = base.variants.instance(2) else { return Ok(()) };
        let contexts: Vec<String> =
            context::candidates(&two, &base.needs).iter().map(|it| it.text(&two)).take(CONTEXTS).collect();
        for (k, contexts) in attempts(&contexts) {
            let is_provable = |name: &String| match &base.watched {
                Some(watched) => name == watched,
                None => name == FAULTS || base.needs.invariants.iter().any(|it| it.0 == *name),
            };
            let open: Vec<String> = self.open().into_iter().filter(is_provable).collect();
            // Instances that are smaller than a view must be known.
            if self.stopped || open.is_empty() || self.up_to + 1 < k {
                return Ok(());
            }
            let states = self.work.options.check.limits.states.unwrap_or(CLOSURE).min(CLOSURE);
            let faults = base.watched.iter().map(|_| FAULTS.to_string());
            let wanted = faults.chain(open).collect();
            self.attempt(base, &Attempt { k, contexts, states, wanted }, observer)?;
        }
        Ok(())
    }

    /// What a task looks like to those who watch.
    fn task(&self, names: &[String], phase: String) -> Task {
        let numbered = self.claims.iter().map(|claim| claim.name.clone()).enumerate();
        let properties = numbered.filter(|(_, name)| names.contains(name)).collect();
        Task { properties, of: self.claims.len(), phase: Some(phase) }
    }

    fn attempt(
        &mut self,
        base: &Base<'_, 't>,
        attempt: &Attempt,
        observer: &mut dyn Observer,
    ) -> Result<(), EveryError> {
        observer.begins(&self.task(&attempt.wanted, phase::views(attempt.k, attempt.contexts.len())));
        let closed = match catch(|| burnside_views::prove(base.variants, &base.needs, attempt, observer)) {
            Ok(Ok(closed)) => closed,
            Ok(Err(Failure::Hopeless(found))) => {
                self.spurious(base, attempt.k, found);
                return Ok(());
            }
            Ok(Err(failure)) => {
                self.give_reason(base, &failure.to_string());
                return Ok(());
            }
            Err(stop) => {
                self.stop(base, &stop);
                return Ok(());
            }
        };
        self.spurious(base, attempt.k, closed.counterviews);
        let proved = &closed.proof.properties;
        if base.watched.is_some() && proved.len() < 2 {
            self.give_reason(base, "that no step faults is not proved");
            return Ok(());
        }
        if proved.is_empty() {
            return Ok(());
        }
        if !self.work.options.trust && !self.is_verified(base, &closed.proof, observer)? {
            return Ok(());
        }
        if closed.proof.views.is_empty() && !self.begins {
            // Smaller instances than a view were looked at one by one.
            return Err(EveryError::NoInitialState);
        }
        let contexts: Vec<String> = attempt.contexts.iter().map(|context| context.text.clone()).collect();
        let views = closed.proof.views.len() as u64;
        for claim in self.claims.iter_mut().filter(|claim| claim.finding.is_none()) {
            if closed.proof.properties.contains(&claim.name) {
                let (k, contexts) = (attempt.k, contexts.clone());
                claim.finding = Some(Finding::Holds { k, contexts, views, followed: None });
            }
        }
        self.certificate.proofs.push(closed.proof);
        Ok(())
    }

    /// Whether the checker of proofs came to its end; what it then says must be good.
    fn is_verified(
        &mut self,
        base: &Base<'_, 't>,
        proof: &Proof,
        observer: &mut dyn Observer,
    ) -> Result<bool, EveryError> {
        observer.begins(&self.task(&proof.properties, String::from(phase::PROOF)));
        let constant = self.certificate.constant.clone();
        let single = Certificate { constant, proofs: vec![proof.clone()] };
        let checked = catch(|| burnside_views::verify(base.variants, &base.needs, &single, observer));
        match checked {
            Ok(verified) => {
                let verified = verified.map_err(|rejection| EveryError::Internal(rejection.to_string()))?;
                add_to(&mut self.verified, &verified);
                Ok(true)
            }
            Err(stop) => {
                self.stop(base, &stop);
                Ok(false)
            }
        }
    }

    /// A limit has ended the search for proofs.
    fn stop(&mut self, base: &Base<'_, 't>, stop: &Stop) {
        (self.exhausted, self.stopped) = (true, true);
        self.give_reason(base, &stop.to_string());
    }

    /// Adds what was found about runs.
    fn join(&mut self, runs: &mut live::LiveClaims<'_, '_>) {
        self.violations.append(&mut runs.violations);
        if let Some(more) = runs.verified.take() {
            add_to(&mut self.verified, &more);
        }
    }

    /// Says why nothing was proved, where nothing better is known.
    fn give_reasons(&mut self, why: &str) {
        for claim in self.claims.iter_mut().filter(|claim| claim.reason.is_none()) {
            claim.reason = Some(Unproved::Stopped(why.to_string()));
        }
    }

    /// The same for what a proof was tried of.
    fn give_reason(&mut self, base: &Base<'_, 't>, why: &str) {
        let is_meant =
            |claim: &&mut Claim| base.watched.as_ref().is_none_or(|watched| claim.name == *watched);
        for claim in self.claims.iter_mut().filter(|claim| claim.reason.is_none()).filter(is_meant) {
            claim.reason = Some(Unproved::Stopped(why.to_string()));
        }
    }

    /// Notes bad states that views allow, for those who want to know why something is not proved.
    fn spurious(&mut self, base: &Base<'_, 't>, k: u32, found: Vec<(String, Counterview)>) {
        for (name, counterview) in found {
            let is_meant = |claim: &&mut Claim| match &base.watched {
                // A fault is as much in the way as a match.
                Some(watched) => claim.name == *watched,
                None => claim.name == name,
            };
            let Some(claim) = self.claims.iter_mut().find(is_meant) else { continue };
            let known = matches!(claim.reason, Some(Unproved::Spurious(_)));
            if let Some(model) = base.variants.flagged(counterview.size).filter(|_| !known) {
                let spurious = Spurious { k, model, counterview };
                claim.reason = Some(Unproved::Spurious(Box::new(spurious)));
            }
        }
    }

    /// What is known, with the reasons of what is not.
    fn answers(&self, runs: Option<&live::LiveClaims<'_, '_>>) -> Vec<EveryAnswer> {
        let faults = (FAULTS.to_string(), Kind::Faults, String::new(), Span::default());
        let all = [&faults].into_iter().chain(&self.work.properties);
        let all = all.filter(|property| self.work.is_asked(property));
        let answer = |(property, kind, text, span): &(String, Kind, String, Span)| {
            let claim = self.claims.iter().find(|claim| claim.name == *property);
            let finding = claim.and_then(|claim| claim.finding.clone());
            let finding = finding.or_else(|| runs?.finding(property).filter(|_| claim.is_none()));
            let finding = finding.unwrap_or_else(|| {
                let up_to = claim.map_or(0, |claim| claim.up_to);
                Finding::Unknown { up_to, reason: self.reason(property, claim, *span) }
            });
            EveryAnswer { property: property.clone(), kind: *kind, text: text.clone(), finding }
        };
        all.map(answer).collect()
    }

    fn reason(&self, property: &str, claim: Option<&Claim>, span: Span) -> Unproved {
        let refused =
            |message: &str| Unproved::Refused(Refusal { span, message: message.to_string(), help: None });
        let Some(claim) = claim else {
            return refused(
                "only invariants, `never`, faults and `ltl` properties are judged for every size",
            );
        };
        let refusals = match &self.work.family {
            Ok(family) => family.properties.iter().map(|it| it.as_ref().err()).collect(),
            Err(refusals) => match (&self.work.ring, refusals.first()) {
                (Some(ring), _) => ring.properties.iter().map(|it| it.as_ref().err()).collect(),
                (None, Some(refusal)) => return Unproved::Refused(refusal.clone()),
                (None, None) => Vec::new(),
            },
        };
        let is_sequence = self.work.sequences().iter().any(|name| name == property);
        if is_sequence && self.work.ring.is_some() {
            return refused("sequences are not judged for every size of a ring");
        }
        let position = self.work.judged.iter().position(|name| name == property);
        if let Some(Some(refusal)) = position.filter(|_| !is_sequence).and_then(|it| refusals.get(it)) {
            return Unproved::Refused((*refusal).clone());
        }
        claim.reason.clone().unwrap_or_else(|| Unproved::Stopped(String::from("nothing was tried")))
    }
}

/// Puts together what was checked.
fn add_to(all: &mut Option<Verified>, more: &Verified) {
    let none = Verified { properties: Vec::new(), states: 0, largest: 0 };
    let all = all.get_or_insert(none);
    for name in &more.properties {
        if !all.properties.contains(name) {
            all.properties.push(name.clone());
        }
    }
    all.states += more.states;
    all.largest = all.largest.max(more.largest);
}

/// What is tried, in order: small views first, then counts of members beside them.
fn attempts(candidates: &[String]) -> Vec<(u32, Vec<Context>)> {
    let context = |text: &String, most| Context { text: text.clone(), most };
    let mut all = vec![(1, Vec::new()), (2, Vec::new())];
    for k in [1, 2] {
        all.extend(candidates.iter().map(|text| (k, vec![context(text, 1)])));
    }
    all.extend(candidates.iter().map(|text| (2, vec![context(text, 2)])));
    for (i, first) in candidates.iter().enumerate() {
        all.extend(candidates[i + 1..].iter().map(|second| (2, vec![context(first, 1), context(second, 1)])));
    }
    all.push((3, Vec::new()));
    all
}
