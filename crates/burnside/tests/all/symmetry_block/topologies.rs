//! Squares, tori, cubes, round tables and groups of clients.

use crate::symmetry_block::support::{agree, fine, load, order, refused, with_block};

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
    let expected = "where token = b (and the rest is least), `Token.go` gives token = c, lamp[b] = true; \
        but where everything has its least value, `Token.go` does not give token = d, lamp[a] = true";
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
