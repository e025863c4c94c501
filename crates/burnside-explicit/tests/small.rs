//! The explicit engine on small systems whose figures are known: states, orbits, verdicts of all kinds, and
//! evidence that replays.

use burnside_engine::{Answer, Checker, CtlAlgorithm, Method, Options, Symmetry, Verdict};
use burnside_explicit::{Canoniser, EdgeReduction, EdgeStorage, Explicit, Finding, Quotient, search};
use burnside_limits::{Limits, Threads};
use burnside_perm::Natural;
use burnside_trace::{Claim, End, replay, replay_tree};
use burnside_ts::builder::{
    Operators, Pattern, SystemBuilder, count, exists, finally, forall, globally, next, on_all_paths,
    on_some_path, set,
};
use burnside_ts::{Property, Question, Strength, System};
use std::num::NonZeroUsize;

/// As examples/mutex.orb: each client is idle, trying or critical, and a bit says whether somebody is
/// critical.
fn mutex(clients: u32) -> System {
    let mut b = SystemBuilder::new();
    let client = b.symmetric("Client", clients);
    let phase = b.enumeration("Phase", &["idle", "trying", "critical"]);
    let phases = b.array(client, phase);
    let (busy, pc) = (b.var("busy", b.truth(), false), b.var("pc", phases, "idle"));
    let c = b.name("c", client);
    let worker = b.process("Worker", &[c]);
    b.fair(worker, Strength::Weak);
    b.rule(worker, "try").when(pc.at(c).eq("idle")).then(set(pc.at(c), "trying"));
    let enter = b.rule(worker, "enter").when(pc.at(c).eq("trying")).when(busy.not());
    enter.then(set(pc.at(c), "critical")).then(set(busy, true));
    let exit = b.rule(worker, "exit").when(pc.at(c).eq("critical"));
    exit.then(set(pc.at(c), "idle")).then(set(busy, false));
    let inside = || pc.at(c).eq("critical");
    b.invariant("exclusion", count([c], inside()).le(1));
    b.invariant("bit", busy.iff(exists([c], inside())));
    b.linear("entry", forall([c], globally(pc.at(c).eq("trying").implies(finally(inside())))));
    b.linear("someone", globally(finally(busy)));
    let home = on_some_path(finally(forall([c], pc.at(c).eq("idle"))));
    b.branching("home", on_all_paths(globally(home)));
    b.branching("calm", on_all_paths(globally(busy.not())));
    let waits = |who| Pattern::State(pc.at(who).eq("critical").and(pc.at(1).eq("trying")));
    let away = Pattern::State(pc.at(0).ne("critical").and(pc.at(1).eq("trying")));
    let away = Pattern::Repeat(Box::new(away), 1, None);
    b.never("alternate", Pattern::Then(vec![waits(0), away, waits(0)]));
    b.build().unwrap()
}

/// Counts up to 3, and faults one step later.
fn counter() -> System {
    let mut b = SystemBuilder::new();
    let range = b.range(0, 3);
    let n = b.var("n", range, 0);
    let process = b.process("P", &[]);
    b.rule(process, "up").then(set(n, n.add(1)));
    b.bound("most", n);
    b.build().unwrap()
}

/// Two counters that fault behind their ends: no run goes on for ever.
fn climbers() -> System {
    let mut b = SystemBuilder::new();
    let climber = b.symmetric("Climber", 2);
    let range = b.range(0, 3);
    let heights = b.array(climber, range);
    let height = b.var("height", heights, 0);
    let c = b.name("c", climber);
    let process = b.process("P", &[c]);
    b.rule(process, "up").then(set(height.at(c), height.at(c).add(1)));
    b.branching("top", on_some_path(finally(forall([c], height.at(c).eq(3)))));
    b.build().unwrap()
}

