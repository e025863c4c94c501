//! The grammars for colours, of the VS Code extension and of the book, against the lexer.
//!
//! A small reader of TextMate grammars gives each byte of a line its scope, and all examples are compared
//! with what the lexer makes of them.

use burnside_lang::syntax::lexer::lex;
use burnside_lang::syntax::token::{TEXTS, TokenKind};
use regex_automata::meta::Regex;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The words of the language.
fn keywords() -> BTreeSet<String> {
    let words = TEXTS.iter().filter(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()));
    words.map(|word| word.to_string()).collect()
}

/// A rule of a grammar, with what it includes put in its place by name.
enum Pattern {
    Match {
        regex: Rc<Regex>,
        name: String,
        captures: Vec<(usize, String)>,
    },
    Region {
        begin: Rc<Regex>,
        end: Rc<Regex>,
        name: String,
        captures: Vec<(usize, String)>,
        inside: Vec<Value>,
    },
}

struct Grammar {
    document: Value,
    /// Each regular expression is made once, which takes longer than to use it.
    regexes: RefCell<BTreeMap<String, Rc<Regex>>>,
}

impl Grammar {
    fn load() -> Self {
        let document =
            serde_json::from_str(&read("editors/vscode/syntaxes/orb.tmLanguage.json")).expect("JSON");
        Self { document, regexes: RefCell::default() }
    }

    fn regex(&self, text: &str) -> Rc<Regex> {
        let mut known = self.regexes.borrow_mut();
        let made = || Rc::new(Regex::new(text).expect("a regular expression"));
        Rc::clone(known.entry(text.to_string()).or_insert_with(made))
    }

    /// The rules of a list, includes followed.
    fn patterns(&self, list: &[Value]) -> Vec<Pattern> {
        list.iter().flat_map(|pattern| self.pattern(pattern)).collect()
    }

    fn pattern(&self, pattern: &Value) -> Vec<Pattern> {
        let text = |key: &str| pattern[key].as_str().unwrap_or("").to_string();
        let regex = |key: &str| self.regex(pattern[key].as_str().expect("a pattern"));
        let captures = |key: &str| {
            let all = pattern[key].as_object().into_iter().flatten();
            all.map(|(group, it)| {
                (group.parse().expect("a number"), it["name"].as_str().expect("a name").into())
            })
            .collect()
        };
        if let Some(include) = pattern["include"].as_str() {
            let name = include.strip_prefix('#').expect("a rule of this file");
            let meant = &self.document["repository"][name];
            assert!(meant.is_object(), "there is no rule {include}");
            return match meant["begin"].is_null() && meant["match"].is_null() {
                true => self.patterns(meant["patterns"].as_array().expect("a list")),
                false => self.pattern(meant),
            };
        }
        if pattern["begin"].is_null() {
            return vec![Pattern::Match {
                regex: regex("match"),
                name: text("name"),
                captures: captures("captures"),
            }];
        }
        vec![Pattern::Region {
            begin: regex("begin"),
            end: regex("end"),
            name: text("name"),
            captures: captures("beginCaptures"),
            inside: pattern["patterns"].as_array().cloned().unwrap_or_default(),
        }]
    }

