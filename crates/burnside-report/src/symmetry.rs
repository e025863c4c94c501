//! What is told of the symmetry of a model: its group, and what breaks more of it.
//!
//! Entry points: [`document`], with the lines of the text [`page`], and [`show_permutation`] for a single
//! permutation.

use crate::input::Input;
use crate::{group, json};
use burnside_lang::diagnostic::Span;
use burnside_lang::import::bundle::parts;
use burnside_lang::lines::Lines;
use burnside_lang::symmetry::{Analysis, analyse};
use burnside_ts::{Permutation, Symmetry, Types};
use serde_json::{Value, json};

/// A permutation in cycles, type by type, such as `Client (0 1)`.
pub fn show_permutation(types: &Types, permutation: &Permutation) -> String {
    let parts = types.sorts().filter_map(|(id, sort)| {
        let cycles = permutation.cycles(id);
        let label = |element: u32| match &sort.labels {
            Some(labels) => labels[element as usize].clone(),
            None => element.to_string(),
        };
        let show = |cycle: &Vec<u32>| {
            format!("({})", cycle.iter().map(|&element| label(element)).collect::<Vec<_>>().join(" "))
        };
        let shown: String = cycles.iter().map(show).collect();
        (!cycles.is_empty()).then(|| format!("{} {shown}", sort.name))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "()".to_string() } else { parts.join(", ") }
}

/// The document of `burnside symmetry`.
pub fn document(input: &Input, analysis: &Analysis) -> Value {
    let system = &input.model.system;
    let lines = Lines::new(&input.source.text);
    let mut document = json::head(&input.source.path);
    document.insert("constants".into(), json::constants(&input.model));
    let order = |symmetry: &Symmetry| group::order(system, symmetry);
    document.insert("order".into(), json!(order(&system.symmetry)));
    let shown = system
        .symmetry
        .generating(&system.types)
        .iter()
        .map(|permutation| show_permutation(&system.types, permutation))
        .collect::<Vec<_>>();
    document.insert("generators".into(), json!(shown));
    document.insert("types".into(), json::symmetric_types(system));
    document.insert("broken".into(), json::broken(input));
    let rejected = analysis.rejected.iter().map(|rejected| {
        let reasons = rejected.breaks.iter().map(|(span, reason)| {
            let (line, column) = lines.position(span.start);
            let place = json!({"line": line, "column": column, "reason": reason.describe()});
            json::in_file(place, &input.source, &lines, span.start)
        });
        json!({"name": rejected.name, "broken": reasons.collect::<Vec<_>>()})
    });
    document.insert("not_symmetric".into(), rejected.collect());
    let properties = system
        .properties
        .iter()
        .map(|property| json!({"property": property.name, "order": order(&property.symmetry)}));
    document.insert("properties".into(), properties.collect());
    document.insert("for_every".into(), crate::every::fragment_json(input));
    Value::Object(document)
}

/// The same for the page: every place has also its `end_column` and, as `text`, its whole line.
pub fn page(input: &Input) -> Value {
    let analysis = input.model.hir().map(analyse).unwrap_or_default();
    let mut page = document(input, &analysis);
    let lines = Lines::new(&input.source.text);
    let text: Vec<&str> = input.source.text.lines().collect();
    let spans = analysis.breaks.iter().map(|found| found.span);
    let rejected = analysis.rejected.iter().map(|rejected| rejected.breaks.iter().map(|(span, _)| *span));
    let widen = |place: &mut Value, span: Span| {
        let ((line, _), (end_line, end_column)) = (lines.position(span.start), lines.position(span.end));
        let parts = parts(&input.source.text);
        let above = input.source.text[..parts[lines.part(span.start)].start].matches('\n').count();
        let text = text.get(above + line - 1).copied().unwrap_or_default();
        // What goes on in other lines is marked to the end of the first.
        let end = if end_line == line { end_column } else { text.chars().count() + 1 };
        place["end_column"] = json!(end);
        place["text"] = json!(text);
    };
    let places = page["broken"].as_array_mut().into_iter().flatten();
    places.zip(spans).for_each(|(place, span)| widen(place, span));
    let types = page["not_symmetric"].as_array_mut().into_iter().flatten();
    for (one, spans) in types.zip(rejected) {
        let places = one["broken"].as_array_mut().into_iter().flatten();
        places.zip(spans).for_each(|(place, span)| widen(place, span));
    }
    page
}
