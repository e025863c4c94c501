//! The replay of infinite runs: valid ones are accepted, whatever is changed about them is seen, and formulas
//! mean on them what they mean on the unrolled word.

use burnside::{LoadOptions, Model};
use burnside_logic::{Automaton, Cube, Edge, Marks, StateId};
use burnside_trace::{Claim, End, Evidence, Mismatch, Step, Treatment, culprits, explain, replay};
use burnside_ts::{
    Formula, Interpreter, Label, Machine, Outcome, Question, Strength, System, Temporal, UnitId, Units,
};
use std::ops::ControlFlow;

fn load(text: &str, settings: &[(&str, &str)]) -> System {
    let settings: Vec<_> =
        settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let loaded = Model::load(text, &LoadOptions::new().settings(&settings));
    loaded.model.unwrap_or_else(|error| panic!("{error}")).into_system()
}

fn example(name: &str, settings: &[(&str, &str)]) -> System {
    let path = format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"));
    load(&std::fs::read_to_string(path).unwrap(), settings)
}

type State = Box<[u64]>;

fn initial(system: &System) -> Vec<State> {
    let mut states = Vec::new();
    Interpreter::new(system).initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            states.push(state.into());
        }
        ControlFlow::Continue(())
    });
    states
}

fn moves(system: &System, state: &[u64]) -> Vec<(Step, State)> {
    let mut moves = Vec::new();
    Interpreter::new(system).successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        if let Outcome::State(state) = outcome {
            moves.push((Step::from(label), state.into()));
        }
        ControlFlow::Continue(())
    });
    moves
}

/// The run with these steps. With a `start`, the last of them closes the loop.
fn run(system: &System, labels: &[&str], start: Option<usize>) -> Evidence {
    let mut states = vec![initial(system).remove(0)];
    let mut steps = Vec::new();
    for label in labels {
        let moves = moves(system, states.last().unwrap());
        let found = moves.into_iter().find(|(step, _)| system.show_label(step.label()) == *label);
        let (step, state) = found.unwrap_or_else(|| panic!("{label} is not enabled"));
        steps.push(step);
        states.push(state);
    }
    let end = match start {
        Some(start) => {
            assert_eq!(states.pop().as_ref(), Some(&states[start]), "the loop is open");
            End::Loop(start)
        }
        None => End::Stutter,
    };
    Evidence { states, steps, end }
}

fn question<'s>(system: &'s System, name: &str) -> &'s Question {
    &system.properties.iter().find(|property| property.name == name).unwrap().question
}

fn formula<'s>(system: &'s System, name: &str) -> &'s Formula {
    let Question::Linear(formula) = question(system, name) else { panic!("{name} is no formula") };
    formula
}

fn fails<'s>(system: &'s System, name: &str, fair: bool) -> Claim<'s> {
    Claim { question: question(system, name), fair, value: None }
}

const STARVED: [&str; 7] = [
    "Client[0].request",
    "Client[1].request",
    "Server.grant(c=Client#1)",
    "Client[1].enter",
    "Client[1].leave",
    "Server.recover",
    "Client[1].request",
];

#[test]
fn a_starved_client() {
    let system = example("resource", &[("N", "2")]);
    let evidence = run(&system, &STARVED, Some(2));
    assert_eq!(replay(&system, &evidence, fails(&system, "access", true)), Ok(()));
    assert_eq!(replay(&system, &evidence, fails(&system, "exclusion", true)), Err(Mismatch::NotFalse));
    assert_eq!(culprits(&system, &evidence, formula(&system, "access")).last().map(|last| last.1), Some(0));
    assert_eq!(culprits(&system, &evidence, formula(&system, "exclusion")), []);
    let treatments: Vec<_> =
        explain(&system, &evidence).into_iter().map(|unit| (unit.name, unit.treatment)).collect();
    let expected = [
        ("Server", Treatment::Executed(2)),
        // A client that waits has no step.
        ("Client[0]", Treatment::NeverEnabled),
        ("Client[1]", Treatment::Executed(3)),
    ];
    assert_eq!(treatments, expected.map(|(name, treatment)| (name.to_string(), treatment)));
}

