//! One tiny model for each point of the language, with what must come out: see `tests/models`.

use burnside::{LoadOptions, Model};
use burnside_testkit::cases::{Case, Cases, again, are_all, files, text};
use burnside_testkit::compare::{Compared, Way, compare, compare_in};
use burnside_testkit::expect::{self, Announced};
use std::path::{Path, PathBuf};

fn models() -> Cases<PathBuf> {
    files(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models"), "orb")
}

#[test]
fn models_are_as_they_say() {
    let mut problems = Vec::new();
    for path in models() {
        let source = text(&path);
        let name = path.name();
        let found = problems_of(&source, &expect::read(&source));
        problems.extend(found.into_iter().map(|problem| format!("{name}: {problem}\n{}", again(&name))));
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

fn problems_of(source: &str, expected: &Announced) -> Vec<String> {
    let mut problems = Vec::new();
    if expected.checks.is_empty() == expected.errors.is_empty() {
        problems.push("needs either checks or errors".to_string());
    }
    let found = Model::load(source, &LoadOptions::new()).diagnostics;
    let codes = |error: bool| {
        found.iter().filter(move |d| d.is_error() == error).map(|d| d.code.name()).collect::<Vec<_>>()
    };
    for (error, wanted) in [(true, &expected.errors), (false, &expected.warnings)] {
        let codes = codes(error);
        for code in wanted.iter().filter(|code| !codes.contains(&code.as_str())) {
            problems.push(format!("expected {code}, found {codes:?}"));
        }
        for code in codes.iter().filter(|code| error && !wanted.iter().any(|wanted| wanted == *code)) {
            let diagnostic = found.iter().find(|d| d.code == *code).unwrap();
            problems.push(format!(
                "{code}: {} `{}`",
                diagnostic.message,
                diagnostic.primary.span.text(source)
            ));
        }
    }
    for check in &expected.checks {
        let result = compare(source, &check.settings, 2000).and_then(|compared| match compared {
            Compared::TooLarge => Err("too large".to_string()),
            Compared::Agree(agreement) => check.verify(&agreement),
        });
        problems.extend(result.err());
    }
    problems
}

#[test]
fn models_agree_with_diagrams() {
    let mut compared = 0;
    for path in models() {
        let source = text(&path);
        for check in expect::read(&source).checks {
            let result = compare_in(&source, &check.settings, 2000, &Way::symbolic(0));
            result.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            compared += 1;
        }
    }
    assert!(!are_all() || compared >= 200, "{compared}");
}

/// The corpus is one model per point: small, and many of them.
#[test]
fn models_are_tiny_and_many() {
    let mut models = 0;
    for path in self::models() {
        models += 1;
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        // Those of long chains cannot be.
        let is_chain = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("chain_"));
        assert!(lines <= 20 || is_chain, "{} has {lines} lines", path.display());
    }
    assert!(!are_all() || models >= 100, "only {models} models");
}
