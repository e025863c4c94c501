//! Random temporal formulas over given atoms, as text.

use super::rng::Rng;

/// A random LTL formula over the atoms, with at most so many operators on top of each other.
pub fn ltl(rng: &mut Rng, atoms: &[String], depth: u32) -> String {
    if depth == 0 {
        return literal(rng, atoms);
    }
    let sub = |rng: &mut Rng| ltl(rng, atoms, depth - 1);
    match rng.below(12) {
        0 => literal(rng, atoms),
        1 => format!("!({})", sub(rng)),
        2 | 3 => {
            let (left, right) = (sub(rng), sub(rng));
            format!("({left} {} {right})", rng.pick(&["&&", "||", "->", "<->"]))
        }
        4..9 => format!("{} ({})", *rng.pick(&["X", "F", "G", "G F", "F G", "[]", "<>"]), sub(rng)),
        _ => {
            let (left, right) = (sub(rng), sub(rng));
            format!("(({left}) {} ({right}))", rng.pick(&["U", "R", "W", "M"]))
        }
    }
}

/// A random CTL formula over the atoms, with at most so many operators on top of each other.
pub fn ctl(rng: &mut Rng, atoms: &[String], depth: u32) -> String {
    if depth == 0 {
        return literal(rng, atoms);
    }
    let sub = |rng: &mut Rng| ctl(rng, atoms, depth - 1);
    match rng.below(12) {
        0 => literal(rng, atoms),
        1 => format!("!({})", sub(rng)),
        2 | 3 => {
            let (left, right) = (sub(rng), sub(rng));
            format!("({left} {} {right})", rng.pick(&["&&", "||", "->", "<->"]))
        }
        4..9 => format!("{} ({})", *rng.pick(&["AX", "EX", "AF", "EF", "AG", "EG"]), sub(rng)),
        _ => {
            let (left, right) = (sub(rng), sub(rng));
            format!("{}[({left}) {} ({right})]", rng.pick(&["A", "E"]), rng.pick(&["U", "R", "W", "M"]))
        }
    }
}

fn literal(rng: &mut Rng, atoms: &[String]) -> String {
    let atom = format!("({})", rng.pick(atoms));
    if rng.chance(30) { format!("!{atom}") } else { atom }
}
