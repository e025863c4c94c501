//! Local symmetries of automata: verdicts stay, products shrink, and a relation in one direction only would
//! not do.

use burnside::Limits;
use burnside::{Answer, AutomatonSymmetry, LoadOptions, Method, Model, Options, Verdict};
use burnside_explicit::Canoniser;
use burnside_explicit::ltl::{self, Conjunct, EmptinessQuery, EmptinessResult, Groupoid};
use burnside_logic::{
    AtomId, Automaton, AutomatonLimits, Cube, Edge, Image, Ltl, Marks, StateId, parse, translate,
};
use burnside_ts::{Permutation, Question, System};

const WAYS: [AutomatonSymmetry; 3] =
    [AutomatonSymmetry::None, AutomatonSymmetry::Local, AutomatonSymmetry::Exact];

fn check(text: &str, property: &str, automaton_symmetry: AutomatonSymmetry, method: Method) -> Answer {
    let model = Model::load(text, &LoadOptions::new()).model.expect("it loads");
    let options = Options {
        properties: vec![property.to_string()],
        automaton_symmetry,
        method,
        keep_quantifiers: true,
        ..Options::default()
    };
    let report = burnside::check(&model, &options, &mut ()).expect("evidence replays");
    report.results.into_iter().find(|result| result.property == property).expect("it was asked for")
}

/// Pairs of the product in each way; the verdicts are as expected.
fn products(text: &str, property: &str, method: Method, expected: &Verdict) -> [u64; 3] {
    WAYS.map(|way| {
        let result = check(text, property, way, method);
        assert_eq!(result.verdict, *expected, "{way:?}");
        assert_eq!(result.automaton_symmetry, Some(way));
        result.stats.product.expect("a linear-time property").states
    })
}

fn example(name: &str, n: u32) -> String {
    let path = format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("an example");
    let line = text.lines().find(|line| line.starts_with("const N = ")).expect("it has a size").to_string();
    text.replace(&line, &format!("const N = {n};"))
}

/// Some leader is final: N acceptance sets, which the symmetries permute.
#[test]
fn leaders() {
    let expected = [[8, 5, 5], [20, 7, 7], [48, 9, 9], [112, 11, 11]];
    for (n, expected) in (2..).zip(expected) {
        let found = products(&example("leader", n), "settles", Method::TwoPhase, &Verdict::Violated);
        assert_eq!(found, expected);
        products(&example("leader", n), "settles", Method::OnTheFly, &Verdict::Violated);
    }
}

/// Every request is answered, as one formula, where each grant is strongly fair.
#[test]
fn requests() {
    let expected = [[36, 20, 20], [112, 30, 30], [320, 40, 40], [864, 50, 50]];
    for (n, expected) in (2..).zip(expected) {
        let text = example("resource", n).replace("rule grant", "strong fair rule grant")
            + "ltl one = G (forall c: Client { phase[c] == requested -> F phase[c] == using });";
        assert_eq!(products(&text, "one", Method::OnTheFly, &Verdict::Holds), expected);
        products(&text, "one", Method::TwoPhase, &Verdict::Holds);
        // Without strong fairness it fails.
        let text = text.replace("strong fair rule grant", "rule grant");
        products(&text, "one", Method::OnTheFly, &Verdict::Violated);
        products(&text, "one", Method::TwoPhase, &Verdict::Violated);
    }
}

/// A ring: rotations relate states of the automaton, move acceptance sets, and leave its first state alone.
#[test]
fn rings() {
    let expected = [[42, 16, 16], [153, 42, 42], [513, 105, 105]];
    let sets = [[27, 11, 11], [81, 24, 24], [243, 51, 51]];
    for (n, (expected, sets)) in (3..).zip(expected.into_iter().zip(sets)) {
        let text = example("philosophers", n)
            + "ltl one = G (forall s: Seat { eating(s) -> F !eating(s) });
               ltl greedy = exists s: Seat { F G eating(s) };";
        assert_eq!(products(&text, "one", Method::OnTheFly, &Verdict::Holds), expected);
        assert_eq!(products(&text, "one", Method::TwoPhase, &Verdict::Holds), expected);
        assert_eq!(products(&text, "greedy", Method::TwoPhase, &Verdict::Violated), sets);
        products(&text, "greedy", Method::OnTheFly, &Verdict::Violated);
    }
}

