-- Peterson's algorithm for N processes: a filter of N - 1 levels.
Const N: 3;
Type pid: Scalarset(N); priority: 0..N; label_t: Enum{L0, L1, L2, L3, L4};
Var P: Array [pid] Of label_t; Q: Array [pid] Of priority; turn: Array [priority] Of pid; localj: Array [pid] Of priority;
Ruleset i: pid Do
  Rule "start" P[i] = L0 ==> Begin localj[i] := 1; P[i] := L1; End;
  Rule "assign Q" P[i] = L1 ==> Begin Q[i] := localj[i]; P[i] := L2; End;
  Rule "assign turn" P[i] = L2 ==> Begin turn[localj[i]] := i; P[i] := L3; End;
  Rule "wait" P[i] = L3 ==> Begin
      If (Forall j: pid Do (j != i) -> (Q[j] < localj[i]) End | (turn[localj[i]] != i)) Then
        localj[i] := localj[i] + 1;
        If (localj[i] < N) Then P[i] := L1; Else P[i] := L4; End
      End End;
  Rule "leave" P[i] = L4 ==> Begin Q[i] := 1; P[i] := L0; localj[i]:=1; End;
End;
  Startstate Begin For k: pid Do P[k] := L0; Q[k] := 0; localj[k]:=1;  End;  End;
Invariant "exclusion" ! Exists i1: pid Do Exists i2: pid Do (i1 != i2 & P[i1] = L4 & P[i2] = L4) End End;
