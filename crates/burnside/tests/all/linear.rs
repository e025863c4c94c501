//! The numbers that linear-time checks under fairness must reach, on the examples.

use burnside::{Answer, Fairness, LoadOptions, Method, Model, Options, Symmetry, Verdict, check};

fn load(name: &str, members: u32, edit: impl Fn(String) -> String) -> Model {
    let path = format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"));
    let source = edit(std::fs::read_to_string(path).expect("the example is there"));
    let loaded = Model::load(&source, &LoadOptions::new().set("N", members));
    loaded.model.unwrap_or_else(|error| panic!("{name} does not load: {error}"))
}

fn ask(model: &Model, property: &str, options: Options) -> Answer {
    let options = Options { properties: vec![property.to_string()], ..options };
    let report = check(model, &options, &mut ()).expect("evidence replays");
    report.results.into_iter().find(|result| result.property == property).expect("it was asked for")
}

fn product_states(result: &Answer) -> u64 {
    result.stats.product.expect("a linear-time property has a product").states
}

fn verdict(holds: bool) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Violated }
}

#[test]
fn access_needs_few_product_states_however_many_clients_there_are() {
    for clients in [9, 49, 99, 999] {
        let result = ask(&load("resource", clients, |text| text), "access", Options::default());
        assert_eq!(result.verdict, Verdict::Violated, "{clients} clients");
        assert!(product_states(&result) <= 91, "{clients} clients: {:?}", result.stats);
    }
}

#[test]
fn access_holds_for_a_single_client_only() {
    for clients in 1..=6 {
        let model = load("resource", clients, |text| text);
        for (method, symmetry) in [
            (Method::OnTheFly, Symmetry::Auto),
            (Method::OnTheFly, Symmetry::None),
            (Method::TwoPhase, Symmetry::Auto),
            (Method::TwoPhase, Symmetry::None),
        ] {
            let result = ask(&model, "access", Options { method, symmetry, ..Options::default() });
            assert_eq!(result.verdict, verdict(clients == 1), "{clients} clients, {method:?}, {symmetry:?}");
        }
    }
}

#[test]
fn exclusion_looks_at_every_orbit_once() {
    for (clients, orbits) in [(9, 38), (49, 198), (99, 398)] {
        let result = ask(&load("resource", clients, |text| text), "exclusion", Options::default());
        assert_eq!((result.verdict.clone(), product_states(&result)), (Verdict::Holds, orbits));
    }
}

