//! What holds for every size of a family, against brute force: a proof is wrong if a size violates it, or if
//! a reachable state of some size has a view that is not among the closed ones.

use burnside::every::{EveryError, EveryOptions, EveryReport, Finding, Unproved, for_every, fragment};
use burnside::{Kind, LoadOptions, Model, Options, Verdict};
use burnside_lang::family;
use burnside_testkit::cases::seeds;
use burnside_testkit::generate::{Rng, family_model, rich_family_model};
use burnside_ts::{Label, Outcome, System, bits};
use burnside_views::layout::{Layout, Parts};
use burnside_views::{
    Attempt, Certificate, Closed, FAULTS, Instances, Needs, Proof, Rejection, context, prove, verify,
};
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A text whose family is left open.
struct Open {
    text: String,
    constant: &'static str,
    /// A sequence that instances watch for by themselves.
    watched: Option<String>,
}

impl Open {
    fn new(text: &str, constant: &'static str) -> Self {
        Self { text: text.to_string(), constant, watched: None }
    }

    /// What a proof is about: if it proves that a sequence does not happen, the model that watches for it.
    fn of_proof(text: &str, proof: &Proof) -> Self {
        let plain = Self::new(text, "N");
        let model = plain.model(3).expect("it loads");
        let sequences = model.system.properties.iter().filter(|it| it.question.kind() == Kind::Never);
        let watched = sequences.map(|it| it.name.clone()).find(|name| proof.properties.contains(name));
        Self { watched, ..plain }
    }

    fn model(&self, size: u32) -> Option<Model> {
        Model::load(self.text.as_str(), &LoadOptions::new().set(self.constant, size)).into_model().ok()
    }

    fn hir(&self, size: u32) -> Option<burnside_lang::hir::Model> {
        let hir = self.model(size)?.hir()?.clone();
        let watching = |name: &String| family::watched(&hir, name).expect("there is such a sequence");
        Some(self.watched.as_ref().map_or_else(|| hir.clone(), watching))
    }

    fn needs(&self) -> Needs {
        let hir = &self.hir(3).expect("it loads");
        let file = burnside_lang::syntax::parse(&self.text).file;
        let family = family::analyse(hir, &self.text, &file, self.constant).expect("it is in the fragment");
        let names = hir.properties.iter().map(|property| property.name.clone());
        let invariants =
            names.zip(&family.properties).filter_map(|(name, it)| Some((name, *it.as_ref().ok()?)));
        Needs {
            sort: hir.types.sort(family.sort).name.clone(),
            init: family.init,
            step: family.rules.iter().copied().max().unwrap_or(0),
            rules: family.rules.clone(),
            invariants: invariants.collect(),
            functions: family.functions,
            majorities: family.majorities.iter().map(|it| (it.set.index(), it.flag.index())).collect(),
        }
    }

    fn closed(&self, k: u32) -> Closed {
        let needs = self.needs();
        let wanted = [FAULTS.to_string()].into_iter().chain(needs.invariants.iter().map(|it| it.0.clone()));
        let attempt = Attempt { k, contexts: Vec::new(), states: 1_000_000, wanted: wanted.collect() };
        prove(self, &needs, &attempt, &mut ()).expect("it closes")
    }
}

impl Instances for Open {
    fn instance(&self, size: u32) -> Option<Arc<System>> {
        let hir = self.hir(size)?;
        let flagged = family::abstracted(&hir, "C").map_or(hir, |(flagged, _)| flagged);
        Some(Arc::new(burnside_lang::lower::lower(&flagged, &self.text)))
    }

    fn exact(&self, size: u32) -> Option<Arc<System>> {
        Some(Arc::new(burnside_lang::lower::lower(&self.hir(size)?, &self.text)))
    }
}

/// A state of the model with the flags that tell the truth. They are behind all other variables.
fn flagged(system: &System, needs: &Needs, size: u32, state: &[u64]) -> Vec<u64> {
    let mut lifted = state.to_vec();
    lifted.resize(system.words() + bits::SPARE, 0);
    for &(set, flag) in &needs.majorities {
        let (set, flag) = (&system.vars[set], &system.vars[flag]);
        for i in 0..system.types.width(flag.ty) {
            let first = set.offset + i * size;
            let members: u64 = (first..first + size).map(|bit| bits::read(&lifted, bit, 1)).sum();
            bits::write(&mut lifted, flag.offset + i, 1, u64::from(2 * members > u64::from(size)));
        }
    }
    lifted
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("the example is there")
}

/// The same, with values for constants (`NAME=VALUE`) and only some properties (all if there are none).
fn judged_with(text: &str, constant: &str, with: &[&str]) -> EveryReport {
    let mut options = EveryOptions { constant: Some(constant.to_string()), ..EveryOptions::default() };
    for word in with {
        match word.split_once('=') {
            Some((name, value)) => options.settings.push((name.to_string(), value.to_string())),
            None => options.check.properties.push(word.to_string()),
        }
    }
    for_every(text, &options, &mut ()).expect("there is a report")
}

fn judged(text: &str, constant: &str) -> EveryReport {
    let options = EveryOptions { constant: Some(constant.to_string()), ..EveryOptions::default() };
    for_every(text, &options, &mut ()).expect("there is a report")
}

/// So many states are enough for random models.
const STATES: u64 = 20_000;

/// The same, with so many states at most, and perhaps more; nothing if there is no initial state.
fn judged_small(text: &str, options: EveryOptions) -> Option<EveryReport> {
    let mut options = EveryOptions { constant: Some("N".to_string()), ..options };
    options.check.limits.states = Some(STATES);
    match for_every(text, &options, &mut ()) {
        Err(EveryError::NoInitialState) => None,
        report => Some(report.expect("there is a report")),
    }
}

/// A view as it is in no certificate: globals with counts, and the words in order.
type PlainView = (Vec<u64>, Vec<Vec<u64>>);

fn views_of(proof: &Proof) -> BTreeSet<PlainView> {
    let view = |(globals, words): &(u32, Vec<u32>)| {
        let mut words: Vec<Vec<u64>> = words.iter().map(|&it| proof.words[it as usize].clone()).collect();
        words.sort_unstable();
        (proof.globals[*globals as usize].clone(), words)
    };
    proof.views.iter().map(view).collect()
}

/// The views of all reachable states of a size, by the interpreter; nothing if there are too many states.
fn concrete(
    open: &Open,
    needs: &Needs,
    proof: &Proof,
    size: u32,
    most: usize,
) -> Option<BTreeSet<PlainView>> {
    let system = open.instance(size).expect("it can be built");
    let layout = Layout::new(&system, &needs.sort).expect("it fits");
    let predicates = context::find(&system, needs, &proof.contexts).expect("they are there");
    let exact = open.exact(size).expect("it can be built");
    let (mut machine, mut counting) = (exact.machine(), system.machine());
    let (mut next, mut seen, mut views) = (Vec::new(), HashSet::new(), BTreeSet::new());
    machine.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            next.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    while let Some(state) = next.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        machine.successors(&state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(state) = outcome {
                next.push(state.to_vec());
            }
            ControlFlow::Continue(())
        });
        let mut parts = Parts::default();
        let lifted = flagged(&system, needs, size, &state);
        layout.read(&lifted, &mut parts);
        for (context, predicate) in proof.contexts.iter().zip(&predicates) {
            let count = predicate.count(&mut counting, &lifted[..system.words()], size, context.most);
            parts.globals.push(u64::from(count.expect("it has a value")));
        }
        for members in subsets(size as usize, proof.k as usize) {
            let mut words: Vec<Vec<u64>> = members.iter().map(|&it| parts.words[it].clone()).collect();
            words.sort_unstable();
            views.insert((parts.globals.clone(), words));
        }
    }
    Some(views)
}

fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let is_wanted = |mask: &u32| mask.count_ones() as usize == size;
    let members = |mask: u32| (0..of).filter(|i| mask >> i & 1 == 1).collect();
    (0..1u32 << of).filter(is_wanted).map(members).collect()
}

/// Which invariants are violated at a size; nothing if there are too many states.
fn violated(text: &str, constant: &str, size: u32) -> Option<Vec<String>> {
    let model = Model::load(text, &LoadOptions::new().set(constant, size)).into_model().ok()?;
    let options = Options { limits: burnside::Limits::of_states(60_000), ..Options::default() };
    let report = burnside::check(&model, &options, &mut ()).ok()?;
    let violated = report.results.iter().filter(|it| it.verdict == Verdict::Violated);
    let violated = violated.map(|it| it.property.clone()).collect();
    let unknown = |it: &burnside::Answer| matches!(it.verdict, Verdict::Unknown(_));
    (!report.results.iter().any(unknown)).then_some(violated)
}

/// What must be true of a report whatever the model is.
fn is_right(text: &str, report: &EveryReport, largest: u32) {
    let proved = report.answers.iter().filter(|it| matches!(it.finding, Finding::Holds { .. }));
    let proved: Vec<&str> = proved.map(|it| it.property.as_str()).collect();
    for size in 1..=largest {
        let Some(violated) = violated(text, &report.constant, size) else { continue };
        for name in &violated {
            assert!(!proved.contains(&name.as_str()), "`{name}` is proved and violated at {size}:\n{text}");
        }
        for answer in &report.answers {
            let is_violated = violated.contains(&answer.property);
            match answer.finding {
                Finding::Violated { size: least } => {
                    assert_eq!(is_violated && size <= least, size == least && is_violated, "{text}");
                    assert!(size != least || is_violated, "`{}` is not violated at {least}", answer.property);
                }
                Finding::Unknown { up_to, .. } => assert!(!is_violated || size > up_to, "{text}"),
                Finding::Holds { .. } => {}
            }
        }
    }
}

/// The examples: what is proved, with how many members in a view, and what is violated at which size.
#[test]
fn examples_are_judged() {
    let table: &[(&str, &str, &[&str], &str)] = &[
        ("mutex.orb", "N", &[], "faults 1, exclusion 2, bit 2+"),
        ("batch_lock.orb", "N", &[], "faults 1, exclusion 2, held 2+"),
        ("resource.orb", "N", &[], "faults 1, mutex 2"),
        ("resource_simple.orb", "N", &[], "faults 1, mutex 2"),
        ("readers_writers.orb", "R", &[], "faults 1, alone 1, apart 1"),
        ("readers_writers.orb", "W", &[], "faults 1, alone 2, apart 1"),
        ("leader.orb", "N", &[], "faults 1, alive 1"),
        ("two_phase_commit.orb", "N", &[], "faults 1, agreement 1, unanimous 1"),
        ("german.orb", "N", &[], "faults 2, coherent 2, fresh 2, memory_fresh 2"),
        ("mesi.orb", "N", &[], "faults 1, single_writer 2, fresh 2+, memory_fresh 2+, empty 1"),
        ("synod.orb", "N", &[], "faults 1, agreement 1, lawful 1"),
        ("raft_votes.orb", "N", &[], "faults 1, election_safety 2, own_vote 1"),
        ("ethernet.orb", "N", &[], "faults 1, one_talks 2+, waits 1"),
        (
            "arbiter.orb",
            "N",
            &["LIMIT=1", "BURST=1"],
            "faults 1, exclusive 2, handshake 1, patient violated 1",
        ),
        (
            "futurebus.orb",
            "N",
            &["one_owner", "alone", "one_copy"],
            "one_owner 2, alone 2, one_copy violated 2",
        ),
    ];
    for (name, constant, with, wanted) in table {
        // Formulas of linear time have a test of their own.
        let text = example(name);
        let model = Model::load(text.as_str(), &LoadOptions::new()).into_model().expect("it loads");
        let invariants = model.system.properties.iter().filter(|it| it.question.kind() == Kind::Invariant);
        let names: Vec<&str> = [FAULTS].into_iter().chain(invariants.map(|it| it.name.as_str())).collect();
        let all = if with.iter().all(|word| word.contains('=')) { names } else { Vec::new() };
        let report = judged_with(&text, constant, &[*with, &all].concat());
        let one = |answer: &burnside::every::EveryAnswer| match &answer.finding {
            Finding::Holds { k, contexts, .. } => {
                format!("{} {k}{}", answer.property, if contexts.is_empty() { "" } else { "+" })
            }
            Finding::Violated { size } => format!("{} violated {size}", answer.property),
            Finding::Unknown { up_to, .. } => format!("{} unknown {up_to}", answer.property),
        };
        let found: Vec<String> = report.answers.iter().map(one).collect();
        assert_eq!(found.join(", "), *wanted, "{name} {constant}");
        assert!(report.refusals.is_empty() && report.verified.is_some(), "{name}");
    }
}

/// Two counts at once, of who has modified lines and of masters. The check of this proof goes through 667,810
/// states, so it is believed here.
#[test]
fn contexts_are_found_in_pairs() {
    let properties = ["up_to_date", "memory_good", "one_master"].map(String::from).to_vec();
    let check = Options { properties, ..Options::default() };
    let options = EveryOptions { constant: Some("N".into()), trust: true, check, ..EveryOptions::default() };
    let report = for_every(&example("futurebus.orb"), &options, &mut ()).expect("there is a report");
    for answer in &report.answers {
        assert!(matches!(answer.finding, Finding::Holds { k: 2, .. }), "{}", answer.property);
    }
}

/// The closed set of views is exactly the set of views of reachable states: nothing is lost.
#[test]
fn views_are_those_of_small_sizes() {
    for (name, views, size) in [("german.orb", 2484, 3), ("two_phase_commit.orb", 417, 3)] {
        let open = Open::new(&example(name), "N");
        let closed = open.closed(2);
        assert_eq!(closed.proof.views.len(), views, "{name}");
        let needs = open.needs();
        let small =
            concrete(&open, &needs, &closed.proof, size, 100_000).expect("there are not too many states");
        assert!(small == views_of(&closed.proof), "{name}: {} of {views} views", small.len());
    }
}

