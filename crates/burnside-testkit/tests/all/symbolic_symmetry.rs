//! Symmetry on sets of states: permutations act as on single states, orbits are those of the explicit search,
//! wrong generators do no harm.

use burnside::Model;
use burnside::{Invariance, LoadOptions};
use burnside_explicit::{Canoniser, Finding, search};
use burnside_limits::{Limits, Stop};
use burnside_symbolic::symmetry::{
    Approximation, Conclusion, Effort, Generator, Judge, Outcome, Quality, Representatives, Restricted,
    Settings, create_xi, generators, keeping, least, orbit_to_xi, sigma_step, stabiliser, states,
};
use burnside_symbolic::{Out, Reduction, Set, Space};
use burnside_testkit::cases::{are_all, files, seeds};
use burnside_testkit::generate::{Flavor, generate};
use burnside_trace::{Claim, replay};
use burnside_ts::{
    Action, Expr, Interpreter, Machine, Outcome as Step, Permutation, Question, SortGroup, Symmetry, System,
    bits,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

type State = Box<[u64]>;

fn load(text: &str) -> System {
    Model::load(text, &LoadOptions::new()).model.expect("the model is right").into_system()
}

fn example(name: &str, n: u32) -> System {
    let text = std::fs::read_to_string(format!("../../examples/{name}.orb")).unwrap();
    let line = text.lines().find(|line| line.starts_with("const N =")).unwrap();
    load(&text.replace(line, &format!("const N = {n};")))
}

fn space(system: &System) -> Space<'_> {
    Space::new(system, &Limits::of_nodes(1 << 20), true).unwrap()
}

/// None if it takes more nodes than a test should.
fn small(system: &System) -> Option<Space<'_>> {
    if system.width > 48 { None } else { Space::new(system, &Limits::of_nodes(1 << 16), false).ok() }
}

fn reach(space: &Space<'_>) -> Set {
    reachable(space).unwrap()
}

fn reachable(space: &Space<'_>) -> Out<Set> {
    let mut states = space.initial().clone();
    loop {
        let more = states.or(&space.image(&states)?)?;
        if more == states {
            return Ok(states);
        }
        states = more;
    }
}

fn checked(space: &Space<'_>, symmetry: &Symmetry) -> Vec<Generator> {
    let judge = Judge::new(space, 1 << 18).unwrap();
    let mut all = generators(space, symmetry).unwrap();
    all.iter_mut().for_each(|generator| judge.judge(generator).unwrap());
    all
}

fn refs(all: &[Generator]) -> Vec<&Generator> {
    all.iter().collect()
}

/// What the first property with a name asks.
fn question<'s>(system: &'s System, name: &str) -> &'s Question {
    &system.properties.iter().find(|property| property.name == name).unwrap().question
}

/// The condition of the first property with a name.
fn condition<'s>(system: &'s System, name: &str) -> &'s Expr {
    match question(system, name) {
        Question::Invariant(condition) | Question::Reachable(condition) => condition,
        other => panic!("{other:?}"),
    }
}

fn counted(space: &Space<'_>, states: &Set) -> u64 {
    space.count(states).to_u64().unwrap()
}

