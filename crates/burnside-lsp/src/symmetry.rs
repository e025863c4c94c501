//! What is to be said about the symmetry of a type: the permutations of its elements that are left, and what
//! breaks the others, with places to click on.
//!
//! Entry point: [`group`]. This is the discipline of the language alone, which is cheap. Generators of
//! `symmetry` blocks are named, not proved: that is done when the model is checked.

use crate::analysis::Known;
use burnside_lang::diagnostic::Span;
use burnside_lang::symmetry::{Analysis, Break, Reason};
use burnside_ts::{Sort, SortGroup, SortId};
use lsp_types::Uri;

/// So many places are shown, of the model and of each property.
const PLACES: usize = 6;

/// About the type of this name, in Markdown. Nothing if the model has errors, or the type cannot be
/// symmetric.
pub(crate) fn group(known: &Known, uri: &Uri, name: &str) -> Option<String> {
    let analysis = known.symmetry()?;
    let page = Page { known, uri, analysis };
    let mut text = match analysis.types.sorts().find(|(_, sort)| sort.name == name) {
        Some((id, sort)) => page.symmetric(id, sort),
        None => page.rejected(name)?,
    };
    let generators = &known.model.as_ref()?.generators;
    let moving = generators.iter().filter(|it| it.parts.iter().any(|part| part.name == name)).count();
    if moving > 0 {
        text.push_str(&format!(
            "\n\nMoved by {moving} of the generators in `symmetry`, which are proved when the model is checked."
        ));
    }
    Some(text)
}

/// What is left of the symmetry of a type, in a few words.
pub(crate) fn in_short(known: &Known, name: &str) -> Option<String> {
    let analysis = known.symmetry()?;
    let (id, sort) = analysis.types.sorts().find(|(_, sort)| sort.name == name)?;
    Some(left(&analysis.model.sorts[id.index()], sort))
}

struct Page<'k> {
    known: &'k Known,
    uri: &'k Uri,
    analysis: &'k Analysis,
}

impl Page<'_> {
    fn symmetric(&self, id: SortId, sort: &Sort) -> String {
        let found = if sort.inferred { " (nobody declared it; it was found)" } else { "" };
        let mut text =
            format!("**Symmetry**{found}: {}.", left(&self.analysis.model.sorts[id.index()], sort));
        let breaks = self.analysis.breaks.iter().filter(|it| it.sort == id);
        self.list(&mut text, "What breaks more:", breaks.map(|it| (it.span, it.reason)).collect());
        let Some(model) = &self.known.model else { return text };
        for (property, (symmetry, breaks)) in model.properties.iter().zip(&self.analysis.properties) {
            let mine: Vec<&Break> = breaks.iter().filter(|it| it.sort == id).collect();
            if mine.is_empty() {
                continue;
            }
            let heading = format!("For `{}` {}:", property.name, left(&symmetry.sorts[id.index()], sort));
            self.list(&mut text, &heading, mine.into_iter().map(|it| (it.span, it.reason)).collect());
        }
        text
    }

    /// A range or an enum that was looked at and is not symmetric.
    fn rejected(&self, name: &str) -> Option<String> {
        let rejected = self.analysis.rejected.iter().find(|rejected| rejected.name == name)?;
        let mut text = String::from("Not symmetric.");
        self.list(&mut text, "What tells its values apart:", rejected.breaks.clone());
        Some(text)
    }

    fn list(&self, text: &mut String, heading: &str, breaks: Vec<(Span, Reason)>) {
        if breaks.is_empty() {
            return;
        }
        text.push_str(&format!("\n\n{heading}\n"));
        for (span, reason) in breaks.iter().take(PLACES) {
            text.push_str(&format!("\n- {} {}", self.place(*span), reason.describe()));
        }
        if breaks.len() > PLACES {
            text.push_str(&format!("\n- and {} places more", breaks.len() - PLACES));
        }
    }

    /// A link to a place, with its text.
    fn place(&self, span: Span) -> String {
        let start = self.known.range(span).start;
        let (line, column) = (start.line + 1, start.character + 1);
        let words = span.text(&self.known.text).split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(60).collect();
        let dots = if words.chars().nth(60).is_some() { " …" } else { "" };
        format!(
            "[{line}:{column}]({}#L{line},{column}) `{}{dots}`",
            self.uri.as_str(),
            shown.replace('`', "'")
        )
    }
}

/// The permutations that are left.
fn left(group: &SortGroup, sort: &Sort) -> String {
    let size = sort.size;
    match group {
        whole if whole.is_whole(size) => {
            format!("all {} permutations of its {size} elements", factorial(size))
        }
        SortGroup::Full(blocks) => {
            let sizes: Vec<String> = blocks.iter().map(|block| block.len().to_string()).collect();
            format!("all permutations of {} of its {size} elements", sizes.join(" and of "))
        }
        SortGroup::Rotations => format!("the {size} rotations"),
        SortGroup::Fixed => String::from("none is left"),
    }
}

/// In digits as long as people can read them.
fn factorial(n: u32) -> String {
    let product = (1..=u128::from(n)).try_fold(1u128, u128::checked_mul);
    product.filter(|_| n <= 20).map_or_else(|| format!("{n}!"), |product| product.to_string())
}
