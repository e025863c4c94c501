//! What editors ask, one test for each kind of question.

use crate::client::{Client, URI, at, example, marked};
use serde_json::{Value, json};

/// The start and the end of a range: lines and units.
fn range(value: &Value) -> [u64; 4] {
    let place = |end: &str, what: &str| value[end][what].as_u64().expect("a number");
    [place("start", "line"), place("start", "character"), place("end", "line"), place("end", "character")]
}

fn labels(items: &Value) -> Vec<String> {
    let items = items.as_array().unwrap_or_else(|| panic!("no list: {items}"));
    items.iter().map(|item| item["label"].as_str().expect("a label").to_string()).collect()
}

/// What can be written at `|`.
fn completed(text: &str) -> Vec<String> {
    let (text, line, character) = marked(text);
    let mut client = Client::new();
    client.open(&text);
    let items = client.ask_at("textDocument/completion", line, character).expect("an answer");
    client.end();
    labels(&items)
}

/// What is said about the name at `|`.
fn hovered(text: &str) -> String {
    let (text, line, character) = marked(text);
    let mut client = Client::new();
    client.open(&text);
    let hover = client.ask_at("textDocument/hover", line, character).expect("an answer");
    client.end();
    hover["contents"]["value"].as_str().unwrap_or_else(|| panic!("nothing: {hover}")).to_string()
}

#[test]
fn diagnostics_follow_edits_with_places_in_units() {
    let mut client = Client::new();
    client.open("var x: bool; // \u{1f600}ü\nvar y: bool;\nprocess P { rule r { x = !x; y = !y; } }\n");
    assert_eq!(client.diagnostics(), Vec::<Value>::new());
    // Behind a smiling face, which is two units; the error is behind it too.
    client.change(Some([0, 13, 0, 19]), "/* \u{1f600}ü */ var x: bool;");
    let found = client.diagnostics();
    let [error] = &found[..] else { panic!("{found:?}") };
    assert_eq!((range(&error["range"]), &error["code"]), ([0, 27, 0, 28], &json!("duplicate-name")));
    assert_eq!((&error["severity"], &error["source"]), (&json!(1), &json!("burnside")));
    let related = &error["relatedInformation"][0];
    assert_eq!(
        (range(&related["location"]["range"]), &related["message"]),
        ([0, 4, 0, 5], &json!("first here"))
    );
    client.change(Some([0, 13, 0, 35]), "");
    assert_eq!(client.diagnostics(), Vec::<Value>::new());
    client.change(Some([2, 20, 2, 28]), "");
    let found = client.diagnostics();
    assert!(found.iter().all(|it| it["severity"] == 2) && !found.is_empty(), "{found:?}");
    client.change(None, "var phase: bool; process P { rule r { phsae = true; } }");
    let found = client.diagnostics();
    let unknown = found.iter().find(|it| it["code"] == "unknown-name").expect("the error");
    assert!(unknown["message"].as_str().unwrap().contains("help: did you mean `phase`?"), "{unknown}");
    client.close();
    assert_eq!(client.notified("textDocument/publishDiagnostics")["diagnostics"], json!([]));
    client.end();
}

#[test]
fn edits_in_any_order_keep_the_text_exact() {
    let mut client = Client::new();
    client.open("var x: bool;\r\nprocess P { rule r { x = !x; } }");
    let changes = json!([
        {"range": {"start": {"line": 1, "character": 28}, "end": {"line": 1, "character": 28}}, "text": " // é\u{1f600}é"},
        {"range": {"start": {"line": 1, "character": 36}, "end": {"line": 1, "character": 36}}, "text": "!\n"},
        {"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}}, "text": "yy"},
        {"range": {"start": {"line": 1, "character": 21}, "end": {"line": 1, "character": 22}}, "text": "yy"},
        {"range": {"start": {"line": 1, "character": 27}, "end": {"line": 1, "character": 28}}, "text": "yy"},
    ]);
    client.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": changes}),
    );
    let edits = client.ask(
        "textDocument/formatting",
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}}),
    );
    let text = edits.expect("an answer")[0]["newText"].as_str().expect("an edit").to_string();
    assert!(text.contains("yy = !yy; // é\u{1f600}é!\n"), "{text}");
    client.end();
}

