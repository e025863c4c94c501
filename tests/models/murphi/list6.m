-- A distributed list: each cell knows the next one, the last one the head. Cells join at the front, by way of
-- the head, and leave when a token passes that tells them who is before them. Messages wait in a row, from which
-- any may be taken.
const
  Cells: 3;          -- beside the head
  Room: Cells + 4;
type
  Cell: scalarset(Cells);
  Pointer: union { enum { head }, Cell };
  State: enum { normal, joining, leaving, gone };
  Kind: enum { add, first, pred, unlink, unlinked };
  Message: record kind: Kind; to_: Pointer; from: Pointer; old: Pointer; new: Pointer; end;
  Place: 0..Room - 1;
var
  net: array[Place] of Message;
  count: 0..Room;
  link: array[Pointer] of Pointer;
  state: array[Pointer] of State;
  member: array[Pointer] of boolean;

procedure send(kind: Kind; to_, from, old, new: Pointer);
var m: Message;
begin
  assert count < Room "the network is full";
  m.kind := kind; m.to_ := to_;
  if !isundefined(from) then m.from := from; end;
  if !isundefined(old) then m.old := old; end;
  if !isundefined(new) then m.new := new; end;
  net[count] := m;
  count := count + 1;
end;

procedure drop(at: Place);
begin
  for i: Place do if i >= at & i + 1 < count then net[i] := net[i + 1]; end; end;
  undefine net[count - 1];
  count := count - 1;
end;

procedure take(var m: Message);
begin
  switch m.kind
  case add:
    send(first, m.from, undefined, undefined, link[head]);
    link[head] := m.from;
  case first:
    assert state[m.to_] = joining;
    link[m.to_] := m.new; member[m.to_] := true; state[m.to_] := normal;
  case pred:
    switch state[m.to_]
    case normal: send(pred, link[m.to_], m.to_, undefined, undefined);
    case leaving:
      state[m.to_] := gone;
      send(unlink, m.from, m.to_, m.to_, link[m.to_]);
    else error "the token is where nobody is";
    end;
  case unlink:
    if link[m.to_] = m.old then
      link[m.to_] := m.new;
      send(unlinked, m.old, m.to_, undefined, undefined);
      send(pred, m.new, m.to_, undefined, undefined);
    else
      -- Another cell has joined in between.
      send(unlink, link[m.to_], m.to_, m.old, m.new);
    end;
  case unlinked:
    assert state[m.to_] = gone;
    state[m.to_] := normal; link[m.to_] := m.to_; member[m.to_] := false;
  end;
end;

function welcome(kind: Kind; at: Pointer): boolean;
begin
  switch kind
  case pred: return state[at] != joining;
  case unlink: return state[at] = normal | state[at] = leaving;
  else return true;
  end;
end;

ruleset i: Place do
  rule "deliver" i < count & welcome(net[i].kind, net[i].to_) ==>
  var m: Message;
  begin m := net[i]; drop(i); take(m); end;
end;

ruleset c: Cell do
  rule "join" state[c] = normal & !member[c] & count < Room - 3 ==>
    send(add, head, c, undefined, undefined); state[c] := joining;
  end;
  rule "leave" state[c] = normal & member[c] & count < Room - 3 ==>
    state[c] := leaving;
  end;
end;

startstate
  undefine net; count := 0;
  for p: Pointer do link[p] := p; state[p] := normal; member[p] := p = head; end;
  send(pred, head, head, undefined, undefined);
end;

invariant "outside they point to themselves" forall p: Pointer do member[p] | state[p] != normal | link[p] = p end;
