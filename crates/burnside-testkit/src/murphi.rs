//! Random Murphi programs. Entry point: [`program`]. They use all of the language that both CMurphi's
//! manual and Rumur know, are of the right types, and mostly run without errors; some do not, on purpose.

use burnside_limits::Random;

/// A program from a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let assuming = random.below(12) == 0;
    let mut writer =
        Writer { random, members: 0, numbers: 0, depth: 0, loose: true, aliased: false, assuming };
    writer.program()
}

/// What is written, and which names are known where it is: `p0`, `p1`, … of the scalarset, `i0`, … numbers.
struct Writer {
    random: Random,
    members: usize,
    numbers: usize,
    depth: usize,
    /// Whether what may be undefined may be read: not in quantifiers, whose order of evaluation differs.
    loose: bool,
    /// Whether `short` and `near` are names of parts of the state.
    aliased: bool,
    /// Whether there is a procedure with an `assume`.
    assuming: bool,
}

/// Constructs of the language, and what tells that a program has them.
pub const CONSTRUCTS: &[(&str, &str)] = &[
    ("alias rules", "alias short:"),
    ("alias statements", "alias x:"),
    ("rulesets", "ruleset "),
    ("rulesets in rulesets", "do ruleset "),
    ("several start states", "\nstartstate \"second\""),
    ("start states in rulesets", "startstate \"from\""),
    ("locals of rules", "var t:"),
    ("constants of rules", "const two:"),
    ("functions that compute", "some("),
    ("functions with side effects", "bump(n)"),
    ("arguments that may be undefined", "known("),
    ("procedures", "set("),
    ("records by reference", "fill("),
    ("`return` in loops", "return true; end; end;"),
    ("`if`", "if "),
    ("`elsif`", "elsif "),
    ("`switch`", "switch "),
    ("`for` over scalarsets", ": Proc do"),
    ("`for` over enums", ": Kind do"),
    ("`for` down", "by -1"),
    ("`for` with a step", "by 2"),
    ("`while`", "while "),
    ("`clear` of compounds", "clear grid"),
    ("`undefine` of compounds", "undefine pair"),
    ("`isundefined`", "isundefined("),
    ("`put` of texts", "put \""),
    ("`put` of values", "put n"),
    ("`error`", "error \""),
    ("`assert`, message behind", "| true \"sure\""),
    ("`assert`, message before", "assert \"sure\""),
    ("`assume` in rules", "assume n"),
    ("`assume` of states", "assume \"small\""),
    ("invariants", "invariant "),
    ("`cover`", "cover "),
    ("`liveness`", "liveness "),
    ("`forall`", "forall "),
    ("`exists`", "exists "),
    ("conditional expressions", " ? "),
    ("arrays compared", "row = line"),
    ("records compared", "rec = other"),
    ("records in records", "pair.r."),
    ("arrays of arrays", "grid[e][b]"),
    ("shifts", "<< 1"),
    ("`^`", " ^ "),
    ("`&` of numbers", "(3 & "),
    ("`|` of numbers", "(1 | "),
    ("`~`", "(~"),
    ("`/` and `%` of negatives", "(0 - "),
    ("`->`", " -> "),
    ("`==`, `&&`, `||`", " && "),
    ("signs that are not ASCII", " ≠ "),
    ("keywords in other cases", "RuleSet "),
    ("functions that call themselves", "depth("),
    ("procedures that call themselves", "sink("),
    ("`for` with a computed step", "by n + 1"),
    ("`exists` down", "(exists i := Top to 0 by -1"),
    ("`&&` beside `|`", " && pair.s | "),
    ("side effects in quantifiers", "exists turn: "),
    ("side effects in branches", "? bump(n) :"),
    ("`cover` as a statement", "cover \"met\""),
    ("`assume` in procedures", "low(n)"),
    ("constants in lists", "One, Uno: 1"),
    ("comments to the end of the line", "-- "),
    ("comments with an end", "/* "),
];

impl Writer {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn pick(&mut self, texts: &[&str]) -> String {
        texts[self.random.below(texts.len())].to_string()
    }

