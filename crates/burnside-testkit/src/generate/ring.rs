//! Random models with a ring of any size whose members look at their neighbours only.
//!
//! Entry point: [`ring_family_model`]. The constant `N` sizes the ring `R`.

use super::rng::Rng;
use std::fmt::Write;

/// The text of a random model with a ring and invariants `i0` to `i2`, which may hold or not.
pub fn ring_family_model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let start = if rng.chance(25) { " = any" } else { "" };
    let mut text = format!("const N = 3;\nring R[N];\nvar g: bool;\nvar y: array[R] of bool{start};\n");
    text.push_str("fn after(r: R): R = next(r);\nfn pair(r: R): bool = y[r] && y[prev(r)];\n");
    if rng.chance(50) {
        writeln!(
            text,
            "process P {{ rule flip{} {{ g = {}; }} }}",
            guard(&mut rng, &["g", "!g"]),
            shared(&mut rng)
        )
        .expect("a text takes all");
    }
    let start = if rng.chance(15) { " = any" } else { "" };
    writeln!(text, "process R[r] {{\n    var x: 0..2{start};").expect("a text takes all");
    for i in 0..2 + rng.below(3) {
        let conditions: Vec<String> = (0..1 + rng.below(3)).map(|_| literal(&mut rng, "r")).collect();
        let changes: Vec<String> = (0..1 + rng.below(2)).map(|_| change(&mut rng)).collect();
        writeln!(text, "    rule r{i} when {} {{ {} }}", conditions.join(" && "), changes.join(" "))
            .expect("a text takes all");
    }
    text.push_str("}\ndeadlock allowed;\n");
    for i in 0..3 {
        let (one, other, third) = (literal(&mut rng, "r"), literal(&mut rng, "r"), literal(&mut rng, "r"));
        let body = match rng.below(3) {
            0 => format!("!({one} && {other})"),
            1 => format!("{one} && {other} -> {third}"),
            _ => format!("{one} -> {other}"),
        };
        writeln!(text, "invariant i{i} = forall r: R {{ {body} }};").expect("a text takes all");
    }
    text
}

fn guard(rng: &mut Rng, of: &[&str]) -> String {
    if rng.chance(50) { format!(" when {}", of[rng.below(of.len())]) } else { String::new() }
}

fn shared(rng: &mut Rng) -> &'static str {
    let all = ["true", "false", "!g"];
    all[rng.below(all.len())]
}

/// A member near another one.
fn near(rng: &mut Rng, member: &str) -> String {
    match rng.below(9) {
        0..=4 => member.to_string(),
        5 => format!("next({member})"),
        6 => format!("prev({member})"),
        7 => format!("after({member})"),
        _ => format!("({member} - 1)"),
    }
}

fn literal(rng: &mut Rng, member: &str) -> String {
    let not = if rng.chance(40) { "!" } else { "" };
    let at = near(rng, member);
    match rng.below(7) {
        0 | 1 => format!("{not}y[{at}]"),
        2 | 3 => format!("x[{at}] == {}", rng.below(3)),
        4 => format!("x[{at}] != {}", rng.below(3)),
        5 => format!("{not}pair({at})"),
        _ => format!("{not}g"),
    }
}

fn change(rng: &mut Rng) -> String {
    let at = near(rng, "r");
    match rng.below(6) {
        0 | 1 => format!("x[{at}] = {};", rng.below(3)),
        2 => format!("y[{at}] = {};", literal(rng, "r")),
        3 => format!("y[{at}] = !y[{at}];"),
        4 => format!("let n = {at}; x[n] = if y[r] {{ 1 }} else {{ {} }};", rng.below(3)),
        _ => format!("g = {};", shared(rng)),
    }
}
