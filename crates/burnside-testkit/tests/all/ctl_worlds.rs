//! Branching-time properties on all small worlds, through the library.
//!
//! One model has all Kripke structures with up to three states and two atoms as its initial states: the
//! edges, the atoms and where everything faults are parts of the state that never change. Where a formula is
//! true is said a second time, by functions of the model that work on sets of states. The library must find
//! that both are the same in every state of every structure. A formula with one operator on two atoms is then
//! right on all sets of states, and deep formulas are tried on some.
//!
//! Others are models of their own, with fairness, against the oracle.

use burnside::{CtlAlgorithm, DeadlockPaths, Model, Options, Symmetry, Verdict};
use burnside_testkit::cases::{again, are_all, parts, seeds};
use burnside_testkit::compare::{Way, load};
use burnside_testkit::fuzz::examine;
use burnside_testkit::generate::{self, Rng};
use burnside_testkit::tally::Branching;

/// All structures, and operators on sets of states.
const WORLDS: &str = "
const N = 3;
const MAXIMAL = false;
const BOTH = true;
symmetric S[N];
var to: array[S] of set of S;
var bad: set of S;
var p: set of S;
var q: set of S;
var s: S = any;
init {
    to = any;
    bad = any;
    assume forall x: S { x in bad -> to[x].empty() };
    p = any;
    q = any;
    assume BOTH || q.empty();
}
process Walker {
    rule step(t in to[s]) { s = t; }
    rule crash when s in bad { assert false; }
}
deadlock allowed;
fn all(): set of S = {x: S where true};
fn no(a: set of S): set of S = all() \\ a;
fn dead(x: S): bool = to[x].empty() && !(x in bad);
fn before(a: set of S): set of S =
    {x: S where !(to[x] & a).empty() || (!MAXIMAL && dead(x) && x in a)};
fn keep(a: set of S, z: set of S): set of S = a & (before(z) | {x: S where MAXIMAL && dead(x)});
fn grow(a: set of S, y: set of S): set of S = y | (a & before(y));
fn eg(a: set of S): set of S { let z = keep(a, a); let w = keep(a, z); keep(a, w) }
fn runs(): set of S = eg(all());
fn ex(a: set of S): set of S = before(a & runs());
fn eu(a: set of S, b: set of S): set of S { let y = b & runs(); let z = grow(a, y); grow(a, z) }
fn ef(a: set of S): set of S = eu(all(), a);
fn ew(a: set of S, b: set of S): set of S = eu(a, b) | eg(a);
fn er(a: set of S, b: set of S): set of S = eu(b, a & b) | eg(b);
fn em(a: set of S, b: set of S): set of S = eu(b, a & b);
fn ax(a: set of S): set of S = no(ex(no(a)));
fn af(a: set of S): set of S = no(eg(no(a)));
fn ag(a: set of S): set of S = no(ef(no(a)));
fn au(a: set of S, b: set of S): set of S = no(er(no(a), no(b)));
fn ar(a: set of S, b: set of S): set of S = no(eu(no(a), no(b)));
fn aw(a: set of S, b: set of S): set of S = no(eu(no(b), no(a) & no(b)));
fn am(a: set of S, b: set of S): set of S = no(ew(no(a), no(b)));
";

/// The operators with one operand.
const UNARY: [&str; 6] = ["EX", "AX", "EF", "AF", "EG", "AG"];

/// A formula, and the set of states in which it is true.
type Pair = (String, String);

fn atoms() -> [Pair; 2] {
    ["p", "q"].map(|name| (format!("s in {name}"), name.to_string()))
}

fn one(operator: &str, a: &Pair) -> Pair {
    (format!("{operator} ({})", a.0), format!("{}({})", operator.to_lowercase(), a.1))
}

fn two(path: &str, letter: &str, a: &Pair, b: &Pair) -> Pair {
    let function = format!("{path}{letter}").to_lowercase();
    (format!("{path}[({}) {letter} ({})]", a.0, b.0), format!("{function}({}, {})", a.1, b.1))
}

/// Each operator with one operand on the first atom.
fn unary() -> Vec<Pair> {
    UNARY.map(|operator| one(operator, &atoms()[0])).to_vec()
}

/// Each operator with two operands on the atoms.
fn binary() -> Vec<Pair> {
    let [p, q] = atoms();
    let on = |path: &'static str| ["U", "R", "W", "M"].map(|letter| two(path, letter, &p, &q));
    [on("E"), on("A")].concat()
}

