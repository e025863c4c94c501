//! What is expected at a place of a text that somebody is typing.
//!
//! Entry point: [`cursor`]. It goes through the tokens before the place and keeps a stack of what is open; no
//! tree is needed, so a text that is wrong in any way has an answer too. The answer is a guess where the text
//! is wrong, and right where the text before the place is that of a good model.

use super::lexer::Lexed;
use super::token::{Token, TokenKind};
use crate::diagnostic::Span;
use burnside_limits::poll;

/// What may be written at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// Nothing that we know: inside of a comment, a string or a number.
    Nothing,
    /// A name that is not there yet.
    NewName,
    /// A declaration.
    Item,
    /// Something inside of a process.
    Member,
    /// A statement.
    Statement,
    /// A value or a condition.
    Value,
    /// What goes on after a value: an operator, or the next part of a rule, loop or property.
    Operator,
    /// A type.
    Type,
    /// What stands behind the dot after the value that ends at this byte.
    Behind(u32),
    /// A location of a process.
    Location,
    /// A rule or a process, inside `enabled(…)`.
    Rule,
    /// What an entry of a `check` block is about.
    Key,
    /// The value of the entry of a `check` block whose key is here.
    Entry(Span),
    /// One of these words.
    Words(&'static [&'static str]),
}

/// A place and what is around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The word that the place is in or at the end of; empty if there is none.
    pub word: Span,
    /// What may be written there.
    pub awaited: Awaited,
    /// The name before the dot or the `@`, an index left aside: `P` of `P[i].x`.
    pub owner: Option<Span>,
    /// Where the name of the process is that we are in.
    pub process: Option<Span>,
    /// Words around that bind names, if they do: the innermost last.
    pub binders: Vec<Span>,
    /// The word that starts the declaration that we are in: `ltl`, `rule`, …
    pub within: Option<TokenKind>,
    /// Whether the word, or what stands before the dot, is the first of its statement.
    pub first: bool,
    /// Whether it is what `enabled(…)` asks about.
    pub in_enabled: bool,
}

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Top,
    Process,
    /// `at L { rules }`
    At,
    Block,
    /// Names: of an enum, of fields.
    List,
    Symmetry,
    /// The entries of `check`.
    Check,
    /// The body of a quantifier, a branch, a set, a sequence: anything with values in it.
    Values,
    /// Parentheses or brackets; with types in them, with names being bound, or with a rule (`enabled`).
    Group {
        types: bool,
        binds: bool,
        rules: bool,
    },
}

#[derive(Debug)]
struct Layer {
    open: Open,
    /// The token that started what is being written in here.
    head: Option<TokenKind>,
    /// Whether this is the body that ends what it belongs to.
    ends: bool,
    /// Names that are known to the end of it.
    names: Vec<Span>,
    /// Names that are known in what is being written, and in its body.
    of_head: Vec<Span>,
    /// Quantifiers whose bodies have not begun.
    quantified: Vec<Vec<Span>>,
}

impl Layer {
    fn new(open: Open, ends: bool, names: Vec<Span>) -> Self {
        Self { open, head: None, ends, names, of_head: Vec::new(), quantified: Vec::new() }
    }

    fn start_anew(&mut self) {
        self.head = None;
        self.of_head.clear();
        self.quantified.clear();
    }
}

/// Finds out what is expected at a byte of a text.
pub fn cursor(source: &str, lexed: &Lexed, at: u32) -> Cursor {
    let tokens = &lexed.tokens;
    let touches = |token: &&Token| token.span.start < at && at <= token.span.end && is_word(token.kind);
    // Of two neighbours the one that ends here is being written.
    let word = tokens.iter().find(touches).map_or(Span::new(at, at), |token| token.span);
    let end = tokens.partition_point(|token| token.span.end <= word.start && token.kind != TokenKind::Eof);
    let mut walk = Walk { tokens, layers: vec![Layer::new(Open::Top, false, Vec::new())], process: None };
    (0..end).for_each(|i| walk.token(i));
    let hidden = lexed.comments.iter().any(|it| {
        let end = if it.line { it.span.end + 1 } else { it.span.end };
        it.span.start < at && at < end
    });
    let hidden = hidden
        || tokens.iter().any(|token| {
            matches!(token.kind, TokenKind::Str | TokenKind::Int)
                && token.span.start < at
                && at <= token.span.end
        });
    let hidden = hidden || source.len() < at as usize;
    let awaited = if hidden { Awaited::Nothing } else { walk.awaited(end) };
    walk.finish(word, awaited, end)
}

