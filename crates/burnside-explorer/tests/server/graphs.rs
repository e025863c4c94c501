//! Pictures of graphs.

use crate::common::{examples, serve, serve_text};
use burnside_explorer::Bounds;
use serde_json::{Value, json};

fn list<'d>(document: &'d Value, key: &str) -> &'d [Value] {
    document[key].as_array().expect("a list")
}

#[test]
fn all_states_are_shown_or_stood_for() {
    let mut compared = 0;
    for example in examples().into_iter().filter(|example| example.states <= 400) {
        let mut client = serve(&example.name, &example.text, example.load.clone(), Bounds::default());
        let whole = client.get("api/graph?mode=unreduced&limit=1000");
        assert_eq!(whole["complete"], true, "{}", example.name);
        assert_eq!(list(&whole, "nodes").len(), example.states, "{}", example.name);
        let faults = example.transitions - list(&whole, "edges").len();
        assert!(faults == 0 || example.text.contains("faults=violated"), "{}", example.name);
        let quotient = client.get("api/graph?mode=quotient&limit=1000");
        let orbit =
            |node: &Value| node["orbit"].as_str().expect("a size").parse::<usize>().expect("a number");
        let total: usize = list(&quotient, "nodes").iter().map(orbit).sum();
        assert_eq!(total, example.states, "{}", example.name);
        compared += 1;
    }
    assert!(compared >= 12, "only {compared} examples");
}

const GRID: &str = "
    const N = 9;
    var x: 0..N; var y: 0..N;
    process P { rule right when x < N { x = x + 1; } rule up when y < N { y = y + 1; } }
    deadlock allowed;
";

#[test]
fn a_part_of_a_graph() {
    let mut client = serve_text(GRID);
    let first = client.get("api/graph?mode=unreduced&limit=3");
    assert_eq!((&first["complete"], list(&first, "nodes").len()), (&json!(false), 3));
    let depths: Vec<_> = list(&first, "nodes").iter().map(|node| node["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [0, 1, 1]);
    assert_eq!(first["total_states_seen"], 100);
    let edge =
        json!({"process": "P", "rule": "right", "arguments": {}, "from": 0, "to": 1, "permutation": null});
    assert_eq!(first["edges"][0], edge);
    // The state in the middle, and its four neighbours.
    let all = client.get("api/graph?mode=unreduced&limit=1000");
    let at = |x: u32, y: u32| json!({"x": x.to_string(), "y": y.to_string()});
    let middle = list(&all, "nodes").iter().find(|node| node["state"] == at(4, 5)).expect("it is there");
    assert_eq!(middle["depth"], 9);
    let near = client.get(&format!("api/graph?mode=unreduced&around={}&radius=1", middle["id"]));
    let states: Vec<_> = list(&near, "nodes").iter().map(|node| node["state"].clone()).collect();
    assert_eq!(states.len(), 5);
    for state in [at(4, 5), at(3, 5), at(5, 5), at(4, 4), at(4, 6)] {
        assert!(states.contains(&state), "{state}");
    }
    assert_eq!(list(&near, "edges").len(), 4);
    assert_eq!(client.ask("api/graph?mode=unreduced&around=100").status, 404);
    assert_eq!(client.ask("api/graph?mode=all").status, 400);
    assert_eq!(client.ask("api/graph?limit=many").status, 400);
}

#[test]
fn states_are_coloured_by_a_condition() {
    let mut client = serve_text(GRID);
    let graph = client.get("api/graph?mode=unreduced&limit=1000&colour=x%20%2B%20y%20%3E%3D%20N");
    for node in list(&graph, "nodes") {
        let number = |cell: &str| node["state"][cell].as_str().unwrap().parse::<u32>().unwrap();
        assert_eq!(node["colour"], number("x") + number("y") >= 9, "{node}");
    }
    let plain = client.get("api/graph?mode=unreduced&limit=2&colour=");
    assert_eq!(plain["nodes"][0]["colour"], Value::Null);
    for (bad, part) in [("z%20%3D%3D%201", "unknown"), ("x%20%2B", "expected"), ("x", "bool")] {
        let answer = client.ask(&format!("api/graph?colour={bad}"));
        assert_eq!(answer.status, 400, "{bad}");
        assert!(answer.error().contains(part), "{bad}: {}", answer.error());
    }
}

#[test]
fn orbits_have_permutations() {
    let mut client = serve_text("symmetric T[3]; process T[t] { var on: bool; rule flip { on = !on; } }");
    let graph = client.get("api/graph");
    assert_eq!((list(&graph, "nodes").len(), &graph["complete"]), (4, &json!(true)));
    let orbits: Vec<_> = list(&graph, "nodes").iter().map(|node| node["orbit"].as_str().unwrap()).collect();
    assert_eq!(orbits, ["1", "3", "3", "1"]);
    let moved = list(&graph, "edges").iter().filter_map(|edge| edge["permutation"].as_str());
    assert!(moved.clone().count() > 0 && moved.clone().all(|it| it.starts_with("T (")), "{graph}");
    let symmetry = client.get("api/symmetry");
    assert_eq!((&symmetry["order"], &symmetry["broken"]), (&json!("6"), &json!([])));
}

#[test]
fn what_breaks_the_symmetry_has_a_place() {
    let mut client = serve_text(
        "symmetric T[3];\nvar first: T? = none;\nprocess T[t] {\n    rule go when first == none && t == T#1 { first = t; }\n}\n",
    );
    let symmetry = client.get("api/symmetry");
    let broken = &symmetry["broken"][0];
    assert_eq!(
        (&broken["line"], &broken["text"]),
        (&json!(4), &json!("    rule go when first == none && t == T#1 { first = t; }"))
    );
    let (from, to) = (broken["column"].as_u64().unwrap(), broken["end_column"].as_u64().unwrap());
    let text = broken["text"].as_str().unwrap();
    assert!(text[from as usize - 1..to as usize - 1].contains("T#1"), "{broken}");
    let model = client.get("api/model");
    assert_eq!(model["cells"], json!([{"name": "first", "variable": "first", "lane": null}]));
    assert_eq!(model["processes"], json!([{"name": "T", "members": ["T[0]", "T[1]", "T[2]"]}]));
}
