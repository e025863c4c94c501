//! Which crate may use which. A crate earns its place by a dependency that must not exist.

use crate::process::metadata;
use serde_json::Value;

/// Crates of the workspace, each with those of the workspace that it may use. Dev-dependencies may add those
/// that are for tests.
const ALLOWED: &[(&str, &[&str])] = &[
    ("burnside-cases", &[]),
    ("burnside-limits", &[]),
    ("burnside-perm", &["burnside-limits"]),
    ("burnside-logic", &["burnside-limits"]),
    ("burnside-ts", &["burnside-limits", "burnside-perm", "burnside-logic"]),
    ("burnside-native", &["burnside-limits", "burnside-ts"]),
    ("burnside-lang", &["burnside-limits", "burnside-logic", "burnside-ts"]),
    ("burnside-petri", &["burnside-limits", "burnside-perm", "burnside-logic", "burnside-ts"]),
    ("burnside-murphi", &["burnside-limits", "burnside-logic", "burnside-lang"]),
    ("burnside-derive", &[]),
    ("burnside-rust", &["burnside-limits", "burnside-ts"]),
    ("burnside-trace", &["burnside-limits", "burnside-logic", "burnside-ts"]),
    ("burnside-checkpoint", &["burnside-limits", "burnside-perm", "burnside-ts", "burnside-trace"]),
    (
        "burnside-engine",
        &["burnside-limits", "burnside-perm", "burnside-ts", "burnside-trace", "burnside-checkpoint"],
    ),
    (
        "burnside-explicit",
        &[
            "burnside-limits",
            "burnside-perm",
            "burnside-logic",
            "burnside-ts",
            "burnside-trace",
            "burnside-checkpoint",
            "burnside-engine",
        ],
    ),
    (
        "burnside-distributed",
        &["burnside-limits", "burnside-perm", "burnside-ts", "burnside-engine", "burnside-explicit"],
    ),
    (
        "burnside-symbolic",
        &[
            "burnside-limits",
            "burnside-perm",
            "burnside-logic",
            "burnside-ts",
            "burnside-trace",
            "burnside-engine",
        ],
    ),
    ("burnside-views", &["burnside-limits", "burnside-logic", "burnside-ts"]),
    (
        "burnside",
        &[
            "burnside-limits",
            "burnside-perm",
            "burnside-logic",
            "burnside-ts",
            "burnside-native",
            "burnside-lang",
            "burnside-petri",
            "burnside-murphi",
            "burnside-derive",
            "burnside-rust",
            "burnside-trace",
            "burnside-checkpoint",
            "burnside-engine",
            "burnside-explicit",
            "burnside-distributed",
            "burnside-symbolic",
            "burnside-views",
        ],
    ),
    ("burnside-lsp", &["burnside-limits", "burnside-ts", "burnside-lang", "burnside"]),
    (
        "burnside-report",
        &[
            "burnside-limits",
            "burnside-perm",
            "burnside-ts",
            "burnside-lang",
            "burnside-petri",
            "burnside-trace",
            "burnside-explicit",
            "burnside",
        ],
    ),
    (
        "burnside-explorer",
        &["burnside-limits", "burnside-ts", "burnside-trace", "burnside", "burnside-report"],
    ),
    (
        "burnside-cli",
        &[
            "burnside-limits",
            "burnside-perm",
            "burnside-logic",
            "burnside-ts",
            "burnside-lang",
            "burnside-petri",
            "burnside-murphi",
            "burnside-trace",
            "burnside-checkpoint",
            "burnside-explicit",
            "burnside",
            "burnside-report",
            "burnside-lsp",
            "burnside-explorer",
        ],
    ),
    (
        "burnside-testkit",
        &[
            "burnside-cases",
            "burnside-limits",
            "burnside-logic",
            "burnside-ts",
            "burnside-native",
            "burnside-lang",
            "burnside-petri",
            "burnside-murphi",
            "burnside-trace",
            "burnside-explicit",
            "burnside-symbolic",
            "burnside-views",
            "burnside",
        ],
    ),
    ("xtask", &[]),
];

/// Crates that are for tests only.
const FOR_TESTS: [&str; 2] = ["burnside-cases", "burnside-testkit"];

