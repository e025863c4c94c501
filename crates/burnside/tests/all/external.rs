//! Properties from outside the model: automata say the same as the formulas they come from, and no text makes
//! the loader panic.

use burnside::{
    ExternalKind, ExternalProperty, Kind, LoadOptions, Loaded, Method, Model, Options, Symmetry, Verdict,
};
use burnside_logic::{AtomId, AutomatonLimits, Ltl, print_hoa, translate};

/// Random numbers, always the same (xorshift).
struct Random(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Random {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A random formula, and as a text of the model's language over these conditions.
fn formula(random: &mut Random, size: u32, conditions: &[&str]) -> (Ltl, String) {
    if size <= 1 {
        let atom = random.below(conditions.len() as u64) as usize;
        return (Ltl::Atom(AtomId(atom as u32)), format!("({})", conditions[atom]));
    }
    let operator = random.below(12);
    if operator < 5 {
        let (inner, text) = formula(random, size - 1, conditions);
        let inner = Box::new(inner);
        return match operator {
            0 => (Ltl::Not(inner), format!("!{text}")),
            1 => (Ltl::Next(inner), format!("X {text}")),
            2 | 3 => (Ltl::Finally(inner), format!("F {text}")),
            _ => (Ltl::Globally(inner), format!("G {text}")),
        };
    }
    let left = 1 + random.below(u64::from(size) - 1) as u32;
    let (a, a_text) = formula(random, left, conditions);
    let (b, b_text) = formula(random, (size - left).max(1), conditions);
    let (formula, operator) = match operator {
        5 => (Ltl::And(vec![a, b]), "&&"),
        6 => (Ltl::Or(vec![a, b]), "||"),
        7 | 8 => (Ltl::Implies(Box::new([a, b])), "->"),
        9 => (Ltl::Until(Box::new([a, b])), "U"),
        10 => (Ltl::Release(Box::new([a, b])), "R"),
        _ => (Ltl::WeakUntil(Box::new([a, b])), "W"),
    };
    (formula, format!("({a_text} {operator} {b_text})"))
}

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the example can be read")
}

fn external(kind: impl Into<ExternalKind>, origin: &str, text: String) -> ExternalProperty {
    ExternalProperty { kind: kind.into(), origin: origin.into(), text }
}

/// The answers for the formula and for the automaton of its negation.
fn verdicts(model: &Model, symmetry: Symmetry, method: Method) -> [Verdict; 2] {
    let names: Vec<String> = model.external.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names, ["ltl-1", "bad"]);
    let options = Options { properties: names, symmetry, method, ..Options::default() };
    let report = burnside::check(model, &options, &mut ()).expect("what is found replays");
    ["ltl-1", "bad"].map(|name| {
        let mut results = report.results.iter();
        results.find(|result| result.property == name).expect("it was asked for").verdict.clone()
    })
}

/// Compares formulas with automata on one example.
fn compare(name: &str, sizes: &[u32], conditions: &[&str], rounds: u32) {
    compare_text(name, &example(name), sizes, conditions, rounds);
}

/// Compares formulas with automata on one model.
fn compare_text(name: &str, text: &str, sizes: &[u32], conditions: &[&str], rounds: u32) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut holding, mut violated) = (0, 0);
    for round in 0..rounds {
        let size = sizes[round as usize % sizes.len()];
        let (ltl, formula) = formula(&mut random, 2 + round % 6, conditions);
        let atoms = conditions.len() as u32;
        let automaton =
            translate(&Ltl::Not(Box::new(ltl)), atoms, &AutomatonLimits::default()).expect("it is small");
        let names: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        let hoa = print_hoa(&automaton, &names, "");
        let both =
            [external(Kind::Ltl, "formula", formula.clone()), external(Kind::Automaton, "bad.hoa", hoa)];
        let Loaded { model, external, .. } =
            Model::load(text, &LoadOptions::new().set("N", size).external(&both));
        let model = model.unwrap_or_else(|error| panic!("{formula}: {error} {external:?}"));
        let mut answers = Vec::new();
        for symmetry in [Symmetry::Auto, Symmetry::None] {
            for method in [Method::OnTheFly, Method::TwoPhase] {
                answers.extend(verdicts(&model, symmetry, method));
            }
        }
        assert!(matches!(answers[0], Verdict::Holds | Verdict::Violated), "{name} N={size} {formula}");
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{name} N={size} {formula}: {answers:?}");
        let count = if answers[0] == Verdict::Holds { &mut holding } else { &mut violated };
        *count += 1;
    }
    assert!(holding > 5 && violated > 5, "{holding} {violated}");
}

