//! Models in several files, in an editor: names lead into other files, mistakes there are told here.

use crate::client::{Client, at};
use serde_json::{Value, json};

const LIBRARY: &str = "const SIZE = 2;\ntype Small = 0..3;\nfn twice(n: int): int = n + n;\n";
const MODEL: &str =
    "import \"lib.orb\" as l;\nvar x: l.Small;\nprocess P { rule r when x < l.SIZE { x = l.twice(x); } }\n";

fn uri(name: &str) -> String {
    format!("file:///nowhere/that/exists/{name}")
}

fn ask(client: &mut Client, method: &str, name: &str, line: u32, column: u32) -> Value {
    let mut params = at(line, column);
    params["textDocument"]["uri"] = json!(uri(name));
    client.ask(method, params).unwrap()
}

#[test]
fn names_lead_into_the_file_that_declares_them() {
    let mut client = Client::new();
    client.open_as(&uri("lib.orb"), "orb", LIBRARY);
    client.open_as(&uri("m.orb"), "orb", MODEL);
    let found = ask(&mut client, "textDocument/definition", "m.orb", 2, 31);
    assert_eq!(found["uri"], json!(uri("lib.orb")));
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 6}));
    let file = ask(&mut client, "textDocument/definition", "m.orb", 0, 12);
    assert_eq!((&file["uri"], &file["range"]["start"]["line"]), (&json!(uri("lib.orb")), &json!(0)));
    let offered = ask(&mut client, "textDocument/completion", "m.orb", 2, 30);
    let labels: Vec<&str> =
        offered.as_array().unwrap().iter().filter_map(|it| it["label"].as_str()).collect();
    assert_eq!(labels.len(), 3, "{labels:?}");
    assert!(["SIZE", "Small", "twice"].iter().all(|name| labels.contains(name)), "{labels:?}");
}

#[test]
fn a_file_that_changes_is_looked_at_again_by_those_that_import_it() {
    let mut client = Client::new();
    client.open_as(&uri("m.orb"), "orb", MODEL);
    let told = client.notified("textDocument/publishDiagnostics");
    let codes = |told: &Value| -> Vec<String> {
        let all = told["diagnostics"].as_array().unwrap().iter();
        all.map(|it| it["code"].as_str().unwrap_or_default().to_string()).collect()
    };
    assert_eq!(codes(&told), ["bad-import"]);
    client.open_as(&uri("lib.orb"), "orb", LIBRARY);
    let mut told = vec![client.notified("textDocument/publishDiagnostics")];
    told.push(client.notified("textDocument/publishDiagnostics"));
    assert!(told.iter().all(|it| codes(it).is_empty()), "{told:?}");
}
