//! Statements and blocks.

use super::Parser;
use super::foreign::{FOR, IF, no_effect};
use super::recover::starts_member;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Block, Expr, ExprKind, Initial, Stmt, StmtKind, Var};
use crate::syntax::token::TokenKind;
use burnside_logic::Climb;
use burnside_logic::operator::IFF;

impl Parser<'_> {
    /// `{ statements }`
    pub(super) fn block(&mut self) -> Block {
        let start = self.span();
        let Some(open) = self.open(TokenKind::LBrace) else {
            return Block { span: self.no_name().span, statements: Vec::new() };
        };
        let mut statements = Vec::new();
        while !self.at_block_end() {
            let before = self.pos;
            if self.at(TokenKind::Semi) {
                self.stray_semicolon();
            } else {
                statements.push(self.statement());
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close_here(open, "");
        Block { span: self.since(start), statements }
    }

    /// `{ statements value }`
    pub(super) fn block_with_value(&mut self) -> Expr {
        let start = self.span();
        let Some(open) = self.open(TokenKind::LBrace) else { return self.no_expr() };
        let mut statements = Vec::new();
        while !self.at_block_end() && !self.at_value(open) {
            let before = self.pos;
            if self.at(TokenKind::Semi) {
                self.stray_semicolon();
            } else {
                statements.push(self.statement());
            }
            if self.pos == before {
                self.bump();
            }
        }
        let value = Box::new(self.expr());
        self.close(open, "");
        Expr { span: self.since(start), kind: ExprKind::Block(statements, value) }
    }

    /// Whether a statement stands there and no value: a local variable, or one that no function should have,
    /// about which the checker has more to say.
    pub(super) fn starts_statement(&self, ahead: usize) -> bool {
        let mut at = self.pos + ahead;
        match self.tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Var | TokenKind::For) => return true,
            Some(kind) if kind.is_name() => at += 1,
            _ => return false,
        }
        while let Some(token) = self.tokens.get(at) {
            at = match token.kind {
                TokenKind::LBracket => self.delimiters.partner(at).unwrap_or(at) + 1,
                TokenKind::Dot if self.tokens.get(at + 1).is_some_and(|next| next.kind.is_name()) => at + 2,
                TokenKind::Bang => at + 1,
                kind => return kind == TokenKind::Assign,
            }
        }
        false
    }

    /// Whether the rest of a block is its value: no statement of it ends behind this.
    fn at_value(&self, open: usize) -> bool {
        let close = self.delimiters.partner(open).unwrap_or(self.tokens.len());
        let mut at = self.pos;
        while at < close {
            let inside = match self.tokens[at].kind {
                TokenKind::Semi => return false,
                TokenKind::LBrace => self.delimiters.has_semicolon(at),
                _ => false,
            };
            if inside {
                return false;
            }
            at = self.delimiters.partner(at).unwrap_or(at) + 1;
        }
        !matches!(self.peek(), TokenKind::For)
    }

    /// Whether no statement can follow: the end, or something that only stands outside of blocks.
    fn at_block_end(&self) -> bool {
        let kind = self.peek();
        let outside = self.at_item() || (starts_member(kind) && kind != TokenKind::Var);
        matches!(kind, TokenKind::RBrace | TokenKind::Eof)
            || (outside && self.peek_at(1) != TokenKind::Assign)
    }

    fn statement(&mut self) -> Stmt {
        let outer = self.enter();
        let start = self.span();
        let errors = self.errors;
        let kind = match self.peek() {
            TokenKind::If if self.peek_at(1) == TokenKind::Colon => self.worded(IF),
            TokenKind::If => self.if_stmt(),
            TokenKind::For => self.for_stmt(),
            TokenKind::Match if self.at_match() => self.match_stmt(),
            TokenKind::Ident if self.at_foreign_word() => self.foreign_stmt(),
            _ => {
                let kind = self.simple_stmt(errors);
                self.semicolon(errors);
                kind
            }
        };
        self.leave(outer);
        let span = self.since(start);
        if matches!(kind, StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::Match { .. }) {
            self.needless_semicolon();
        }
        Stmt { span, kind }
    }

    /// A statement that ends with `;`, which is not taken.
    fn simple_stmt(&mut self, errors: usize) -> StmtKind {
        match self.peek() {
            TokenKind::Let => self.let_stmt(),
            TokenKind::Var => StmtKind::Var(self.var()),
            TokenKind::Assert => self.assert_stmt(),
            TokenKind::Assume => {
                self.bump();
                StmtKind::Assume(self.expr())
            }
            TokenKind::Goto => {
                self.bump();
                StmtKind::Goto(self.name("the name of a location"))
            }
            _ => self.target_stmt(errors),
        }
    }

    fn let_stmt(&mut self) -> StmtKind {
        self.bump();
        let name = self.bound_name();
        let ty = self.eat(TokenKind::Colon).then(|| self.ty());
        self.assign();
        StmtKind::Let { name, ty, value: self.initial() }
    }

    /// `var x: T = e`, without the `;`
    pub(super) fn var(&mut self) -> Var {
        self.bump();
        let name = self.name("the name of a variable");
        if self.at(TokenKind::Comma) {
            let message = "expected `:` and a type, found `,`";
            let help = "declare one variable at a time";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
            while self.eat(TokenKind::Comma) {
                self.name("the name of a variable");
            }
        }
        let ty = if self.eat(TokenKind::Colon) {
            self.ty()
        } else {
            self.unexpected("`:` and a type");
            self.no_type()
        };
        let value = matches!(self.peek(), TokenKind::Assign | TokenKind::ColonAssign).then(|| {
            self.assign();
            self.initial()
        });
        Var { name, ty, value }
    }

    /// `=`; other signs for it are reported and taken.
    pub(super) fn assign(&mut self) -> bool {
        match self.peek() {
            TokenKind::ColonAssign | TokenKind::Eq => {
                let message = format!("expected `=`, found {}", self.found());
                let help = "did you mean `=`?";
                self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
                self.bump();
                true
            }
            _ => self.expect(TokenKind::Assign),
        }
    }

    /// `e`, `any` or `any in e`
    pub(super) fn initial(&mut self) -> Initial {
        let start = self.span();
        if !self.eat(TokenKind::Any) {
            return Initial::Expr(self.expr());
        }
        if self.eat(TokenKind::In) {
            let collection = self.expr();
            return Initial::AnyIn(self.since(start), collection);
        }
        Initial::Any(start)
    }

    fn assert_stmt(&mut self) -> StmtKind {
        self.bump();
        let condition = self.expr();
        let message = self.eat(TokenKind::Comma).then(|| self.string());
        StmtKind::Assert { condition, message }
    }

    fn string(&mut self) -> String {
        if !self.at(TokenKind::Str) {
            self.unexpected("a string");
            return String::new();
        }
        let text = self.bump().span.text(self.source);
        let text = text.strip_prefix('"').unwrap_or(text);
        text.strip_suffix('"').unwrap_or(text).to_owned()
    }

    pub(super) fn if_stmt(&mut self) -> StmtKind {
        self.bump();
        let condition = self.condition();
        if self.text() == "then" {
            return self.worded(IF);
        }
        let then = self.body();
        if self.at(TokenKind::Ident) && matches!(self.text(), "elsif" | "elif" | "elseif") {
            return self.elsif(condition, then);
        }
        let otherwise = self.eat(TokenKind::Else).then(|| {
            if self.at(TokenKind::If) {
                let statement = self.statement();
                Block { span: statement.span, statements: vec![statement] }
            } else {
                self.body()
            }
        });
        StmtKind::If { condition, then, otherwise }
    }

    fn for_stmt(&mut self) -> StmtKind {
        if self.peek_at(1) == TokenKind::LParen {
            self.bump();
            let message = "expected a name, found `(`";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(FOR));
            self.skip_token();
            self.body();
            return StmtKind::Error;
        }
        self.bump();
        let binders = self.binders();
        let filter = self.filter();
        if self.text() == "do" {
            return self.worded(FOR);
        }
        let body = self.body();
        self.wrap_names(&binders);
        StmtKind::For { binders, filter, body }
    }

    /// A block in a statement: if it is missing, the rest of the statement is skipped.
    pub(super) fn body(&mut self) -> Block {
        let missing = !self.at(TokenKind::LBrace);
        let block = self.block();
        if missing {
            self.skip_statement();
        }
        block
    }

    /// A statement that starts with an expression: an assignment or a method call.
    fn target_stmt(&mut self, errors: usize) -> StmtKind {
        if !self.starts_target() {
            self.unexpected("a statement");
            return StmtKind::Error;
        }
        let outer = self.enter();
        let target = self.postfix();
        let kind = match self.peek() {
            TokenKind::Assign | TokenKind::ColonAssign => self.assignment(target),
            TokenKind::Semi => self.method_stmt(target),
            _ => self.not_a_statement(target, errors),
        };
        self.leave(outer);
        kind
    }

    fn starts_target(&self) -> bool {
        use TokenKind::*;
        let kind = self.peek();
        kind.is_name()
            || matches!(kind, Int | LParen | LBracket | LBrace | AtSign | Bang | Minus | True | False | None)
            || (kind.is_keyword() && self.peek_at(1) == Assign)
    }

    fn assignment(&mut self, target: Expr) -> StmtKind {
        if !is_place(&target) {
            let message = "this cannot be assigned to";
            let help = "the left side is a variable with indices, fields or `!`";
            self.error(Diagnostic::error(Code::NotAssignable, target.span, message).help(help));
        }
        self.assign();
        StmtKind::Assign { target, value: self.initial() }
    }

    fn method_stmt(&mut self, target: Expr) -> StmtKind {
        match target.kind {
            ExprKind::Method(target, method, args) => StmtKind::Method { target: *target, method, args },
            ExprKind::Call(name, args) => StmtKind::Call { name, args },
            ExprKind::Error => StmtKind::Error,
            _ => {
                self.error(no_effect(&target));
                StmtKind::Error
            }
        }
    }

    /// Reads on as an expression, to say what was probably meant.
    fn not_a_statement(&mut self, first: Expr, errors: usize) -> StmtKind {
        let names = matches!(&first.kind, ExprKind::Name(_)) && self.at(TokenKind::Ident);
        if names && self.infix().is_none() && !self.on_new_line() {
            self.unexpected("`=`, `.`, `[` or another part of a statement");
            return StmtKind::Error;
        }
        let Ok(expr) = self.links(first, IFF);
        if self.errors > errors {
            return StmtKind::Error;
        }
        match expr.kind {
            ExprKind::Method(..) | ExprKind::Call(..) => return self.method_stmt(expr),
            _ => self.error(no_effect(&expr)),
        }
        StmtKind::Error
    }
}

/// Whether an expression has the form of something that can be assigned to.
fn is_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Error => true,
        ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Unwrap(base) => is_place(base),
        _ => false,
    }
}
