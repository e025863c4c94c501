//! Symmetry blocks: what is proved is used and changes no verdict, what is wrong is refused with the rule that it breaks.

#![allow(missing_docs)]

use burnside::lang::diagnostic::{Diagnostic, Severity};
use burnside::ts::{Action, Label, Machine, Outcome, bits};
use burnside::{Model, Options, Report, Symmetry, check};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

fn load(source: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let loaded = Model::load(source, &[]);
    (loaded.model, loaded.diagnostics)
}

/// A model of which nothing is wrong.
fn fine(source: &str) -> Model {
    let (model, diagnostics) = load(source);
    assert!(diagnostics.is_empty(), "{source}\n{diagnostics:#?}");
    model.unwrap()
}

fn run(model: &Model, symmetry: Symmetry) -> Report {
    check(model, &Options { symmetry, ..Options::default() }, &mut ()).unwrap()
}

fn verdicts(report: &Report) -> BTreeMap<String, String> {
    report.results.iter().map(|r| (r.property.clone(), format!("{:?}", r.verdict))).collect()
}

/// All states that can be reached, by the interpreter.
fn reachable(model: &Model) -> BTreeSet<Vec<u64>> {
    let mut machine = Machine::new(&model.system);
    let mut todo = Vec::new();
    machine.initial(|outcome| {
        if let Outcome::State(state) = outcome {
            todo.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    let mut seen: BTreeSet<Vec<u64>> = todo.iter().cloned().collect();
    while let Some(state) = todo.pop() {
        machine.successors(&state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(next) = outcome
                && seen.insert(next.to_vec())
            {
                todo.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    seen
}

/// Everything that must agree: verdicts in all modes, orbit sizes, and the steps of moved states. The number of states and of orbits.
fn agree(source: &str) -> (usize, u64) {
    let model = fine(source);
    let none = run(&model, Symmetry::None);
    let all = reachable(&model);
    assert_eq!(none.stats.states, all.len() as u64, "{source}");
    for mode in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast] {
        let with = run(&model, mode);
        assert_eq!(verdicts(&with), verdicts(&none), "{mode:?}\n{source}");
        for result in with.results.iter().chain(&none.results) {
            if let Some(unreduced) = &result.unreduced {
                assert_eq!(unreduced.to_string(), all.len().to_string(), "{} {mode:?}", result.property);
            }
        }
    }
    equivariant(&model, &all);
    let with = run(&model, Symmetry::Auto);
    assert_eq!(with.unreduced.map(|n| n.to_string()), Some(all.len().to_string()), "{source}");
    (all.len(), with.stats.states)
}

type Step = (u32, Vec<u64>, Option<Vec<u64>>);

fn steps(machine: &mut Machine<'_>, state: &[u64]) -> BTreeSet<Step> {
    let mut steps = BTreeSet::new();
    machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        let target = match outcome {
            Outcome::State(target) => Some(target.to_vec()),
            Outcome::Fault(_) => None,
        };
        steps.insert((label.rule.0, label.args.to_vec(), target));
        ControlFlow::Continue(())
    });
    steps
}

/// Every generator that is used maps every step of reachable states (all, unless there are many) to a step.
fn equivariant(model: &Model, states: &BTreeSet<Vec<u64>>) {
    let action = Action::new(&model.system);
    let mut machine = Machine::new(&model.system);
    for motion in &model.system.symmetry.generators {
        let moved = |state: &[u64]| {
            let padded = [state, &[0; bits::SPARE]].concat();
            let mut image = vec![0; padded.len()];
            action.state(motion, &padded, &mut image);
            image.truncate(state.len());
            image
        };
        for state in states.iter().step_by(states.len() / 1000 + 1) {
            let image = moved(state);
            assert!(states.contains(&image));
            let expected: BTreeSet<Step> = steps(&mut machine, state)
                .into_iter()
                .map(|(rule, args, target)| {
                    let mut to = args.clone();
                    action.arguments(motion, burnside::ts::RuleId(rule), &args, &mut to);
                    (rule, to, target.map(|target| moved(&target)))
                })
                .collect();
            assert_eq!(steps(&mut machine, &image), expected);
        }
    }
}

fn with_block(model: &str, block: &str) -> String {
    format!("{model}\nsymmetry {{ {block} }}\n")
}

/// A generator that is refused because of a rule (or, with an empty name, of the initial states).
fn refused(model: &str, block: &str, rule: &str) {
    let (loaded, diagnostics) = load(&with_block(model, block));
    assert!(loaded.is_none(), "{block}\n{model}");
    let error = diagnostics.iter().find(|d| d.severity == Severity::Error).unwrap();
    assert_eq!(error.code, "not-a-symmetry", "{diagnostics:#?}");
    let expected = match rule {
        "" => "it moves an initial state elsewhere".to_string(),
        rule => format!("it breaks the rule `{rule}`"),
    };
    assert!(error.message.ends_with(&expected), "{block}: {error:#?}");
    assert!(!error.primary.text.is_empty());
}

fn order(source: &str) -> String {
    let model = fine(source);
    burnside::explicit::Canoniser::new(&model.system, &model.system.symmetry, true).order().to_string()
}

/// A token that goes around a square and switches lamps.
const SQUARE: &str = "
enum Corner { a, b, c, d }
fn right(x: Corner): Corner = if x == a { b } else if x == b { c } else if x == c { d } else { a };
var token: Corner = any;
var lamp: array[Corner] of bool;
process Token {
    rule go { lamp[token] = !lamp[token]; token = right(token); }
}
invariant lit = count x: Corner { lamp[x] } <= 4;
reachable all = forall x: Corner { lamp[x] };
";

#[test]
fn a_square_turns() {
    let turned = with_block(SQUARE, "Corner (a b c d);");
    assert_eq!(agree(&turned), (32, 8));
    assert_eq!(order(&turned), "4");
    assert_eq!(order(&with_block(SQUARE, "Corner (a c)(b d);")), "2");
}

#[test]
fn a_square_that_is_gone_around_has_no_mirror() {
    for wrong in ["(a b)(c d)", "(a c)", "(b d)", "(a d)(b c)", "(a b)", "(a b c)", "(a c b d)"] {
        refused(SQUARE, &format!("Corner {wrong};"), "Token.go");
    }
}

#[test]
fn an_example_is_given() {
    let (_, diagnostics) = load(&with_block(SQUARE, "Corner (a b)(c d);"));
    let dark = "lamp[a] = false, lamp[b] = false, lamp[c] = false, lamp[d] = false";
    let expected = format!(
        "where token = b, {dark}, `Token.go` gives token = c, lamp[b] = true; \
         but where token = a, {dark}, `Token.go` does not give token = d, lamp[a] = true"
    );
    assert_eq!(diagnostics[0].primary.text, expected);
}

#[test]
fn a_start_at_a_corner_is_no_symmetry() {
    refused(&SQUARE.replace("= any", "= a"), "Corner (a b c d);", "");
    // One lamp is on from the start.
    refused(&format!("{SQUARE} init {{ lamp[b] = true; }}"), "Corner (a b c d);", "");
}

/// The same with two types that turn together, and a wind that says where the token may go.
const WIND: &str = "
enum Corner { sw, se, ne, nw }
enum Side { south, east, north, west }
fn side(x: Corner): Side =
    if x == sw { south } else if x == se { east } else if x == ne { north } else { west };
fn after(s: Side): Side =
    if s == south { east } else if s == east { north } else if s == north { west } else { south };
fn next_corner(x: Corner): Corner =
    if x == sw { se } else if x == se { ne } else if x == ne { nw } else { sw };
var token: Corner = any;
var wind: Side = any;
process Token {
    rule go when wind != side(token) { token = next_corner(token); }
}
process Wind {
    rule turn { wind = after(wind); }
}
invariant fine = forall x: Corner { x == token -> next_corner(x) != token };
";

#[test]
fn two_types_turn_together() {
    let both = with_block(WIND, "Corner (sw se ne nw), Side (south east north west);");
    assert_eq!(agree(&both), (16, 4));
    refused(WIND, "Corner (sw se ne nw);", "Token.go");
    refused(WIND, "Side (south east north west);", "Token.go");
    refused(WIND, "Corner (sw se ne nw), Side (south west north east);", "Token.go");
    refused(WIND, "Corner (sw ne)(se nw), Side (south east north west);", "Token.go");
}

/// Pebbles on a torus, with neighbours by arithmetic; the numbers do not start at 0.
const TORUS: &str = "
const W = 3;
type Node = 1..9;
fn right(n: Node): Node = (n - 1) / W * W + n % W + 1;
fn below(n: Node): Node = (n + W - 1) % (W * W) + 1;
var pebble: array[Node] of bool;
process Node[n] {
    rule put when (count m: Node { pebble[m] }) < 3 && !pebble[n] { pebble[n] = true; }
    rule slide(m: Node) when pebble[n] && !pebble[m] && (m == right(n) || m == below(n)) {
        pebble[n] = false; pebble[m] = true;
    }
}
deadlock allowed;
invariant few = count n: Node { pebble[n] } <= 3;
reachable line = exists n: Node { pebble[n] && pebble[right(n)] && pebble[right(right(n))] };
reachable corner = pebble[1] && pebble[2] && pebble[4];
";

#[test]
fn a_torus_shifts_and_reflects() {
    let right = "Node (1 2 3)(4 5 6)(7 8 9);";
    let below = "Node (1 4 7)(2 5 8)(3 6 9);";
    let diagonal = "Node (2 4)(3 7)(6 8);";
    let shifts = with_block(TORUS, &format!("{right} {below}"));
    let (states, orbits) = agree(&shifts);
    assert_eq!(order(&shifts), "9");
    let all = with_block(TORUS, &format!("{right} {below} {diagonal}"));
    let (_, fewer) = agree(&all);
    assert_eq!(order(&all), "18");
    assert!(states as u64 == 130 && fewer < orbits && orbits < 130, "{states} {orbits} {fewer}");
    // Slides go one way, so left and right are not the same.
    refused(TORUS, "Node (1 2)(4 5)(7 8);", "Node.slide");
    refused(TORUS, "Node (1 3)(4 6)(7 9);", "Node.slide");
    refused(TORUS, "Node (1 2);", "Node.slide");
}

#[test]
fn properties_that_name_a_place_go_on_with_what_leaves_it() {
    let model = fine(&with_block(TORUS, "Node (1 2 3)(4 5 6)(7 8 9); Node (2 4)(3 7)(6 8);"));
    let kept: Vec<usize> = model.system.properties.iter().map(|p| p.symmetry.generators.len()).collect();
    // Only the diagonal leaves the corner; a line to the right is a line down.
    assert_eq!(kept, [2, 1, 1]);
}

/// A cube: a walker and dirty corners. The numbers of neighbours differ in one bit.
const CUBE: &str = "
type Corner = 0..7;
fn bit(x: Corner, i: 0..2): int = if i == 0 { x % 2 } else if i == 1 { x / 2 % 2 } else { x / 4 };
fn distance(x: Corner, y: Corner): int = count i: 0..2 { bit(x, i) != bit(y, i) };
var walker: Corner = any;
var dirty: array[Corner] of bool;
process Walker {
    rule walk(to: Corner) when distance(walker, to) == 1 { dirty[walker] = true; walker = to; }
    rule clean when forall c: Corner { dirty[c] -> distance(walker, c) >= 1 } { for c: Corner { dirty[c] = false; } }
}
invariant never_all = exists c: Corner { !dirty[c] || c == walker };
reachable opposite = exists c: Corner { dirty[c] && distance(c, walker) == 3 };
";

#[test]
fn a_cube_has_48_symmetries() {
    let turn = "Corner (0 1 3 2)(4 5 7 6);";
    let tilt = "Corner (0 4 5 1)(2 6 7 3);";
    let mirror = "Corner (0 1)(2 3)(4 5)(6 7);";
    let rotations = with_block(CUBE, &format!("{turn} {tilt}"));
    assert_eq!(order(&rotations), "24");
    let all = with_block(CUBE, &format!("{turn} {tilt} {mirror}"));
    assert_eq!(order(&all), "48");
    let (states, orbits) = agree(&all);
    assert!(states > 1000 && orbits < states as u64 / 20, "{states} {orbits}");
    refused(CUBE, "Corner (0 1);", "Walker.walk");
    refused(CUBE, "Corner (0 1 2 3)(4 5 6 7);", "Walker.walk");
}

/// Philosophers who take one fork after the other, either first: the round table has a mirror.
const TABLE: &str = "
ring Seat[5];
enum Hand { empty, first, both }
var fork: array[Seat] of Seat?;
process Seat[s] {
    var hand: Hand = empty;
    rule take(f: Seat) when (f == next(s) || f == prev(s)) && hand == empty && fork[f] == none {
        fork[f] = s; hand = first;
    }
    rule second(f: Seat) when (f == next(s) || f == prev(s)) && hand == first && fork[f] == none {
        fork[f] = s; hand = both;
    }
    rule put when hand == both {
        hand = empty;
        for f: Seat { if fork[f] == s { fork[f] = none; } }
    }
}
reachable stuck = forall s: Seat { hand[s] == first };
invariant honest = forall s: Seat { hand[s] == both -> fork[next(s)] == s && fork[prev(s)] == s };
";

#[test]
fn a_ring_gets_its_mirror() {
    let (states, turned) = agree(TABLE);
    let mirrored = with_block(TABLE, "Seat (1 4)(2 3);");
    assert_eq!((order(TABLE), order(&mirrored)), ("5".to_string(), "10".to_string()));
    let (same, orbits) = agree(&mirrored);
    assert_eq!(states, same);
    assert!(orbits < turned, "{orbits} {turned}");
    refused(TABLE, "Seat (0 1);", "Seat.take");
    refused(TABLE, "Seat (1 2 4 3);", "Seat.take");
    let (_, diagnostics) = load(&with_block(TABLE, "Seat (0 1 2 3 4);"));
    assert_eq!(diagnostics[0].code, "implied-generator");
}

/// Two groups of three clients, each with its own lock.
const GROUPS: &str = "
type Client = 0..5;
enum Phase { idle, waiting, using }
var free_: array[0..1] of bool = true;
fn group(c: Client): 0..1 = c / 3;
process Client[c] {
    var phase: Phase = idle;
    rule ask when phase == idle { phase = waiting; }
    rule get when phase == waiting && free_[group(c)] { phase = using; free_[group(c)] = false; }
    rule leave when phase == using { phase = idle; free_[group(c)] = true; }
}
invariant alone = forall a, b: Client where a < b && group(a) == group(b) {
    !(phase[a] == using && phase[b] == using)
};
reachable two = count c: Client { phase[c] == using } == 2;
reachable first = phase[0] == using && phase[3] == using;
";

#[test]
fn groups_of_clients_are_swapped_as_blocks() {
    // Only together with what the groups have: an anonymous index cannot be moved.
    refused(GROUPS, "Client (0 3)(1 4)(2 5);", "Client.get");
    refused(GROUPS, "Client (0 3);", "Client.get");
    let inside = with_block(GROUPS, "Client (0 1); Client (0 1 2); Client (3 4); Client (3 4 5);");
    assert_eq!(order(&inside), "36");
    let (states, orbits) = agree(&inside);
    let named = GROUPS.replace("0..1", "Group").replace("type Client", "type Group = 0..1; type Client");
    let all = with_block(&named, "Client (0 3)(1 4)(2 5), Group (0 1); Client (0 1); Client (0 1 2);");
    assert_eq!(order(&all), "72");
    let (same, fewer) = agree(&all);
    assert_eq!((states, same), (400, 400));
    assert!(fewer < orbits, "{fewer} {orbits}");
    refused(&named, "Client (0 3)(1 4)(2 5);", "Client.get");
    refused(&named, "Group (0 1);", "Client.get");
    refused(&named, "Client (0 3)(1 4), Group (0 1);", "Client.get");
}

#[test]
fn a_rule_is_moved_to_itself() {
    // The model as a whole is symmetric, but the two rules change places: who executes would not be the same.
    let model = "
enum Side { left, right }
var at_: Side = any;
process P {
    rule go_right when at_ == left { at_ = right; }
    rule go_left when at_ == right { at_ = left; }
}";
    refused(model, "Side (left right);", "P.go_right");
}

#[test]
fn faults_and_choices_count() {
    let model = |body: &str| {
        format!(
            "enum E {{ a, b, c }} var x: E = any; var n: 0..3; var s: set of E; var o: E?; var q: queue[2] of E;
             process P {{ rule r {{ {body} }} }} deadlock allowed;"
        )
    };
    for body in [
        "x = any;",
        "x = any in {x, x}; s.add(x);",
        "if s.empty() { s.add(x); } else { x = any in s; s.remove(x); }",
        "if !q.full() { q.push(x); } x = any;",
        "if q.full() { q.pop(); } else { q.push(x); o = q.front(); }",
        "for e: E { if e != x { s.add(e); } } o = none;",
        "for e in s { x = e; } o = x; s.clear();",
        "assert n < 3; n = n + 1; x = any;",
        "let y: E = any; let z: E = any; if y == z { o = y; } else { s = {y, z}; }",
        "n = count e: E { e in s }; s = {e: E where !(e in s) || e == x};",
        "var m: 0..3 = 0; for e: E { if e in s { m = m + 1; } } n = m; x = any;",
    ] {
        let source = model(body);
        // The types may be found symmetric without help; what is refused here would be wrong to refuse.
        let (loaded, diagnostics) = load(&with_block(&source, "E (a b c); E (a b);"));
        let order_matters = body.contains("for e in s");
        assert_eq!(loaded.is_none(), order_matters, "{body}\n{diagnostics:#?}");
        if order_matters {
            assert!(diagnostics.iter().any(|d| d.code == "not-a-symmetry"), "{diagnostics:#?}");
        }
    }
    for (body, wrong) in [
        ("if x == a { n = 9 / n; }", "E (a b);"),
        ("assert x != b;", "E (b c);"),
        ("x = any; assert x != b || n > 0;", "E (a b c);"),
        ("x = any in {a, b};", "E (b c);"),
        ("o = if x < b { x } else { b };", "E (a c);"),
        ("q.push(c);", "E (a c);"),
        ("s.add(x); if q.full() { q.pop(); } if c in s { q.push(x); }", "E (a c);"),
    ] {
        refused(&model(body), wrong, "P.r");
    }
}

#[test]
fn what_cannot_be_shown_is_left_out_and_nothing_changes() {
    // The bag holds moved values, and there are far too many states to try them all.
    let model = "
type Node = 0..5;
record Message { from: Node, to: Node, load: 0..200 }
var net: bag[4] of Message;
var n: Node = any;
fn opposite(a: Node): Node = (a + 3) % 6;
process P {
    rule send(to: Node) when !net.full() && to == opposite(n) { net.add(Message(n, to, 0)); }
    rule receive(m in net) { net.remove(m); n = m.to; }
}
invariant sent = forall m in net { m.to == opposite(m.from) };
";
    let (loaded, diagnostics) = load(&with_block(model, "Node (0 1)(3 4);"));
    assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
    assert_eq!((diagnostics[0].code, diagnostics[0].severity), ("unverified-generator", Severity::Warning));
    assert!(diagnostics[0].primary.text.contains("`P.send`, `P.receive`"), "{diagnostics:#?}");
    let loaded = loaded.unwrap();
    assert!(loaded.system.symmetry.generators.is_empty());
    assert_eq!(verdicts(&run(&loaded, Symmetry::Auto)), verdicts(&run(&fine(model), Symmetry::None)));
    // A wrong one is found on the way.
    refused(model, "Node (0 1);", "P.send");
}

#[test]
fn bags_of_few_values_are_tried_one_by_one() {
    let model = "
enum Node { a, b, c, d }
fn opposite(x: Node): Node = if x == a { c } else if x == b { d } else if x == c { a } else { b };
var net: bag[3] of Node;
var n: Node = any;
process P {
    rule send when !net.full() { net.add(opposite(n)); }
    rule receive(m in net) { net.remove(m); n = m; }
}
reachable three = net.count(a) + net.count(c) == 3;
";
    let all = with_block(model, "Node (a b c d); Node (a c);");
    assert_eq!(order(&all), "8");
    let (states, orbits) = agree(&all);
    assert!(orbits * 3 < states as u64, "{states} {orbits}");
    refused(model, "Node (a b);", "P.send");
}

#[test]
fn large_groups_of_plain_cells_are_exact() {
    // Three blocks of four lamps: all permutations within a block and of the blocks, 82,944 in all.
    let model = "
type Lamp = 0..11;
type Block = 0..2;
var used: array[Block] of bool;
process Lamp[l] {
    var on: bool;
    rule light when !on && !used[l / 4] && (count m: Lamp { Lamp[m].on }) < 4 { on = true; used[l / 4] = true; }
    rule unlock(b: Block) when used[b] && b == l / 4 && on { used[b] = false; }
}
deadlock allowed;
reachable four = count l: Lamp { on[l] } == 4;
invariant no = !(on[0] && on[1] && on[7]);
";
    let blocks = "Lamp (0 1); Lamp (0 1 2 3); Lamp (0 4)(1 5)(2 6)(3 7), Block (0 1);
        Lamp (0 4 8)(1 5 9)(2 6 10)(3 7 11), Block (0 1 2);";
    let source = with_block(model, blocks);
    assert_eq!(order(&source), "82944");
    let (states, orbits) = agree(&source);
    // Orbits are multisets of three block states (how many lamps, used or not).
    assert!(states > 2_000 && orbits < 100, "{states} {orbits}");
    let report = run(&fine(&source), Symmetry::Auto);
    assert!(report.results.iter().any(|r| r.symmetry == "exact"));
}

#[test]
fn large_groups_that_move_values_are_fast_and_sound() {
    // Lamps that remember which lamp of the block was lit last: no words, and too many motions to list.
    let model = "
type Lamp = 0..11;
type Block = 0..2;
var last: array[Block] of Lamp?;
process Lamp[l] {
    var on: bool;
    rule light when !on && (count m: Lamp { on[m] }) < 3 { on = true; last[l / 4] = l; }
}
deadlock allowed;
reachable three = forall b: Block { last[b] != none };
invariant one = !(on[0] && on[5]);
";
    let blocks = "Lamp (0 1); Lamp (0 1 2 3); Lamp (0 4)(1 5)(2 6)(3 7), Block (0 1);
        Lamp (0 4 8)(1 5 9)(2 6 10)(3 7 11), Block (0 1 2);";
    let model = fine(&with_block(model, blocks));
    let (none, with) = (run(&model, Symmetry::None), run(&model, Symmetry::Auto));
    assert_eq!(verdicts(&none), verdicts(&with));
    let faults = with.results.iter().find(|r| r.property == "faults").unwrap();
    assert_eq!((faults.symmetry, &faults.unreduced), ("fast", &None));
    assert!(with.stats.states * 10 < none.stats.states, "{:?} {:?}", with.stats, none.stats);
}
