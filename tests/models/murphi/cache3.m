-- A cache coherence protocol with a directory, after the Murphi example of that name: processors ask the home of a
-- line for shared copies or for the master copy; the home keeps a list of who has one, and sends requests on to the
-- master. Messages wait in a row, from which any may be taken.
Const
  HomeCount: 1;
  ProcCount: 2;
  ValueCount: 2;
  NetMax: ProcCount + 3;

Type
  Home: Scalarset(HomeCount);
  Proc: Scalarset(ProcCount);
  Value: Scalarset(ValueCount);
  Node: Union { Home, Proc };
  Index: 0..NetMax - 1;
  Kind: Enum {
    Read, Own, Promote, Uncache, WriteBack, Update, InvAck, HandedOn,            -- to the home
    Data, Invalidate, UncacheAck, WriteBackAck, SendTo, HandOn, PromoteAck };    -- to a processor
  Message: Record Kind: Kind; Source, Destination, Aux: Node; Value: Value End;

Var
  Net: Record Count: 0..NetMax; Ar: Array [Index] of Message; End;
  Homes: Array [Home] of
    Record
      Mem: Value;
      State: Enum { Unused, AtSome, AtOne, WaitInv, WaitUpdate, WaitWB };
      Holders: Record Count: 0..ProcCount; Ar: Array [0..ProcCount - 1] of Proc; End;
      Missing: 0..ProcCount - 1;    -- acknowledgements of invalidations
    End;
  Procs: Array [Proc] of
    Record
      Cache: Enum { Invalid, Shared, Master };
      Pending: Enum { Nothing, ReadPend, OwnPend, PromotePend, WBPend, UncachePend };
      Copy: Value;
    End;

-- Without `begin` where nothing is declared, as the manual allows.
Procedure Consume(at: Index);
  Assert at < Net.Count "no such message";
  For i: 0..NetMax - 2 Do
    If i >= at Then Net.Ar[i] := Net.Ar[i + 1]; End;
  End;
  Undefine Net.Ar[Net.Count - 1];
  Net.Count := Net.Count - 1;
End;

Procedure Send(Kind: Kind; Dst, Src, Aux: Node; Val: Value);
  Alias m: Net.Ar[Net.Count] Do
    m.Kind := Kind;
    m.Source := Src;
    m.Destination := Dst;
    If Isundefined(Aux) Then Undefine m.Aux; Else m.Aux := Aux; Endif;
    If Isundefined(Val) Then Undefine m.Value; Else m.Value := Val; Endif;
  Endalias;
  Net.Count := Net.Count + 1;
End;

Procedure Tell(Kind: Kind; Dst, Src: Node);
Var NoNode: Node; NoValue: Value;
Begin
  Send(Kind, Dst, Src, NoNode, NoValue);
End;

Procedure SendOn(Kind: Kind; Dst, Src, Client: Node);
Var NoValue: Value;
Begin
  Send(Kind, Dst, Src, Client, NoValue);
End;

Procedure Carry(Kind: Kind; Dst, Src: Node; Val: Value);
Var NoNode: Node;
Begin
  Send(Kind, Dst, Src, NoNode, Val);
End;

Procedure AddHolder(h: Node; p: Node);
  Alias list: Homes[h].Holders Do
    list.Ar[list.Count] := p;
    list.Count := list.Count + 1;
  End;
End;

-- The last one takes the place.
Procedure RemoveHolder(h: Node; p: Node);
  Alias list: Homes[h].Holders Do
    Assert list.Count > 0;
    For i: 0..ProcCount - 1 Do
      If i < list.Count & list.Ar[i] = p Then
        list.Ar[i] := list.Ar[list.Count - 1];
        Undefine list.Ar[list.Count - 1];
        list.Count := list.Count - 1;
      End;
    End;
    If list.Count = 0 Then Homes[h].State := Unused; End;
  End;
End;

Procedure OnlyHolder(h: Node; p: Node);
  Undefine Homes[h].Holders.Ar;
  Homes[h].Holders.Count := 0;
  AddHolder(h, p);
End;

Procedure Acknowledged(h: Node);
  If Homes[h].Missing = 0 Then Error "one too many"; End;
  Homes[h].Missing := Homes[h].Missing - 1;
  If Homes[h].Missing = 0 Then
    If Homes[h].State != WaitInv Then Error "nothing was to be acknowledged"; End;
    Homes[h].State := AtOne;
  End;
End;

Procedure Forget(p: Node);
  Procs[p].Pending := Nothing;
  Procs[p].Cache := Invalid;
  Undefine Procs[p].Copy;