    fn program(&mut self) -> String {
        let size = 1 + self.random.below(3);
        let mut text = format!(
            "const N: {size}; Top: {}; One, Uno: 1;\ntype Proc: scalarset(N); Num: 0..Top; Kind: {} {{ ea, eb, ec }};\n Rec: record f: Kind; g: Num; h: Proc; end; Row: array[Num] of boolean;\n",
            1 + self.random.below(2),
            self.pick(&["enum", "ENUM"]),
        );
        text.push_str(
            "var b: boolean; n: Num; e: Kind; a: array[Proc] of Kind; c: array[Proc] of Num; row: Row;\n",
        );
        text.push_str(" who: Proc; rec, other: Rec; holds: array[Proc] of Proc; small: -1..2;\n");
        text.push_str(" line: Row; grid: array[Kind] of array[boolean] of Num; pair: record r: Rec; s: boolean; end; /* the state */\n");
        text.push_str(&self.functions());
        for name in 0..1 + self.random.below(2) {
            text.push_str(&self.start(["first", "second"][name]));
        }
        for number in 0..2 + self.random.below(4) {
            text.push_str(&self.rule(number));
        }
        text.push_str(&self.properties());
        for (word, other) in
            [("ruleset ", "RuleSet "), ("endrule", "EndRule"), ("for ", "FOR "), ("begin ", "Begin ")]
        {
            if self.one_in(4) {
                text = text.replace(&format!("\n{word}"), &format!("\n-- as CMurphi has it\n{other}"));
                text = text.replace(&format!("; {word}"), &format!("; {other}"));
            }
        }
        text
    }

    fn functions(&mut self) -> String {
        let counted = self.under(|w| w.boolean());
        let looked = self.under(|w| w.boolean());
        let (first, second) = (self.number(), self.kind());
        let low = if self.assuming { "procedure low(m: Num); begin assume m < 2; end;\n" } else { "" };
        format!(
            "function depth(m: Num): Num; begin if m = 0 then return 0; end; return depth(m - 1) + Uno; end;\n\
             function known(q: Proc): boolean; begin return !isundefined(q); end;\n\
             function total(): Num; var t: 0..9; begin t := 0; for p0: Proc do if {counted} then t := t + 1; end; end; if t > Top then return Top; end; return t; end;\n\
             function some(k: Kind): boolean; begin for p0: Proc do if a[p0] = k & {looked} then return true; end; end; return false; end;\n\
             function bump(var x: Num): Num; begin if x = Top then x := 0; return ({first}) % (Top + 1); end; x := x + 1; return x; end;\n\
             procedure sink(var x: Num); begin if x > 0 then x := x - One; sink(x); end; end;\n\
             {low}procedure fill(var r: Rec; k: Kind); begin r.f := k; r.g := 0; end;\n\
             procedure set(var k: Kind; m: Kind); begin if k = m then return; end; k := m; if k = eb then k := {second}; end; end;\n"
        )
    }