fn random(rng: &mut Rng, depth: u32) -> Pair {
    if depth == 0 {
        return rng.pick(&atoms()).clone();
    }
    let (a, b) = (random(rng, depth - 1), random(rng, depth - 1));
    match rng.below(12) {
        0 => (format!("!({})", a.0), format!("no({})", a.1)),
        1 => (format!("(({}) && ({}))", a.0, b.0), format!("({} & {})", a.1, b.1)),
        2 => (format!("(({}) -> ({}))", a.0, b.0), format!("(no({}) | {})", a.1, b.1)),
        3..8 => one(UNARY[rng.below(UNARY.len())], &a),
        _ => {
            let (path, letter) = (*rng.pick(&["E", "A"]), *rng.pick(&["U", "R", "W", "M"]));
            two(path, letter, &a, &b)
        }
    }
}

fn worlds(states: u32, maximal: bool, claims: &[String]) -> Model {
    let claims: Vec<String> = claims.iter().map(|claim| format!("({claim})")).collect();
    let claims = claims.join(" && ");
    // Without the second atom there are fewer structures.
    let both = claims.contains('q');
    let settings = [("N", states.to_string()), ("MAXIMAL", maximal.to_string()), ("BOTH", both.to_string())];
    let settings = settings.map(|(name, value)| (name.to_string(), value));
    load(&format!("{WORLDS}ctl same = {claims};\n"), &settings).unwrap()
}

fn holds(model: &Model, symmetry: Symmetry, ctl: CtlAlgorithm, maximal: bool) -> Result<bool, String> {
    let deadlock_paths = if maximal { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter };
    let properties = vec!["same".to_string()];
    let options = Options { symmetry, ctl, deadlock_paths, properties, ..Options::default() };
    let report = burnside::check(model, &options, &mut ()).map_err(|error| format!("{error:?}"))?;
    let result = report.results.iter().find(|result| result.property == "same").unwrap();
    match &result.verdict {
        Verdict::Unknown(reason) => Err(format!("unknown: {reason}")),
        verdict => Ok(*verdict == Verdict::Holds),
    }
}

/// The formulas are true where the functions say. If not, gives those of which this is false.
fn wrong(
    states: u32,
    formulas: &[Pair],
    symmetry: Symmetry,
    algorithm: CtlAlgorithm,
    maximal: bool,
) -> Vec<String> {
    let claims: Vec<String> =
        formulas.iter().map(|(formula, set)| format!("{formula} <-> s in {set}")).collect();
    let good = |claims: &[String]| holds(&worlds(states, maximal, claims), symmetry, algorithm, maximal);
    if good(&claims) == Ok(true) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for claim in &claims {
        let said = good(std::slice::from_ref(claim));
        if said != Ok(true) {
            wrong.push(format!("{algorithm:?} {symmetry:?} maximal: {maximal}: {claim}: {said:?}"));
        }
    }
    if wrong.is_empty() { vec![format!("{algorithm:?}: only together: {claims:?}")] } else { wrong }
}

const ALGORITHMS: [CtlAlgorithm; 4] =
    [CtlAlgorithm::New, CtlAlgorithm::Emc, CtlAlgorithm::Almc, CtlAlgorithm::Naive];