/// Switches beside a level, and sums that many states of a level of the search share.
fn levels() -> System {
    let mut b = SystemBuilder::new();
    let switch = b.symmetric("Switch", 4);
    let (flags, range) = (b.array(switch, b.truth()), b.range(0, 5));
    let (on, level) = (b.var("on", flags, false), b.var("level", range, 0));
    let s = b.name("s", switch);
    let process = b.process("P", &[s]);
    b.rule(process, "flip").then(set(on.at(s), on.at(s).not()));
    b.rule(process, "rise").when(level.lt(5)).then(set(level, level.add(1)));
    let lit = || count([s], on.at(s));
    b.bound("two", lit().min(2));
    b.bound("lit", lit());
    // The same for 4 and 5.
    b.bound("both", level.mul(9).sub(level.mul(level)).add(lit()));
    // Each state has nodes for a switch that is on and for one that is off.
    let soon = on.at(s).not().implies(on_some_path(next(on.at(s))));
    b.branching("soon", forall([s], on_all_paths(globally(soon))));
    let other = level.eq(2).and(on.at(s)).implies(on_some_path(next(level.eq(3).and(on.at(s).not()))));
    b.branching("other", forall([s], on_all_paths(globally(other))));
    b.build().unwrap()
}

/// Switches that are flipped for ever, each fairly or not.
fn toggler(strength: Option<Strength>) -> System {
    let mut b = SystemBuilder::new();
    let switch = b.symmetric("Switch", 3);
    let flags = b.array(switch, b.truth());
    let on = b.var("on", flags, false);
    let s = b.name("s", switch);
    let flipper = b.process("Flipper", &[s]);
    let flip = b.rule(flipper, "flip").then(set(on.at(s), on.at(s).not()));
    if let Some(strength) = strength {
        flip.fair(strength);
    }
    b.linear("each", forall([s], globally(finally(on.at(s)))));
    b.linear("first", globally(finally(on.at(0))));
    b.build().unwrap()
}

/// The answer to each property, by itself. Evidence is replayed.
fn answers(system: &System, options: &Options) -> Vec<Answer> {
    let answer = |property| {
        let mut engine = Explicit::new(system, options);
        let answer = engine.answer(&[property], &mut ()).pop().unwrap();
        check_evidence(system, property, &answer, options);
        answer
    };
    system.properties.iter().map(answer).collect()
}

fn check_evidence(system: &System, property: &Property, answer: &Answer, options: &Options) {
    if let Some(evidence) = &answer.evidence {
        let claim = Claim { fair: options.is_fair(), value: answer.value, ..Claim::of(&property.question) };
        assert_eq!(replay(system, evidence, claim), Ok(()), "{}", property.name);
    }
    if let (Some((state, tree)), Question::Branching(formula)) = (&answer.tree, &property.question) {
        let truth = answer.verdict == Verdict::Holds;
        let shown = replay_tree(system, formula, truth, state, tree, options.paths());
        assert!(shown.is_ok(), "{}: {shown:?}", property.name);
    }
}

fn verdicts(answers: &[Answer]) -> Vec<(&str, bool)> {
    let holds = |answer: &Answer| match answer.verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        Verdict::Unknown(_) => panic!("{} is unknown", answer.property),
    };
    answers.iter().map(|answer| (answer.property.as_str(), holds(answer))).collect()
}

#[test]
fn searches_count_states_and_steps() {
    let limits = Limits::default();
    for (clients, states, steps) in [(2, 8, 14), (3, 20, 48), (8, 1280, 6656)] {
        let system = mutex(clients);
        let all = search(&system, &[&Question::Deadlock, &Question::Fault], None, &limits, &mut ());
        assert_eq!((all.stats.states, all.stats.transitions), (states, steps));
        assert!(matches!(all.findings[..], [Finding::No, Finding::No]));
        // How many try, and whether one of the others is critical.
        let canoniser = Canoniser::new(&system, &system.symmetry, true);
        let orbits = search(&system, &[&Question::Deadlock], Some(canoniser), &limits, &mut ());
        assert_eq!(orbits.stats.states, 2 * u64::from(clients) + 1);
        assert_eq!(orbits.unreduced, Some(Natural::from(states)));
    }
}

