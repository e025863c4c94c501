//! Random models for temporal properties under fairness: a few alike members that go through phases, want
//! what others have, wait for each other and are served, with fairness on some processes and rules.
//!
//! Most models have a family over a small symmetric type, a ring, or a range with a rotation; sometimes a
//! second family, sometimes a single process. Members go around in their phases, some of the ways being
//! blocked by conditions. Nothing names a member, most of the time. The properties are made in the files
//! `response` (linear time) and `branching`. Other models are made in the file `nested`.

use super::Flavor;
use super::rng::Rng;
use std::collections::BTreeMap;

/// How the members of a family are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `symmetric`
    Full,
    /// `ring`
    Ring,
    /// A named range that nobody computes with.
    Range,
    /// A named range with a successor, and a rotation in a `symmetry` block.
    Rotated,
}

/// A type of members, and the family over it.
#[derive(Clone, Debug)]
pub(super) struct Sort {
    pub name: &'static str,
    pub kind: Kind,
    pub size: u32,
    /// The variable with the phase of a member, and its values.
    pub phase: (&'static str, Vec<&'static str>),
    /// Whether a member has a flag: the name of that variable.
    pub flag: Option<&'static str>,
}

/// A variable that all share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// `lock: bool`
    Lock,
    /// `owner: P?`
    Owner,
    /// `turn: P = any`
    Turn,
    /// `asks: set of P`
    Asks,
    /// `n: 0..2`
    Count,
    /// `held: Held?`, a record with a member and a truth value
    Held,
    /// `pile: set of Held`
    Pile,
    /// `stage: Stage`, in models of the file `nested`
    Stage,
}

/// A name in scope, with its sort.
pub(super) type Name = (&'static str, usize);

/// A rule, as `enabled` needs it.
#[derive(Clone, Debug)]
pub(super) struct RuleName {
    pub name: String,
    /// The sort of the family it belongs to; none for the single process.
    pub family: Option<usize>,
    /// The sort of its parameter.
    pub param: Option<usize>,
}

/// What a member must have to enter its last phase. Who leaves that phase gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    /// Nothing.
    None,
    /// `lock` is false, and becomes true.
    Lock,
    /// `owner` is none, and becomes the member.
    Owner,
    /// `turn` is the member. It then goes to another.
    Turn,
    /// Nobody else is there.
    Alone,
}

/// Where fairness is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mix {
    None,
    Weak,
    Strong,
    Mixed,
}

/// A model in the making.
pub(super) struct Liveness {
    pub rng: Rng,
    pub sorts: Vec<Sort>,
    pub shared: Vec<Shared>,
    pub rules: Vec<RuleName>,
    mix: Mix,
    discipline: Discipline,
    /// Whether the rule that is being made enters the last phase.
    entering: bool,
    /// Whether a member may be named.
    naming: bool,
    /// Whether the names of members may stand in a property for those of quantifiers.
    pub naming_inside: bool,
    /// Whether a property is being made.
    pub in_property: bool,
    /// How many stages there are, in models of the file `nested`.
    pub stages: usize,
    /// Whether conditions may build records and sets.
    compound: bool,
    /// Which properties.
    flavor: Flavor,
    pub used: BTreeMap<&'static str, u32>,
}

impl Liveness {
    pub fn new(seed: u64, flavor: Flavor) -> Self {
        let salt = match flavor {
            Flavor::Branching => 0xb_5a9c_41fe,
            Flavor::Indexed => 0x1d_e8ed,
            _ => 0x11fe,
        };
        let mut rng = Rng::new(seed ^ salt);
        let mix = [Mix::None, Mix::Weak, Mix::Strong, Mix::Mixed][rng.weighted(&[4, 31, 29, 36])];
        let naming = rng.chance(if flavor == Flavor::Indexed { 35 } else { 10 });
        let compound = rng.chance(40);
        let naming_inside = rng.chance(if flavor == Flavor::Branching { 0 } else { 12 });
        Self {
            rng,
            sorts: Vec::new(),
            shared: Vec::new(),
            rules: Vec::new(),
            mix,
            discipline: Discipline::None,
            entering: false,
            naming,
            naming_inside,
            in_property: false,
            stages: 0,
            compound,
            flavor,
            used: BTreeMap::new(),
        }
    }

    pub fn note(&mut self, construct: &'static str) {
        *self.used.entry(construct).or_default() += 1;
    }

