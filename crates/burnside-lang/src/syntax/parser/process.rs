//! Processes, their members, and rules.

use super::Parser;
use super::recover::starts_member;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::ast::{
    Binder, Expr, FairSet, Fairness, Field, Index, Member, MemberKind, Name, Process, Rule,
};
use crate::syntax::token::TokenKind;

/// The word that makes only steps count that change something.
const CHANGING: &str = "changing";
/// The word before the priority of a rule.
const PRIORITY: &str = "priority";

impl Parser<'_> {
    /// `fair` or `strong fair`, perhaps with `changing`, if it is there.
    pub(super) fn fairness(&mut self) -> Option<Fairness> {
        let start = self.span();
        let strong = self.eat(TokenKind::Strong);
        if strong && !self.at(TokenKind::Fair) {
            let message = format!("expected `fair`, found {}", self.found());
            let help = "write `strong fair`";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
        } else if !self.eat(TokenKind::Fair) {
            return None;
        } else if self.at(TokenKind::Strong) {
            let message = "`strong` stands before `fair`";
            self.error_here(
                Diagnostic::error(Code::UnexpectedToken, self.span(), message).help("write `strong fair`"),
            );
            self.bump();
        }
        let changing = self.at_changing();
        if changing {
            self.bump();
        }
        Some(Fairness { span: self.since(start), strong, changing })
    }

    /// Whether the word `changing` stands here and is no name: a set of rules may be called so too.
    fn at_changing(&self) -> bool {
        self.text() == CHANGING && self.peek_at(1) != TokenKind::LParen
    }

    /// `answer(c: Client) { grant(c, _), refuse(c) }`, after how fair it is.
    pub(super) fn fair_set(&mut self, fairness: Fairness) -> FairSet {
        let name = self.peek().is_name().then(|| self.name("the name of a set of rules"));
        let params = match self.at(TokenKind::LParen) {
            true => self.set_params(name.is_some()),
            false => Vec::new(),
        };
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_to_member();
            return FairSet { fairness, name, params, members: Vec::new() };
        };
        let members = self.list(TokenKind::RBrace, |parser| parser.expr());
        self.close(open, "`,` or ");
        FairSet { fairness, name, params, members }
    }

    fn set_params(&mut self, named: bool) -> Vec<Field> {
        if !named {
            let message = "a set of rules with parameters has a name";
            let help = "write `fair NAME(a: T) { … }`: reports call its units so";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
        }
        let open = self.pos;
        self.bump();
        let params = self.fields(TokenKind::RParen, "the name of a parameter");
        self.close(open, "`,` or ");
        self.few(params, "parameters stand")
    }

    /// Whether a set of rules stands behind `fair`.
    pub(super) fn at_fair_set(&self) -> bool {
        matches!(self.peek(), TokenKind::LBrace | TokenKind::LParen)
            || (self.peek().is_name() && matches!(self.peek_at(1), TokenKind::LBrace | TokenKind::LParen))
    }

    pub(super) fn process(&mut self, fairness: Option<Fairness>) -> Process {
        self.bump();
        let name = self.name("the name of a process");
        let imported = self.at(TokenKind::Dot);
        if imported {
            self.process_over_imported(&name);
        }
        let mut indices = self.indices();
        if imported {
            // What the index is of has been said.
            let unknown = self.no_type();
            for index in &mut indices {
                index.ty.get_or_insert_with(|| unknown.clone());
            }
        }
        let members = self.members();
        Process { fairness, name, indices, members }
    }

    /// `process lib.Client[c] { … }`
    fn process_over_imported(&mut self, first: &Name) {
        let message = "a process has a name of its own, without a dot";
        let mut path = first.text.clone();
        let dot = self.span();
        while self.eat(TokenKind::Dot) {
            path = format!("{path}.{}", self.name("the name of a type").text);
        }
        let last = path.rsplit('.').next().unwrap_or_default();
        let help = format!("for a family over a type of another file: `process {last}[i: {path}] {{ … }}`");
        self.error(Diagnostic::error(Code::UnexpectedToken, dot, message).help(help));
    }

    fn indices(&mut self) -> Vec<Index> {
        if !self.at(TokenKind::LBracket) {
            return Vec::new();
        }
        let open = self.pos;
        self.bump();
        let indices = self.list(TokenKind::RBracket, |parser| parser.index());
        if indices.is_empty() {
            self.unexpected("the name of an index");
        }
        self.close(open, "`,` or ");
        self.few(indices, "indices stand")
    }

    fn index(&mut self) -> Index {
        let name = self.name("the name of an index");
        let ty = self.eat(TokenKind::Colon).then(|| self.ty());
        Index { name, ty }
    }

    fn members(&mut self) -> Vec<Member> {
        let mut members = Vec::new();
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_to_item();
            return members;
        };
        let closed = self.delimiters.partner(open).is_some();
        while !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof) {
            let before = self.pos;
            if self.at_item() && !starts_member(self.peek()) {
                if !closed {
                    break;
                }
                self.misplaced_item();
            } else if starts_member(self.peek()) {
                if self.at_fair_process() && !closed {
                    break;
                }
                members.extend(self.member(Some(open)));
            } else {
                self.no_member();
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close_here(open, "");
        members
    }

    fn at_fair_process(&self) -> bool {
        let mut after = if self.at(TokenKind::Strong) { 2 } else { 1 };
        after += usize::from(self.text_at(after) == CHANGING);
        matches!(self.peek(), TokenKind::Fair | TokenKind::Strong)
            && self.peek_at(after) == TokenKind::Process
    }

    /// A declaration inside a process: reported, and skipped.
    fn misplaced_item(&mut self) {
        let message = format!("`{}` cannot stand inside a process", self.text());
        let help = "move it out of the process; or is a `}` missing above?";
        self.error_here(Diagnostic::error(Code::MisplacedItem, self.span(), message).help(help));
        while matches!(self.bump().kind, TokenKind::Strong | TokenKind::Fair) {}
        self.skip_statement();
    }

    fn no_member(&mut self) {
        if self.at(TokenKind::Semi) {
            self.stray_semicolon();
            return;
        }
        self.unexpected("`var`, `locations`, `at` or `rule`");
        self.skip_statement();
    }

    /// A member of a process; at the top level (without the place of the opening brace) only for recovery.
    pub(super) fn member(&mut self, process: Option<usize>) -> Option<Member> {
        let start = self.span();
        let errors = self.errors;
        let kind = match self.peek() {
            TokenKind::Var => {
                let var = self.var();
                self.semicolon(errors);
                MemberKind::Var(var)
            }
            TokenKind::Locations => {
                self.bump();
                let names = self.names("the name of a location");
                self.semicolon(errors);
                MemberKind::Locations(names)
            }
            TokenKind::At => self.at_member(),
            _ => {
                if process.is_some() && self.at_fair_process() {
                    self.misplaced_item();
                    return None;
                }
                let fairness = self.fairness();
                match fairness.filter(|_| self.at_fair_set()) {
                    Some(fairness) => MemberKind::Fair(self.fair_set(fairness)),
                    None => MemberKind::Rule(self.rule(start, fairness)?),
                }
            }
        };
        let span = self.since(start);
        self.needless_semicolon();
        Some(Member { span, kind })
    }

    /// `at L, M { rules }`
    fn at_member(&mut self) -> MemberKind {
        self.bump();
        let names = self.names("the name of a location");
        let mut rules = Vec::new();
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_to_member();
            return MemberKind::At(names, rules);
        };
        let closed = self.delimiters.partner(open).is_some();
        while !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof) {
            let rule = matches!(self.peek(), TokenKind::Rule | TokenKind::Fair | TokenKind::Strong);
            if rule && !self.at_fair_process() {
                let (start, fairness) = (self.span(), self.fairness());
                rules.extend(self.rule(start, fairness));
                self.needless_semicolon();
            } else if self.at(TokenKind::Semi) {
                self.stray_semicolon();
            } else if closed && !self.at_item() {
                self.no_rule();
            } else {
                break;
            }
        }
        self.close_here(open, "`rule` or ");
        MemberKind::At(names, rules)
    }

    /// Reports and skips something that cannot stand in `at L { … }`.
    fn no_rule(&mut self) {
        self.unexpected("`rule` or `}`");
        self.bump();
        self.skip_statement();
    }

    /// A rule after its fairness.
    fn rule(&mut self, start: Span, fairness: Option<Fairness>) -> Option<Rule> {
        if !self.expect(TokenKind::Rule) {
            self.skip_to_member();
            return None;
        }
        let name = self.name("the name of a rule");
        let params = self.params();
        let priority = self.priority();
        let at = self.rule_at();
        let guard = self.eat(TokenKind::When).then(|| self.condition());
        if self.at(TokenKind::At) {
            let message = "`at` stands before `when`";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message));
            self.rule_at();
        }
        let missing = !self.at(TokenKind::LBrace);
        let body = self.block();
        if missing {
            self.skip_to_member();
        }
        Some(Rule { span: self.since(start), fairness, name, params, priority, at, guard, body })
    }

    /// `priority 2`, if it is there.
    fn priority(&mut self) -> Option<Expr> {
        (self.text() == PRIORITY).then(|| {
            self.bump();
            self.condition()
        })
    }

    fn params(&mut self) -> Vec<Binder> {
        if !self.at(TokenKind::LParen) {
            return Vec::new();
        }
        let open = self.pos;
        self.bump();
        let params = self.list(TokenKind::RParen, |parser| parser.binder());
        self.close(open, "`,` or ");
        self.few_names(params)
    }

    fn rule_at(&mut self) -> Vec<Name> {
        if self.eat(TokenKind::At) { self.names("the name of a location") } else { Vec::new() }
    }
}
