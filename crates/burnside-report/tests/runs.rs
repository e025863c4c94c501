//! What is told of runs that were made by hand: lanes, messages, rows, when fairness units are taken.

use burnside::{Kind, LoadOptions, Model};
use burnside_report::decode::TraceDecoder;
use burnside_report::lanes;
use burnside_report::messages::messages;
use burnside_report::rows::{Cells, rows};
use burnside_trace::{End, Evidence, Step, timetable};
use burnside_ts::{Label, Outcome, System};
use std::ops::ControlFlow;

fn example(name: &str, options: &LoadOptions) -> (String, Model) {
    let path = format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the example can be read");
    let model = Model::load(text.as_str(), options).into_model().expect("the example is right");
    (text, model)
}

fn model(text: &str) -> Model {
    Model::load(text, &LoadOptions::new()).into_model().expect("the model is right")
}

/// The run that takes these steps; in the end it goes on from the state with this number.
fn run(system: &System, labels: &[&str], start: Option<usize>) -> Evidence {
    let mut machine = system.machine();
    let mut states: Vec<Box<[u64]>> = Vec::new();
    machine.initial(&mut |outcome| match outcome {
        Outcome::State(state) => {
            states.push(state.into());
            ControlFlow::Break(())
        }
        Outcome::Fault(fault) => panic!("{fault:?}"),
    });
    let mut steps = Vec::new();
    for wanted in labels {
        let (mut found, from) = (None, states.last().expect("there is one").clone());
        machine.successors(&from, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if let (true, Outcome::State(state)) = (system.show_label(label) == *wanted, outcome) {
                found = Some((Step::from(label), state.into()));
            }
            ControlFlow::Continue(())
        });
        let (step, state) = found.unwrap_or_else(|| panic!("{wanted} can be taken"));
        steps.push(step);
        states.push(state);
    }
    let end = match start {
        Some(start) => {
            assert_eq!(states.pop().as_ref(), Some(&states[start]), "the loop is closed");
            End::Loop(start)
        }
        None => End::State,
    };
    Evidence { states, steps, end }
}

/// The rows as `text` and a letter for each state, or texts.
fn shown(model: &Model, source: &str, property: &str, evidence: &Evidence) -> Vec<(String, String)> {
    let row = |cells: Cells| match cells {
        Cells::Truths(truths) => {
            truths.into_iter().map(|truth| truth.map_or('?', |truth| if truth { 'T' } else { '-' })).collect()
        }
        Cells::Texts(texts) => texts.join(" "),
    };
    rows(model, source, property, evidence).into_iter().map(|one| (one.text, row(one.cells))).collect()
}

fn told(model: &Model, evidence: &Evidence) -> Vec<(String, String, usize, Option<usize>)> {
    let all = messages(&TraceDecoder::new(model), evidence, usize::MAX);
    all.into_iter().map(|one| (one.cell, one.value, one.sent, one.received)).collect()
}

const STARVED: [&str; 7] = [
    "Client[0].request",
    "Client[1].request",
    "Server.grant(c=Client#1)",
    "Client[1].enter",
    "Client[1].leave",
    "Server.recover",
    "Client[1].request",
];

#[test]
fn frames_and_their_acknowledgements() {
    let (_, model) = example("alternating_bit", &LoadOptions::new());
    let labels = [
        "Sender.send",
        "Sender.send",
        "Receiver.receive",
        "Links.lose_ack",
        "Receiver.receive",
        "Sender.receive_ack",
    ];
    let evidence = run(&model.system, &labels, None);
    let frame = || "Frame(bit: false, item: 0)".to_string();
    let expected = [
        ("frames".to_string(), frame(), 0, Some(2)),
        ("frames".to_string(), frame(), 1, Some(4)),
        ("acks".to_string(), "false".to_string(), 2, Some(3)),
        ("acks".to_string(), "false".to_string(), 4, Some(5)),
    ];
    assert_eq!(told(&model, &evidence), expected);
    let decoder = TraceDecoder::new(&model);
    let owners = lanes::owners(&model.system, &decoder.leaves);
    assert_eq!(lanes::of_run(&model.system, &owners, &evidence), ["Sender", "Receiver", "Links"]);
    let short = run(&model.system, &labels[..2], None);
    assert_eq!(lanes::of_run(&model.system, &owners, &short), ["Sender", "Receiver"]);
    assert_eq!(messages(&decoder, &evidence, 2).len(), 2, "only of the first steps");
}

#[test]
fn elements_of_a_bag_count() {
    let model = model(
        "var net: bag[3] of 0..2; var box: bag[1] of bool;
        process P {
            rule add(v: 0..2) when !net.full() { net.add(v); }
            rule take(v in net) { net.remove(v); }
            rule clear when !net.empty() { net.clear(); }
            rule put when box.empty() { box.add(true); }
        }",
    );
    let labels = ["P.add(v=1)", "P.put", "P.add(v=1)", "P.add(v=0)", "P.take(v=1)", "P.take(v=0)"];
    let evidence = run(&model.system, &labels, None);
    let expected = [
        ("net".to_string(), "1".to_string(), 0, Some(4)),
        ("box".to_string(), "true".to_string(), 1, None),
        ("net".to_string(), "1".to_string(), 2, None),
        ("net".to_string(), "0".to_string(), 3, Some(5)),
    ];
    assert_eq!(told(&model, &evidence), expected);
    // The step that closes a loop receives, too.
    let closed = run(&model.system, &["P.put", "P.add(v=2)", "P.clear"], Some(1));
    assert_eq!(told(&model, &closed)[1], ("net".to_string(), "2".to_string(), 1, Some(2)));
}

