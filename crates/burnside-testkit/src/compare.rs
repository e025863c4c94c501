//! One model, every way of running it: the oracle, the interpreter, the packed search and the library must
//! agree.
//!
//! Entry point: [`compare`], or [`compare_in`] for some of the ways of checking it. What they disagree about
//! comes back as text.
//!
//! The verdicts of linear-time properties are compared in every symmetry mode, by every method, with fairness
//! and without. Their evidence need not be as short as can be, but must refute the property: the library has
//! replayed it, and the oracle looks at it too. Likewise for branching-time properties, by every algorithm
//! and with both kinds of paths.

use crate::graph::{self, Graph};
use crate::oracle::{Exploration, Finding, Judgement, Looked, Oracle, Setting, Shown, Texts};
use burnside::{
    Answer, AutomatonSymmetry, CheckError, CtlAlgorithm, DeadlockPaths, Engine, Fairness, Kind, Limits,
    LoadOptions, Method, Model, Options, Report, Stop, Symmetry, Verdict, Weighed, Weighing,
};
use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::hir::PropertyKind;
use burnside_trace::{End, Evidence};
use burnside_ts::{Expr, Question, System};
use std::collections::HashMap;

/// A way of checking a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Which symmetry reduction.
    pub symmetry: Symmetry,
    /// When it is weighed whether that pays.
    pub weighing: Weighing,
    /// How linear-time properties are checked.
    pub method: Method,
    /// Which fairness.
    pub fairness: Fairness,
    /// How branching-time properties are checked.
    pub algorithm: CtlAlgorithm,
    /// What happens after a deadlock, for branching-time properties.
    pub deadlock_paths: DeadlockPaths,
    /// Which local symmetries of the automata of linear-time properties.
    pub automaton: AutomatonSymmetry,
    /// Whether the quantifiers of linear-time properties stay where they are.
    pub keep_quantifiers: bool,
    /// What searches.
    pub engine: Engine,
    /// Whether states are packed.
    pub compress: bool,
}

const SYMMETRIES: [Symmetry; 4] = [Symmetry::Fast, Symmetry::Auto, Symmetry::Exact, Symmetry::None];
const ALGORITHMS: [CtlAlgorithm; 4] =
    [CtlAlgorithm::New, CtlAlgorithm::Emc, CtlAlgorithm::Almc, CtlAlgorithm::Naive];

impl Way {
    /// All ways: first those that differ in symmetry only, then others, which matter for linear-time
    /// properties, then those that matter for branching-time properties only.
    pub fn all() -> Vec<Way> {
        let mut ways = Vec::new();
        for fairness in [Fairness::Model, Fairness::None] {
            for method in [Method::OnTheFly, Method::TwoPhase] {
                for symmetry in SYMMETRIES {
                    ways.push(Way { symmetry, method, fairness, ..Way::default() });
                }
            }
        }
        for fairness in [Fairness::Model, Fairness::None] {
            for deadlock_paths in [DeadlockPaths::Stutter, DeadlockPaths::Maximal] {
                for algorithm in ALGORITHMS {
                    for symmetry in SYMMETRIES {
                        let way = Way { symmetry, fairness, algorithm, deadlock_paths, ..Way::default() };
                        if way.only_branching() {
                            ways.push(way);
                        }
                    }
                }
            }
        }
        ways
    }

    /// Every symmetry mode, and one of the other ways for each seed.
    pub fn each_symmetry(seed: u64) -> Vec<Way> {
        let all = Self::all();
        let other = all[4 + (seed % 12) as usize];
        packed(all.into_iter().take(4).chain([other]), seed)
    }

    /// A few ways, others for each seed: with symmetry and without, by both methods, with fairness and
    /// without.
    pub fn some(seed: u64) -> Vec<Way> {
        let all = Self::all();
        let symmetry = (seed % 4) as usize;
        let method = 4 * (seed / 4 % 2) as usize;
        let [best, none] = [1, 3];
        let mut places = vec![best, none, symmetry, 4 + symmetry, 8 + method + (seed / 8 % 4) as usize];
        places.sort_unstable();
        places.dedup();
        packed(places.into_iter().map(|place| all[place]), seed)
    }