End;

-- Whether a message has to wait.
Function Blocked(Var m: Message): Boolean;
  Switch m.Kind
  Case Read, Own:
    Switch Homes[m.Destination].State
    Case WaitInv, WaitWB, WaitUpdate: Return true;
    End;
  Case Promote, Uncache: Return Homes[m.Destination].State = WaitUpdate;
  Case WriteBack:
    -- One of the new master, before the old one has answered.
    Alias home: Homes[m.Destination] Do
      Return (home.State = WaitWB | home.State = WaitInv) & home.Holders.Ar[0] = m.Source;
    End;
  Case Invalidate: Return Procs[m.Destination].Pending = ReadPend;
  Case SendTo, HandOn:
    Return Procs[m.Destination].Pending = OwnPend | Procs[m.Destination].Pending = PromotePend;
  End;
  Return false;
End;

Procedure AtHome(h: Node; m: Message);
  Alias me: Homes[h]; from: m.Source Do
    Switch m.Kind
    Case Read:
      If me.State = Unused | me.State = AtSome Then
        me.State := AtSome;
        AddHolder(h, from);
        Send(Data, from, h, h, me.Mem);
      Else
        Assert me.State = AtOne;
        me.State := WaitUpdate;
        SendOn(SendTo, me.Holders.Ar[0], h, from);
        AddHolder(h, from);
      End;
    Case Own:
      Switch me.State
      Case Unused:
        me.State := AtOne;
        Send(Data, from, h, h, me.Mem);
      Case AtSome:
        For i: 0..ProcCount - 1 Do
          If i < me.Holders.Count Then Tell(Invalidate, me.Holders.Ar[i], h); End;
        End;
        me.Missing := me.Holders.Count;
        Send(Data, from, h, h, me.Mem);
        me.State := WaitInv;
      Case AtOne:
        SendOn(HandOn, me.Holders.Ar[0], h, from);
        me.State := WaitWB;
      Else
        Error "asked for out of place";
      End;
      OnlyHolder(h, from);
    Case Promote:
      If me.State = AtSome Then
        If me.Holders.Count = 1 Then
          me.State := AtOne;
        Else
          For i: 0..ProcCount - 1 Do
            If i < me.Holders.Count & me.Holders.Ar[i] != from Then
              Tell(Invalidate, me.Holders.Ar[i], h);
            End;
          End;
          me.Missing := me.Holders.Count - 1;
          OnlyHolder(h, from);
          me.State := WaitInv;
        End;
        Tell(PromoteAck, from, h);
      Else
        -- Somebody else was faster: it counts as an acknowledgement.
        Acknowledged(h);
      End;
    Case WriteBack:
      Switch me.State
      Case AtOne: me.Mem := m.Value; RemoveHolder(h, from); Tell(WriteBackAck, from, h);
      Case WaitWB: me.Mem := m.Value; me.State := AtOne;
      Case WaitUpdate: me.Mem := m.Value; RemoveHolder(h, from); me.State := AtSome;
      Case WaitInv: Acknowledged(h);
      Else Error "a write back out of place";
      End;
    Case Update:
      Assert me.State = WaitUpdate "an update out of place";
      me.Mem := m.Value;
      me.State := AtSome;
    Case Uncache:
      If me.State = WaitInv Then
        Acknowledged(h);
      Else
        Assert me.State = AtSome;
        RemoveHolder(h, from);
        Tell(UncacheAck, from, h);
      End;
    Case HandedOn:
      Assert me.State = WaitWB;
      me.State := AtOne;
    Case InvAck:
      Acknowledged(h);
    Else
      Error "not for the home";
    End;
  End;
End;