struct Walk<'t> {
    tokens: &'t [Token],
    /// Never empty.
    layers: Vec<Layer>,
    /// Where the name of the last process is.
    process: Option<Span>,
}

impl Walk<'_> {
    fn kind(&self, i: usize) -> TokenKind {
        self.tokens.get(i).map_or(TokenKind::Eof, |token| token.kind)
    }

    /// The kind of the token before; nothing at the start.
    fn before(&self, i: usize) -> Option<TokenKind> {
        i.checked_sub(1).map(|before| self.kind(before))
    }

    fn top(&mut self) -> &mut Layer {
        self.layers.last_mut().expect("the top level stays")
    }

    fn token(&mut self, i: usize) {
        poll();
        let kind = self.kind(i);
        self.recover(i, kind);
        match kind {
            TokenKind::LBrace => return self.open_brace(i),
            TokenKind::LParen | TokenKind::LBracket => return self.open_group(i),
            TokenKind::RBrace => return self.close_brace(i),
            TokenKind::RParen | TokenKind::RBracket => return self.close_group(),
            TokenKind::Semi => return self.end_statement(),
            _ => {}
        }
        let before = self.before(i);
        let span = self.tokens[i].span;
        if before == Some(TokenKind::Process) {
            self.process = Some(span);
        }
        let quantifies = is_quantifier(kind) && is_binder(self.kind(i + 1), self.kind(i + 2));
        let top = self.top();
        let prefix = matches!(top.head, Some(TokenKind::Fair | TokenKind::Strong));
        if top.head.is_none() || (prefix && kind.is_keyword()) {
            top.head = Some(kind);
        }
        if quantifies {
            top.quantified.push(Vec::new());
        } else if kind.is_name() {
            top.name(span, before);
        }
    }

    /// Something that only stands outside begins: whatever is open was not closed.
    fn recover(&mut self, i: usize, kind: TokenKind) {
        use TokenKind::*;
        let item = matches!(
            kind,
            Const
                | TypeWord
                | Symmetric
                | Ring
                | Enum
                | Record
                | Process
                | Init
                | Fn
                | Invariant
                | Reachable
                | Deadlock
                | Ltl
                | Ctl
                | Never
                | Symmetry
        );
        let item = item && self.kind(i + 1) != Assign;
        if item && self.layers.len() > 1 {
            self.layers.truncate(1);
            self.top().start_anew();
        }
        let member = matches!(kind, Rule | Locations);
        let around = self.layers.iter().rposition(|layer| matches!(layer.open, Open::Process | Open::At));
        if let (true, Some(around)) = (member, around) {
            self.layers.truncate(around + 1);
            if !matches!(self.top().head, Some(Fair | Strong)) {
                self.top().start_anew();
            }
        }
    }

    fn open_brace(&mut self, i: usize) {
        use TokenKind as Kind;
        let before = self.before(i);
        let literal = before.is_some_and(|before| !ends_value(before) && before != Kind::Else);
        let top = self.top();
        if let Some(names) = top.quantified.pop_if(|_| !literal) {
            self.layers.push(Layer::new(Open::Values, false, names));
            return;
        }
        let (open, ends) = match (top.open, top.head) {
            (Open::Top, Some(Kind::Process)) => (Open::Process, true),
            (Open::Top, Some(Kind::Init)) => (Open::Block, true),
            (Open::Top, Some(Kind::Enum | Kind::Record)) => (Open::List, true),
            (Open::Top, Some(Kind::Symmetry)) => (Open::Symmetry, true),
            (Open::Top, Some(Kind::Check)) => (Open::Check, true),
            (Open::Top, Some(Kind::Never)) => (Open::Values, true),
            (Open::Top, Some(Kind::Fn)) if !literal => (Open::Values, true),
            (Open::Process | Open::At, Some(Kind::Rule)) if !literal => (Open::Block, true),
            (Open::Process, Some(Kind::At)) => (Open::At, true),
            (Open::Block, Some(Kind::If | Kind::For | Kind::Match)) if !literal => (Open::Block, true),
            (Open::Block, Some(_)) if before == Some(Kind::FatArrow) => (Open::Block, true),
            (Open::Block, None) => (Open::Block, true),
            _ => (Open::Values, false),
        };
        let names = if ends { top.of_head.clone() } else { Vec::new() };
        self.layers.push(Layer::new(open, ends, names));
    }

    fn open_group(&mut self, i: usize) {
        use TokenKind as Kind;
        let before = self.before(i);
        let types = before == Some(Kind::Array);
        let declares = i.checked_sub(2).map(|declares| self.kind(declares));
        let binds = matches!(declares, Some(Kind::Rule | Kind::Fn | Kind::Process));
        let rules = before == Some(Kind::Enabled);
        self.layers.push(Layer::new(Open::Group { types, binds, rules }, false, Vec::new()));
    }

    fn close_group(&mut self) {
        if !matches!(self.top().open, Open::Group { .. }) {
            return;
        }
        let closed = self.layers.pop().expect("it is there");
        if let Open::Group { binds: true, .. } = closed.open {
            self.top().of_head.extend(closed.names);
        }
    }

    /// Leaves parentheses that were not closed.
    fn leave_groups(&mut self) {
        while matches!(self.top().open, Open::Group { .. }) {
            self.layers.pop();
        }
    }

    fn close_brace(&mut self, i: usize) {
        self.leave_groups();
        if self.layers.len() == 1 {
            return;
        }
        let closed = self.layers.pop().expect("more than one");
        let goes_on = self.kind(i + 1) == TokenKind::Else;
        if closed.ends && !goes_on {
            self.top().start_anew();
        }
    }

    fn end_statement(&mut self) {
        self.leave_groups();
        self.top().start_anew();
    }

    fn finish(self, word: Span, awaited: Awaited, end: usize) -> Cursor {
        let binders = self.layers.iter().flat_map(|layer| {
            let quantified = layer.quantified.iter().flatten();
            layer.names.iter().chain(&layer.of_head).chain(quantified).copied()
        });
        let inside = self.layers.iter().any(|layer| matches!(layer.open, Open::Process));
        let first = self.is_first(end, awaited);
        Cursor {
            word,
            awaited,
            owner: end.checked_sub(1).and_then(|sign| self.owner(sign)),
            process: self.process.filter(|_| inside),
            binders: binders.collect(),
            within: self.layers.iter().rev().find_map(|layer| layer.head),
            first,
            in_enabled: self
                .layers
                .last()
                .is_some_and(|it| matches!(it.open, Open::Group { rules: true, .. })),
        }
    }

    /// Whether nothing but the value before the dot stands in the statement.
    fn is_first(&self, end: usize, awaited: Awaited) -> bool {
        let in_block = self.layers.last().is_some_and(|layer| layer.open == Open::Block);
        match awaited {
            Awaited::Statement => true,
            Awaited::Behind(_) => {
                let mut depth = 0;
                let mut i = end;
                while i > 0 {
                    i -= 1;
                    match self.kind(i) {
                        TokenKind::RParen | TokenKind::RBracket => depth += 1,
                        TokenKind::LParen | TokenKind::LBracket => depth -= 1,
                        TokenKind::Semi | TokenKind::LBrace | TokenKind::RBrace if depth == 0 => break,
                        kind if depth == 0 && !(kind.is_name() || is_part_of_place(kind)) => return false,
                        _ => {}
                    }
                }
                in_block
            }
            _ => false,
        }
    }

    fn awaited(&self, end: usize) -> Awaited {
        let layer = self.layers.last().expect("the top level stays");
        let Some(before) = self.before(end) else { return Awaited::Item };
        if layer.open == Open::Check {
            return match (before, end.checked_sub(2)) {
                (TokenKind::LBrace | TokenKind::Semi, _) => Awaited::Key,
                (TokenKind::Assign, Some(key)) => Awaited::Entry(self.tokens[key].span),
                _ => Awaited::Nothing,
            };
        }
        if let Some(known) = self.after(end, before, layer) {
            return known;
        }
        match (layer.open, layer.head) {
            (Open::Top, None) => Awaited::Item,
            (Open::Process | Open::At, None) => Awaited::Member,
            (Open::Block, None) => Awaited::Statement,
            (Open::List, _) if matches!(before, TokenKind::LBrace | TokenKind::Comma) => Awaited::NewName,
            (Open::List, _) => Awaited::Operator,
            (Open::Symmetry, _) => Awaited::Type,
            (Open::Group { types: true, .. }, _) => Awaited::Type,
            (Open::Group { binds: true, .. }, _) => Awaited::NewName,
            _ if ends_value(before) => Awaited::Operator,
            _ => Awaited::Value,
        }
    }

    /// What the token before asks for.
    fn after(&self, end: usize, before: TokenKind, layer: &Layer) -> Option<Awaited> {
        use TokenKind as Kind;
        Some(match before {
            Kind::Dot => Awaited::Behind(end.checked_sub(2).map_or(0, |base| self.tokens[base].span.end)),
            Kind::AtSign => Awaited::Location,
            Kind::Goto => Awaited::Location,
            Kind::At if layer.open != Open::Block => Awaited::Location,
            Kind::Comma if self.in_list_of(end, Kind::At) => Awaited::Location,
            Kind::Comma if self.in_list_of(end, Kind::Locations) => Awaited::NewName,
            Kind::Const
            | Kind::TypeWord
            | Kind::Symmetric
            | Kind::Ring
            | Kind::Enum
            | Kind::Record
            | Kind::Var
            | Kind::Process
            | Kind::Rule
            | Kind::Fn
            | Kind::Let
            | Kind::Invariant
            | Kind::Reachable
            | Kind::Ltl
            | Kind::Ctl
            | Kind::Never
            | Kind::Locations
            | Kind::For
            | Kind::Forall
            | Kind::Exists => Awaited::NewName,
            Kind::Hint if layer.head == Some(Kind::Hint) && layer.open == Open::Top => Awaited::NewName,
            Kind::Colon => match layer.open {
                Open::Group { binds: false, .. } if layer.quantified.is_empty() => Awaited::Value,
                _ => Awaited::Type,
            },
            Kind::Of => Awaited::Type,
            Kind::Assign if layer.head == Some(Kind::TypeWord) => Awaited::Type,
            Kind::Set | Kind::Queue | Kind::Bag => Awaited::Words(&["of"]),
            Kind::Deadlock => Awaited::Words(&["free", "allowed"]),
            Kind::Expect if layer.open == Open::Top && self.ends_property(end - 1, layer) => {
                Awaited::Words(&["holds", "violated", "unknown"])
            }
            Kind::Fair => Awaited::Words(&["process", "rule", "changing"]),
            Kind::Strong => Awaited::Words(&["fair"]),
            Kind::LParen if matches!(layer.open, Open::Group { rules: true, .. }) => Awaited::Rule,
            _ => return None,
        })
    }

    /// Whether the word at `i` stands behind a whole property.
    fn ends_property(&self, i: usize, layer: &Layer) -> bool {
        let free = matches!(self.before(i), Some(TokenKind::Free));
        is_property(layer.head) && self.before(i).is_some_and(|before| free || ends_value(before))
    }

    /// Whether only names and commas stand between here and such a word.
    fn in_list_of(&self, end: usize, word: TokenKind) -> bool {
        let before = self.tokens[..end].iter().rev();
        let mut before = before.skip_while(|it| it.kind == TokenKind::Comma || it.kind.is_name());
        before.next().is_some_and(|it| it.kind == word)
    }

    /// The name that ends right before the dot or `@` at `i`, an index left aside.
    fn owner(&self, i: usize) -> Option<Span> {
        if !matches!(self.kind(i), TokenKind::Dot | TokenKind::AtSign) {
            return None;
        }
        let mut at = i.checked_sub(1)?;
        if self.kind(at) == TokenKind::RBracket {
            let mut depth = 0;
            loop {
                match self.kind(at) {
                    TokenKind::RBracket => depth += 1,
                    TokenKind::LBracket => depth -= 1,
                    _ => {}
                }
                at = at.checked_sub(1)?;
                if depth == 0 {
                    break;
                }
            }
        }
        self.kind(at).is_name().then(|| self.tokens[at].span)
    }
}

