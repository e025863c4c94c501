//! Random models with a family of any size that have much of the language: queues, records, optionals,
//! enums and unions with members, several pointers, a second family, sets of members in arrays, functions
//! and procedures, counts up to a number, parameters from collections, faults, and sequences that must not
//! happen.
//!
//! Entry point: [`rich_family_model`]. The constant `N` sizes the family `C`. What there is of each kind is
//! in tables of templates; a template is for models with some feature (the word in front of it, if there
//! is one), and in it `#` is a member and `$[…]` is expanded at random.

use super::rng::Rng;
use std::fmt::Write;

/// What a model may have: how it is declared.
const FEATURES: &[(&str, &str)] = &[
    ("last", "var last: C = any;\n"),
    ("sets", "var t: set of C;\nvar per: array[K] of set of C;\n"),
    ("queue", "var q: queue[2] of C;\n"),
    ("slots", "var slot: array[K] of C?;\n"),
    ("record", "record Msg { to: C, k: K }\nvar msg: Msg?;\n"),
    ("queued", "record Letter { to: C, k: K }\nvar letters: queue[2] of Letter;\n"),
    ("values", "symmetric V[2];\nvar latest: V = any;\nvar v: array[C] of V = latest;\n"),
    ("union", "enum Home { home }\ntype Node = Home | C;\nvar node: Node = home;\n"),
    ("command", "enum Command { idle, get(from: C) }\nvar command: Command = idle;\n"),
    ("bag", "var net: bag[2] of K;\n"),
    ("maybe", "var o: array[C] of K?;\n"),
];

type Templates = &'static [(&'static str, &'static str)];

const LITERALS: Templates = &[
    ("", "$[not]b[#]"),
    ("", "x[#] == $[3]"),
    ("", "$[not](# in s)"),
    ("", "$[not](owner == #)"),
    ("", "$[not]busy(#)"),
    ("last", "$[not](last == #)"),
    ("sets", "$[not](# in t)"),
    ("sets", "$[not](# in per[$[key]])"),
    ("slots", "$[not](slot[$[key]] == #)"),
    ("values", "v[#] $[same] latest"),
    ("union", "$[not](node == #)"),
    ("command", "$[not](command == get(#))"),
    ("record", "$[not](msg != none && msg!.to == #)"),
    ("queue", "$[not](q.size() > 0 && q[0] == #)"),
    ("maybe", "$[not](o[#] == $[key])"),
    ("maybe", "(o[#] != none && o[#]! $[same] $[key])"),
];

/// Conditions on nobody in particular.
const CONDITIONS: Templates = &[
    ("", "$[not]g"),
    ("", "$[not]h"),
    ("", "owner $[same] none"),
    ("", "$[not]s.empty()"),
    ("", "s.size() == N"),
    ("", "s.size() < N"),
    ("", "$[not](exists d: C { $[literal d] })"),
    ("", "(forall d: C { $[literal d] })"),
    ("", "count d: C { $[literal d] } $[order] $[4]"),
    ("", "s.size() $[order] $[4]"),
    ("", "(owner != none && $[literal owner!])"),
    ("", "$[not]quiet()"),
    ("", "few() $[order] $[3]"),
    ("", "(exists d, e: C where d != e { $[literal d] && $[literal e] })"),
    ("sets", "s $[same] t"),
    ("sets", "s subset t"),
    ("sets", "t.majority()"),
    ("sets", "(s & t).size() $[order] $[3]"),
    ("sets", "(s | t) == per[$[key]]"),
    ("queue", "q.size() $[order] $[2]"),
    ("queue", "(q.size() > 0 && $[literal q.front()])"),
    ("queue", "(forall d in q { $[literal d] })"),
    ("slots", "slot[p] $[same] slot[r]"),
    ("slots", "slot[$[key]] $[same] none"),
    ("slots", "(exists k: K { slot[k] == owner })"),
    ("last", "owner $[same] last"),
    ("last", "$[literal last]"),
    ("values", "(exists w: V { w != latest && (forall d: C { v[d] == w }) })"),
    ("union", "$[not](node is Home)"),
    ("union", "(match node { Home(_) => $[bool], C(d) => $[literal d] })"),
    ("command", "$[not](command is get)"),
    ("record", "(msg != none && msg!.k == $[key])"),
    ("bag", "net.size() $[order] $[3]"),
    ("bag", "$[key] in net"),
    ("queued", "letters.empty()"),
    ("queued", "(letters.size() > 0 && $[literal letters.front().to])"),
];

