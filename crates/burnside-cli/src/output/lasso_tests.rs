//! How infinite runs look, on runs made by hand.

use crate::input::{Input, Source, load_source};
use crate::output::Paint;
use crate::output::text::Printer;
use crate::output::view::View;
use crate::run::moves;
use burnside::{Answer, Kind, LoadOptions, Report, Stats, Verdict};
use burnside_report::decode::TraceDecoder;
use burnside_report::json as documents;
use burnside_trace::{Claim, End, Evidence, TreeOptions, replay};
use burnside_ts::{Interpreter, Machine};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::Duration;

fn input(text: &str, size: usize) -> Input {
    let source = Source { path: "model.orb".into(), text: text.to_string().into() };
    load_source(source, &LoadOptions::new().set("N", size)).unwrap_or_else(|_| panic!("the model is good"))
}

fn example(name: &str, size: usize) -> Input {
    let path = format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"));
    input(&std::fs::read_to_string(path).unwrap(), size)
}

/// The run with these steps; with a `start`, the last closes the loop.
fn run(input: &Input, labels: &[String], start: Option<usize>) -> Evidence {
    let system = &input.model.system;
    let mut machine = Interpreter::new(system);
    let mut evidence = Evidence { states: Vec::new(), steps: Vec::new(), end: End::Stutter };
    machine.initial(&mut |outcome| {
        evidence.states.extend(crate::run::own(outcome).ok());
        ControlFlow::Break(())
    });
    for label in labels {
        let found = moves(&mut machine, evidence.states.last().unwrap()).0;
        let found = found.into_iter().find(|found| system.show_label(found.step.label()) == *label).unwrap();
        evidence.steps.push(found.step);
        evidence.states.push(found.after.unwrap());
    }
    if let Some(start) = start {
        evidence.states.pop();
        evidence.end = End::Loop(start);
    }
    evidence
}

/// The result that the run shows, after a replay.
fn result(input: &Input, name: &str, evidence: Evidence, fair: bool) -> Answer {
    let property = input.model.system.properties.iter().find(|property| property.name == name).unwrap();
    let claim = Claim { question: &property.question, fair, value: None };
    assert_eq!(replay(&input.model.system, &evidence, claim), Ok(()));
    Answer {
        property: name.into(),
        kind: Kind::Ltl,
        text: property.text.clone(),
        verdict: Verdict::Violated,
        value: None,
        value_so_far: None,
        engine: burnside::Engine::Explicit,
        symmetry: burnside::Symmetry::None,
        group: input.model.system.symmetry.clone(),
        method: Some(burnside::Procedure::Linear(burnside::Method::OnTheFly)),
        automaton_symmetry: Some(burnside::AutomatonSymmetry::None),
        vacuous: None,
        within_constraint: false,
        weighed: None,
        partial_order: None,
        time: Duration::ZERO,
        stats: Stats::default(),
        unreduced: None,
        tree: None,
        evidence: Some(evidence),
    }
}

fn report(model: &burnside::Model, result: Answer) -> Report {
    let group = result.group.clone();
    Report {
        smaller: std::collections::BTreeMap::new(),
        results: vec![result],
        group,
        stats: Stats::default(),
        unreduced: None,
        time: Duration::ZERO,
        chosen: None,
        model: model.clone(),
    }
}

fn text(input: &Input, result: Answer) -> String {
    let mut out = Vec::new();
    let printer = Printer {
        input,
        paint: Paint::PLAIN,
        view: View::CHANGES,
        witness: false,
        paths: TreeOptions::default(),
    };
    printer.report(&mut out, &report(&input.model, result)).unwrap();
    let text = String::from_utf8(out).unwrap();
    // Without the line of the model and the summary.
    let lines: Vec<&str> = text.lines().collect();
    lines[2..lines.len() - 2].join("\n") + "\n"
}

