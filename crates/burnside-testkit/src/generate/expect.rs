//! What a random model expects: `expect` on some of its properties, and a few `check` blocks. Nothing of it
//! need be true; it must be read, laid out and checked, and change no verdict.
//!
//! Entry point: [`expectations`]. The numbers come from a source of their own, so that the model of a seed is
//! the same with expectations and without.

use super::rng::Rng;

const VERDICTS: [&str; 3] = ["holds", "violated", "unknown"];

/// The text of a model with expectations added to it.
pub fn expectations(text: &str, seed: u64) -> String {
    let mut rng = Rng::new(!seed);
    let (mut constants, mut properties) = (Vec::new(), vec!["faults".to_string()]);
    let mut lines = Vec::new();
    for line in text.lines() {
        let word = |prefix: &str| line.strip_prefix(prefix)?.split([' ', ':']).next().map(String::from);
        // `FLAG` is a truth value.
        constants.extend(word("const ").filter(|name| name != "FLAG"));
        let kinds = ["invariant ", "reachable ", "ltl ", "ctl "];
        let name = kinds.into_iter().find_map(word);
        let whole = name.is_some() && line.ends_with(';');
        properties.extend(name);
        lines.push(match line.strip_suffix(';').filter(|_| whole && rng.chance(30)) {
            Some(body) => format!("{body} expect {};", rng.pick(&VERDICTS)),
            None => line.to_string(),
        });
    }
    // They differ in what they set.
    for states in 1..=rng.below(3) {
        let mut entries = vec![format!("max_states = {states}")];
        entries.extend(constants.iter().filter(|_| rng.chance(50)).map(|name| format!("{name} = 2")));
        let figures = ["states", "transitions", "orbits"].map(|name| format!("{name} = {}", rng.below(99)));
        entries.extend(figures.into_iter().take(rng.below(4)));
        for property in properties.iter().filter(|_| rng.chance(40)) {
            entries.push(format!("{property} = {}", VERDICTS[states % 3]));
        }
        lines.push(format!("check {{ {}; }}", entries.join("; ")));
    }
    lines.join("\n") + "\n"
}