#[test]
fn hover_tells_types_values_and_signatures() {
    let text = "const N = 3; symmetric C[N]; enum Phase { idle, busy } record R { size: 0..N }
var r: R; fn small(x: int): bool = x < N;
fair process C[c] { var phase: Phase; rule go(d: C) when phase[d] == idle && small(r.size) { let y = d; phase = busy; } }
invariant i = forall e: C { phase[e] == idle };";
    for (name, expected) in [
        ("[N", "const N = 3"),
        ("== idle &&", "Phase.idle"),
        ("(r.size", "size: 0..3"),
        ("&& small", "fn small(x: int): bool"),
        ("let y", "y: C"),
        ("= d", "d: C"),
        ("rule go", "rule go(d: C)"),
        ("process C", "fair process C[c: C]"),
        ("forall e", "e: C"),
        ("invariant i", "invariant i"),
        ("; phase", "var phase: Phase"),
    ] {
        assert!(text.contains(name), "{name}");
        let at = text.find(name).unwrap() + name.trim_end_matches(" &&").len() - 1;
        let marked = format!("{}|{}", &text[..at], &text[at..]);
        let told = hovered(&marked);
        assert!(told.contains(&format!("```orb\n{expected}\n```")), "{name}: {told}");
    }
    let told = hovered(&text.replacen("var phase", "var |phase", 1));
    assert!(told.contains("enum Phase { idle, busy }"), "{told}");
}

#[test]
fn hover_on_symmetric_types_shows_the_group_and_what_breaks_it() {
    let base = "symmetric C[4];\nvar lock: C?;\nprocess C[c] { rule r when lock == none { lock = c; } rule s when lock == c { lock = none; } }\n";
    let told = hovered(&base.replacen("symmetric C", "symmetric |C", 1));
    assert!(told.contains("all 24 permutations of its 4 elements") && !told.contains("breaks"), "{told}");
    let named = format!(
        "{base}process Q {{ rule q when lock == C#1 {{ lock = none; }} }}\ninvariant i = lock != C#0;\n"
    );
    let told = hovered(&named.replacen("symmetric C", "symmetric |C", 1));
    assert!(told.contains("all permutations of 3 of its 4 elements"), "{told}");
    let place = "- [4:33](file:///models/test.orb#L4,33) `C#1` names element 1";
    assert!(told.contains(place), "{told}");
    assert!(told.contains("For `i` all permutations of 3 of its 4 elements:\n\n- [5:23]"), "{told}");
    let ordered = base.replacen("lock == c ", "(lock == none || lock! < c) ", 1);
    let told = hovered(&ordered.replacen("process C", "process |C", 1));
    assert!(told.contains("none is left") && told.contains("compares elements by order"), "{told}");
    let ring = "ring N[3]; process N[n] { var x: N = any; rule r { x = next(x); } }";
    assert!(hovered(&ring.replacen("ring N", "ring |N", 1)).contains("the 3 rotations"));
    let told = hovered(&ring.replacen("var x", "var |x", 1));
    assert!(told.contains("`ring N[3]`: the 3 rotations"), "{told}");
    let range = "type T = 0..2; var x: T; process P { rule r when x > 0 { x = 0; } rule s { x = 2; } }";
    let told = hovered(&range.replacen("type T", "type |T", 1));
    assert!(told.contains("Not symmetric") && told.contains("`x` compares elements by order"), "{told}");
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let text = "var x: 0..3;\nprocess P { rule r(x: 0..3) when x > 0 { let y = x; } }\ninvariant i = x == 0;";
    let mut client = Client::new();
    client.open(text);
    let found = client.ask_at("textDocument/definition", 1, 33).expect("an answer");
    assert_eq!((range(&found["range"]), &found["uri"]), ([1, 19, 1, 20], &json!(URI)));
    let found = client.ask_at("textDocument/definition", 2, 14).expect("an answer");
    assert_eq!(range(&found["range"]), [0, 4, 0, 5]);
    let found = client.ask_at("textDocument/references", 1, 19).expect("an answer");
    let found: Vec<_> = found.as_array().unwrap().iter().map(|it| range(&it["range"])).collect();
    assert_eq!(found, [[1, 19, 1, 20], [1, 33, 1, 34], [1, 49, 1, 50]]);
    let mut params = at(1, 19);
    params["context"]["includeDeclaration"] = json!(false);
    let found = client.ask("textDocument/references", params).expect("an answer");
    assert_eq!(found.as_array().unwrap().len(), 2);
    let found = client.ask_at("textDocument/documentHighlight", 0, 4).expect("an answer");
    assert_eq!(
        found.as_array().unwrap().iter().map(|it| it["kind"].as_u64().unwrap()).collect::<Vec<_>>(),
        [3, 2]
    );
    assert_eq!(client.ask_at("textDocument/definition", 0, 0), Ok(Value::Null));
    client.end();
}