    /// The text of a model.
    pub fn model(&mut self) -> String {
        let nested = self.flavor == Flavor::Liveness && self.rng.chance(15);
        if nested {
            self.mix = [Mix::Weak, Mix::Strong, Mix::Mixed][self.rng.weighted(&[65, 10, 25])];
            self.plan_nested();
        } else {
            self.plan();
        }
        self.note(match self.mix {
            Mix::None => "fairness.none",
            Mix::Weak => "fairness.weak",
            Mix::Strong => "fairness.strong",
            Mix::Mixed => "fairness.mixed",
        });
        let mut lines = Vec::new();
        for sort in self.sorts.clone() {
            self.declare(&sort, &mut lines);
        }
        if self.compound {
            self.declare_compound(&mut lines);
        }
        for shared in self.shared.clone() {
            lines.push(self.shared_text(shared));
        }
        if nested {
            self.nested(&mut lines);
        } else {
            self.families(&mut lines);
        }
        if self.rng.chance(80) {
            lines.push("deadlock allowed;".to_string());
        }
        self.in_property = true;
        let (least, most) = if self.flavor == Flavor::Indexed { (1, 2) } else { (3, 4) };
        for i in 0..self.rng.between(least, most) {
            lines.push(match self.flavor {
                Flavor::Branching => format!("ctl q{i} = {};", self.branching_property()),
                Flavor::Indexed => format!("ltl q{i} = {};", self.indexed_property()),
                _ if nested && self.rng.chance(75) => format!("ltl q{i} = {};", self.nested_property()),
                _ => format!("ltl q{i} = {};", self.property()),
            });
        }
        lines.join("\n") + "\n"
    }

    fn families(&mut self, lines: &mut Vec<String>) {
        for sort in 0..self.sorts.len() {
            self.family(sort, lines);
        }
        if self.rng.chance(45) {
            self.note("liveness.single");
            self.single(lines);
        }
    }

    /// Types and variables, with not too many values in all.
    fn plan(&mut self) {
        let two = self.rng.chance(30);
        let kinds = if self.flavor == Flavor::Indexed { [62, 21, 12, 5] } else { [58, 27, 10, 5] };
        let kind = [Kind::Full, Kind::Ring, Kind::Range, Kind::Rotated][self.rng.weighted(&kinds)];
        let size = [2, 3, 4][self.rng.weighted(&if two { [6, 2, 0] } else { [6, 10, 4] })];
        let phases = if size == 4 || (two && size == 3) || self.rng.chance(40) { 2 } else { 3 };
        let mut bits = 6.8 - f64::from(size) * f64::from(phases).log2();
        let flag = (bits > f64::from(size) && self.rng.chance(35)).then_some("flag");
        bits -= if flag.is_some() { f64::from(size) } else { 0.0 };
        let phase = ("phase", ["a", "b", "c"][..phases as usize].to_vec());
        self.sorts.push(Sort { name: "P", kind, size, phase, flag });
        if two {
            self.note("liveness.two_sorts");
            let size = if self.rng.chance(25) && bits > 3.5 { 3 } else { 2 };
            let kind = *self.rng.pick(&[Kind::Full, Kind::Full, Kind::Ring]);
            self.sorts.push(Sort { name: "Q", kind, size, phase: ("mode", vec!["d", "e"]), flag: None });
            bits -= f64::from(size);
        }
        let n = f64::from(size);
        let candidates = [
            (Shared::Lock, 1.0),
            (Shared::Owner, (n + 1.0).log2()),
            (Shared::Turn, n.log2()),
            (Shared::Asks, n),
            (Shared::Count, 3f64.log2()),
            (Shared::Held, (2.0 * n + 1.0).log2()),
            (Shared::Pile, 2.0 * n),
        ];
        let disciplines =
            [Discipline::None, Discipline::Lock, Discipline::Owner, Discipline::Turn, Discipline::Alone];
        self.discipline = disciplines[self.rng.weighted(&[45, 12, 16, 12, 15])];
        let needed = match self.discipline {
            Discipline::Lock => Some(0),
            Discipline::Owner => Some(1),
            Discipline::Turn => Some(2),
            _ => None,
        };
        if let Some(needed) = needed {
            self.shared.push(candidates[needed].0);
            bits -= candidates[needed].1;
        }
        for _ in 0..if self.discipline == Discipline::None { 3 } else { 1 } {
            let [held, pile] = if self.compound { [30, 60] } else { [0, 0] };
            let (shared, cost) = candidates[self.rng.weighted(&[25, 35, 20, 15, 5, held, pile])];
            if cost <= bits && !self.shared.contains(&shared) && self.rng.chance(80) {
                self.shared.push(shared);
                bits -= cost;
            }
        }
    }

