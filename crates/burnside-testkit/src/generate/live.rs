//! Random models with a family of any size, with fairness and formulas of linear time that follow one member.
//!
//! Entry point: [`live_family_model`]. The constant `N` sizes the family `C`. Members go through phases, so
//! that some formulas hold because of fairness.

use super::family::{condition, literal, rule, statement};
use super::rng::Rng;
use std::fmt::Write;

/// The text of a random model with a family and formulas `l0` to `l3`, which may hold or not.
pub fn live_family_model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from("const N = 3;\nsymmetric C[N];\nvar g: bool;\nvar h: bool;\n");
    text.push_str("var owner: C?;\nvar s: set of C;\n");
    // A waiting line in some models, with numbers of its own.
    let mut line = (seed % 3 == 2).then(|| Rng::new(!seed));
    if line.is_some() {
        text.push_str("var q: queue[2] of C;\n");
    }
    writeln!(text, "{}process Home {{", fair(&mut rng)).expect("a text takes all");
    for i in 0..rng.below(3) {
        let own = match rng.chance(50) {
            true => rule(&mut rng, &format!("home{i}"), true, false),
            false => format!("    rule home{i} when {} {{ {} }}\n", shared(&mut rng), change(&mut rng)),
        };
        add(&mut text, &mut rng, &own);
    }
    if let Some(line) = &mut line {
        let own = serve(line);
        add(&mut text, line, &own);
    }
    writeln!(text, "}}\n{}process C[c] {{\n    var b: bool;\n    var x: 0..2;", fair(&mut rng))
        .expect("a text takes all");
    if let Some(line) = &mut line {
        let own = ask(line);
        add(&mut text, line, &own);
    }
    for i in 0..2 + rng.below(3) {
        let own = match rng.chance(80) {
            true => phase(&mut rng, i),
            false => rule(&mut rng, &format!("own{i}"), false, false),
        };
        add(&mut text, &mut rng, &own);
    }
    text.push_str("}\ndeadlock allowed;\n");
    for i in 0..4 {
        writeln!(text, "ltl l{i} = {};", formula(&mut rng)).expect("a text takes all");
    }
    for i in line.iter().flat_map(|_| 4..6) {
        let (one, other) = (literal(&mut rng, "c"), literal(&mut rng, "c"));
        let formula = match rng.below(4) {
            0 => format!("forall c: C {{ G (c in q -> F {one}) }}"),
            1 => format!("forall c: C {{ G ({one} && c in q -> F ({other} || !(c in q))) }}"),
            2 => "forall c: C { G F !(c in q) }".to_string(),
            _ => String::from("G F q.empty()"),
        };
        writeln!(text, "ltl l{i} = {formula};").expect("a text takes all");
    }
    text
}

/// A rule that takes the first one out of the line.
fn serve(rng: &mut Rng) -> String {
    let mut guard = String::from("!q.empty()");
    if rng.chance(60) {
        guard += " && owner == none";
    }
    if rng.chance(30) {
        guard += &format!(" && {}", literal(rng, "q.front()"));
    }
    let then = *rng.pick(&["owner = d;", "x[d] = 1;", "b[d] = true;", "owner = d; x[d] = 2;"]);
    format!("    rule serve when {guard} {{ let d = q.pop(); {then} }}\n")
}

/// A rule with which a member joins the line, and one with which it gives back what it got.
fn ask(rng: &mut Rng) -> String {
    let once = if rng.chance(80) { " && !(c in q)" } else { "" };
    let fair = *rng.pick(&["", "fair ", "strong fair "]);
    let change = *rng.pick(&["", "x[c] = 0;", "b[c] = false;"]);
    format!(
        "    rule ask when !q.full(){once} && {} {{ q.push(c); }}\n    \
         {fair}rule back when owner == c {{ owner = none; {change} }}\n",
        literal(rng, "c")
    )
}

fn fair(rng: &mut Rng) -> &'static str {
    let all = ["", "fair ", "fair ", "fair ", "strong fair "];
    all[rng.below(all.len())]
}

/// A rule, perhaps a fair one.
fn add(text: &mut String, rng: &mut Rng, rule: &str) {
    let fair = *rng.pick(&["", "", "", "fair ", "strong fair "]);
    writeln!(text, "    {fair}{}", rule.trim_start()).expect("a text takes all");
}

/// A rule that leads from a phase to another.
fn phase(rng: &mut Rng, i: usize) -> String {
    let (from, to) = (i % 3, rng.below(3));
    let mut guard = format!("x[c] == {from}");
    if rng.chance(50) {
        guard += &format!(" && {}", condition(rng, false));
    }
    let mut body = match rng.chance(10) {
        true => String::new(),
        false => format!("x[c] = {to};"),
    };
    if rng.chance(50) {
        let nested = rng.chance(20);
        body += &format!(" {}", statement(rng, nested, false));
    }
    format!("    rule own{i} when {guard} {{ {body} }}\n")
}

/// A condition on nobody in particular.
fn shared(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => String::from("g"),
        1 => String::from("!h"),
        2 => String::from("owner != none"),
        3 => format!("(exists d: C {{ {} }})", literal(rng, "d")),
        4 => format!("(forall d: C {{ {} }})", literal(rng, "d")),
        _ => String::from("!s.empty()"),
    }
}

fn change(rng: &mut Rng) -> &'static str {
    let all = ["g = !g;", "h = true;", "h = false;", "owner = none;", "g = false;", "s = {};", ""];
    all[rng.below(all.len())]
}

/// A condition on the member that is followed, or on nobody.
fn seen(rng: &mut Rng) -> String {
    match rng.chance(70) {
        true => literal(rng, "c"),
        false => shared(rng),
    }
}

fn formula(rng: &mut Rng) -> String {
    let (one, other) = (seen(rng), seen(rng));
    match rng.below(9) {
        0..=2 => format!("forall c: C {{ G ({one} -> F {other}) }}"),
        3 => format!("forall c: C {{ G F ({one}) }}"),
        4 => format!("forall c: C {{ F G ({one}) }}"),
        5 => format!("G F ({})", shared(rng)),
        6 => format!("G F ({}) -> forall c: C {{ G ({one} -> F {other}) }}", shared(rng)),
        7 => format!("G (forall c: C {{ {one} -> (({one}) W ({other})) }})"),
        _ => format!("forall c: C {{ F ({one}) || X ({other}) }}"),
    }
}
