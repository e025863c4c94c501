//! Random models whose components lie in each other, for the file `liveness`: a stage goes around, with
//! shorter ways back, and the turn goes from member to member on the way. Without names the shorter loops are
//! closed first, and with a permutation; a run through the larger one is fair to all members because of what
//! the smaller ones do.
//!
//! A member is always able to end it all, most of the time. So it is enabled everywhere, and executed inside
//! a smaller loop only.

use super::liveness::{Kind, Liveness, Name, Shared, Sort};

/// Who goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Server,
    Member,
}

impl Liveness {
    /// Types and variables.
    pub(super) fn plan_nested(&mut self) {
        self.note("liveness.nested");
        let kind = [Kind::Full, Kind::Ring, Kind::Rotated][self.rng.weighted(&[45, 40, 15])];
        let size = [2, 3, 4][self.rng.weighted(&[4, 12, 4])];
        let phase = ("phase", vec!["a", "b"]);
        self.sorts.push(Sort { name: "P", kind, size, phase, flag: None });
        self.stages = self.rng.between(2, 4) as usize;
        self.shared = vec![Shared::Turn, Shared::Stage];
    }

    /// The members, and the process that has no others like it.
    pub(super) fn nested(&mut self, lines: &mut Vec<String>) {
        let mut moves = self.moves();
        // Which loop is closed first depends on the order of rules.
        for i in (1..moves.len()).rev() {
            moves.swap(i, self.rng.below(i + 1));
        }
        lines.push(format!("{}process P[p] {{", self.fairness(80)));
        lines.push("    var phase: PPhase = a;".to_string());
        for (_, text) in moves.iter().filter(|(mover, _)| *mover == Mover::Member) {
            self.rule(Some(0), None, text, lines);
        }
        if self.rng.chance(90) {
            let guard = if self.rng.chance(90) { "stage != end".to_string() } else { self.stage("==") };
            // Who must end it leaves no loop.
            let fair = self.fairness(8);
            self.rule_with(fair, Some(0), None, &format!("when {guard} {{ stage = end; }}"), lines);
        }
        lines.push("}".to_string());
        lines.push(format!("{}process Server {{", self.fairness(50)));
        for (_, text) in moves.iter().filter(|(mover, _)| *mover == Mover::Server) {
            self.rule(None, None, text, lines);
        }
        lines.push("}".to_string());
    }

    /// The large loop, and some ways back.
    fn moves(&mut self) -> Vec<(Mover, String)> {
        let stages = self.stages;
        let mut moves = Vec::new();
        for from in 0..stages {
            let mover = if self.rng.chance(85) { Mover::Server } else { Mover::Member };
            moves.push((mover, self.a_move(mover, from, (from + 1) % stages, 6)));
        }
        for _ in 0..self.rng.between(1, 2) {
            // The first stage is outside, most of the time.
            let from = 1 + self.rng.below(stages - 1);
            let to = if self.rng.chance(20) { 0 } else { from - self.rng.below(from).min(1) };
            let mover = if self.rng.chance(5) { Mover::Server } else { Mover::Member };
            moves.push((mover, self.a_move(mover, from, to, 90)));
        }
        moves
    }

    /// A rule from one stage to another, in which the turn goes on in so many of a hundred cases.
    fn a_move(&mut self, mover: Mover, from: usize, to: usize, percent: u32) -> String {
        let own: &[Name] = if mover == Mover::Member { &[("p", 0)] } else { &[] };
        let whose = if mover == Mover::Member { " && turn == p" } else { "" };
        let guard = self.more_conditions(own, 8);
        let turn = if self.rng.chance(percent) { self.turn_goes_on() } else { "" };
        let toggles = mover == Mover::Member && self.sorts[0].size < 4 && self.rng.chance(15);
        let phase = if toggles { " phase = if phase == a { b } else { a };" } else { "" };
        format!("when stage == s{from}{whose}{guard} {{ stage = s{to};{turn}{phase} }}")
    }

    /// Whether the stage is one of them.
    pub(super) fn stage(&mut self, equal: &str) -> String {
        match self.rng.below(self.stages * 2 + 1) {
            0 => format!("stage {equal} end"),
            i => format!("stage {equal} s{}", i % self.stages),
        }
    }

    /// A property of stages, and of whose turn it is.
    pub(super) fn nested_property(&mut self) -> String {
        self.note("ltl.nested");
        let i = if self.rng.chance(50) { 0 } else { self.rng.below(self.stages) };
        let x: [Name; 1] = [("x", 0)];
        let forever = match self.rng.below(8) {
            0..4 => format!("F G (stage != s{i})"),
            4 => format!("F G (stage == s{i})"),
            5 => format!("G F (stage == s{i})"),
            6 => format!("exists x: P {{ F G (turn != x || {}) }}", self.atom(&x)),
            _ => format!("forall x: P {{ G F (turn == x && {}) }}", self.atom(&x)),
        };
        match self.rng.below(10) {
            0 => "F (stage == end)".to_string(),
            1..6 if !forever.contains('{') => format!("(F (stage == end)) || {forever}"),
            6 => {
                let (a, b) = (self.atom(&x), self.stage("=="));
                format!("forall x: P {{ (F (stage == end)) || F G {a} || F G ({b}) }}")
            }
            _ => forever,
        }
    }
}