    /// The innermost scope of each byte.
    fn scopes(&self, text: &str) -> Vec<String> {
        let mut scopes = vec![String::new(); text.len()];
        let top = self.patterns(self.document["patterns"].as_array().expect("a list"));
        // What is open: its end, its scope, and the rules inside.
        let mut open: Vec<(Option<Rc<Regex>>, String, Vec<Pattern>)> = vec![(None, String::new(), top)];
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let (mut at, mut next) = (0, BTreeMap::new());
            let content = line.trim_end_matches(['\n', '\r']);
            while at <= content.len() {
                let (end, scope, patterns) = open.last().expect("the top stays");
                let input = || regex_automata::Input::new(content).range(at..);
                let ends = end.as_ref().and_then(|end| end.find(input())).map(|found| found.range());
                let first = patterns
                    .iter()
                    .enumerate()
                    .filter_map(|(i, pattern)| {
                        let (Pattern::Match { regex, .. } | Pattern::Region { begin: regex, .. }) = pattern;
                        // What was found further on is still the next.
                        let known = next.entry(Rc::as_ptr(regex)).or_insert(Some(0));
                        if known.is_some_and(|found| found < at || at == 0) {
                            *known = regex.find(input()).map(|found| found.start());
                        }
                        known.map(|found| (found, i))
                    })
                    .min();
                let until =
                    [ends.as_ref().map(|it| it.start), first.map(|it| it.0)].into_iter().flatten().min();
                let until = until.unwrap_or(content.len());
                scopes[start + at..start + until].iter_mut().for_each(|it| it.clone_from(scope));
                if let Some(range) = ends.filter(|it| first.is_none_or(|first| it.start <= first.0)) {
                    scopes[start + range.start..start + range.end]
                        .iter_mut()
                        .for_each(|it| it.clone_from(scope));
                    at = range.end.max(at + usize::from(range.is_empty()));
                    open.pop();
                    continue;
                }
                let Some((_, i)) = first else { break };
                let (Pattern::Match { regex, name, captures }
                | Pattern::Region { begin: regex, name, captures, .. }) = &patterns[i];
                let mut groups = regex.create_captures();
                regex.captures(input(), &mut groups);
                let whole = groups.get_group(0).expect("it was found");
                let name = if name.is_empty() { scope.clone() } else { name.clone() };
                scopes[start + whole.start..start + whole.end].iter_mut().for_each(|it| it.clone_from(&name));
                for (group, scope) in captures {
                    let span = groups.get_group(*group).expect("the group is there");
                    scopes[start + span.start..start + span.end]
                        .iter_mut()
                        .for_each(|it| it.clone_from(scope));
                }
                at = whole.end.max(at + usize::from(whole.start == whole.end));
                if let Pattern::Region { end, inside, .. } = &patterns[i] {
                    let opened = (Some(Rc::clone(end)), name, self.patterns(inside));
                    open.push(opened);
                }
            }
            start += line.len();
        }
        scopes
    }
}

fn models() -> Vec<PathBuf> {
    let folders = ["examples", "tests/models"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "orb"));
    paths.sort();
    paths
}

/// What stands in a text has the colour of what it is.
fn compare(grammar: &Grammar, text: &str, shown: &str) -> usize {
    let scopes = grammar.scopes(text);
    let lexed = lex(text);
    for comment in &lexed.comments {
        for at in comment.span.start..comment.span.end {
            let scope = &scopes[at as usize];
            let line_end = text.as_bytes()[at as usize] == b'\n' || text.as_bytes()[at as usize] == b'\r';
            assert!(
                scope.starts_with("comment.") || line_end,
                "{shown}: byte {at} of a comment is {scope:?}"
            );
        }
    }
    for token in &lexed.tokens {
        let Some(scope) = scopes.get(token.span.start as usize) else { continue };
        let word = token.span.text(text);
        let good = match token.kind {
            TokenKind::Ident => {
                !["keyword.control", "storage", "constant", "support.type", "comment", "string"]
                    .iter()
                    .any(|wrong| scope.starts_with(wrong))
            }
            TokenKind::Int => scope.starts_with("constant.numeric"),
            TokenKind::Str => scope.starts_with("string"),
            kind if kind.is_keyword() => {
                let named = kind.is_name() && scope.starts_with("entity.name");
                named
                    || ["keyword.", "storage.", "constant.language", "support.type"]
                        .iter()
                        .any(|it| scope.starts_with(it))
            }
            _ => !scope.starts_with("comment") && !scope.starts_with("string"),
        };
        assert!(good, "{shown}: `{word}` at {} is {scope:?}", token.span.start);
    }
    lexed.tokens.len()
}

#[test]
fn all_models_have_the_colours_of_their_tokens() {
    let grammar = Grammar::load();
    let mut tokens = 0;
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("a text");
        tokens += compare(&grammar, &text, &path.display().to_string());
    }
    assert!(tokens > 10_000, "only {tokens} tokens");
    let odd = "/* a /* b */ var \n c */ var x: bool; // \"no string\nltl p = G (x U \"\" == \"if\");\nenum E { G, U }";
    compare(&grammar, odd, "an odd text");
}

#[test]
fn operators_of_formulas_are_plain_names_elsewhere() {
    let grammar = Grammar::load();
    let text = "enum E { M, G }\nctl c = AG m == M;\nvar m: E = M;";
    let scopes = grammar.scopes(text);
    let at = |word: &str| scopes[text.find(word).expect("it is there")].clone();
    assert_eq!(at("AG"), "keyword.operator.temporal.orb");
    assert_eq!((at("M, G"), at("M;\n").as_str() != ""), (String::new(), true));
    assert_eq!(scopes[text.rfind('M').expect("it is there")], "");
}

