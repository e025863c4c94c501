//! What we build on, as the lock file has it: licences, sources, versions that are there twice, and versions
//! that must not be there.
//!
//! This is what `cargo deny` does (there is a `deny.toml` for those who have it), as far as it goes without a
//! network: nothing is asked of a database, so [`REFUSED`] and [`KNOWN`] are lists of our own. Licences come
//! from `cargo metadata`, which knows those of the packages for this platform; those of the others are in
//! [`ELSEWHERE`], and are compared wherever they are known.

use super::licence;
use crate::process::{cargo, output, root};
use serde_json::Value;
use std::collections::BTreeMap;

/// Packages that are only built on other platforms, with their licences.
const ELSEWHERE: &[(&str, &str)] = &[
    ("anstyle-wincon", "MIT OR Apache-2.0"),
    ("block2", "MIT"),
    ("dispatch2", "Zlib OR Apache-2.0 OR MIT"),
    ("encode_unicode", "Apache-2.0 OR MIT"),
    ("mach2", "BSD-2-Clause OR MIT OR Apache-2.0"),
    ("objc2", "MIT"),
    ("objc2-encode", "MIT"),
    ("once_cell_polyfill", "MIT OR Apache-2.0"),
    ("r-efi", "MIT OR Apache-2.0 OR LGPL-2.1-or-later"),
    ("redox_syscall", "MIT"),
    ("windows-link", "MIT OR Apache-2.0"),
    ("windows-sys", "MIT OR Apache-2.0"),
    ("windows-targets", "MIT OR Apache-2.0"),
    ("windows_aarch64_gnullvm", "MIT OR Apache-2.0"),
    ("windows_aarch64_msvc", "MIT OR Apache-2.0"),
    ("windows_i686_gnu", "MIT OR Apache-2.0"),
    ("windows_i686_gnullvm", "MIT OR Apache-2.0"),
    ("windows_i686_msvc", "MIT OR Apache-2.0"),
    ("windows_x86_64_gnu", "MIT OR Apache-2.0"),
    ("windows_x86_64_gnullvm", "MIT OR Apache-2.0"),
    ("windows_x86_64_msvc", "MIT OR Apache-2.0"),
];

/// Packages that are there in several versions, and why that is borne.
const TWICE: &[(&str, &str)] = &[
    ("bitflags", "one macro; lsp-types uses the older one"),
    ("hashbrown", "Cranelift uses an older one"),
    ("rustc-hash", "Cranelift uses a newer one"),
    ("syn", "for macros at build time only; what uses the older one has not moved on"),
    ("windows-sys", "bindings; Cranelift and what it maps memory with use older ones"),
    ("windows-targets", "the same"),
    ("windows_aarch64_gnullvm", "the same"),
    ("windows_aarch64_msvc", "the same"),
    ("windows_i686_gnu", "the same"),
    ("windows_i686_gnullvm", "the same"),
    ("windows_i686_msvc", "the same"),
    ("windows_x86_64_gnu", "the same"),
    ("windows_x86_64_gnullvm", "the same"),
    ("windows_x86_64_msvc", "the same"),
];

/// Versions that must not come back: the first one that is good again (or none), and what was wrong.
const REFUSED: &[(&str, Option<&str>, &str)] = &[
    ("crossbeam-channel", Some("0.5.15"), "frees a list twice when channels are dropped"),
    ("crossbeam-deque", Some("0.8.1"), "a race in work stealing"),
    ("crossbeam-utils", Some("0.8.7"), "misaligned 64-bit atomics on 32-bit platforms"),
    ("hashbrown", Some("0.15.1"), "0.15.0 was withdrawn: maps were written in an ambiguous form"),
    ("lock_api", Some("0.4.2"), "guards could be sent to other threads"),
    ("memoffset", Some("0.6.2"), "reads uninitialised memory"),
    ("nix", Some("0.20.2"), "writes out of bounds when groups are listed"),
    ("rustix", Some("0.38.19"), "directory iterators use memory without a bound"),
    ("smallvec", Some("1.6.1"), "a buffer overflow in insert_many"),
    ("thread_local", Some("1.1.4"), "a data race while iterating"),
    ("atty", None, "unmaintained, and reads misaligned memory on Windows"),
    ("serde_yaml", None, "unmaintained"),
    ("bindgen", None, "needs a C compiler, which a fresh clone must not"),
    ("cc", None, "needs a C compiler, which a fresh clone must not"),
    ("cmake", None, "needs a C compiler, which a fresh clone must not"),
    ("pkg-config", None, "looks for libraries of the machine, which a fresh clone must not need"),
];

