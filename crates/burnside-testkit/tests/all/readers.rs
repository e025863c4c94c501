//! Every reader answers to random changes of right texts. With
//! `BURNSIDE_SEEDS=FOLDER` the right texts are written there, for `cargo xtask fuzz readers`.
//!
//! The reader of trace files is a part of the program: its test is there.

use burnside_testkit::cases;
use burnside_testkit::generate::Rng;
use burnside_testkit::mutate::mutate;
use burnside_testkit::readers::{READERS, run, seeds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn right_texts_are_read() {
    for (name, reader) in READERS {
        let seeds = seeds(name, root());
        assert!(seeds.len() >= 5, "{name} has {} texts to begin with", seeds.len());
        seeds.iter().for_each(|seed| reader(seed));
    }
}

fn survives(name: &str, count: u64) {
    let seeds = seeds(name, root());
    for i in cases::seeds(0..count) {
        let bytes = mutate(&seeds, &mut Rng::new(i));
        let read = catch_unwind(AssertUnwindSafe(|| run(name, &bytes)));
        assert!(read.is_ok(), "{name}, change {i}:\n{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn changed_murphi_models_are_answered() {
    survives("murphi", 2000);
}

#[test]
fn changed_models_are_answered() {
    survives("orb", 2000);
}

#[test]
fn changed_nets_are_answered() {
    survives("pnml", 1500);
}

#[test]
fn changed_questions_are_answered() {
    survives("contest", 1500);
    survives("query", 4000);
}

#[test]
fn changed_formulas_and_automata_are_answered() {
    survives("ltl", 4000);
    survives("hoa", 4000);
}

#[test]
fn seeds_are_written() {
    let Ok(folder) = std::env::var("BURNSIDE_SEEDS") else { return };
    for (name, _) in READERS {
        let folder = Path::new(&folder).join(name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        for (i, seed) in seeds(name, root()).iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{i}")), seed).expect("a file can be written");
        }
    }
}
