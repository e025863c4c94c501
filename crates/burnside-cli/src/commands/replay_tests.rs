//! Forged trace files: what the command accepts is right in the eyes of the oracle.

use super::*;
use crate::args::{Cli, Color, Command};
use burnside::LoadOptions;
use burnside::Options;
use burnside_report::decode::TraceDecoder;
use burnside_testkit::cases::{again, are_all, given_seeds, seeds};
use burnside_testkit::forge::document::{alter, judge};
use burnside_testkit::generate::{Flavor, Rng, generate};
use burnside_testkit::oracle::{Exploration, Oracle};
use clap::Parser;

/// Larger models are left out.
const LIMIT: usize = 120;

/// A model with what is recorded about it.
struct Case {
    source: Source,
    input: Input,
    exploration: Exploration,
    document: Value,
}

/// The usual way with fairness, or without it.
fn case(text: &str, fair: bool) -> Option<Case> {
    let source = Source { path: "it.orb".into(), text: text.to_string().into() };
    let input = input::load_source(source.clone(), &LoadOptions::new()).ok()?;
    let exploration = Oracle::new(input.model.hir()?, text).explore(LIMIT).ok()?;
    let fairness = if fair { burnside::Fairness::Model } else { burnside::Fairness::None };
    let report = burnside::check(&input.model, &Options { fairness, ..Options::default() }, &mut ()).ok()?;
    let decoder = TraceDecoder::new(&input.model);
    let paths = TreeOptions { fair, maximal: false, explore: 0 };
    let mut bytes = Vec::new();
    json::traces(&input, &decoder, &report, paths).write(&mut bytes).ok()?;
    drop(decoder);
    let document: Value = serde_json::from_slice(&bytes).ok()?;
    let is_empty = document["traces"].as_array()?.is_empty();
    (!is_empty).then_some(Case { source, input, exploration, document })
}

fn replay_args() -> ReplayArgs {
    match Cli::parse_from(["burnside", "replay", "it.orb", "it.json"]).command {
        Command::Replay(args) => args,
        _ => unreachable!("it is `replay`"),
    }
}

impl Case {
    fn exit(&self, document: &Value) -> Exit {
        let text = document.to_string();
        let mut stream = Stream::new("it.json", text.as_bytes());
        let console = Console::new(Color::Never);
        let answer = answer(&replay_args(), &console, || Ok(self.source.clone()), &mut stream);
        answer.map_or(Exit::Bad, |(_, exit)| exit)
    }

    /// The document with one or two of its entries.
    fn some(&self, rng: &mut Rng) -> Value {
        let traces = self.document["traces"].as_array().expect("there are some");
        let mut document = self.document.clone();
        let count = 1 + rng.below(2);
        document["traces"] = (0..count).map(|_| rng.pick(traces).clone()).collect();
        document
    }

    fn judge(&self, document: &Value) -> Result<(), String> {
        let names: Vec<_> = self.input.model.system.leaves().into_iter().map(|leaf| leaf.name).collect();
        judge(self.input.model.hir().expect("it is no net"), &self.exploration, &names, document)
    }
}

/// Alters the documents of models; how many mutants there were, and how many of them were accepted.
fn forge(flavor: Flavor, seeds: impl IntoIterator<Item = u64>, mutants: u64) -> (u64, u64) {
    let (mut all, mut accepted) = (0, 0);
    for seed in seeds {
        let text = generate(seed, flavor).text;
        let Some(case) = case(&text, seed % 3 != 0) else { continue };
        let mut rng = Rng::new(seed);
        for _ in 0..mutants {
            let mut document = case.some(&mut rng);
            for _ in 0..rng.below(3) {
                alter(&mut rng, &mut document);
            }
            all += 1;
            if case.exit(&document) == Exit::Good {
                accepted += 1;
                let judged = case.judge(&document);
                judged.unwrap_or_else(|problem| {
                    panic!("seed {seed}, {flavor:?}: {problem}\n{text}\n{document:#}\n{}", again(seed))
                });
            }
        }
    }
    println!("{flavor:?}: {accepted} of {all} accepted");
    (all, accepted)
}

#[test]
fn forged_files() {
    for flavor in [Flavor::Any, Flavor::Liveness, Flavor::Branching] {
        let (all, accepted) = forge(flavor, seeds(0..40), 30);
        let worthwhile = all > 700 && accepted * 20 > all && accepted * 10 < all * 9;
        assert!(!are_all() || worthwhile, "{accepted} of {all}");
    }
}

/// Other seeds, from outside, as `cargo xtask fuzz evidence` sets them.
#[test]
fn files_of_given_seeds() {
    let Some(seeds) = given_seeds() else { return };
    for flavor in [Flavor::Any, Flavor::Liveness, Flavor::Branching] {
        forge(flavor, seeds.clone(), 100);
    }
}
