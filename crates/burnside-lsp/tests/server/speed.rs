//! A model of 2,000 lines is answered while it is typed. What is asserted is the work, which is counted, and
//! a time that no machine needs; the figures are in the book.

use crate::client::{Client, URI};
use burnside_lang::check::check_with_index;
use burnside_lang::syntax::parse;
use serde_json::json;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A model with so many lines, of which each means something.
pub fn large(lines: usize) -> String {
    let mut text = String::from("const N = 3;\nsymmetric C[N];\nenum Phase { idle, trying, inside }\n");
    let mut number = 0;
    while text.lines().count() + 12 < lines {
        write!(
            text,
            "process P{number}[c: C] {{
    var phase{number}: Phase = idle;
    var seen{number}: set of C;
    rule attempt when phase{number} == idle {{ phase{number} = trying; }}
    rule enter(d: C) when phase{number} == trying && !(d in seen{number}) {{
        phase{number} = inside;
        seen{number}.add(d);
    }}
    rule leave when phase{number} == inside {{ phase{number} = idle; seen{number} = {{}}; }}
}}
invariant apart{number} = forall a, b: C {{ phase{number}[a] == inside && phase{number}[b] == inside -> a == b }};
"
        )
        .expect("a string takes it");
        number += 1;
    }
    while text.lines().count() < lines {
        text.push_str("// the end\n");
    }
    text
}

/// Twice the text, twice the work: nothing is done for each pair of declarations.
#[test]
fn the_work_grows_with_the_text_and_not_faster() {
    let work = |lines: usize| {
        let text = large(lines);
        let (checked, index) = check_with_index(&parse(&text).file, &[]);
        assert!(checked.model.is_some(), "{:?}", checked.diagnostics);
        index.work() as f64 / text.len() as f64
    };
    let (small, big) = (work(1_000), work(4_000));
    assert!(big < small * 1.2, "{small} and {big} for each byte");
}

/// One edit in 2,000 lines: the diagnostics, and an answer. Without optimisation, with others at work, still
/// within seconds; optimised it takes tens of milliseconds (`--release`, `--nocapture` shows them).
#[test]
fn an_edit_of_a_large_model_is_answered() {
    let text = large(2_000);
    assert_eq!(text.lines().count(), 2_000);
    let mut client = Client::new();
    client.open(&text);
    assert_eq!(client.diagnostics().len(), 0);
    let mut times: Vec<Duration> = Vec::new();
    for round in 0..10 {
        let started = Instant::now();
        // A name that nobody knows, and back.
        match round % 2 {
            0 => client.change(Some([5, 8, 5, 8]), "x"),
            _ => client.change(Some([5, 8, 5, 9]), ""),
        };
        let found = client.diagnostics();
        times.push(started.elapsed());
        assert_eq!(found.is_empty(), round % 2 == 1, "{found:?}");
        let params = json!({"textDocument": {"uri": URI}, "position": {"line": 6, "character": 20}});
        client.ask("textDocument/completion", params).expect("an answer");
    }
    times.sort();
    println!("an edit of 2,000 lines is answered after {:?}, at most {:?}", times[5], times[9]);
    assert!(times[5] < Duration::from_secs(5), "{times:?}");
    client.end();
}