/// Members that switch something on and off, each as it likes; the atoms are whether it is on.
const TOGGLERS: &str = "
symmetric P[3];
process P[i] { var p: bool = any; rule toggle { p = !p; } }
ltl atoms = exists i: P { F p[i] };
";

/// At most one of two members is ever on.
const ONCE: &str = "
symmetric P[2];
process P[i] { var p: bool; rule on when forall j: P { !p[j] } { p = true; } }
deadlock allowed;
ltl atoms = exists i: P { F p[i] };
";

/// The same formula in the language: elements that it names are moved along.
#[test]
fn named_elements() {
    let text = "
symmetric P[3];
process P[i] { var p: bool = any; rule toggle { p = !p; } }
ltl paper = ((p[P#0] U p[P#2]) || (p[P#1] U p[P#2])) && (p[P#0] U p[P#1]);
ltl one = G F p[P#1];
";
    let model = Model::load(text, &LoadOptions::new()).model.expect("it loads");
    assert!(model.system.properties[0].symmetry.is_trivial());
    assert_eq!(products(text, "paper", Method::TwoPhase, &Verdict::Violated), [36, 18, 18]);
    products(text, "paper", Method::OnTheFly, &Verdict::Violated);
    // Nothing is gained if the element cannot be taken for another that is named; the others are
    // interchangeable as before.
    for way in WAYS {
        let result = check(text, "one", way, Method::TwoPhase);
        assert_eq!(
            (result.verdict, result.automaton_symmetry),
            (Verdict::Violated, Some(AutomatonSymmetry::None))
        );
        assert_eq!(result.symmetry, burnside::Symmetry::Exact);
    }
}

/// A system and the atoms that its formula has when it is written out.
fn atoms(system: &System) -> Conjunct<'_> {
    let Question::Linear(formula) = &system.properties[0].question else { panic!("it is one") };
    let all = ltl::conjuncts(system, formula, &system.symmetry, false, None).expect("it is small");
    all.into_iter().next().expect("there is one")
}

/// Looks for a run that an automaton over these atoms accepts.
fn find<'s>(
    system: &'s System,
    atoms: &Conjunct<'s>,
    automaton: &Automaton,
    local: Option<Groupoid>,
) -> EmptinessResult {
    let symmetry = match &local {
        Some(local) => atoms.symmetry_with(local.movable()),
        None => atoms.symmetry.clone(),
    };
    let canoniser = (!symmetry.is_trivial()).then(|| Canoniser::new(system, &symmetry, true));
    let query = EmptinessQuery {
        tracked: Vec::new(),
        atoms: atoms.atoms.clone(),
        automaton: automaton.clone(),
        fair: true,
        local,
    };
    ltl::check_emptiness(system, query, canoniser, Method::TwoPhase, &Limits::default(), &mut ())
}

/// The formula of the paper names every member, so nothing leaves it as it is; yet its automaton has local
/// symmetries.
#[test]
fn the_formula_of_the_paper() {
    let model = Model::load(TOGGLERS, &LoadOptions::new()).model.expect("it loads");
    let system = &model.system;
    let atoms = atoms(system);
    assert!(atoms.symmetry.is_trivial());
    let parsed = parse("((p1 U p3) || (p2 U p3)) && (p1 U p2)").expect("a formula");
    assert_eq!(parsed.names, ["p1", "p3", "p2"]);
    // The atom of the second name is that of the third member.
    let mut formula = parsed.formula;
    formula = renamed(&formula, &[0, 2, 1]);
    for (bad, expected) in [(formula.clone(), (37, 20)), (Ltl::Not(Box::new(formula)), (36, 18))] {
        let automaton = translate(&bad, 3, &AutomatonLimits::default()).expect("it is small");
        let none = find(system, &atoms, &automaton, None);
        for exact in [false, true] {
            let local =
                Groupoid::of(system, &automaton, &atoms.atoms, &atoms.movable(), &atoms.symmetry, exact);
            let found = find(system, &atoms, &automaton, Some(local.expect("there are some")));
            assert_eq!(
                found.accepting_run.as_ref().map(Option::is_some),
                none.accepting_run.as_ref().map(Option::is_some)
            );
            let product = |found: &EmptinessResult| found.stats.product.expect("there is one").states;
            assert_eq!((product(&none), product(&found)), expected);
        }
    }
}

fn renamed(formula: &Ltl, to: &[u32]) -> Ltl {
    let one = |inner: &Ltl| Box::new(renamed(inner, to));
    match formula {
        Ltl::Atom(AtomId(atom)) => Ltl::Atom(AtomId(to[*atom as usize])),
        Ltl::And(parts) => Ltl::And(parts.iter().map(|part| renamed(part, to)).collect()),
        Ltl::Or(parts) => Ltl::Or(parts.iter().map(|part| renamed(part, to)).collect()),
        Ltl::Until(sides) => Ltl::Until(Box::new([renamed(&sides[0], to), renamed(&sides[1], to)])),
        Ltl::Not(inner) => Ltl::Not(one(inner)),
        other => panic!("not in this formula: {other:?}"),
    }
}

/// For each state one that can answer all that it does with renamed letters: one direction of the definition.
fn simulating(automaton: &Automaton, images: &[u32]) -> Vec<Option<Image>> {
    let states = automaton.len();
    let mut answers = vec![vec![true; states]; states];
    let moved = |letter: u64| images.iter().enumerate().fold(0, |to, (i, &j)| to | (letter >> i & 1) << j);
    let mut changed = true;
    while changed {
        changed = false;
        for a in 0..states {
            for b in 0..states {
                let fits = (0..1 << automaton.atoms).all(|letter| {
                    let mine = automaton.edges[a].iter().filter(|edge| edge.label.holds(&[letter]));
                    mine.into_iter().all(|mine| {
                        automaton.edges[b].iter().any(|edge| {
                            edge.label.holds(&[moved(letter)])
                                && edge.marks == mine.marks
                                && answers[mine.target.index()][edge.target.index()]
                        })
                    })
                });
                changed |= answers[a][b] && !fits;
                answers[a][b] &= fits;
            }
        }
    }
    let marks: Vec<u32> = (0..automaton.sets).collect();
    // A state that answers is taken from among the others, if there is one.
    let image = |a: usize| {
        let found = (0..states).rev().filter(|&b| b != a).chain([a]).find(|&b| answers[a][b])?;
        Some(Image { state: StateId(found as u32), marks: marks.clone() })
    };
    (0..states).map(image).collect()
}

/// A relation in one direction only, as the paper has it: one state is taken for another that can do more,
/// and a run is lost.
#[test]
fn one_direction_is_not_enough() {
    let model = Model::load(ONCE, &LoadOptions::new()).model.expect("it loads");
    let system = &model.system;
    let atoms = atoms(system);
    // Either the first is on, and from then on both are; or the second is on, and from then on it is.
    let edge = |label: &[(u32, bool)], target: u32| {
        let mut cube = Cube::top(2);
        label.iter().for_each(|&(atom, positive)| cube.set(atom, positive));
        Edge { label: cube, marks: Marks(0), target: StateId(target) }
    };
    let automaton = &Automaton {
        atoms: 2,
        sets: 0,
        initial: vec![StateId(0)],
        edges: vec![
            vec![edge(&[(0, false), (1, false)], 0), edge(&[(0, true)], 1), edge(&[(1, true)], 2)],
            vec![edge(&[(0, true), (1, true)], 1)],
            vec![edge(&[(1, true)], 2)],
        ],
    };
    let mut swap = Permutation::identity(&system.types);
    swap.images[0].swap(0, 1);
    let relations = vec![(simulating(automaton, &[1, 0]), swap)];
    let wrong = Groupoid::trusting(system, automaton, relations, &atoms.movable());
    let lost = find(system, &atoms, automaton, Some(wrong));
    let none = find(system, &atoms, automaton, None);
    assert!(matches!(none.accepting_run, Ok(Some(_))), "there is such a run");
    assert!(matches!(lost.accepting_run, Ok(None)), "it is lost");
    for exact in [false, true] {
        let local = Groupoid::of(system, automaton, &atoms.atoms, &atoms.movable(), &atoms.symmetry, exact);
        assert!(matches!(find(system, &atoms, automaton, local).accepting_run, Ok(Some(_))));
    }
}