    /// A few ways for branching-time properties, others for each seed: by several algorithms, with symmetry
    /// and without, with fairness and without, with both kinds of paths.
    pub fn some_branching(seed: u64) -> Vec<Way> {
        let seed = seed as usize;
        let symmetry = |i: usize| SYMMETRIES[(seed + i) % 4];
        let algorithm = |i: usize| ALGORITHMS[(seed / 4 + i) % 4];
        let usual = Way::default();
        let (fairness, deadlock_paths) = (Fairness::None, DeadlockPaths::Maximal);
        let mut ways = vec![
            usual,
            Way { symmetry: symmetry(0), algorithm: algorithm(1), ..usual },
            Way { symmetry: symmetry(2), algorithm: algorithm(3), fairness, ..usual },
        ];
        ways[1 + seed / 16 % 2].deadlock_paths = deadlock_paths;
        packed(ways.into_iter(), seed as u64)
    }

    /// A few ways for linear-time properties with indices inside, others for each seed: with all kinds of
    /// local symmetries and with none.
    pub fn some_local(seed: u64) -> Vec<Way> {
        let seed = seed as usize;
        let usual = Way::default();
        let (exact, none) = (AutomatonSymmetry::Exact, AutomatonSymmetry::None);
        let other = [Way { automaton: none, ..usual }, Way { keep_quantifiers: true, ..usual }][seed % 2];
        let mut ways = vec![usual, Way { automaton: exact, ..usual }, other];
        let automaton = [AutomatonSymmetry::Local, exact][seed / 2 % 2];
        let keep_quantifiers = (seed / 4).is_multiple_of(2);
        let (method, symmetry) = (Method::TwoPhase, SYMMETRIES[seed / 8 % 3]);
        ways.push(Way { automaton, keep_quantifiers, method, symmetry, ..usual });
        let method = [Method::OnTheFly, Method::TwoPhase][seed / 24 % 2];
        ways.push(Way { automaton, keep_quantifiers, method, fairness: Fairness::None, ..usual });
        packed(ways.into_iter(), seed as u64)
    }

    /// The usual way, then the ways with decision diagrams.
    pub fn symbolic(_seed: u64) -> Vec<Way> {
        let symbolic = Way { engine: Engine::Symbolic, ..Way::default() };
        let (fairness, deadlock_paths) = (Fairness::None, DeadlockPaths::Maximal);
        let unfair = Way { fairness, ..symbolic };
        vec![
            Way::default(),
            symbolic,
            unfair,
            Way { deadlock_paths, ..symbolic },
            Way { deadlock_paths, ..unfair },
        ]
    }

    /// Every symmetry mode for questions about states, and `auto` that gives up early: after few orbits, and
    /// in states that are not quite easy.
    pub fn weighed(seed: u64) -> Vec<Way> {
        let weighed = weighing(seed).map(|weighing| Way { weighing, ..Way::default() });
        Self::all().into_iter().take(4).chain(weighed).collect()
    }

    /// `auto` that gives up early, for questions about runs and trees: with all methods, algorithms and local
    /// symmetries, with fairness and without, others for each seed. The first is the usual way.
    pub fn weighed_temporal(seed: u64) -> Vec<Way> {
        let pick = |part: u64, of: usize| (seed / part) as usize % of;
        let [first, second] = weighing(seed);
        let automata = [AutomatonSymmetry::Local, AutomatonSymmetry::Exact, AutomatonSymmetry::None];
        let fairness = [Fairness::Model, Fairness::None][pick(3, 2)];
        let deadlock_paths = [DeadlockPaths::Stutter, DeadlockPaths::Maximal][pick(6, 2)];
        let (automaton, keep_quantifiers) = (automata[pick(1, 3)], pick(2, 2) == 1);
        let usual = Way { weighing: second, ..Way::default() };
        vec![
            Way { weighing: first, ..usual },
            Way { automaton, keep_quantifiers, fairness, weighing: first, ..usual },
            Way { method: Method::TwoPhase, automaton, ..usual },
            Way { algorithm: ALGORITHMS[pick(1, 4)], fairness, deadlock_paths, weighing: first, ..usual },
            Way { algorithm: ALGORITHMS[pick(4, 4)], deadlock_paths, ..usual },
        ]
    }

