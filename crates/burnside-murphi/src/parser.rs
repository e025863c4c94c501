//! From tokens to the syntax tree. Entry points: [`parse`] and [`parse_formula`].
//!
//! Reading never stops at the first mistake: after one, it goes on with the next statement, declaration or
//! rule. Trees have a greatest depth.

use crate::ast::{
    BinaryOp, Decl, Domain, Expr, ExprKind, Function, Item, Name, Param, PropertyKind, PutKind, Quantifier,
    Rule, RuleKind, Stmt, StmtKind, TypeExpr, TypeKind, UnaryOp, VarDecl,
};
use crate::lexer::{Comment, Kind, Token, tokens};
use burnside_lang::diagnostic::{Code, Diagnostic, Span};

/// So many things may be inside each other.
const MAX_DEPTH: u32 = 150;
/// The level of the loosest operators between numbers.
const SHIFT: usize = 5;
/// So many mistakes are told.
const MAX_ERRORS: usize = 50;

/// A model as it is written.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub items: Vec<Item>,
    /// Whether it has what only CMurphi knows, so that Rumur cannot read it.
    pub is_cmurphi: bool,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Where a formula is read, and so which operators it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// No temporal operators.
    Plain,
    /// Linear time.
    Ltl,
    /// Branching time.
    Ctl,
}

/// Reads a model.
pub fn parse(text: &str) -> Parsed {
    let mut parser = Parser::new(text, 0, Mode::Plain);
    let items = parser.items();
    let is_cmurphi = parser.tokens.iter().any(|token| match &token.kind {
        Kind::Keyword(word) => word.starts_with("multiset") || ["union", "choose", "ismember"].contains(word),
        _ => false,
    });
    Parsed { items, is_cmurphi, comments: parser.comments, diagnostics: parser.diagnostics }
}

/// Reads a formula that starts at some byte of a text and goes to its end.
pub fn parse_formula(text: &str, start: usize, mode: Mode) -> (Option<Expr>, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, start, mode);
    let expr = parser.expr().ok();
    if expr.is_some() && parser.kind() != &Kind::End {
        let _: Result<(), Failed> = parser.unexpected("the end of the formula");
    }
    (expr, parser.diagnostics)
}

/// A mistake that is told already.
struct Failed;
type Read<T> = Result<T, Failed>;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    mode: Mode,
    depth: u32,
    /// Whether the statements at hand are those of a start state.
    in_start: bool,
    comments: Vec<Comment>,
    diagnostics: Vec<Diagnostic>,
}

/// What surely starts something new on the top level.
const STARTS: &str = "const type var function procedure rule ruleset startstate invariant cover liveness";