#[test]
fn cells_belong_to_members() {
    let owner = |(_, model): &(String, Model), cell: &str| {
        let leaves = model.system.leaves();
        let owners = lanes::owners(&model.system, &leaves);
        owners[leaves.iter().position(|leaf| leaf.name == cell).expect("there is such a cell")].clone()
    };
    let broadcast = example("broadcast", &LoadOptions::new());
    assert_eq!(owner(&broadcast, "full[0][1]").as_deref(), Some("Link[0, 1]"));
    assert_eq!(owner(&broadcast, "full[2][0]").as_deref(), Some("Link[2, 0]"));
    assert_eq!(owner(&broadcast, "to_tell[1]").as_deref(), Some("Node[1]"));
    assert_eq!(owner(&broadcast, "left").as_deref(), Some("Failure"));
    assert_eq!(owner(&broadcast, "origin"), None);
    let german = example("german", &LoadOptions::new());
    assert_eq!(owner(&german, "request[1]").as_deref(), Some("Client[1]"), "an array by the family's index");
    assert_eq!(owner(&german, "memory").as_deref(), Some("Home"));
    assert_eq!(owner(&german, "latest"), None);
    let filter = example("filter_lock", &LoadOptions::new());
    assert_eq!(owner(&filter, "victim[1]"), None, "not the index of a family");
}

#[test]
fn what_a_formula_sees() {
    let (source, model) = example("resource", &LoadOptions::new().set("N", 2));
    let evidence = run(&model.system, &STARVED, Some(2));
    let about = |text: &str| format!("{text}  [c = Client#0]");
    let expected = [
        ("forall c: Client { G (phase[c] == requested -> F phase[c] == using) }".to_string(), "-------"),
        (about("G (phase[c] == requested -> F phase[c] == using)"), "-------"),
        (about("phase[c] == requested -> F phase[c] == using"), "T------"),
        (about("phase[c] == requested"), "-TTTTTT"),
        (about("F phase[c] == using"), "-------"),
        (about("phase[c] == using"), "-------"),
    ];
    let expected = expected.map(|(text, truths)| (text, truths.to_string()));
    assert_eq!(shown(&model, &source, "access", &evidence), expected);
    let exclusion = shown(&model, &source, "exclusion", &evidence);
    let body = "forall a, b: Client { phase[a] == using && phase[b] == using -> a == b }";
    let expected =
        [(format!("G ({body})"), "TTTTTTT".to_string()), (body.to_string(), "TTTTTTT".to_string())];
    assert_eq!(exclusion, expected);
}

#[test]
fn when_units_are_taken() {
    let (_, model) = example("resource", &LoadOptions::new().set("N", 2));
    let evidence = run(&model.system, &STARVED, Some(2));
    let table = timetable(&model.system, &evidence, usize::MAX);
    let table: Vec<_> =
        table.iter().map(|one| (one.name.as_str(), &one.taken[..], &one.disabled[..])).collect();
    let expected: [(&str, &[usize], &[usize]); 3] =
        [("Server", &[2, 5], &[3, 4]), ("Client[0]", &[], &[2, 3, 4, 5, 6]), ("Client[1]", &[3, 4, 6], &[2])];
    assert_eq!(table, expected);
    let cut = timetable(&model.system, &evidence, 4);
    assert_eq!((&cut[0].taken[..], &cut[0].disabled[..]), (&[2][..], &[3][..]));
    let finite = run(&model.system, &STARVED[..3], None);
    assert!(timetable(&model.system, &finite, usize::MAX).is_empty());
}

const PAIR: &str = "
    var x: 0..3; var y: 0..3;
    process P { rule right { x = x + 1; } rule up { y = y + 1; } rule stay {} }
    invariant both = x < 2 && (y < 2 && x + y < 3);
    invariant quotient = 6 / x > 2;
    reachable far = x == 2;
    never pair { x == 1; x == 2 }
";

#[test]
fn what_conditions_see() {
    let model = model(PAIR);
    let evidence = run(&model.system, &["P.right", "P.up", "P.right", "P.up"], None);
    let expected = [
        ("x < 2 && (y < 2 && x + y < 3)", "TTT--"),
        ("x < 2", "TTT--"),
        ("y < 2", "TTTT-"),
        ("x + y < 3", "TTT--"),
    ];
    let expected = expected.map(|(text, truths)| (text.to_string(), truths.to_string()));
    assert_eq!(shown(&model, PAIR, "both", &evidence), expected);
    assert_eq!(shown(&model, PAIR, "far", &evidence), [("x == 2".to_string(), "---TT".to_string())]);
    assert_eq!(shown(&model, PAIR, "quotient", &evidence), [("6 / x > 2".to_string(), "?TTTT".to_string())]);
    let sets = "{} {0} {0} {1} {}".to_string();
    assert_eq!(shown(&model, PAIR, "pair", &evidence), [("conditions matched last".to_string(), sets)]);
    assert_eq!(shown(&model, PAIR, "faults", &evidence), []);
}

#[test]
fn where_an_automaton_is() {
    let automaton = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"x == 2\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
                     State: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[0] 1\n--END--\n";
    let options = LoadOptions::new().property(Kind::Automaton, automaton);
    let model = Model::load(PAIR, &options).into_model().expect("the automaton is right");
    let name = model.external[0].0.clone();
    let evidence = run(&model.system, &["P.right", "P.right", "P.stay"], Some(2));
    let sets = "{0} {0} {0}".to_string();
    assert_eq!(shown(&model, PAIR, &name, &evidence), [("automaton state".to_string(), sets)]);
    let longer = run(&model.system, &["P.right", "P.right", "P.up", "P.right"], None);
    let sets = "{0} {0} {0} {0, 1} {0, 1}".to_string();
    assert_eq!(shown(&model, PAIR, &name, &longer), [("automaton state".to_string(), sets)]);
}