/// The reachable states, one by one; none if there are too many.
fn explicit(system: &System, limit: usize) -> Option<Vec<Box<[u64]>>> {
    let mut machine = Interpreter::new(system);
    let (mut known, mut queue) = (BTreeSet::<State>::new(), Vec::<State>::new());
    machine.initial(&mut |outcome| {
        if let Step::State(state) = outcome
            && known.insert(State::from(state))
        {
            queue.push(State::from(state));
        }
        if queue.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let mut next = 0;
    while next < queue.len() && queue.len() <= limit {
        let state = queue[next].clone();
        next += 1;
        machine.successors(&state, &mut |_: burnside_ts::Label<'_>, outcome: Step<'_>| {
            if let Step::State(state) = outcome
                && known.insert(State::from(state))
            {
                queue.push(State::from(state));
            }
            ControlFlow::Continue(())
        });
    }
    (queue.len() <= limit).then_some(queue)
}

fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Box<[u64]> {
    let from = [state, &[0; bits::SPARE]].concat();
    let mut to = vec![0; from.len()];
    action.state(permutation, &from, &mut to);
    to.truncate(state.len());
    to.into()
}

/// Some permutations of all sorts, symmetric or not.
fn permutations(system: &System, seed: u64) -> Vec<Permutation> {
    let mut all = Vec::new();
    for (id, sort) in system.types.sorts().filter(|(id, _)| system.rule_sort != Some(*id)) {
        for i in 1..sort.size as usize {
            let mut permutation = Permutation::identity(&system.types);
            permutation.images[id.index()].swap((seed as usize + i) % sort.size as usize, i);
            permutation.images[id.index()].rotate_left(i % 2);
            all.push(permutation);
        }
    }
    if let [first, .., last] = &all[..] {
        all.push(last.after(first));
    }
    all
}

/// How many states and permutations were compared.
fn compare_action(text: &str, seed: u64) -> Option<usize> {
    let system = load(text);
    let states = explicit(&system, 150)?;
    let space = small(&system)?;
    let action = Action::new(&system);
    let mut compared = 0;
    for permutation in permutations(&system, seed) {
        let generator = Generator::new(&space, permutation.clone()).ok()?;
        let mut union = Vec::new();
        for state in &states {
            let expected = space.point(&moved(&action, &permutation, state)).unwrap();
            assert_eq!(
                generator.image(&space.point(state).unwrap()).unwrap(),
                expected,
                "{permutation:?}\n{text}"
            );
            union.push(expected);
            compared += 1;
        }
        let all = states.iter().map(|state| space.point(state).unwrap()).collect();
        let all = space.store().union(all).unwrap();
        assert_eq!(generator.image(&all).unwrap(), space.store().union(union).unwrap());
    }
    Some(compared)
}

#[test]
fn permutations_act_on_sets_as_on_states() {
    let compared: usize =
        seeds(0..200).filter_map(|seed| compare_action(&generate(seed, Flavor::Symmetric).text, seed)).sum();
    assert!(!are_all() || compared > 5000, "{compared}");
}

/// A model with a sort in every kind of type.
const ALL_TYPES: &str = "
symmetric P[3];
record Pair { a: P, b: P }
record Note { from: P, to: P?, seen: set of P }
var left: 0..2 = 2;
var owner: P?;
var last: Note?;
var inbox: array[P] of queue[2] of P;
var pot: bag[2] of P;
var notes: bag[2] of Note;
var met: array[Pair] of bool;
var pairs: set of Pair;
process P[p] {
    rule take when left > 0 && owner == none { owner = p; left = left - 1; }
    rule send(q: P) when left > 0 && q != p && !inbox[q].full() {
        inbox[q].push(p);
        met[Pair(p, q)] = true;
        left = left - 1;
    }
    rule put when left > 0 { pot.add(p); left = left - 1; }
    rule note(q: P) when left > 0 && !notes.full() {
        notes.add(Note(p, q, {p, q}));
        last = Note(q, none, {p});
        pairs.add(Pair(q, p));
        left = left - 1;
    }
}
deadlock allowed;
";

#[test]
fn every_kind_of_type_is_moved() {
    let loaded = Model::load(ALL_TYPES, &LoadOptions::new());
    let Ok(model) = loaded.model else { panic!("{:#?}", loaded.diagnostics) };
    let system = &model.system;
    let space = space(system);
    let action = Action::new(system);
    let states = explicit(system, 1 << 20).unwrap();
    for permutation in permutations(system, 1) {
        let generator = Generator::new(&space, permutation.clone()).unwrap();
        for state in states.iter().step_by(states.len() / 300 + 1) {
            let expected = space.point(&moved(&action, &permutation, state)).unwrap();
            assert_eq!(generator.image(&space.point(state).unwrap()).unwrap(), expected, "{permutation:?}");
        }
    }
    let all = checked(&space, &system.symmetry);
    assert!(all.iter().all(|generator| generator.quality == Quality::Good));
    let reached = reach(&space);
    assert_eq!(counted(&space, &reached), states.len() as u64);
    assert!(all.iter().all(|generator| generator.keeps(&reached).unwrap()));
}

#[test]
fn generators_have_names() {
    let system = example("mutex", 4);
    let space = space(&system);
    let names: Vec<String> = generators(&space, &system.symmetry)
        .unwrap()
        .iter()
        .map(|generator| generator.name().to_string())
        .collect();
    assert_eq!(names, ["(Proc 0 1)", "(Proc 1 2)", "(Proc 2 3)"]);
    let ring = load(
        "ring R[3]; var x: array[R] of bool; process R[r] { rule up when !x[r] { x[r] = true; } } deadlock allowed;",
    );
    let space = self::space(&ring);
    let turns = generators(&space, &Symmetry::product(vec![SortGroup::Rotations])).unwrap();
    assert_eq!(turns[0].name(), "(R 0 1 2)");
}

/// Orbits by the least representatives, found both ways, against the explicit search.
fn compare_orbits(system: &System, space: &Space<'_>) -> Option<u64> {
    let limits = Limits::of_states(3000);
    let canoniser = Canoniser::new(system, &system.symmetry, true);
    if !canoniser.is_exact() {
        return None;
    }
    let whole = Question::Bound(Expr::Const(0));
    let outcome = search(system, &[&whole], Some(canoniser), &limits, &mut ());
    if outcome.stop.is_some() {
        return None;
    }
    let all = checked(space, &system.symmetry);
    let group = refs(&all);
    assert!(all.iter().all(|generator| !matches!(generator.quality, Quality::Bad(_))), "{all:?}");
    let reached = reachable(space).ok()?;
    let closed = sigma_step(space, &reached, &group, &Effort::default()).unwrap();
    assert!(closed.complete && closed.states == reached);
    let by_orbits = orbit_to_xi(space, &group, &reached).ok()?;
    assert_eq!(counted(space, &by_orbits.representatives), outcome.stats.states);
    let by_closure = create_xi(space, &group, &by_orbits.representatives).ok()?;
    assert_eq!(by_closure.pairs, by_orbits.pairs);
    // No state is left out of the cheap choice of representatives that has to be in.
    let some = least(space, &group, &reached).ok()?;
    assert!(by_orbits.representatives.is_within(&some).unwrap());
    let graph = Representatives::new(space, by_closure).unwrap();
    check_graph(space, &graph, &reached);
    Some(outcome.stats.states)
}

/// Reachability in the graph of representatives reaches all of them, forwards, and the initial ones
/// backwards.
fn check_graph(space: &Space<'_>, graph: &Representatives<'_, '_>, reached: &Set) {
    let mut seen = graph.initial().unwrap();
    let mut path = vec![seen.clone()];
    loop {
        let more = seen.or(&graph.image(&seen).unwrap()).unwrap();
        if more == seen {
            break;
        }
        path.push(more.minus(&seen).unwrap());
        seen = more;
    }
    assert_eq!(seen, *graph.within());
    assert_eq!(graph.orbits(&seen).unwrap(), *reached);
    if seen.is_empty() {
        return;
    }
    for pair in path.windows(2) {
        assert!(!graph.preimage(&pair[1]).unwrap().is_apart(&pair[0]).unwrap());
    }
    let mut states = vec![space.pick(path.last().unwrap()).unwrap()];
    for ring in path.iter().rev().skip(1) {
        let here = space.point(states.last().unwrap()).unwrap();
        states.push(space.pick(&graph.preimage(&here).unwrap().and(ring).unwrap()).unwrap());
    }
    states.reverse();
    let lifted = graph.lift(&states).unwrap().unwrap();
    for (state, representative) in lifted.iter().zip(&states) {
        let of = graph.of(&space.point(state).unwrap()).unwrap();
        assert!(space.point(representative).unwrap().is_within(&of).unwrap());
    }
}

#[test]
fn orbits_are_those_of_the_explicit_search() {
    let orbits = |name, n| {
        let system = example(name, n);
        compare_orbits(&system, &space(&system))
    };
    assert_eq!(orbits("resource_simple", 3), Some(7));
    assert_eq!(orbits("resource", 9), Some(38));
    for n in 2..7 {
        assert_eq!(orbits("mutex", n), Some(2 * u64::from(n) + 1));
    }
    for name in ["token_ring", "mutex_strong"] {
        assert!(orbits(name, 3).is_some(), "{name}");
    }
}

/// What is no state is left out where faults are looked for: it must not be reachable.
#[test]
fn reachable_states_are_states() {
    let mut compared = 0;
    let mut look = |text: &str| {
        let Ok(model) = Model::load(text, &LoadOptions::new()).model else { return };
        let Some(space) = small(&model.system) else { return };
        if let (Ok(reached), Ok(all)) = (reachable(&space), states(&space)) {
            assert!(reached.is_within(&all).unwrap(), "{text}");
            compared += 1;
        }
    };
    for flavor in [Flavor::Any, Flavor::Symmetric] {
        seeds(0..150).for_each(|seed| look(&generate(seed, flavor).text));
    }
    for path in files("../../tests/models", "orb") {
        look(&std::fs::read_to_string(path).unwrap());
    }
    assert!(!are_all() || compared > 300, "{compared}");
}

#[test]
fn orbits_of_random_models() {
    let mut compared = 0;
    for seed in seeds(0..80) {
        let system = load(&generate(seed, Flavor::Symmetric).text);
        if system.symmetry.is_trivial() || explicit(&system, 300).is_none() {
            continue;
        }
        if let Some(space) = small(&system) {
            compared += usize::from(compare_orbits(&system, &space).is_some());
        }
    }
    assert!(!are_all() || compared > 30, "{compared}");
}

/// In one step all members make choices of their own, and one of those who wait is chosen: nothing grows with
/// the number of their combinations.
#[test]
fn synchronous_designs_stay_small() {
    let size = |n| {
        let system = example("arbiter", n);
        Space::new(&system, &Limits::of_nodes(500_000), false).unwrap().relation_size()
    };
    let (small, large) = (size(8), size(32));
    assert!(large < 16 * small, "{small} {large}");
}

#[test]
fn least_states_are_sorted_members() {
    for n in [3, 8, 20] {
        let system = example("mutex", n);
        let space = space(&system);
        let all = checked(&space, &system.symmetry);
        let some = least(&space, &refs(&all), &reach(&space)).unwrap();
        assert_eq!(counted(&space, &some), 2 * u64::from(n) + 1);
    }
}

fn settings() -> Vec<Settings> {
    let approximations = [
        Approximation::None,
        Approximation::Density { nodes: 5 },
        Approximation::Random { seed: 7, nodes: 4 },
        Approximation::Slice { moving: 3 },
        Approximation::Slice { moving: 0 },
        Approximation::Least,
        Approximation::Widen,
    ];
    let efforts = [
        Effort::default(),
        Effort { rounds: Some(0), nodes: None },
        Effort { rounds: Some(1), nodes: None },
        Effort { rounds: None, nodes: Some(3) },
    ];
    let mut all = Vec::new();
    for approximation in approximations {
        for effort in efforts {
            for seldom in [false, true] {
                all.push(Settings { approximation, effort, seldom, ..Settings::default() });
            }
        }
    }
    all
}

fn run(space: &Space<'_>, bad: &Set, group: &[&Generator], settings: &Settings) -> Outcome {
    space.on_the_fly(bad, group, settings, &mut ()).unwrap()
}

#[test]
fn all_settings_give_the_same_answers() {
    let text = std::fs::read_to_string("../../examples/mutex.orb").unwrap();
    let far = "reachable farthest = busy && count p: Proc { phase[p] == idle } == 0;";
    let system = load(&(text.replace("const N = 3", "const N = 4") + far));
    let space = space(&system);
    let all = checked(&space, &system.symmetry);
    let reached = reach(&space);
    let (exclusion, _) = space.condition(condition(&system, "exclusion"), &[]).unwrap();
    // The farthest states: all but one are trying, that one is critical.
    let (mut seen, mut ring) = (space.initial().clone(), space.initial().clone());
    loop {
        let new = space.image(&ring).unwrap().minus(&seen).unwrap();
        if new.is_empty() {
            break;
        }
        seen = seen.or(&new).unwrap();
        ring = new;
    }
    let far = ring;
    assert_eq!(counted(&space, &far), 4);
    for settings in settings() {
        for hints in [vec![], vec![exclusion.clone()], vec![space.initial().clone(), exclusion.not()]] {
            let settings = Settings { hints, ..settings.clone() };
            let holds = run(&space, &exclusion.not(), &refs(&all), &settings);
            assert_eq!(holds.conclusion, Ok(None), "{settings:?}");
            assert!(holds.representatives.is_within(&reached).unwrap());
            let orbits = sigma_step(&space, &holds.representatives, &refs(&all), &Effort::default()).unwrap();
            assert_eq!(orbits.states, reached);
            let Ok(Some(evidence)) = run(&space, &far, &refs(&all), &settings).conclusion else {
                panic!("{settings:?}");
            };
            let last = space.point(evidence.states.last().unwrap()).unwrap();
            assert!(last.is_within(&far).unwrap());
            assert!(evidence.steps.len() >= 5, "{}", evidence.steps.len());
            replay(&system, &evidence, Claim::of(question(&system, "farthest"))).unwrap();
        }
        let forgetful = Settings { forget: true, ..settings.clone() };
        let outcome = run(&space, &exclusion.not(), &refs(&all), &forgetful);
        let expected = if outcome.complete { Ok(None) } else { left_out() };
        assert_eq!(outcome.conclusion, expected, "{settings:?}");
    }
}

fn left_out() -> Conclusion {
    Err(Stop::Inconclusive("the search left out some states".to_string()))
}

#[test]
fn closing_less_costs_reduction_only() {
    let system = example("mutex", 6);
    let space = space(&system);
    let all = checked(&space, &system.symmetry);
    let none = space.store().none();
    let count = |rounds, approximation| {
        let settings =
            Settings { effort: Effort { rounds, nodes: None }, approximation, ..Settings::default() };
        let outcome = run(&space, &none, &refs(&all), &settings);
        assert_eq!(outcome.conclusion, Ok(None));
        assert!(outcome.explored.is_within(&outcome.representatives).unwrap());
        let orbits = sigma_step(&space, &outcome.explored, &refs(&all), &Effort::default()).unwrap();
        assert_eq!(counted(&space, &orbits.states), 64 + 6 * 32);
        (counted(&space, &outcome.explored), counted(&space, &outcome.representatives))
    };
    // Each ring is a union of orbits: without approximation there is nothing to drop.
    assert_eq!(count(None, Approximation::None), (256, 256));
    let slice = Approximation::Slice { moving: 1 };
    assert_eq!(count(Some(0), slice), (256, 256));
    let (full, one) = (count(None, slice), count(Some(1), slice));
    assert!(full.0 < one.0 && one.0 < 256, "{full:?} {one:?}");
    // One state of each orbit is gone on from.
    assert_eq!(count(None, Approximation::Least).0, 13);
}

/// Two processes that look alike but are not: only the first may break the rule.
const UNLIKE: &str = "
symmetric P[3];
var level: array[P] of 0..2;
process P[p] {
    rule up when level[p] < 1 { level[p] = level[p] + 1; }
    rule down when level[p] > 0 { level[p] = 0; }
}
process Odd { rule jump when level[P#2] == 1 { level[P#2] = 2; } }
invariant low = forall p: P { level[p] < 2 };
invariant sane = forall p: P { level[p] <= 2 };
invariant first = level[P#0] < 2;
";

#[test]
fn a_wrong_generator_is_found_and_does_no_harm() {
    let system = load(UNLIKE);
    let space = space(&system);
    let all = checked(&space, &Symmetry::declared(&system.types));
    assert_eq!(all[0].quality, Quality::Good);
    let why = "it moves a step of `Odd.jump` to what is no step";
    assert_eq!(all[1].quality, Quality::Bad(why.to_string()));
    let truth = |name| space.condition(condition(&system, name), &[]).unwrap().0;
    for settings in settings() {
        let violated = run(&space, &truth("low").not(), &refs(&all), &settings);
        // The wrong generator may hide the violation, but then nothing is claimed.
        match &violated.conclusion {
            Ok(Some(evidence)) => {
                replay(&system, evidence, Claim::of(question(&system, "low"))).unwrap();
            }
            Err(why) => assert!(why.to_string().contains("(P 1 2)"), "{why}"),
            Ok(None) => panic!("{settings:?}"),
        }
        let sane = run(&space, &truth("sane").not(), &refs(&all), &settings);
        let reason = format!("(P 1 2) is not a symmetry: {why}");
        assert_eq!(sane.conclusion, Err(Stop::Unverified(reason)));
        let good = run(&space, &truth("low").not(), &[&all[0]], &settings);
        assert!(matches!(good.conclusion, Ok(Some(_))));
        let first = run(&space, &truth("first").not(), &[&all[0]], &settings);
        let reason = "(P 0 1) does not leave the property alone".to_string();
        assert_eq!(first.conclusion, Err(Stop::Inconclusive(reason)));
        assert_eq!(run(&space, &truth("first").not(), &[], &settings).conclusion, Ok(None));
    }
}

#[test]
fn a_violation_is_found_with_a_wrong_generator() {
    let text = UNLIKE.replace("P#2", "P#0");
    let system = load(&text);
    let space = space(&system);
    let all = checked(&space, &Symmetry::declared(&system.types));
    assert!(matches!(all[0].quality, Quality::Bad(_)));
    assert_eq!(all[1].quality, Quality::Good);
    let low = space.condition(condition(&system, "low"), &[]).unwrap().0;
    let outcome = run(&space, &low.not(), &refs(&all), &Settings::default());
    let Ok(Some(evidence)) = outcome.conclusion else { panic!("{:?}", outcome.conclusion) };
    assert_eq!(evidence.steps.len(), 2);
    replay(&system, &evidence, Claim::of(question(&system, "low"))).unwrap();
}

#[test]
fn an_initial_state_may_give_a_generator_away() {
    let text = UNLIKE
        .replace("var level: array[P] of 0..2;", "var level: array[P] of 0..2; var boss: P = P#0;")
        .replace("process Odd { rule jump when level[P#2] == 1 { level[P#2] = 2; } }", "");
    let system = load(&text);
    let space = space(&system);
    let all = checked(&space, &Symmetry::declared(&system.types));
    assert_eq!(all[0].quality, Quality::Bad("it moves an initial state elsewhere".to_string()));
    assert_eq!(all[1].quality, Quality::Good);
}

#[test]
fn without_room_nothing_is_claimed() {
    let system = example("mutex", 5);
    let space = space(&system);
    let judge = Judge::new(&space, 0).unwrap();
    let mut all = generators(&space, &system.symmetry).unwrap();
    all.iter_mut().for_each(|generator| judge.judge(generator).unwrap());
    assert!(all.iter().all(|generator| matches!(generator.quality, Quality::Unchecked(_))));
    let outcome = run(&space, &space.store().none(), &refs(&all), &Settings::default());
    let Err(why) = outcome.conclusion else { panic!("{:?}", outcome.conclusion) };
    assert!(why.to_string().starts_with("it is not known whether (Proc 0 1) is a symmetry"), "{why}");
}

#[test]
fn the_stabiliser_has_more_than_the_generators_that_are_kept() {
    let text = std::fs::read_to_string("../../examples/mutex.orb").unwrap();
    let named = text.replace("const N = 3", "const N = 5") + "invariant one = phase[Proc#1] != critical;";
    let other = load(&named);
    let space = space(&other);
    let atom = space.condition(condition(&other, "one"), &[]).unwrap().0;
    let all = generators(&space, &Symmetry::declared(&other.types)).unwrap();
    let kept: Vec<&str> = keeping(&all, std::slice::from_ref(&atom))
        .unwrap()
        .into_iter()
        .map(|generator| generator.name())
        .collect();
    assert_eq!(kept, ["(Proc 2 3)", "(Proc 3 4)"]);
    let rest = stabiliser(&space, &Symmetry::declared(&other.types), &[atom]).unwrap();
    assert_eq!(rest.sorts, [SortGroup::full(vec![0, 2, 3, 4])]);
    // The same as the front end found by looking at the text.
    let property = other.properties.iter().find(|property| property.name == "one").unwrap();
    assert_eq!(rest.sorts, property.symmetry.sorts);
}

#[test]
fn permutations_with_one_name_are_told_apart() {
    let text = "symmetric P[16]; var x: array[P] of bool;
        process P[p] { rule flip { x[p] = !x[p]; } }
        invariant named = x[P#14];";
    let system = load(text);
    let space = space(&system);
    let swaps = |pairs: &[usize]| {
        let mut permutation = Permutation::identity(&system.types);
        pairs.iter().for_each(|&first| permutation.images[0].swap(first, first + 1));
        permutation
    };
    let claimed = [swaps(&[0, 2, 4, 6, 8, 10, 12]), swaps(&[0, 2, 4, 6, 8, 10, 14])];
    let names =
        claimed.clone().map(|permutation| Generator::new(&space, permutation).unwrap().name().to_string());
    assert_eq!(names[0], names[1]);
    let atoms = [space.condition(condition(&system, "named"), &[]).unwrap().0];
    let nothing = Symmetry::trivial(&system.types);
    let reduction =
        Reduction::new(&space, &nothing, &claimed, &atoms, (Invariance::Generators, true)).unwrap();
    let kept: Vec<&Permutation> = reduction.generators().into_iter().map(|it| it.permutation()).collect();
    assert_eq!(kept, [&claimed[0]]);
}

#[test]
fn the_part_on_representatives_has_only_steps_of_the_system() {
    for (name, n) in [("mutex", 5), ("resource", 4), ("mutex_strong", 4)] {
        let system = example(name, n);
        let space = space(&system);
        let all = checked(&space, &system.symmetry);
        let found = run(&space, &space.store().none(), &refs(&all), &Settings::default());
        let part = Restricted::new(&space, &found.representatives).unwrap();
        assert!(part.relation_size() < space.relation_size(), "{name}");
        let states = explicit(&system, 5000).unwrap();
        for state in states {
            let point = space.point(&state).unwrap();
            let inside = point.and(part.within()).unwrap();
            let expected = space.image(&inside).unwrap().and(part.within()).unwrap();
            assert_eq!(part.image(&point).unwrap(), expected, "{name}");
            let expected = space.preimage(&inside).unwrap().and(part.within()).unwrap();
            assert_eq!(part.preimage(&point).unwrap(), expected, "{name}");
        }
    }
}

/// Verdicts of invariants, with each way to choose, against the explicit search.
#[test]
fn invariants_of_random_models() {
    let mut tally = [0, 0];
    for seed in seeds(0..60) {
        let system = load(&generate(seed, Flavor::Symmetric).text);
        if explicit(&system, 400).is_none() {
            continue;
        }
        let Some(space) = small(&system) else { continue };
        for property in &system.properties {
            let Question::Invariant(condition) = &property.question else { continue };
            let Ok((truth, fault)) = space.condition(condition, &[]) else { continue };
            let found = search(&system, &[&property.question], None, &Limits::default(), &mut ());
            let all = checked(&space, &property.symmetry);
            let bad = truth.not().or(&fault).unwrap();
            for settings in settings().iter().step_by(3) {
                let group = refs(&all);
                let Ok(outcome) = space.on_the_fly(&bad, &group, settings, &mut ()) else { continue };
                match (&found.findings[0], &outcome.conclusion) {
                    (Finding::Yes(_), Ok(Some(evidence))) => {
                        let last = space.point(evidence.states.last().unwrap()).unwrap();
                        assert!(last.is_within(&bad).unwrap());
                        tally[0] += 1;
                    }
                    (Finding::No, Ok(None)) => tally[1] += 1,
                    (Finding::No, Err(why)) if why.to_string().contains("too few nodes") => {}
                    other => panic!("{seed} {}: {other:?}", property.name),
                }
            }
        }
    }
    assert!(!are_all() || tally.iter().all(|&count| count > 100), "{tally:?}");
}
