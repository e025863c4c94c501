//! Automata as text: what is read, what is refused and where.

mod common;

use burnside_logic::{Hoa, Limits, parse, print_dot, print_hoa, read_hoa, translate};
use common::Random;

fn text(header: &str, body: &str) -> String {
    format!("HOA: v1\n{header}\n--BODY--\n{body}\n--END--\n")
}

#[track_caller]
fn read(header: &str, body: &str) -> Hoa {
    read_hoa(&text(header, body)).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn fails(header: &str, body: &str, message: &str) {
    let error = read_hoa(&text(header, body)).unwrap_err();
    assert_eq!(error.to_string(), message);
}

/// Reads the words over two atoms that an automaton must accept exactly if they satisfy the formula.
#[track_caller]
fn means(hoa: &Hoa, formula: &str) {
    let expected = parse(formula).unwrap().formula;
    for word in common::words(2, 2, 2) {
        assert_eq!(word.is_accepted(&hoa.automaton), word.satisfies(&expected), "{word:?}");
    }
}

const AB: &str = "States: 2 AP: 2 \"a\" \"b\" Start: 0";

#[test]
fn kinds_that_are_read() {
    let hoa = read(
        &format!("{AB} acc-name: Buchi Acceptance: 1 Inf(0)"),
        "State: 0 [0&!1] 0 [1] 1 State: 1 {0} [t] 1",
    );
    assert_eq!((hoa.names, hoa.title, hoa.automaton.sets), (vec!["a".into(), "b".into()], None, 1));
    means(
        &read(&format!("{AB} Acceptance: 1 Inf(0)"), "State: 0 [0&!1] 0 [1] 1 State: 1 {0} [t] 1"),
        "a U b",
    );
    // The condition decides, not its name; implicit labels; acceptance on edges.
    let body = "State: 0 0 0 {0} 0 {1} 0 {0 1} State: 1";
    means(&read(&format!("{AB} acc-name: Rabin 3 Acceptance: 2 Inf(1) & (Inf(0))"), body), "GF a && GF b");
    means(&read(&format!("{AB} Acceptance: 2 Inf(1)"), body), "a && !a || GF b && (a || !a)");
    means(&read(&format!("{AB} Acceptance: 2 t"), body), "a || !a || b");
    means(&read(&format!("{AB} Acceptance: 0 f"), "State: 0 [t] 0"), "a && !a && b");
    // Labels of states, aliases, several starts, names of states, comments.
    let header = "Start: 0 name: \"n\" tool: \"x\" \"1\" AP: 2 \"a\" \"b\" Start: 3 acc-name: all Acceptance: 0 t \
                  Alias: @a 0 Alias: @n !@a /* a /* nested */ comment */ properties: colored";
    let hoa = read(header, "State: [@a] 0 \"zero\" 0 State: 3 [!(@n | !1)] 3");
    means(&hoa, "G a || G(a && b)");
    assert_eq!((hoa.automaton.len(), hoa.title.as_deref()), (2, Some("n")));
    let hoa = read("AP: 2 \"a\" \"b\" Acceptance: 0 t", "State: 0 [t] 0");
    assert!(hoa.automaton.initial.is_empty());
    means(&read(&format!("{AB} Acceptance: 0 t"), "State: 0 [(0 | 1) & !(0 & 1)] 0"), "G !(a <-> b)");
}

#[test]
fn the_rest_is_refused_by_name() {
    let body = "State: 0 [t] 0";
    let not = "is not supported: only `Inf` joined by `&` is";
    let accept = |acceptance: &str, message: &str| fails(&format!("{AB}\n{acceptance}"), body, message);
    accept("acc-name: Rabin 1\nAcceptance: 2 Fin(0)&Inf(1)", &format!("4:15: Rabin acceptance {not}"));
    accept("Acceptance: 2 Fin(0)|Inf(1)\nacc-name: Streett 1", &format!("3:15: Streett acceptance {not}"));
    accept("acc-name: co-Buchi\nAcceptance: 1 Fin(0)", &format!("4:15: co-Büchi acceptance {not}"));
    accept(
        "acc-name: parity min odd 2\nAcceptance: 2 Fin(0)&Inf(1)",
        &format!("4:15: parity acceptance {not}"),
    );
    accept("Acceptance: 1 Fin(0)", &format!("3:15: acceptance with `Fin` {not}"));
    accept("Acceptance: 2 Inf(0)|Inf(1)", &format!("3:15: acceptance with `|` {not}"));
    accept("Acceptance: 1 Inf(!0)", &format!("3:15: acceptance with complemented sets {not}"));
    let sets = (0..65).map(|set| format!("Inf({set})")).collect::<Vec<_>>().join("&");
    accept(&format!("Acceptance: 65 {sets}"), "3:16: more than 64 acceptance sets are not supported");
    let universal = "universal branching (an alternating automaton) is not supported";
    fails("AP: 0 Acceptance: 0 t\nStart: 0&1", "", &format!("3:9: {universal}"));
    fails("AP: 0 Acceptance: 0 t", "State: 0 [t] 0&1", &format!("4:15: {universal}"));
    assert_eq!(
        read_hoa("HOA: v2").unwrap_err().to_string(),
        "1:6: version `v2` of the format is not known, only `v1` is"
    );
    fails(
        "Magic: 1 Acceptance: 0 t",
        "",
        "2:1: the header item `Magic:` may change the meaning and is not supported",
    );
    let two = text("Acceptance: 0 t", "") + &text("Acceptance: 0 t", "");
    assert_eq!(
        read_hoa(&two).unwrap_err().to_string(),
        "6:1: more than one automaton in a text is not supported"
    );
}

#[test]
fn mistakes_have_a_place() {
    assert_eq!(read_hoa("").unwrap_err().to_string(), "1:1: an automaton starts with `HOA: v1`");
    fails("AP: 0", "", "3:1: `Acceptance:` is missing");
    fails("AP: 2 \"a\"\nAcceptance: 0 t", "", "3:1: expected 2 propositions, but there are 1");
    fails("AP: 2 \"a\" \"a\"", "", "2:11: the proposition \"a\" is given twice");
    fails("States: 1 States: 1", "", "2:11: `States:` is given twice");
    fails("States: 1 Start: 1", "", "2:18: there is no state 1: `States: 1`");
    let header = "AP: 1 \"a\" Acceptance: 1 Inf(0)";
    fails(header, "State: 0 [1] 0", "4:11: there is no proposition 1");
    fails(header, "State: 0 [@x] 0", "4:11: the alias `@x` is not defined before");
    fails(header, "State: 0 [0] 0 {1}", "4:17: there is no acceptance set 1");
    fails(header, "State: 0 [0] 0 0", "4:16: all edges of a state have labels, or none");
    fails(header, "State: [0] 0 [0] 0", "4:14: the state has a label, so its edges have none");
    fails(header, "State: 0 0 0 0", "4:14: there are more edges without labels than letters");
    fails(header, "State: 0 0", "5:1: a state without labels has an edge for each letter, but here are 1");
    fails(header, "State: 0 State: 0", "4:17: the state 0 is defined twice");
    fails(header, "State: 0 [0 0] 0", "4:13: expected `]`");
    fails(header, "State: 99999999999999999999", "4:8: this number is too large");
    fails(header, "State: 0 #", "4:10: `#` means nothing here");
    fails(header, "--ABORT--", "4:1: the automaton was aborted by the tool that wrote it");
    let deep = "(".repeat(100_000);
    fails(header, &format!("State: 0 [{deep}"), "4:212: expressions can be nested 200 deep at most");
}

#[test]
fn small_texts_stay_small() {
    // A parity needs exponentially many cubes.
    let names: String = (0..40).map(|atom| format!(" \"p{atom}\"")).collect();
    let aliases: String = (1..40).fold("Alias: @a0 0 ".into(), |all, atom| {
        all + &format!("Alias: @a{atom} @a{0} & !{atom} | !@a{0} & {atom} ", atom - 1)
    });
    let header = format!("AP: 40{names} Acceptance: 0 t {aliases}");
    let error = read_hoa(&text(&header, "State: 0 [@a39] 0")).unwrap_err();
    assert_eq!(error.message, "this label is too large: it needs too many conjunctions");
    assert_eq!(read_hoa(&text(&header, "State: 0 [@a3] 0")).unwrap().automaton.edge_count(), 8);
    let sparse = read(
        "AP: 0 States: 4000000000 Start: 3999999999 Acceptance: 0 t",
        "State: 3999999999 [t] 3999999999",
    );
    assert_eq!(sparse.automaton.len(), 1);
}

#[test]
fn no_text_makes_it_panic() {
    let parsed = parse("G(a -> F b) && GF c").unwrap();
    let automaton = translate(&parsed.formula, 3, &Limits::default()).unwrap();
    let good = print_hoa(&automaton, &parsed.names, "a \"title\"");
    assert_eq!(read_hoa(&good).unwrap().title.as_deref(), Some("a \"title\""));
    let mut random = Random(5);
    let letters: Vec<char> = "01[]{}()&|!@\"tf-:/* \nISA9é".chars().collect();
    for _ in 0..5_000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = letters[random.below(letters.len())],
                1 => text.insert(at, letters[random.below(letters.len())]),
                _ => drop(text.drain(at..text.len().min(at + 1 + random.below(9)))),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(hoa) = read_hoa(&text) {
            let again = read_hoa(&print_hoa(&hoa.automaton, &hoa.names, "")).unwrap();
            assert_eq!(again.automaton.len(), hoa.automaton.len());
        }
    }
}

#[test]
fn drawings_show_everything() {
    let parsed = parse("a U b").unwrap();
    let automaton = translate(&parsed.formula, 2, &Limits::default()).unwrap();
    let dot = print_dot(&automaton, &parsed.names, "a U b");
    assert!(dot.starts_with("digraph \"a U b\" {"), "{dot}");
    assert!(dot.contains("[label=\"a && !b\"]") && dot.contains("doublecircle"), "{dot}");
}