#[test]
fn rename_changes_all_places_or_says_why_not() {
    let text =
        "symmetric C[2];\nprocess C[c] { var x: C?; rule r { x = c; } }\ninvariant i = C[C#0].x != none;";
    let mut client = Client::new();
    client.open(text);
    let prepared = client.ask_at("textDocument/prepareRename", 0, 10).expect("an answer");
    assert_eq!((range(&prepared["range"]), &prepared["placeholder"]), ([0, 10, 0, 11], &json!("C")));
    assert!(client.ask_at("textDocument/prepareRename", 0, 0).is_err());
    let rename = |client: &mut Client, line, character, name: &str| {
        let mut params = at(line, character);
        params["newName"] = json!(name);
        client.ask("textDocument/rename", params)
    };
    let edits = rename(&mut client, 0, 10, "Client").expect("an answer");
    let edits = edits["changes"][URI].as_array().expect("edits").clone();
    assert_eq!(edits.len(), 5);
    assert!(edits.iter().all(|edit| edit["newText"] == "Client"));
    for (name, why) in [("rule", "a word of the language"), ("2c", "not a name"), ("i-", "not a name")] {
        let (_, message) = rename(&mut client, 0, 10, name).expect_err("refused");
        assert!(message.contains(why), "{message}");
    }
    let (_, message) = rename(&mut client, 1, 10, "x").expect_err("refused");
    assert!(message.contains("declared twice"), "{message}");
    client.end();
}

#[test]
fn keys_of_check_blocks_are_names() {
    let text = "const N = 2; var x: 0..N; process P { rule r when x < N { x = x + 1; } }
invariant states = x <= N;
check { N = 3; states = 4; states = holds; deadlock = violated; }
check { N = holds; states = true; }";
    let mut client = Client::new();
    client.open(text);
    let hover = client.ask_at("textDocument/hover", 2, 8).expect("an answer");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("const N = 2"), "{hover}");
    let hover = client.ask_at("textDocument/hover", 2, 30).expect("an answer");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("invariant states"), "{hover}");
    // The figure of that name and what is built in are not declared anywhere.
    assert_eq!(client.ask_at("textDocument/hover", 2, 17), Ok(Value::Null));
    assert_eq!(client.ask_at("textDocument/hover", 2, 48), Ok(Value::Null));
    let found = client.ask_at("textDocument/definition", 2, 30).expect("an answer");
    assert_eq!(range(&found["range"]), [1, 10, 1, 16]);
    let found = client.ask_at("textDocument/references", 1, 12).expect("an answer");
    let found: Vec<_> =
        found.as_array().unwrap().iter().map(|it| range(&it["range"])[..2].to_vec()).collect();
    assert_eq!(found[..2], [[1, 10], [2, 27]]);
    let found = client.ask_at("textDocument/references", 0, 6).expect("an answer");
    let found: Vec<_> =
        found.as_array().unwrap().iter().map(|it| range(&it["range"])[..2].to_vec()).collect();
    assert_eq!(found[found.len() - 2..], [[2, 8], [3, 8]], "also one with a wrong value");
    client.change(Some([3, 0, 3, 35]), "");
    let rename = |client: &mut Client, line, character, name: &str| {
        let mut params = at(line, character);
        params["newName"] = json!(name);
        let edits = client.ask("textDocument/rename", params)?;
        let edits = edits["changes"][URI].as_array().expect("edits").clone();
        Ok::<_, (i32, String)>(edits.iter().map(|it| range(&it["range"])[..2].to_vec()).collect::<Vec<_>>())
    };
    let places = rename(&mut client, 2, 28, "small").expect("an answer");
    assert_eq!(places, [[1, 10], [2, 27]]);
    let places = rename(&mut client, 0, 6, "M").expect("an answer");
    assert!(places.contains(&vec![2, 8]) && places.len() == 5, "{places:?}");
    let (_, why) = rename(&mut client, 0, 6, "orbits").expect_err("refused");
    assert!(why.contains("figure"), "{why}");
    client.end();
}