fn all_worlds_of_three(maximal: bool) {
    let mut problems = Vec::new();
    for i in parts(2 * ALGORITHMS.len()) {
        let formulas = if i % 2 == 0 { unary() } else { binary() };
        let found = wrong(3, &formulas, Symmetry::Auto, ALGORITHMS[i / 2], maximal);
        problems.extend(found.into_iter().map(|problem| format!("{problem}\n{}", again(i))));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn all_structures_with_three_states() {
    all_worlds_of_three(false);
}

#[test]
fn all_structures_with_three_states_and_paths_that_end() {
    all_worlds_of_three(true);
}

/// Every operator with one operand on every operator, some with two on each two, by some algorithm; other
/// formulas too. With symmetry and without.
#[test]
fn all_structures_with_two_states() {
    let mut rng = Rng::new(5);
    let [p, q] = atoms();
    let inner: Vec<Pair> = [unary(), binary(), vec![p, q]].concat();
    let mut formulas = Vec::new();
    for a in &inner {
        formulas.extend(UNARY.map(|operator| one(operator, a)));
        for b in &inner {
            // Not all of them.
            let path = if rng.chance(50) { "E" } else { "A" };
            let letters: &[&str] = if rng.chance(50) { &["U"] } else { &["R", "W", "M"] };
            formulas.extend(letters.iter().map(|letter| two(path, letter, a, b)));
        }
    }
    formulas.extend((0..120).map(|_| random(&mut rng, 3)));
    let mut problems = Vec::new();
    let chunks: Vec<&[Pair]> = formulas.chunks(60).collect();
    for i in parts(chunks.len()) {
        let symmetry = if i % 3 == 0 { Symmetry::None } else { Symmetry::Auto };
        let (algorithm, maximal) = (ALGORITHMS[i % 4], i / 4 % 2 == 1);
        let found = wrong(2, chunks[i], symmetry, algorithm, maximal);
        problems.extend(found.into_iter().map(|problem| format!("{problem}\n{}", again(i))));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What is not the same is found not to be.
#[test]
fn differences_are_seen() {
    for (formula, set) in
        [("EX (s in p)", "ax(p)"), ("AF (s in p)", "ef(p)"), ("A[s in p W s in q]", "au(p, q)")]
    {
        for algorithm in ALGORITHMS {
            let formulas = [(formula.to_string(), set.to_string())];
            assert_eq!(
                wrong(2, &formulas, Symmetry::Auto, algorithm, false).len(),
                1,
                "{formula} {algorithm:?}"
            );
        }
    }
}

/// A structure as a model of its own: a rule for each edge, some of them fair.
fn structure(rng: &mut Rng) -> String {
    let states = rng.between(2, 3);
    let start = if rng.chance(30) { "any" } else { "0" };
    let mut lines = vec![format!("var s: 0..{} = {start};", states - 1), "process K {".to_string()];
    for from in 0..states {
        let mut ends = true;
        for to in 0..states {
            for again in 0..if rng.chance(15) { 2 } else { 1 } {
                if rng.chance(50) {
                    let fair = *rng.pick(&["", "", "fair ", "strong fair "]);
                    lines.push(format!("    {fair}rule e{from}{to}{again} when s == {from} {{ s = {to}; }}"));
                    ends = false;
                }
            }
        }
        if rng.chance(if ends { 40 } else { 10 }) {
            lines.push(format!("    fair rule b{from} when s == {from} {{ assert false; }}"));
        }
    }
    // There must be some rule.
    lines.push("    rule idle when s < 0 { s = 0; }".to_string());
    lines.extend(["}".to_string(), "deadlock allowed;".to_string()]);
    for name in ["p", "q"] {
        let values: Vec<String> = (0..3).map(|i| format!("(s == {i} && {})", rng.chance(50))).collect();
        lines.push(format!("fn {name}(): bool = {};", values.join(" || ")));
    }
    let atoms = ["p()".to_string(), "q()".to_string()];
    for i in 0..6 {
        let depth = 2 + u32::from(i % 2 == 1);
        lines.push(format!("ctl f{i} = {};", generate::ctl(rng, &atoms, depth)));
    }
    lines.join("\n") + "\n"
}

fn structures_agree(usual: std::ops::Range<u64>) {
    let all = Way::all();
    let (mut tally, mut problems) = (Branching::default(), Vec::new());
    for seed in seeds(usual) {
        let text = structure(&mut Rng::new(seed));
        let other = all[(seed * 7) as usize % all.len()];
        let ways: Vec<Way> = Way::some_branching(seed).into_iter().chain([other]).collect();
        match examine(&text, 10, &ways, false) {
            Ok(agreement) => tally.add(&agreement.expect("small")),
            Err(problem) => problems.push(format!("structure {seed}: {problem}\n{text}\n{}", again(seed))),
        }
    }
    let shown = problems.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(problems.is_empty(), "{} problems\n{shown}", problems.len());
    println!("{tally}");
    if !are_all() {
        return;
    }
    let properties = tally.properties;
    assert!(tally.holding * 3 > properties && tally.violated * 3 > properties, "{tally}");
    assert!(tally.by_fairness * 50 > properties && tally.by_deadlock * 100 > properties, "{tally}");
}

#[test]
fn some_structures_with_fairness_1() {
    structures_agree(0..2500);
}

#[test]
fn some_structures_with_fairness_2() {
    structures_agree(2500..5000);
}
