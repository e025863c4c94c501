//! The outline of a text: its declarations inside of each other, and what can be folded.

use crate::analysis::Known;
use burnside_lang::diagnostic::Span;
use burnside_lang::syntax::ast::{self, ItemKind, MemberKind, Property};
use burnside_lang::syntax::token::TokenKind;
use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Location, SymbolInformation, SymbolKind, Uri,
};

/// The declarations of a text.
pub(crate) fn symbols(known: &Known) -> Vec<DocumentSymbol> {
    known.file.items.iter().filter_map(|item| of_item(known, item)).collect()
}

/// Those whose names contain a text, whatever its case, of a file.
pub(crate) fn matching(known: &Known, uri: &Uri, query: &str) -> Vec<SymbolInformation> {
    let mut found = Vec::new();
    let query = query.to_lowercase();
    let mut left: Vec<(DocumentSymbol, Option<String>)> =
        symbols(known).into_iter().map(|symbol| (symbol, None)).collect();
    left.reverse();
    while let Some((symbol, container_name)) = left.pop() {
        let inside = symbol.children.into_iter().flatten().rev();
        left.extend(inside.map(|part| (part, Some(symbol.name.clone()))));
        if symbol.name.to_lowercase().contains(&query) {
            // The type has a field that nobody may use any more and everybody must fill in.
            #[allow(deprecated)]
            found.push(SymbolInformation {
                name: symbol.name,
                kind: symbol.kind,
                tags: None,
                deprecated: None,
                location: Location::new(uri.clone(), symbol.selection_range),
                container_name,
            });
        }
    }
    found
}

fn of_item(known: &Known, item: &ast::Item) -> Option<DocumentSymbol> {
    let one = |name: &ast::Name, kind| symbol(known, name, item.span, kind, Vec::new());
    match &item.kind {
        ItemKind::Const { name, .. } => one(name, SymbolKind::CONSTANT),
        ItemKind::Type { name, .. } | ItemKind::Sort { name, .. } => one(name, SymbolKind::CLASS),
        ItemKind::Enum { name, constants } => {
            let inside = constants.iter().filter_map(|constant| {
                symbol(known, constant, constant.span, SymbolKind::ENUM_MEMBER, Vec::new())
            });
            symbol(known, name, item.span, SymbolKind::ENUM, inside.collect())
        }
        ItemKind::Union { name, variants } => {
            let inside = variants.iter().filter_map(|ast::Variant { name, fields }| {
                let span = fields.last().map_or(name.span, |last| name.span.to(last.ty.span));
                symbol(known, name, span, SymbolKind::ENUM_MEMBER, Vec::new())
            });
            symbol(known, name, item.span, SymbolKind::ENUM, inside.collect())
        }
        ItemKind::Record { name, fields } => {
            let inside = fields.iter().filter_map(|field| {
                symbol(known, &field.name, field.name.span.to(field.ty.span), SymbolKind::FIELD, Vec::new())
            });
            symbol(known, name, item.span, SymbolKind::STRUCT, inside.collect())
        }
        ItemKind::Var(var) => one(&var.name, SymbolKind::VARIABLE),
        ItemKind::Function { name, .. } | ItemKind::Proc { name, .. } => one(name, SymbolKind::FUNCTION),
        ItemKind::Process(process) => {
            let inside = process.members.iter().flat_map(|member| of_member(known, member));
            symbol(known, &process.name, item.span, SymbolKind::MODULE, inside.collect())
        }
        ItemKind::Fair(set) => one(set.name.as_ref()?, SymbolKind::EVENT),
        ItemKind::Property(property) => one(property_name(property)?, SymbolKind::BOOLEAN),
        ItemKind::Hint { name, .. } => one(name, SymbolKind::BOOLEAN),
        ItemKind::Init(_) => {
            let name =
                ast::Name { text: "init".into(), span: Span::new(item.span.start, item.span.start + 4) };
            one(&name, SymbolKind::CONSTRUCTOR)
        }
        _ => None,
    }
}