    fn only_symmetry(self) -> bool {
        let Way { symmetry, weighing, compress, .. } = self;
        self == Way { symmetry, weighing, compress, ..Way::default() }
    }

    /// Whether it is to answer everything.
    fn every_property(self) -> bool {
        self == Way { engine: Engine::Symbolic, ..Way::default() }
    }

    /// Whether it differs from other ways for branching-time properties only.
    fn only_branching(self) -> bool {
        self.algorithm != CtlAlgorithm::New || self.deadlock_paths != DeadlockPaths::Stutter
    }

    /// Whether it differs from other ways for linear-time properties only.
    fn only_linear(self) -> bool {
        self.method != Method::OnTheFly || self.automaton != AutomatonSymmetry::Local || self.keep_quantifiers
    }

    fn setting(self) -> Setting {
        Setting {
            fair: self.fairness == Fairness::Model,
            maximal: self.deadlock_paths == DeadlockPaths::Maximal,
        }
    }
}

/// Some of these ways with packed states, others for each seed.
fn packed(ways: impl Iterator<Item = Way>, seed: u64) -> Vec<Way> {
    let compress = |i: u64| (seed + i).is_multiple_of(3);
    (0..).zip(ways).map(|(i, way)| Way { compress: compress(i), ..way }).collect()
}

/// Weighing after few orbits, of states that may be not quite easy or as hard as can be.
fn weighing(seed: u64) -> [Weighing; 2] {
    let orbits = [0, 1, 2, 5, 12][(seed % 5) as usize];
    let work = [1, 20, 200, u64::MAX][(seed / 5 % 4) as usize];
    [Weighing { orbits, work }, Weighing { orbits, work: u64::MAX }]
}

/// What was compared.
#[derive(Clone, Debug)]
pub enum Compared {
    /// All agree. This is what they agree about.
    Agree(Box<Agreement>),
    /// More states or steps than allowed; nothing was compared.
    TooLarge,
}

/// What everyone says about a model.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// What the oracle found.
    pub exploration: Exploration,
    /// What the library reports.
    pub report: Report,
    /// How many states the library looked at with the best symmetry reduction, if it was asked to.
    pub orbits: Option<u64>,
    /// How many branching-time properties the library judged on fewer states than there are, with the best
    /// symmetry reduction.
    pub branching_reduced: u64,
    /// How many temporal properties were judged without a part of the group that does not pay, and with
    /// states that are too hard, in all ways.
    pub weighed: [u64; 2],
    /// How many trees were shown as evidence of branching-time verdicts, and what was in them.
    pub trees: (u64, Looked),
}

impl Way {
    /// What the library is told, to check these properties or all.
    fn options(&self, properties: Vec<String>) -> Options {
        Options {
            engine: self.engine,
            symmetry: self.symmetry,
            weighing: self.weighing,
            method: self.method,
            fairness: self.fairness,
            ctl: self.algorithm,
            deadlock_paths: self.deadlock_paths,
            automaton_symmetry: self.automaton,
            keep_quantifiers: self.keep_quantifiers,
            properties,
            limits: Limits { compress: self.compress, ..Limits::of_nodes(1 << 20) },
            ..Options::default()
        }
    }
}

/// Loads a model that must be right.
pub fn load(source: &str, settings: &[(String, String)]) -> Result<Model, String> {
    let loaded = Model::load(source, &LoadOptions::new().settings(settings));
    let errors: Vec<String> =
        loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| show_diagnostic(source, d)).collect();
    match loaded.model {
        Ok(model) if errors.is_empty() && loaded.setting_errors.is_empty() => Ok(model),
        _ => Err(format!("does not load: {} {:?}", errors.join("; "), loaded.setting_errors)),
    }
}

