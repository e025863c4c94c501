-- The queue lock of Mellor-Crummey and Scott: each process waits on a flag of its own, in a list of those
-- that wait; the lock points to the last of them.
const N: 3;
type
  Process: scalarset(N);
  Place: enum { away, swap, look, raise, link, spin, inside, release_, wait, pass };
  Pointer: record none: boolean; to_: Process; end;
  Node: record next: Pointer; locked: boolean; end;
var
  at: array[Process] of Place;
  node: array[Process] of Node;
  before: array[Process] of Pointer;
  last: Pointer;

procedure point(var pointer: Pointer; p: Process);
begin pointer.none := false; pointer.to_ := p; end;

procedure release(var pointer: Pointer);
begin pointer.none := true; undefine pointer.to_; end;

ruleset p: Process do
  rule "arrive" at[p] = away ==>
    release(node[p].next); at[p] := swap;
  end;
  rule "swap" at[p] = swap ==>
    if last.none then release(before[p]); else point(before[p], last.to_); end;
    point(last, p); at[p] := look;
  end;
  rule "look" at[p] = look ==>
    if before[p].none then at[p] := inside; else at[p] := raise; end;
  end;
  rule "raise" at[p] = raise ==>
    node[p].locked := true; at[p] := link;
  end;
  rule "link" at[p] = link ==>
    point(node[before[p].to_].next, p); at[p] := spin;
  end;
  rule "spin" at[p] = spin ==>
    if !node[p].locked then at[p] := inside; end;
  end;
  rule "leave" at[p] = inside ==>
    if node[p].next.none then at[p] := release_; else at[p] := pass; end;
  end;
  rule "release" at[p] = release_ ==>
    if last.to_ = p then release(last); at[p] := away; else at[p] := wait; end;
  end;
  rule "wait" at[p] = wait ==>
    if !node[p].next.none then at[p] := pass; end;
  end;
  rule "pass" at[p] = pass ==>
    node[node[p].next.to_].locked := false; at[p] := away;
  end;
end;

startstate
  for p: Process do
    at[p] := away; release(node[p].next); node[p].locked := false; release(before[p]);
  end;
  release(last);
end;

invariant "exclusion"
  forall p: Process do forall q: Process do p = q | at[p] != inside | at[q] != inside end end;
