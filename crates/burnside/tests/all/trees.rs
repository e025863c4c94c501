//! The replay of trees: valid ones are accepted, whatever is changed about them is seen, and on all short
//! runs of small systems exactly the true claims can be shown.

use burnside::{LoadOptions, Model};
use burnside_trace::{End, Evidence, Mismatch, Shown, Step, Tree, TreeOptions, replay_subtree, replay_tree};
use burnside_ts::{Formula, Interpreter, Label, Machine, Outcome, Path, Question, System, Temporal};
use std::ops::ControlFlow;

type State = Box<[u64]>;
type Marks = Vec<(usize, Tree)>;

fn load(text: &str) -> System {
    let loaded = Model::load(text, &LoadOptions::new());
    loaded.model.unwrap_or_else(|error| panic!("{error}\n{text}")).into_system()
}

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

/// The run with these steps from a state. With a `start`, the last of them closes the loop.
fn run(system: &System, from: &[u64], labels: &[&str], start: Option<usize>) -> Evidence {
    let mut states: Vec<State> = vec![from.into()];
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
        None => End::State,
    };
    Evidence { states, steps, end }
}

fn formula<'s>(system: &'s System, name: &str) -> &'s Formula {
    let property = system.properties.iter().find(|property| property.name == name).unwrap();
    let Question::Branching(formula) = &property.question else { panic!("{name} is no formula") };
    formula
}

const PLAIN: TreeOptions = TreeOptions { fair: false, maximal: false, explore: 0 };
const FAIR: TreeOptions = TreeOptions { fair: true, ..PLAIN };
const MAXIMAL: TreeOptions = TreeOptions { maximal: true, ..PLAIN };
const WHOLE: Result<Shown, Mismatch> = Ok(Shown { complete: true });

/// What is wrong, wherever it is.
fn inner(why: Mismatch) -> Mismatch {
    match why {
        Mismatch::Within(_, why) => *why,
        why => why,
    }
}

