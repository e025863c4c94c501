//! Structural reductions of random nets, against an interpreter that works by the definitions: each rule
//! alone and all together; each premise that a rule relies on is left out once, and must be missed.

use crate::nets::given;
use burnside::nets::NetOptions;
use burnside::{
    DeadlockPaths, ExternalProperty, Limits, LoadOptions, Model, Options, Shortcuts, Symmetry, Verdict, check,
};
use burnside_petri::{
    Arc, Net, NetQuestion, Place, PlaceId, Premise, Query, Reductions, Rule, Rules, Structure, Transition,
    parse_query, show,
};
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::nets::{
    Explored, explore, holds, random_net, sparse_net, sparse_questions, value, write_pnml,
};
use burnside_trace::End;
use burnside_ts::Kind;
use std::collections::BTreeMap;

/// So many markings of a net are looked at.
const MOST: usize = 300;

/// The verdict, or the greatest value.
fn right(net: &Net, explored: &Explored, asked: &NetQuestion) -> (bool, Option<i128>) {
    match asked {
        NetQuestion::Bound(sums) => {
            let of = |marking| sums.iter().map(|sum| value(net, sum, marking)).max();
            (true, explored.markings.iter().filter_map(of).max())
        }
        _ => (holds(net, explored, asked).expect("the interpreter can judge it"), None),
    }
}

/// What became of a question about a net by some rules.
enum Came {
    /// The rules found nothing.
    Same,
    /// The same answer; by these rules, and with so many markings less.
    Right(Vec<Rule>, usize),
    Wrong(String),
}

fn compare(
    net: &Net,
    explored: &Explored,
    structure: &Structure,
    asked: &NetQuestion,
    rules: &Rules,
) -> Came {
    let query = Query { name: "q".into(), text: String::new(), asked: asked.clone() };
    let Some(reduced) = structure.reduced(&query, rules) else { return Came::Same };
    let context = || {
        let (before, after) = (write_pnml(net), write_pnml(&reduced.net));
        let (question, left) = (show(asked, net), show(&reduced.query.asked, &reduced.net));
        format!("{:?}\n{before}\n{question}\n{after}\n{left}", reduced.applied)
    };
    let Some(after) = explore(&reduced.net, 4 * MOST, 400) else {
        return Came::Wrong(format!("it has become larger\n{}", context()));
    };
    let (before, found) = (right(net, explored, asked), right(&reduced.net, &after, &reduced.query.asked));
    if before != found {
        return Came::Wrong(format!("{found:?} instead of {before:?}\n{}", context()));
    }
    let rules = reduced.applied.iter().map(|(rule, _)| *rule).collect();
    Came::Right(rules, explored.markings.len().saturating_sub(after.markings.len()))
}

/// Nets with few arcs, and some of all kinds.
fn net_of(seed: u64) -> Net {
    if seed % 8 == 7 { random_net(seed, seed % 16 == 7) } else { sparse_net(seed) }
}

#[test]
fn each_rule_alone_and_all_together() {
    let mut ways: Vec<Rules> =
        Rule::ALL.iter().map(|&rule| Rules { used: vec![rule], without: None }).collect();
    ways.push(Rules::default());
    let (mut nets, mut asked, mut saved) = (0, 0, 0);
    let mut times: BTreeMap<Rule, u32> = BTreeMap::new();
    for seed in seeds(0..500) {
        let net = net_of(seed);
        let Some(explored) = explore(&net, MOST, 4) else { continue };
        nets += 1;
        let structure = Structure::of(&net, true).expect("it is small");
        for question in sparse_questions(seed, &net) {
            for rules in &ways {
                match compare(&net, &explored, &structure, &question, rules) {
                    Came::Same => {}
                    Came::Wrong(how) => panic!("seed {seed} {rules:?}: {how}"),
                    Came::Right(used, fewer) => {
                        asked += 1;
                        saved += usize::from(fewer > 0);
                        used.into_iter().for_each(|rule| *times.entry(rule).or_default() += 1);
                    }
                }
            }
        }
    }
    println!("{nets} nets, {asked} questions about smaller ones, {saved} with fewer markings; {times:?}");
    if are_all() {
        let all_used = Rule::ALL.iter().all(|rule| times.get(rule).is_some_and(|times| *times > 20));
        assert!(nets > 200 && saved > 200 && all_used, "{nets} {saved} {times:?}");
    }
}

