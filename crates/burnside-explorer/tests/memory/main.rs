//! What is asked for often takes no more memory in the end than at the start. A program of its own, with one
//! test: nothing else may run beside it.

#[path = "../common/mod.rs"]
mod common;

use burnside::LoadOptions;
use burnside_explorer::Bounds;
use burnside_limits::resident;
use burnside_testkit::generate::Rng;
use common::{Client, connect, send, serve, serve_text};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const MODEL: &str = "var x: bool; process P { rule flip { x = !x; } } invariant on = x;";

/// The most that may be left behind: less than a hundredth of what was answered.
const MOST: u64 = 6 << 20;

/// A thread of the server that panics takes its connection with it, and nobody would see it but for this.
static PANICS: AtomicUsize = AtomicUsize::new(0);

#[test]
fn nothing_is_left_behind() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        usual(panic);
    }));
    malformed_requests();
    polling();
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "something panicked");
}

/// Something that is not quite a request.
fn malformed(client: &Client, rng: &mut Rng) -> Vec<u8> {
    let good = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
        client.path("api/cancel"),
        client.host()
    );
    let below = |rng: &mut Rng, most: usize| rng.below(most);
    let mut bytes = good.clone().into_bytes();
    match rng.below(12) {
        0 => (0..below(rng, 600)).map(|_| rng.below(256) as u8).collect(),
        1 => bytes[..below(rng, bytes.len())].to_vec(),
        2 => {
            let at = below(rng, bytes.len());
            bytes[at] = rng.below(256) as u8;
            bytes
        }
        3 => good.replace("Length: 2", &format!("Length: {}", rng.below(usize::MAX))).into_bytes(),
        4 => good
            .replace("Content-Length: 2", "Transfer-Encoding: chunked")
            .replace("{}", "2\r\n{}\r\n0\r\n\r\n")
            .into_bytes(),
        5 => good
            .replace("\r\nHost", &format!("\r\nX: {}\r\nHost", "y".repeat(below(rng, 200_000))))
            .into_bytes(),
        6 => {
            good.replace("\r\nHost", &format!("{}\r\nHost", "\r\nA: b".repeat(below(rng, 300)))).into_bytes()
        }
        7 => good
            .replace("api/cancel", &format!("api/walk?path=%{:x}", rng.below(4096)))
            .replace("POST", "GET")
            .into_bytes(),
        8 => good.replace("api/cancel", &"../".repeat(below(rng, 30_000))).into_bytes(),
        9 => good.replace("\r\n", "\n").into_bytes(),
        10 => {
            let at = below(rng, bytes.len());
            bytes.splice(at..at, [0xff, 0xc3, 0x28, 0x00]);
            bytes
        }
        _ => good.replace("{}", "").repeat(1 + below(rng, 4)).into_bytes(),
    }
}

fn malformed_requests() {
    let bounds = Bounds { arrival: Duration::from_millis(500), ..Bounds::default() };
    let mut client = serve("it.orb", MODEL, LoadOptions::new(), bounds);
    let mut statuses = std::collections::BTreeMap::new();
    let mut before = None;
    let _again = burnside_testkit::cases::Again;
    for seed in 0..1_200 {
        if seed == 200 {
            before = resident();
        }
        let bytes = malformed(&client, &mut Rng::new(seed));
        let started = Instant::now();
        let status = send(&client, &bytes);
        assert!(started.elapsed() < Duration::from_secs(10), "{status:?}: nobody waits for so long");
        let fine = status.is_none_or(|status| status == 200 || (400..500).contains(&status));
        assert!(fine, "{status:?}: {}", String::from_utf8_lossy(&bytes[..bytes.len().min(300)]));
        *statuses.entry(status).or_insert(0u32) += 1;
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + MOST, "{before} bytes became {after}");
    }
    for status in [400, 403, 411, 413, 414, 431] {
        assert!(statuses.contains_key(&Some(status)), "{status} is missing: {statuses:?}");
    }
    // It still works, and everybody has left.
    assert_eq!(client.get("api/check")["state"], "idle");
    let all: Vec<_> = (0..20).map(|_| connect(&client.server)).collect();
    assert_eq!(
        send(
            &client,
            format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", client.path(""), client.host()).as_bytes()
        ),
        Some(200)
    );
    drop(all);
}

fn polling() {
    let mut client = serve_text(
        "var x: 0..3; process P { rule up when x < 3 { x = x + 1; } } invariant small = x < 3; ltl ever = F x == 3;",
    );
    client.check();
    let others =
        ["api/walk?path=0.0", "api/evidence?property=small", "api/graph?colour=x%20%3D%3D%201", "api/model"];
    let mut poll = |times: usize| {
        for i in 0..times {
            assert_eq!(client.ask("api/check").status, 200);
            if i % 40 == 0 {
                assert_eq!(client.ask(others[i / 40 % others.len()]).status, 200);
            }
        }
    };
    poll(2_000);
    let before = resident();
    poll(20_000);
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + MOST, "{before} bytes became {after}");
    }
}
