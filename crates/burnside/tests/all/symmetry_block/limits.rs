//! Faults, choices, bags and groups that are too large to list.

use crate::symmetry_block::support::{agree, fine, load, order, refused, run, verdicts, with_block};
use burnside::{Interrupt, LoadOptions, Model, Stop, Symmetry};
use burnside_lang::diagnostic::Severity;

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
    assert_eq!(
        (diagnostics[0].code.name(), diagnostics[0].severity),
        ("unverified-generator", Severity::Warning)
    );
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
fn bags_of_many_values_are_proved() {
    // More states of the right types than are tried one by one.
    let model = "
type Node = 0..5;
record Message { from: Node, to: Node }
var net: bag[3] of Message;
var n: Node = any;
fn opposite(a: Node): Node = (a + 3) % 6;
process P {
    rule send(to: Node) when !net.full() && to == opposite(n) { net.add(Message(n, to)); }
    rule receive(m in net) { net.remove(m); n = m.to; }
}
invariant sent = forall m in net { m.to == opposite(m.from) };
";
    let all = with_block(model, "Node (0 1)(3 4); Node (0 1 2 3 4 5);");
    assert_eq!(order(&all), "48");
    assert_eq!(agree(&all), (54, 9));
    refused(model, "Node (0 1);", "P.send");
}

#[test]
fn what_no_run_reaches_counts() {
    let model = "
enum E { a, b, c }
var n: 0..3;
var x: E = any;
process P {
    rule first when n == 3 && x == a { n = 0; }
    rule go { x = any; }
    rule last when n == 3 && x == b { n = 0; }
}";
    refused(model, "E (a c);", "P.first");
    refused(model, "E (b c);", "P.last");
    refused(model, "E (a b);", "P.first");
}

#[test]
fn choices_by_the_million_are_not_listed() {
    let model = "
type Lamp = 0..39;
var on: array[Lamp] of bool = any;
process P {
    rule tick { for l: Lamp { on[l] = any; } }
    rule tock { for l: Lamp { let b: bool = any; if l % 2 == 0 { on[l] = b && !on[l]; } } }
}
invariant fine = forall l: Lamp { on[l] || !on[l] };
";
    let model = |block| load(&with_block(model, block));
    let (loaded, diagnostics) = model("Lamp (0 2)(1 3); Lamp (4 38);");
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    assert_eq!(loaded.unwrap().system.symmetry.generators.len(), 2);
    // Here no state can be shown: it has too many steps. What is not proved is not used.
    let (loaded, diagnostics) = model("Lamp (0 1);");
    assert_eq!(diagnostics[0].code, "unverified-generator", "{diagnostics:#?}");
    assert!(loaded.unwrap().system.symmetry.generators.is_empty());
}

#[test]
fn limits_hold_while_generators_are_proved() {
    let source =
        with_block("enum E { a, b, c } var x: E = any; process P { rule r { x = any; } }", "E (a b c);");
    let interrupt = Interrupt::new();
    interrupt.raise(Stop::Interrupted);
    let loaded = burnside_limits::catch(|| interrupt.enter(|| Model::load(&source, &LoadOptions::new())));
    assert_eq!(loaded.err(), Some(Stop::Interrupted));
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
    assert!(report.results.iter().any(|r| r.symmetry == burnside::Symmetry::Exact));
}

#[test]
fn large_groups_that_move_values_are_fast_and_sound() {
    // Lamps that remember which lamp of the block was lit last: no words, and too many permutations to list.
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
    assert_eq!((faults.symmetry, &faults.unreduced), (burnside::Symmetry::Fast, &None));
    assert!(with.stats.states * 10 < none.stats.states, "{:?} {:?}", with.stats, none.stats);
}