#[test]
fn automata_agree_with_formulas_on_a_resource() {
    let one = ["phase[Client#0] == requested", "phase[Client#0] == using", "lock == free"];
    compare("resource", &[1, 2, 3], &one, 60);
    let all = ["exists c: Client { phase[c] == using }", "enabled(grant)", "lock == released"];
    compare("resource", &[2, 3], &all, 60);
}

#[test]
fn automata_agree_with_formulas_under_strong_fairness() {
    let one = ["phase[Proc#0] == trying", "phase[Proc#0] == critical", "phase[Proc#1] == critical"];
    compare("mutex_strong", &[2, 3], &one, 60);
    let all =
        ["forall p: Proc { phase[p] == trying }", "exists p: Proc { phase[p] == critical }", "enabled(try)"];
    compare("mutex_strong", &[2, 3], &all, 60);
}

#[test]
fn automata_agree_with_formulas_on_a_leader() {
    let mixed = ["leader == none", "leader == Proc#1", "forall p: Proc { up[p] }", "up[Proc#0]"];
    compare("leader", &[2, 3], &mixed, 80);
}

#[test]
fn automata_agree_with_formulas_on_a_ring_given_by_a_generator() {
    let ring = "\
const N = 4;
type Node = 0..N - 1;
symmetry { Node (0 1 2 3); }
var token: Node = any;
fair process Place[n: Node] {
    var lit: bool;
    rule pass when token == n { token = (n + 1) % N; lit = true; }
    rule dim when lit && token != n { lit = false; }
}
";
    let one = ["token == 0", "lit[2]", "lit[0] && token == 1"];
    compare_text("ring", ring, &[4], &one, 40);
    let all = ["exists n: Node { lit[n] }", "forall n: Node { lit[n] || token == n }", "enabled(dim)"];
    compare_text("ring", ring, &[4], &all, 60);
    let recurring =
        "HOA: v1 Start: 0 AP: 1 \"_\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [t] 0 --END--";
    let symmetry = |condition: &str| {
        let automaton = external(Kind::Automaton, "dark.hoa", recurring.replace("_", condition));
        let model = Model::load(ring, &LoadOptions::new().external(&[automaton])).model.unwrap();
        let options = Options { properties: vec!["dark".into()], ..Options::default() };
        let report = burnside::check(&model, &options, &mut ()).unwrap();
        report.results.last().expect("it was asked for").symmetry
    };
    assert_eq!(symmetry("exists n: Node { lit[n] }"), burnside::Symmetry::Exact);
    assert_eq!(symmetry("lit[1]"), burnside::Symmetry::None);
}

#[test]
fn no_text_is_too_odd() {
    let model = "symmetric P[2]; var x: 0..3; process P[p] { var b: bool; rule r { b = !b; x = 3 - x; } } fn f(): bool = x > 1;";
    let hoa = "HOA: v1 /* c */ name: \"t\" Start: 0 AP: 3 \"f\" \"b[P#0] /* \\\\ \\\" ü */\" \"x /\n 2 == 0\" Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [0&!1|2] 0 --END--";
    let ltl = "forall p: P { G (b[p] -> F !b[p] U f()) } && (x < 2 R enabled(r))";
    let ctl = "A[f() U enabled(r)] <-> EF x == 2";
    let pieces =
        ["\"", "\\", "AP:", " ", "0", "(", "/*", "ü", "&&", "G", "\n", "\u{feff}", "!", "x", ":", "#"];
    let mut random = Random(77);
    let (mut wrong, mut right) = (0, 0);
    for round in 0..4000 {
        let (kind, base) = match round % 4 {
            0 | 1 => (Kind::Automaton, hoa),
            2 => (Kind::Ltl, ltl),
            _ => (Kind::Ctl, ctl),
        };
        let mut text: Vec<char> = base.chars().collect();
        for _ in 0..random.below(6) {
            let at = random.below(text.len() as u64) as usize;
            let until = (at + random.below(8) as usize).min(text.len());
            let piece = pieces[random.below(pieces.len() as u64) as usize];
            text.splice(at..until, piece.chars());
        }
        let text: String = text.into_iter().collect();
        let given = external(kind, "odd", text);
        let loaded = Model::load(model, &LoadOptions::new().external(&[given.clone(), given.clone()]));
        for diagnostic in loaded.external.iter().flatten() {
            let places = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
            for note in places {
                let (start, end) = (note.span.start as usize, note.span.end as usize);
                assert!(start <= end && end <= given.text.len(), "{diagnostic:?} {given:?}");
            }
        }
        match &loaded.model {
            Ok(model) => {
                assert_ne!(model.external[0].0, model.external[1].0);
                right += 1;
            }
            Err(_) => wrong += 1,
        }
    }
    assert!(wrong > 1000 && right > 100, "{wrong} {right}");
}