/// Statements, with `c` in scope, without others in them.
const STATEMENTS: Templates = &[
    ("", "b[$[member]] = $[bool];"),
    ("", "b[c] = any;"),
    ("", "x[$[member]] = $[3];"),
    ("", "x[c] = $[3];"),
    ("", "g = $[bool];"),
    ("", "h = $[condition];"),
    ("", "owner = $[member];"),
    ("", "owner = none;"),
    ("", "s.$[change]($[member]);"),
    ("last", "last = c;"),
    ("last", "last = any;"),
    ("sets", "t.$[change]($[member]);"),
    ("sets", "t = s $[join] t;"),
    ("sets", "per[$[key]] = $[set];"),
    ("sets", "per[$[key]].add(c);"),
    ("queue", "if !q.full() { q.push($[member]); }"),
    ("queue", "if !q.empty() { let d = q.pop(); b[d] = $[bool]; }"),
    ("queue", "q.clear();"),
    ("slots", "slot[$[key]] = $[member];"),
    ("slots", "slot[$[key]] = none;"),
    ("slots", "slot[p] = slot[r];"),
    ("record", "msg = Msg(to: $[member], k: $[key]);"),
    ("record", "msg = none;"),
    ("queued", "if !letters.full() { letters.push(Letter(to: $[member], k: $[key])); }"),
    ("queued", "if !letters.empty() { let y = letters.pop(); x[y.to] = $[3]; }"),
    ("values", "v[c] = latest;"),
    ("values", "latest = any;"),
    ("union", "node = $[member];"),
    ("union", "node = home;"),
    ("union", "match node { Home(_) => { g = $[bool]; } C(d) => { b[d] = $[bool]; } }"),
    ("command", "command = get($[member]);"),
    ("command", "command = idle;"),
    ("command", "match command { idle => {} get(d) => { x[d] = $[3]; } }"),
    ("bag", "if !net.full() { net.add($[key]); }"),
    ("bag", "net.clear();"),
    ("maybe", "o[$[member]] = $[key];"),
    ("maybe", "o[c] = none;"),
];

/// Statements that look at several members, or have others in them.
const LARGE: Templates = &[
    ("", "for d: C { b[d] = $[literal d]; }"),
    ("", "for d: C where d != c { x[d] = $[3]; s.$[change](d); }"),
    ("", "for d: C { if $[literal d] { b[d] = $[bool]; } else { x[d] = $[3]; } }"),
    ("", "for d: C { x[d] = if $[literal d] { 1 } else { x[d] }; }"),
    ("", "for d in s { b[d] = any; x[d] = $[3]; }"),
    ("", "s = {d: C where $[literal d]};"),
    ("", "if $[condition] { $[statement] } else { $[statement] }"),
    ("", "if !s.empty() { owner = any in s; }"),
    ("", "let e: C = any; if $[literal e] { b[e] = $[bool]; }"),
    ("", "mark(c);"),
    ("", "if owner != none { b[owner!] = $[bool]; x[owner!] = $[3]; }"),
    ("", "let m = exists d: C { $[literal d] }; g = m && $[condition];"),
    ("queue", "for d in q { x[d] = $[3]; }"),
];

/// Statements that may fault.
const FAULTY: Templates = &[
    ("", "b[owner!] = true;"),
    ("", "assert $[condition];"),
    ("queue", "q.push(c);"),
    ("maybe", "if exists d: C { o[d]! == $[key] } { g = true; }"),
];

const INVARIANTS: Templates = &[
    ("", "forall a: C { $[literal a] -> $[literal a] }"),
    ("", "forall a, d: C where a != d { $[literal a] -> $[literal d] }"),
    ("", "forall a, d: C { !($[literal a] && $[literal d]) || a == d }"),
    ("", "count a: C { $[literal a] && $[literal a] } <= $[4]"),
    ("", "count a, d: C where a != d { $[literal a] && $[literal d] } <= $[3]"),
    ("", "g -> exists a: C { $[literal a] }"),
    ("", "$[shared] -> $[shared]"),
    ("", "$[shared] || $[shared]"),
    ("", "$[shared] -> forall a: C { $[literal a] }"),
    ("", "$[shared] -> exists a: C { $[literal a] }"),
];

const SEQUENCES: Templates = &[
    ("", "$[seen]; $[seen]"),
    ("", "$[seen]; $[shared][*]; $[seen]"),
    ("", "$[seen]; { $[shared] } | { $[shared]; $[seen] }; $[shared]"),
    ("", "$[shared][*2]; $[seen][*0..1]; $[seen]"),
];

struct Rich {
    rng: Rng,
    features: Vec<&'static str>,
}