    fn declare(&mut self, sort: &Sort, lines: &mut Vec<String>) {
        let (name, size) = (sort.name, sort.size);
        match sort.kind {
            Kind::Full => {
                self.note("liveness.symmetric");
                lines.push(format!("symmetric {name}[{size}];"));
            }
            Kind::Ring => {
                self.note("liveness.ring");
                lines.push(format!("ring {name}[{size}];"));
            }
            Kind::Range => {
                self.note("liveness.range");
                lines.push(format!("type {name} = 0..{};", size - 1));
            }
            Kind::Rotated => {
                self.note("liveness.generators");
                lines.push(format!("type {name} = 0..{};", size - 1));
                lines.push(format!("fn after(x: {name}): {name} = (x + 1) % {size};"));
                let cycle: Vec<String> = (0..size).map(|i| i.to_string()).collect();
                lines.push(format!("symmetry {{ {name} ({}); }}", cycle.join(" ")));
            }
        }
        lines.push(format!("enum {name}Phase {{ {} }}", sort.phase.1.join(", ")));
    }

    fn shared_text(&mut self, shared: Shared) -> String {
        let element = if self.sorts[0].kind == Kind::Range && self.rng.chance(30) { " = none" } else { "" };
        match shared {
            Shared::Lock => format!("var lock: bool{};", self.rng.pick(&["", "", " = any"])),
            Shared::Owner => match self.rng.chance(12) {
                true => "var owner: P? = any;".to_string(),
                false => format!("var owner: P?{element};"),
            },
            Shared::Turn => "var turn: P = any;".to_string(),
            Shared::Asks => "var asks: set of P;".to_string(),
            Shared::Count => "var n: 0..2;".to_string(),
            Shared::Held => "var held: Held?;".to_string(),
            Shared::Pile => {
                self.note("liveness.pile");
                "var pile: set of Held;".to_string()
            }
            Shared::Stage => {
                let stages: Vec<String> = (0..self.stages).map(|i| format!("s{i}")).collect();
                format!("enum Stage {{ {}, end }}\nvar stage: Stage = s0;", stages.join(", "))
            }
        }
    }

