//! How things without names are shown: cells by their indices, records as tuples, rules as their processes.

use burnside_ts::{
    Binder, Domain, Fair, Label, Param, Process, ProcessId, Rule, RuleId, Slot, SortKind, Strength, Symmetry,
    System, Target, Type, Types, UnitFamily, UnitId, Units, Var,
};

/// Places `p1` and `p2`, a place `P` of pairs of a colour and a client, a tuple, and a transition with a colour.
fn system() -> System {
    let mut types = Types::new();
    let names = |all: &[&str]| all.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let places = types.declare_named_sort("Place", names(&["p1", "p2"]), SortKind::Symmetric).unwrap();
    let colours = types.declare_named_sort("Colour", names(&["a", "b"]), SortKind::Symmetric).unwrap();
    let clients = types.declare_sort("Client", 2, SortKind::Symmetric).unwrap();
    let tokens = types.intern(Type::Range { lo: 0, hi: 3 }).unwrap();
    let pair = types.declare_record("", vec![(String::new(), colours), (String::new(), clients)]).unwrap();
    let nested = types.declare_record("", vec![(String::new(), pair), (String::new(), colours)]).unwrap();
    let marking = types.intern(Type::Array { index: places, element: tokens }).unwrap();
    let pairs = types.intern(Type::Array { index: pair, element: tokens }).unwrap();
    let set = types.intern(Type::Set(pair)).unwrap();
    let deep = types.intern(Type::Array { index: places, element: marking }).unwrap();
    let truth = types.intern(Type::Bool).unwrap();
    let by_nested = types.intern(Type::Array { index: nested, element: truth }).unwrap();
    let mut width = 0;
    let list = [("", marking), ("P", pairs), ("one", pair), ("some", set), ("", deep), ("N", by_nested)];
    let vars = list.map(|(name, ty)| {
        let offset = width;
        width += types.width(ty);
        Var { name: name.into(), process: None, qualified: false, ty, offset }
    });
    let binder = Binder { target: Target::Scalar(Slot(0)), ty: colours, domain: Domain::Type };
    let rule = |process, name: &str, params: Vec<Param>| Rule {
        name: name.into(),
        process: ProcessId(process),
        args: 0..params.len(),
        params,
        guard: Vec::new(),
        body: Box::new([]),
    };
    let process = |name: &str| Process { name: name.into(), indices: Vec::new() };
    let family =
        |target, first, count| UnitFamily { target, strength: Strength::Weak, first: UnitId(first), count };
    System {
        vars: vars.into(),
        width,
        frame: 2,
        processes: vec![process("t1"), process("t2")],
        rules: vec![rule(0, "", vec![Param { name: "x".into(), binder }]), rule(1, "go", Vec::new())],
        functions: Vec::new(),
        init: Box::new([]),
        fairness: vec![family(Fair::Rule(RuleId(0)), 0, 2), family(Fair::Rule(RuleId(1)), 2, 1)],
        properties: Vec::new(),
        observed: Vec::new(),
        hints: Vec::new(),
        deadlock_free: false,
        symmetry: Symmetry::trivial(&types),
        rule_sort: None,
        sites: Vec::new(),
        types,
    }
}

#[test]
fn cells_and_values() {
    let system = system();
    let leaves = system.leaves();
    let names: Vec<&str> = leaves.iter().map(|leaf| leaf.name.as_str()).collect();
    let expected = [
        "p1", "p2", "P[a, 0]", "P[a, 1]", "P[b, 0]", "P[b, 1]", "one", "some", "p1[p1]", "p1[p2]", "p2[p1]",
        "p2[p2]",
    ];
    assert_eq!(names[..12], expected);
    assert_eq!(names[12..14], ["N[(a, Client#0), a]", "N[(a, Client#0), b]"]);
    let mut state = vec![0; system.words()];
    // Tuple `one` is at bit 12: 2 places and 4 pairs of two bits come before it. The set follows.
    state[0] = 0b01_0101 << 12;
    let texts = system.show_state(&leaves, &state);
    assert_eq!(texts[6..8], ["(b, Client#0)", "{(a, Client#0), (b, Client#0)}"]);
}

#[test]
fn steps_and_units() {
    let system = system();
    assert_eq!(system.show_label(Label { rule: RuleId(0), args: &[1] }), "t1(x=b)");
    assert_eq!(system.show_label(Label { rule: RuleId(1), args: &[] }), "t2.go");
    assert_eq!([0, 1].map(|rule| system.show_rule(RuleId(rule))), ["t1", "t2.go"]);
    let units = Units::new(&system);
    assert_eq!([0, 1, 2].map(|unit| units.show(UnitId(unit))), ["t1(a)", "t1(b)", "t2.go"]);
}
