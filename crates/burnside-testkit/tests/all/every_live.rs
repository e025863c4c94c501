//! Formulas of linear time for every size, against brute force: what following a member proves is violated at
//! no size, by engines that know nothing of views.

use burnside::every::{EveryAnswer, EveryOptions, EveryReport, Finding, Unproved, for_every};
use burnside::{Engine, Fairness, Kind, LoadOptions, Model, Options, Verdict};
use burnside_lang::family;
use burnside_testkit::cases::seeds;
use burnside_testkit::generate::live_family_model;
use burnside_ts::System;
use burnside_views::context::{self, Context};
use burnside_views::{Attempt, FAULTS, Instances, LiveNeeds, Needs, follow, prove, simple};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

struct Open(String);

impl Open {
    fn model(&self, size: u32) -> Option<Model> {
        Model::load(self.0.as_str(), &LoadOptions::new().set("N", size)).into_model().ok()
    }

    fn needs(&self) -> (Needs, LiveNeeds) {
        let model = self.model(3).expect("it loads");
        let hir = model.hir().expect("it is a text");
        let file = burnside_lang::syntax::parse(&self.0).file;
        let family = family::analyse(hir, &self.0, &file, "N");
        let family = family.unwrap_or_else(|refusals| panic!("{refusals:?}\n{}", self.0));
        let judged = model.properties().map(str::to_string).zip(&family.linear);
        let formulas = judged.filter_map(|(name, it)| Some((name, *it.as_ref()?.as_ref().ok()?)));
        let formulas = formulas.collect();
        let needs = Needs {
            sort: hir.types.sort(family.sort).name.clone(),
            init: family.init,
            step: family.rules.iter().copied().max().unwrap_or(0),
            rules: family.rules.clone(),
            invariants: Vec::new(),
            functions: family.functions,
            majorities: Vec::new(),
        };
        (needs, LiveNeeds { is_fair: true, enabling: family.enabling, formulas })
    }

    /// What following a member proves, with views of one and of two members and with contexts, and the
    /// greatest size that a view has.
    fn proved(&self, contexts: usize) -> Vec<(String, u32)> {
        let (needs, live) = self.needs();
        let two = self.model(2).expect("it loads").system;
        let all = context::candidates(&two, &needs).into_iter().chain(simple::predicates(&two, &needs.sort));
        let texts: BTreeSet<String> = all.map(|it| it.text(&two)).collect();
        let mut tried: Vec<Vec<Context>> = vec![Vec::new()];
        tried.extend(texts.into_iter().take(contexts).map(|text| vec![Context { text, most: 1 }]));
        let mut proved: Vec<(String, u32)> = Vec::new();
        for (k, contexts) in [1, 2].into_iter().flat_map(|k| tried.iter().map(move |it| (k, it.clone()))) {
            let names = live.formulas.iter().map(|(name, _)| name.clone());
            let open: Vec<String> = names.filter(|name| !proved.iter().any(|(it, _)| it == name)).collect();
            let attempt = Attempt { k, contexts, states: 3_000, wanted: vec![FAULTS.to_string()] };
            let Ok(closed) = prove(self, &needs, &attempt, &mut ()) else { continue };
            let followed = follow(self, &needs, &live, &closed.proof, &open, 3_000, &mut ());
            let Ok(followed) = followed else { continue };
            proved.extend(followed.holds.into_iter().map(|(name, _)| (name, k)));
        }
        proved
    }
}

impl Instances for Open {
    fn instance(&self, size: u32) -> Option<Arc<System>> {
        self.model(size).map(|model| model.system)
    }
}

/// The formulas that an engine finds violated at a size; nothing if that is too much.
fn violated(open: &Open, size: u32, engine: Engine, names: &[String]) -> Option<Vec<String>> {
    let model = open.model(size)?;
    let limits = burnside::Limits::of_states(3_000);
    let options = Options { limits, engine, properties: names.to_vec(), ..Options::default() };
    let report = burnside::check(&model, &options, &mut ()).ok()?;
    let violated = report.results.iter().filter(|it| it.verdict == Verdict::Violated);
    Some(violated.map(|it| it.property.clone()).collect())
}