/// Packages of which something is known that does not touch us, and why not.
const KNOWN: &[(&str, &str)] = &[
    ("bincode", "unmaintained; timely reads with it what other processes of a cluster send"),
    ("paste", "unmaintained; a macro that timely's containers use at build time only"),
    ("proc-macro-error", "unmaintained; a dependency of oxidd-derive, for error messages at build time only"),
];

/// A package of the lock file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Package {
    name: String,
    version: String,
    /// Nothing for what is in this repository.
    source: Option<String>,
    has_checksum: bool,
}

/// Compares the lock file, and what cargo says about the packages in it, with the tables.
pub fn check() -> Result<Vec<String>, String> {
    let lock =
        std::fs::read_to_string(root().join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = locked(&lock);
    if packages.is_empty() {
        return Err("Cargo.lock: there are no packages in it".into());
    }
    let mut breaches = licences(&packages, &told()?);
    breaches.extend(sources(&packages));
    breaches.extend(twice(&packages, TWICE));
    breaches.extend(refused(&packages));
    breaches.extend(stale(&packages));
    Ok(breaches.into_iter().map(|breach| format!("Cargo.lock: {breach}")).collect())
}

/// The packages of a lock file.
fn locked(lock: &str) -> Vec<Package> {
    let blocks = lock.split("[[package]]").skip(1);
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|line| line.trim_matches('"').to_string())
    };
    let package = |block: &str| Package {
        name: value(block, "name").unwrap_or_default(),
        version: value(block, "version").unwrap_or_default(),
        source: value(block, "source"),
        has_checksum: value(block, "checksum").is_some(),
    };
    blocks.map(package).collect()
}