#[test]
fn completion_knows_check_blocks() {
    let text = "const N = 2; const ON = true; var x: 0..N; invariant low = x < 3 expect |; check { ";
    assert_eq!(completed(text), ["holds", "violated", "unknown"]);
    let text = text.replace("|", "holds");
    let found = completed(&format!("{text}|"));
    for key in ["N", "ON", "low", "states", "orbits", "fairness", "deadlock"] {
        assert!(found.iter().any(|it| it == key), "{key} is missing: {found:?}");
    }
    assert!(!found.contains(&"x".to_string()) && !found.contains(&"forall".to_string()), "{found:?}");
    assert_eq!(completed(&format!("{text}N = 2; low = |")), ["holds", "violated", "unknown"]);
    assert_eq!(completed(&format!("{text}deadlock = |; }}")), ["holds", "violated", "unknown"]);
    assert_eq!(completed(&format!("{text}fairness = |; }}")), ["model", "none"]);
    assert_eq!(completed(&format!("{text}ON = |; }}")), ["true", "false"]);
    assert_eq!(completed(&format!("{text}states = |; }}")), Vec::<String>::new());
    let found = completed(&format!("{text}states = 3; }} |"));
    assert!(found.contains(&"invariant".to_string()) && found.contains(&"check".to_string()), "{found:?}");
    let found = completed("var x: bool; invariant i = x |");
    assert!(found.contains(&"expect".to_string()), "{found:?}");
}

