//! Semantic tokens: names in the colours of what they stand for. Everything else has the colours of the
//! grammar.

use crate::analysis::Known;
use burnside_lang::check::{Occurrence, Role, SymbolKind};
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend};

/// The kinds, by their numbers.
const KINDS: [SemanticTokenType; 10] = [
    SemanticTokenType::VARIABLE,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM,
    SemanticTokenType::STRUCT,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::CLASS,
    SemanticTokenType::METHOD,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
];

/// The modifiers, by their bits.
const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::MODIFICATION,
    SemanticTokenModifier::READONLY,
];

/// What the numbers mean.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: KINDS.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// All names of a text, each by its distance from the one before.
pub(crate) fn tokens(known: &Known) -> Vec<SemanticToken> {
    let mut tokens = Vec::new();
    let (mut line, mut start, mut end) = (0, 0, 0);
    for occurrence in known.index.occurrences() {
        let Some(definition) = known.index.definition(occurrence.symbol) else { continue };
        // A family is declared where the type of its index is used.
        if occurrence.span.start < end {
            continue;
        }
        end = occurrence.span.end;
        let range = known.range(occurrence.span);
        let delta_line = range.start.line - line;
        let delta_start = if delta_line == 0 { range.start.character - start } else { range.start.character };
        (line, start) = (range.start.line, range.start.character);
        tokens.push(SemanticToken {
            delta_line,
            delta_start,
            length: range.end.character - range.start.character,
            token_type: kind(definition.kind),
            token_modifiers_bitset: modifiers(definition.kind, occurrence),
        });
    }
    tokens
}

fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Var | SymbolKind::Local | SymbolKind::Constant => 0,
        SymbolKind::Alias | SymbolKind::Sort => 1,
        SymbolKind::Enum => 2,
        SymbolKind::Record => 3,
        SymbolKind::Function | SymbolKind::Property | SymbolKind::Hint => 4,
        SymbolKind::Process => 5,
        SymbolKind::Rule => 6,
        SymbolKind::Parameter => 7,
        SymbolKind::EnumConstant | SymbolKind::Location => 8,
        SymbolKind::Field => 9,
    }
}

fn modifiers(kind: SymbolKind, occurrence: &Occurrence) -> u32 {
    let role = match occurrence.role {
        Role::Declared => 1,
        Role::Written => 2,
        Role::Used => 0,
    };
    if kind == SymbolKind::Constant { role | 4 } else { role }
}
