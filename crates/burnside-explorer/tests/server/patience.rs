//! Models that are too large, and states with too many steps.

use crate::common::{serve, serve_text};
use burnside::LoadOptions;
use burnside_explorer::Bounds;
use std::time::{Duration, Instant};

const WIDE: &str = "
    var x: 0..999;
    process P { rule go(a: 0..399, b: 0..249) { x = (a + b) % 1000; } }
";

const WIDEST: &str = "
    var x: 0..999;
    process P { rule go(a, b, c, d: 0..999) { x = (a + b + c + d) % 1000; } }
";

#[test]
fn many_steps_come_in_parts() {
    let mut client = serve_text(WIDE);
    let told = client.get("api/walk?path=0");
    assert_eq!(
        (told["enabled"].as_array().map(Vec::len), told["enabled_total"].as_u64()),
        (Some(200), Some(100_000))
    );
    let last = client.get("api/walk?path=0&from=99990");
    let enabled = last["enabled"].as_array().expect("a list");
    assert_eq!((enabled.len(), &enabled[9]["index"]), (10, &serde_json::json!(99_999)));
    assert_eq!(enabled[9]["arguments"], serde_json::json!({"a": "399", "b": "249"}));
    let there = client.get("api/walk?path=0.99999");
    assert_eq!(there["state"]["x"], "648");
}

/// More initial states, and more steps of each, than can be counted.
#[test]
fn what_cannot_be_counted_is_shown_in_part() {
    let bounds = Bounds { time: Duration::from_millis(2000), ..Bounds::default() };
    let text = WIDEST.replace("var x", "var a: 0..99999 = any; var b: 0..99999 = any; var x");
    let mut client = serve("it.orb", &text, LoadOptions::new(), bounds);
    let starts = client.get("api/walk");
    assert_eq!(
        (starts["initial"].as_array().map(Vec::len), &starts["initial_more"]),
        (Some(200), &true.into())
    );
    let told = client.get("api/walk?path=7");
    assert_eq!((told["enabled"].as_array().map(Vec::len), &told["enabled_more"]), (Some(200), &true.into()));
    assert_eq!(told["state"]["b"], "7");
}

#[test]
fn what_takes_too_long_is_ended() {
    let bounds = Bounds { time: Duration::from_millis(1500), ..Bounds::default() };
    let mut client = serve("it.orb", WIDEST, LoadOptions::new(), bounds);
    let started = Instant::now();
    let answer = client.ask("api/walk?path=0.999999999");
    assert_eq!(answer.status, 503);
    assert!(answer.error().contains("longer than 1.5 s"), "{}", answer.error());
    assert!(started.elapsed() < Duration::from_secs(8));
    // A graph shows what there was time for.
    let graph = client.get("api/graph?mode=unreduced");
    assert!(graph["message"].is_string() && graph["complete"] == false, "{}", graph["message"]);
    assert_eq!(client.get("api/check")["state"], "idle");
}
