//! The known answers of our own nets in the contest's layout, against the interpreter that works by the
//! definitions. Of what is about single runs (LTL) it can answer little.

use burnside_petri::{Global, Net, NetQuestion, Query, Rules, Structure, global, read_pnml, read_properties};
use burnside_testkit::cases::{are_all, named};
use burnside_testkit::nets::{Explored, explore, holds, value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contest")
}

/// By model, the properties and what is expected.
fn oracle(folder: &Path) -> BTreeMap<String, Vec<(String, String)>> {
    let text = std::fs::read_to_string(folder.join("oracle.csv")).expect("there are answers");
    let mut known: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [model, property, answer] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        known.entry(model.into()).or_default().push((property.into(), answer.into()));
    }
    known
}

/// Everything that is asked about a net, by the names of the oracle.
fn queries(folder: &Path, model: &str, net: &Net) -> Vec<Query> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join(model)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "xml"));
    let read = |path: PathBuf| read_properties(&std::fs::read_to_string(path).unwrap(), net).unwrap();
    let mut queries: Vec<Query> = files.into_iter().flat_map(read).collect();
    for which in Global::ALL {
        let query = global(net, which);
        let figure = matches!(which, Global::MaxTokenInPlace | Global::MaxTokenPerMarking);
        let name = if figure { format!("StateSpace-{}", query.name) } else { query.name };
        queries.push(Query { name: format!("{model}-{name}"), ..query });
    }
    queries
}

/// The answer in the oracle's words; none if the interpreter has none.
fn answer(net: &Net, explored: &Explored, asked: &NetQuestion) -> Option<String> {
    if let NetQuestion::Bound(sums) = asked {
        let of = |marking| sums.iter().map(|sum| value(net, sum, marking)).max();
        return explored.markings.iter().filter_map(of).max().map(|most| most.to_string());
    }
    holds(net, explored, asked).map(|yes| yes.to_string().to_uppercase())
}

#[test]
fn the_known_answers_are_those_of_the_definitions() {
    let (mut compared, mut linear) = (0, 0);
    let oracle = oracle(&folder());
    for model in named(oracle.keys().cloned().collect()) {
        let text = std::fs::read_to_string(folder().join(&model).join("model.pnml")).unwrap();
        let net = read_pnml(&text).unwrap();
        let explored = explore(&net, 10_000, 100).expect("small");
        let firings: usize = explored.edges.iter().map(Vec::len).sum();
        let mut answers: BTreeMap<String, Option<String>> = queries(&folder(), &model, &net)
            .into_iter()
            .map(|query| (query.name.clone(), answer(&net, &explored, &query.asked)))
            .collect();
        answers.insert(format!("{model}-StateSpace-STATES"), Some(explored.markings.len().to_string()));
        answers.insert(format!("{model}-StateSpace-TRANSITIONS"), Some(firings.to_string()));
        assert_eq!(answers.len(), oracle[&model].len(), "{model}");
        for (property, expected) in &oracle[&model] {
            match &answers[property] {
                Some(answer) => assert_eq!(answer, expected, "{property}"),
                None => linear += 1,
            }
            compared += 1;
        }
    }
    assert!(!are_all() || (compared, linear) == (370, 74), "{compared} {linear}");
}

/// Questions that are asked of smaller nets have the known answers. How many were, of how many, with how many
/// markings of smaller nets instead of how many of the nets themselves.
fn smaller_nets(folder: &Path, most: usize) -> [usize; 4] {
    let sizes = std::fs::read_to_string(folder.join("instances.csv")).expect("there are sizes");
    let column = sizes.lines().next().and_then(|head| head.split(',').position(|title| title == "states"));
    let states = |model: &str| {
        let line = sizes.lines().find(|line| line.split(',').next() == Some(model))?;
        line.split(',').nth(column?)?.parse::<usize>().ok()
    };
    let [mut right, mut all, mut few, mut many] = [0; 4];
    for (model, known) in oracle(folder) {
        let net =
            read_pnml(&std::fs::read_to_string(folder.join(&model).join("model.pnml")).unwrap()).unwrap();
        let Some(structure) = Structure::of(&net, true) else { continue };
        let known: BTreeMap<String, String> = known.into_iter().collect();
        for query in queries(folder, &model, &net) {
            let Some(expected) = known.get(&query.name) else { continue };
            all += 1;
            let reduced = structure.reduced(&query, &Rules::default());
            let Some(reduced) = reduced.filter(|reduced| reduced.saves_markings()) else { continue };
            let Some(explored) = explore(&reduced.net, most, 1 << 60) else { continue };
            let Some(found) = answer(&reduced.net, &explored, &reduced.query.asked) else { continue };
            assert_eq!(found, *expected, "{} by {}", query.name, reduced.size());
            (right, few, many) =
                (right + 1, few + explored.markings.len(), many + states(&model).unwrap_or(0));
        }
    }
    println!("{right} of {all} answers by smaller nets, which have {few} markings instead of {many}");
    [right, all, few, many]
}

#[test]
fn smaller_nets_have_the_known_answers() {
    let [right, ..] = smaller_nets(&folder(), 10_000);
    assert!(right > 20, "{right}");
}

/// The same of the contest's own nets, where `cargo xtask test` has unpacked them: it takes a minute with
/// optimisations.
#[test]
#[ignore = "the contest's nets are no part of the project"]
fn smaller_nets_of_the_contest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/contest");
    let [right, ..] = smaller_nets(&folder, 3_000);
    assert!(right > 1_500, "{right}");
}