#[test]
fn quotients_count_orbits() {
    for clients in [2, 3, 5] {
        let system = mutex(clients);
        let all = u64::from(2u32.pow(clients) + clients * 2u32.pow(clients - 1));
        for (canoniser, nodes) in
            [(Some(Canoniser::new(&system, &system.symmetry, true)), 2 * clients + 1), (None, all as u32)]
        {
            let mut quotient =
                Quotient::new(&system, canoniser, EdgeReduction::All, EdgeStorage::Eager, &Limits::default())
                    .unwrap();
            assert_eq!((quotient.len(), quotient.initial().len()), (nodes, 1));
            assert_eq!(quotient.unreduced(), Some(Natural::from(all)));
        }
    }
}

#[test]
fn every_way_gives_the_verdicts_of_the_mutex() {
    let expected = [
        ("exclusion", true),
        ("bit", true),
        ("entry", false),
        ("someone", true),
        ("home", true),
        ("calm", false),
        ("alternate", false),
    ];
    let system = mutex(3);
    for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast, Symmetry::None] {
        for method in [Method::OnTheFly, Method::TwoPhase] {
            let options = Options { symmetry, method, ..Options::default() };
            assert_eq!(verdicts(&answers(&system, &options)), expected, "{symmetry:?} {method:?}");
        }
        use CtlAlgorithm::{Almc, Emc, Naive, New};
        for ctl in [New, Emc, Almc, Naive] {
            let options = Options { symmetry, ctl, ..Options::default() };
            assert_eq!(verdicts(&answers(&system, &options)), expected, "{symmetry:?} {ctl:?}");
        }
    }
}

#[test]
fn fairness_decides_about_the_toggler() {
    for symmetry in [Symmetry::Auto, Symmetry::None] {
        let options = Options { symmetry, ..Options::default() };
        for (strength, holds) in [(None, false), (Some(Strength::Weak), true), (Some(Strength::Strong), true)]
        {
            let system = toggler(strength);
            let found = answers(&system, &options);
            assert_eq!(verdicts(&found), [("each", holds), ("first", holds)], "{strength:?}");
            let is_loop = |it: &Answer| it.evidence.as_ref().map(|it| matches!(it.end, End::Loop(_)));
            assert!(found.iter().all(|answer| is_loop(answer) == (!holds).then_some(true)));
        }
    }
}

#[test]
fn the_counter_ends_in_a_fault() {
    let system = counter();
    let outcome = search(&system, &[&Question::Fault], None, &Limits::default(), &mut ());
    let Finding::Yes(found) = &outcome.findings[0] else { panic!("it faults") };
    assert_eq!(found.evidence.states.len(), 4);
    assert_eq!(replay(&system, &found.evidence, Claim::of(&Question::Fault)), Ok(()));
    assert!(outcome.faulted);
    let answer = answers(&system, &Options::default()).pop().unwrap();
    assert_eq!((answer.value, answer.stats.states), (Some(3), 4));
}

/// Of several states with the greatest value it is the one that one thread finds first, and conditions about
/// a member are true of the same nodes.
#[test]
fn values_and_labels_do_not_depend_on_threads() {
    let (levels, climbers) = (levels(), climbers());
    for symmetry in [Symmetry::None, Symmetry::Auto] {
        let asked = |threads| {
            let limits = Limits { threads, ..Limits::default() };
            let options = Options { symmetry, limits, ..Options::default() };
            let answers = [&levels, &climbers].into_iter().flat_map(|system| answers(system, &options));
            let tell = |answer: Answer| (answer.verdict, answer.value, answer.evidence, answer.tree);
            answers.map(tell).collect::<Vec<_>>()
        };
        let one = asked(Threads::default());
        assert_eq!([one[0].1, one[1].1, one[2].1], [Some(2), Some(4), Some(24)]);
        let verdicts = [Verdict::Holds, Verdict::Violated, Verdict::Violated];
        assert!(one[3..].iter().map(|it| &it.0).eq(&verdicts), "{one:?}");
        for block in [1, 2, 3, 5, 8, 13, 64] {
            let count = NonZeroUsize::new(2 + block as usize % 3).expect("some");
            assert!(asked(Threads { count, alone: 0, block }) == one, "{symmetry:?} {block}");
        }
    }
}
