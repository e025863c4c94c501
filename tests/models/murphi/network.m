-- a tiny network
const N: 2; K: 2;
type Proc: scalarset(N); Home: enum { home }; Node: union { Home, Proc };
 Msg: record kind: enum { req, ack }; src: Node; dst: Node; data: 0..1; end;
var net: multiset[K] of Msg; owner: Node; sent: array[Proc] of boolean; log: 0..7;
procedure send(k: Node; to_: Node); var m: Msg; begin
  if MultisetCount(i: net, true) < K then m.kind := req; m.src := k; m.dst := to_; MultisetAdd(m, net); end; end;
startstate "empty" undefine net; owner := home; for p: Proc do sent[p] := false; end; log := 0; end;
-- burnside: fair rule "deliver"
ruleset p: Proc do rule "ask" !sent[p] ==> send(p, home); sent[p] := true; end; end;
choose m: net do alias msg: net[m] do
  rule "deliver" msg.dst = home & msg.kind = req ==> begin owner := msg.src; if isMember(owner, Proc) then log := (log ^ 5) & 7; end; net[m].kind := ack; end;
  rule "drop" msg.kind = ack ==> MultisetRemove(m, net); end;
end; end;
rule "back" ismember(owner, Proc) ==> MultisetRemovePred(i: net, net[i].kind = ack); owner := home; for p: Proc do sent[p] := false; end; end;
invariant "few" MultisetCount(i: net, net[i].kind = req) <= K;