#[test]
fn every_change_is_seen() {
    let system = example("resource", &[("N", "2")]);
    let valid = run(&system, &STARVED, Some(2));
    let claimed = fails(&system, "access", true);
    let rejected = |evidence: &Evidence| replay(&system, evidence, claimed).unwrap_err();
    let changed = |change: &dyn Fn(&mut Evidence)| {
        let mut evidence = valid.clone();
        change(&mut evidence);
        rejected(&evidence)
    };
    for start in 0..10 {
        let expected = match start {
            2 => continue,
            0..7 => Mismatch::LoopOpen,
            _ => Mismatch::Malformed,
        };
        assert_eq!(changed(&|evidence| evidence.end = End::Loop(start)), expected, "{start}");
    }
    let last = valid.states.len() - 1;
    for i in 0..=last {
        assert_eq!(changed(&|evidence| _ = evidence.steps.remove(i)), Mismatch::Malformed);
        assert_eq!(changed(&|evidence| _ = evidence.states.remove(i)), Mismatch::Malformed);
        let dropped = changed(&|evidence| {
            evidence.steps.remove(i);
            evidence.states.remove(i);
        });
        let expected = match i {
            0 => Mismatch::NotInitial,
            // Now the step before it would have to close the loop.
            i if i == last => Mismatch::LoopOpen,
            _ => Mismatch::NoSuchStep(i - 1),
        };
        assert_eq!(dropped, expected, "{i}");
        for j in 0..i {
            if valid.states[i] != valid.states[j] {
                changed(&|evidence| evidence.states.swap(i, j));
            }
            if valid.steps[i] != valid.steps[j] {
                changed(&|evidence| evidence.steps.swap(i, j));
            }
        }
        for bit in 0..system.width {
            changed(&|evidence| evidence.states[i][bit as usize / 64] ^= 1 << (bit % 64));
        }
        for other in valid.steps.iter().filter(|other| **other != valid.steps[i]) {
            changed(&|evidence| evidence.steps[i] = other.clone());
        }
    }
    for end in [End::State, End::Stutter] {
        assert_eq!(changed(&|evidence| evidence.end = end.clone()), Mismatch::Malformed);
    }
    let finite = |end: End| {
        changed(&|evidence| {
            evidence.steps.pop();
            evidence.end = end.clone();
        })
    };
    assert_eq!(finite(End::State), Mismatch::NotShown);
    assert_eq!(finite(End::Stutter), Mismatch::NotDead);
    // A lasso shows nothing else.
    for question in [Question::Deadlock, Question::Fault] {
        assert_eq!(replay(&system, &valid, Claim::of(&question)), Err(Mismatch::NotShown));
    }
}

#[test]
fn unfair_loops() {
    let system = example("resource", &[("N", "2")]);
    // The second client could ask all the time.
    let idle = [
        &["Client[0].request"][..],
        &[
            "Server.grant(c=Client#0)",
            "Client[0].enter",
            "Client[0].leave",
            "Server.recover",
            "Client[0].request",
        ],
    ]
    .concat();
    let evidence = run(&system, &idle, Some(1));
    let text = "ltl x = G F phase[Client#1] == using;";
    let path = format!("{}/../../examples/resource.orb", env!("CARGO_MANIFEST_DIR"));
    let text = format!("{}{text}", std::fs::read_to_string(path).unwrap());
    let system = load(&text, &[("N", "2")]);
    assert_eq!(
        replay(&system, &evidence, fails(&system, "x", true)),
        Err(Mismatch::Unfair("Client[1]".into()))
    );
    assert_eq!(replay(&system, &evidence, fails(&system, "x", false)), Ok(()));
}

