const N: 3;
type P: scalarset(N); C: 0..N; E: enum {idle, busy};
var s: array[P] of E; last: P; n: C;
function busy_count(): C; var c: C; begin c := 0; for p: P do if s[p] = busy then c := c + 1; end; end; return c; end;
function someone(): boolean; begin for p: P do if s[p] = busy then return true; end; end; return false; end;
function next(var q: C): C; begin q := (q + 1) % (N + 1); return q; end;
procedure reset(var a: E; b: E); begin if a = b then return; end; a := b; end;
startstate for p: P do s[p] := idle; end; n := 0; end;
ruleset p: P do
 rule "take it" s[p] = idle & busy_count() < 2 ==> s[p] := busy; last := p; end;
 rule "give" s[p] = busy & someone() ==> reset(s[p], idle); if last = p then undefine last; end; end;
end;
rule "tick" n < 3 & !isundefined(last) ==> var k: C; begin k := next(n); assert k = n "same"; while k > 1 do k := k - 1; end; switch k case 0, 1: n := n; else n := 0; end; end;
invariant "few" busy_count() <= 2;
liveness "quiet" !someone();
cover "two" busy_count() = 2;