fn show_diagnostic(source: &str, diagnostic: &Diagnostic) -> String {
    let span = diagnostic.primary.span;
    format!("{}: {} in `{}`", diagnostic.code, diagnostic.message, span.text(source))
}

/// Runs a model in every way, up to so many states.
pub fn compare(source: &str, settings: &[(String, String)], limit: usize) -> Result<Compared, String> {
    compare_in(source, settings, limit, &Way::all())
}

/// Runs a model and checks it in these ways, up to so many states.
pub fn compare_in(
    source: &str,
    settings: &[(String, String)],
    limit: usize,
    ways: &[Way],
) -> Result<Compared, String> {
    let model = load(source, settings)?;
    let Ok(exploration) = Oracle::new(model.hir().expect("it is no net"), source).explore(limit) else {
        return Ok(Compared::TooLarge);
    };
    let Some(interpreted) = graph::interpreted(&model.system, limit) else {
        return Err("the interpreter finds more states than the oracle".to_string());
    };
    if let Some(difference) = graph::difference(&exploration.graph, &interpreted) {
        return Err(difference);
    }
    searched(&model, &interpreted, &exploration)?;
    let named = |wanted: fn(&PropertyKind) -> bool| {
        let properties = model
            .hir()
            .expect("it is no net")
            .properties
            .iter()
            .filter(move |property| wanted(&property.kind));
        properties.map(|property| property.name.clone()).collect::<Vec<_>>()
    };
    let linear = named(|kind| matches!(kind, PropertyKind::Ltl(_)));
    let branching = named(|kind| matches!(kind, PropertyKind::Ctl(_)));
    let mut judge = Judge {
        system: &model.system,
        exploration: &exploration,
        said: HashMap::new(),
        trees: (0, Looked::default()),
    };
    let (mut report, mut orbits, mut branching_reduced, mut weighed) = (None, None, 0, [0; 2]);
    for way in ways {
        let mut properties = Vec::new();
        if !way.only_symmetry() && !way.every_property() {
            properties.extend(linear.iter().filter(|_| !way.only_branching()).cloned());
            properties.extend(branching.iter().filter(|_| !way.only_linear()).cloned());
            if properties.is_empty() {
                continue;
            }
        }
        let options = way.options(properties);
        let checked = match burnside::check(&model, &options, &mut ()) {
            Err(CheckError::NoInitialState(excluding))
                if exploration.faults == Finding::NoStates && !excluding.is_empty() =>
            {
                nothing(&model)
            }
            checked => checked.map_err(|error| format!("the library says, {way:?}: {error:?}"))?,
        };
        judge.verdicts(&checked, way.setting()).map_err(|problem| format!("{way:?}: {problem}"))?;
        counted(&interpreted, &checked).map_err(|problem| format!("{way:?}: {problem}"))?;
        count_weighed(&checked, &mut weighed);
        if way.only_symmetry() {
            if way.symmetry == Symmetry::Auto && way.weighing == Weighing::default() {
                orbits = Some(checked.stats.states);
                let fewer = |result: &&Answer| {
                    result.kind == Kind::Ctl
                        && (1..interpreted.states() as u64).contains(&result.stats.states)
                };
                branching_reduced = checked.results.iter().filter(fewer).count() as u64;
            }
            report = Some(checked);
        }
    }
    let trees = judge.trees;
    let report = report.expect("one way is the usual one");
    Ok(Compared::Agree(Box::new(Agreement {
        exploration,
        report,
        orbits,
        branching_reduced,
        weighed,
        trees,
    })))
}

/// Adds the temporal properties that were judged otherwise than with all of the group: see
/// [`Agreement::weighed`].
fn count_weighed(report: &Report, weighed: &mut [u64; 2]) {
    for answer in report.results.iter().filter(|it| matches!(it.kind, Kind::Ltl | Kind::Ctl)) {
        weighed[0] += u64::from(matches!(answer.weighed, Some(Weighed::NotWorthwhile { .. })));
        weighed[1] += u64::from(matches!(answer.weighed, Some(Weighed::TooHard { .. })));
    }
}