    /// Something about one more member, `p0`, in which nothing undefined is read.
    fn under<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let (members, loose) = (self.members, std::mem::replace(&mut self.loose, false));
        self.members += 1;
        let result = inside(self);
        (self.members, self.loose) = (members, loose);
        result
    }

    fn start(&mut self, name: &str) -> String {
        let mut body =
            String::from("b := false; n := 0; e := ea; for p: Proc do a[p] := ea; c[p] := 0; end; ");
        body.push_str(&self.pick(&[
            "for i: Num do row[i] := true; end; ",
            "for i := 0 to Top do row[i] := (i = 1); end; ",
            "clear row; ",
        ]));
        body.push_str(
            &self.pick(&[
                "clear grid; line := row; pair.r := rec; ",
                "clear grid; line := row; undefine pair; ",
            ]),
        );
        body.push_str("pair.s := false; fill(pair.r, eb); ");
        body.push_str(&self.pick(&["rec.f := eb; rec.g := Top; ", "rec.f := ea; clear rec.g; "]));
        body.push_str(&self.pick(&["", "other.g := 1; ", "other := rec; "]));
        body.push_str(&self.pick(&["", "small := -1; ", "small := 0; "]));
        if self.one_in(2) {
            let more =
                self.pick(&["who := q; ", "for p: Proc do holds[p] := q; end; who := q; ", "rec.h := q; "]);
            return format!("ruleset q: Proc do startstate \"from\" {body}{more}end; end;\n");
        }
        format!("startstate \"{name}\" begin {body}endstartstate;\n")
    }

    fn rule(&mut self, number: usize) -> String {
        let parts = match self.random.below(6) {
            0 | 1 => ("", "", 0, 0),
            2 => ("ruleset i0: Num do ", "end;", 0, 1),
            3 => ("ruleset p0: Proc; p1: Proc do ", "endruleset;", 2, 0),
            4 => ("ruleset p0: Proc do ruleset i0: Num do ", "end; endruleset;", 1, 1),
            _ => ("ruleset p0: Proc do ", "end;", 1, 0),
        };
        (self.members, self.numbers) = (parts.2, parts.3);
        self.aliased = self.one_in(4);
        let alias = match (self.aliased, parts.2) {
            (false, _) => ["", ""],
            (_, 0) => ["alias short: n; near: pair.r do ", "endalias; "],
            _ => ["alias short: c[p0]; near: pair.r do ", "end; "],
        };
        let guard = self.boolean();
        let (local, set) = match self.random.below(4) {
            3 => ("const two: 2; begin ", "n := two % (Top + 1); "),
            0 => ("var t: Num; begin ", "t := n; "),
            1 => ("var t: Num; k: Kind; begin ", "t := 0; k := e; "),
            _ => ("begin ", ""),
        };
        let mut body = String::from(set);
        for _ in 0..1 + self.random.below(3) {
            body.push_str(&self.statement());
        }
        if local.starts_with("var") && self.one_in(2) {
            body.push_str("n := t; ");
        }
        (self.members, self.numbers) = (0, 0);
        self.aliased = false;
        let rule = format!("rule \"r{number}\" {guard} ==> {local}{body}endrule; ");
        format!("{}{}{rule}{}{}\n", parts.0, alias[0], alias[1], parts.1)
    }

    fn properties(&mut self) -> String {
        let mut text = String::new();
        if self.one_in(2) {
            let claim = self.under(|w| w.boolean());
            text.push_str(&format!("invariant \"claim\" exists p0: Proc do {claim} | true end;\n"));
        }
        if self.one_in(3) {
            self.loose = false;
            text.push_str(&format!("invariant \"bold\" {};\n", self.boolean()));
        }
        if self.one_in(12) {
            text.push_str(&format!("assume \"small\" {};\n", self.pick(&["n < 2", "!b | n = 0", "e != ec"])));
        }
        if self.one_in(4) {
            text.push_str(&format!("cover \"seen\" {};\n", self.pick(&["n = 0", "b", "e = ec"])));
        }
        if self.one_in(4) {
            text.push_str(&format!("liveness \"again\" {};\n", self.pick(&["n = 0", "!b", "e != eb"])));
        }
        text
    }

    // Statements.

    fn statement(&mut self) -> String {
        self.depth += 1;
        let text = match if self.depth > 2 { self.random.below(8) } else { self.random.below(26) } {
            0 => format!("n := ({}) % (Top + 1); ", self.number()),
            1 => format!("b := {}; ", self.boolean()),
            2 => format!("e := {}; ", self.kind()),
            3 => self.member_statement(),
            4 => self.pick(&[
                "undefine who; ",
                "other := rec; ",
                "put \"text\"; ",
                "clear e; ",
                "rec.g := n; ",
                "set(e, ea); ",
            ]),
            5 => self.pick(&[
                "n := bump(n); ",
                "set(rec.f, e); ",
                "row[n] := b; ",
                "sink(n); ",
                "small := n; ",
                "undefine other; ",
            ]),
            6 => format!("row[({}) % (Top + 1)] := {}; ", self.number(), self.boolean()),
            7 => self.pick(&[
                "grid[e][b] := n; ",
                "n := grid[e][b]; ",
                "fill(rec, e); ",
                "fill(pair.r, ea); ",
                "pair.s := pair.r.f = e; ",
                "clear grid; ",
                "undefine pair; pair.s := b; ",
                "line := row; ",
                "put n; ",
            ]),
            18 => {
                format!("for k: Kind do if k != e then grid[k][b] := {}; end; end; ", self.pick(&["n", "0"]))
            }
            19 => format!("if {} & n > 1 & b then error \"both\"; end; ", self.boolean()),
            20 => format!("assert \"sure\" {} || true; ", self.boolean()),
            21 if self.one_in(4) => self.pick(&["assume n < 2; ", "assume n = 0 | b; "]),
            21 => "/* nothing */ if pair.s then pair.r.g := 1; end; ".to_string(),
            22 if self.aliased => self.pick(&["short := 0; ", "near.g := short; ", "near.f := e; "]),
            22 => format!("b := known(who) & {}; ", self.boolean()),
            23 if self.assuming => "low(n); ".to_string(),
            23 => "if exists turn: Num do bump(n) = turn end then b := !b; end; ".to_string(),
            24 => "n := (b ? bump(n) : depth(n)); ".to_string(),
            25 if self.one_in(4) => "cover \"met\" n = 1; ".to_string(),
            25 => "if (b && pair.s | n = 0) then b := !b; end; ".to_string(),
            8 if self.one_in(2) => {
                format!("if {} then {}else {}end; ", self.boolean(), self.statement(), self.statement())
            }
            8 => format!(
                "if {} then {}elsif {} then {}endif; ",
                self.boolean(),
                self.statement(),
                self.boolean(),
                self.statement()
            ),
            9 => format!(
                "switch {} case ea: {}case eb, ec: {}else {}end; ",
                self.kind(),
                self.statement(),
                self.statement(),
                self.statement()
            ),
            10 => format!(
                "switch {} case 0: {}case 1 + 1: {}endswitch; ",
                self.number(),
                self.statement(),
                self.statement()
            ),
            11 => {
                let name = format!("p{}", self.members);
                let body = self.inside(1, 0);
                format!("for {name}: Proc do {body}end; ")
            }
            12 => {
                let name = format!("i{}", self.numbers);
                let head = self.pick(&[
                    ": Num",
                    " := 0 to Top",
                    " := Top to 0 by -1",
                    " := 0 to n",
                    " := n to Top by 2",
                    " := n to Top by n + 1",
                ]);
                let body = self.inside(0, 1);
                format!("for {name}{head} do {body}endfor; ")
            }
            13 => "while n > 0 do n := n - 1; b := !b; end; ".to_string(),
            14 => format!("alias x: row[n]; y: n + 1 do x := (y > 1); {}end; ", self.statement()),
            15 => format!("if some({}) then {}end; ", self.kind(), self.statement()),
            16 => format!("assert {} | true \"sure\"; ", self.boolean()),
            _ => format!(
                "rec.h := {}; if !isundefined(who) then who := {}; end; ",
                self.member(),
                self.member()
            ),
        };
        self.depth -= 1;
        text
    }

    /// A statement with more names.
    fn inside(&mut self, members: usize, numbers: usize) -> String {
        (self.members, self.numbers) = (self.members + members, self.numbers + numbers);
        let text = self.statement();
        (self.members, self.numbers) = (self.members - members, self.numbers - numbers);
        text
    }

    fn member_statement(&mut self) -> String {
        if self.members == 0 {
            return "b := !b; ".to_string();
        }
        let p = format!("p{}", self.random.below(self.members));
        match self.random.below(6) {
            0 => format!("a[{p}] := {}; ", self.kind()),
            1 => format!("c[{p}] := ({}) % (Top + 1); ", self.number()),
            2 => format!("who := {p}; "),
            3 => format!("holds[{p}] := {p}; "),
            4 => format!("set(a[{p}], {}); ", self.kind()),
            _ => format!("undefine holds[{p}]; "),
        }
    }

    // Expressions.

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn boolean(&mut self) -> String {
        let choice = if self.depth > 3 { self.random.below(4) } else { self.random.below(14) };
        self.deeper(|w| match choice {
            0 => "b".to_string(),
            1 => w.pick(&["true", "row[n]", "isundefined(who)", "isundefined(rec.h)", "n = Top"]),
            2 if w.members > 0 => {
                format!("a[p{}] = {}", w.random.below(w.members), w.pick(&["ea", "eb", "e"]))
            }
            2 => "e = ea".to_string(),
            3 if w.members > 1 => "p0 != p1".to_string(),
            3 => "n < Top".to_string(),
            4 => format!("!({})", w.boolean()),
            5 => format!("({} & {})", w.boolean(), w.boolean()),
            6 => format!("({} | {})", w.boolean(), w.boolean()),
            7 => format!("({} -> {})", w.boolean(), w.boolean()),
            8 => format!("{} {} {}", w.number(), w.pick(&["<", "<=", ">", ">=", "=", "!="]), w.number()),
            9 => format!("{} = {}", w.kind(), w.kind()),
            10 => {
                let (word, name) = (w.pick(&["forall", "exists"]), format!("p{}", w.members));
                let body = w.under(|w| w.boolean());
                format!("{word} {name}: Proc do {body} end")
            }
            11 => {
                let (word, name) = (w.pick(&["forall", "exists"]), format!("i{}", w.numbers));
                w.numbers += 1;
                let loose = std::mem::replace(&mut w.loose, false);
                let body = w.boolean();
                (w.numbers, w.loose) = (w.numbers - 1, loose);
                format!("({word} {name} := 0 to Top do {body} end)")
            }
            12 if w.one_in(2) => w.pick(&[
                "row = line",
                "known(who)",
                "(e ≠ eb)",
                "(exists i := Top to 0 by -1 do i = n end)",
                "(b && n == 0)",
                "(b || pair.s)",
                "(~n = -1)",
            ]),
            12 if w.loose => w.pick(&[
                "(isundefined(small) | small > 0)",
                "(!isundefined(who) & c[who] = n)",
                "rec = other",
                "(isundefined(other.g) | other.g = n)",
            ]),
            _ => format!("({} ? {} : {})", w.boolean(), w.boolean(), w.boolean()),
        })
    }

    fn number(&mut self) -> String {
        let choice = if self.depth > 3 { self.random.below(4) } else { self.random.below(12) };
        self.deeper(|w| match choice {
            0 => "n".to_string(),
            1 => w.pick(&["0", "1", "Top", "rec.g", "depth(n)"]),
            2 if w.members > 0 => format!("c[p{}]", w.random.below(w.members)),
            2 => "rec.g".to_string(),
            3 if w.numbers > 0 => format!("i{}", w.random.below(w.numbers)),
            3 => "Top - n".to_string(),
            4 => format!("({} + {})", w.number(), w.number()),
            5 => format!("({} * {})", w.number(), w.number()),
            6 => format!("({} / 2)", w.number()),
            7 => format!("({} % 2)", w.number()),
            8 => match w.random.below(3) {
                0 => format!("({} ^ {})", w.number(), w.number()),
                1 => format!("(3 & {})", w.number()),
                _ => format!("(1 | {})", w.number()),
            },
            9 if w.one_in(3) => {
                w.pick(&["((0 - n) / 2 + 3)", "((0 - 3) % (n + 1) + 3)", "((~n) + 3)", "grid[e][b]"])
            }
            9 => format!("({} {} 1)", w.number(), w.pick(&["<<", ">>"])),
            10 => format!("({} ? {} : {})", w.boolean(), w.number(), w.number()),
            _ => format!("({} - {} + 9)", w.number(), w.number()),
        })
    }

    fn kind(&mut self) -> String {
        if self.members > 0 && self.one_in(3) {
            return format!("a[p{}]", self.random.below(self.members));
        }
        self.pick(&["ea", "eb", "ec", "e", "rec.f"])
    }

    fn member(&mut self) -> String {
        match self.members {
            0 => "who".to_string(),
            count => format!("p{}", self.random.below(count)),
        }
    }
}