    /// Fairness of a process or of a rule.
    pub(super) fn fairness(&mut self, percent: u32) -> &'static str {
        if self.mix == Mix::None || !self.rng.chance(percent) {
            return "";
        }
        let strong = match self.mix {
            Mix::Strong => true,
            Mix::Mixed => self.rng.chance(50),
            _ => false,
        };
        if strong { "strong fair " } else { "fair " }
    }

    fn family(&mut self, sort: usize, lines: &mut Vec<String>) {
        let Sort { name, phase: (phase, values), flag, size, .. } = self.sorts[sort].clone();
        let own: Name = (["p", "z"][sort], sort);
        let fair = self.fairness(70);
        lines.push(format!("{fair}process {name}[{}] {{", own.0));
        let start = match self.rng.below(10) {
            0 if values.len().pow(size) <= 9 => "any",
            _ => values[0],
        };
        lines.push(format!("    var {phase}: {name}Phase = {start};"));
        if let Some(flag) = flag {
            lines.push(format!("    var {flag}: bool;"));
        }
        for i in 0..values.len() {
            if self.rng.chance(5) && i > 0 {
                continue;
            }
            let (from, to) = (values[i], values[(i + 1) % values.len()]);
            let disciplined = sort == 0 && self.discipline != Discipline::None;
            let (mut guard, mut effect) = match disciplined {
                true => (self.more_conditions(&[own], 12), self.effects(&[own], 12)),
                false => {
                    let guard = self.more_conditions(&[own], if i == 0 { 25 } else { 45 });
                    (guard, self.effects(&[own], 50))
                }
            };
            if disciplined && i + 2 == values.len() {
                let (free, take) = self.take(values[i + 1]);
                (guard, effect) = (format!(" && {free}{guard}"), format!("{effect}{take}"));
            }
            if disciplined && i + 1 == values.len() {
                effect = format!("{effect}{}", self.give());
            }
            let rule = format!("when {phase} == {from}{guard} {{ {phase} = {to};{effect} }}");
            self.entering = disciplined && i + 2 == values.len();
            self.rule(Some(sort), None, &rule, lines);
            self.entering = false;
        }
        if self.rng.chance(25) {
            let (from, to) = (*self.rng.pick(&values), *self.rng.pick(&values));
            let guard = self.more_conditions(&[own], 80);
            let effect = self.effects(&[own], 30);
            let rule = format!("when {phase} == {from}{guard} {{ {phase} = {to};{effect} }}");
            self.rule(Some(sort), None, &rule, lines);
        }
        if self.rng.chance(30) {
            let other = self.rng.below(self.sorts.len());
            let names = [own, (["q", "w"][other], other)];
            let (guard, effect) = (self.conditions(&names, 2), self.effect(&names));
            let apart =
                if other == sort { format!("{} != {} && ", names[0].0, names[1].0) } else { String::new() };
            self.note("liveness.parameter");
            let rule = format!("when {apart}{guard} {{ {effect} }}");
            self.rule(Some(sort), Some((names[1], "")), &rule, lines);
        }
        if self.rng.chance(12) {
            self.note("liveness.idle");
            let guard = self.conditions(&[own], 1);
            self.rule(Some(sort), None, &format!("when {guard} {{ {phase} = {phase}; }}"), lines);
        }
        lines.push("}".to_string());
    }

    /// The condition to enter the last phase, and what is done then.
    fn take(&mut self, last: &str) -> (String, &'static str) {
        match self.discipline {
            Discipline::None => ("true".to_string(), ""),
            Discipline::Lock => ("!lock".to_string(), " lock = true;"),
            Discipline::Owner => ("owner == none".to_string(), " owner = p;"),
            Discipline::Turn => ("turn == p".to_string(), ""),
            Discipline::Alone => (format!("(forall y: P {{ phase[y] != {last} }})"), ""),
        }
    }

    /// What is done when the last phase is left.
    fn give(&mut self) -> &'static str {
        match self.discipline {
            Discipline::None | Discipline::Alone => "",
            Discipline::Lock => " lock = false;",
            Discipline::Owner => " owner = none;",
            Discipline::Turn => self.turn_goes_on(),
        }
    }

    pub(super) fn turn_goes_on(&self) -> &'static str {
        match self.sorts[0].kind {
            Kind::Ring => " turn = next(turn);",
            Kind::Rotated => " turn = after(turn);",
            Kind::Full | Kind::Range => " turn = any;",
        }
    }

    fn single(&mut self, lines: &mut Vec<String>) {
        let fair = self.fairness(75);
        lines.push(format!("{fair}process Server {{"));
        let name: Name = ("x", 0);
        if self.rng.chance(75) {
            let from_set = self.shared.contains(&Shared::Asks) && self.rng.chance(40);
            let (guard, effects) = (self.conditions(&[name], 2), self.effect(&[name]));
            let more = self.effects(&[name], 50);
            let over = if from_set { " in asks" } else { "" };
            self.note(if from_set { "liveness.collection" } else { "liveness.parameter" });
            self.rule(None, Some((name, over)), &format!("when {guard} {{ {effects}{more} }}"), lines);
        }
        if self.rng.chance(50) {
            let (guard, effect) = (self.conditions(&[], 1), self.effect(&[]));
            self.rule(None, None, &format!("when {guard} {{ {effect} }}"), lines);
        }
        lines.push("}".to_string());
    }

    pub(super) fn rule(
        &mut self,
        family: Option<usize>,
        param: Option<(Name, &str)>,
        text: &str,
        lines: &mut Vec<String>,
    ) {
        let fair = match self.mix {
            Mix::Strong | Mix::Mixed if self.entering && self.rng.chance(60) => "strong fair ",
            _ => self.fairness(45),
        };
        self.rule_with(fair, family, param, text, lines);
    }

    /// A rule with this fairness.
    pub(super) fn rule_with(
        &mut self,
        fair: &str,
        family: Option<usize>,
        param: Option<(Name, &str)>,
        text: &str,
        lines: &mut Vec<String>,
    ) {
        let name = format!("r{}", self.rules.len());
        let params = match param {
            None => String::new(),
            Some(((name, sort), "")) => format!("({name}: {})", self.sorts[sort].name),
            Some(((name, _), over)) => format!("({name}{over})"),
        };
        lines.push(format!("    {fair}rule {name}{params} {text}"));
        self.rules.push(RuleName { name, family, param: param.map(|((_, sort), _)| sort) });
    }

    pub(super) fn more_conditions(&mut self, names: &[Name], percent: u32) -> String {
        if !self.rng.chance(percent) {
            return String::new();
        }
        format!(" && {}", self.condition(names))
    }

    fn conditions(&mut self, names: &[Name], most: i64) -> String {
        let list: Vec<String> = (0..self.rng.between(1, most)).map(|_| self.condition(names)).collect();
        list.join(" && ")
    }

    /// A condition on the state and the names, in which `&&` can follow.
    pub fn condition(&mut self, names: &[Name]) -> String {
        loop {
            if let Some(found) = self.try_condition(names) {
                return found;
            }
        }
    }

    fn try_condition(&mut self, names: &[Name]) -> Option<String> {
        if self.compound && self.rng.chance(25) {
            return self.compound(names);
        }
        let not = self.rng.chance(40);
        let equal = if not { "!=" } else { "==" };
        if !self.shared.is_empty() && self.rng.chance(45) {
            let shared = *self.rng.pick(&self.shared);
            return match shared {
                Shared::Lock => Some(if not { "!lock" } else { "lock" }.to_string()),
                Shared::Owner if self.rng.chance(40) => Some(format!("owner {equal} none")),
                Shared::Owner => Some(format!("owner {equal} {}", self.named(names, 0)?)),
                Shared::Turn => Some(format!("turn {equal} {}", self.named(names, 0)?)),
                Shared::Asks if self.rng.chance(25) => Some("asks.empty()".to_string()),
                Shared::Asks if not => Some(format!("!({} in asks)", self.named(names, 0)?)),
                Shared::Asks => Some(format!("{} in asks", self.named(names, 0)?)),
                Shared::Count => Some(format!("n {equal} {}", self.rng.below(3))),
                Shared::Held if self.rng.chance(40) => Some(format!("held {equal} none")),
                Shared::Held => {
                    Some(format!("(held != none && held!.who {equal} {})", self.named(names, 0)?))
                }
                Shared::Pile if self.rng.chance(30) => {
                    Some(format!("pile.size() {equal} {}", self.rng.below(3)))
                }
                Shared::Pile => {
                    let on = *self.rng.pick(&["true", "false"]);
                    let not = if not { "!" } else { "" };
                    Some(format!("{not}(Held({}, {on}) in pile)", self.named(names, 0)?))
                }
                Shared::Stage => Some(self.stage(equal)),
            };
        }
        let sort = self.rng.below(self.sorts.len());
        let Sort { name, phase: (phase, values), flag, size, .. } = self.sorts[sort].clone();
        let value = *self.rng.pick(&values);
        match self.rng.below(10) {
            0..5 => {
                let who = self.named(names, sort)?;
                match flag {
                    Some(flag) if self.rng.chance(40) => {
                        Some(format!("{}{flag}[{who}]", if not { "!" } else { "" }))
                    }
                    _ => Some(format!("{phase}[{who}] {equal} {value}")),
                }
            }
            5 => Some(format!("(exists y: {name} {{ {phase}[y] {equal} {value} }})")),
            6 => Some(format!("(forall y: {name} {{ {phase}[y] {equal} {value} }})")),
            7 => {
                let who = self.named(names, sort)?;
                let quantifier = *self.rng.pick(&["forall", "exists"]);
                Some(format!("({quantifier} y: {name} where y != {who} {{ {phase}[y] {equal} {value} }})"))
            }
            8 => {
                let most = self.rng.between(1, i64::from(size) - 1);
                Some(format!("(count y: {name} {{ {phase}[y] == {value} }}) < {most}"))
            }
            _ => {
                let known: Vec<Name> = names.iter().copied().filter(|(_, of)| *of == sort).collect();
                match &known[..] {
                    [(a, _), (b, _), ..] => Some(format!("{a} {equal} {b}")),
                    [(a, _)] if self.naming && sort == 0 && self.sorts[0].kind != Kind::Rotated => {
                        self.note("liveness.named");
                        let first = self.first();
                        Some(format!("{a} {equal} {first}"))
                    }
                    _ => None,
                }
            }
        }
    }

    /// A member that is not like the others.
    fn first(&self) -> &'static str {
        match self.sorts[0].kind {
            Kind::Full | Kind::Ring => "P#0",
            _ => "0",
        }
    }

    /// A member: a name in scope, or one beside it.
    pub fn named(&mut self, names: &[Name], sort: usize) -> Option<String> {
        if self.in_property && self.naming_inside && sort == 0 && self.rng.chance(30) {
            self.note("ltl.named");
            let number = self.rng.below(self.sorts[0].size as usize);
            return Some(match self.sorts[0].kind {
                Kind::Full | Kind::Ring => format!("P#{number}"),
                Kind::Range | Kind::Rotated => number.to_string(),
            });
        }
        let known: Vec<&str> = names.iter().filter(|(_, of)| *of == sort).map(|(name, _)| *name).collect();
        if known.is_empty() {
            return None;
        }
        let name = *self.rng.pick(&known);
        Some(match self.sorts[sort].kind {
            Kind::Ring if self.rng.chance(35) => {
                format!("{}({name})", self.rng.pick(&["next", "next", "prev"]))
            }
            Kind::Rotated if self.rng.chance(35) => format!("after({name})"),
            _ => name.to_string(),
        })
    }

    fn effects(&mut self, names: &[Name], percent: u32) -> String {
        if !self.rng.chance(percent) {
            return String::new();
        }
        if self.rng.chance(2) {
            self.note("liveness.assert");
            return format!(" assert {};", self.condition(names));
        }
        format!(" {}", self.effect(names))
    }

    /// A statement.
    fn effect(&mut self, names: &[Name]) -> String {
        for _ in 0..20 {
            if let Some(found) = self.try_effect(names) {
                return found;
            }
        }
        if let Some((name, sort)) = names.last() {
            let (phase, values) = &self.sorts[*sort].phase;
            return format!("{phase}[{name}] = {};", values[0]);
        }
        let Sort { name, phase: (phase, values), .. } = &self.sorts[0];
        format!("for y: {name} {{ {phase}[y] = {}; }}", values[0])
    }

    fn try_effect(&mut self, names: &[Name]) -> Option<String> {
        if !self.shared.is_empty() && self.rng.chance(65) {
            let shared = *self.rng.pick(&self.shared);
            return match shared {
                Shared::Lock => Some(format!("lock = {};", self.rng.pick(&["true", "false", "!lock"]))),
                Shared::Owner if self.rng.chance(40) => Some("owner = none;".to_string()),
                Shared::Owner => Some(format!("owner = {};", self.named(names, 0)?)),
                Shared::Turn => match (self.sorts[0].kind, self.rng.below(3)) {
                    (Kind::Ring, 0 | 1) => Some("turn = next(turn);".to_string()),
                    (Kind::Rotated, 0 | 1) => Some("turn = after(turn);".to_string()),
                    (_, 0) => Some("turn = any;".to_string()),
                    _ => Some(format!("turn = {};", self.named(names, 0)?)),
                },
                Shared::Asks => match self.rng.below(5) {
                    0..2 => Some(format!("asks.add({});", self.named(names, 0)?)),
                    2..4 => Some(format!("asks.remove({});", self.named(names, 0)?)),
                    _ => Some("asks.clear();".to_string()),
                },
                Shared::Count => Some("n = (n + 1) % 3;".to_string()),
                Shared::Held if self.rng.chance(35) => Some("held = none;".to_string()),
                Shared::Held => {
                    let on = *self.rng.pick(&["true", "false"]);
                    Some(format!("held = Held({}, {on});", self.named(names, 0)?))
                }
                Shared::Pile => {
                    let (on, act) = (*self.rng.pick(&["true", "false"]), *self.rng.pick(&["add", "remove"]));
                    Some(format!("pile.{act}(Held({}, {on}));", self.named(names, 0)?))
                }
                Shared::Stage => None,
            };
        }
        let sort = self.rng.below(self.sorts.len());
        let Sort { phase: (phase, values), flag, .. } = self.sorts[sort].clone();
        let who = self.named(names, sort)?;
        match flag {
            Some(flag) if self.rng.chance(60) => Some(format!("{flag}[{who}] = !{flag}[{who}];")),
            // Its rules say what its own phase becomes.
            _ if who == "p" || who == "z" => None,
            _ => Some(format!("{phase}[{who}] = {};", self.rng.pick(&values))),
        }
    }
}
