//! Texts that are wrong in any way, and edits that make them so: the server answers whatever comes.

use crate::client::{Client, URI};
use burnside_testkit::cases;
use burnside_testkit::generate::Rng;
use burnside_testkit::mutate::mutate;
use serde_json::json;
use std::path::PathBuf;

/// So many mutations of each example.
const MUTATIONS: u64 = 100;

/// What is asked about a place of each.
const AT_A_PLACE: [&str; 6] =
    ["hover", "definition", "references", "documentHighlight", "completion", "prepareRename"];
/// What is asked about the whole of each.
const ABOUT_ALL: [&str; 5] =
    ["documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "formatting"];

fn examples() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "orb"));
    paths.sort();
    paths
}

/// Opens a mutation, edits it to another, asks everything, closes it. Every request must be answered, and
/// none by an internal error.
fn exercise(client: &mut Client, first: &str, second: &str, rng: &mut Rng) {
    client.open(first);
    let lines = first.lines().count().max(1);
    let (line, end) = (rng.below(lines + 1) as u32, rng.below(lines + 1) as u32);
    let (character, to) = (rng.below(40) as u32, rng.below(40) as u32);
    client.change(
        Some([line, character, end, to]),
        second.get(..rng.below(9).min(second.len())).unwrap_or("é"),
    );
    let about = rng.below(AT_A_PLACE.len());
    question(client, AT_A_PLACE[about], rng.below(lines + 1) as u32, rng.below(60) as u32);
    client.change(None, second);
    for method in AT_A_PLACE {
        question(client, method, rng.below(lines + 1) as u32, rng.below(60) as u32);
    }
    for method in ABOUT_ALL {
        question(client, method, 0, 0);
    }
    question(client, "rename", rng.below(lines + 1) as u32, rng.below(60) as u32);
    client.close();
}

fn question(client: &mut Client, method: &str, line: u32, character: u32) {
    let params = json!({
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": character},
        "context": {"includeDeclaration": true, "triggerKind": 1},
        "options": {"tabSize": 4, "insertSpaces": true},
        "newName": "renamed",
    });
    match client.ask(&format!("textDocument/{method}"), params) {
        // A place without a name cannot be renamed.
        Ok(_) | Err((-32803, _)) => {}
        Err((code, message)) => panic!("{method} at {line}:{character}: {code} {message}"),
    }
}

/// All mutations of all examples; other runs take others if they are told the seeds.
#[test]
fn mutations_of_the_examples_are_answered() {
    let examples = examples();
    assert!(examples.len() > 20);
    let texts: Vec<Vec<u8>> = examples.iter().map(|path| std::fs::read(path).expect("a file")).collect();
    let mut client = Client::new();
    for seed in cases::seeds(0..texts.len() as u64 * MUTATIONS) {
        let example = seed as usize % texts.len();
        let mut rng = Rng::new(seed);
        let seeds = &texts[example..=example];
        let text = |rng: &mut Rng| String::from_utf8_lossy(&mutate(seeds, rng)).into_owned();
        let (first, second) = (text(&mut rng), text(&mut rng));
        exercise(&mut client, &first, &second, &mut rng);
        client.notifications.clear();
    }
    // It still knows what is right.
    client.open("var x: bool;");
    assert!(client.ask_at("textDocument/hover", 0, 4).expect("an answer").is_object());
    client.end();
}
