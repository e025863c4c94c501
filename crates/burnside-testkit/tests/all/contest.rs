//! The known answers of our own nets in the contest's layout, against the interpreter that works by the
//! definitions. Of what is about single runs (LTL) it can answer little.

use burnside_petri::{Global, Net, NetQuestion, Query, global, read_pnml, read_properties};
use burnside_testkit::cases::{are_all, named};
use burnside_testkit::nets::{Explored, explore, holds, value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contest")
}

/// By model, the properties and what is expected.
fn oracle() -> BTreeMap<String, Vec<(String, String)>> {
    let text = std::fs::read_to_string(folder().join("oracle.csv")).expect("there are answers");
    let mut known: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [model, property, answer] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        known.entry(model.into()).or_default().push((property.into(), answer.into()));
    }
    known
}

/// Everything that is asked about a net, by the names of the oracle.
fn queries(model: &str, net: &Net) -> Vec<Query> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder().join(model)).unwrap().map(|entry| entry.unwrap().path()).collect();
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
    let oracle = oracle();
    for model in named(oracle.keys().cloned().collect()) {
        let text = std::fs::read_to_string(folder().join(&model).join("model.pnml")).unwrap();
        let net = read_pnml(&text).unwrap();
        let explored = explore(&net, 10_000, 100).expect("small");
        let firings: usize = explored.edges.iter().map(Vec::len).sum();
        let mut answers: BTreeMap<String, Option<String>> = queries(&model, &net)
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
