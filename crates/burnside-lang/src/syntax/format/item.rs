//! The layout of declarations, processes, rules and properties.

use super::layout::{Command, Layout};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

impl Layout<'_> {
    pub(super) fn file(mut self, file: &File) -> Vec<Command> {
        self.each(&file.items, |layout, item| {
            layout.item(item);
            layout.drop_if(TokenKind::Semi);
        });
        self.finish()
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Import { alias, .. } => {
                self.tokens_spaced(2);
                if alias.is_some() {
                    self.space();
                    self.tokens_spaced(2);
                }
                self.token();
            }
            ItemKind::Const { ty, value, .. } => {
                self.tokens_spaced(2);
                if let Some(ty) = ty {
                    self.typed(ty);
                }
                if let Some(value) = value {
                    self.equals(value);
                }
                self.token();
            }
            ItemKind::Type { ty, .. } => {
                self.tokens_spaced(3);
                self.space();
                self.ty(ty);
                self.token();
            }
            ItemKind::Sort { size, .. } => {
                self.tokens_spaced(2);
                self.token();
                self.expr(size);
                self.tokens(2);
            }
            ItemKind::Enum { constants, .. } => {
                self.tokens_spaced(2);
                self.space();
                self.declared(constants, Layout::fill, |layout, _| layout.token());
            }
            ItemKind::Union { variants, .. } => {
                self.tokens_spaced(2);
                self.space();
                self.declared(variants, Layout::line, |layout, variant| {
                    layout.token();
                    if !variant.fields.is_empty() {
                        layout.bracketed(&variant.fields, |layout, field| layout.field(field));
                    }
                });
            }
            ItemKind::Record { fields, .. } => {
                self.tokens_spaced(2);
                self.space();
                self.declared(fields, Layout::line, |layout, field| layout.field(field));
            }
            ItemKind::Var(var) => {
                self.var(var);
                self.token();
            }
            ItemKind::Function { params, result, body, .. } => self.function(params, result, body),
            ItemKind::Proc { params, body, .. } => {
                self.tokens_spaced(2);
                self.bracketed(params, |layout, param| layout.param(param));
                self.space();
                self.block(body);
            }
            ItemKind::Init(block) => {
                self.token();
                self.space();
                self.block(block);
            }
            ItemKind::Process(process) => self.process(process),
            ItemKind::Fair(set) => self.fair_set(set),
            ItemKind::Symmetry(generators) => {
                self.token();
                self.space();
                self.body_group(|layout| layout.braces(generators, |layout, it| layout.generator(it)));
            }
            ItemKind::Property(property) => self.property(property),
            ItemKind::Hint { body, .. } => {
                self.named_formula(body);
                self.token();
            }
            ItemKind::Constraint(condition) => {
                self.token();
                self.space();
                self.expr(condition);
                self.token();
            }
            ItemKind::Check(entries) => {
                self.token();
                self.space();
                self.body_group(|layout| {
                    layout.braces_with(entries, Layout::fill, |layout, entry| layout.entry(entry))
                });
            }
        }
    }

    /// `N = -2;`
    fn entry(&mut self, entry: &Entry) {
        self.dotted(&entry.key);
        self.space();
        self.token();
        self.space();
        if self.at(TokenKind::Minus) {
            self.token();
        }
        self.tokens(2);
    }

    /// `Node (1 4)(2 3), Side (left right);`
    fn generator(&mut self, generator: &Generator) {
        self.group(|layout| {
            layout.indented(|layout| {
                layout.separated(&generator.parts, Layout::fill, |layout, part| {
                    layout.token();
                    layout.space();
                    part.cycles.iter().for_each(|cycle| layout.cycle(cycle));
                });
            });
            layout.token();
        });
    }

    /// `(1 4)`, with or without commas as it is written.
    fn cycle(&mut self, elements: &[Element]) {
        self.token();
        for at in 0..elements.len() {
            if self.at(TokenKind::Minus) {
                self.token();
            }
            self.token();
            if at + 1 == elements.len() {
                self.drop_if(TokenKind::Comma);
            } else {
                if self.at(TokenKind::Comma) {
                    self.token();
                }
                self.fill();
            }
        }
        self.token();
    }

    fn function(&mut self, params: &[Field], result: &Type, body: &Expr) {
        self.tokens_spaced(2);
        self.bracketed(params, |layout, field| layout.field(field));
        self.typed(result);
        if self.at(TokenKind::LBrace) {
            self.space();
            self.body_group(|layout| layout.block_expr(body));
        } else {
            self.equals(body);
            self.token();
        }
    }

    fn param(&mut self, param: &Param) {
        if self.at(TokenKind::Inout) && param.field.name.text != "inout" {
            self.token();
            self.space();
        }
        self.field(&param.field);
    }

    fn process(&mut self, process: &Process) {
        self.fairness(process.fairness);
        self.tokens_spaced(2);
        if !process.indices.is_empty() {
            self.bracketed(&process.indices, |layout, index| {
                layout.token();
                if let Some(ty) = &index.ty {
                    layout.typed(ty);
                }
            });
        }
        self.space();
        self.group_if(!process.members.is_empty(), |layout| {
            layout.braces(&process.members, |layout, member| {
                layout.member(member);
                layout.drop_if(TokenKind::Semi);
            });
        });
    }

    /// `fair ` or `strong fair `, perhaps with `changing `
    fn fairness(&mut self, fairness: Option<Fairness>) {
        if let Some(fairness) = fairness {
            self.tokens_spaced(1 + usize::from(fairness.strong) + usize::from(fairness.changing));
            self.space();
        }
    }

    /// `fair answer(c: Client) { grant(c, _), refuse(c) }`
    fn fair_set(&mut self, set: &FairSet) {
        self.fairness(Some(set.fairness));
        if set.name.is_some() {
            self.token();
            if self.at(TokenKind::LParen) {
                self.bracketed(&set.params, |layout, field| layout.field(field));
            }
            self.space();
        }
        self.declared(&set.members, Layout::fill, |layout, member| layout.expr(member));
    }

    fn member(&mut self, member: &Member) {
        match &member.kind {
            MemberKind::Var(var) => {
                self.var(var);
                self.token();
            }
            MemberKind::Locations(names) => {
                self.token();
                self.space();
                self.names(names);
                self.token();
            }
            MemberKind::Rule(rule) => self.rule(rule),
            MemberKind::Fair(set) => self.fair_set(set),
            MemberKind::At(names, rules) => {
                self.token();
                self.space();
                self.names(names);
                self.space();
                self.body_group(|layout| {
                    layout.braces(rules, |layout, rule| {
                        layout.rule(rule);
                        layout.drop_if(TokenKind::Semi);
                    });
                });
            }
        }
    }

    /// The head on one line if it fits; else `at`, `when` and the brace each on their own.
    fn rule(&mut self, rule: &Rule) {
        self.group(|layout| {
            layout.fairness(rule.fairness);
            layout.tokens_spaced(2);
            if layout.at(TokenKind::LParen) {
                layout.bracketed(&rule.params, |layout, binder| layout.binder(binder));
            }
            layout.indented(|layout| layout.conditions(rule));
            let bare = rule.priority.is_none() && rule.at.is_empty() && rule.guard.is_none();
            if bare { layout.space() } else { layout.line() }
        });
        self.body_group_like_last(|layout| layout.open_block(&rule.body));
    }

    fn conditions(&mut self, rule: &Rule) {
        if let Some(priority) = &rule.priority {
            self.line();
            self.token();
            self.space();
            self.expr(priority);
        }
        if !rule.at.is_empty() {
            self.line();
            self.token();
            self.space();
            self.names(&rule.at);
        }
        if let Some(guard) = &rule.guard {
            self.line();
            self.token();
            self.space();
            self.expr(guard);
        }
    }

    fn property(&mut self, property: &Property) {
        match property {
            Property::Invariant { body, .. }
            | Property::Reachable { body, .. }
            | Property::Ltl { body, .. }
            | Property::Ctl { body, .. } => self.named_formula(body),
            Property::Never { body, .. } => {
                self.tokens_spaced(2);
                self.space();
                self.braced_sequence(body);
                if !self.at(TokenKind::Expect) {
                    return;
                }
            }
            Property::Deadlock { .. } => self.tokens_spaced(2),
        }
        if self.at(TokenKind::Expect) {
            self.group(|layout| {
                layout.indented(|layout| {
                    layout.line();
                    layout.tokens_spaced(2);
                });
            });
        }
        self.token();
    }

    /// `invariant p = e` and its like.
    fn named_formula(&mut self, body: &Expr) {
        self.tokens_spaced(2);
        self.equals(body);
    }

    fn braced_sequence(&mut self, body: &Sequence) {
        self.group(|layout| {
            layout.token();
            layout.indented(|layout| {
                layout.line();
                match &body.kind {
                    SequenceKind::Then(parts) => {
                        layout.separated(parts, Layout::line, |layout, part| layout.sequence(part));
                    }
                    _ => layout.sequence(body),
                }
                layout.drop_if(TokenKind::Semi);
                layout.comments();
            });
            layout.line();
            layout.token();
        });
    }

    fn sequence(&mut self, sequence: &Sequence) {
        match &sequence.kind {
            SequenceKind::State(expr) => self.expr(expr),
            SequenceKind::Group(inner) => self.braced_sequence(inner),
            SequenceKind::Repeat { body, .. } => {
                self.sequence(body);
                self.repetition();
            }
            SequenceKind::Or(parts) => self.group(|layout| {
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        layout.line();
                        layout.token();
                        layout.space();
                    }
                    layout.sequence(part);
                }
            }),
            SequenceKind::Then(_) => {}
        }
    }

    /// `[*]`, `[*2..4]` and the like: no spaces, no breaks.
    fn repetition(&mut self) {
        while !self.at(TokenKind::RBracket) && !self.at(TokenKind::Eof) {
            self.token();
        }
        self.token();
    }
}