fn labels(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

/// Everybody asks; all but the first are served in turn, for ever.
fn starved(input: &Input, size: usize) -> Evidence {
    let ask = (0..size).map(|i| format!("Client[{i}].request"));
    let serve = (1..size).flat_map(|i| {
        let client = format!("Client[{i}]");
        [
            format!("Server.grant(c=Client#{i})"),
            format!("{client}.enter"),
            format!("{client}.leave"),
            "Server.recover".to_string(),
            format!("{client}.request"),
        ]
    });
    run(input, &ask.chain(serve).collect::<Vec<_>>(), Some(size))
}

#[test]
fn a_loop() {
    let input = example("resource", 2);
    let evidence = starved(&input, 2);
    let expected = "  ✗ access  ltl  violated  a loop of 5 steps after 2 steps  (expected)
      0  initial state
           lock        = free
           phase[0..1] = idle
      1  Client[0]  request              phase[0]: idle → requested
      2  Client[1]  request              phase[1]: idle → requested
      loop:
      3  Server     grant(c = Client#1)  lock:     free → busy
                                         phase[1]: requested → granted
      4  Client[1]  enter                phase[1]: granted → using
      5  Client[1]  leave                lock:     busy → released
                                         phase[1]: using → idle
      6  Server     recover              lock:     released → free
      7  Client[1]  request              phase[1]: idle → requested
         back to the state after step 2

      why this run is fair, in the loop:
        Server     weak  taken in step 3
        Client[0]  weak  never enabled
        Client[1]  weak  taken in step 4

      in the loop Server and Client[1] move, again and again
      Client[0] waits for ever: it can do nothing anywhere in the loop
      false of this run, c = Client#0: forall c: Client { G (phase[c] == requested -> F phase[c] == using) }
";
    assert_eq!(text(&input, result(&input, "access", evidence, true)), expected);
}

#[test]
fn many_units_in_few_lines() {
    let input = example("resource", 300);
    let evidence = starved(&input, 300);
    let text = text(&input, result(&input, "access", evidence, true));
    assert!(text.lines().count() < 120, "{}", text.lines().count());
    for line in [
        "         … 260 more steps; `--trace FILE` records all\n",
        "         … 1,455 more steps; `--trace FILE` records all\n",
        "      loop:\n              lock          = free\n              phase[0..299] = requested\n       301  Server",
        "      1795  Client[299]  request",
        "      why this run is fair, in the loop:\n        Server          weak  taken in step 301\n",
        "        Client[0]       weak  never enabled\n",
        "        Client[1..299]  weak  each taken in one of the steps 302 to 1792\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn names_of_alternating_units_are_cut_short() {
    let text_of =
        "const N = 20; var x: 0..2; fair process P[i: 1..N] { rule go when i % 2 == x { x = 1 - x; } }
        ltl both = F (x == 1 && x == 0);
        strong fair process Q { rule rest when x == 2 { x = 0; } }";
    let input = input(text_of, 20);
    let evidence = run(&input, &labels(&["P[2].go", "P[1].go"]), Some(0));
    let text = text(&input, result(&input, "both", evidence, true));
    let expected = "
      why this run is fair, in the loop:
        P[1]                                          weak    taken in step 2
        P[2]                                          weak    taken in step 1
        P[3], P[5], P[7], P[9], P[11], … (9 in all)   weak    disabled in the initial state
        P[4], P[6], P[8], P[10], P[12], … (9 in all)  weak    disabled after step 1
        Q                                             strong  never enabled
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn weak_and_strong_units() {
    let path = format!("{}/../../examples/mutex_strong.orb", env!("CARGO_MANIFEST_DIR"));
    let model = std::fs::read_to_string(path).unwrap();
    let weak = input(&model.replace("strong fair", "fair"), 3);
    let around = ["Proc[0].try", "Proc[1].try", "Proc[2].try", "Proc[1].enter", "Proc[1].exit"];
    let around = [&around[..], &["Proc[2].enter", "Proc[2].exit", "Proc[1].try", "Proc[2].try"]].concat();
    let shown = text(&weak, result(&weak, "entry", run(&weak, &labels(&around), Some(3)), true));
    let expected = "
      why this run is fair, in the loop:
        Proc[0], Proc[0].enter  weak  disabled after step 4
        Proc[1], Proc[1].enter  weak  taken in step 4
        Proc[2], Proc[2].enter  weak  taken in step 6
";
    assert!(shown.contains(expected), "{shown}");
    let strong = example("mutex_strong", 3);
    let shown = text(&strong, result(&strong, "entry", run(&strong, &labels(&around), Some(3)), false));
    let expected = "
      this run is not fair:
        Proc[0]        weak    disabled after step 4
        Proc[1]        weak    taken in step 4
        Proc[2]        weak    taken in step 6
        Proc[0].enter  strong  enabled again and again and never taken
        Proc[1].enter  strong  taken in step 4
        Proc[2].enter  strong  taken in step 6
";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn a_run_that_ends() {
    let text_of = "const N = 2; var x: 0..N; deadlock allowed;
        fair process P { rule up when x < N { x = x + 1; } }
        ltl goes = G F x < N;";
    let input = input(text_of, 2);
    let shown = text(&input, result(&input, "goes", run(&input, &labels(&["P.up", "P.up"]), None), true));
    let expected = "  ✗ goes  ltl  violated  ends after 2 steps
      0  initial state
           x = 0
      1  P  up  x: 0 → 1
      2  P  up  x: 1 → 2
         no rule is enabled any more: the run stays here for ever

      why this run is fair, from there on:
        P  weak  never enabled

      false of this run: G F x < N
";
    assert_eq!(shown, expected);
}

#[test]
fn documents() {
    let input = example("resource", 2);
    let report = report(&input.model, result(&input, "access", starved(&input, 2), true));
    let mut out = Vec::new();
    documents::report(
        &input,
        &TraceDecoder::new(&input.model),
        &report,
        TreeOptions::default(),
        (None, None),
        None,
    )
    .write(&mut out)
    .unwrap();
    let document: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), format!("{document:#}\n"));
    let evidence = &document["results"][0]["evidence"];
    assert_eq!((&evidence["kind"], &evidence["loop_start"]), (&json!("lasso"), &json!(2)));
    assert_eq!(evidence["stutter"], false);
    let fairness = json!([
        {"unit": "Server", "strength": "weak", "how": "executed", "where": 2},
        {"unit": "Client[0]", "strength": "weak", "how": "never_enabled", "where": null},
        {"unit": "Client[1]", "strength": "weak", "how": "executed", "where": 3},
    ]);
    assert_eq!(evidence["fairness"], fairness);
    assert_eq!(evidence["steps"][6]["changes"], json!({"phase[1]": "requested"}));
    assert_eq!((evidence["states"].as_array().unwrap().len(), &evidence["fault"]), (7, &Value::Null));
}