/// The report on a model without an initial state, which the library refuses.
fn nothing(model: &Model) -> Report {
    let group = burnside_ts::Symmetry::trivial(&model.system.types);
    let (results, stats, time) = (Vec::new(), Default::default(), Default::default());
    let smaller = Default::default();
    Report { results, group, stats, unreduced: None, time, chosen: None, smaller, model: model.clone() }
}

/// A packed search that runs to the end finds as much.
fn searched(model: &Model, graph: &Graph, exploration: &Exploration) -> Result<(), String> {
    let always = Question::Invariant(Expr::Const(1));
    let outcome = burnside_explicit::search(&model.system, &[&always], None, &Limits::default(), &mut ());
    if !matches!(outcome.findings[..], [burnside_explicit::Finding::No]) {
        return Err(format!("the search has no end: {:?}", outcome.findings));
    }
    let found =
        (outcome.stats.states as usize, outcome.stats.transitions as usize, outcome.stats.depth as usize);
    let expected = (graph.states(), graph.transitions(), exploration.depth);
    match found == expected {
        true => Ok(()),
        false => {
            Err(format!("states, transitions, depth of the search: expected {expected:?}, got {found:?}"))
        }
    }
}

/// The orbits that the library found, if it found all, have all states together.
fn counted(graph: &Graph, report: &Report) -> Result<(), String> {
    let expected = graph.states().to_string();
    match report.unreduced.as_ref().map(ToString::to_string) {
        Some(found) if found != expected => Err(format!("the orbits have {found} states, not {expected}")),
        _ => Ok(()),
    }
}

struct Judge<'m> {
    system: &'m System,
    exploration: &'m Exploration,
    /// What the library said of temporal properties before, in each setting.
    said: HashMap<(String, Setting), Verdict>,
    /// The trees that were looked at.
    trees: (u64, Looked),
}

/// What the oracle says of a property.
fn expected(judged: &Judgement, setting: Setting) -> Finding {
    match (setting.fair, setting.maximal) {
        (true, false) => judged.finding,
        (false, false) => judged.without_fairness,
        (true, true) => judged.maximal[0],
        (false, true) => judged.maximal[1],
    }
}