#[test]
fn the_least_size_is_found() {
    let one = |body: &str| format!("const N = 3;\nsymmetric C[N];\nvar b: array[C] of bool;\n{body}\n");
    let table = [
        // Somebody else than the owner: one member is not enough to see it.
        (
            "var owner: C? = any; process P { rule r { for d: C where owner != d { b[d] = true; } } }
          invariant i = forall c: C { !b[c] || c == owner || owner == none };",
            "2",
        ),
        (
            "var owner: C = any; process P { rule r { for d: C where owner != d { b[d] = true; } } }
          invariant i = forall c: C { !b[c] };",
            "2",
        ),
        (
            "process C[c] { rule up when !b[c] { b[c] = true; } } deadlock allowed;
          invariant i = count c: C { b[c] } <= 2;",
            "3",
        ),
        (
            "var x: bool; init { for c: C { b[c] = any; } assume count c: C { b[c] } >= 3; }
          process P { rule r { x = !x; } } invariant i = forall c: C { !b[c] };",
            "3",
        ),
        // A guard that needs four members, and one that needs as many after it.
        (
            "var x: 0..1; process C[c] { rule up when !b[c] { b[c] = true; } }
          process P { rule r when count c: C { b[c] } >= 4 { x = 1; } } deadlock allowed;
          invariant i = x == 0;",
            "4",
        ),
        // A second one that is counted needs four members.
        (
            "process C[c] { rule up when !b[c] && count d: C { !b[d] } >= 3 { b[c] = true; } } deadlock allowed;
          invariant i = count c: C { b[c] } <= 1;",
            "4",
        ),
    ];
    for (body, wanted) in table {
        let text = one(body);
        let report = judged(&text, "N");
        let found = match &report.answer("i").expect("it is there").finding {
            Finding::Violated { size } => size.to_string(),
            _ => "none violated".to_string(),
        };
        assert_eq!(found, wanted, "{text}");
        is_right(&text, &report, 5);
    }
}

/// Paxos without its majorities, and Raft whose servers vote twice, are violated, not proved.
#[test]
fn majorities_are_needed() {
    let table = [
        ("synod.orb", "agreement", "heard.majority()", "!heard.empty()", 3),
        ("synod.orb", "agreement", "heard.majority()", "heard.size() >= 2", 5),
        ("synod.orb", "agreement", "(best == none || best!.value == v)", "true", 1),
        ("raft_votes.orb", "election_safety", "when voted_for == none {", "{", 2),
        ("raft_votes.orb", "election_safety", "votes[term, number!].majority()", "true", 2),
    ];
    for (name, property, old, new, least) in table {
        let text = example(name);
        assert!(text.contains(old), "{name}: {old}");
        let text = text.replace(old, new);
        let report = judged_with(&text, "N", &[property]);
        match report.answer(property).expect("it is there").finding {
            Finding::Violated { size } => assert_eq!(size, least, "{name}: {new}"),
            ref other => panic!("{name}: {new}: {other:?}"),
        }
    }
}

/// What is outside the fragment is refused at its place, and nothing is proved.
#[test]
fn what_cannot_be_judged_is_refused() {
    let head = "const N = 3; const M = 2; symmetric C[N]; symmetric D[M]; var g: bool; var x: 0..9; \
                var b: array[C] of bool; var s: set of C; var owner: C?; var n: array[C] of 0..3;";
    let refused: &[(&str, &str)] = &[
        ("process P { rule r { x = N; } }", "N"),
        ("var y: 0..N; process P { rule r { g = true; } }", "N"),
        ("const K = N + 1; process P { rule r when x == K { g = true; } }", "N"),
        ("var q: queue[N] of bool; process P { rule r { g = true; } }", "N"),
        ("symmetric E[N]; var e: array[E] of bool; process P { rule r { g = true; } }", "E"),
        ("var local: array[C] of C?; process P { rule r { g = true; } }", "local"),
        ("var sets: array[C] of set of C; process P { rule r { g = true; } }", "sets"),
        ("var two: array[C] of array[C] of bool; process P { rule r { g = true; } }", "two"),
        ("var few: bag[2] of C; process P { rule r { g = true; } }", "few"),
        ("process P { rule r { owner = C#0; } }", "C#0"),
        ("process P { rule r(c, d: C) when c < d { g = true; } }", "c < d"),
        ("process P { rule r(c: C) { x = ord(c); } }", "ord(c)"),
        ("process P { rule r { x = count c: C { b[c] }; } }", "count c: C { b[c] }"),
        ("process P { rule r when s.size() > x { g = true; } }", "x"),
        (
            "process P { rule r when count c: C { b[c] } == s.size() { g = true; } }",
            "count c: C { b[c] } == s.size()",
        ),
        ("process P { rule r { x = sum c: C { n[c] }; } }", "sum c: C { n[c] }"),
        (
            "process P { rule r when forall c: C { exists d: C { b[d] && c != d } } { g = true; } }",
            "exists d: C { b[d] && c != d }",
        ),
        (
            "process P { rule r { for c: C { b[c] = exists d: C { d != c && b[d] }; } } }",
            "exists d: C { d != c && b[d] }",
        ),
        ("process P { rule r { for c: C { if b[c] { g = true; } } } }", "g = true;"),
        ("process P { rule r when owner != none { for c: C { b[c] = b[owner!]; } } }", "b[owner!"),
        ("process P { rule r { for c, d: C { b[c] = true; } } }", "for c, d: C { b[c] = true; }"),
        ("process P { rule r { for c in s { s.remove(c); } } }", "s"),
        ("process P { rule r(t: set of C) { s = t; } }", "rule r(t: set of C) { s = t; }"),
        (
            "fn f(c: C): bool = exists d: C { d != c && b[d] };
          process P { rule r when forall c: C { f(c) } { g = true; } }",
            "f(c)",
        ),
        ("process P { rule r { g = true; } } constraint x < 5;", "x < 5"),
        ("process P { rule r { g = true; } rule q priority 1 { g = false; } }", "rule r { g = true; }"),
        ("process P { rule r when forall c: C { s == {c} } { g = true; } }", "s == {c}"),
    ];
    are_refused(head, refused);
    let properties: &[(&str, &str)] = &[
        ("b[C#0] -> b[C#0]", "C#0"),
        ("count c: C { b[c] } <= N - 1", "N"),
        ("forall c: C { b[c] -> exists d: C { d != c && b[d] } }", "exists d: C { d != c && b[d] }"),
    ];
    for (property, place) in properties {
        let text = format!("{head}\nprocess P {{ rule r {{ g = true; }} }}\ninvariant i = {property};\n");
        let report = judged(&text, "N");
        match &report.answer("i").expect("it is there").finding {
            Finding::Unknown { reason: Unproved::Refused(refusal), .. } => {
                assert_eq!(refusal.span.text(&text), *place, "{property}");
                assert!(refusal.help.is_some(), "{property}: {refusal:?}");
            }
            other => panic!("{property}: {other:?}"),
        }
        assert!(matches!(report.answer("faults").unwrap().finding, Finding::Holds { .. }), "{property}");
    }
}

