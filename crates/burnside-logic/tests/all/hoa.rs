//! Automata as text: what is read, what is refused and where.

use crate::common;

use burnside_logic::{AutomatonLimits, Hoa, parse, print_dot, print_hoa, read_hoa, translate};
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
fn propositions_have_places() {
    let header = r#"name: "AP: 1 \"x\"" /* AP: "y" */ Start: 0 AP: 3 "a\"b" /*,*/ "" "ü" Acceptance: 0 t"#;
    let text = text(header, "State: 0 \"z\" [t] 0");
    let hoa = read_hoa(&text).unwrap();
    assert_eq!(hoa.names, ["a\"b", "", "ü"]);
    assert_eq!(hoa.spans.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(), [r#"a\"b"#, "", "ü"]);
}

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
    // Implicit labels; acceptance on edges.
    let body = "State: 0 0 0 {0} 0 {1} 0 {0 1} State: 1";
    means(
        &read(&format!("{AB} acc-name: generalized-Buchi 2 Acceptance: 2 Inf(1) & (Inf(0))"), body),
        "GF a && GF b",
    );
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

/// A name of an acceptance condition, its number of sets, and whether it is met when these sets are met for
/// ever.
type Defined = (String, usize, Box<dyn Fn(&[bool]) -> bool>);

/// The names that the format defines with up to three sets or pairs: how many sets each has, and whether a
/// run that meets these infinitely often is accepted.
fn defined_names() -> Vec<Defined> {
    let mut names: Vec<Defined> = vec![
        ("all".into(), 0, Box::new(|_| true)),
        ("none".into(), 0, Box::new(|_| false)),
        ("Buchi".into(), 1, Box::new(|met| met[0])),
        ("co-Buchi".into(), 1, Box::new(|met| !met[0])),
    ];
    for n in 0..4 {
        names.push((format!("generalized-Buchi {n}"), n, Box::new(|met| met.iter().all(|met| *met))));
        names.push((format!("generalized-co-Buchi {n}"), n, Box::new(|met| met.iter().any(|met| !met))));
        names.push((
            format!("Streett {n}"),
            2 * n,
            Box::new(|met| met.chunks(2).all(|pair| !pair[0] || pair[1])),
        ));
        names.push((
            format!("Rabin {n}"),
            2 * n,
            Box::new(|met| met.chunks(2).any(|pair| !pair[0] && pair[1])),
        ));
        for (end, kind) in [("min", "even"), ("min", "odd"), ("max", "even"), ("max", "odd")] {
            // By the definition, from the set that decides last to the one that decides first.
            let accepts = move |met: &[bool]| {
                let wanted = usize::from(kind == "odd");
                let inner = if end == "max" { kind == "odd" } else { n % 2 == wanted };
                let order: Vec<usize> = if end == "max" { (0..n).collect() } else { (0..n).rev().collect() };
                let decide = |rest: bool, set: usize| match set % 2 == wanted {
                    true => met[set] || rest,
                    false => !met[set] && rest,
                };
                order.into_iter().fold(inner, decide)
            };
            names.push((format!("parity {end} {kind} {n}"), n, Box::new(accepts)));
        }
    }
    for sizes in [vec![], vec![0], vec![1], vec![2], vec![1, 1], vec![0, 2]] {
        let values: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let sets = sizes.len() + sizes.iter().sum::<usize>();
        let accepts = move |met: &[bool]| {
            let mut at = 0;
            sizes.iter().any(|size| {
                let pair = &met[at..at + 1 + size];
                at += 1 + size;
                !pair[0] && pair[1..].iter().all(|met| *met)
            })
        };
        names.push((
            format!("generalized-Rabin {} {}", values.len(), values.join(" ")),
            sets,
            Box::new(accepts),
        ));
    }
    names
}

/// Every name beside every condition that can be read, with up to six sets: taken exactly if they say the
/// same, before and behind the condition.
#[test]
fn names_agree_with_conditions() {
    let (mut taken, mut refused) = (0, 0);
    for (name, sets, accepts) in defined_names() {
        for count in 0..=6usize {
            let conjunctions = (0..1u32 << count).map(Some).chain([None]);
            for needed in conjunctions {
                let met = |run: u32| (0..count).map(|set| run >> set & 1 == 1).collect::<Vec<bool>>();
                let says = |run: u32| needed.is_some_and(|needed| needed & run == needed);
                let same = sets == count && (0..1 << count).all(|run| says(run) == accepts(&met(run)));
                let parts: Vec<String> = (0..count)
                    .filter(|set| needed.unwrap_or(0) >> set & 1 == 1)
                    .map(|set| format!("Inf({set})"))
                    .collect();
                let condition = match needed {
                    None => "f".to_string(),
                    Some(0) => "t".to_string(),
                    Some(_) => parts.join("&"),
                };
                let [first, second] =
                    [format!("acc-name: {name}"), format!("Acceptance: {count} {condition}")];
                for (header, line) in
                    [(format!("{AB}\n{first}\n{second}"), 3), (format!("{AB}\n{second}\n{first}"), 4)]
                {
                    match read_hoa(&text(&header, "State: 0 [t] 0")) {
                        Ok(_) => assert!(same, "{header}"),
                        Err(error) => {
                            let word = name.split(' ').next().unwrap_or_default();
                            let message = format!(
                                "{line}:11: `acc-name: {word}` contradicts `Acceptance:`, which says another condition"
                            );
                            assert_eq!((error.to_string(), same), (message, false), "{header}");
                        }
                    }
                }
                if same { taken += 1 } else { refused += 1 }
            }
        }
    }
    assert_eq!((taken, refused > 1_000), (17, true));
}

#[test]
fn names_that_are_no_names() {
    let check = |name: &str, message: &str| {
        fails(
            &format!("{AB} Acceptance: 1 Inf(0)\nacc-name: {name}"),
            "State: 0 [t] 0",
            &format!("3:11: {message}"),
        );
    };
    check("Buchi 1", "`acc-name: Buchi` must be `Buchi`");
    check("generalized-Buchi", "`acc-name: generalized-Buchi` must be `generalized-Buchi SETS`");
    check("Rabin x", "`acc-name: Rabin` must be `Rabin PAIRS`");
    check("generalized-Rabin 2 1", "`acc-name: generalized-Rabin` must be `generalized-Rabin PAIRS SETS…`");
    check("parity min 1", "`acc-name: parity` must be `parity min|max even|odd SETS`");
    check(
        "Streett 18446744073709551615",
        "`acc-name: Streett` contradicts `Acceptance:`, which says another condition",
    );
    let twice = format!("{AB} Acceptance: 1 Inf(0)\nacc-name: Buchi\nacc-name: Buchi");
    fails(&twice, "State: 0 [t] 0", "4:1: `acc-name:` is given twice");
    read(&format!("{AB} acc-name: my-own 7 Acceptance: 1 Inf(0)"), "State: 0 [t] 0");
}

#[test]
fn the_rest_is_refused_by_name() {
    let body = "State: 0 [t] 0";
    let not = "is not supported: only `Inf` joined by `&` is";
    let accept = |acceptance: &str, message: &str| fails(&format!("{AB}\n{acceptance}"), body, message);
    accept("acc-name: Rabin 1\nAcceptance: 2 Fin(0)&Inf(1)", &format!("4:15: Rabin acceptance {not}"));
    accept("Acceptance: 2 Fin(0)|Inf(1)\nacc-name: Streett 1", &format!("3:15: Streett acceptance {not}"));
    accept("acc-name: co-Buchi\nAcceptance: 1 Fin(0)", &format!("4:15: co-Buchi acceptance {not}"));
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

/// They are copied, so they have a greatest length.
#[test]
fn names_and_texts_without_measure() {
    let (most, more) = ("n".repeat((1 << 16) - 2), "n".repeat((1 << 16) - 1));
    assert_eq!(read(&format!("name: \"{most}\" AP: 0 Acceptance: 0 t"), "").title, Some(most));
    let wrong = "this has more than 65536 bytes: names and texts are not so long";
    fails(&format!("name: \"{more}\" AP: 0 Acceptance: 0 t"), "", &format!("2:7: {wrong}"));
    fails(&format!("{more}xx: 1"), "", &format!("2:1: {wrong}"));
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
    let automaton = translate(&parsed.formula, 3, &AutomatonLimits::default()).unwrap();
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
    let automaton = translate(&parsed.formula, 2, &AutomatonLimits::default()).unwrap();
    let dot = print_dot(&automaton, &parsed.names, "a U b");
    assert!(dot.starts_with("digraph \"a U b\" {"), "{dot}");
    assert!(dot.contains("[label=\"a && !b\"]") && dot.contains("doublecircle"), "{dot}");
}
