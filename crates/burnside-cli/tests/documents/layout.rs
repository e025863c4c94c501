//! JSON as the pages show it: what fits into a line stands in one, and what differs from run to run is fixed.

use serde_json::Value;

/// Columns of a page's block.
const WIDTH: usize = 150;

/// A document laid out, or why it is none.
pub fn document(text: &str) -> Result<String, String> {
    let mut value: Value = serde_json::from_str(text).map_err(|error| format!("{error}:\n{text}"))?;
    still(&mut value);
    Ok(lay_out(&value, 0, 0) + "\n")
}

/// Makes times and memory those of a good day.
pub fn still(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match key.as_str() {
                    "seconds" if member.is_number() => *member = Value::from(0.0001),
                    "peak_memory" if member.is_number() => *member = Value::from(398_336),
                    key if key.ends_with("_bytes") && member.is_number() => *member = Value::from(4096),
                    _ => still(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(still),
        _ => {}
    }
}

/// The value, which begins in a column and whose lines are indented.
fn lay_out(value: &Value, column: usize, depth: usize) -> String {
    let flat = on_one_line(value);
    let is_small = column + flat.chars().count() <= WIDTH && depth > 0;
    let inner = "  ".repeat(depth + 1);
    let end = "  ".repeat(depth);
    match value {
        Value::Object(members) if !is_small && !members.is_empty() => {
            let lines = members.iter().map(|(key, member)| {
                let head = format!("{inner}{}: ", Value::from(key.as_str()));
                format!("{head}{}", lay_out(member, head.len(), depth + 1))
            });
            format!("{{\n{}\n{end}}}", lines.collect::<Vec<_>>().join(",\n"))
        }
        Value::Array(items) if !is_small && !items.is_empty() => {
            let lines = items.iter().map(|item| format!("{inner}{}", lay_out(item, inner.len(), depth + 1)));
            format!("[\n{}\n{end}]", lines.collect::<Vec<_>>().join(",\n"))
        }
        _ => flat,
    }
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members = members
                .iter()
                .map(|(key, member)| format!("{}: {}", Value::from(key.as_str()), on_one_line(member)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) if !items.is_empty() => {
            format!("[{}]", items.iter().map(on_one_line).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[test]
fn small_things_stand_in_one_line() {
    let text = format!("{{\"a\": {{\"seconds\": 3.5}}, \"b\": [[\"{}\"], []]}}", "x".repeat(150));
    let expected = format!(
        "{{\n  \"a\": {{ \"seconds\": 0.0001 }},\n  \"b\": [\n    [\n      \"{}\"\n    ],\n    []\n  ]\n}}\n",
        "x".repeat(150)
    );
    assert_eq!(document(&text).unwrap(), expected);
}