/// Models that begin with some declarations, and places: nothing is proved, and the place is named.
fn are_refused(head: &str, refused: &[(&str, &str)]) {
    for (body, place) in refused {
        let text = format!("{head}\n{body}\ndeadlock allowed;\ninvariant i = !g || x < 9;\n");
        let report = judged(&text, "N");
        let places: Vec<&str> = report.refusals.iter().map(|it| it.span.text(&text)).collect();
        assert!(places.contains(place), "{body}: {:?}", report.refusals);
        assert!(report.refusals.iter().all(|it| it.help.is_some()), "{body}: {:?}", report.refusals);
        assert!(report.certificate.proofs.is_empty(), "{body}");
        let judged = fragment(&text, &[]);
        assert!(judged.iter().any(|(name, refusals)| name == "N" && !refusals.is_empty()), "{body}");
    }
}

/// Majorities that no flag tells, and what else hides a condition for each member.
#[test]
fn what_hides_is_refused() {
    let head = "const N = 3; symmetric C[N]; var g: bool; var x: 0..9; \
                var b: array[C] of bool; var s: set of C;";
    let refused: &[(&str, &str)] = &[
        (
            "process P { rule r when {c: C where b[c]}.majority() { g = true; } }",
            "{c: C where b[c]}.majority()",
        ),
        ("process P { rule r { let t = s; g = t.majority(); } }", "t.majority()"),
        ("var m: bool = s.majority(); process P { rule r { g = m; } }", "s.majority()"),
        ("process P { rule r { for c: C { if b[c] { s.add(c); } b[c] = s.majority(); } } }", "s.majority()"),
        (
            "var t: array[bool] of set of C; fn f(): bool = t[true].majority();
          process P { rule r(c: C) { t[f()].add(c); } }",
            "t[true].majority()",
        ),
    ];
    are_refused(head, refused);
    // For each member another one, in two statements: it is first true of five.
    let hidden =
        "const N = 3; symmetric C[N]; var x: bool; var n: array[C] of 0..4 = any; var b: array[C] of bool;
        process P { rule r when !x {
            for c: C { b[c] = exists d: C { n[d] == (n[c] + 1) % 5 }; }
            x = forall c: C { b[c] };
        } }
        deadlock allowed; invariant i = !x;";
    let report = judged(hidden, "N");
    let places: Vec<&str> = report.refusals.iter().map(|it| it.span.text(hidden)).collect();
    assert_eq!(places, ["exists d: C { n[d] == (n[c] + 1) % 5 }"]);
    assert!(matches!(report.answer("i").unwrap().finding, Finding::Violated { size: 5 }));
}

/// What is proved of a model is violated at no size, and no reachable view is missing: how many properties
/// are proved, and how many views were looked at.
fn compare(text: &str, is_plain: bool) -> (usize, usize) {
    let Some(report) = judged_small(text, EveryOptions::default()) else { return (0, 0) };
    assert!(!is_plain || report.refusals.is_empty(), "{:?}\n{text}", report.refusals);
    is_right(text, &report, 5);
    let (mut proved, mut checked) = (0, 0);
    for proof in &report.certificate.proofs {
        let open = Open::of_proof(text, proof);
        let needs = open.needs();
        proved += proof.properties.len();
        let closed = views_of(proof);
        for size in proof.k..=4 {
            let Some(small) = concrete(&open, &needs, proof, size, 5_000) else { break };
            assert!(small.is_subset(&closed), "a view of size {size} is missing:\n{text}");
            checked += small.len();
        }
    }
    (proved, checked)
}

/// Random models: what is proved is violated at no size, and no reachable view is missing.
#[test]
fn random_models_are_judged_rightly() {
    let (mut proved, mut checked) = (0, 0);
    for seed in seeds(0..90) {
        let found = compare(&family_model(seed), true);
        (proved, checked) = (proved + found.0, checked + found.1);
    }
    assert!(proved > 100 || checked > 1_000 || std::env::var("BURNSIDE_CASE").is_ok(), "{proved} {checked}");
}

/// The same for models with much of the language, some of which cannot be judged.
#[test]
fn rich_models_are_judged_rightly() {
    let (mut proved, mut checked) = (0, 0);
    for seed in seeds(0..12) {
        let found = compare(&rich_family_model(seed), false);
        (proved, checked) = (proved + found.0, checked + found.1);
    }
    assert!(proved > 40 || checked > 1_000 || std::env::var("BURNSIDE_CASE").is_ok(), "{proved} {checked}");
}

/// A prover that forgets the witnesses of conditions about all members is caught by the same comparison, and
/// its certificates by their checker.
#[test]
fn forgotten_witnesses_are_noticed() {
    // With one member beside the view, nobody sees that two others are needed.
    let text = "const N = 3; symmetric C[N]; var bad: bool;
        process C[c] { var b: bool; rule up when !b { b = true; } }
        process P { rule r when count c: C { b[c] } >= 3 { bad = true; } }
        deadlock allowed; invariant i = !bad;";
    let open = Open::new(text, "N");
    let needs = open.needs();
    let attempt = |k| Attempt { k, contexts: Vec::new(), states: 10_000, wanted: vec!["i".to_string()] };
    let forgetful = Needs { step: 1, ..needs.clone() };
    let wrong = prove(&open, &forgetful, &attempt(1), &mut ()).expect("it closes");
    assert!(wrong.counterviews.is_empty(), "it believes that the invariant holds");
    let certificate = Certificate { constant: "N".into(), proofs: vec![wrong.proof.clone()] };
    assert!(matches!(verify(&open, &needs, &certificate, &mut ()), Err(Rejection::Step(_))));
    let small = concrete(&open, &needs, &wrong.proof, 3, 1_000).expect("there are few states");
    assert!(!small.is_subset(&views_of(&wrong.proof)), "a view is missing");
    assert!(matches!(judged(text, "N").answer("i").unwrap().finding, Finding::Violated { size: 3 }));
}

/// Where members are counted, states with more members of a kind than matter are passed over: nothing is lost
/// by that, and the checker, which goes through all states, believes it.
fn says_the_same(open: &Open, tried: usize) -> (usize, u64, u64) {
    let needs = open.needs();
    let whole = Needs { rules: Vec::new(), ..needs.clone() };
    let two = open.instance(2).expect("it loads");
    let texts: Vec<String> =
        context::candidates(&two, &needs).iter().map(|it| it.text(&two)).take(tried).collect();
    let counted = |text: &String, most| context::Context { text: text.clone(), most };
    let mut contexts: Vec<Vec<_>> = texts.iter().map(|text| vec![counted(text, 1)]).collect();
    contexts.extend(texts.iter().take(2).map(|text| vec![counted(text, 2)]));
    contexts.extend(texts.windows(2).map(|pair| vec![counted(&pair[0], 1), counted(&pair[1], 1)]));
    let (mut same, mut few, mut all) = (0, 0, 0);
    for (k, contexts) in [1, 2].into_iter().flat_map(|k| contexts.iter().map(move |it| (k, it.clone()))) {
        let attempt = Attempt { k, contexts, states: 1_200, wanted: vec![FAULTS.to_string()] };
        let Ok(expected) = prove(open, &whole, &attempt, &mut ()) else { continue };
        let found = prove(open, &needs, &attempt, &mut ()).expect("it closes if more states do");
        let about = format!("k = {k}, {:?}\n{}", attempt.contexts, open.text);
        assert!(views_of(&found.proof) == views_of(&expected.proof), "other views: {about}");
        assert_eq!(found.counterviews.len(), expected.counterviews.len(), "{about}");
        let certificate = Certificate { constant: "N".into(), proofs: vec![found.proof] };
        let verified = verify(open, &needs, &certificate, &mut ());
        assert!(verified.is_ok(), "{:?}: {about}", verified.err());
        (same, few, all) = (same + 1, few + found.states, all + expected.states);
    }
    (same, few, all)
}

