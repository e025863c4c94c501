//! Partial order reduction against the full graph: every verdict is the same with it, with symmetry and
//! without, on random models and nets, on tiny models and on models made to lose something if a rule is
//! left out.
//!
//! The full graph is that of the library without any reduction, which other tests compare with the oracle.
//! Runs were replayed by the library. By hand, for many models: `BURNSIDE_CASE=0..1000 cargo test -p
//! burnside-testkit --test all -- stubborn`, which takes so many of each kind.

use burnside::{
    Answer, CheckError, ExternalProperty, Fairness, Kind, Limits, LoadOptions, Model, NotReduced, Options,
    PartialOrder, PartialOrderUse, Report, Symmetry, Verdict, check,
};
use burnside_petri::show;
use burnside_testkit::cases::{are_all, files, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, Rng, generate};
use burnside_testkit::nets::{random_linear, random_net, random_query, write_pnml};

/// Larger models are left out.
const LIMIT: u64 = 1500;

/// What was compared.
#[derive(Debug, Default)]
struct Pile {
    models: u64,
    verdicts: u64,
    /// Answers of searches in which steps were left out.
    reduced: u64,
    /// Those of them that are about runs.
    runs: u64,
    /// Answers of searches that saw fewer states.
    smaller: u64,
}

fn answers(model: &Model, options: Options) -> Option<Report> {
    let limits = Limits { states: Some(LIMIT), ..Limits::default() };
    match check(model, &Options { limits, ..options }, &mut ()) {
        Ok(report) => Some(report),
        Err(CheckError::NoInitialState(_)) => None,
        Err(error) => panic!("{error:?}"),
    }
}

/// Compares the verdicts with and without reduction.
fn compare(model: &Model, context: &str, pile: &mut Pile) {
    compare_some(model, &[], context, pile);
}

/// The same for some of the properties; none: all.
fn compare_some(model: &Model, properties: &[&str], context: &str, pile: &mut Pile) {
    let properties: Vec<String> = properties.iter().map(ToString::to_string).collect();
    for fairness in [Fairness::Model, Fairness::None] {
        let properties = properties.clone();
        let plain = Options { properties, symmetry: Symmetry::None, fairness, ..Options::default() };
        let Some(full) = answers(model, plain.clone()) else { return };
        let is_open = |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_));
        if full.results.iter().any(is_open) {
            return;
        }
        pile.models += 1;
        for symmetry in [Symmetry::None, Symmetry::Auto, Symmetry::Fast] {
            let options = Options { symmetry, partial_order: PartialOrder::Auto, ..plain.clone() };
            let reduced = answers(model, options).expect("there is an initial state");
            for answer in &reduced.results {
                let expected = full.answer(&answer.property).expect("both answer the same");
                let said = (&answer.verdict, answer.value);
                assert_eq!(
                    said,
                    (&expected.verdict, expected.value),
                    "{}, {symmetry}, {fairness}\n{context}",
                    answer.property
                );
                pile.count(answer, expected, symmetry);
            }
        }
    }
}

impl Pile {
    fn count(&mut self, answer: &Answer, expected: &Answer, symmetry: Symmetry) {
        self.verdicts += 1;
        match answer.partial_order {
            Some(PartialOrderUse::Reduced(nodes)) if nodes > 0 => {
                self.reduced += 1;
                self.runs += u64::from(answer.kind == Kind::Ltl);
                let fewer = answer.stats.states < expected.stats.states;
                self.smaller += u64::from(symmetry == Symmetry::None && fewer);
            }
            Some(_) => {}
            None => panic!("nothing is said of the reduction of {}", answer.property),
        }
    }
}

fn sweep(usual: std::ops::Range<u64>, flavor: Flavor, pile: &mut Pile) {
    for seed in seeds(usual) {
        let text = generate(seed, flavor).text;
        let Ok(model) = load(&text, &[]) else { continue };
        compare(&model, &format!("seed {seed}\n{text}"), pile);
    }
}

#[test]
fn random_models() {
    let mut pile = Pile::default();
    sweep(0..60, Flavor::Any, &mut pile);
    sweep(0..60, Flavor::Symmetric, &mut pile);
    println!("{pile:?}");
    assert!(!are_all() || pile.verdicts > 2000, "{pile:?}");
}

#[test]
fn random_protocols() {
    let mut pile = Pile::default();
    sweep(0..40, Flavor::Liveness, &mut pile);
    sweep(0..40, Flavor::Indexed, &mut pile);
    println!("{pile:?}");
    assert!(!are_all() || pile.reduced > 20, "{pile:?}");
}

