//! Random models with a family of any size, of the kind that small instances speak for: conditions about all
//! members, pointers, sets, loops over the members, counts.
//!
//! Entry point: [`family_model`]. The constant `N` sizes the family `C`.

use super::rng::Rng;
use std::fmt::Write;

/// The text of a random model with a family. Its invariants may hold or not.
pub fn family_model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from("const N = 3;\nsymmetric C[N];\nvar g: bool;\nvar h: bool;\n");
    let owner = if rng.chance(25) { "= any" } else { "" };
    writeln!(text, "var owner: C? {owner};\nvar s: set of C;").expect("a text takes all");
    // Majorities in some models.
    let more = rng.chance(30);
    if more {
        text.push_str("var t: set of C;\n");
    }
    writeln!(text, "process Home {{").expect("a text takes all");
    for i in 0..rng.below(3) {
        let rule = rule(&mut rng, &format!("home{i}"), true, more);
        text.push_str(&rule);
    }
    text.push_str("}\nprocess C[c] {\n    var b: bool;\n    var x: 0..2;\n");
    for i in 0..2 + rng.below(3) {
        let rule = rule(&mut rng, &format!("own{i}"), false, more);
        text.push_str(&rule);
    }
    text.push_str("}\ndeadlock allowed;\n");
    for i in 0..3 {
        writeln!(text, "invariant i{i} = {};", invariant(&mut rng, more)).expect("a text takes all");
    }
    text
}

/// A rule; with a parameter `c`, or of the member `c`.
pub(super) fn rule(rng: &mut Rng, name: &str, home: bool, more: bool) -> String {
    let param = match home {
        false => "",
        true if rng.chance(30) => "(c in s)",
        true => "(c: C)",
    };
    let guard: Vec<String> = (0..1 + rng.below(3)).map(|_| condition(rng, more)).collect();
    let mut text = format!("    rule {name}{param} when {} {{\n", guard.join(" && "));
    for _ in 0..1 + rng.below(3) {
        let statement = statement(rng, true, more);
        writeln!(text, "        {statement}").expect("a text takes all");
    }
    text.push_str("    }\n");
    text
}

/// A condition on one member.
pub(super) fn literal(rng: &mut Rng, member: &str) -> String {
    let not = if rng.chance(40) { "!" } else { "" };
    match rng.below(6) {
        0 | 1 => format!("{not}b[{member}]"),
        2 => format!("x[{member}] == {}", rng.below(3)),
        3 => format!("x[{member}] != {}", rng.below(3)),
        4 => format!("{not}({member} in s)"),
        _ => format!("{not}(owner == {member})"),
    }
}

/// A condition of a guard, with `c` in scope.
pub(super) fn condition(rng: &mut Rng, more: bool) -> String {
    let not = if rng.chance(40) { "!" } else { "" };
    match rng.below(if more { 17 } else { 14 }) {
        0..=4 => literal(rng, "c"),
        5 => format!("{not}g"),
        6 => format!("{not}h"),
        7 => String::from("owner == none"),
        8 => format!("{not}(exists d: C {{ {} }})", literal(rng, "d")),
        9 => format!("(forall d: C where d != c {{ {} }})", literal(rng, "d")),
        10 => format!(
            "count d: C {{ {} }} {} {}",
            literal(rng, "d"),
            rng.pick(&["<=", "==", ">="]),
            rng.below(3)
        ),
        11 => format!("{not}s.empty()"),
        12 => format!("s.size() {} N", rng.pick(&["==", "<"])),
        14.. => format!("{not}{}.majority()", rng.pick(&["s", "t"])),
        _ => format!("(owner != none && {not}b[owner!])"),
    }
}

/// A statement, with `c` in scope; perhaps with others in it.
pub(super) fn statement(rng: &mut Rng, nested: bool, more: bool) -> String {
    let truth = |rng: &mut Rng| *rng.pick(&["true", "false"]);
    if more && rng.chance(25) {
        let set = *rng.pick(&["s", "t"]);
        return match rng.below(6) {
            0 => format!("{set}.clear();"),
            1 => format!("{set} = {{d: C where {}}};", literal(rng, "d")),
            2 => format!("{set}.remove(c);"),
            _ => format!("{set}.add(c);"),
        };
    }
    match rng.below(if nested { 15 } else { 10 }) {
        0 | 1 => format!("b[c] = {};", truth(rng)),
        2 | 3 => format!("x[c] = {};", rng.below(3)),
        4 => format!("g = {};", truth(rng)),
        5 => format!("h = {};", condition(rng, more)),
        6 => String::from("owner = c;"),
        7 => String::from("owner = none;"),
        8 => String::from("s.add(c);"),
        9 => String::from("s.remove(c);"),
        10 => format!("for d: C {{ b[d] = {}; }}", literal(rng, "d")),
        11 => format!(
            "for d: C where d != c {{ x[d] = {}; s.{}(d); }}",
            rng.below(3),
            rng.pick(&["add", "remove"])
        ),
        12 => format!("s = {{d: C where {}}};", literal(rng, "d")),
        13 => {
            let (then, otherwise) = (statement(rng, false, more), statement(rng, false, more));
            format!("if {} {{ {then} }} else {{ {otherwise} }}", condition(rng, more))
        }
        _ => format!("for d in s {{ b[d] = any; x[d] = {}; }}", rng.below(3)),
    }
}

fn invariant(rng: &mut Rng, more: bool) -> String {
    let (one, other) = (literal(rng, "a"), literal(rng, "d"));
    match rng.below(if more { 9 } else { 7 }) {
        0 => format!("forall a: C {{ {one} -> {} }}", literal(rng, "a")),
        1 => format!("forall a, d: C where a != d {{ {one} -> {other} }}"),
        2 => format!("forall a, d: C {{ !({one} && {other}) || a == d }}"),
        3 => format!("count a: C {{ {one} && {} }} <= {}", literal(rng, "a"), rng.below(3)),
        4 => format!("g -> exists a: C {{ {one} }}"),
        5 => format!("owner == none -> forall a: C {{ {one} }}"),
        7 => String::from("s.majority() && t.majority() -> h || exists a: C { a in s && a in t }"),
        8 => format!(
            "s.majority() -> {} || forall a: C {{ a in s -> {one} }}",
            rng.pick(&["g", "h", "t.majority()"])
        ),
        _ => format!("s.size() <= {} || h", rng.below(3)),
    }
}