#[test]
fn states_that_are_passed_over_do_not_matter() {
    let examples = ["mutex.orb", "resource.orb", "batch_lock.orb", "two_phase_commit.orb"].map(example);
    let random = seeds(0..25).map(family_model);
    let rich = seeds(0..4).map(rich_family_model);
    let (mut same, mut few, mut all) = (0, 0, 0);
    for (text, tried) in examples.into_iter().zip([4, 4, 4, 1]).chain(random.chain(rich).map(|it| (it, 3))) {
        let open = Open::new(&text, "N");
        let hir = open.hir(3).expect("it loads");
        let file = burnside_lang::syntax::parse(&text).file;
        if family::analyse(&hir, &text, &file, "N").is_err() {
            continue;
        }
        let found = says_the_same(&open, tried);
        (same, few, all) = (same + found.0, few + found.1, all + found.2);
    }
    eprintln!("{same} sets of views, of {few} states instead of {all}");
    assert!(same > 100 && few < all || std::env::var("BURNSIDE_CASE").is_ok(), "{same}: {few} of {all}");
}

/// Each kind of place is needed in one of these: for those who are counted after a step that changes all
/// members, and for witnesses.
#[test]
fn each_kind_of_place_is_needed() {
    let turning = "const N = 3; symmetric C[N]; var done: bool;
        process C[c] { var s: 0..4; rule up when s == 0 { s = 1; } rule more when s == 0 { s = 2; } }
        process P { rule flip when !done { done = true; for c: C where s[c] > 0 { s[c] = s[c] + 2; } } }
        deadlock allowed; invariant i = (exists c: C { s[c] == 3 }) -> done;
        invariant j = (exists c: C { s[c] == 4 }) -> done;";
    let witnesses = "const N = 3; symmetric C[N]; var bad: bool;
        process C[c] { var s: 0..4; rule up(v: 0..4) when s == 0 { s = v; } }
        process P { rule r when (exists c: C { s[c] == 1 }) && (exists c: C { s[c] == 2 })
            && (exists c: C { s[c] == 3 }) { bad = true; } }
        deadlock allowed; invariant i = (exists c: C { s[c] == 4 }) || !bad;";
    for text in [turning, witnesses] {
        let (same, few, all) = says_the_same(&Open::new(text, "N"), 4);
        assert!(same > 1 && few < all, "{same}: {few} of {all}");
    }
}

/// The same with a witness forgotten: the checker notices.
#[test]
fn forgotten_places_are_noticed() {
    let text = "const N = 3; symmetric C[N]; var bad: bool;
        process C[c] { var b: bool; var d: bool;
            rule up when !b && !d { b = true; }
            rule other when !b && !d { d = true; } }
        process P { rule r when count c: C { b[c] } >= 3 { bad = true; } }
        deadlock allowed; invariant i = !bad; invariant j = (exists c: C { d[c] }) || !bad;";
    let open = Open::new(text, "N");
    let needs = open.needs();
    let contexts = vec![context::Context { text: "exists c: C { d[c] }".to_string(), most: 1 }];
    let attempt = Attempt { k: 1, contexts, states: 10_000, wanted: vec!["i".to_string()] };
    let forgetful = Needs { rules: vec![1; needs.rules.len()], ..needs.clone() };
    let wrong = prove(&open, &forgetful, &attempt, &mut ()).expect("it closes");
    assert!(wrong.counterviews.is_empty(), "it believes that the invariant holds");
    let certificate = Certificate { constant: "N".into(), proofs: vec![wrong.proof] };
    assert!(matches!(verify(&open, &needs, &certificate, &mut ()), Err(Rejection::Step(_))));
}

/// Whether a set of views proves what it claims, by enumeration: all sizes, all combinations of words.
/// Nothing if these are too many.
fn is_inductive(open: &Open, needs: &Needs, proof: &Proof) -> Option<bool> {
    let kept: u32 = proof.contexts.iter().map(|context| context.most).sum();
    let first = open.instance(1)?;
    let pointers = Layout::new(&first, &needs.sort).ok()?.pointers();
    let mut sizes = vec![proof.k + needs.init + kept, proof.k + needs.step + pointers + 2 * kept];
    let claimed = needs.invariants.iter().filter(|(name, _)| proof.properties.contains(name));
    sizes.extend(claimed.map(|(_, witnesses)| witnesses + pointers + kept));
    let largest = sizes.into_iter().max()?;
    let words = proof.words.len() as u64;
    if largest > 7 || words.checked_pow(largest)? > 40_000 || !needs.majorities.is_empty() {
        return None;
    }
    let views = views_of(proof);
    for size in 1..=largest {
        let replica = Replica::new(open.instance(size)?, needs, proof, &views);
        let is_right = match size < proof.k {
            true => replica.explores(),
            false => replica.starts_well() && replica.is_closed(),
        };
        if !is_right {
            return Some(false);
        }
    }
    Some(true)
}

/// An instance, and the views that its states are to have.
struct Replica<'p> {
    system: Arc<System>,
    layout: Layout,
    proof: &'p Proof,
    views: &'p BTreeSet<PlainView>,
    needs: &'p Needs,
}

impl<'p> Replica<'p> {
    fn new(system: Arc<System>, needs: &'p Needs, proof: &'p Proof, views: &'p BTreeSet<PlainView>) -> Self {
        let layout = Layout::new(&system, &needs.sort).expect("it fits");
        Self { system, layout, proof, views, needs }
    }

    /// The states that it starts with; nothing if one start faults and nothing may.
    fn starts(&self) -> Option<Vec<Vec<u64>>> {
        let (mut states, mut faults) = (Vec::new(), false);
        self.system.machine().initial(&mut |outcome| {
            match outcome {
                Outcome::State(state) => states.push(state.to_vec()),
                Outcome::Fault(_) => faults = true,
            }
            ControlFlow::Continue(())
        });
        (!faults || !self.is_claimed(FAULTS)).then_some(states)
    }

