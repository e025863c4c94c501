//! Exact figures of quotients: numbers of orbits, of original states and of edges after each reduction.

use burnside::Model;
use burnside::{Limits, LoadOptions, Stop};
use burnside_explicit::{
    Canoniser, Counts, EdgeReduction, EdgeStorage, EdgeTarget, NodeId, Quotient, QuotientEdge, count,
};
use burnside_perm::Natural;
use burnside_ts::{Action, Expr, Permutation, Question, System, bits};

fn model(example: &str, settings: &[(&str, u32)]) -> Model {
    let path = format!("{}/../../examples/{example}.orb", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let settings: Vec<_> =
        settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Model::load(&text, &LoadOptions::new().settings(&settings)).model.unwrap()
}

fn quotient(system: &System, storage: EdgeStorage) -> Quotient<'_> {
    let canoniser = Canoniser::new(system, &system.symmetry, true);
    Quotient::new(system, Some(canoniser), EdgeReduction::Distinct, storage, &Limits::default()).unwrap()
}

/// States, original states, and edges: all, one executor of each class, distinct ones.
fn figures(system: &System) -> (u32, Natural, [u64; 3]) {
    let mut quotient = quotient(system, EdgeStorage::Recomputed);
    let states = quotient.complete().unwrap();
    let edges = [EdgeReduction::All, EdgeReduction::Executors, EdgeReduction::Distinct]
        .map(|reduction| (0..states).map(|i| quotient.count_edges(NodeId(i), reduction).unwrap()).sum());
    (states, quotient.unreduced().unwrap(), edges)
}

fn power_of_two(exponent: u32) -> Natural {
    Natural::from(2u64).pow(exponent)
}

#[test]
fn resource_controller() {
    for (clients, states, edges) in
        [(9, 38, [235, 107, 71]), (49, 198, [6175, 1567, 391]), (99, 398, [24850, 5642, 791])]
    {
        let model = model("resource", &[("N", clients)]);
        let mut unreduced = power_of_two(clients);
        unreduced.mul_small(u64::from(clients) + 2);
        assert_eq!(figures(&model.system), (states, unreduced, edges), "{clients} clients");
    }
}

#[test]
fn simplified_controller() {
    let model = model("resource_simple", &[("N", 3)]);
    let (states, unreduced, edges) = figures(&model.system);
    assert_eq!((states, unreduced, edges[0], edges[1]), (7, Natural::from(20u64), 27, 16));
}

#[test]
fn plain_mutex_by_formula() {
    for n in [2, 3, 10, 200] {
        let model = model("mutex", &[("N", n)]);
        let mut with_one_inside = power_of_two(n - 1);
        with_one_inside.mul_small(u64::from(n));
        let (states, unreduced, _) = figures(&model.system);
        assert_eq!((states, unreduced), (2 * n + 1, &power_of_two(n) + &with_one_inside));
    }
}

#[test]
fn philosophers_up_to_rotation() {
    for (n, orbits) in [(5, 51), (10, 5934)] {
        let model = model("philosophers", &[("N", n)]);
        let (states, unreduced, _) = figures(&model.system);
        assert_eq!((states, unreduced), (orbits, Natural::from(3u64).pow(n)));
    }
}

/// The three ways to store edges give the same edges, and every edge says truly where it leads.
#[test]
fn edges_are_annotated_truly() {
    for (example, settings) in
        [("resource", [("N", 4)]), ("german", [("N", 2)]), ("philosophers", [("N", 4)])]
    {
        let model = model(example, &settings);
        let system = &model.system;
        let [mut stored, mut again, mut eager] =
            [EdgeStorage::Stored, EdgeStorage::Recomputed, EdgeStorage::Eager]
                .map(|storage| quotient(system, storage));
        let mut next = 0;
        while next < stored.len() {
            let edges = stored.edges(NodeId(next)).unwrap().into_owned();
            assert_eq!(edges, *again.edges(NodeId(next)).unwrap());
            assert_eq!(edges, *eager.edges(NodeId(next)).unwrap());
            for edge in &edges {
                check_edge(system, &stored, NodeId(next), edge);
            }
            next += 1;
        }
    }
}

fn check_edge(system: &System, quotient: &Quotient<'_>, source: NodeId, edge: &QuotientEdge) {
    let EdgeTarget::Node(target, permutation) = &edge.target else { return };
    let padded = [&*quotient.state(*target), &[0; bits::SPARE]].concat();
    let mut reached = padded.clone();
    let permutation = permutation.as_deref().cloned().unwrap_or_else(|| Permutation::identity(&system.types));
    Action::new(system).state(&permutation, &padded, &mut reached);
    let mut machine = system.machine();
    let mut found = false;
    machine.fire(
        &quotient.state(source),
        edge.step.rule,
        &edge.step.args,
        &mut |_: burnside_ts::Label<'_>, outcome: burnside_ts::Outcome<'_>| {
            found |= outcome == burnside_ts::Outcome::State(&reached[..system.words()]);
            std::ops::ControlFlow::Continue(())
        },
    );
    assert!(found, "{} does not lead there", system.show_label(edge.step.label()));
}