/// Members and singles that step by themselves, with some shared variables: most steps commute.
#[test]
fn random_components() {
    let mut pile = Pile::default();
    for seed in seeds(0..250) {
        let text = components(seed);
        let model = load(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        compare(&model, &format!("seed {seed}\n{text}"), &mut pile);
    }
    println!("{pile:?}");
    assert!(!are_all() || pile.smaller > 100 && pile.runs > 100, "{pile:?}");
}

/// A model of processes with locations of their own and few shared variables.
fn components(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x9a7);
    let shared = 1 + rng.below(3);
    let mut text = String::from("symmetric M[2];\nvar f: array[0..1] of bool;\nvar n: 0..2;\n");
    (0..shared).for_each(|i| text += &format!("var s{i}: bool;\n"));
    let variable = |rng: &mut Rng| format!("s{}", rng.below(shared));
    for (process, head) in ["First", "Second", "Each[m: M]"].into_iter().enumerate() {
        text += &format!("process {head} {{\n  var pc: 0..2;\n");
        for rule in 0..2 + rng.below(3) {
            let from = rng.below(3);
            let mut guard = format!("pc == {from}");
            match rng.below(8) {
                0 | 1 => guard += &format!(" && {}", variable(&mut rng)),
                2 => guard += &format!(" && !{}", variable(&mut rng)),
                3 => guard += &format!(" && !f[n] && {}", variable(&mut rng)),
                4 => guard += " && (exists k: M { Each[k].pc == 1 })",
                5 => guard += " && (forall k: M { Each[k].pc != 2 })",
                _ => {}
            }
            let mut body = format!("pc = {};", rng.below(3));
            match rng.below(12) {
                0 | 1 => body += &format!(" {} = true;", variable(&mut rng)),
                2 => body += &format!(" {} = !{};", variable(&mut rng), variable(&mut rng)),
                3 => body += " n = n + 1;",
                4 => body += " if n > 0 { n = n - 1; }",
                5 => body += &format!(" f[{}] = true;", rng.below(2)),
                6 => body += &format!(" assert !{};", variable(&mut rng)),
                7 => body += &format!(" {} = any;", variable(&mut rng)),
                _ => {}
            }
            text += &format!("  rule r{process}{rule} when {guard} {{ {body} }}\n");
        }
        text += "}\n";
    }
    let (one, other) = (variable(&mut rng), variable(&mut rng));
    text += &format!(
        "invariant i0 = !({one} && First.pc == 2);\ninvariant i1 = !enabled(First.r00) || {other};\n"
    );
    text += "reachable g0 = exists m: M { Each[m].pc == 2 };\n";
    text += &format!("ltl l0 = G F {one};\nltl l1 = {other} U First.pc == 1;\n");
    text +=
        "ltl l2 = forall m: M { G (Each[m].pc == 1 -> F Each[m].pc != 1) };\nltl l3 = F G Second.pc == 0;\n";
    text
}

#[test]
fn random_nets() {
    let mut pile = Pile::default();
    for seed in seeds(0..80) {
        let net = random_net(seed, seed % 2 == 0);
        let mut rng = Rng::new(seed ^ 0x5eed);
        let mut given = |linear: bool| {
            let asked = if linear { random_linear(&mut rng, &net) } else { random_query(&mut rng, &net) };
            let kind = asked.kind().into();
            ExternalProperty { kind, origin: "<test>".to_string(), text: show(&asked, &net) }
        };
        let mut questions: Vec<ExternalProperty> = (0..3).map(|_| given(false)).collect();
        questions.extend((0..2).map(|_| given(true)));
        let text = write_pnml(&net);
        let Ok(model) = Model::load(&text, &LoadOptions::new().external(&questions)).into_model() else {
            panic!("{text}\n{questions:?}")
        };
        let context = format!("seed {seed}\n{text}\n{questions:?}");
        compare(&model, &context, &mut pile);
        // Most questions see most places.
        compare_some(&model, &["deadlock"], &context, &mut pile);
    }
    // In nets of this kind little can be left out; those of the contest have more of it.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contest");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().join("model.pnml");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(model) = Model::load(&text, &LoadOptions::new()).into_model() else { continue };
        compare_some(&model, &["deadlock"], &path.display().to_string(), &mut pile);
    }
    println!("{pile:?}");
    assert!(!are_all() || pile.reduced > 5, "{pile:?}");
}

#[test]
fn tiny_models_and_examples() {
    let mut pile = Pile::default();
    for folder in ["tests/models", "examples"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        for path in files(folder, "orb") {
            let text = std::fs::read_to_string(&path).unwrap();
            let Ok(model) = load(&text, &[]) else { continue };
            compare(&model, &path.display().to_string(), &mut pile);
        }
    }
    println!("{pile:?}");
    assert!(!are_all() || pile.reduced > 20, "{pile:?}");
}