/// The text of a random model with invariants `i0` to `i2` and sequences `n0` and `n1`, which may hold or
/// not.
pub fn rich_family_model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let features: Vec<_> = FEATURES.iter().filter(|_| rng.chance(35)).collect();
    let mut rich = Rich { rng, features: features.iter().map(|(name, _)| *name).collect() };
    let mut text =
        String::from("const N = 3;\nsymmetric C[N];\nenum K { p, r }\nvar g: bool;\nvar h: bool;\n");
    let any = |rich: &mut Rich| if rich.rng.chance(25) { " = any" } else { "" };
    let (owner, set, own) = (any(&mut rich), any(&mut rich), any(&mut rich));
    write!(text, "var owner: C?{owner};\nvar s: set of C{set};\n").expect("a text takes all");
    features.iter().for_each(|(_, declared)| text.push_str(declared));
    write!(text, "process C[c] {{\n    var b: bool{own};\n    var x: 0..2;\n").expect("a text takes all");
    for i in 0..2 + rich.rng.below(3) {
        text += &rich.rule(&format!("own{i}"), &["", "", "", "(e: C)", "(e in s)", "(k: K)"]);
    }
    text += "}\nprocess Home {\n";
    for i in 0..rich.rng.below(3) {
        text += &rich.rule(&format!("home{i}"), &["(c: C)", "(c: C)", "(c in s)", "(c in q)"]);
    }
    text += "}\nfn busy(d: C): bool = b[d] && x[d] != 2;\nfn quiet(): bool = forall d: C { !b[d] };\n\
             fn few(): int = count d: C { x[d] == 1 };\nproc mark(d: C) { b[d] = true; s.add(d); }\n";
    if rich.rng.chance(25) {
        let first = *rich.rng.pick(&["for d: C { b[d] = any; }", "for d in s { x[d] = 1; }", "owner = any;"]);
        let assumed = if rich.rng.chance(50) { "assume $[shared];" } else { "" };
        text += &rich.expanded(&format!("init {{ {first} {assumed} }}\n"), "c");
    }
    text += "deadlock allowed;\n";
    for i in 0..3 {
        let invariant = rich.one_of(INVARIANTS, "c");
        writeln!(text, "invariant i{i} = {invariant};").expect("a text takes all");
    }
    for i in 0..2 {
        let sequence = rich.one_of(SEQUENCES, "c");
        writeln!(text, "never n{i} {{ {sequence} }}").expect("a text takes all");
    }
    text
}

impl Rich {
    fn rule(&mut self, name: &str, params: &[&str]) -> String {
        let param = match *self.rng.pick(params) {
            "(c in q)" if !self.features.contains(&"queue") => "(c: C)",
            param => param,
        };
        let mut guard = self.expanded("$[condition]", "c");
        for _ in 0..self.rng.below(3) {
            guard += &self.expanded(" && $[condition]", "c");
        }
        if param.contains('e') {
            guard += &self
                .expanded(if self.rng.clone().chance(50) { " && e != c" } else { " && $[literal e]" }, "c");
        }
        let mut body = String::new();
        for _ in 0..1 + self.rng.below(3) {
            let table = match self.rng.below(30) {
                0 => FAULTY,
                1..=8 => LARGE,
                _ => STATEMENTS,
            };
            body += " ";
            body += &self.one_of(table, "c");
        }
        format!("    rule {name}{param} when {guard} {{{body} }}\n")
    }

    /// One of the templates that the model may have, expanded for a member.
    fn one_of(&mut self, templates: Templates, member: &str) -> String {
        let features = &self.features;
        let fitting: Vec<_> =
            templates.iter().filter(|(it, _)| it.is_empty() || features.contains(it)).collect();
        let (_, template) = fitting[self.rng.below(fitting.len())];
        self.expanded(template, member)
    }

    fn expanded(&mut self, template: &str, member: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, behind)) = rest.split_once("$[") {
            text += &before.replace('#', member);
            let (word, behind) = behind.split_once(']').expect("it is closed");
            text += &self.word(word);
            rest = behind;
        }
        text + &rest.replace('#', member)
    }

    fn word(&mut self, word: &str) -> String {
        let all: &[&str] = match word {
            "not" => &["", "!"],
            "bool" => &["true", "false"],
            "same" => &["==", "!="],
            "order" => &["<=", "==", ">=", "<"],
            "key" => &["p", "r"],
            "join" => &["|", "&", "\\"],
            "set" => &["s", "t", "{c}", "{}"],
            "change" => &["add", "remove"],
            "member" if self.features.contains(&"last") => &["c", "c", "c", "last"],
            "member" => &["c"],
            "2" => &["0", "1"],
            "3" => &["0", "1", "2"],
            "4" => &["0", "1", "2", "3"],
            "condition" if self.rng.chance(45) => return self.one_of(LITERALS, "c"),
            "condition" | "shared" => return self.one_of(CONDITIONS, "c"),
            "seen" if self.rng.chance(50) => return self.expanded("exists a: C { $[literal a] }", "c"),
            "seen" => return self.one_of(CONDITIONS, "c"),
            "statement" => return self.one_of(STATEMENTS, "c"),
            _ => {
                let member = word.strip_prefix("literal ").expect("a word that is known");
                return self.one_of(LITERALS, member);
            }
        };
        (*self.rng.pick(all)).to_string()
    }
}