    fn steps(&self, state: &[u64]) -> Option<Vec<Vec<u64>>> {
        let (mut states, mut faults) = (Vec::new(), false);
        self.system.machine().successors(state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            match outcome {
                Outcome::State(state) => states.push(state.to_vec()),
                Outcome::Fault(_) => faults = true,
            }
            ControlFlow::Continue(())
        });
        (!faults || !self.is_claimed(FAULTS)).then_some(states)
    }

    fn is_claimed(&self, name: &str) -> bool {
        self.proof.properties.iter().any(|it| it == name)
    }

    /// The claimed invariants, and up to which size they are asked, with so many pointers set.
    fn claimed(&self, pointers: u32) -> impl Iterator<Item = (&str, u32)> {
        let (k, kept) = (self.proof.k, self.kept());
        let claimed = self.needs.invariants.iter().filter(|(name, _)| self.is_claimed(name));
        claimed.map(move |(name, witnesses)| (name.as_str(), (witnesses + pointers + kept).max(k)))
    }

    fn kept(&self) -> u32 {
        self.proof.contexts.iter().map(|context| context.most).sum()
    }

    fn is_good(&self, state: &[u64], pointers: Option<u32>) -> bool {
        let size = self.layout.size();
        let asked = self.claimed(pointers.unwrap_or(0));
        let asked = asked.filter(|(_, most)| pointers.is_none() || size <= *most);
        asked.map(|(name, _)| name).all(|name| {
            let property = self.system.properties.iter().find(|it| it.name == name).expect("it is there");
            let burnside_ts::Question::Invariant(condition) = &property.question else { return false };
            self.system.machine().holds(condition, state) == Ok(true)
        })
    }

    fn explores(&self) -> bool {
        let Some(mut next) = self.starts() else { return false };
        let mut seen = HashSet::new();
        while let Some(state) = next.pop() {
            if seen.insert(state.clone()) {
                let Some(steps) = self.steps(&state) else { return false };
                if !self.is_good(&state, None) {
                    return false;
                }
                next.extend(steps);
            }
        }
        true
    }

    /// Whether all views of a state are known.
    fn is_allowed(&self, state: &[u64]) -> bool {
        let mut padded = state.to_vec();
        padded.resize(state.len() + bits::SPARE, 0);
        let mut parts = Parts::default();
        self.layout.read(&padded, &mut parts);
        let predicates =
            context::find(&self.system, self.needs, &self.proof.contexts).expect("they are there");
        let mut machine = self.system.machine();
        for (context, predicate) in self.proof.contexts.iter().zip(&predicates) {
            let count = predicate.count(&mut machine, state, self.layout.size(), context.most);
            parts.globals.push(u64::from(count.expect("it has a value")));
        }
        subsets(self.layout.size() as usize, self.proof.k as usize).iter().all(|members| {
            let mut words: Vec<Vec<u64>> = members.iter().map(|&it| parts.words[it].clone()).collect();
            words.sort_unstable();
            self.views.contains(&(parts.globals.clone(), words))
        })
    }

    fn starts_well(&self) -> bool {
        // Sizes above the bound of initial states are no worse.
        self.starts().is_some_and(|starts| starts.iter().all(|state| self.is_allowed(state)))
    }

    /// Whether all states with known views are good and step to others of them.
    fn is_closed(&self) -> bool {
        let size = self.layout.size() as usize;
        let plain = |key: &Vec<u64>| key[..key.len() - self.proof.contexts.len()].to_vec();
        let keys: BTreeSet<Vec<u64>> = self.views.iter().map(|(key, _)| plain(key)).collect();
        let mut words = self.proof.words.clone();
        words.sort_unstable();
        words.dedup();
        for key in keys {
            let pointers = self.layout.set_pointers(&key);
            let step = self.proof.k + self.needs.step + pointers + 2 * self.kept();
            if size as u32 > self.claimed(pointers).map(|(_, most)| most).fold(step, u32::max) {
                continue;
            }
            let mut numbers = vec![0; size];
            loop {
                let members: Vec<&[u64]> = numbers.iter().map(|&it: &usize| &*words[it]).collect();
                let mut state = Vec::new();
                if self.layout.write(&key, &members, &mut state) {
                    state.truncate(self.layout.state_words());
                    if self.is_allowed(&state) {
                        let Some(steps) = self.steps(&state) else { return false };
                        let goes_on = || steps.iter().all(|next| self.is_allowed(next));
                        if !self.is_good(&state, Some(pointers)) || !goes_on() {
                            return false;
                        }
                    }
                }
                // The next combination in which numbers do not fall.
                let Some(at) = (0..size).rev().find(|&at| numbers[at] + 1 < words.len()) else { break };
                let next = numbers[at] + 1;
                numbers[at..].fill(next);
            }
        }
        true
    }
}

/// Certificates with one view more, less or changed are refused, unless they still prove what they claim:
/// then they contain the views of all reachable states. Which of both is found by enumeration.
#[test]
fn changed_certificates_are_judged_rightly() {
    let (mut refused, mut kept, mut compared) = (0, 0, 0);
    for seed in seeds(0..16) {
        let text = if seed % 3 == 2 { rich_family_model(seed) } else { family_model(seed) };
        let Some(report) = judged_small(&text, EveryOptions::default()) else { continue };
        let mut rng = Rng::new(seed);
        for proof in report.certificate.proofs.iter().filter(|it| it.views.len() < 200) {
            let open = Open::of_proof(&text, proof);
            let needs = open.needs();
            for _ in 0..4 {
                let Some(changed) = change(proof, &mut rng) else { continue };
                let certificate = Certificate { constant: "N".into(), proofs: vec![changed.clone()] };
                let again = Certificate::read(&certificate.to_string()).expect("it is whole");
                assert_eq!(again, certificate);
                let verified = verify(&open, &needs, &certificate, &mut ());
                if let Some(wanted) = is_inductive(&open, &needs, &changed) {
                    compared += 1;
                    assert_eq!(verified.is_ok(), wanted, "seed {seed}: {verified:?}\n{text}\n{certificate}");
                }
                match verified {
                    Err(_) => refused += 1,
                    Ok(_) => {
                        kept += 1;
                        let closed = views_of(&changed);
                        for size in changed.k..=4 {
                            let Some(small) = concrete(&open, &needs, &changed, size, 5_000) else { break };
                            assert!(
                                small.is_subset(&closed),
                                "seed {seed}: a view of size {size} is missing"
                            );
                        }
                    }
                }
            }
        }
    }
    eprintln!("{refused} refused, {kept} kept, {compared} compared with enumeration");
    assert!(refused > kept || std::env::var("BURNSIDE_CASE").is_ok(), "{refused} refused, {kept} kept");
}

fn change(proof: &Proof, rng: &mut Rng) -> Option<Proof> {
    let mut changed = proof.clone();
    let at = rng.below(changed.views.len().max(1));
    let words = changed.words.len().max(1);
    match rng.below(3) {
        0 => drop(changed.views.get(at)?.clone()),
        1 => changed.views.get_mut(at)?.1[0] = rng.below(words) as u32,
        _ => {
            let globals = rng.below(changed.globals.len().max(1)) as u32;
            let members = (0..proof.k).map(|_| rng.below(words) as u32).collect();
            changed.views.push((globals, members));
            return (changed != *proof).then_some(changed);
        }
    }
    if changed == *proof {
        changed.views.remove(at);
    }
    Some(changed)
}