#[test]
fn sets_changes_and_constraints() {
    // The first choice is the old value.
    let text = "var x: bool; process P { fair changing rule pick { x = any; } } ltl on = F x;";
    let system = load(text, &[]);
    let stays = run(&system, &["P.pick"], Some(0));
    let neglected = |name: &str| Err(Mismatch::Unfair(name.into()));
    assert_eq!(replay(&system, &stays, fails(&system, "on", true)), neglected("P.pick"));
    assert_eq!(replay(&system, &stays, fails(&system, "on", false)), Ok(()));
    let plain = load(&text.replace("changing ", ""), &[]);
    assert_eq!(replay(&plain, &stays, fails(&plain, "on", true)), Ok(()));
    let text = "var x: 0..2; process P { rule a { x = 0; } rule b { x = 1; } rule c { x = 2; } fair { b, c } } ltl on = F x != 0;";
    let system = load(text, &[]);
    let stays = run(&system, &["P.a"], Some(0));
    assert_eq!(replay(&system, &stays, fails(&system, "on", true)), neglected("P.{b, c}"));
    // No run stays in a state outside of the constraint.
    let text = "var x: 0..2; process P { rule up { x = (x + 1) % 3; } } constraint x < 1; ltl on = F x == 2;";
    let system = load(text, &[]);
    let out = Evidence { end: End::Stutter, ..run(&system, &["P.up"], None) };
    assert_eq!(replay(&system, &out, fails(&system, "on", true)), Err(Mismatch::NotDead));
    let out = Evidence { end: End::State, ..out };
    assert_eq!(replay(&system, &out, Claim::of(&Question::Deadlock)), Err(Mismatch::NotShown));
}