impl Parser {
    fn new(text: &str, start: usize, mode: Mode) -> Self {
        let (tokens, comments, diagnostics) = tokens(text, start);
        Self { tokens, at: 0, mode, depth: 0, in_start: false, comments, diagnostics }
    }

    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn ahead(&self, by: usize) -> &Kind {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].span)
    }

    fn is(&self, word: &'static str) -> bool {
        matches!(self.kind(), Kind::Keyword(it) | Kind::Sign(it) if *it == word)
    }

    fn is_one_of(&self, words: &[&'static str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    fn take(&mut self, word: &'static str) -> bool {
        let found = self.is(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, word: &'static str) -> Read<()> {
        if self.take(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Read<T> {
        let found = match self.kind() {
            Kind::Keyword(word) | Kind::Sign(word) => format!("`{word}`"),
            Kind::Name(name) => format!("`{name}`"),
            Kind::Int(value) => format!("`{value}`"),
            Kind::Str(_) => "a text".to_string(),
            Kind::End => "the end".to_string(),
        };
        self.error(self.span(), format!("expected {wanted}, found {found}"))
    }

    fn error<T>(&mut self, span: Span, message: String) -> Read<T> {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(Diagnostic::error(Code::MurphiModel, span, message));
        }
        Err(Failed)
    }

    /// What is inside of something else; not too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return self.error(self.span(), format!("more than {MAX_DEPTH} things are inside each other"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        let span = self.span();
        match self.kind().clone() {
            Kind::Name(text) => {
                self.bump();
                Ok(Name { text, span })
            }
            _ => self.unexpected(what),
        }
    }

    fn names(&mut self, what: &str) -> Read<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.take(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn string(&mut self) -> Option<Name> {
        let span = self.span();
        let Kind::Str(text) = self.kind().clone() else { return None };
        self.bump();
        Some(Name { text, span })
    }

    /// `end` or the longer word.
    fn end(&mut self, long: &'static str) -> Read<()> {
        if self.take("end") || self.take(long) {
            Ok(())
        } else {
            self.unexpected(&format!("`end` or `{long}`"))
        }
    }

    /// After a mistake: goes on before what surely starts something new, or `behind` the next `;`.
    fn recover(&mut self, starts: &'static str, behind: bool) {
        loop {
            let starts = starts.split_ascii_whitespace().any(|word| self.is(word));
            if starts || self.kind() == &Kind::End || (behind && self.take(";")) {
                return;
            }
            self.bump();
        }
    }

    // Declarations and rules.

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.kind() != &Kind::End {
            let before = self.at;
            let read = self.item(&mut items);
            if read.is_err() {
                if self.at == before {
                    self.bump();
                }
                self.recover(STARTS, false);
            }
        }
        items
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Read<()> {
        // What ends here after a mistake began before it.
        let ends = matches!(self.kind(), Kind::Keyword(word) if word.starts_with("end"));
        if self.is(";") || (ends && !self.diagnostics.is_empty()) {
            self.bump();
            return Ok(());
        }
        if self.is_one_of(&["const", "type", "var"]) {
            let mut decls = Vec::new();
            self.section(&mut decls);
            items.extend(decls.into_iter().map(Item::Decl));
            return Ok(());
        }
        if self.is("function") || self.is("procedure") {
            items.push(Item::Function(self.function()?));
            return Ok(());
        }
        items.push(Item::Rule(self.rule()?));
        Ok(())
    }

    fn decls(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while self.is_one_of(&["const", "type", "var"]) {
            self.section(&mut decls);
        }
        decls
    }

    /// `const …`, `type …` or `var …`, each with many declarations.
    fn section(&mut self, decls: &mut Vec<Decl>) {
        let word = ["const", "type", "var"].into_iter().find(|word| self.is(word)).unwrap_or_default();
        self.bump();
        while self.at_declaration() {
            if self.declaration(word, decls).is_err() {
                self.recover(STARTS, true);
            }
            // Rumur needs none between them.
            while self.take(";") {}
        }
    }

    fn declaration(&mut self, word: &str, decls: &mut Vec<Decl>) -> Read<()> {
        let names = self.names("a name")?;
        self.expect(":")?;
        if word == "const" {
            let value = self.expr()?;
            decls.extend(names.into_iter().map(|name| Decl::Const(name, value.clone())));
            return Ok(());
        }
        let ty = self.type_expr()?;
        match word == "type" {
            true => decls.extend(names.into_iter().map(|name| Decl::Type(name, ty.clone()))),
            false => decls.push(Decl::Var(VarDecl { names, ty })),
        }
        Ok(())
    }

    /// Whether `a:` or `a, b: …` follows, and no statement.
    fn at_declaration(&self) -> bool {
        matches!((self.kind(), self.ahead(1)), (Kind::Name(_), Kind::Sign(":" | ",")))
    }

    fn var_decl(&mut self) -> Read<VarDecl> {
        let names = self.names("a name")?;
        self.expect(":")?;
        Ok(VarDecl { names, ty: self.type_expr()? })
    }

    fn type_expr(&mut self) -> Read<TypeExpr> {
        self.deeper(|parser| {
            let start = parser.span();
            let kind = parser.type_kind()?;
            Ok(TypeExpr { span: parser.since(start), kind })
        })
    }

    fn type_kind(&mut self) -> Read<TypeKind> {
        if self.take("boolean") {
            return Ok(TypeKind::Boolean);
        }
        if self.take("enum") {
            self.expect("{")?;
            let names = self.names("a constant")?;
            self.take(",");
            self.expect("}")?;
            return Ok(TypeKind::Enum(names));
        }
        if self.take("scalarset") {
            self.expect("(")?;
            let size = self.expr()?;
            self.expect(")")?;
            return Ok(TypeKind::Scalarset(size));
        }
        if self.take("union") {
            self.expect("{")?;
            let mut parts = vec![self.type_expr()?];
            while self.take(",") {
                parts.push(self.type_expr()?);
            }
            self.expect("}")?;
            return Ok(TypeKind::Union(parts));
        }
        if self.take("record") {
            let mut fields = Vec::new();
            while matches!(self.kind(), Kind::Name(_)) {
                fields.push(self.var_decl()?);
                while self.take(";") {}
            }
            self.end("endrecord")?;
            return Ok(TypeKind::Record(fields));
        }
        if self.take("array") {
            self.expect("[")?;
            let index = self.type_expr()?;
            self.expect("]")?;
            self.expect("of")?;
            return Ok(TypeKind::Array(Box::new(index), Box::new(self.type_expr()?)));
        }
        if self.take("multiset") {
            self.expect("[")?;
            let size = self.expr()?;
            self.expect("]")?;
            self.expect("of")?;
            return Ok(TypeKind::Multiset(size, Box::new(self.type_expr()?)));
        }
        if let (Kind::Name(name), false) = (self.kind().clone(), self.starts_range()) {
            if name.eq_ignore_ascii_case("real") && matches!(self.ahead(1), Kind::Sign("(")) {
                return self.error(self.span(), "real numbers are not supported".to_string());
            }
            self.bump();
            return Ok(TypeKind::Named(name));
        }
        let from = self.level(SHIFT + 1)?;
        self.expect("..")?;
        Ok(TypeKind::Range(from, self.level(SHIFT + 1)?))
    }

    /// Whether a name starts a range and is no type.
    fn starts_range(&self) -> bool {
        matches!(self.ahead(1), Kind::Sign(".." | "+" | "-" | "*" | "/" | "%" | "<<" | ">>"))
    }

    fn function(&mut self) -> Read<Function> {
        let long = if self.is("function") { "endfunction" } else { "endprocedure" };
        self.bump();
        let name = self.name("the name of the function")?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.is(")") {
            let by_reference = self.take("var");
            params.push(Param { by_reference, decl: self.var_decl()? });
            while self.take(";") || self.take(",") {}
        }
        self.expect(")")?;
        let result = if self.take(":") { Some(self.type_expr()?) } else { None };
        self.take(";");
        let decls = self.decls();
        self.take("begin");
        let body = self.statements();
        if !self.take("endfunction") && !self.take("endprocedure") {
            self.end(long)?;
        }
        self.take(";");
        Ok(Function { name, params, result, decls, body })
    }

    fn rules(&mut self, long: &'static str) -> Read<Vec<Rule>> {
        let mut rules = Vec::new();
        while !self.is("end") && !self.is(long) && self.kind() != &Kind::End {
            if !self.take(";") {
                rules.push(self.rule()?);
            }
        }
        self.end(long)?;
        self.take(";");
        Ok(rules)
    }

    fn rule(&mut self) -> Read<Rule> {
        self.deeper(|parser| {
            let start = parser.span();
            let kind = parser.rule_kind()?;
            Ok(Rule { span: parser.since(start), kind })
        })
    }

    fn rule_kind(&mut self) -> Read<RuleKind> {
        if self.take("ruleset") {
            return Ok(RuleKind::Ruleset(self.quantifiers()?, self.rules("endruleset")?));
        }
        if self.take("alias") {
            let aliases = self.aliases()?;
            self.expect_do()?;
            return Ok(RuleKind::Alias(aliases, self.rules("endalias")?));
        }
        if self.take("choose") {
            let name = self.name("a name for the element")?;
            self.expect(":")?;
            let bag = self.designator()?;
            self.expect_do()?;
            return Ok(RuleKind::Choose(name, bag, self.rules("endchoose")?));
        }
        if self.take("startstate") {
            self.string();
            let decls = self.decls();
            self.take("begin");
            self.in_start = true;
            let body = self.statements();
            self.in_start = false;
            self.end("endstartstate")?;
            self.take(";");
            return Ok(RuleKind::Start { decls, body });
        }
        if self.take("rule") {
            return self.simple_rule();
        }
        let kind = match self.kind() {
            Kind::Keyword("invariant" | "assert") => PropertyKind::Invariant,
            Kind::Keyword("assume") => PropertyKind::Assume,
            Kind::Keyword("cover") => PropertyKind::Cover,
            Kind::Keyword("liveness") => PropertyKind::Liveness,
            _ => return self.unexpected("a declaration, a function or a rule"),
        };
        self.bump();
        let name = self.string();
        let body = self.expr()?;
        let name = name.or_else(|| self.string());
        self.take(";");
        Ok(RuleKind::Property { kind, name, body })
    }

    fn simple_rule(&mut self) -> Read<RuleKind> {
        let priority = match (self.kind().clone(), self.ahead(1)) {
            (Kind::Int(number), Kind::Str(_) | Kind::Name(_) | Kind::Keyword(_) | Kind::Sign("(" | "!")) => {
                self.bump();
                number
            }
            _ => 0,
        };
        let name = self.string();
        let begins = ["begin", "const", "type", "var", "end", "endrule"];
        let guard = match self.is_one_of(&begins) || self.starts_statement() {
            true => None,
            false => Some(self.expr()?),
        };
        if guard.is_some() {
            self.expect("==>")?;
        }
        let decls = self.decls();
        self.take("begin");
        let body = self.statements();
        self.end("endrule")?;
        self.take(";");
        Ok(RuleKind::Simple { name, guard, priority, decls, body })
    }

    /// Whether what follows is a statement rather than a guard: there is no `==>` before its end.
    fn starts_statement(&self) -> bool {
        let rest = &self.tokens[self.at..];
        let stop = |token: &&Token| matches!(token.kind, Kind::Sign("==>" | ";") | Kind::End);
        rest.iter().find(stop).is_none_or(|token| token.kind != Kind::Sign("==>"))
    }

    fn aliases(&mut self) -> Read<Vec<(Name, Expr)>> {
        let mut aliases = Vec::new();
        loop {
            let names = self.names("a name")?;
            self.expect(":")?;
            let expr = self.expr()?;
            aliases.extend(names.into_iter().map(|name| (name, expr.clone())));
            while self.take(";") {}
            if !matches!(self.kind(), Kind::Name(_)) {
                return Ok(aliases);
            }
        }
    }

    /// Names and what they range over, with the `do` behind them.
    fn quantifiers(&mut self) -> Read<Vec<Quantifier>> {
        let mut quantifiers = vec![self.quantifier()?];
        while self.take(";") {
            quantifiers.push(self.quantifier()?);
        }
        self.expect_do()?;
        Ok(quantifiers)
    }

    /// `do`, or what CMurphi takes for it.
    fn expect_do(&mut self) -> Read<()> {
        if self.take(":") { Ok(()) } else { self.expect("do") }
    }

    fn quantifier(&mut self) -> Read<Quantifier> {
        let name = self.name("a name")?;
        if self.take(":=") {
            let from = self.expr()?;
            self.expect("to")?;
            let to = self.expr()?;
            let by = if self.take("by") { Some(self.expr()?) } else { None };
            return Ok(Quantifier { name, domain: Domain::Steps { from, to, by } });
        }
        self.expect(":")?;
        Ok(Quantifier { name, domain: Domain::Type(self.type_expr()?) })
    }

    // Statements.

    /// Statements up to something that is none.
    fn statements(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        loop {
            match self.kind() {
                Kind::End => return statements,
                Kind::Keyword(word)
                    if word.starts_with("end")
                        || ["else", "elsif", "case", "rule", "startstate", "ruleset"].contains(word) =>
                {
                    return statements;
                }
                Kind::Sign(";") => self.bump(),
                _ => {
                    let before = self.at;
                    match self.deeper(Self::statement) {
                        Ok(statement) => statements.push(statement),
                        Err(Failed) => {
                            if self.at == before {
                                self.bump();
                            }
                            self.recover("end endrule endif endfor else elsif rule endfunction", true);
                            continue;
                        }
                    }
                    let ends = matches!(self.kind(), Kind::Keyword(word) if word.starts_with("end") || word.starts_with("els") || *word == "case");
                    if !self.take(";") && !ends {
                        let _: Read<()> = self.unexpected("`;`");
                    }
                }
            }
        }
    }

    fn statement(&mut self) -> Read<Stmt> {
        let start = self.span();
        let kind = match self.kind().clone() {
            Kind::Keyword(word) => {
                self.bump();
                self.keyword_statement(word)?
            }
            Kind::Name(_) if matches!(self.ahead(1), Kind::Sign("(")) => {
                let name = self.name("a procedure")?;
                StmtKind::Call(name, self.arguments()?)
            }
            _ => {
                let target = self.designator()?;
                if !self.take(":=") {
                    return self.unexpected("`:=`");
                }
                StmtKind::Assign(target, self.expr()?)
            }
        };
        Ok(Stmt { span: self.since(start), kind })
    }

    fn keyword_statement(&mut self, word: &'static str) -> Read<StmtKind> {
        Ok(match word {
            "clear" => StmtKind::Clear(self.designator()?),
            "undefine" => StmtKind::Undefine(self.designator()?),
            "if" => self.if_statement()?,
            "switch" => self.switch()?,
            "for" => {
                let (start, mut quantifiers) = (self.span(), self.quantifiers()?);
                let body = self.statements();
                self.end("endfor")?;
                let Some(first) = quantifiers.drain(..1).next() else { return Err(Failed) };
                let span = self.since(start);
                let nested = |body, quantifier| vec![Stmt { span, kind: StmtKind::For(quantifier, body) }];
                StmtKind::For(first, quantifiers.into_iter().rev().fold(body, nested))
            }
            "while" => {
                let condition = self.expr()?;
                self.expect_do()?;
                let body = self.statements();
                self.end("endwhile")?;
                StmtKind::While(condition, body)
            }
            "alias" => {
                let aliases = self.aliases()?;
                self.expect_do()?;
                let body = self.statements();
                self.end("endalias")?;
                StmtKind::Alias(aliases, body)
            }
            "assert" | "assume" | "cover" => {
                let before = self.string();
                let condition = self.expr()?;
                let message = before.or_else(|| self.string());
                match word {
                    "assert" => StmtKind::Assert(condition, message.map(|name| name.text)),
                    "cover" => StmtKind::Cover(condition, message),
                    _ if self.in_start => StmtKind::Assume(condition),
                    _ => {
                        let span = condition.span;
                        let excluded =
                            Expr { span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)) };
                        StmtKind::If(vec![(excluded, vec![Stmt { span, kind: StmtKind::Drop }])], Vec::new())
                    }
                }
            }
            "error" => StmtKind::Error(self.string().map(|name| name.text)),
            "put" => StmtKind::Put(match self.string() {
                Some(text) => PutKind::Text(text.text),
                None => PutKind::Value(self.expr()?),
            }),
            "return" => {
                let ends =
                    self.is(";") || matches!(self.kind(), Kind::Keyword(word) if word.starts_with("end"));
                StmtKind::Return(if ends { None } else { Some(self.expr()?) })
            }
            "multisetadd" | "multisetremove" => {
                self.expect("(")?;
                let first = self.expr()?;
                self.expect(",")?;
                let bag = self.designator()?;
                self.expect(")")?;
                if word == "multisetadd" { StmtKind::Add(first, bag) } else { StmtKind::Remove(first, bag) }
            }
            "multisetremovepred" => {
                let (name, bag, condition) = self.picked()?;
                StmtKind::RemoveIf(name, bag, condition)
            }
            _ => {
                self.at -= 1;
                return self.unexpected("a statement");
            }
        })
    }

    /// `(i: m, condition)`
    fn picked(&mut self) -> Read<(Name, Expr, Expr)> {
        self.expect("(")?;
        let name = self.name("a name for the element")?;
        self.expect(":")?;
        let bag = self.designator()?;
        self.expect(",")?;
        let condition = self.expr()?;
        self.expect(")")?;
        Ok((name, bag, condition))
    }

    fn if_statement(&mut self) -> Read<StmtKind> {
        let mut cases = Vec::new();
        loop {
            let condition = self.expr()?;
            self.expect("then")?;
            cases.push((condition, self.statements()));
            if !self.take("elsif") {
                break;
            }
        }
        let otherwise = if self.take("else") { self.statements() } else { Vec::new() };
        self.end("endif")?;
        Ok(StmtKind::If(cases, otherwise))
    }

    fn switch(&mut self) -> Read<StmtKind> {
        let value = self.expr()?;
        let mut cases = Vec::new();
        while self.take("case") {
            let mut values = vec![self.expr()?];
            while self.take(",") {
                values.push(self.expr()?);
            }
            self.expect(":")?;
            cases.push((values, self.statements()));
        }
        let otherwise = if self.take("else") { self.statements() } else { Vec::new() };
        self.end("endswitch")?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }

    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.is(")") {
            arguments.push(self.expr()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    // Expressions, from the loosest operator to the tightest.

    fn expr(&mut self) -> Read<Expr> {
        self.deeper(|parser| {
            let start = parser.span();
            let condition = parser.implication()?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let then = parser.expr()?;
            parser.expect(":")?;
            let otherwise = parser.expr()?;
            let kind = ExprKind::Conditional(Box::new([condition, then, otherwise]));
            Ok(Expr { span: parser.since(start), kind })
        })
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr { span: left.span.to(right.span), kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) }
    }

    fn implication(&mut self) -> Read<Expr> {
        let left = self.level(0)?;
        for (sign, op) in [("->", BinaryOp::Implies), ("<->", BinaryOp::Iff)] {
            if self.take(sign) {
                let right = self.deeper(Self::implication)?;
                return Ok(self.binary(op, left, right));
            }
        }
        Ok(left)
    }

    /// Operators between, from the loosest to the tightest, as Rumur has them.
    fn level(&mut self, level: usize) -> Read<Expr> {
        const LEVELS: [&[(&str, BinaryOp)]; 8] = [
            &[("||", BinaryOp::Or)],
            &[("&&", BinaryOp::And)],
            &[("|", BinaryOp::Or)],
            &[("^", BinaryOp::BitXor)],
            &[("&", BinaryOp::And)],
            &[("<<", BinaryOp::ShiftLeft), (">>", BinaryOp::ShiftRight)],
            &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
            &[("*", BinaryOp::Mul), ("/", BinaryOp::Div), ("%", BinaryOp::Rem)],
        ];
        let tighter = |parser: &mut Self| match level + 1 {
            SHIFT => parser.until(),
            8 => parser.unary(),
            level => parser.level(level),
        };
        let mut left = tighter(self)?;
        while let Some((_, op)) = LEVELS[level].iter().find(|(sign, _)| self.take(sign)) {
            let right = tighter(self)?;
            left = self.binary(*op, left, right);
        }
        Ok(left)
    }

    fn until(&mut self) -> Read<Expr> {
        let left = self.negation()?;
        let word = match self.kind() {
            Kind::Name(name) if self.mode != Mode::Plain => {
                ["U", "R", "W", "M"].into_iter().find(|it| it == name)
            }
            _ => None,
        };
        let Some(word) = word else { return Ok(left) };
        self.bump();
        let right = self.deeper(Self::until)?;
        let span = left.span.to(right.span);
        Ok(Expr { span, kind: ExprKind::Until(word, Box::new(left), Box::new(right)) })
    }

    /// `!` and temporal operators bind looser than comparisons.
    fn negation(&mut self) -> Read<Expr> {
        let start = self.span();
        if self.take("!") {
            let inner = self.deeper(Self::negation)?;
            return Ok(Expr {
                span: self.since(start),
                kind: ExprKind::Unary(UnaryOp::Not, Box::new(inner)),
            });
        }
        let known: &[&'static str] = match self.mode {
            Mode::Plain => &[],
            Mode::Ltl => &["G", "F", "X"],
            Mode::Ctl => &["AG", "AF", "AX", "EG", "EF", "EX"],
        };
        if let Kind::Name(name) = self.kind().clone() {
            if let Some(word) = known.iter().find(|word| **word == name) {
                self.bump();
                let inner = self.deeper(Self::negation)?;
                return Ok(Expr { span: self.since(start), kind: ExprKind::Temporal(word, Box::new(inner)) });
            }
            let path = if name == "A" { "A" } else { "E" };
            if self.mode == Mode::Ctl && name == path && matches!(self.ahead(1), Kind::Sign("[")) {
                self.bump();
                self.bump();
                let inner = self.expr()?;
                self.expect("]")?;
                return Ok(Expr { span: self.since(start), kind: ExprKind::Path(path, Box::new(inner)) });
            }
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Read<Expr> {
        const OPS: &[(&str, BinaryOp)] = &[
            ("=", BinaryOp::Equal),
            ("==", BinaryOp::Equal),
            ("!=", BinaryOp::Unequal),
            ("<", BinaryOp::Less),
            ("<=", BinaryOp::AtMost),
            (">", BinaryOp::Greater),
            (">=", BinaryOp::AtLeast),
        ];
        let left = self.level(SHIFT)?;
        for (sign, op) in OPS {
            if self.take(sign) {
                let right = if self.is("!") { self.negation()? } else { self.level(SHIFT)? };
                return Ok(self.binary(*op, left, right));
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        for (sign, op) in [("-", UnaryOp::Minus), ("~", UnaryOp::BitNot), ("!", UnaryOp::Not)] {
            if self.take(sign) {
                let inner = self.deeper(Self::unary)?;
                return Ok(Expr { span: self.since(start), kind: ExprKind::Unary(op, Box::new(inner)) });
            }
        }
        if self.take("+") {
            return self.deeper(Self::unary);
        }
        self.designator()
    }

    /// A primary with fields and indices.
    fn designator(&mut self) -> Read<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        let mut depth = 0;
        loop {
            let kind = if self.take(".") {
                ExprKind::Field(Box::new(expr), self.name("the name of a field")?)
            } else if self.take("[") {
                let index = self.expr()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else {
                return Ok(expr);
            };
            expr = Expr { span: self.since(start), kind };
            depth += 1;
            if depth > MAX_DEPTH {
                return self.error(start, format!("more than {MAX_DEPTH} things are inside each other"));
            }
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let start = self.span();
        let kind = match self.kind().clone() {
            Kind::Int(value) => {
                self.bump();
                ExprKind::Int(value)
            }
            Kind::Name(_) if matches!(self.ahead(1), Kind::Sign("(")) => {
                let name = self.name("a function")?;
                ExprKind::Call(name, self.arguments()?)
            }
            Kind::Name(name) => {
                self.bump();
                ExprKind::Name(name)
            }
            Kind::Sign("(") => {
                self.bump();
                let inner = self.expr()?;
                self.expect(")")?;
                return Ok(Expr { span: self.since(start), kind: inner.kind });
            }
            Kind::Keyword(word) => {
                self.bump();
                self.keyword_primary(word)?
            }
            _ => return self.unexpected("an expression"),
        };
        Ok(Expr { span: self.since(start), kind })
    }

    fn keyword_primary(&mut self, word: &'static str) -> Read<ExprKind> {
        Ok(match word {
            "true" | "false" => ExprKind::Bool(word == "true"),
            "forall" | "exists" => {
                let quantifiers = self.quantifiers()?;
                let (start, body) = (self.span(), self.expr()?);
                self.end(if word == "forall" { "endforall" } else { "endexists" })?;
                let span = self.since(start);
                let nested = |body, quantifier| {
                    let (quantifier, body) = (Box::new(quantifier), Box::new(body));
                    Expr { span, kind: ExprKind::Quantified { all: word == "forall", quantifier, body } }
                };
                quantifiers.into_iter().rev().fold(body, nested).kind
            }
            "isundefined" => {
                self.expect("(")?;
                let inner = self.designator()?;
                self.expect(")")?;
                ExprKind::IsUndefined(Box::new(inner))
            }
            "ismember" => {
                self.expect("(")?;
                let inner = self.expr()?;
                self.expect(",")?;
                let ty = self.type_expr()?;
                self.expect(")")?;
                ExprKind::IsMember(Box::new(inner), Box::new(ty))
            }
            "multisetcount" => {
                let (name, bag, condition) = self.picked()?;
                ExprKind::Count(name, Box::new(bag), Box::new(condition))
            }
            _ => {
                self.at -= 1;
                return self.unexpected("an expression");
            }
        })
    }
}
