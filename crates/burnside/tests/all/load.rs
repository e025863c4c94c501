//! Loading from everywhere, and what is said if something is wrong.

use burnside::builder::{Operators, SystemBuilder, set};
use burnside::{Engine, Kind, LoadOptions, Model, Options, Source, Verdict, check};
use std::path::{Path, PathBuf};

const TEXT: &str = "const N = 2; var x: 0..N; process P { rule up { x = (x + 1) % (N + 1); } }
invariant low = x < N;";

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// What is said about a source that is wrong.
fn wrong<'t>(source: impl Into<Source<'t>>, options: &LoadOptions) -> String {
    Model::load(source, options).into_model().unwrap_err().to_string()
}

fn verdict(model: &Model, property: &str) -> Verdict {
    let report = check(model, &Options::default(), &mut ()).unwrap();
    report.answer(property).unwrap().verdict.clone()
}

#[test]
fn a_text_is_a_text_however_it_is_kept() {
    let options = LoadOptions::new();
    let owned = TEXT.to_string();
    let sources =
        [Source::from(TEXT), (&owned).into(), owned.clone().into(), Source::named("model.orb", TEXT)];
    for source in sources {
        let model = Model::load(source, &options).into_model().unwrap();
        assert_eq!(verdict(&model, "low"), Verdict::Violated);
    }
}

#[test]
fn files_are_what_they_hold() {
    let options = LoadOptions::new();
    let orb = Model::load(example("mutex.orb"), &options).into_model().unwrap();
    assert!(orb.hir().is_some() && orb.net().is_none());
    let net = Model::load(example("heljanko_mutex.pnml").as_path(), &options).into_model().unwrap();
    assert!(net.net().is_some() && net.hir().is_none());
    // XML is a net whatever its name is, also after a byte order mark.
    assert!(Source::named("net.txt", "\u{feff} <pnml/>").is_net());
    assert!(Source::named("net.pnml", "").is_net() && !Source::named("net.orb", "x").is_net());
}

#[test]
fn what_cannot_be_read_is_named() {
    let options = LoadOptions::new();
    assert_eq!(wrong(Path::new("none.orb"), &options), "none.orb: there is no such file");
    let folder = example("");
    assert_eq!(wrong(folder.as_path(), &options), format!("{}: this is a directory", folder.display()));
    let file = std::env::temp_dir().join(format!("burnside-load-{}.orb", std::process::id()));
    for (bytes, expected) in [
        (&b"var\xff"[..], "this is not a text file: byte 4 (0xff) is not UTF-8"),
        (&b"a\0"[..], "this is not a text file: byte 2 is zero"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(wrong(file.as_path(), &options), format!("{}: {expected}", file.display()));
    }
    std::fs::write(&file, "process P { rule r { y = 1; } } var x: bool;").unwrap();
    let said = wrong(file.as_path(), &options);
    std::fs::remove_file(&file).unwrap();
    assert!(said.starts_with(&format!("{}:1:22: unknown name `y`", file.display())), "{said}");
}

/// Lines and columns are those of people, and every problem has a line of its own.
#[test]
fn problems_are_told_where_they_are() {
    let options = LoadOptions::new();
    let text = "/* ä */ var ö: bol;\nprocess P { rule r { y = 1; } }";
    let error = Model::load(text, &options).into_model().unwrap_err();
    let places: Vec<_> = error.problems.iter().map(|problem| problem.place).collect();
    assert!(places.contains(&Some((2, 22))), "{error}");
    assert_eq!(error.to_string().lines().count(), error.problems.len());
    let set = wrong(TEXT, &LoadOptions::new().set("M", 1));
    assert!(set.contains("`M`"), "{set}");
    let asked = LoadOptions::new().property(Kind::Ltl, "G (x < y)").property(Kind::Invariant, "x < 2");
    let said = wrong(TEXT, &asked);
    assert!(said.starts_with("<ltl>:1:8: "), "{said}");
    assert!(said.lines().count() == 1, "{said}");
}

#[test]
fn what_a_source_does_not_know_is_refused() {
    let net = example("heljanko_mutex.pnml");
    for kind in [Kind::Faults, Kind::Deadlock, Kind::Never] {
        let asked = LoadOptions::new().property(kind, "true");
        for said in [wrong(TEXT, &asked), wrong(net.as_path(), &asked)] {
            assert!(said.ends_with(&format!("no formula asks for `{kind}`")), "{said}");
        }
    }
    assert_eq!(
        wrong(net.as_path(), &LoadOptions::new().set("N", 1)),
        "a Petri net has no constants that could be set"
    );
    let mut b = SystemBuilder::new();
    let (truth, process) = (b.truth(), b.process("P", &[]));
    let x = b.var("x", truth, false);
    b.rule(process, "on").then(set(x, true));
    b.invariant("off", x.not());
    let system = b.build().unwrap();
    for options in [LoadOptions::new().set("N", 1), LoadOptions::new().property(Kind::Invariant, "x")] {
        assert!(wrong(system.clone(), &options).starts_with("a system "));
    }
    let model = Model::load(system, &LoadOptions::new()).into_model().unwrap();
    assert!(model.hir().is_none() && model.net().is_none());
    for engine in [Engine::Explicit, Engine::Symbolic] {
        let report = check(&model, &Options { engine, ..Options::default() }, &mut ()).unwrap();
        assert_eq!(report.answer("off").unwrap().verdict, Verdict::Violated);
    }
}