/// Whole checks of smaller nets: every run is lifted to the net itself and replayed, and what cannot be
/// lifted is searched for.
#[test]
fn checks_of_smaller_nets() {
    let (mut nets, mut smaller, mut runs) = (0, 0, BTreeMap::<&str, u32>::new());
    for seed in seeds(0..80) {
        let net = net_of(seed);
        let Some(explored) = explore(&net, MOST, 4) else { continue };
        nets += 1;
        let asked = sparse_questions(seed, &net);
        let questions: Vec<ExternalProperty> = asked.iter().map(|asked| given(asked, &net)).collect();
        let text = write_pnml(&net);
        let options = NetOptions { reductions: Reductions::First, ..NetOptions::default() };
        let load = LoadOptions::new().external(&questions).net(options);
        let model = Model::load(&text, &load).into_model().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let limits = Limits { states: Some(5_000), ..Limits::default() };
        let shortcuts = Shortcuts::None;
        let deadlock_paths = DeadlockPaths::Maximal;
        let symmetry = if seed % 2 == 0 { Symmetry::Auto } else { Symmetry::None };
        let options = Options { shortcuts, deadlock_paths, limits, symmetry, ..Options::default() };
        let report = check(&model, &options, &mut ()).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        assert_eq!(report.results.len(), asked.len(), "{text}");
        for (asked, result) in asked.iter().zip(&report.results) {
            let context = || format!("seed {seed}\n{text}\n{}: {:?}", show(asked, &net), result.verdict);
            let (yes, most) = right(&net, &explored, asked);
            let expected = if yes { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(result.verdict, expected, "{}", context());
            assert_eq!(result.value.map(i128::from), most, "{}", context());
            if !report.smaller.contains_key(&result.property) {
                continue;
            }
            smaller += 1;
            let end = match result.evidence.as_ref().map(|run| &run.end) {
                None => "none",
                Some(End::Loop(_)) => "loop",
                Some(End::Stutter) => "stutter",
                Some(_) => "state",
            };
            *runs.entry(end).or_default() += 1;
        }
    }
    println!("{nets} nets, {smaller} answers by smaller ones, runs: {runs:?}");
    if are_all() {
        let all_kinds = ["none", "loop", "stutter", "state"].iter().all(|end| runs.contains_key(end));
        assert!(smaller > 100 && all_kinds, "{smaller} {runs:?}");
    }
}

/// For each premise a net that is answered wrongly without it, by its seed. For others see [`TRAPS`].
const MISSED: [(Premise, u64); 30] = [
    (Premise::DeadGiven, 33),
    (Premise::DeadTaken, 223),
    (Premise::ConstantEnough, 18),
    (Premise::ConstantAllowed, 104),
    (Premise::ImplicitUnobserved, 23),
    (Premise::ImplicitUninhibited, 277),
    (Premise::ImplicitEnough, 612),
    (Premise::ImplicitFollows, 38),
    (Premise::ParallelNeeds, 94),
    (Premise::ParallelInhibited, 133),
    (Premise::ParallelSame, 18),
    (Premise::IdentityKind, 9),
    (Premise::SinkKind, 28),
    (Premise::SinkUnobserved, 37),
    (Premise::SinkUninhibited, 5948),
    (Premise::ConeKind, 9),
    (Premise::ConeNeeds, 24),
    (Premise::PostUnobserved, 25),
    (Premise::PostEmpty, 147),
    (Premise::PostAlone, 294),
    (Premise::PostUnseen, 1697),
    (Premise::PostKind, 1697),
    (Premise::PreUnobserved, 48),
    (Premise::PreEmpty, 168),
    (Premise::PreAlone, 1187),
    (Premise::PreUnseen, 1602),
    (Premise::PreTaken, 8702),
    (Premise::PreMonotonic, 13934),
    (Premise::PreOwn, 315),
    (Premise::PreKind, 1697),
];

/// Whether some answer is wrong without a premise, by all rules or by one of them alone.
fn is_missed(premise: Premise, seed: u64) -> bool {
    let net = net_of(seed);
    let Some(explored) = explore(&net, MOST, 4) else { return false };
    let structure = Structure::of(&net, true).expect("it is small");
    let ways = [Rule::ALL.to_vec(), vec![Rule::Constant]].map(|used| Rules { used, without: Some(premise) });
    let wrong = |asked: &NetQuestion| {
        let came = ways.iter().map(|rules| compare(&net, &explored, &structure, asked, rules));
        came.into_iter().any(|came| matches!(came, Came::Wrong(_)))
    };
    sparse_questions(seed, &net).iter().any(wrong)
}

#[test]
fn each_premise_is_missed() {
    for (premise, seed) in MISSED {
        // If the generator changes, others have to be found.
        let next = || (0..20_000).find(|&seed| is_missed(premise, seed));
        assert!(is_missed(premise, seed), "{premise:?} is missed not with {seed} but with {:?}", next());
    }
    let seen = MISSED.iter().map(|it| it.0).chain(TRAPS.iter().map(|trap| trap.premise));
    let mut seen: Vec<Premise> = seen.collect();
    seen.sort();
    assert_eq!(seen, Premise::ALL, "each premise once");
}

/// A net made for a premise.
struct Trap {
    premise: Premise,
    /// With a star, holding a token.
    places: &'static [&'static str],
    /// What each transition takes, what it gives, and what prevents it.
    transitions: &'static [[&'static str; 3]],
    kind: Kind,
    question: &'static str,
    answer: bool,
}