/// With one guard removed at a time: violated at a size, or what is still proved is right.
#[test]
fn without_a_guard() {
    for (name, constant) in [("resource.orb", "N"), ("two_phase_commit.orb", "N"), ("mutex.orb", "N")] {
        let text = example(name);
        let parts: Vec<(usize, &str)> = text.match_indices(" when ").collect();
        for (at, when) in parts {
            let start = at + when.len();
            let end = start + text[start..].find('{').expect("a rule has a body");
            let mutant = format!("{}true {}", &text[..start], &text[end..]);
            // What is left may not be a model: a guard of several lines, a name that is not used any more.
            let options = EveryOptions { constant: Some(constant.into()), ..EveryOptions::default() };
            if let Ok(report) = for_every(&mutant, &options, &mut ()) {
                is_right(&mutant, &report, 4);
            }
        }
    }
}

#[test]
fn damaged_certificates_are_no_certificates() {
    let open = Open::new(&example("resource.orb"), "N");
    let proof = open.closed(2).proof;
    let text = Certificate { constant: "N".into(), proofs: vec![proof] }.to_string();
    assert!(Certificate::read(&text).is_ok());
    let damaged = [
        "",
        "burnside",
        &text[..text.len() / 2],
        &text.replace("view 0", "view x"),
        &text.replace("end\n", ""),
    ];
    for damaged in damaged {
        assert!(Certificate::read(damaged).is_err(), "{damaged}");
    }
    // Another model's.
    let other = Open::new(&example("mutex.orb"), "N");
    let certificate = Certificate::read(&text).unwrap();
    assert!(verify(&other, &Needs { functions: Vec::new(), ..open.needs() }, &certificate, &mut ()).is_err());
}

/// What a proof says is true: each clause is an invariant, in the words of the model.
#[test]
fn clauses_are_invariants() {
    let examples =
        ["mutex.orb", "two_phase_commit.orb", "german.orb", "resource.orb", "mesi.orb"].map(example);
    // What unions and enums hold has no name of its own in the language.
    let is_sayable = |text: &String| !text.contains("type Node") && !text.contains("enum Command");
    let rich = (0..8).map(rich_family_model).filter(is_sayable);
    let random = (0..8).map(family_model).chain(rich);
    let (mut exact, mut said) = (0, 0);
    for text in examples.into_iter().chain(random) {
        let options = EveryOptions { explain: true, ..EveryOptions::default() };
        let Some(report) = judged_small(&text, options) else { continue };
        assert_eq!(report.explained.len(), report.certificate.proofs.len());
        if !report.refusals.is_empty() {
            continue;
        }
        for (number, explained) in report.explained.iter().enumerate() {
            exact += u32::from(explained.exact);
            let mut more = text.clone();
            // Counts have no name, nor have the flags of sequences, nor bags but the empty one.
            let unsayable = ["number of", "n0_", "n1_", "{|"];
            let sayable = |it: &&String| !unsayable.iter().any(|part| it.contains(part));
            let sayable = explained.clauses.iter().filter(sayable);
            for (i, clause) in sayable.enumerate() {
                more += &format!("\ninvariant said_{number}_{i} = {clause};");
                said += 1;
            }
            let violated = violated(&more, "N", 3).unwrap_or_else(|| panic!("it can be checked:\n{more}"));
            assert!(!violated.iter().any(|it| it.starts_with("said")), "{violated:?}\n{more}");
        }
    }
    assert!(exact > 3 && said > 60, "{exact} {said}");
}

/// The module in TLA+ has all names and views, and its brackets match.
#[test]
fn modules_are_whole() {
    for (name, names) in [
        ("german.orb", "Client, reply[member], sharers, cache[member]"),
        ("synod.orb", "Acceptor, voted, Cardinality(heard[0])"),
        ("mesi.orb", "Counted"),
        ("two_phase_commit.orb", "Participant, decision, notice[member]"),
    ] {
        let options = EveryOptions { constant: Some("N".into()), tla: true, ..EveryOptions::default() };
        let report = for_every(&example(name), &options, &mut ()).expect("there is a report");
        let module = report.tla.expect("it was asked for");
        assert!(module.starts_with("---- MODULE ForEvery ----\n") && module.ends_with("\n====\n"), "{name}");
        assert!(
            names.split(", ").all(|it| module.contains(it)),
            "{name}:\n{}",
            &module[..1500.min(module.len())]
        );
        let code = module.lines().filter(|line| !line.starts_with("\\*")).collect::<Vec<_>>().join("\n");
        let code = code.replace("<<", "\u{ab}").replace(">>", "\u{bb}");
        let mut open = Vec::new();
        for sign in code.chars() {
            match sign {
                '(' | '[' | '{' | '\u{ab}' => open.push(sign),
                ')' => assert_eq!(open.pop(), Some('(')),
                ']' => assert_eq!(open.pop(), Some('[')),
                '}' => assert_eq!(open.pop(), Some('{')),
                '\u{bb}' => assert_eq!(open.pop(), Some('\u{ab}')),
                _ => {}
            }
        }
        assert!(open.is_empty(), "{name}");
        for number in 1..=report.certificate.proofs.len() {
            assert!(module.contains(&format!("\nInvariant{number} ==\n")), "{name}");
        }
    }
}

/// The constant of another file is the constant wherever it stands, and whatever is in front of it.
#[test]
fn an_imported_constant_is_found() {
    let text = |rules: &str, behind: &str| {
        format!(
            "import \"sizes.orb\" as s;\nvar bad: bool;\nvar b: array[s.C] of bool;\n\
             process P {{ rule up(c: s.C) {{ b[c] = true; }} {rules} }}\ndeadlock allowed;\n\
             invariant i = !bad;\n\u{1c}sizes.orb\nconst N = 3;\nsymmetric C[N];\n{behind}\n"
        )
    };
    let refused = [
        // First true of twelve.
        ("rule r when count c: s.C { b[c] } >= s.N - 9 && s.N > 11 { bad = true; }", "", "s.N"),
        ("rule r when s.LIMIT == 12 { bad = true; }", "const LIMIT = N;", "N"),
        ("rule r when s.large() { bad = true; }", "fn large(): bool = N == 12;", "N"),
    ];
    for (rules, behind, place) in refused {
        let text = text(rules, behind);
        let report = judged(&text, "s.N");
        let places: Vec<&str> = report.refusals.iter().map(|it| it.span.text(&text)).collect();
        assert!(places.contains(&place), "{places:?}\n{text}");
        assert!(!matches!(report.answer("i").unwrap().finding, Finding::Holds { .. }), "{text}");
    }
    // What is allowed of a constant is allowed of this one, and others of the name are others.
    let rules = "rule r when count c: s.C { b[c] } == s.N { bad = false; }";
    let report = judged(&text(rules, "const LIMIT = 5;"), "s.N");
    assert!(matches!(report.answer("i").unwrap().finding, Finding::Holds { .. }), "{report:?}");
}