/// Random models: what is proved is violated at no size.
#[test]
fn random_formulas_are_judged_rightly() {
    let (mut proved, mut checked, mut formulas) = (0, 0, 0);
    for seed in seeds(0..40) {
        let open = Open(live_family_model(seed));
        let found = open.proved(3);
        formulas += 4;
        proved += found.len();
        for size in 1..=5 {
            let names = found.iter().filter(|(_, k)| *k <= size).map(|(name, _)| name.clone());
            let names: Vec<String> = names.collect();
            if names.is_empty() {
                continue;
            }
            // Neither engine shares anything with the other.
            let engine = if size == 3 { Engine::Symbolic } else { Engine::Explicit };
            let Some(violated) = violated(&open, size, engine, &names) else { continue };
            checked += names.len();
            assert!(
                violated.is_empty(),
                "seed {seed}: proved, but violated at {size}: {violated:?}\n{}",
                open.0
            );
        }
    }
    eprintln!("{proved} of {formulas} formulas proved, {checked} checks of them");
    assert!(proved > 20 || std::env::var("BURNSIDE_CASE").is_ok(), "{proved} of {formulas} proved");
}

fn judged(text: &str, constant: &str, with: &[&str]) -> EveryReport {
    let mut options = EveryOptions { constant: Some(constant.to_string()), ..EveryOptions::default() };
    for word in with {
        match word.split_once('=') {
            Some((name, value)) => options.settings.push((name.to_string(), value.to_string())),
            None => options.check.properties.push(word.to_string()),
        }
    }
    for_every(text, &options, &mut ()).expect("there is a report")
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("the example is there")
}

/// What is known of the formulas.
fn findings(report: &EveryReport) -> String {
    let formulas = report.answers.iter().filter(|answer| answer.kind == Kind::Ltl);
    let one = |answer: &EveryAnswer| match &answer.finding {
        Finding::Holds { k, contexts, followed: Some(nodes), .. } => {
            format!("{} {nodes} by {k}{}", answer.property, "+".repeat(contexts.len()))
        }
        Finding::Holds { .. } => format!("{} holds without being followed", answer.property),
        Finding::Violated { size } => format!("{} violated {size}", answer.property),
        Finding::Unknown { up_to, .. } => format!("{} unknown {up_to}", answer.property),
    };
    formulas.map(one).collect::<Vec<_>>().join(", ")
}

/// The examples: how many situations of one member there are, with how many members in a view and how many
/// contexts, and what is violated at which size.
#[test]
fn examples_are_followed() {
    let table: &[(&str, &str, &[&str], &str)] = &[
        ("mutex.orb", "N", &[], "entry violated 2, someone 6 by 1"),
        ("mutex_strong.orb", "N", &[], "entry 5 by 1+, again 5 by 1+"),
        ("resource.orb", "N", &[], "access violated 2, exclusion 8 by 2"),
        ("resource_simple.orb", "N", &[], "access violated 1, entry violated 1"),
        ("resource_strong.orb", "N", &[], "access 34 by 1++, again 34 by 1++"),
        ("batch_lock.orb", "N", &[], "entry 19 by 1++, again 19 by 1++"),
        ("leader.orb", "N", &[], "settles violated 1, led 5 by 1, everyone violated 2"),
        (
            "readers_writers.orb",
            "R",
            &["W=1"],
            "readers_served violated 1, writers_served 12 by 1+, some_writer 12 by 1+",
        ),
        (
            "readers_writers.orb",
            "W",
            &[],
            "readers_served violated 1, writers_served violated 2, some_writer 78 by 1+",
        ),
    ];
    for (name, constant, with, wanted) in table {
        let report = judged(&example(name), constant, with);
        assert_eq!(findings(&report), *wanted, "{name} {constant}");
    }
}

/// A model with a pointer, and what else there is.
fn small(body: &str) -> String {
    format!(
        "const N = 3; symmetric C[N]; var owner: C? = any; var done: bool; var g: bool; \
         var x: array[C] of bool;\n{body}\ndeadlock allowed;\n"
    )
}