/// Foreign crates, each with those of the workspace that may use them. Dev-dependencies are free.
const FOREIGN: &[(&str, &[&str])] = &[
    ("annotate-snippets", &["burnside-cli"]),
    ("anstyle", &["burnside-cli"]),
    ("clap", &["burnside-cli"]),
    ("clap_complete", &["burnside-cli"]),
    ("clap_mangen", &["burnside-cli"]),
    ("cranelift-codegen", &["burnside-native"]),
    ("cranelift-frontend", &["burnside-native"]),
    ("cranelift-jit", &["burnside-native"]),
    ("cranelift-module", &["burnside-native"]),
    ("cranelift-native", &["burnside-native"]),
    ("ctrlc", &["burnside-cli"]),
    ("foldhash", &["burnside-explicit", "burnside-symbolic", "burnside-views", "burnside-testkit"]),
    ("getrandom", &["burnside-explorer"]),
    ("logos", &["burnside-lang"]),
    ("lsp-server", &["burnside-lsp"]),
    ("lsp-types", &["burnside-lsp"]),
    ("oxidd", &["burnside-symbolic"]),
    ("oxidd-core", &["burnside-symbolic"]),
    ("oxidd-reorder", &["burnside-symbolic"]),
    ("proc-macro2", &["burnside-derive"]),
    ("proptest", &["burnside-testkit"]),
    ("quote", &["burnside-derive"]),
    ("roxmltree", &["burnside-petri", "burnside-testkit"]),
    (
        "serde_json",
        &[
            "burnside-report",
            "burnside-explorer",
            "burnside-lsp",
            "burnside-cli",
            "burnside-testkit",
            "xtask",
        ],
    ),
    ("serde", &["burnside-distributed"]),
    ("syn", &["burnside-derive"]),
    ("terminal_size", &["burnside-cli"]),
    ("timely", &["burnside-distributed"]),
    ("unicode-width", &["burnside-cli"]),
];

/// Compares what cargo says with the tables.
pub fn check() -> Result<Vec<String>, String> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let mut breaches = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or("");
        if !ALLOWED.iter().any(|(known, _)| *known == name) {
            breaches.push(format!("{name}: not in the table of xtask/src/tidy/dependencies.rs"));
            continue;
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            breaches.extend(judge(name, dependency));
        }
    }
    Ok(breaches)
}

fn judge(package: &str, dependency: &Value) -> Option<String> {
    let used = dependency["name"].as_str()?;
    let for_tests = dependency["kind"].as_str() == Some("dev");
    let ours = ALLOWED.iter().any(|(known, _)| *known == used);
    let good = match (ours, for_tests) {
        (true, true) => FOR_TESTS.contains(&used) || may_use(package, used),
        (true, false) => may_use(package, used),
        (false, true) => true,
        (false, false) => FOREIGN.iter().any(|(known, users)| *known == used && users.contains(&package)),
    };
    (!good).then(|| format!("{package}: must not depend on {used}"))
}

fn may_use(package: &str, used: &str) -> bool {
    ALLOWED.iter().any(|(known, allowed)| *known == package && allowed.contains(&used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_waist_knows_neither_languages_nor_engines() {
        assert!(judge("burnside-ts", &json!({"name": "burnside-lang", "kind": null})).is_some());
        assert!(judge("burnside-explicit", &json!({"name": "burnside-lang", "kind": null})).is_some());
        assert!(judge("burnside-lang", &json!({"name": "burnside-ts", "kind": null})).is_none());
        assert!(judge("burnside-ts", &json!({"name": "clap", "kind": null})).is_some());
        assert!(judge("burnside-ts", &json!({"name": "proptest", "kind": "dev"})).is_none());
    }

    /// What checks the engines shares nothing with them, nor do they share anything with each other.
    #[test]
    fn replay_and_engines_keep_apart() {
        let engines = ["burnside-explicit", "burnside-symbolic"];
        for engine in engines {
            for user in ["burnside-trace", "burnside-ts"].into_iter().chain(engines) {
                assert!(judge(user, &json!({"name": engine, "kind": null})).is_some(), "{user} {engine}");
                assert!(judge(user, &json!({"name": engine, "kind": "build"})).is_some(), "{user} {engine}");
            }
        }
        for reduction in ["burnside-perm", "burnside-lang", "oxidd", "foldhash"] {
            assert!(
                judge("burnside-trace", &json!({"name": reduction, "kind": null})).is_some(),
                "{reduction}"
            );
        }
    }

    #[test]
    fn the_table_is_in_dependency_order() {
        for (i, (_, allowed)) in ALLOWED.iter().enumerate() {
            for used in *allowed {
                assert!(ALLOWED[..i].iter().any(|(earlier, _)| earlier == used), "{used}");
            }
        }
    }
}
