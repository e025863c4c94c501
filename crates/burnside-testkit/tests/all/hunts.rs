//! Hunts on random models: every order of searching gives the verdict of the oracle, what is found replays,
//! and nothing that is shown is shorter than can be.
//!
//! Each property is asked for alone, so that a hunt can answer it. The library has replayed every run.

use burnside::{
    Answer, CheckError, Kind, Limits, Model, Options, Procedure, Search, Symmetry, Verdict, check,
};
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::oracle::{Exploration, Finding, Oracle};

/// Larger models are left out.
const LIMIT: usize = 250;

/// What hunts found between them.
#[derive(Default, Debug)]
struct Bag {
    answers: u64,
    hunted: u64,
    shortest: u64,
}

fn asked(model: &Model, name: &str, search: Search, symmetry: Symmetry, seed: u64) -> Option<Answer> {
    let properties = vec![name.to_string()];
    let options = Options { properties, search, symmetry, seed, ..Options::default() };
    match check(model, &options, &mut ()) {
        Ok(report) => report.answer(name).cloned(),
        Err(CheckError::NoInitialState(_)) => None,
        Err(error) => panic!("{name}, {search}, seed {seed}: {error:?}"),
    }
}

/// The questions about states, and what the oracle says of them.
fn questions(exploration: &Exploration, model: &Model) -> Vec<(String, Finding)> {
    let states = [Kind::Invariant, Kind::Reachable, Kind::Never];
    let is_wanted = |name: &str| {
        let mut named = model.system.properties.iter().filter(|property| property.name == name);
        named.any(|property| states.contains(&property.question.kind()))
    };
    let judged = exploration.properties.iter().filter(|judged| is_wanted(&judged.name));
    let judged = judged.map(|judged| (judged.name.clone(), judged.finding));
    let built_in = [("deadlock", exploration.deadlock), ("faults", exploration.faults)];
    judged.chain(built_in.map(|(name, finding)| (name.to_string(), finding))).collect()
}

fn examine(seed: u64, flavor: Flavor, bag: &mut Bag) {
    let text = generate(seed, flavor).text;
    let model = load(&text, &[]).unwrap();
    let Ok(exploration) = Oracle::new(model.hir().unwrap(), &text).explore(LIMIT) else { return };
    let searches = [Search::Auto, Search::Breadth, Search::Depth, Search::Random];
    for (name, finding) in questions(&exploration, &model) {
        for search in searches {
            let symmetry = [Symmetry::Auto, Symmetry::None][(seed % 2) as usize];
            let Some(answer) = asked(&model, &name, search, symmetry, seed) else { continue };
            let context = format!("seed {seed}, {name}, {search}: {finding:?}, {:?}\n{text}", answer.verdict);
            let (verdict, shortest) = match finding {
                Finding::Holds(length) => (Verdict::Holds, length),
                Finding::Violated(length) => (Verdict::Violated, length),
                Finding::Undefined(length) => (Verdict::Violated, Some(length)),
                Finding::NoStates | Finding::Unaffordable => continue,
            };
            assert_eq!(answer.verdict, verdict, "{context}");
            let length = answer.evidence.as_ref().map(|evidence| evidence.steps.len());
            bag.answers += 1;
            if answer.method != Some(Procedure::Hunt) {
                assert_eq!(length, shortest, "{context}");
                continue;
            }
            assert!(
                matches!(search, Search::Depth | Search::Random),
                "small models are not hunted: {context}"
            );
            assert!(length >= shortest && length.is_some(), "{context}");
            let found = answer.stats.hunt.unwrap().found as usize;
            assert!(length.is_some_and(|length| length <= found), "longer than what was found: {context}");
            let again = asked(&model, &name, search, symmetry, seed).unwrap();
            assert_eq!((again.evidence, again.stats), (answer.evidence, answer.stats), "{context}");
            bag.hunted += 1;
            bag.shortest += u64::from(length == shortest);
        }
    }
}

fn run(usual: std::ops::Range<u64>, flavor: Flavor) {
    let mut bag = Bag::default();
    for seed in seeds(usual) {
        examine(seed, flavor, &mut bag);
    }
    if are_all() {
        // Hunts that find nothing, or leave runs long, would pass all of the above.
        assert!(bag.hunted * 40 > bag.answers, "{bag:?}");
        assert!(bag.shortest * 100 >= bag.hunted * 95, "{bag:?}");
    }
}

#[test]
fn hunts_agree_with_the_oracle_on_any_models() {
    run(0..40, Flavor::Any);
}

#[test]
fn hunts_agree_with_the_oracle_on_symmetric_models() {
    run(0..40, Flavor::Symmetric);
}

/// Counters that count to five, beside one that must be ahead of all: far from what a walk meets by chance.
const LARGE: &str = "
    symmetric Member[6];
    var n: array[Member] of 0..5;
    process P[m: Member] {
        rule up when n[m] < 5 { n[m] = n[m] + 1; }
        rule down when n[m] > 0 { n[m] = n[m] - 1; }
    }
    invariant low = exists m: Member { n[m] < 5 };
    reachable top = forall m: Member { n[m] == 5 };
    invariant fine = forall m: Member { n[m] <= 5 };
    never close { true; exists m: Member { n[m] == 5 } && forall m: Member { n[m] >= 4 } }
";

/// Beyond the first mark a hunt answers in `auto` too, with a run that is as short as can be, or nearly so.
#[test]
fn hunts_beside_the_search_find_what_is_far() {
    let model = load(LARGE, &[]).unwrap();
    for (name, steps) in [("low", 30), ("top", 30), ("close", 25)] {
        let hunted = asked(&model, name, Search::Auto, Symmetry::None, 0).unwrap();
        assert_eq!(hunted.method, Some(Procedure::Hunt), "{name}");
        let length = hunted.evidence.unwrap().steps.len();
        // Nothing guides hunts for sequences.
        let most = if name == "close" { steps * 6 / 5 } else { steps };
        assert!((steps..=most).contains(&length), "{name}: {length}");
        let all = asked(&model, name, Search::Breadth, Symmetry::None, 0).unwrap();
        assert_eq!((all.verdict, all.method), (hunted.verdict, None), "{name}");
        assert!(all.stats.states > 2 * hunted.stats.states, "{name}");
    }
}

/// What a hunt has found counts if a limit ends the search beside it; what it has not found is unknown, and
/// what holds is never answered by a hunt.
#[test]
fn hunts_answer_when_a_limit_ends_the_search() {
    let model = load(LARGE, &[]).unwrap();
    let limits = Limits::of_states(500);
    for search in [Search::Depth, Search::Random, Search::Auto] {
        let options =
            Options { search, symmetry: Symmetry::None, limits: limits.clone(), ..Options::default() };
        let report = check(&model, &options, &mut ()).unwrap();
        let fine = report.answer("fine").unwrap();
        assert!(matches!(fine.verdict, Verdict::Unknown(_)) && fine.method.is_none(), "{search}");
        let low = report.answer("low").unwrap();
        match search {
            Search::Auto => assert!(matches!(low.verdict, Verdict::Unknown(_))),
            _ => assert_eq!(
                (&low.verdict, low.method),
                (&Verdict::Violated, Some(Procedure::Hunt)),
                "{search}"
            ),
        }
    }
}

/// Another seed gives other walks; the same one the same.
#[test]
fn seeds_decide() {
    let model = load(LARGE, &[]).unwrap();
    let steps = |seed| asked(&model, "low", Search::Random, Symmetry::None, seed).unwrap().stats.hunt;
    assert_eq!(steps(1), steps(1));
    assert!((1..9).any(|seed| steps(seed) != steps(0)));
}