#[test]
fn names_are_new() {
    let model = "var x: bool; process P { rule r { x = !x; } } invariant a = x || true; invariant b = true;";
    let hoa = "HOA: v1 AP: 1 \"x\" Acceptance: 0 t --BODY-- --END--".to_string();
    let automaton = |origin: &str| external(Kind::Automaton, origin, hoa.clone());
    let ltl = external(Kind::Ltl, "", "G x".into());
    let invariant = external(Kind::Invariant, "", "x".into());
    let all = [
        automaton("dir/a.hoa"),
        ltl.clone(),
        automaton("a.b.hoa"),
        automaton("faults"),
        ltl,
        automaton("ltl-3.hoa"),
        invariant,
        automaton("<stdin>"),
        automaton(""),
        automaton("a.hoa"),
    ];
    let model = Model::load(model, &LoadOptions::new().external(&all)).model.unwrap();
    let names: Vec<&str> = model.external.iter().map(|(name, _)| name.as_str()).collect();
    let expected =
        ["a-2", "ltl-1", "a.b", "faults-2", "ltl-2", "ltl-3", "invariant-1", "stdin", "automaton", "a-3"];
    assert_eq!(names, expected);
}

#[test]
fn hints_come_after_those_of_the_model() {
    let model = "symmetric S[3]; var x: S?; process P { rule r { x = S#1; } }
        invariant a = true; hint a = x == none; hint b = x == S#2; hint hint_1 = true;";
    let hint = |text: &str| external(ExternalKind::Hint, "typed", text.into());
    let all =
        [hint("x != none\n &&  x! == S#0"), external(Kind::Invariant, "", "x == x".into()), hint("false")];
    let plain = Model::load(model, &LoadOptions::new()).model.unwrap();
    let hinted = Model::load(model, &LoadOptions::new().external(&all)).model.unwrap();
    let hints: Vec<(&str, &str)> =
        hinted.system.hints.iter().map(|hint| (hint.name.as_str(), hint.text.as_str())).collect();
    let expected = [
        ("a", "x == none"),
        ("b", "x == S#2"),
        ("hint_1", "true"),
        ("hint-1", "x != none && x! == S#0"),
        ("hint-2", "false"),
    ];
    assert_eq!(hints, expected);
    assert_eq!(plain.system.hints.len(), 3);
    assert_eq!(hinted.system.symmetry, plain.system.symmetry);
    let names: Vec<&str> = hinted.system.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["a", "invariant-1"]);
    let site = hinted.system.sites.iter().find(|site| site.origin == 1).unwrap();
    assert_eq!((site.text.as_str(), site.line, site.column), ("x!", 2, 6));
}

/// What is wrong with a proposition is told where it stands in the automaton, of models and of nets alike.
#[test]
fn propositions_are_blamed_where_they_stand() {
    let hoa =
        "HOA: v1 /* \"wrong\" */ Start: 0 AP: 2 \"x == 1\" \"\\wrong == 1\" Acceptance: 0 t --BODY-- --END--";
    let automaton = [external(Kind::Automaton, "bad.hoa", hoa.into())];
    let net = "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">
        <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\"><place id=\"x\"/></page></net></pnml>";
    let of_model = Model::load(
        "var x: 0..1; process P { rule r { x = 1 - x; } }",
        &LoadOptions::new().external(&automaton),
    );
    let of_net = Model::load(net, &LoadOptions::new().external(&automaton));
    for loaded in [of_model, of_net] {
        let [diagnostics] = &loaded.external[..] else { panic!("{:?}", loaded.diagnostics) };
        let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:?}") };
        let span = diagnostic.primary.span;
        assert_eq!(span.text(hoa), "wrong", "{diagnostic:?}");
        assert!(hoa[..span.start as usize].contains("AP:"), "{diagnostic:?}");
    }
}