/// The name of a property; `deadlock` has none.
pub(crate) fn property_name(property: &Property) -> Option<&ast::Name> {
    match property {
        Property::Invariant { name, .. }
        | Property::Reachable { name, .. }
        | Property::Ltl { name, .. }
        | Property::Ctl { name, .. }
        | Property::Never { name, .. } => Some(name),
        Property::Deadlock { .. } => None,
    }
}

fn of_member(known: &Known, member: &ast::Member) -> Vec<DocumentSymbol> {
    let of_rule = |rule: &ast::Rule| symbol(known, &rule.name, rule.span, SymbolKind::EVENT, Vec::new());
    match &member.kind {
        MemberKind::Var(var) => {
            symbol(known, &var.name, member.span, SymbolKind::VARIABLE, Vec::new()).into_iter().collect()
        }
        MemberKind::Locations(names) => {
            let one = |name: &ast::Name| symbol(known, name, name.span, SymbolKind::ENUM_MEMBER, Vec::new());
            names.iter().filter_map(one).collect()
        }
        MemberKind::Rule(rule) => of_rule(rule).into_iter().collect(),
        MemberKind::Fair(set) => {
            let of = |name| symbol(known, name, member.span, SymbolKind::EVENT, Vec::new());
            set.name.iter().filter_map(of).collect()
        }
        MemberKind::At(_, rules) => rules.iter().filter_map(of_rule).collect(),
    }
}

fn symbol(
    known: &Known,
    name: &ast::Name,
    whole: Span,
    kind: SymbolKind,
    children: Vec<DocumentSymbol>,
) -> Option<DocumentSymbol> {
    // An editor refuses all symbols if one has no name, or its name outside of it.
    if name.text.is_empty() {
        return None;
    }
    // The type has a field that nobody may use any more and everybody must fill in.
    #[allow(deprecated)]
    Some(DocumentSymbol {
        name: name.text.clone(),
        detail: known.index.at(name.span.start).and_then(|it| {
            let definition = known.index.definition(it.symbol)?;
            (it.span == name.span).then(|| definition.signature.clone())
        }),
        kind,
        tags: None,
        deprecated: None,
        range: known.range(whole.to(name.span)),
        selection_range: known.range(name.span),
        children: (!children.is_empty()).then_some(children),
    })
}

/// What has more than one line: braces, comments, and comments below each other.
pub(crate) fn foldings(known: &Known) -> Vec<FoldingRange> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    for token in &known.lexed.tokens {
        match token.kind {
            TokenKind::LBrace => open.push(token.span),
            TokenKind::RBrace => {
                if let Some(start) = open.pop() {
                    let (first, last) = (known.range(start).start.line, known.range(token.span).start.line);
                    // The line of the closing brace stays.
                    found.extend(folding(first, last.saturating_sub(1), None));
                }
            }
            _ => {}
        }
    }
    let mut run: Option<(u32, u32)> = None;
    for comment in &known.lexed.comments {
        let range = known.range(comment.span);
        let (first, last) = (range.start.line, range.end.line);
        run = match run {
            Some((start, end)) if comment.line && first == end + 1 => Some((start, first)),
            before => {
                found.extend(before.and_then(|(start, end)| folding(start, end, comments())));
                Some((first, last))
            }
        };
    }
    found.extend(run.and_then(|(start, end)| folding(start, end, comments())));
    found.sort_by_key(|it| (it.start_line, it.end_line));
    found
}

fn comments() -> Option<FoldingRangeKind> {
    Some(FoldingRangeKind::Comment)
}

fn folding(start_line: u32, end_line: u32, kind: Option<FoldingRangeKind>) -> Option<FoldingRange> {
    (end_line > start_line).then(|| FoldingRange { start_line, end_line, kind, ..FoldingRange::default() })
}