impl Layer {
    /// A word that may bind a name here.
    fn name(&mut self, span: Span, before: Option<TokenKind>) {
        let declared = matches!(before, Some(TokenKind::Let | TokenKind::Var));
        if let Some(quantifier) = self.quantified.last_mut() {
            quantifier.push(span);
        } else if self.head == Some(TokenKind::For) {
            self.of_head.push(span);
        } else if declared || matches!(self.open, Open::Group { .. } | Open::Values) {
            self.names.push(span);
        }
    }
}

/// Whether a declaration that begins so is a property.
pub fn is_property(head: Option<TokenKind>) -> bool {
    use TokenKind::*;
    matches!(head, Some(Invariant | Reachable | Ltl | Ctl | Never | Deadlock))
}

fn is_word(kind: TokenKind) -> bool {
    kind.is_name() || kind.is_keyword()
}

fn is_quantifier(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Forall | Exists | Count | Sum | Min | Max)
}

/// Whether `x:`, `x,` or `x in` follows.
fn is_binder(name: TokenKind, next: TokenKind) -> bool {
    name.is_name() && matches!(next, TokenKind::Colon | TokenKind::Comma | TokenKind::In)
}

/// Whether a value can end with this.
fn ends_value(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.is_name()
        || matches!(
            kind,
            Int | Str | RParen | RBracket | RBrace | True | False | None | Bool | IntWord | Bang
        )
        || matches!(kind, Question | Any)
}

fn is_part_of_place(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Dot | TokenKind::Bang)
}