impl Judge<'_> {
    /// The verdicts of the library are those of the oracle, with evidence.
    fn verdicts(&mut self, report: &Report, setting: Setting) -> Result<(), String> {
        for result in &report.results {
            // Some small models have large diagrams.
            if matches!(&result.verdict, Verdict::Unknown(Stop::Nodes(_))) {
                continue;
            }
            let finding = match result.kind {
                Kind::Faults => self.exploration.faults,
                Kind::Deadlock => self.exploration.deadlock,
                _ => {
                    let mut named = self.exploration.properties.iter().filter(|p| p.name == result.property);
                    let judged = named.next().ok_or_else(|| format!("no property {}", result.property))?;
                    expected(judged, setting)
                }
            };
            let problem = match result.kind {
                Kind::Ltl => self.linear(finding, result, setting),
                Kind::Ctl => self.branching(finding, result, setting),
                _ => disagreement(finding, result),
            };
            if let Some(problem) = problem {
                return Err(format!(
                    "{}: expected {finding:?}, got {:?}: {problem}",
                    result.property, result.verdict
                ));
            }
        }
        Ok(())
    }

    /// Whether the library has said something else before, in the same setting.
    fn said_otherwise(&mut self, result: &Answer, setting: Setting) -> bool {
        let before = self.said.insert((result.property.clone(), setting), result.verdict.clone());
        before.is_some_and(|before| before != result.verdict)
    }

    /// The verdict is that of the oracle, or at least the same as before, and the tree that is shown is
    /// right.
    fn branching(&mut self, finding: Finding, result: &Answer, setting: Setting) -> Option<String> {
        if self.said_otherwise(result, setting) {
            return Some("the verdict was another one before".to_string());
        }
        match finding {
            Finding::Undefined(_) | Finding::NoStates => return disagreement(finding, result),
            Finding::Holds(_) if result.verdict != Verdict::Holds => return Some("it holds".to_string()),
            Finding::Violated(_) if result.verdict != Verdict::Violated => {
                return Some("it is violated".to_string());
            }
            _ => {}
        }
        match (&result.verdict, &result.tree, &result.evidence) {
            (Verdict::Unknown(_), None, None) => None,
            (Verdict::Unknown(_), ..) | (_, _, Some(_)) => Some("evidence is shown".to_string()),
            (_, None, _) => Some("no tree is shown".to_string()),
            (verdict, Some((state, tree)), None) => {
                let leaves = self.system.leaves();
                let texts = Texts {
                    state: &|state| graph::text_of(self.system, &leaves, state),
                    step: &|step| graph::label_of(self.system, step.label()),
                };
                let holds = *verdict == Verdict::Holds;
                let shown = (&state[..], tree);
                match self.exploration.check_tree(&result.property, holds, shown, setting, &texts) {
                    Ok(looked) => {
                        self.trees = (self.trees.0 + 1, self.trees.1.and(looked));
                        None
                    }
                    Err(problem) => Some(format!("the tree is wrong: {problem}: {tree:#?}")),
                }
            }
        }
    }

    /// The verdict is that of the oracle, or at least the same as before, and what is shown refutes the
    /// property.
    fn linear(&mut self, finding: Finding, result: &Answer, setting: Setting) -> Option<String> {
        if self.said_otherwise(result, setting) {
            return Some("the verdict was another one before".to_string());
        }
        if matches!(&result.verdict, Verdict::Unknown(Stop::TooLarge(_))) {
            return None;
        }
        match finding {
            Finding::Undefined(_) | Finding::NoStates => return disagreement(finding, result),
            Finding::Holds(_) if result.verdict != Verdict::Holds => return Some("it holds".to_string()),
            Finding::Violated(_) if result.verdict != Verdict::Violated => {
                return Some("it is violated".to_string());
            }
            _ => {}
        }
        match (&result.verdict, &result.evidence) {
            (Verdict::Violated, Some(evidence)) => {
                self.refutes(&result.property, evidence, setting.fair).err()
            }
            (Verdict::Violated, None) => Some("no evidence is shown".to_string()),
            (_, Some(_)) => Some("evidence is shown".to_string()),
            (_, None) => None,
        }
    }

    fn refutes(&self, property: &str, evidence: &Evidence, fair: bool) -> Result<(), String> {
        let back = match evidence.end {
            End::Loop(back) => Some(back),
            End::Stutter => None,
            _ => return Err(format!("the run shown is finite: {:?}", evidence.end)),
        };
        let leaves = self.system.leaves();
        let states = evidence.states.iter().map(|state| graph::text_of(self.system, &leaves, state));
        let steps = evidence.steps.iter().map(|step| graph::label_of(self.system, step.label()));
        let shown = Shown { states: states.collect(), steps: steps.collect(), back };
        let checked = self.exploration.check_witness(property, &shown, fair);
        checked.map_err(|problem| format!("the run shown is none: {problem}: {shown:#?}"))
    }
}

/// What is wrong with a verdict that comes with evidence as short as can be.
fn disagreement(finding: Finding, result: &Answer) -> Option<String> {
    let (verdict, length) = match finding {
        Finding::Holds(length) => (Verdict::Holds, length),
        Finding::Violated(length) => (Verdict::Violated, length),
        Finding::Undefined(length) => (Verdict::Violated, Some(length)),
        Finding::NoStates => {
            let unknown = result.verdict == Verdict::Unknown(Stop::NoInitialState);
            return (!unknown).then(|| "there is no initial state".to_string());
        }
        Finding::Unaffordable => return None,
    };
    if result.verdict != verdict {
        return Some("the verdicts differ".to_string());
    }
    let found = result.evidence.as_ref().map(|evidence| evidence.steps.len());
    if found != length {
        return Some(format!("the shortest run has {length:?} steps, the one shown {found:?}"));
    }
    let undefined =
        result.evidence.as_ref().is_some_and(|evidence| matches!(evidence.end, End::Undefined(_)));
    (matches!(finding, Finding::Undefined(_)) && !undefined).then(|| "nothing is undefined".to_string())
}
