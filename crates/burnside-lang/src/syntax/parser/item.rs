//! Declarations at the top level.

use super::recover::{starts_item, starts_member};
use super::{Parser, hint, types};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Expect, Field, File, Item, ItemKind, Name, Param, Variant};
use crate::syntax::token::TokenKind;

const ITEM_WORDS: &[&str] = &[
    "import",
    "const",
    "type",
    "symmetric",
    "ring",
    "enum",
    "record",
    "var",
    "process",
    "fair",
    "strong",
    "init",
    "fn",
    "proc",
    "invariant",
    "reachable",
    "deadlock",
    "ltl",
    "ctl",
    "never",
    "symmetry",
    "hint",
    "constraint",
    "check",
];

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut items = Vec::new();
        while !self.at(TokenKind::Eof) {
            let before = self.pos;
            items.extend(self.item());
            if self.pos == before {
                self.bump();
            }
        }
        File { items, own: None, lacks: false }
    }

    fn item(&mut self) -> Option<Item> {
        let start = self.span();
        let errors = self.errors;
        let mut expect = None;
        let kind = match self.peek() {
            TokenKind::Fair | TokenKind::Strong => return self.fair_item(),
            TokenKind::Process => ItemKind::Process(self.process(None)),
            TokenKind::Ident if self.at_import() => {
                self.bump();
                let kind = self.import();
                self.semicolon(errors);
                kind?
            }
            kind if starts_item(kind)
                || matches!(
                    kind,
                    TokenKind::Var
                        | TokenKind::Hint
                        | TokenKind::Constraint
                        | TokenKind::Check
                        | TokenKind::Proc
                ) =>
            {
                self.plain_item(errors, &mut expect)
            }
            kind => {
                self.no_item(kind);
                return None;
            }
        };
        let span = self.since(start);
        self.needless_semicolon();
        Some(Item { span, kind, expect })
    }

    /// Everything but processes. What a property expects is put aside.
    fn plain_item(&mut self, errors: usize, expect: &mut Option<Expect>) -> ItemKind {
        let kind = match self.peek() {
            TokenKind::Enum => return self.enumeration(),
            TokenKind::Record => return self.record(),
            TokenKind::Fn => return self.function(),
            TokenKind::Proc => return self.procedure(),
            TokenKind::Init => {
                self.bump();
                return ItemKind::Init(self.block());
            }
            TokenKind::Symmetry => return self.symmetry(),
            TokenKind::Check => return self.check(),
            TokenKind::Never => {
                let property = self.never(errors);
                if self.at(TokenKind::Expect) {
                    *expect = self.expectation();
                    self.semicolon(errors);
                }
                return ItemKind::Property(property);
            }
            TokenKind::Const => self.constant(),
            TokenKind::TypeWord => self.type_item(),
            TokenKind::Symmetric | TokenKind::Ring => self.sort(),
            TokenKind::Var => ItemKind::Var(self.var()),
            TokenKind::Hint => self.hint(),
            TokenKind::Constraint => {
                self.bump();
                ItemKind::Constraint(self.expr())
            }
            _ => {
                let property = self.property();
                *expect = self.expectation();
                ItemKind::Property(property)
            }
        };
        self.semicolon(errors);
        kind
    }

    /// `"lib.orb" as lib` after `import`
    fn import(&mut self) -> Option<ItemKind> {
        if !self.at(TokenKind::Str) {
            let stem = self.text();
            let message = format!("expected the path of a file in quotes, found {}", self.found());
            let help = format!("write `import \"{stem}.orb\";`");
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
            return None;
        }
        let name = self.take_name();
        let path = Name { text: name.text.trim_matches('"').to_string(), span: name.span };
        let is_as = self.text() == "as";
        if !is_as && self.peek().is_name() {
            let message = format!("expected `;`, found {}", self.found());
            let help =
                format!("another name is given with `as`: `import \"{}\" as {};`", path.text, self.text());
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
        }
        if is_as {
            self.bump();
        }
        let named = is_as || self.peek().is_name();
        Some(ItemKind::Import { path, alias: named.then(|| self.name("a name for what is imported")) })
    }

    fn constant(&mut self) -> ItemKind {
        self.bump();
        let name = self.name("the name of a constant");
        let ty = self.eat(TokenKind::Colon).then(|| self.ty());
        let value = match self.at(TokenKind::Semi) && !name.text.is_empty() {
            true => None,
            false => Some(if self.assign() { self.expr() } else { self.no_expr() }),
        };
        ItemKind::Const { name, ty, value }
    }

    fn type_item(&mut self) -> ItemKind {
        self.bump();
        let name = self.name("the name of a type");
        let ty = if self.assign() { self.ty() } else { self.no_type() };
        ItemKind::Type { name, ty }
    }

    fn sort(&mut self) -> ItemKind {
        let ring = self.bump().kind == TokenKind::Ring;
        let name = self.name("the name of a type");
        let size = match self.open(TokenKind::LBracket) {
            Some(open) => {
                let size = self.expr();
                self.close(open, "");
                size
            }
            None => self.no_expr(),
        };
        ItemKind::Sort { ring, name, size }
    }

    fn enumeration(&mut self) -> ItemKind {
        self.bump();
        let name = self.name("the name of an enum");
        let variants = self.braced(|parser| parser.list(TokenKind::RBrace, |p| p.variant()));
        let variants = variants.unwrap_or_default();
        match variants.iter().all(|variant| variant.fields.is_empty()) {
            true => {
                let constants = variants.into_iter().map(|variant| variant.name).collect();
                ItemKind::Enum { name, constants }
            }
            false => ItemKind::Union { name, variants },
        }
    }

    /// `ack`, `request(from: Client)`
    fn variant(&mut self) -> Variant {
        let name = self.name("a constant of the enum");
        let open = self.pos;
        if !self.eat(TokenKind::LParen) {
            return Variant { name, fields: Vec::new() };
        }
        if self.at(TokenKind::RParen) {
            let message = format!("`{}` holds nothing", name.text);
            let help = "remove the parentheses";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
        }
        let fields = self.fields(TokenKind::RParen, "the name of a field");
        self.close(open, "`,` or ");
        Variant { name, fields: self.few(fields, "fields stand") }
    }

    fn record(&mut self) -> ItemKind {
        self.bump();
        let name = self.name("the name of a record");
        let fields = self.braced(|parser| parser.fields(TokenKind::RBrace, "the name of a field"));
        ItemKind::Record { name, fields: fields.unwrap_or_default() }
    }

    /// `{ … }` at the end of a declaration.
    fn braced<T>(&mut self, inside: impl Fn(&mut Self) -> T) -> Option<T> {
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_statement();
            return None;
        };
        let result = inside(self);
        self.close(open, "`,` or ");
        Some(result)
    }

    fn function(&mut self) -> ItemKind {
        let errors = self.errors;
        self.bump();
        let name = self.name("the name of a function");
        let params = match self.open(TokenKind::LParen) {
            Some(open) => {
                let groups = self.list(TokenKind::RParen, |parser| {
                    parser.no_inout();
                    parser.field_group("the name of a parameter")
                });
                self.close(open, "`,` or ");
                self.few(groups.into_iter().flatten().collect(), "parameters stand")
            }
            None => Vec::new(),
        };
        if self.at(TokenKind::LBrace) {
            return self.function_without_value(name, params);
        }
        let result = if self.eat(TokenKind::Colon) {
            self.ty()
        } else {
            self.unexpected("`:` and the type of the result");
            self.no_type()
        };
        let body = if self.at(TokenKind::LBrace) && self.starts_statement(1) {
            self.block_with_value()
        } else if self.at(TokenKind::LBrace) {
            self.block_expr()
        } else if self.at(TokenKind::Assign) || self.at(TokenKind::ColonAssign) {
            self.assign();
            let body = self.expr();
            self.semicolon(errors);
            body
        } else {
            self.unexpected("`= …;` or `{ … }`");
            self.skip_to_item();
            self.no_expr()
        };
        ItemKind::Function { name, params, result, body }
    }

    /// `fn f(inout a: T)`: reported, and taken for `a: T`.
    fn no_inout(&mut self) {
        if self.at(TokenKind::Inout) && self.peek_at(1).is_name() {
            let message = "a function has no `inout` parameters";
            let help = "functions are pure: they change nothing; statements with a name are a procedure: `proc f(inout x: T) { … }`";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
            self.bump();
        }
    }

    /// `fn f() { x = 1; }`: what was meant is a procedure.
    fn function_without_value(&mut self, name: Name, params: Vec<Field>) -> ItemKind {
        let message = format!("the function `{}` has no type of its result", name.text);
        let help = format!(
            "functions are pure: they give a value (`fn {0}(…): T = …;`) and change nothing; statements with a name are a procedure: `proc {0}(…) {{ … }}`",
            name.text
        );
        self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
        let value = !self.delimiters.has_semicolon(self.pos) && self.peek_at(1) != TokenKind::RBrace;
        if value {
            let body = self.block_expr();
            return ItemKind::Function { name, params, result: self.no_type(), body };
        }
        let params = params.into_iter().map(|field| Param { inout: false, field }).collect();
        ItemKind::Proc { name, params, body: self.block() }
    }

    /// `proc p(a: T, inout b, c: U) { … }`
    fn procedure(&mut self) -> ItemKind {
        self.bump();
        let name = self.name("the name of a procedure");
        let params = match self.open(TokenKind::LParen) {
            Some(open) => {
                let groups = self.list(TokenKind::RParen, |parser| parser.param_group());
                self.close(open, "`,` or ");
                self.few(groups.into_iter().flatten().collect(), "parameters stand")
            }
            None => Vec::new(),
        };
        if self.at(TokenKind::Colon) || self.at(TokenKind::Assign) {
            let message = format!("expected `{{`, found {}", self.found());
            let help = "a procedure has no value: give it an `inout` parameter for one, or make it an `fn`";
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
            if self.eat(TokenKind::Colon) {
                self.ty();
            }
        }
        let missing = !self.at(TokenKind::LBrace);
        let body = self.block();
        if missing {
            self.skip_to_item();
        }
        ItemKind::Proc { name, params, body }
    }

    fn param_group(&mut self) -> Vec<Param> {
        let inout = self.at(TokenKind::Inout) && self.peek_at(1).is_name();
        if inout {
            self.bump();
        }
        let fields = self.field_group("the name of a parameter");
        fields.into_iter().map(|field| Param { inout, field }).collect()
    }

    fn fair_item(&mut self) -> Option<Item> {
        let start = self.span();
        let fairness = self.fairness();
        match self.peek() {
            TokenKind::Process => {
                let kind = ItemKind::Process(self.process(fairness));
                let span = self.since(start);
                self.needless_semicolon();
                Some(Item { span, kind, expect: None })
            }
            TokenKind::Rule => {
                self.misplaced_member();
                None
            }
            _ if fairness.is_some() && self.at_fair_set() => {
                let kind = ItemKind::Fair(self.fair_set(fairness?));
                let span = self.since(start);
                self.needless_semicolon();
                Some(Item { span, kind, expect: None })
            }
            _ => {
                self.unexpected("`process`, or rules that are fair together in braces");
                self.skip_to_item();
                None
            }
        }
    }

    /// Reports something that starts no declaration, and skips it.
    fn no_item(&mut self, kind: TokenKind) {
        match kind {
            TokenKind::Semi => self.stray_semicolon(),
            TokenKind::RBrace => self.unmatched_brace(),
            kind if starts_member(kind) => self.misplaced_member(),
            _ => {
                self.unexpected_item();
                self.skip_to_item();
            }
        }
    }

    fn unmatched_brace(&mut self) {
        if !self.misplaced {
            let message = "this `}` closes nothing";
            self.error_here(Diagnostic::error(Code::UnmatchedBrace, self.span(), message));
        }
        self.bump();
    }

    /// `rule`, `at` or `locations` outside of a process: reported, read and forgotten.
    fn misplaced_member(&mut self) {
        let word = self.text();
        let message = format!("`{word}` cannot stand at the top level");
        let help = "put it into a process: `process P { … }`; or is there a `}` too many above?";
        self.misplaced = true;
        self.error_here(Diagnostic::error(Code::MisplacedMember, self.span(), message).help(help));
        self.member(None);
    }

    fn unexpected_item(&mut self) {
        let message = format!("expected a declaration, found {}", self.found());
        let diagnostic = Diagnostic::error(Code::UnexpectedToken, self.span(), message);
        let diagnostic = match self.peek() {
            TokenKind::Let => diagnostic.help("use `const` for a constant, `var` for a variable"),
            TokenKind::Ident => match hint::near_miss(self.text(), ITEM_WORDS) {
                Some(word) => diagnostic.help(format!("did you mean `{word}`?")),
                None => diagnostic,
            },
            TokenKind::UnionWord => diagnostic.help(types::UNION),
            TokenKind::If | TokenKind::For | TokenKind::Assert | TokenKind::Assume => {
                diagnostic.help("statements stand in rules and in `init { … }`")
            }
            _ => diagnostic,
        };
        self.error_here(diagnostic);
    }
}
