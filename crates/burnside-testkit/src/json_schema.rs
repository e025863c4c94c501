//! Judges JSON documents by a JSON Schema: as much of it as the schema of SARIF uses.
//!
//! Entry points: [`JsonSchema::new`], which refuses schemas with keywords, patterns or formats that are not
//! known here, so that nothing is passed over in silence, and [`JsonSchema::errors`].

use serde_json::Value;

/// Keywords that judge nothing.
const NOTES: &[&str] = &["$schema", "$id", "id", "title", "description", "default", "definitions"];
/// Keywords that hold schemas by name, a schema, and a list of schemas.
const NAMED: &[&str] = &["properties", "definitions"];
const NESTED: &[&str] = &["items", "additionalProperties"];
const LISTED: &[&str] = &["anyOf", "oneOf"];
/// Keywords that judge.
const JUDGES: &[&str] =
    &["$ref", "type", "enum", "required", "minimum", "maximum", "minItems", "uniqueItems"];

/// A text, and what it means that another is as it says.
type Known = (&'static str, fn(&str) -> bool);

/// The patterns that are known, with what they mean.
const PATTERNS: &[Known] = &[
    ("^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$", is_guid),
    ("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", |text| {
        text.chars().take(2).filter(char::is_ascii_alphabetic).count() == 2
    }),
    ("[0-9]+(\\.[0-9]+){3}", |text| {
        let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        text.split('.').filter(is_number).count() >= 4
    }),
    ("[^/]+/.+", |text| {
        text.split_once('/').is_some_and(|(kind, rest)| !kind.is_empty() && !rest.is_empty())
    }),
];

/// The formats that are known, with what they mean.
const FORMATS: &[Known] = &[("uri", is_uri), ("uri-reference", is_reference), ("date-time", is_time)];

/// A schema that can be judged by.
pub struct JsonSchema(Value);

impl JsonSchema {
    /// Reads a schema.
    pub fn new(text: &str) -> Result<Self, String> {
        let root: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        known(&root, "#")?;
        Ok(Self(root))
    }

    /// What is wrong with a document, with the paths to it; nothing if it is as the schema says.
    pub fn errors(&self, document: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.judge(&self.0, document, "", &mut errors);
        errors
    }

    fn judge(&self, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
        let Value::Object(keywords) = schema else {
            if *schema == Value::Bool(false) {
                errors.push(format!("{path}: nothing is allowed here"));
            }
            return;
        };
        for (keyword, wanted) in keywords {
            let wrong = match keyword.as_str() {
                "$ref" => {
                    let target = wanted.as_str().and_then(|it| self.0.pointer(it.trim_start_matches('#')));
                    match target {
                        Some(target) => self.judge(target, value, path, errors),
                        None => errors.push(format!("{path}: no schema {wanted}")),
                    }
                    continue;
                }
                "properties" | "additionalProperties" | "items" => continue,
                "anyOf" => self.passing(wanted, value) == 0,
                "oneOf" => self.passing(wanted, value) != 1,
                "type" => !is_type(wanted, value),
                "enum" => wanted.as_array().is_some_and(|all| !all.contains(value)),
                "required" => is_missing(wanted, value),
                "minimum" => value.as_f64() < wanted.as_f64() && value.is_number(),
                "maximum" => value.as_f64() > wanted.as_f64() && value.is_number(),
                "minItems" => {
                    value.as_array().is_some_and(|all| (all.len() as u64) < wanted.as_u64().unwrap_or(0))
                }
                "uniqueItems" => {
                    *wanted == Value::Bool(true) && value.as_array().is_some_and(|all| has_twins(all))
                }
                "pattern" => !fits(PATTERNS, wanted, value),
                "format" => !fits(FORMATS, wanted, value),
                _ => false,
            };
            if wrong {
                let shown: String = value.to_string().chars().take(80).collect();
                errors.push(format!("{path}: {keyword} {wanted}, but there is {shown}"));
            }
        }
        self.inside(schema, value, path, errors);
    }

    /// The parts of an object or list.
    fn inside(&self, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let known = schema.get("properties").and_then(|known| known.get(name));
                    if let Some(schema) = known.or_else(|| schema.get("additionalProperties")) {
                        self.judge(schema, member, &format!("{path}/{name}"), errors);
                    }
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    if let Some(schema) = schema.get("items") {
                        self.judge(schema, item, &format!("{path}/{at}"), errors);
                    }
                }
            }
            _ => {}
        }
    }

    /// How many of some schemas say yes.
    fn passing(&self, schemas: &Value, value: &Value) -> usize {
        let passes = |schema: &&Value| {
            let mut errors = Vec::new();
            self.judge(schema, value, "", &mut errors);
            errors.is_empty()
        };
        schemas.as_array().into_iter().flatten().filter(passes).count()
    }
}

/// Whether everything in a schema is known here.
fn known(schema: &Value, path: &str) -> Result<(), String> {
    let Value::Object(keywords) = schema else {
        return if schema.is_boolean() { Ok(()) } else { Err(format!("{path}: no schema")) };
    };
    for (keyword, value) in keywords {
        let path = format!("{path}/{keyword}");
        let is_listed = |table: &[Known]| table.iter().any(|(name, _)| value == name);
        match keyword.as_str() {
            name if NAMED.contains(&name) => {
                for (inner, schema) in value.as_object().into_iter().flatten() {
                    known(schema, &format!("{path}/{inner}"))?;
                }
            }
            name if NESTED.contains(&name) => known(value, &path)?,
            name if LISTED.contains(&name) => {
                value.as_array().into_iter().flatten().try_for_each(|schema| known(schema, &path))?;
            }
            "pattern" if is_listed(PATTERNS) => {}
            "format" if is_listed(FORMATS) => {}
            name if NOTES.contains(&name) || JUDGES.contains(&name) => {}
            _ => return Err(format!("{path} is not known: {value}")),
        }
    }
    Ok(())
}