/// Each loses a violation if one of the rules of the reduction is left out: see the page about it.
const TRAPS: [(&str, &str); 10] = [
    (
        "what is invisible goes round for ever",
        "var a: bool; var b: bool; process PA { rule spin { a = !a; } } process PB { rule go when !b { b = true; } }
        invariant quiet = !b; ltl silent = G !b;",
    ),
    (
        "a rule that is enabled for a while",
        "var a: 0..1; var b: bool; var c: bool;
        process PA { rule up when a == 0 && !b { a = 1; } rule watched when a == 1 && b {} }
        process PB { rule go when !b { b = true; } } process PC { rule round { c = !c; } }
        invariant quiet = !enabled(PA.watched); reachable there = a == 1 && b;",
    ),
    (
        "what a rule reads that another makes visible",
        "var b: bool; var d: bool; process PB { rule put when !b { b = true; } rule take when b && !d { b = false; } }
        process PD { rule done when !d { d = true; } } process PR { rule watched when b && d {} }
        invariant quiet = !enabled(PR.watched);",
    ),
    (
        "what a condition reads by asking whether a rule is enabled",
        "var a: bool = true; var v: bool; var o: array[0..1] of bool;
        process PX { rule off when a { a = false; } } process PR { rule watched when a {} }
        process PV { rule go when !v { v = true; } rule one { o[0] = v; } rule two { o[1] = v; } }
        invariant quiet = !(enabled(PR.watched) && v);",
    ),
    (
        "a part of a guard that may fault before one that is false",
        "var on: bool = true; var i: 0..2; var f: array[0..1] of bool; var b: bool;
        process PT { rule t when on && !f[i] && b {} } process PV { rule off when on { on = false; } }
        process PW { rule out when i == 0 { i = 2; } }",
    ),
    (
        "a part of a guard that faults behind one that is false",
        "var on: bool = true; var p: bool; var i: 0..2 = 2; var f: array[0..1] of bool; var b: bool;
        process PT { rule t when on && p && !f[i] && b {} } process PV { rule off when on { on = false; } }
        process PW { rule go when !p { p = true; } }",
    ),
    (
        "up and down commute but at the bounds",
        "var x: 0..1 = 1; var p: bool; var u: bool; var d: bool;
        process PP { rule prepare when !p { p = true; } } process PU { rule up when p && !u { x = x + 1; u = true; } }
        process PD { rule down when !d { x = x - 1; d = true; } }",
    ),
    (
        "what a body reads",
        "var x: bool; var y: bool; var da: bool; var db: bool;
        process PA { rule copy when !da { x = y; da = true; } } process PB { rule put when !db { y = true; db = true; } }
        process PC { rule see when da && db { assert !x; } }",
    ),
    (
        "members that are alike are not enough",
        "symmetric M[2]; var x: M?; var z: bool;
        process PP[m: M] { var d: bool; rule go when !d && x != m { d = true; x = m; } }
        process PQ { rule see when x == none && (forall m: M { !PP[m].d }) && !z { z = true; } }
        invariant both = !(forall m: M { PP[m].d }); reachable late = z && exists m: M { PP[m].d };",
    ),
    (
        "a cycle that leaves a visible step out",
        "var a: 0..2; var b: bool; process PA { rule step { a = if a == 2 { 0 } else { a + 1 }; } }
        process PB { rule go when !b { b = true; } } ltl silent = G !b; ltl stays = F G !b; ltl comes = F b;",
    ),
];

#[test]
fn traps() {
    let mut pile = Pile::default();
    for (what, text) in TRAPS {
        let model = load(text, &[]).unwrap_or_else(|error| panic!("{what}: {error}"));
        compare(&model, what, &mut pile);
    }
    assert!(pile.reduced > 10, "{pile:?}");
}

/// Steps of processes that share nothing: one order is enough, and what asks for fairness or for the next
/// state is left alone.
#[test]
fn figures_and_reasons() {
    let text = "symmetric M[4]; process P[m: M] { var n: 0..3; rule up when n < 3 { n = n + 1; } }
        process Q { var q: bool; rule go when !q { q = true; } }
        invariant small = !Q.q || true; never apart { Q.q; !Q.q } ltl next = X true; ctl soon = EF Q.q;
        ltl runs = F G Q.q; deadlock allowed;";
    let model = load(text, &[]).unwrap();
    let asked = |partial_order, symmetry| {
        let options = Options { partial_order, symmetry, ..Options::default() };
        check(&model, &options, &mut ()).unwrap()
    };
    let states = |report: &Report, name: &str| report.answer(name).unwrap().stats.states;
    let full = asked(PartialOrder::None, Symmetry::None);
    let reduced = asked(PartialOrder::Auto, Symmetry::None);
    assert_eq!((states(&full, "faults"), states(&reduced, "faults")), (512, 14));
    assert_eq!(full.unreduced.map(|it| it.to_string()), Some("512".to_string()));
    assert!(reduced.unreduced.is_none());
    let off = |name: &str| match reduced.answer(name).unwrap().partial_order {
        Some(PartialOrderUse::Off(why)) => Some(why),
        _ => None,
    };
    assert_eq!(off("apart"), Some(NotReduced::Kind(Kind::Never)));
    assert_eq!(off("next"), Some(NotReduced::Next));
    assert_eq!(off("soon"), Some(NotReduced::Kind(Kind::Ctl)));
    assert_eq!((off("faults"), off("runs")), (None, None));
}