#[test]
fn weak_and_strong() {
    let strong = example("mutex_strong", &[("N", "2")]);
    let labels = ["Proc[0].try", "Proc[1].try", "Proc[1].enter", "Proc[1].exit", "Proc[1].try"];
    let evidence = run(&strong, &labels, Some(2));
    assert_eq!(
        replay(&strong, &evidence, fails(&strong, "entry", true)),
        Err(Mismatch::Unfair("Proc[0].enter".into()))
    );
    assert_eq!(replay(&strong, &evidence, fails(&strong, "entry", false)), Ok(()));
    let path = format!("{}/../../examples/mutex_strong.orb", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap().replace("strong fair rule", "fair rule");
    let weak = load(&text, &[("N", "2")]);
    assert_eq!(replay(&weak, &evidence, fails(&weak, "entry", true)), Ok(()));
    let treatments: Vec<_> =
        explain(&weak, &evidence).into_iter().map(|unit| (unit.name, unit.treatment)).collect();
    assert!(treatments.contains(&("Proc[0].enter".into(), Treatment::Disabled(3))), "{treatments:?}");
    assert!(treatments.contains(&("Proc[1].enter".into(), Treatment::Executed(2))), "{treatments:?}");
}

#[test]
fn handing_the_lead_around() {
    let system = example("leader", &[("N", "2")]);
    let labels = [
        "Proc[0].elect",
        "Proc[0].crash",
        "Proc[0].restart",
        "Proc[1].elect",
        "Proc[1].crash",
        "Proc[1].restart",
    ];
    let evidence = run(&system, &labels, Some(0));
    assert_eq!(replay(&system, &evidence, fails(&system, "settles", true)), Ok(()));
    assert_eq!(replay(&system, &evidence, fails(&system, "led", true)), Err(Mismatch::NotFalse));
    assert_eq!(replay(&system, &evidence, fails(&system, "everyone", true)), Err(Mismatch::NotFalse));
    // Up to renaming this one comes back to the state after three steps: one process down, the other leads.
    // But it is the other one, and a loop of nobody.
    let labels = [
        "Proc[0].elect",
        "Proc[0].crash",
        "Proc[1].elect",
        "Proc[0].restart",
        "Proc[1].crash",
        "Proc[0].elect",
    ];
    let mut open = run(&system, &labels, None);
    open.states.pop();
    open.end = End::Loop(3);
    assert_eq!(replay(&system, &open, fails(&system, "settles", true)), Err(Mismatch::LoopOpen));
}

#[test]
fn a_run_that_ends() {
    let text = "var x: 0..2; deadlock allowed;
        fair process P { rule up when x < 2 { x = x + 1; } }
        ltl comes = F x == 2; ltl goes = G F x < 2; ltl stays = F G x == 2; ltl next = X X X X x < 2;";
    let system = load(text, &[]);
    let evidence = run(&system, &["P.up", "P.up"], None);
    assert_eq!(replay(&system, &evidence, fails(&system, "goes", true)), Ok(()));
    assert_eq!(replay(&system, &evidence, fails(&system, "next", true)), Ok(()));
    for holds in ["comes", "stays"] {
        assert_eq!(replay(&system, &evidence, fails(&system, holds, true)), Err(Mismatch::NotFalse));
    }
    let mut early = evidence.clone();
    early.states.truncate(2);
    early.steps.truncate(1);
    assert_eq!(replay(&system, &early, fails(&system, "comes", true)), Err(Mismatch::NotDead));
    let empty = Evidence { states: vec![], steps: vec![], end: End::Stutter };
    assert_eq!(replay(&system, &empty, fails(&system, "comes", true)), Err(Mismatch::Malformed));
    let looping = Evidence { end: End::Loop(0), ..empty };
    assert_eq!(replay(&system, &looping, fails(&system, "comes", true)), Err(Mismatch::Malformed));
}

#[test]
fn a_step_that_faults_enables_nobody() {
    let text = "var x: 0..2; process Q { rule turn { x = 2 - x; } } fair process P { rule up when x == 2 { x = x + 1; } }
        fair process R { rule up when x == 0 { x = x + 1; } }
        ltl f = F x == 1;";
    let system = load(text, &[]);
    let evidence = run(&system, &["Q.turn", "Q.turn"], Some(0));
    let treatments: Vec<_> = explain(&system, &evidence).into_iter().map(|unit| unit.treatment).collect();
    assert_eq!(treatments, [Treatment::NeverEnabled, Treatment::Disabled(1)]);
    assert_eq!(replay(&system, &evidence, fails(&system, "f", true)), Ok(()));
    // A state in which the only step faults is no end.
    let text = "var x: 0..2; process P { rule up { x = x + 1; } } ltl f = F x == 0 && X X X false;";
    let system = load(text, &[]);
    let evidence = run(&system, &["P.up", "P.up"], None);
    assert_eq!(replay(&system, &evidence, fails(&system, "f", true)), Err(Mismatch::NotDead));
}

#[test]
fn conditions_that_fault() {
    let text = "symmetric T[2]; var o: T?; var n: 0..1; process P { rule turn { n = 1 - n; } }
        ltl doubtful = G (o! == T#0); ltl clear = G (o! == T#0) && F G n == 0; ltl guarded = F (n == 1 && o! == T#0) || G n == 0;";
    let system = load(text, &[]);
    let evidence = run(&system, &["P.turn", "P.turn"], Some(0));
    assert_eq!(replay(&system, &evidence, fails(&system, "doubtful", true)), Err(Mismatch::NotFalse));
    assert_eq!(replay(&system, &evidence, fails(&system, "clear", true)), Ok(()));
    assert_eq!(replay(&system, &evidence, fails(&system, "guarded", true)), Err(Mismatch::NotFalse));
    let mut faults = Vec::new();
    burnside_trace::faults(&system, None, &evidence.states[1], formula(&system, "guarded"), &mut |fault| {
        faults.push(fault);
        true
    });
    assert_eq!(faults.len(), 1);
    let finite = |length: usize| Evidence {
        states: evidence.states[..=length].to_vec(),
        steps: evidence.steps[..length].to_vec(),
        end: End::Undefined(faults[0]),
    };
    assert_eq!(replay(&system, &finite(1), fails(&system, "guarded", true)), Ok(()));
    assert_eq!(replay(&system, &finite(0), fails(&system, "guarded", true)), Err(Mismatch::NotShown));
}

#[test]
fn quantifiers_below_operators() {
    let text = "const N = 3; symmetric P[N]; var x: array[P] of bool; var turn: P = P#0;
        process Go[p: P] { rule flip { x[p] = !x[p]; turn = p; } }
        ltl a = G (forall p: P { F (exists q: P { x[q] && p != q && turn == q }) });
        ltl b = G (exists p: P { F (forall q: P { (x[q] -> p == q) }) && G F turn == p });
        ltl c = G (exists p: P { G F (exists q: P where p != q { x[q] }) && !(F turn == p) });";
    let system = load(text, &[]);
    // Only the first two flip; the third is never on and never has the turn.
    let labels = ["Go[0].flip", "Go[1].flip", "Go[0].flip", "Go[1].flip"];
    let mut labels = labels.to_vec();
    labels.extend(labels.clone());
    // From the second round on the turn is where it was.
    let evidence = run(&system, &labels, Some(4));
    assert_eq!(replay(&system, &evidence, fails(&system, "a", false)), Err(Mismatch::NotFalse));
    assert_eq!(replay(&system, &evidence, fails(&system, "b", false)), Err(Mismatch::NotFalse));
    assert_eq!(replay(&system, &evidence, fails(&system, "c", false)), Err(Mismatch::NotFalse));
    let alone = run(&system, &["Go[0].flip", "Go[0].flip"], Some(0));
    // For p = 0 there is nobody else.
    assert_eq!(replay(&system, &alone, fails(&system, "a", false)), Ok(()));
    assert_eq!(replay(&system, &alone, fails(&system, "b", false)), Err(Mismatch::NotFalse));
}

#[test]
fn automata_judge_the_word() {
    let text = "var x: 0..3; process P { rule up when x < 3 { x = x + 1; } rule back when x == 3 { x = 1; } }
        invariant zero = x == 0; invariant three = x == 3;";
    let system = load(text, &[]);
    let atoms = system.properties.iter().map(|property| match &property.question {
        Question::Invariant(condition) => condition.clone(),
        _ => panic!(),
    });
    let atoms: Vec<_> = atoms.collect();
    let evidence = run(&system, &["P.up", "P.up", "P.up", "P.back"], Some(1));
    let edge = |atom: Option<(u32, bool)>, marks: u64| Edge {
        label: atom.map_or(Cube::top(2), |(atom, positive)| Cube::literal(2, atom, positive)),
        marks: Marks(marks),
        target: StateId(0),
    };
    let accepts = |sets: u32, edges: Vec<Edge>| {
        let automaton = Automaton { atoms: 2, sets, initial: vec![StateId(0)], edges: vec![edges] };
        let question = Question::Automaton(automaton, atoms.clone());
        replay(&system, &evidence, Claim { question: &question, fair: true, value: None })
    };
    // Infinitely often three: yes. Infinitely often zero: no, it is in the stem. Always: yes. Zero is read at
    // first.
    assert_eq!(accepts(1, vec![edge(Some((1, true)), 1), edge(Some((1, false)), 0)]), Ok(()));
    assert_eq!(
        accepts(1, vec![edge(Some((0, true)), 1), edge(Some((0, false)), 0)]),
        Err(Mismatch::NotAccepted)
    );
    assert_eq!(accepts(0, vec![edge(None, 0)]), Ok(()));
    assert_eq!(accepts(0, vec![edge(Some((0, false)), 0)]), Err(Mismatch::NotAccepted));
    // Both sets in turn, and both but one of them in the stem only.
    let turns = vec![edge(Some((1, true)), 1), edge(Some((1, false)), 2)];
    assert_eq!(accepts(2, turns), Ok(()));
    let stem = vec![edge(Some((0, true)), 1), edge(Some((0, false)), 2)];
    assert_eq!(accepts(2, stem), Err(Mismatch::NotAccepted));
}

/// Fairness straight from its definition, by walks of their own for each unit: is it taken, and where is it
/// enabled?
fn naive_neglected(system: &System, evidence: &Evidence, start: usize) -> Vec<String> {
    let units = Units::new(system);
    let of = |unit: UnitId, step: &Step| units.executed(step.label(), true).any(|other| other == unit);
    let neglected = (0..units.len() as u32).map(UnitId).filter(|&unit| {
        let taken = evidence.steps[start..].iter().any(|step| of(unit, step));
        let enabled = |state: &State| moves(system, state).iter().any(|(step, _)| of(unit, step));
        let cycle = &evidence.states[start..];
        let wanted = match units.strength(unit) {
            Strength::Weak => cycle.iter().all(enabled),
            Strength::Strong => cycle.iter().any(enabled),
        };
        wanted && !taken
    });
    neglected.map(|unit| units.show(unit)).collect()
}

#[test]
fn fairness_as_defined() {
    let _again = burnside_cases::Again;
    let mut seed = 1u64;
    let mut random = |bound: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % bound
    };
    let (mut fair, mut unfair) = (0, 0);
    for name in ["resource", "mutex_strong", "leader", "philosophers"] {
        let system = example(name, &[("N", "3")]);
        let bad = Formula::Not(Box::new(Formula::Atom(burnside_ts::Expr::Const(1), "true".into())));
        let bad = Question::Linear(bad);
        for _ in 0..400 {
            // A random walk up to a state that was there before.
            let mut evidence = Evidence { states: initial(&system), steps: vec![], end: End::State };
            evidence.states.truncate(1);
            let patience = random(12);
            let start = loop {
                let mut moves = moves(&system, evidence.states.last().unwrap());
                if moves.is_empty() {
                    break None;
                }
                let (step, state) = moves.swap_remove(random(moves.len()));
                evidence.steps.push(step);
                let seen = evidence.states.iter().position(|other| *other == state);
                if let Some(start) = seen
                    && evidence.steps.len() > patience
                {
                    break Some(start);
                }
                evidence.states.push(state);
            };
            let Some(start) = start else { continue };
            evidence.end = End::Loop(start);
            let neglected = naive_neglected(&system, &evidence, start);
            let told = explain(&system, &evidence).into_iter();
            let told = told.filter(|unit| unit.treatment == Treatment::Neglected).map(|unit| unit.name);
            assert_eq!(told.collect::<Vec<_>>(), neglected);
            let expected = match neglected.into_iter().next() {
                Some(unit) => Err(Mismatch::Unfair(unit)),
                None => Ok(()),
            };
            if expected.is_ok() {
                fair += 1
            } else {
                unfair += 1
            }
            let claim = Claim { question: &bad, fair: true, value: None };
            assert_eq!(replay(&system, &evidence, claim), expected);
        }
    }
    assert!(fair > 50 && unfair > 50, "{fair} {unfair}");
}

/// Truth at a position of the unrolled word, straight from the definition: after as many positions as there
/// are nothing new comes.
fn naive(word: &[u64], start: usize, at: usize, formula: &Formula) -> bool {
    let after = |at: usize| if at + 1 == word.len() { start } else { at + 1 };
    let ahead = || std::iter::successors(Some(at), |&at| Some(after(at))).take(word.len() + 1);
    let now = |formula: &Formula, at: usize| naive(word, start, at, formula);
    let until = |a: &Formula, b: &Formula| {
        ahead().enumerate().any(|(i, at)| now(b, at) && ahead().take(i).all(|at| now(a, at)))
    };
    let not = |formula: &Formula| Formula::Not(Box::new(formula.clone()));
    match formula {
        Formula::Step(_) => unreachable!("no condition on a step is asked for"),
        Formula::Atom(_, text) => word[at] >> u32::from(text == "b") & 1 == 1,
        Formula::Not(a) => !now(a, at),
        Formula::And(both) => now(&both[0], at) && now(&both[1], at),
        Formula::Or(both) => now(&both[0], at) || now(&both[1], at),
        Formula::Implies(both) => !now(&both[0], at) || now(&both[1], at),
        Formula::Iff(both) => now(&both[0], at) == now(&both[1], at),
        Formula::Temporal(_, Temporal::Next(a)) => now(a, after(at)),
        Formula::Temporal(_, Temporal::Finally(a)) => ahead().any(|at| now(a, at)),
        Formula::Temporal(_, Temporal::Globally(a)) => ahead().all(|at| now(a, at)),
        Formula::Temporal(_, Temporal::Until(ab)) => until(&ab[0], &ab[1]),
        Formula::Temporal(_, Temporal::Release(ab)) => !until(&not(&ab[0]), &not(&ab[1])),
        Formula::Temporal(_, Temporal::WeakUntil(ab)) => {
            until(&ab[0], &ab[1]) || ahead().all(|at| now(&ab[0], at))
        }
        Formula::Temporal(_, Temporal::StrongRelease(ab)) => {
            until(&ab[1], &Formula::And(Box::new([ab[0].clone(), ab[1].clone()])))
        }
        Formula::Forall(..) | Formula::Exists(..) => unreachable!("none are made"),
    }
}

fn unary(a: &Formula) -> [Formula; 4] {
    let temporal = |make: fn(Box<Formula>) -> Temporal| Formula::Temporal(None, make(Box::new(a.clone())));
    [
        Formula::Not(Box::new(a.clone())),
        temporal(Temporal::Next),
        temporal(Temporal::Finally),
        temporal(Temporal::Globally),
    ]
}

fn binary(a: &Formula, b: &Formula) -> [Formula; 8] {
    let both = || Box::new([a.clone(), b.clone()]);
    let temporal = |operator| Formula::Temporal(None, operator);
    [
        Formula::And(both()),
        Formula::Or(both()),
        Formula::Implies(both()),
        Formula::Iff(both()),
        temporal(Temporal::Until(both())),
        temporal(Temporal::Release(both())),
        temporal(Temporal::WeakUntil(both())),
        temporal(Temporal::StrongRelease(both())),
    ]
}

/// All formulas over the atoms up to a depth of one, then those that apply one more operator to them, or two
/// to one of them.
fn formulas(atoms: &[Formula]) -> (Vec<Formula>, Vec<Formula>) {
    let grow = |from: &[Formula], with: &[Formula]| {
        let mut grown: Vec<Formula> = from.iter().flat_map(unary).collect();
        for a in from {
            grown.extend(with.iter().flat_map(|b| binary(a, b)));
            grown.extend(with.iter().flat_map(|b| binary(b, a)));
        }
        grown
    };
    let one = grow(atoms, atoms);
    let two = grow(&one, atoms);
    ([atoms, &one].concat(), two)
}

#[test]
fn formulas_mean_what_they_mean_on_the_unrolled_word() {
    let text = "var a: bool; var b: bool; init { a = any; b = any; }
        process P { rule go { a = any; b = any; } } ltl f = (F a) && (F b);";
    let system = load(text, &[]);
    let Formula::And(both) = formula(&system, "f") else { panic!() };
    let atoms = both.each_ref().map(|side| match side {
        Formula::Temporal(_, Temporal::Finally(atom)) => (**atom).clone(),
        _ => panic!(),
    });
    let (shallow, deep) = formulas(&atoms);
    let step = moves(&system, &initial(&system)[0]).remove(0).0;
    let lasso = |word: &[u64], start: usize| Evidence {
        states: word.iter().map(|&letter| Box::from([letter])).collect(),
        steps: vec![step.clone(); word.len()],
        end: End::Loop(start),
    };
    let (mut compared, mut turn) = (0, 0);
    for length in 1..=4u32 {
        for number in 0..4u64.pow(length) {
            let word: Vec<u64> = (0..length).map(|i| number >> (2 * i) & 3).collect();
            for start in 0..length as usize {
                let evidence = lasso(&word, start);
                let shallow = shallow.iter().filter(|_| length < 4);
                // Each of the others, on some of the words.
                turn = (turn + 1) % 61;
                for formula in shallow.chain(deep.iter().skip(turn).step_by(61)) {
                    let expected = match naive(&word, start, 0, formula) {
                        true => Err(Mismatch::NotFalse),
                        false => Ok(()),
                    };
                    let question = Question::Linear(formula.clone());
                    let claim = Claim { question: &question, fair: true, value: None };
                    let found = replay(&system, &evidence, claim);
                    assert_eq!(found, expected, "{word:?} from {start}: {formula:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 30_000, "{compared}");
}