fn mutex() -> System {
    let path = format!("{}/../../examples/heljanko_mutex.orb", env!("CARGO_MANIFEST_DIR"));
    let more = "ctl each = forall p: P { AF phase[p] == critical };
        ctl some = exists p: P { EX (phase[p] == trying && EF phase[p] == critical) };
        ctl same = (EF phase[P#0] == critical) <-> (EX phase[P#0] == critical);
        ctl first = E[phase[P#1] == trying R phase[P#0] != critical];
        ctl firsts = E[(EX phase[P#1] == critical) R (EF phase[P#0] == critical)];";
    load(&(std::fs::read_to_string(path).unwrap() + more))
}

/// A run with nothing on it.
fn bare(evidence: Evidence) -> Tree {
    Tree::Run(Box::new(evidence), Vec::new())
}

/// All changes of a tree: each makes one part of it wrong, or at least different.
fn mutations(tree: &Tree) -> Vec<Tree> {
    let mut all = Vec::new();
    for other in [Tree::Condition, Tree::Everywhere] {
        if other != *tree {
            all.push(other);
        }
    }
    match tree {
        Tree::Condition | Tree::Everywhere | Tree::Omitted => {}
        Tree::Both(trees) => {
            let [left, right] = &**trees;
            all.push(Tree::Both(Box::new([right.clone(), left.clone()])));
            all.extend(mutations(left).into_iter().map(|new| Tree::Both(Box::new([new, right.clone()]))));
            all.extend(mutations(right).into_iter().map(|new| Tree::Both(Box::new([left.clone(), new]))));
        }
        Tree::Side(i, inner) => {
            all.push(Tree::Side(1 - i, inner.clone()));
            all.push(Tree::Side(2, inner.clone()));
            all.extend(mutations(inner).into_iter().map(|new| Tree::Side(*i, Box::new(new))));
        }
        Tree::Value(number, inner) => {
            all.push(Tree::Value(1 - number, inner.clone()));
            all.push(Tree::Value(2, inner.clone()));
            all.extend(mutations(inner).into_iter().map(|new| Tree::Value(*number, Box::new(new))));
        }
        Tree::Run(evidence, marks) => {
            all.extend(runs_like(evidence).into_iter().map(|new| Tree::Run(Box::new(new), marks.clone())));
            let with = |marks: Marks| Tree::Run(evidence.clone(), marks);
            for (i, (position, mark)) in marks.iter().enumerate() {
                let changed = |change: &dyn Fn(&mut Marks)| {
                    let mut marks = marks.clone();
                    change(&mut marks);
                    with(marks)
                };
                all.push(changed(&|marks| _ = marks.remove(i)));
                all.push(changed(&|marks| marks.insert(i, (*position, mark.clone()))));
                all.push(changed(&|marks| marks[i].0 += 1));
                all.extend(mutations(mark).into_iter().map(|new| changed(&|marks| marks[i].1 = new.clone())));
            }
        }
    }
    all
}

fn runs_like(valid: &Evidence) -> Vec<Evidence> {
    let mut all = Vec::new();
    let mut changed = |change: &dyn Fn(&mut Evidence)| {
        let mut evidence = valid.clone();
        change(&mut evidence);
        all.push(evidence);
    };
    for i in 0..valid.steps.len() {
        changed(&|evidence| _ = evidence.steps.remove(i));
        for other in valid.steps.iter().filter(|other| **other != valid.steps[i]) {
            changed(&|evidence| evidence.steps[i] = other.clone());
        }
    }
    for i in 0..valid.states.len() {
        changed(&|evidence| _ = evidence.states.remove(i));
        for bit in 0..6 {
            changed(&|evidence| evidence.states[i][0] ^= 1 << bit);
        }
    }
    for end in [End::State, End::Stutter, End::Loop(0), End::Loop(1), End::Loop(2), End::Loop(99)] {
        if end != valid.end {
            changed(&|evidence| evidence.end = end.clone());
        }
    }
    changed(&|evidence| *evidence = Evidence { states: vec![], steps: vec![], end: End::State });
    all
}

#[test]
fn every_change_is_seen() {
    let system = mutex();
    let first = initial(&system).remove(0);
    let in_turn = ["P[0].try", "P[0].enter"];
    let waits = run(&system, &first, &["P[1].try", "P[1].enter", "P[1].leave"], Some(0));
    let enters = run(&system, &first, &in_turn, None);
    let tries = run(&system, &first, &in_turn[..1], None);
    let enters_then = run(&system, tries.states.last().unwrap(), &in_turn[1..], None);
    let trying_then = Tree::Both(Box::new([Tree::Condition, bare(enters_then)]));
    let idles = run(&system, &first, &["P[0].idle"], Some(0));
    let together = run(&system, &first, &["P[0].try", "P[1].try"], None);
    let round = ["P[0].enter", "P[0].pass(q=P#1)", "P[0].try", "P[1].enter", "P[1].pass(q=P#0)", "P[1].try"];
    let never_home = run(&system, &together.states[2], &round, Some(0));
    let cases: Vec<(&str, bool, Tree)> = vec![
        ("inevitable", false, bare(waits.clone())),
        ("possible", true, bare(enters.clone())),
        ("stays", true, bare(idles.clone())),
        ("each", false, Tree::Value(0, Box::new(bare(waits.clone())))),
        ("some", true, Tree::Value(0, Box::new(Tree::Run(Box::new(tries.clone()), vec![(1, trying_then)])))),
        ("same", false, Tree::Both(Box::new([bare(enters.clone()), Tree::Everywhere]))),
        ("returns", false, Tree::Run(Box::new(together), vec![(2, bare(never_home))])),
    ];
    let mut rejected = 0;
    for (name, truth, tree) in cases {
        let formula = formula(&system, name);
        let shown = replay_tree(&system, formula, truth, &first, &tree, PLAIN);
        assert!(shown.is_ok(), "{name}: {shown:?}");
        assert!(replay_tree(&system, formula, !truth, &first, &tree, PLAIN).is_err(), "{name}");
        for other in mutations(&tree) {
            let explored = TreeOptions { explore: 100, ..PLAIN };
            let shown = replay_tree(&system, formula, truth, &first, &other, explored);
            assert!(shown.is_err(), "{name}: {other:?}");
            rejected += u32::from(shown.is_err());
        }
    }
    assert!(rejected > 200, "{rejected}");
}

#[test]
fn named_mismatches() {
    let system = mutex();
    let first = initial(&system).remove(0);
    let enters = run(&system, &first, &["P[0].try", "P[0].enter"], None);
    let check = |name: &str, truth: bool, tree: &Tree| {
        replay_tree(&system, formula(&system, name), truth, &first, tree, PLAIN).map_err(inner)
    };
    let possible = |evidence: &Evidence| check("possible", true, &bare(evidence.clone()));
    assert_eq!(possible(&enters), WHOLE);
    let later = &enters.states[1];
    let valid = bare(run(&system, later, &["P[0].enter"], None));
    let about = formula(&system, "possible");
    assert_eq!(replay_subtree(&system, about, true, later, &valid, PLAIN), WHOLE);
    assert_eq!(replay_tree(&system, about, true, later, &valid, PLAIN), Err(Mismatch::NotInitial));
    assert_eq!(replay_subtree(&system, about, true, &[], &valid, PLAIN), Err(Mismatch::Malformed));
    assert_eq!(check("possible", true, &valid), Err(Mismatch::WrongStart));
    let short =
        Evidence { states: enters.states[..2].to_vec(), steps: enters.steps[..1].to_vec(), end: End::State };
    assert_eq!(possible(&short), Err(Mismatch::WrongValue));
    assert_eq!(possible(&Evidence { end: End::Stutter, ..enters.clone() }), Err(Mismatch::NotDead));
    assert_eq!(check("possible", false, &Tree::Everywhere).map_err(inner), Ok(Shown { complete: false }));
    let explored = TreeOptions { explore: 100, ..PLAIN };
    let seen = replay_tree(&system, about, false, &first, &Tree::Everywhere, explored);
    let text = seen.as_ref().unwrap_err().to_string();
    assert_eq!(text, "in `EF phase[P#0] == critical`: it is not so everywhere");
    let sneaks = formula(&system, "sneaks");
    assert_eq!(replay_tree(&system, sneaks, false, &first, &Tree::Everywhere, explored), WHOLE);
    let beyond = TreeOptions { explore: 8, ..PLAIN };
    let incomplete = Ok(Shown { complete: false });
    assert_eq!(replay_tree(&system, sneaks, false, &first, &Tree::Everywhere, beyond), incomplete);
    assert_eq!(check("possible", true, &Tree::Everywhere), Err(Mismatch::WrongShape));
    assert_eq!(check("possible", true, &Tree::Condition), Err(Mismatch::WrongShape));
    // A run that is left out shows nothing, but cannot be said to be against what is so.
    assert_eq!(check("possible", true, &Tree::Omitted), incomplete);
    assert_eq!(check("possible", false, &Tree::Omitted), Err(Mismatch::WrongShape));
    assert_eq!(replay_tree(&system, about, true, &first, &Tree::Omitted, explored), WHOLE);
    let denied = replay_tree(&system, sneaks, true, &first, &Tree::Omitted, explored);
    assert_eq!(denied.map_err(inner), Err(Mismatch::NotShown));
    let marked = |marks| Tree::Run(Box::new(enters.clone()), marks);
    assert_eq!(check("possible", true, &marked(vec![(2, Tree::Condition)])), WHOLE);
    assert_eq!(check("possible", true, &marked(vec![(1, Tree::Condition)])), Err(Mismatch::WrongValue));
    assert_eq!(check("possible", true, &marked(vec![(3, Tree::Condition)])), Err(Mismatch::Malformed));
    let twice = marked(vec![(2, Tree::Condition), (2, Tree::Condition)]);
    assert_eq!(check("possible", true, &twice), Err(Mismatch::Overmarked(2)));
    let early = marked(vec![(0, Tree::Condition), (2, Tree::Condition)]);
    assert_eq!(check("possible", true, &early), Err(Mismatch::Overmarked(0)));
    assert_eq!(check("stays", true, &bare(short)), Err(Mismatch::WrongValue));
    let alone = Evidence { states: vec![first.clone()], steps: vec![], end: End::State };
    assert_eq!(check("stays", true, &bare(alone)), Err(Mismatch::NotWhole));
    let value = |number| Tree::Value(number, Box::new(Tree::Everywhere));
    assert_eq!(check("each", false, &value(7)), Err(Mismatch::NoSuchValue(7)));
    assert_eq!(check("each", false, &value(0)), Err(Mismatch::WrongShape));
    assert_eq!(check("returns", false, &bare(enters.clone())), Err(Mismatch::Unmarked(2)));
}

#[test]
fn released_states_need_both_sides() {
    let system = mutex();
    let first = initial(&system).remove(0);
    let tries = run(&system, &first, &["P[1].try"], None);
    let both = run(&system, &first, &["P[1].try", "P[0].try"], None);
    let check = |name: &str, evidence: &Evidence, marks: &[(usize, Tree)]| {
        let tree = Tree::Run(Box::new(evidence.clone()), marks.to_vec());
        replay_tree(&system, formula(&system, name), true, &first, &tree, PLAIN).map_err(inner)
    };
    assert_eq!(check("first", &tries, &[]), WHOLE);
    assert_eq!(check("first", &tries, &[(1, Tree::Condition), (1, Tree::Condition)]), WHOLE);
    assert_eq!(check("first", &both, &[]), WHOLE);
    let alone = Evidence { states: vec![first.clone()], steps: vec![], end: End::State };
    assert_eq!(check("first", &alone, &[]), Err(Mismatch::NotWhole));
    // Where the other process tries, it can enter next; and the first can still enter some day.
    let from = |labels: &[&str], state: &State| bare(run(&system, state, labels, None));
    let later = |labels: &[&str]| from(labels, &tries.states[1]);
    let at_first = (0, from(&["P[0].try", "P[0].enter"], &first));
    let enters = (1, later(&["P[1].enter"]));
    let some_day = (1, later(&["P[0].try", "P[1].enter", "P[1].pass(q=P#0)", "P[0].enter"]));
    assert_eq!(check("firsts", &tries, &[at_first.clone(), enters.clone(), some_day.clone()]), WHOLE);
    let missing = [at_first.clone(), some_day.clone()];
    assert_eq!(check("firsts", &tries, &missing), Err(Mismatch::NotWhole));
    let swapped = [at_first.clone(), some_day.clone(), enters.clone()];
    assert!(check("firsts", &tries, &swapped).is_err());
    assert_eq!(check("firsts", &tries, &[enters, some_day]), Err(Mismatch::Unmarked(0)));
}

const SPIN: &str = "var x: 0..2; deadlock allowed;
    fair process A { rule spin when x == 0 {} }
    fair process B { rule go when x == 0 { x = 1; } rule stop when x == 1 { x = 2; } }
    ctl stays = EG x == 0;
    ctl leaves = EF x == 1;
    ctl ends = AF x == 2;
    ctl on = EX x == 1;
    ctl alive = AX x == 1;
    ctl still = EG x < 3;";

#[test]
fn where_fairness_counts_runs_are_whole_and_fair() {
    let system = load(SPIN);
    let first = initial(&system).remove(0);
    let check = |name: &str, truth: bool, evidence: &Evidence, options| {
        let tree = bare(evidence.clone());
        replay_tree(&system, formula(&system, name), truth, &first, &tree, options).map_err(inner)
    };
    let spin = run(&system, &first, &["A.spin"], Some(0));
    let unfair = Err(Mismatch::Unfair("B".into()));
    for (name, truth) in [("stays", true), ("ends", false), ("alive", false)] {
        assert_eq!(check(name, truth, &spin, PLAIN), WHOLE, "{name}");
        assert_eq!(check(name, truth, &spin, MAXIMAL), WHOLE, "{name}");
        assert_eq!(check(name, truth, &spin, FAIR), unfair, "{name}");
    }
    let goes = run(&system, &first, &["B.go"], None);
    let through = run(&system, &first, &["B.go", "B.stop"], None);
    let stutters = Evidence { end: End::Stutter, ..through.clone() };
    let fair_maximal = TreeOptions { fair: true, ..MAXIMAL };
    for name in ["leaves", "on"] {
        assert_eq!(check(name, true, &goes, PLAIN), WHOLE);
        assert_eq!(check(name, true, &through, PLAIN), WHOLE);
        assert_eq!(check(name, true, &stutters, PLAIN), WHOLE);
        assert_eq!(check(name, true, &stutters, MAXIMAL), Err(Mismatch::Stays));
        assert_eq!(check(name, true, &goes, FAIR), Err(Mismatch::NotWhole));
        assert_eq!(check(name, true, &through, FAIR), Err(Mismatch::NotWhole));
        assert_eq!(check(name, true, &stutters, FAIR), WHOLE);
        assert_eq!(check(name, true, &goes, fair_maximal), Err(Mismatch::NotWhole));
        assert_eq!(check(name, true, &through, fair_maximal), WHOLE);
    }
    assert_eq!(check("still", true, &stutters, PLAIN), WHOLE);
    assert_eq!(check("still", true, &through, PLAIN), Err(Mismatch::NotWhole));
    assert_eq!(check("still", true, &through, MAXIMAL), WHOLE);
    // What is about all runs is not looked for where fairness counts.
    let explored = TreeOptions { explore: 100, ..FAIR };
    let shown = replay_tree(&system, formula(&system, "ends"), true, &first, &Tree::Everywhere, explored);
    assert_eq!(shown, Ok(Shown { complete: false }));
}

#[test]
fn no_path_goes_through_a_state_in_which_all_steps_fault() {
    let system = load(
        "var x: 0..1; var y: 0..3;
        process P { rule go when x == 0 { x = 1; } rule bad when x == 1 { y = y + 4; } rule stay when x == 0 {} }
        ctl reach = EF x == 1; ctl stays = EG x == 0;",
    );
    let first = initial(&system).remove(0);
    let check = |name: &str, evidence| {
        let tree = bare(evidence);
        replay_tree(&system, formula(&system, name), true, &first, &tree, PLAIN).map_err(inner)
    };
    assert_eq!(check("reach", run(&system, &first, &["P.go"], None)), Err(Mismatch::Stuck));
    assert_eq!(check("stays", run(&system, &first, &["P.stay"], Some(0))), WHOLE);
}

/// A small system: which state leads to which, and the conditions in each.
struct Kripke {
    edges: Vec<Vec<usize>>,
    labels: Vec<[bool; 2]>,
}

/// Numbers that look random.
struct Random(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Random {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

impl Kripke {
    fn random(random: &mut Random) -> Self {
        let size = 2 + random.below(2) as usize;
        let edges = (0..size).map(|_| (0..size).filter(|_| random.below(5) < 2).collect()).collect();
        let labels = (0..size).map(|_| [random.below(2) == 1, random.below(2) == 1]).collect();
        Self { edges, labels }
    }

    fn text(&self, formulas: &[String]) -> String {
        let size = self.edges.len();
        let mut text = format!("var s: 0..{} = any; deadlock allowed;\n", size - 1);
        for (i, name) in ["p", "q"].into_iter().enumerate() {
            let states = (0..size).filter(|&at| self.labels[at][i]).map(|at| format!(" || s == {at}"));
            text += &format!("fn {name}(): bool = false{};\n", states.collect::<String>());
        }
        text += "process Go {\n";
        for (from, to) in self.edges.iter().enumerate().flat_map(|(at, to)| to.iter().map(move |to| (at, to)))
        {
            text += &format!("rule r{from}_{to} when s == {from} {{ s = {to}; }}\n");
        }
        text += "}\n";
        for (i, formula) in formulas.iter().enumerate() {
            text += &format!("ctl f{i} = {formula};\n");
        }
        text
    }

    /// All whole paths of at most so many states, each with the place to which it returns if it does.
    fn paths(&self, from: usize, maximal: bool, most: usize) -> Vec<(Vec<usize>, Option<usize>)> {
        let mut all = Vec::new();
        let mut open = vec![vec![from]];
        while let Some(path) = open.pop() {
            let last = path[path.len() - 1];
            if self.edges[last].is_empty() {
                all.push((path.clone(), (!maximal).then_some(path.len() - 1)));
                continue;
            }
            for &next in &self.edges[last] {
                let starts = (0..path.len()).filter(|&start| path[start] == next);
                all.extend(starts.map(|start| (path.clone(), Some(start))));
                if path.len() < most {
                    open.push([&path[..], &[next]].concat());
                }
            }
        }
        all
    }
}

/// The meaning of formulas, by looking at all lassos that are long enough.
struct Meaning<'k> {
    kripke: &'k Kripke,
    paths: Vec<Vec<(Vec<usize>, Option<usize>)>>,
}

impl<'k> Meaning<'k> {
    fn new(kripke: &'k Kripke, maximal: bool) -> Self {
        let size = kripke.edges.len();
        Self { kripke, paths: (0..size).map(|from| kripke.paths(from, maximal, 2 * size)).collect() }
    }

    fn holds(&self, formula: &Formula, at: usize) -> bool {
        match formula {
            Formula::Atom(_, text) => match text.as_str() {
                "p()" => self.kripke.labels[at][0],
                "q()" => self.kripke.labels[at][1],
                text => panic!("{text}"),
            },
            Formula::Not(inner) => !self.holds(inner, at),
            Formula::And(sides) => self.holds(&sides[0], at) && self.holds(&sides[1], at),
            Formula::Or(sides) => self.holds(&sides[0], at) || self.holds(&sides[1], at),
            Formula::Implies(sides) => !self.holds(&sides[0], at) || self.holds(&sides[1], at),
            Formula::Iff(sides) => self.holds(&sides[0], at) == self.holds(&sides[1], at),
            Formula::Temporal(Some(path), operator) => {
                let (_, operands) = parts(operator);
                let values = operands.map(|operand| {
                    let values = (0..self.kripke.edges.len()).map(|at| self.holds(operand, at));
                    values.collect::<Vec<_>>()
                });
                let mut paths = self.paths[at].iter();
                let is = |(states, start): &(Vec<usize>, Option<usize>)| {
                    let word: Vec<[bool; 2]> =
                        states.iter().map(|&at| [values[0][at], values[1][at]]).collect();
                    on_word(operator, &word, *start, *path)
                };
                if *path == Path::Some { paths.any(is) } else { paths.all(is) }
            }
            _ => panic!("no such formulas here"),
        }
    }
}

/// An operator on a word, from what it says: the first positions matter, then the loop once more.
fn on_word(operator: &Temporal, word: &[[bool; 2]], start: Option<usize>, path: Path) -> bool {
    let rest = start.map_or(&[][..], |start| &word[start..]);
    let all = [word, rest].concat();
    let (letter, _) = parts(operator);
    let until = all.iter().position(|at| at[1]).is_some_and(|k| all[..k].iter().all(|at| at[0]));
    let release = all.iter().position(|at| at[0]).is_some_and(|k| all[..=k].iter().all(|at| at[1]));
    match letter {
        'X' => all.get(1).map_or(path == Path::All, |at| at[1]),
        'F' => all.iter().any(|at| at[1]),
        'G' => all.iter().all(|at| at[1]),
        'U' => until,
        'W' => until || all.iter().all(|at| at[0]),
        'R' => release || all.iter().all(|at| at[1]),
        'M' => release,
        _ => unreachable!(),
    }
}

fn parts(operator: &Temporal) -> (char, [&Formula; 2]) {
    let sides = operator.children();
    (operator.letter(), [&sides[0], &sides[sides.len() - 1]])
}

/// Looks for trees among all that are short.
struct Builder<'s> {
    system: &'s System,
    kripke: &'s Kripke,
    states: Vec<State>,
    options: TreeOptions,
    tried: u64,
}

impl<'s> Builder<'s> {
    /// A tree that is accepted.
    fn build(&mut self, formula: &'s Formula, truth: bool, at: usize) -> Option<Tree> {
        let mut candidates = vec![Tree::Condition, Tree::Everywhere];
        match formula {
            Formula::Atom(..) => {}
            Formula::Not(inner) => candidates.extend(self.build(inner, !truth, at)),
            Formula::And(sides) | Formula::Or(sides) | Formula::Implies(sides) | Formula::Iff(sides) => {
                let [left, right] = [0, 1].map(|i| self.any(&sides[i], at));
                candidates.extend(left.iter().map(|tree| Tree::Side(0, Box::new(tree.clone()))));
                candidates.extend(right.iter().map(|tree| Tree::Side(1, Box::new(tree.clone()))));
                for left in &left {
                    let both = right.iter().map(|right| Tree::Both(Box::new([left.clone(), right.clone()])));
                    candidates.extend(both);
                }
            }
            Formula::Temporal(_, operator) => {
                let (letter, operands) = parts(operator);
                let size = self.states.len();
                let trees =
                    operands.map(|operand| (0..size).map(|at| self.any(operand, at)).collect::<Vec<_>>());
                for (run, evidence) in self.runs(at) {
                    candidates.extend(marked(letter, &run, &trees, &evidence));
                }
            }
            _ => panic!("no such formulas here"),
        }
        candidates.into_iter().find(|tree| {
            self.tried += 1;
            let shown = replay_subtree(self.system, formula, truth, &self.states[at], tree, self.options);
            assert!(!matches!(shown, Ok(Shown { complete: false })));
            shown.is_ok()
        })
    }

    /// What shows that the formula is true or that it is false.
    fn any(&mut self, formula: &'s Formula, at: usize) -> Vec<Tree> {
        [true, false].into_iter().filter_map(|truth| self.build(formula, truth, at)).collect()
    }

    /// All short runs with all ends.
    fn runs(&self, from: usize) -> Vec<(Vec<usize>, Evidence)> {
        let most = self.states.len() + 1;
        let mut all = Vec::new();
        let mut open = vec![vec![from]];
        while let Some(run) = open.pop() {
            let mut ends = vec![End::State, End::Stutter];
            let last = run[run.len() - 1];
            for &next in &self.kripke.edges[last] {
                ends.extend((0..run.len()).filter(|&i| run[i] == next).map(End::Loop));
                if run.len() < most {
                    open.push([&run[..], &[next]].concat());
                }
            }
            all.extend(ends.into_iter().map(|end| (run.clone(), self.evidence(&run, end))));
        }
        all
    }

    fn evidence(&self, run: &[usize], end: End) -> Evidence {
        let next = match end {
            End::Loop(start) => Some(run[start]),
            _ => None,
        };
        let targets = run[1..].iter().copied().chain(next);
        let steps = run.iter().zip(targets).map(|(&from, to)| {
            let moves = moves(self.system, &self.states[from]);
            moves.into_iter().find(|(_, state)| *state == self.states[to]).unwrap().0
        });
        let steps = steps.collect();
        Evidence { states: run.iter().map(|&at| self.states[at].clone()).collect(), steps, end }
    }
}

/// The ways to mark a run, for an operator: the operands are shown wherever they should be, by the first tree
/// that shows anything there.
fn marked(letter: char, run: &[usize], trees: &[Vec<Vec<Tree>>; 2], evidence: &Evidence) -> Vec<Tree> {
    let mark = |side: usize, i: usize| trees[side][run[i]].first().map(|tree| (i, tree.clone()));
    let tree = |marks: Vec<Option<(usize, Tree)>>| {
        Tree::Run(Box::new(evidence.clone()), marks.into_iter().flatten().collect())
    };
    let next = if run.len() > 1 { 1 } else { 0 };
    let all = 0..run.len();
    let always = |side: usize| tree(all.clone().map(|i| mark(side, i)).collect());
    let until = |k: usize| tree((0..k).map(|i| mark(0, i)).chain([mark(1, k)]).collect());
    let release = |k: usize| tree((0..k).map(|i| mark(1, i)).chain([mark(0, k), mark(1, k)]).collect());
    match letter {
        'X' => vec![tree(vec![mark(1, next)])],
        'F' | 'G' => all.clone().map(|k| tree(vec![mark(1, k)])).chain([always(1)]).collect(),
        _ => {
            let ways = all.clone().flat_map(|k| [until(k), release(k)]);
            ways.chain([always(0), always(1)]).collect()
        }
    }
}

fn operator(random: &mut Random, left: &str, right: &str) -> String {
    let path = ["A", "E"][random.below(2) as usize];
    match random.below(6) {
        i @ 0..3 => format!("{path}{} ({right})", ["X", "F", "G"][i as usize]),
        i => format!("{path}[({left}) {} ({right})]", ["U", "R", "W"][i as usize - 3]),
    }
}

fn formulas(random: &mut Random) -> Vec<String> {
    let mut all = Vec::new();
    for path in ["A", "E"] {
        all.extend(["X", "F", "G"].map(|sign| format!("{path}{sign} p()")));
        all.extend(["U", "R", "W"].map(|sign| format!("{path}[p() {sign} q()]")));
    }
    for i in 0..8 {
        let mut small = || operator(random, "p()", "q()");
        let [one, two] = [small(), small()];
        all.push(match i {
            0 => operator(random, "p()", &one),
            1 => operator(random, &one, "q()"),
            2 => format!("({one}) <-> ({two})"),
            3 => format!("({one}) -> !({two})"),
            4 => format!("({one}) && ({two})"),
            5 => format!("({one}) || ({two})"),
            _ => operator(random, &one, &two),
        });
    }
    all
}

/// The same with `M` instead of `R`, which the language has not in `ctl`.
fn strong(formula: &Formula) -> Formula {
    match formula.map(&mut strong) {
        Formula::Temporal(path, Temporal::Release(sides)) => {
            Formula::Temporal(path, Temporal::StrongRelease(sides))
        }
        other => other,
    }
}

#[test]
fn exactly_the_true_claims_can_be_shown() {
    let mut random = Random(5);
    let (mut tried, mut shown) = (0, [0; 2]);
    for _ in 0..25 {
        let kripke = Kripke::random(&mut random);
        let mut system = load(&kripke.text(&formulas(&mut random)));
        for mut property in system.properties.clone() {
            let Question::Branching(formula) = &property.question else { panic!() };
            let changed = strong(formula);
            if changed != *formula {
                property.question = Question::Branching(changed);
                system.properties.push(property);
            }
        }
        let states = initial(&system);
        assert_eq!(states.len(), kripke.edges.len());
        for maximal in [false, true] {
            let meaning = Meaning::new(&kripke, maximal);
            let options = TreeOptions { fair: true, maximal, explore: 10 };
            let states = states.clone();
            let mut builder = Builder { system: &system, kripke: &kripke, states, options, tried: 0 };
            for property in &system.properties {
                let Question::Branching(formula) = &property.question else { panic!() };
                for at in 0..kripke.edges.len() {
                    let value = meaning.holds(formula, at);
                    for truth in [false, true] {
                        let tree = builder.build(formula, truth, at);
                        let text = formula.show(&|_| String::new());
                        assert_eq!(tree.is_some(), value == truth, "{text} in {at}, {tree:?}");
                        shown[usize::from(matches!(tree, Some(Tree::Everywhere)))] += 1;
                    }
                }
            }
            tried += builder.tried;
        }
    }
    assert!(tried > 100_000 && shown[0] > 1000 && shown[1] > 500, "{tried} {shown:?}");
}

/// A weak until that is shown by a loop speaks of its left side at every state of it, also at the last one.
#[test]
fn a_loop_shows_the_left_side_of_a_weak_until() {
    let text = "var x: 0..2 = 0; process P { rule a when x < 2 { x = x + 1; } rule b when x == 2 { x = 1; } }
        ctl weak = E[(AG x <= 2) W (AG x == 9)];";
    let system = load(text);
    let first = &initial(&system)[0];
    let evidence = run(&system, first, &["P.a", "P.a", "P.b"], Some(1));
    let tree = Tree::Run(Box::new(evidence), (0..3).map(|at| (at, Tree::Everywhere)).collect());
    let options = TreeOptions { fair: true, maximal: false, explore: 100 };
    let shown = replay_tree(&system, formula(&system, "weak"), true, first, &tree, options);
    assert_eq!(shown.map(|shown| shown.complete), Ok(true));
}
