//! Random conditions that build records, sets and arrays with the names in scope, for the models of the file
//! `liveness`. A name then occurs nowhere but inside a value that is made on the way, which is easy to
//! overlook.

use super::liveness::{Liveness, Name, Shared, Sort};

impl Liveness {
    /// What these conditions are about: a record, and functions whose results are records and sets.
    pub(super) fn declare_compound(&mut self, lines: &mut Vec<String>) {
        lines.push("record Held { who: P, on: bool }".to_string());
        lines.push("fn only(x: P): set of P = {x};".to_string());
        lines.push("fn pair(x: P, y: P): Held = Held(on: x == y, who: y);".to_string());
    }

    /// A condition.
    pub(super) fn compound(&mut self, names: &[Name]) -> Option<String> {
        let sort = self.rng.below(self.sorts.len());
        let who = self.named(names, sort)?;
        let equal = if self.rng.chance(40) { "!=" } else { "==" };
        let found = if sort == 0 && self.rng.chance(60) { self.of_shared(names, &who, equal) } else { None };
        let found = found.unwrap_or_else(|| self.of_phases(names, sort, &who, equal));
        self.note(if self.in_property { "ltl.compound" } else { "liveness.compound" });
        Some(found)
    }

    /// About a set or a record that all share.
    fn of_shared(&mut self, names: &[Name], who: &str, equal: &str) -> Option<String> {
        let shared: Vec<Shared> = self
            .shared
            .iter()
            .copied()
            .filter(|it| matches!(it, Shared::Asks | Shared::Held | Shared::Pile))
            .collect();
        if shared.is_empty() {
            return None;
        }
        let other = self.named(names, 0)?;
        let on = *self.rng.pick(&["true", "false"]);
        let value = *self.rng.pick(&self.sorts[0].phase.1);
        let there = format!("y: P where phase[y] == {value}");
        Some(match (*self.rng.pick(&shared), self.rng.below(8)) {
            (Shared::Asks, 0) => format!("asks {equal} {{{who}}}"),
            (Shared::Asks, 1) => format!("asks subset {{{who}, {other}}}"),
            (Shared::Asks, 2) => format!("only({who}) subset asks"),
            (Shared::Asks, 3) => format!("(asks | only({who})) {equal} asks"),
            (Shared::Asks, 4) => format!("(asks \\ {{{who}}}).size() {equal} 1"),
            (Shared::Asks, 5) => format!("(exists y in asks | {{{who}}} {{ y {equal} {other} }})"),
            (Shared::Asks, 6) => format!("{{{there} && y != {who}}} {equal} asks"),
            (Shared::Asks, _) => {
                format!("{{y in asks where y != {who}}} {equal} {{{there} || y == {other}}}")
            }
            (Shared::Pile, 0) => format!("pile {equal} {{Held({who}, {on})}}"),
            (Shared::Pile, 1) => format!("pile subset {{Held({who}, {on}), pair({who}, {other})}}"),
            (Shared::Pile, 2) => format!("(pile & {{Held({who}, true), Held({who}, false)}}).empty()"),
            (Shared::Pile, 3) => format!("{{h in pile where h.who == {who}}} {equal} {{Held({who}, {on})}}"),
            (Shared::Pile, 4) => format!("{{{there} && Held(y, y == {who}) in pile}} {equal} {{{other}}}"),
            (Shared::Pile, 5) => format!("pair({who}, {other}) in pile"),
            (Shared::Pile, 6) => format!("(exists h in pile {{ h {equal} Held(on: h.on, who: {who}) }})"),
            (Shared::Pile, _) => format!("(pile | {{Held({who}, {on})}}) {equal} pile"),
            (_, 0) => format!("held {equal} Held({who}, {on})"),
            (_, 1) => format!("held {equal} Held(on: {who} == {other}, who: {other})"),
            (_, 2) => format!("held {equal} pair({other}, {who})"),
            (_, 3) => format!("held in {{Held({who}, {on}), Held({other}, true)}}"),
            (_, 4) => format!("(held != none && held! {equal} Held({who}, held!.on))"),
            (_, _) => {
                format!("(if held == none {{ true }} else {{ let h = pair({who}, {who}); held! {equal} h }})")
            }
        })
    }

    /// About the phases of members.
    fn of_phases(&mut self, names: &[Name], sort: usize, who: &str, equal: &str) -> String {
        let Sort { name, phase: (phase, values), .. } = self.sorts[sort].clone();
        let value = *self.rng.pick(&values);
        let there = format!("{{y: {name} where {phase}[y] == {value}}}");
        let other = self.named(names, sort).unwrap_or_else(|| who.to_string());
        match self.rng.below(7) {
            0 => format!("{there} {equal} {{{who}}}"),
            1 => format!("{{{who}, {other}}} subset {there}"),
            2 => format!("({there} \\ {{{who}}}).empty()"),
            3 => format!("(exists y in {{{who}, {other}}} {{ {phase}[y] {equal} {value} }})"),
            4 => format!("[y: {name} => {phase}[y] == {value}] {equal} [y: {name} => y == {who}]"),
            5 if sort == 0 => format!("(forall y in only({who}) {{ {phase}[y] {equal} {value} }})"),
            5 => format!("(count y in {{{who}, {other}}} {{ {phase}[y] == {value} }}) {equal} 1"),
            _ if sort == 0 => format!("{phase}[pair({other}, {who}).who] {equal} {value}"),
            _ => {
                format!("(if true {{ let s: set of {name} = {{{who}}}; s subset {there} }} else {{ false }})")
            }
        }
    }
}