fn is_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        _ => false,
    };
    match wanted {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => false,
    }
}

fn is_missing(names: &Value, value: &Value) -> bool {
    let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
    value.as_object().is_some_and(|members| names.into_iter().any(|name| !members.contains_key(name)))
}

fn has_twins(items: &[Value]) -> bool {
    items.iter().enumerate().any(|(at, item)| items[..at].contains(item))
}

/// Whether a text is as a row of a table says. What is no text is judged by its type.
fn fits(table: &[Known], wanted: &Value, value: &Value) -> bool {
    let (Some(wanted), Some(text)) = (wanted.as_str(), value.as_str()) else { return true };
    table.iter().find(|(name, _)| *name == wanted).is_some_and(|(_, fits)| fits(text))
}

fn is_guid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
        && matches!(parts[2].as_bytes()[0], b'1'..=b'5')
        && matches!(parts[3].as_bytes()[0], b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
}

/// With a scheme.
fn is_uri(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(is_letter)
        && has_uri_signs(text)
}

/// With a scheme or without; then no colon is in the first part of the path.
fn is_reference(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or("");
    is_uri(text) || !first.contains(':') && has_uri_signs(text)
}

/// Only signs that URIs have, and whole escapes.
fn has_uri_signs(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    text.bytes().all(is_sign) && text.split('%').skip(1).all(is_escape)
}

/// `2026-01-31T23:59:59Z`, perhaps with a fraction.
fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let Some(rest) = shape.strip_prefix("0000-00-00T00:00:00") else { return false };
    rest == "Z" || rest.strip_prefix('.').is_some_and(|rest| rest.trim_start_matches('0') == "Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn judged(schema: &Value, good: &[Value], bad: &[Value]) {
        let schema = JsonSchema::new(&schema.to_string()).unwrap();
        for document in good {
            assert_eq!(schema.errors(document), Vec::<String>::new(), "{document}");
        }
        for document in bad {
            assert!(!schema.errors(document).is_empty(), "{document}");
        }
    }

    #[test]
    fn every_keyword_judges() {
        judged(&json!({"type": "integer"}), &[json!(1), json!(-1)], &[json!(1.5), json!("1"), json!(null)]);
        judged(&json!({"type": ["string", "null"]}), &[json!("a"), json!(null)], &[json!(0), json!([])]);
        judged(&json!({"enum": ["a", 1]}), &[json!("a"), json!(1)], &[json!("b"), json!("1")]);
        judged(
            &json!({"minimum": 1, "maximum": 3}),
            &[json!(1), json!(3), json!("x")],
            &[json!(0), json!(4)],
        );
        judged(
            &json!({"minItems": 1, "uniqueItems": true}),
            &[json!([1, 2])],
            &[json!([]), json!([{"a": 1}, {"a": 1}])],
        );
        let object = json!({"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
        judged(&object, &[json!({"a": ""})], &[json!({}), json!({"a": 1}), json!({"a": "", "b": 1})]);
        let open = json!({"additionalProperties": {"type": "integer"}});
        judged(&open, &[json!({}), json!({"x": 1})], &[json!({"x": "1"})]);
        judged(&json!({"items": {"type": "integer"}}), &[json!([]), json!([1])], &[json!([1, "2"])]);
        let either = json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
        judged(&either, &[json!({"a": 1}), json!({"a": 1, "b": 1})], &[json!({})]);
        let one = json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]});
        judged(&one, &[json!({"a": 1})], &[json!({}), json!({"a": 1, "b": 1})]);
        let named = json!({"definitions": {"d": {"type": "integer"}}, "items": {"$ref": "#/definitions/d"}});
        judged(&named, &[json!([1])], &[json!(["1"])]);
        judged(&json!({"$ref": "#/definitions/none"}), &[], &[json!(1)]);
    }

    #[test]
    fn formats_and_patterns_judge() {
        let reference = json!({"format": "uri-reference"});
        let good = ["a/b.orb", "a%20b", "file:///a%5B", "", "../a", "a/b:c"].map(|text| json!(text));
        judged(
            &reference,
            &good,
            &["a b", "a%2", "a%zz", "ü", "1:a", "<stdin>", "a\\b"].map(|text| json!(text)),
        );
        judged(
            &json!({"format": "uri"}),
            &[json!("https://a.b/c")],
            &[json!("a/b"), json!("1a:b"), json!(":")],
        );
        let time = json!({"format": "date-time"});
        judged(&time, &[json!("2026-01-31T23:59:59Z"), json!("2026-01-31T23:59:59.123Z")], &[json!("today")]);
        let guid = json!({"pattern": PATTERNS[0].0});
        let good = json!("01234567-89ab-4def-8123-456789abcdef");
        judged(&guid, &[good], &[json!("01234567-89ab-6def-8123-456789abcdef"), json!("x"), json!("")]);
        judged(&json!({"pattern": PATTERNS[1].0}), &[json!("en-GB"), json!("de")], &[json!("e"), json!("1")]);
        judged(&json!({"pattern": PATTERNS[2].0}), &[json!("1.2.3.4")], &[json!("1.2.3"), json!("a.b.c.d")]);
        judged(&json!({"pattern": PATTERNS[3].0}), &[json!("text/x")], &[json!("/x"), json!("x/")]);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for schema in [
            "{\"not\": {}}",
            "{\"pattern\": \"^a\"}",
            "{\"items\": {\"maxItems\": 1}}",
            "{\"format\": \"ipv4\"}",
            "[]",
        ] {
            assert!(JsonSchema::new(schema).is_err(), "{schema}");
        }
    }
}