/// A property that names a member is checked in the sizes that have it, and said to hold in no others.
#[test]
fn named_members_are_looked_at_where_they_are() {
    let text = "const N = 3; symmetric C[N]; process C[c] { var b: bool; rule up when !b { b = true; } }
        deadlock allowed; invariant i = !b[C#1]; invariant j = b[C#2] || !b[C#2]; never n { b[C#1]; !b[C#1] }
        invariant k = forall c: C { b[c] || !b[c] }; ltl l = G (b[C#1] -> X b[C#1]);";
    let report = judged(text, "N");
    let finding = |name: &str| &report.answer(name).expect("it is there").finding;
    assert!(matches!(finding("i"), Finding::Violated { size: 2 }), "{:?}", finding("i"));
    for name in ["j", "n", "l"] {
        let found = finding(name);
        assert!(
            matches!(found, Finding::Unknown { up_to: 6, reason: Unproved::Refused(_) }),
            "{name} {found:?}"
        );
    }
    assert!(matches!(finding("k"), Finding::Holds { .. }));
}

/// Nothing is claimed of sizes below that of a view unless they were looked at, whoever is trusted.
#[test]
fn small_sizes_are_not_taken_on_trust() {
    // Only a member that is alone goes wrong, and only after a while.
    let text = "const N = 3; symmetric C[N]; var lone: bool;
        process C[c] { var x: 0..3; rule up when x < 3 { x = x + 1; }
            rule bad when x == 3 && forall d: C { d == c } { lone = true; } }
        deadlock allowed; invariant i = forall a: C { !lone || x[a] != 3 };";
    for states in 1..40 {
        let mut options = EveryOptions { trust: true, ..EveryOptions::default() };
        options.check.limits.states = Some(states);
        let report = for_every(text, &options, &mut ()).expect("there is a report");
        let finding = &report.answer("i").expect("it is there").finding;
        assert!(!matches!(finding, Finding::Holds { .. }), "{states} {finding:?}");
    }
}

/// What holds because nothing ever begins is told, and is no proof.
#[test]
fn models_without_initial_states_are_refused() {
    let text = |assumed: &str| {
        format!(
            "const N = 3; symmetric C[N]; var s: set of C;
            process C[c] {{ var b: bool; rule r {{ b[c] = !b[c]; s.add(c); }} }}
            init {{ assume {assumed}; }}
            invariant i = forall a: C {{ !b[a] }};"
        )
    };
    let nowhere = for_every(&text("!s.empty()"), &EveryOptions::default(), &mut ());
    assert!(matches!(nowhere, Err(EveryError::NoInitialState)), "{nowhere:?}");
    // The instance with one member has one, all others have none.
    let small = judged(&text("forall a, d: C { a == d }"), "N");
    assert!(matches!(small.answer("i").unwrap().finding, Finding::Violated { size: 1 }));
    assert!(matches!(small.answer("faults").unwrap().finding, Finding::Holds { .. }));
}

/// Sequences that must not happen: proved with their certificates, refuted at their least size, refused at
/// their place.
#[test]
fn sequences_are_judged() {
    let head = "const N = 3; symmetric C[N]; var owner: C?; var s: set of C; var g: bool;
        process C[c] { var b: bool;
            rule take when owner == none { owner = c; b[c] = false; }
            rule drop when owner == c { owner = none; b[c] = true; s.add(c); } }
        process P { rule flip { g = !g; } } deadlock allowed;";
    let table = [
        // Nobody takes it from somebody else.
        ("exists c: C { owner == c && b[c] }", "holds"),
        ("owner == none; owner == none; owner != none; owner != none", "size 1"),
        ("{ g }[*2]", "size 1"),
        ("g; !g; g; !g", "size 1"),
        ("owner != none; s.empty() && owner == none", "holds"),
        ("(exists c: C { c in s }); { g } | { owner == none; !g }; forall c: C { !(c in s) }", "holds"),
        ("s.empty(); true[*]; count c: C { c in s && b[c] } >= 3", "size 3"),
        ("true[*0..1]; s.size() == N; true; s.size() < N", "holds"),
        ("s.size() >= 5", "size 5"),
        ("s.size() == 2; s.size() == N + 1", "`N`"),
        ("g; enabled(drop) && owner == none", "`enabled(drop)`"),
        ("g && !g && forall c: C { exists d: C { b[d] && d != c } }", "`exists d: C { b[d] && d != c }`"),
        ("{ g; g && !g }[*13]", "`{ g; g && !g }[*13]`"),
    ];
    for (sequence, wanted) in table {
        let text = format!("{head} never n {{ {sequence} }}");
        let report = judged(&text, "N");
        let found = match &report.answer("n").expect("it is there").finding {
            Finding::Holds { .. } => String::from("holds"),
            Finding::Violated { size } => format!("size {size}"),
            Finding::Unknown { reason: Unproved::Refused(it), up_to } => {
                assert!(*up_to >= 3, "{sequence}: {up_to}");
                format!("`{}`", it.span.text(&text))
            }
            Finding::Unknown { reason, .. } => format!("{reason:?}"),
        };
        assert_eq!(found, wanted, "{sequence}");
        // Whatever is said of the sequence, nothing else suffers from it.
        assert!(matches!(report.answer("faults").unwrap().finding, Finding::Holds { .. }), "{sequence}");
        assert!(report.refusals.is_empty(), "{sequence}");
        is_right(&text, &report, 4);
    }
}

/// A sequence is proved with the absence of faults: without, nobody knows how it goes on.
#[test]
fn sequences_need_steps_that_do_not_fault() {
    let text = "const N = 3; symmetric C[N]; var owner: C?; var g: bool; var b: array[C] of bool;
        process P { rule take(c: C) { owner = c; g = true; } rule drop { owner = none; } }
        deadlock allowed; never n { g; b[owner!]; owner == none }";
    // Where the condition faults the pattern is violated, by what `never` means.
    let report = judged(text, "N");
    assert!(matches!(report.answer("n").unwrap().finding, Finding::Violated { size: 1 }), "{report:?}");
    assert!(matches!(report.answer("faults").unwrap().finding, Finding::Holds { .. }));
    // A certificate that leaves faults out is refused.
    let text = "const N = 3; symmetric C[N]; var b: array[C] of bool; var g: bool;
        process P { rule up(c: C) { b[c] = true; } rule flip { g = !g; } }
        deadlock allowed; never n { exists c: C { b[c] }; forall c: C { !b[c] } }";
    let report = judged(text, "N");
    assert!(matches!(report.answer("n").unwrap().finding, Finding::Holds { .. }), "{report:?}");
    let options = EveryOptions::default();
    let checked = |certificate: &Certificate| {
        burnside::every::verify(text, &options, certificate, &mut ()).expect("it is a model")
    };
    assert!(checked(&report.certificate).is_ok());
    let mut changed = report.certificate.clone();
    let proof = changed.proofs.last_mut().expect("there is one");
    assert!(proof.properties.contains(&"n".to_string()), "{:?}", proof.properties);
    proof.properties.retain(|name| name != FAULTS);
    assert!(checked(&changed).is_err());
    // So is one whose views do not watch.
    let mut changed = report.certificate.clone();
    changed.proofs[0].properties.push("n".to_string());
    assert!(checked(&changed).is_err());
}
