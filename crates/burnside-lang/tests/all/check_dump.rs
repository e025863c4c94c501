//! What the checker makes of every construct: the checked model as text.

use crate::check_support;

use burnside_lang::check::dump;
use check_support::{checked, errors, show};

fn dumped(source: &str) -> String {
    let result = checked(source);
    assert!(errors(&result).is_empty(), "{}", show(source, &errors(&result)));
    dump(&result.model.expect("no errors"))
}

#[test]
fn variables_and_defaults() {
    insta::assert_snapshot!(dumped(
        "const N = 2 * K + 1;
        const K = 1;
        symmetric S[N];
        enum E { red, green }
        type Temp = -5..5;
        record R { t: Temp, q: queue[2] of bool, b: bag[2] of E, s: set of S, o: S?, a: array[bool] of Temp }
        record Z { t: 3..9, e: E }
        var a: Temp;
        var b: 3..7;
        var c: array[S, E] of Temp;
        var d: R;
        var e: Z;
        var f: array[S] of E = green;
        var g: array[S, E] of Temp? = 3;
        var h: array[bool, E] of bool = [[true, false], [false, true]];
        var i: array[bool] of 0..3 = [2, 3];
        var j: array[S, bool] of 0..9 = [s: S, b: bool => if b { ord(s) } else { 9 }];
        var k: S = any;
        var l: S? = k;
        var m: set of S = {k, S#1};
        var n: array[E] of queue[3] of bool = [];
        var o: set of 0..9 = {1, 2} | {3};
        var p: array[S] of R;
        process P[x: S, y: E] { var own: S = x; var e2: E = y; var other: bool = own == x && g[x, y] == none; rule r {} }
        process Q { var first: S = any in {S#0, S#1}; rule r {} }"
    ));
}

#[test]
fn names_of_processes() {
    insta::assert_snapshot!(dumped(
        "symmetric Client[3];
        ring Node[4];
        enum Phase { idle, waiting, using }
        var free_: bool = true;
        fair process Server {
            var served: 0..9;
            rule grant(c: Client) when free_ && phase[c] == waiting { free_ = false; phase[c] = using; served = served + 1; }
        }
        process Client[c] {
            var phase: Phase = idle;
            var seen: array[Client] of bool;
            var log: queue[2] of Client;
            var friends: set of Client;
            rule ask(d: Client) when (phase == idle && (phase[d] == idle)) && seen[d] && d in friends[d] {
                phase = waiting;
                seen[d] = Client[d].seen[c];
                log[0] = d;
                Client[d].log[1] = c;
                Server.served = 0;
            }
            strong fair rule leave when phase == using { phase = idle; free_ = true; }
        }
        process Pair[a: Client, n: Node] {
            var x: 0..3;
            var t: array[Node] of 0..3;
            locations here, there;
            at here { rule go when x[a, next(n)] == 1 { goto there; } }
            rule back at here, there when Pair[a, prev(n)]@there && @here { goto here; t[n] = x; pc = there; }
        }
        process One { locations up, down; fair rule r at up { goto down; } rule s at down { pc = up; } }
        invariant a = forall c, d: Client { phase[c] == using && Client[d].phase == using -> c == d };
        invariant b = One@down || One.pc == up || Pair[Client#0, Node#1].pc == there || served < 5;
        invariant e = t[Client#0, Node#0, Node#1] == 2 && Pair[Client#0, Node#0].t[Node#2] == 3;
        invariant f = enabled(grant(Client#0)) || enabled(Client[Client#1].ask(Client#2)) || enabled(Pair) || enabled(One) || enabled(leave);"
    ));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(dumped(
        "const N = 3;
        symmetric S[N];
        ring R[5];
        enum A { idle, busy }
        enum B { idle, gone }
        record Msg { kind: A, to: S, ticket: 0..7? }
        var a: A;
        var b: B;
        var x: 0..7;
        var o: S?;
        var t: 0..7?;
        var n: R = any;
        var s: set of S;
        var k: set of 0..7;
        var q: queue[3] of Msg;
        var g: bag[3] of Msg;
        var m: Msg?;
        var arr: array[S, bool] of 0..7?;
        fn larger(a: int, b: int): int = if a > b { a } else { b };
        fn clamp(a: int): 0..4 { let low = larger(a, 0); if low > N { N } else { low } }
        fn pick(c: bool): S? = if c { none } else { o };
        process P { rule r {} }
        invariant i01 = a == idle && idle == b && a != A.busy && b in {idle, gone} && (if x > 1 { idle } else { busy }) == a;
        invariant i02 = o == none || o == S#1 || S#2 == o || o! == S#0 || none != pick(true);
        invariant i03 = t == 3 || t == x + 1 || x == t || t != 9;
        invariant i04 = x in k && 9 in k && x in {1, 2, N} && S#0 in s && o in {S#0, S#1} && m! in q && m! in g;
        invariant i05 = s | {S#0} subset s && s \\ {} == s && {} == s & {c: S where c != S#1} && {c in s where c == S#0} == {};
        invariant i06 = next(n) == n + 1 && prev(n) == n - 1 && n + x == n - 2 * x && ord(n) < 3 && n < R#2 && R#(x) >= n && R#(N - 1) == n;
        invariant i07 = q.size() > 0 && !q.empty() && q.full() && q.front().kind == idle && q[0].to == q.back().to && g.count(m!) == 1;
        invariant i08 = Msg(kind: idle, ticket: none, to: S#0) == Msg(busy, S#1, 3) && m == Msg(busy, S#1, x);
        invariant i09 = min(x, N) + max(x, 2) - abs(-x) * N / 2 % 2 == -clamp(larger(x, 1)) + 9 / -2 + -9 % 4;
        invariant i10 = forall i, j: S, l in q where i != j { l.to == i -> l.to != j } && exists _: bool { true };
        invariant i11 = count i: S { i in s } + sum i: 0..3 where i > 1 { i } + (min i: 0..3 { i - 1 }) == max v in k { v };
        invariant i12 = (if x > 0 { let y = x + 1; let z: 0..9 = y; y + z } else { 0 }) > 3 && [S#0, S#1][1] == S#1 && {1, 2}.size() == 2;
        invariant i13 = arr[S#0, true] == none && arr[S#0][false]! == 3 && arr[S#1] == [true_: bool => 3];
        invariant i14 = (a <= busy) <-> !(x >= 2) -> true;
        ltl l1 = forall c: S where c in s { G (o == c -> F (X x == 1 U (x == 2 R x == 3))) } && [] <> (x == 1 W x == 2 M x == 3);
        ctl c1 = AG EF (x == 1) && A[x == 1 U E[x == 1 R AX x == 2]] && !EG (exists c: S { AF o == c });
        never nn { x == 1; x == 2[*]; {x == 3; x == 4[+]}[*2..3]; {x == 5} | {x == 6[*4]} }
        deadlock allowed;"
    ));
}

#[test]
fn statements() {
    insta::assert_snapshot!(dumped(
        "symmetric S[3];
        enum A { idle, busy }
        enum B { idle, gone }
        record Msg { kind: B, to: S? }
        var o: S?;
        var s: set of S;
        var q: queue[3] of Msg;
        var g: bag[3] of Msg;
        var m: Msg?;
        var arr: array[S, bool] of 0..7;
        process P[p: S] {
            var x: 0..7;
            rule r(c: S, d in s, e in q) when c != d {
                let y = x + 1;
                let z: 0..7 = y;
                let w: S = any;
                let v = any in s;
                let table: array[S] of 0..7 = 3;
                var i: 0..7 = any;
                var j: S? = none;
                var flags: array[bool] of bool;
                i = i + z;
                j = w;
                flags[true] = true;
                o = any;
                o = any in s;
                o = any in {c, d};
                m!.kind = any in {idle, gone};
                x = any;
                x[c] = table[c];
                m!.kind = idle;
                m!.to = v;
                m!.to! = d;
                q[0].kind = gone;
                arr[c, flags[true]] = i;
                q.push(Msg(idle, none));
                q.push(Msg(gone, c));
                q.pop();
                g.add(e);
                g.remove(Msg(to: j, kind: idle));
                s.add(c);
                s.remove(d);
                s.clear();
                q.clear();
                s = {};
                q = [];
                g = {};
                if y > 3 { x = 1; } else if y > 2 { x = 2; } else { assert x != 2, \"two\"; }
                for k: S where k != c { arr[k, false] = 0; }
                for k in s, b: bool { arr[k, b] = 1; }
                assert y == 1;
            }
        }
        init { arr[S#0, true] = 7; assume o != none; }
        init { for c: S { x[c] = ord(c); } }"
    ));
}

#[test]
fn hints_stay_in_order() {
    let text = "var x: 0..3; process P { rule r when x < 3 { x = x + 1; } } hint b = x < 2; invariant i = x < 4; hint a = x == 1;";
    let dumped = dumped(text);
    let hints: Vec<&str> = dumped.lines().filter(|line| line.starts_with("hint")).collect();
    assert_eq!(hints, ["hint b = (x < 2)", "hint a = (x == 1)"]);
}

#[test]
fn expectations_are_shown() {
    let text = "const N = 2; const B = true; var x: 0..N; process P { rule r when x < N && B { x = x + 1; } }
        check { max_states = 9; B = false; states = 3; N = -4; p = violated; fairness = none; deadlock = holds; }
        invariant p = x < 3 expect violated; deadlock free expect unknown; check {}";
    let dumped = dumped(text);
    let shown: Vec<&str> =
        dumped.lines().filter(|line| line.starts_with("expect") || line.starts_with("check")).collect();
    let wanted = [
        "expect p = violated",
        "expect deadlock = unknown",
        "check { B = false; N = -4; fairness = none; max_states = 9; states = 3; p = violated; deadlock = holds }",
        "check {  }",
    ];
    assert_eq!(shown, wanted);
}