/// Fairness that seems to bind and does not: each of these is true of the sizes before the one that is
/// reported, and a proof for every size would be wrong.
#[test]
fn fairness_that_does_not_bind_proves_nothing() {
    let table = [
        // A fair rule that changes nothing: nobody leaves, and yet everybody is treated fairly.
        (
            "process P { fair rule finish when forall d: C { d == owner || x[d] } { done = true; } }
             process C[c] { fair rule tick when !x[c] && owner != c {} rule go when !x[c] { x[c] = true; } }
             ltl l = owner != none -> F done;",
            2,
        ),
        // A run that ends.
        (
            "process C[c] { rule take when owner == none { owner = c; }
             rule drop when owner == c && forall d: C where d != c { x[d] } { owner = none; } }
             ltl l = G F owner == none;",
            2,
        ),
        // Whether the fair rule is enabled is not known without the others.
        (
            "process P { rule flip { g = !g; } }
             process C[c] { rule take when owner == none { owner = c; }
             fair rule drop when owner == c && forall d: C where d != c { x[d] } { owner = none; } }
             ltl l = G F owner == none;",
            2,
        ),
        // Somebody else can always finish, but never the same one.
        (
            "process P { rule shift(d: C) when owner != none && owner != d { owner = d; } }
             process C[c] { fair rule finish when owner == c && !done { done = true; } }
             ltl l = forall c: C { owner != none -> F (owner == c || done) };",
            3,
        ),
        // Strong fairness of the one that is followed does not hurry the others.
        (
            "process P { rule free { owner = none; } rule flip { g = !g; } }
             process C[c] { strong fair rule go when owner == c { done = true; } }
             ltl l = forall c: C { owner == c -> F (done || owner == none) };",
            1,
        ),
    ];
    for (body, size) in table {
        let text = small(body);
        let report = judged(&text, "N", &["l"]);
        let expected = if size == 1 { String::from("l ") } else { format!("l violated {size}") };
        let found = findings(&report);
        assert!(found.starts_with(&expected), "{found}\n{text}");
        let proved = Open(text.clone()).proved(8);
        let is_right = |(_, k): &(String, u32)| size == 1 || *k > size;
        assert!(proved.iter().all(is_right), "{proved:?}\n{text}");
    }
}

/// Fairness of others that does bind: who is in a context moves on, and finitely many cannot leave it for
/// ever.
#[test]
fn fairness_of_others_binds() {
    let table = [
        (
            "process P { rule flip { g = !g; } }
             fair process C[c] { rule up when !x[c] { x[c] = true; } }",
            "F G (forall c: C { x[c] })",
            "18 by 1+",
        ),
        (
            "process P { rule flip { g = !g; } }
             process C[c] { fair rule finish when owner == c { owner = none; } }",
            "F owner == none",
            "6 by 1+",
        ),
    ];
    for (body, formula, wanted) in table {
        let text = small(&format!("{body} ltl l = {formula};"));
        assert_eq!(findings(&judged(&text, "N", &["l"])), format!("l {wanted}"), "{text}");
        // Without fairness nothing of it is left.
        let check = Options { fairness: Fairness::None, properties: vec!["l".into()], ..Options::default() };
        let options = EveryOptions { check, ..EveryOptions::default() };
        let report = for_every(&text, &options, &mut ()).expect("there is a report");
        assert_eq!(findings(&report), "l violated 1", "{text}");
    }
}

/// What is refused, with its place; smaller sizes are checked nevertheless.
#[test]
fn what_cannot_be_followed_is_refused() {
    let rules = "process P { rule r(c: C) { x[c] = !x[c]; } }";
    let refused = [
        ("forall a, b: C { G (x[a] -> (x[a] || !x[b] || X true)) }", "forall a, b: C"),
        ("exists a: C { F (x[a] || !x[a]) }", "exists a: C"),
        ("F (forall a: C { F (x[a] || !x[a]) })", "forall a: C"),
        ("G (X (done || !done) || (done' == done))", "done'"),
        ("G (X (forall a: C { exists d: C { d == a } || true }))", "exists d: C { d == a }"),
    ];
    for (formula, place) in refused {
        let text = small(&format!("{rules} ltl l = {formula};"));
        let report = judged(&text, "N", &["l"]);
        match &report.answers[0].finding {
            Finding::Unknown { reason: Unproved::Refused(refusal), up_to } => {
                assert!(refusal.span.text(&text).starts_with(place), "{formula}: {refusal:?}");
                assert!(refusal.help.is_some(), "{formula}: {refusal:?}");
                assert!(*up_to >= 2, "{formula}: {up_to}");
            }
            other => panic!("{formula}: {other:?}"),
        }
    }
}

/// Flags of majorities may be true where the majorities are not, so what they enable need not be enabled.
#[test]
fn runs_of_models_with_majorities_are_refused() {
    let text = "const N = 3; symmetric C[N]; var s: set of C; var done: bool;
        fair process C[c] { rule vote when !(c in s) { s.add(c); } }
        fair process P { rule finish when s.majority() && !done { done = true; } }
        deadlock allowed; ltl ends = F done; invariant fits = done -> s.majority();";
    let report = for_every(text, &EveryOptions::default(), &mut ()).expect("it is judged");
    assert!(matches!(report.answer("fits").unwrap().finding, Finding::Holds { .. }));
    let Finding::Unknown { reason: Unproved::Refused(refusal), .. } = &report.answer("ends").unwrap().finding
    else {
        panic!("{:?}", report.answer("ends"));
    };
    assert!(refusal.message.contains("majorities"), "{refusal:?}");
}