/// Properties of one check share the quotient, its edges and its letters. Verdicts, figures and evidence are
/// those of a property that is asked for alone, in whatever order.
#[test]
fn properties_that_share_a_quotient_have_the_figures_of_each_alone() {
    let formulas = "
        ltl somebody = G F exists p: Proc { Proc[p]@critical };
        ltl two = forall p, q: Proc { G (p != q && Proc[p]@critical -> F Proc[q]@critical) };
        ltl first = G (Proc[Proc#0]@critical -> F !Proc[Proc#0]@critical);
        ltl all = G F forall p: Proc { !Proc[p]@critical };
    ";
    for (name, entry) in [("mcs_lock", true), ("filter_lock", true)] {
        let model = load(name, 3, |text| text + formulas);
        let names = ["entry", "somebody", "two", "first", "all"];
        for symmetry in [Symmetry::Auto, Symmetry::None] {
            let alone: Vec<Answer> = names
                .iter()
                .map(|property| ask(&model, property, Options { symmetry, ..Options::default() }))
                .collect();
            assert_eq!(alone[0].verdict, verdict(entry));
            for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
                let properties = order.iter().map(|&i: &usize| names[i].to_string()).collect();
                let report =
                    check(&model, &Options { properties, symmetry, ..Options::default() }, &mut ()).unwrap();
                for (together, alone) in names.iter().zip(&alone).map(|(name, alone)| {
                    (report.results.iter().find(|it| it.property == *name).expect("asked for"), alone)
                }) {
                    let figures = |it: &Answer| {
                        let product = it.stats.product.expect("it is linear-time");
                        let product = (product.states, product.transitions);
                        (it.verdict.clone(), it.stats.states, it.stats.transitions, product)
                    };
                    assert_eq!(figures(together), figures(alone), "{name}, {}", alone.property);
                    assert_eq!(together.evidence, alone.evidence, "{name}, {}", alone.property);
                }
            }
        }
    }
}

#[test]
fn strong_fairness_of_each_grant_gives_access() {
    let strong = |text: String| text.replace("rule grant", "strong fair rule grant");
    for clients in 1..=12 {
        let result = ask(&load("resource", clients, strong), "access", Options::default());
        assert_eq!(result.verdict, Verdict::Holds, "{clients} clients");
    }
    for clients in 1..=5 {
        let options = Options { symmetry: Symmetry::None, ..Options::default() };
        assert_eq!(ask(&load("resource", clients, strong), "access", options).verdict, Verdict::Holds);
    }
    // Strong fairness of the server as a whole does not: it is content with serving others.
    let server = |text: String| text.replace("fair process Server", "strong fair process Server");
    assert_eq!(ask(&load("resource", 3, server), "access", Options::default()).verdict, Verdict::Violated);
}

#[test]
fn no_leader_settles() {
    for members in 2..=4 {
        let result = ask(&load("leader", members, |text| text), "settles", Options::default());
        assert_eq!(result.verdict, Verdict::Violated, "{members} processes");
    }
}

#[test]
fn a_strongly_fair_door_lets_everybody_in() {
    for members in 2..=8 {
        let result = ask(&load("mutex_strong", members, |text| text), "entry", Options::default());
        assert_eq!(result.verdict, Verdict::Holds, "{members} processes");
        let weak = |text: String| text.replace("strong fair rule", "fair rule");
        let result = ask(&load("mutex_strong", members, weak), "entry", Options::default());
        assert_eq!(result.verdict, Verdict::Violated, "{members} processes, weakly fair");
    }
}

#[test]
fn fairness_can_be_left_out() {
    let options = Options { fairness: Fairness::None, ..Options::default() };
    let result = ask(&load("mutex_strong", 3, |text| text), "again", options);
    assert_eq!(result.verdict, Verdict::Violated);
}

/// What is said about properties that hold for a reason that was hardly meant.
#[test]
fn vacuous_properties_are_named() {
    let source = "
        enum Light { red, green }
        var light: Light = red;
        fair process Lamp { rule go when light == red { light = green; } rule stop when light == green { light = red; } }
        ltl never_so = G (light == red && light == green -> F light == red);
        ltl not_forever = (F G light == red) -> (G F light == green);
        ltl sound = G (light == red -> F light == green);
    ";
    let model = Model::load(source, &LoadOptions::new()).model.expect("loads");
    let vacuous = |name| {
        let result = ask(&model, name, Options::default());
        assert_eq!(result.verdict, Verdict::Holds);
        result.vacuous
    };
    let premise = "the premise `light == red && light == green` is never true in a fair run";
    assert_eq!(vacuous("never_so").as_deref(), Some(premise));
    assert_eq!(vacuous("not_forever").as_deref(), Some("the premise is not true of any fair run"));
    assert_eq!(vacuous("sound"), None);
}

#[test]
fn a_model_whose_runs_all_fault_has_no_fair_run() {
    let source = "var x: 0..3; process P { rule up { x = x + 1; } } ltl p = G F x == 0;";
    let model = Model::load(source, &LoadOptions::new()).model.expect("loads");
    let report = check(&model, &Options::default(), &mut ()).expect("evidence replays");
    let result = report.results.iter().find(|result| result.property == "p").expect("it was asked for");
    assert_eq!(
        (&result.verdict, result.vacuous.as_deref()),
        (&Verdict::Holds, Some("there is no fair run at all"))
    );
    let faults = report.results.iter().find(|result| result.property == "faults").expect("always asked");
    assert_eq!(faults.verdict, Verdict::Violated);
}

/// The search has no recursion and its memory is modest: a path of a hundred thousand pairs.
#[test]
fn deep_graphs_are_searched_without_recursion() {
    let source = "
        var x: 0..100000;
        fair process P { rule up when x < 100000 { x = x + 1; } rule reset when x == 100000 { x = 0; } }
        ltl live = G F x == 7;
    ";
    let model = Model::load(source, &LoadOptions::new()).model.expect("loads");
    let result = ask(&model, "live", Options::default());
    assert_eq!((result.verdict.clone(), product_states(&result)), (Verdict::Holds, 200_001));
}