/// What cargo says about the licences of packages for this platform, by name and version.
fn told() -> Result<BTreeMap<(String, String), Option<String>>, String> {
    let about = output(std::process::Command::new("rustc").arg("-vV"))?;
    let host =
        about.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not name its host")?;
    let text =
        output(&mut cargo(&["metadata", "--locked", "--format-version", "1", "--filter-platform", host]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let text = |value: &Value| value.as_str().map(String::from);
    let entry = |package: &Value| {
        let key = (text(&package["name"]).unwrap_or_default(), text(&package["version"]).unwrap_or_default());
        (key, text(&package["license"]))
    };
    Ok(packages.iter().map(entry).collect())
}

fn licences(packages: &[Package], told: &BTreeMap<(String, String), Option<String>>) -> Vec<String> {
    let judge = |package: &Package| {
        let Package { name, version, .. } = package;
        let listed =
            ELSEWHERE.iter().find(|(known, _)| known == name).map(|(_, licence)| licence.to_string());
        let licence = match told.get(&(name.clone(), version.clone())) {
            Some(Some(licence)) => licence.clone(),
            Some(None) => return Some(format!("{name} {version} names no licence")),
            None => match listed {
                Some(licence) => licence,
                None => {
                    let place = "xtask/src/tidy/packages.rs";
                    return Some(format!(
                        "the licence of {name} {version} is not known: add it to ELSEWHERE in {place}"
                    ));
                }
            },
        };
        match licence::is_allowed(&licence) {
            Ok(true) => None,
            Ok(false) => {
                Some(format!("{name} {version} has the licence `{licence}`, which is not on our list"))
            }
            Err(why) => Some(format!("{name} {version}: {why}")),
        }
    };
    packages.iter().filter_map(judge).collect()
}

/// Everything foreign is from one registry, and pinned by a checksum; all else is in this repository.
fn sources(packages: &[Package]) -> Vec<String> {
    let foreign = || packages.iter().filter_map(|package| Some((package, package.source.as_deref()?)));
    let mut registries: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, source) in foreign() {
        *registries.entry(source).or_default() += 1;
    }
    let usual = registries.iter().max_by_key(|(_, count)| **count).map(|(source, _)| *source);
    let judge = |(package, source): (&Package, &str)| {
        let Package { name, version, has_checksum, .. } = package;
        if !source.starts_with("registry+") {
            return Some(format!("{name} {version} is not from a registry but from `{source}`"));
        }
        if Some(source) != usual {
            return Some(format!("{name} {version} is from another registry than the rest"));
        }
        (!has_checksum).then(|| format!("{name} {version} has no checksum"))
    };
    foreign().filter_map(judge).collect()
}

fn twice(packages: &[Package], stated: &[(&str, &str)]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let is_stated = |name: &str| stated.iter().any(|(known, _)| *known == name);
    let several = versions.iter().filter(|(name, all)| all.len() > 1 && !is_stated(name));
    let mut breaches: Vec<String> =
        several.map(|(name, all)| format!("{name} is there in the versions {}", all.join(", "))).collect();
    let once = stated.iter().filter(|(name, _)| versions.get(name).is_none_or(|all| all.len() < 2));
    breaches.extend(once.map(|(name, _)| format!("{name} is no longer there twice: take it out of TWICE")));
    breaches
}

fn refused(packages: &[Package]) -> Vec<String> {
    let judge = |package: &Package| {
        let (_, good, why) = REFUSED.iter().find(|(name, ..)| *name == package.name)?;
        let is_good = good.is_some_and(|good| numbers(&package.version) >= numbers(good));
        (!is_good).then(|| format!("{} {} is refused: {why}", package.name, package.version))
    };
    packages.iter().filter_map(judge).collect()
}

/// Entries of the lists about packages that are not there any more.
fn stale(packages: &[Package]) -> Vec<String> {
    let names = KNOWN.iter().chain(ELSEWHERE).map(|(name, _)| *name);
    let gone = names.filter(|name| packages.iter().all(|package| package.name != *name));
    gone.map(|name| format!("{name} is not there: take it out of the lists")).collect()
}

/// The numbers of a version; what comes behind them does not matter here.
fn numbers(version: &str) -> Vec<u64> {
    let plain = version.split(['-', '+']).next().unwrap_or("");
    plain.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, source: Option<&str>) -> Package {
        Package {
            name: name.into(),
            version: version.into(),
            source: source.map(String::from),
            has_checksum: true,
        }
    }

    #[test]
    fn the_lock_file_is_read() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\nsource = \"registry+x\"\nchecksum = \"0\"\n\
                    dependencies = [\n \"b\",\n]\n\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\n";
        let own = Package { has_checksum: false, ..package("b", "0.1.0", None) };
        assert_eq!(locked(lock), [package("a", "1.2.3", Some("registry+x")), own]);
    }

    #[test]
    fn a_planted_licence_is_found() {
        let packages =
            [package("a", "1.0.0", None), package("b", "1.0.0", None), package("c", "1.0.0", None)];
        let key = |name: &str| (name.to_string(), "1.0.0".to_string());
        let mut told =
            BTreeMap::from([(key("a"), Some("MIT".to_string())), (key("b"), Some("GPL-3.0".into()))]);
        let found = licences(&packages, &told);
        assert!(
            found.len() == 2 && found[0].contains("`GPL-3.0`") && found[1].contains("not known"),
            "{found:?}"
        );
        told.extend([(key("b"), Some("GPL-3.0 OR Zlib".into())), (key("c"), None)]);
        assert_eq!(licences(&packages, &told), ["c 1.0.0 names no licence"]);
        assert!(licences(&[package("r-efi", "6.0.0", None)], &BTreeMap::new()).is_empty());
    }

    #[test]
    fn foreign_sources_are_found() {
        let usual = |name: &str| package(name, "1.0.0", Some("registry+x"));
        assert!(sources(&[usual("a"), usual("b"), package("own", "0.1.0", None)]).is_empty());
        let git = package("c", "1.0.0", Some("git+https://example.org/c"));
        let other = package("d", "1.0.0", Some("registry+y"));
        let bare = Package { has_checksum: false, ..usual("e") };
        assert_eq!(sources(&[usual("a"), usual("b"), git, other, bare]).len(), 3);
    }

    #[test]
    fn versions_are_compared() {
        let two = [package("a", "1.0.0", None), package("a", "2.0.0", None), package("b", "1.0.0", None)];
        assert_eq!(twice(&two, &[]).len(), 1);
        assert!(twice(&two, &[("a", "why")]).is_empty());
        assert_eq!(twice(&two, &[("a", "why"), ("b", "why")]).len(), 1);
        let check = |name: &str, version: &str| refused(&[package(name, version, None)]).len();
        assert_eq!([check("crossbeam-channel", "0.5.14"), check("crossbeam-channel", "0.5.15")], [1, 0]);
        assert_eq!(
            [check("smallvec", "1.15.0"), check("smallvec", "1.6.0"), check("atty", "9.0.0")],
            [0, 1, 1]
        );
    }

    /// Those who have `cargo deny` are told the same.
    #[test]
    fn the_other_list_is_the_same() {
        let text = std::fs::read_to_string(root().join("deny.toml")).expect("there is deny.toml");
        let after =
            |key: &str| text.split(key).nth(1).and_then(|rest| rest.split(']').next()).expect("the key");
        let quoted = |part: &str| part.split('"').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
        assert_eq!(quoted(after("\nallow = [")), licence::ALLOWED);
        assert_eq!(
            quoted(after("\nskip = [")),
            TWICE.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>()
        );
        for (name, ..) in REFUSED.iter() {
            assert!(text.contains(&format!("crate = \"{name}")), "deny.toml says nothing about {name}");
        }
    }
}