#[test]
fn completion_knows_what_is_expected() {
    let text = "enum Phase { idle, busy } record R { size: 0..3, on: bool } symmetric C[2];
const N = 2; var r: R; var q: queue[2] of R; var s: set of C;
fn big(x: int): bool = x > N;
process C[c] {
    var phase: Phase;
    locations home, away;
    rule go(other: C) when @";
    let rest = " { } }\nltl p = G true;";
    let at = |body: &str| completed(&format!("{text}{body}{rest}"));
    let has = |found: &[String], wanted: &[&str]| {
        for name in wanted {
            assert!(found.iter().any(|it| it == name), "{name} is missing: {found:?}");
        }
    };
    let lacks = |found: &[String], unwanted: &[&str]| {
        for name in unwanted {
            assert!(found.iter().all(|it| it != name), "{name} is there: {found:?}");
        }
    };
    let found = at("|");
    assert_eq!(found, ["home", "away"]);
    let found = at("home && |");
    has(&found, &["other", "c", "phase", "r", "q", "N", "big", "idle", "forall", "true", "R", "C"]);
    lacks(&found, &["process", "let", "G", "size", "home"]);
    assert_eq!(at("home && r.|"), ["size", "on"]);
    assert_eq!(at("home && q.|"), ["size", "empty", "full", "front", "back"]);
    assert_eq!(at("home && q.front().|"), ["size", "on"]);
    assert_eq!(at("home && C[other].|"), ["phase", "pc"]);
    assert_eq!(at("home && Phase.|"), ["idle", "busy"]);
    let found = at("home { s = {}; | } rule t");
    has(&found, &["other", "phase", "s", "if", "let", "goto"]);
    lacks(&found, &["invariant", "true", "when"]);
    assert_eq!(at("home { q.| } rule t"), ["push", "pop", "insert", "remove", "clear"]);
    assert_eq!(at("home { if true { s.a| } } rule t"), ["add", "remove", "clear"]);
    assert_eq!(at("home { goto | } rule t"), ["home", "away"]);
    let found = at("home { let z = 1; r.size = |; } rule t");
    has(&found, &["z", "other"]);
    let found = at("home {} | rule t");
    has(&found, &["rule", "var", "at", "fair"]);
    lacks(&found, &["phase", "if"]);
    let found = at("home {} var v: | rule t");
    has(&found, &["Phase", "R", "C", "bool", "queue"]);
    lacks(&found, &["phase", "N"]);
    let whole = format!("{text}home {rest}");
    let found = completed(&format!("{whole}\n|"));
    has(&found, &["invariant", "ltl", "process", "var"]);
    lacks(&found, &["phase", "rule"]);
    let found = completed(&format!("{whole}\nltl q = forall m: C {{ | }};"));
    has(&found, &["m", "G", "F", "phase", "enabled"]);
    lacks(&found, &["other", "AG"]);
    has(&completed(&format!("{whole}\nctl q = |")), &["AG", "EF"]);
    assert_eq!(completed(&format!("{whole}\ninvariant q = enabled(|)")), ["C", "go"]);
    assert_eq!(completed(&format!("{whole}\ninvariant q = enabled(C[C#0].|)")), ["go"]);
    assert_eq!(completed(&format!("{whole}\n// |")), Vec::<String>::new());
    assert_eq!(completed(&format!("{whole}\ndeadlock |")), ["free", "allowed"]);
}

#[test]
fn completion_replaces_the_word_that_is_being_written() {
    let (text, line, character) = marked("var phase: bool; invariant i = /* \u{1f600} */ pha|");
    let mut client = Client::new();
    client.open(&text);
    let items = client.ask_at("textDocument/completion", line, character).expect("an answer");
    let item =
        items.as_array().unwrap().iter().find(|it| it["label"] == "phase").expect("it is there").clone();
    assert_eq!(range(&item["textEdit"]["range"]), [0, 40, 0, 43]);
    assert_eq!(item["detail"], "var phase: bool");
    client.end();
}

#[test]
fn formatting_gives_the_one_true_layout_or_nothing() {
    let mut client = Client::new();
    let params = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    client.open("var  x:bool;\nprocess P {\n    rule r { x = !x; }\n}\n");
    let edits = client.ask("textDocument/formatting", params.clone()).expect("an answer");
    let [edit] = &edits.as_array().expect("a list")[..] else { panic!("{edits}") };
    assert_eq!((range(&edit["range"]), &edit["newText"]), ([0, 0, 1, 0], &json!("var x: bool;\n")));
    client.change(Some([0, 0, 0, 12]), "var x: bool;");
    assert_eq!(client.ask("textDocument/formatting", params.clone()), Ok(json!([])));
    client.change(Some([0, 0, 0, 3]), "va r");
    assert_eq!(client.ask("textDocument/formatting", params), Ok(Value::Null));
    client.end();
}

#[test]
fn the_outline_has_processes_with_their_parts() {
    let mut client = Client::new();
    client.open(&example("resource.orb"));
    let params = json!({"textDocument": {"uri": URI}});
    let symbols = client.ask("textDocument/documentSymbol", params.clone()).expect("an answer");
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["N", "Client", "Phase", "Lock", "lock", "Server", "Client", "mutex", "access", "exclusion"]
    );
    let client_process = &symbols[6];
    let parts: Vec<&str> = client_process["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(parts, ["phase", "request", "enter", "leave"]);
    assert_eq!(client_process["detail"], "fair process Client[c: Client]");
    let found = client.ask("workspace/symbol", json!({"query": "ENT"})).expect("an answer");
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Client", "Client", "enter"]);
    let foldings = client.ask("textDocument/foldingRange", params).expect("an answer");
    let lines: Vec<[u64; 2]> = foldings
        .as_array()
        .unwrap()
        .iter()
        .map(|it| [it["startLine"].as_u64().unwrap(), it["endLine"].as_u64().unwrap()])
        .collect();
    assert_eq!(lines, [[0, 4], [13, 18], [14, 16], [21, 25]]);
    client.end();
}

#[test]
fn semantic_tokens_have_the_places_of_the_names() {
    let text = "const N = 1; // \u{1f600}\n/* \u{1f600} */ var x: 0..N;\nprocess P { rule r { x = N; } }";
    let mut client = Client::new();
    client.open(text);
    let tokens = client.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": URI}}));
    let data: Vec<u64> = tokens.expect("an answer")["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_u64().unwrap())
        .collect();
    let kinds = [
        [0, 6, 1, 0, 5],
        [1, 13, 1, 0, 1],
        [0, 6, 1, 0, 4],
        [1, 8, 1, 5, 1],
        [0, 9, 1, 6, 1],
        [0, 4, 1, 0, 2],
        [0, 4, 1, 0, 4],
    ];
    assert_eq!(data, kinds.concat());
    client.end();
}

#[test]
fn quick_fixes_write_what_was_meant() {
    let mut client = Client::new();
    client.open("var phase: bool;\nprocess P { rule r when phsae { phase = true; } }\ninvariant i = phase \u{2260} true;");
    let mut fix = |line: u32, character: u32| {
        let place = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}});
        let found = client.ask("textDocument/codeAction", params).expect("an answer");
        let found = found.as_array().expect("a list").clone();
        found
            .iter()
            .map(|it| {
                (
                    range(&it["edit"]["changes"][URI][0]["range"]),
                    it["edit"]["changes"][URI][0]["newText"].as_str().unwrap().to_string(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(fix(1, 25), [([1, 24, 1, 29], "phase".to_string())]);
    assert_eq!(fix(2, 20), [([2, 20, 2, 21], "!=".to_string())]);
    assert_eq!(fix(0, 4), []);
    client.end();
}