const TRAPS: [Trap; 3] = [
    // What `f` gives prevents `g`, which can be first though it depends on `h`.
    Trap {
        premise: Premise::PostMonotonic,
        places: &["start*", "p", "q", "r", "b"],
        transitions: &[["start", "p r", ""], ["p", "q", ""], ["r", "b", "q"]],
        kind: Kind::Reachable,
        question: "b >= 1",
        answer: true,
    },
    // After the first step it is open where it goes.
    Trap {
        premise: Premise::PostDecided,
        places: &["start*", "p", "left", "right", "l", "r"],
        transitions: &[
            ["start", "p", ""],
            ["p", "left", ""],
            ["p", "right", ""],
            ["left", "l", ""],
            ["right", "r", ""],
        ],
        kind: Kind::Ctl,
        question: "EF (start == 0 && EF l == 1 && EF r == 1)",
        answer: true,
    },
    // The first can always happen.
    Trap {
        premise: Premise::PreSomething,
        places: &["p", "a*", "b"],
        transitions: &[["", "p", ""], ["p a", "b", ""]],
        kind: Kind::Reachable,
        question: "deadlock",
        answer: false,
    },
];

impl Trap {
    fn net(&self) -> Net {
        let place = |text: &&str| {
            let id = text.trim_end_matches('*').to_string();
            Place { name: id.clone(), id, domain: Vec::new(), initial: vec![u64::from(text.ends_with('*'))] }
        };
        let places: Vec<Place> = self.places.iter().map(place).collect();
        let arc = |name: &str| {
            let place = places.iter().position(|place| place.id == name).expect("it is there");
            Arc { place: PlaceId(place as u32), inscription: vec![(1, Vec::new())] }
        };
        let transition = |(number, sides): (usize, &[&str; 3])| {
            let [inputs, outputs, inhibitors] =
                sides.map(|names| names.split_whitespace().map(arc).collect::<Vec<_>>());
            let id = format!("t{number}");
            Transition { name: id.clone(), id, inputs, outputs, inhibitors, ..Transition::default() }
        };
        let transitions = self.transitions.iter().enumerate().map(transition).collect();
        Net { places, transitions, ..Net::default() }
    }
}

#[test]
fn traps() {
    for trap in TRAPS {
        let net = trap.net();
        let query = parse_query(trap.question, trap.kind, "q", &net).expect("it is right");
        let structure = Structure::of(&net, true).expect("it is small");
        let answer = |without| {
            let rules = Rules { without, ..Rules::default() };
            let Some(reduced) = structure.reduced(&query, &rules) else { return trap.answer };
            // Where tokens pile up nothing is dead.
            let explored = explore(&reduced.net, MOST, 40);
            explored.is_some_and(|explored| right(&reduced.net, &explored, &reduced.query.asked).0)
        };
        let premise = trap.premise;
        assert_eq!(answer(None), trap.answer, "{premise:?} is given");
        assert_eq!(answer(Some(premise)), !trap.answer, "{premise:?} is not looked at");
    }
}