#[test]
fn words_that_are_names_elsewhere_have_their_colour_in_their_places() {
    let grammar = Grammar::load();
    let text = "import \"lib.orb\" as l;\nimport \"b.orb\";\nstrong fair changing { a }\nrule r priority -2 when x not in s && m is none { y = choose c in S.all; z = choose d: T; }
rule q priority N { match o { some(v) => {} } }\nvar priority: bool; var choose: bool; var changing: bool; var import: bool; var all: bool; var not: bool;";
    let scopes = grammar.scopes(text);
    let (places, names) = text.split_at(text.find("var priority").expect("it is there"));
    for word in ["import", "as", "changing", "priority", "choose", "not", "is", "all", "some"] {
        for (at, _) in places.match_indices(word) {
            let alone = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric());
            if !alone(text[..at].chars().last()) || !alone(text[at + word.len()..].chars().next()) {
                continue;
            }
            let scope = &scopes[at];
            assert!(
                scope == "keyword.operator.word.orb" || scope == "support.function.orb",
                "{word}: {scope}"
            );
        }
        if let Some(at) = names.find(&format!("var {word}:")) {
            assert_eq!(scopes[places.len() + at + 4], "", "{word}");
        }
    }
    assert_eq!(scopes[text.find("lib.orb").expect("it is there")], "string.quoted.double.orb");
    assert_eq!(scopes[text.find("none").expect("it is there")], "constant.language.orb");
}

/// The grammar of the editor has every word of the lexer, in a list of words.
#[test]
fn every_keyword_is_in_the_grammar() {
    let grammar = Grammar::load();
    let mut known = BTreeSet::new();
    for pattern in grammar.document["repository"]["words"]["patterns"].as_array().expect("a list") {
        let list = pattern["match"].as_str().expect("a pattern");
        let list =
            list.strip_prefix("\\b(").and_then(|list| list.strip_suffix(")\\b")).expect("a list of words");
        for word in list.split('|') {
            assert!(known.insert(word.to_string()), "`{word}` is there twice");
        }
    }
    let built_in = ["abs", "next", "ord", "prev"].map(String::from);
    let expected: BTreeSet<String> = keywords().into_iter().chain(built_in).collect();
    assert_eq!(known, expected);
}

/// The book's list is the same.
#[test]
fn every_keyword_is_coloured_in_the_book() {
    let script = read("docs/orb.js");
    let start = script.find("const orbWords = {").expect("the lists");
    let lists = &script[start..start + script[start..].find("};").expect("their end")];
    let words = lists.split('"').skip(1).step_by(2).flat_map(str::split_whitespace).map(String::from);
    let mut known = BTreeSet::new();
    for word in words {
        assert!(known.insert(word.clone()), "`{word}` is there twice");
    }
    let built_in = ["abs", "next", "ord", "prev"].map(String::from);
    let expected: BTreeSet<String> = keywords().into_iter().chain(built_in).collect();
    assert_eq!(known, expected);
    assert!(read("docs/book.toml").contains("additional-js = [\"orb.js\"]"));
}

/// What VS Code reads is there and means what the server offers.
#[test]
fn the_extension_is_whole() {
    let read = |path: &str| -> Value {
        serde_json::from_str(&read(&format!("editors/vscode/{path}")))
            .unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let package = read("package.json");
    let language = &package["contributes"]["languages"][0];
    assert_eq!((&language["id"], &language["extensions"][0]), (&"orb".into(), &".orb".into()));
    assert_eq!(
        package["contributes"]["grammars"][0]["scopeName"],
        read("syntaxes/orb.tmLanguage.json")["scopeName"]
    );
    read("language-configuration.json");
    assert!(package["dependencies"]["vscode-languageclient"].is_string());
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let script = std::fs::read_to_string(root().join("editors/vscode/extension.js")).expect("a script");
    let commands = package["contributes"]["commands"].as_array().expect("a list");
    for command in commands {
        let name = command["command"].as_str().expect("a name");
        assert!(script.contains(&format!("registerCommand(\"{name}\"")), "{name} is not registered");
        // The client registers what the server offers; twice would be an error.
        assert_ne!(name, "burnside.check");
    }
    assert!(script.contains("args: [\"lsp\"]") && script.contains("executeCommand(\"burnside.check\""));
    for setting in package["contributes"]["configuration"]["properties"].as_object().expect("settings").keys()
    {
        let short = setting.strip_prefix("burnside.").expect("a prefix");
        assert!(script.contains(&format!("get(\"{short}\")")), "{setting} is not read");
    }
}