Procedure AtProc(p: Node; m: Message);
  Alias me: Procs[p] Do
    Switch m.Kind
    Case Data:
      Switch me.Pending
      Case ReadPend: me.Cache := Shared;
      Case OwnPend: me.Cache := Master;
      Else Error "data out of place";
      End;
      me.Copy := m.Value;
      me.Pending := Nothing;
    Case Invalidate:
      Assert me.Cache != Master;
      me.Cache := Invalid;
      Undefine me.Copy;
      Switch me.Pending
      Case Nothing: Tell(InvAck, m.Source, p);
      -- What was asked for counts as an acknowledgement.
      Case OwnPend, PromotePend: me.Pending := Nothing;
      Case UncachePend: Forget(p);
      Else Error "an invalidation out of place";
      End;
    Case SendTo:
      Send(Data, m.Aux, p, m.Source, me.Copy);
      If me.Pending = Nothing Then
        me.Cache := Shared;
        Carry(Update, m.Source, p, me.Copy);
      Else
        Assert me.Pending = WBPend;
        Forget(p);
      End;
    Case HandOn:
      Send(Data, m.Aux, p, m.Source, me.Copy);
      If me.Pending = Nothing Then
        Assert me.Cache = Master;
        me.Cache := Invalid;
        Undefine me.Copy;
        Tell(HandedOn, m.Source, p);
      Else
        Assert me.Pending = WBPend;
        Forget(p);
      End;
    Case PromoteAck:
      Assert me.Pending = PromotePend;
      me.Pending := Nothing;
      me.Cache := Master;
    Case UncacheAck: Assert me.Pending = UncachePend; Forget(p);
    Case WriteBackAck: Assert me.Pending = WBPend; Forget(p);
    Else Error "not for a processor";
    End;
  End;
End;

Ruleset n: Proc Do
  Alias me: Procs[n] Do
    Ruleset h: Home Do
      -- Everything else waits until the network has room for what these may lead to.
      Rule me.Cache = Invalid & me.Pending = Nothing & Net.Count <= 2 ==>
        me.Pending := ReadPend; Tell(Read, h, n);
      Endrule;
      Rule me.Cache = Invalid & me.Pending = Nothing & Net.Count <= 2 ==>
        me.Pending := OwnPend; Tell(Own, h, n);
      Endrule;
      Rule me.Cache = Shared & me.Pending = Nothing & Net.Count <= 2 ==>
        me.Pending := PromotePend; Tell(Promote, h, n);
      Endrule;
      Rule me.Cache = Shared & me.Pending = Nothing & Net.Count <= 2 ==>
        me.Pending := UncachePend; Tell(Uncache, h, n);
      Endrule;
      Rule me.Cache = Master & me.Pending = Nothing & Net.Count <= 2 ==>
        me.Pending := WBPend; Carry(WriteBack, h, n, me.Copy);
      Endrule;
      Ruleset v: Value Do
        Rule "write" me.Cache = Master & me.Pending = Nothing ==> me.Copy := v; Endrule;
      Endruleset;
    Endruleset;
  Endalias;
Endruleset;

Ruleset i: Index Do
  Rule "deliver" i < Net.Count & !Blocked(Net.Ar[i]) ==>
  Var m: Message;
  Begin
    m := Net.Ar[i];
    Consume(i);
    Alias n: m.Destination Do
      If Ismember(n, Home) Then AtHome(n, m); Else AtProc(n, m); Endif;
    Endalias;
  Endrule;
Endruleset;

Ruleset v: Value Do
  Startstate
    For h: Home Do
      Homes[h].Mem := v;
      Homes[h].State := Unused;
      Homes[h].Missing := 0;
      Homes[h].Holders.Count := 0;
      Undefine Homes[h].Holders.Ar;
    Endfor;
    For p: Proc Do Forget(p); Endfor;
    Net.Count := 0;
    Undefine Net.Ar;
  Endstartstate;
Endruleset;

Invariant "unused is empty"
  Forall h: Home Do
    (Homes[h].State = Unused -> Homes[h].Holders.Count = 0)
    & Forall i: 0..ProcCount - 1 Do i >= Homes[h].Holders.Count -> Isundefined(Homes[h].Holders.Ar[i]) Endforall
  Endforall;

Invariant "exclusive"
  Forall p: Proc Do Forall q: Proc Do
    p = q
    | !(Procs[p].Cache = Master & Procs[p].Pending != WBPend
        & (Procs[q].Cache = Master & Procs[q].Pending != WBPend
           | Procs[q].Cache = Shared & Procs[q].Pending != UncachePend
             & !Exists i: Index Do
                 i < Net.Count & Net.Ar[i].Kind = Invalidate & Net.Ar[i].Destination = q
               Endexists))
  Endforall Endforall;

Invariant "coherent"
  Forall p: Proc Do Forall h: Home Do
    Procs[p].Cache = Shared & Procs[p].Pending != UncachePend & Procs[p].Copy != Homes[h].Mem
    -> Exists i: Index Do
         i < Net.Count
         & (Net.Ar[i].Kind = Invalidate & Net.Ar[i].Destination = p
            | (Net.Ar[i].Kind = Update | Net.Ar[i].Kind = WriteBack) & Net.Ar[i].Value = Procs[p].Copy)
       End
  Endforall Endforall;