/// States that are graphs: the orbits are the graphs up to renaming of their nodes.
#[test]
fn graphs_up_to_isomorphism() {
    let text = "const N = 4; symmetric Node[N]; var edge: array[Node, Node] of bool;
        process Author {
            rule draw(a: Node, b: Node) when a != b && !edge[a, b] { edge[a, b] = true; edge[b, a] = true; }
        }";
    for (nodes, graphs) in [(2, 2), (3, 4), (4, 11), (5, 34), (6, 156)] {
        let model = Model::load(text, &LoadOptions::new().set("N", nodes)).model.unwrap();
        let (states, unreduced, _) = figures(&model.system);
        assert_eq!((states, unreduced), (graphs, power_of_two(nodes * (nodes - 1) / 2)), "{nodes} nodes");
    }
}

/// Turning a ring moves every element, so a property that names one, even the last, leaves no turn.
#[test]
fn a_property_that_names_an_element_of_a_ring() {
    let text = "
        ring Seat[3];
        var full: array[Seat] of bool = any;
        process P { rule go(s: Seat) when full[s] && !full[s + 1] { full[s] = false; full[s + 1] = true; } }
        init { assume (count s: Seat { full[s] }) == 1; }
        deadlock allowed;
        reachable named = full[Seat#ELEMENT];
        invariant never_named = !full[Seat#ELEMENT];
        ltl often_named = G F full[Seat#ELEMENT];";
    for element in ["0", "1", "2"] {
        let model =
            burnside::Model::load(text.replace("ELEMENT", element), &LoadOptions::new()).model.unwrap();
        for symmetry in [burnside::Symmetry::None, burnside::Symmetry::Auto, burnside::Symmetry::Exact] {
            let options = burnside::Options { symmetry, ..burnside::Options::default() };
            let report = burnside::check(&model, &options, &mut ()).unwrap();
            let verdicts: Vec<_> = report.results.iter().skip(1).map(|it| it.verdict.clone()).collect();
            use burnside::Verdict::{Holds, Violated};
            assert_eq!(verdicts, [Holds, Violated, Holds], "{element} {symmetry:?}");
        }
    }
}

/// The steps of the original graph, counted on the quotient, are those that a search without symmetry takes.
#[test]
fn original_states_and_steps() {
    let examples = [
        ("resource", vec![("N", 5)]),
        ("german", vec![("N", 3)]),
        ("philosophers", vec![("N", 5)]),
        ("mutex", vec![("N", 6)]),
        ("readers_writers", vec![]),
        ("torus", vec![]),
        ("broadcast", vec![]),
    ];
    for (name, settings) in examples {
        let model = model(name, &settings);
        let system = &model.system;
        let plain = count(system, None, &Limits::default()).unwrap();
        // Something to ask for that is nowhere, so that everything is looked at.
        let never = Question::Reachable(Expr::Const(0));
        let search = burnside_explicit::search(system, &[&never], None, &Default::default(), &mut ());
        assert_eq!(plain.states, Some(Natural::from(search.stats.states)), "{name}");
        assert_eq!(plain.transitions, Some(Natural::from(search.stats.transitions)), "{name}");
        let canoniser = Canoniser::new(system, &system.symmetry, true);
        let Counts { orbits, states, transitions, fault } =
            count(system, Some(canoniser), &Limits::default()).unwrap();
        assert!(orbits < plain.orbits && fault.is_none(), "{name}");
        assert_eq!((states, transitions), (plain.states, plain.transitions), "{name}");
    }
}

#[test]
fn counting_ends_at_a_fault() {
    let text = "var x: 0..3;\nprocess P { rule up { x = x + 1; } rule down when x > 0 { x = x - 1; } }\n";
    let model = Model::load(text, &LoadOptions::new()).model.expect("the model is good");
    let counts = count(&model.system, None, &Limits::default()).unwrap();
    assert!(counts.fault.is_some());
    assert_eq!((counts.orbits, counts.states, counts.transitions), (4, None, None));
}

#[test]
fn counting_stops_at_limits_and_without_exact_representatives() {
    let model = model("mutex", &[("N", 6)]);
    let limits = Limits::of_states(3);
    assert_eq!(count(&model.system, None, &limits), Err(Stop::States(3)));
    let fast = Canoniser::new(&model.system, &model.system.symmetry, false);
    let counts = count(&model.system, Some(fast), &Limits::default()).unwrap();
    assert_eq!((counts.states, counts.transitions), (None, None));
}
