//! Names of all kinds, from each of their places: where they are declared, where they are used, what renaming
//! changes. Two judges: places that are marked by hand, and, for all names of all models at hand, the system
//! that the renamed text stands for, which must be the same but for the name.

use crate::client::{Client, URI, at};
use burnside::{LoadOptions, Model};
use burnside_lang::syntax::lexer::lex;
use burnside_lang::syntax::token::Token;
use burnside_testkit::cases;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A name that no text here has.
const FRESH: &str = "qq_renamed_qq";

/// A model in which each name stands as `<k:name>`, the same number for the same thing; `<*k:name>` declares
/// it. A family and the type of its index are two things with one name: `<k&l:name>`.
const MARKED: &str = "
const <*1:N> = 2;
symmetric <*2:Client>[<1:N>];
ring <*3:Seat>[3];
enum <*4:Phase> { <*5:idle>, <*6:busy> }
enum <*7:Mode> { <*8:idle>, <*9:off> }
type <*10:Small> = 0..<1:N>;
record <*11:Msg> { <*12:kind>: <4:Phase>, <*13:from>: <2:Client> }
var <*14:net>: bag[<1:N>] of <11:Msg>;
var <*15:mode>: <7:Mode> = <8:idle>;
var <*16:level>: <10:Small>;
var <*17:seat>: <3:Seat> = <3:Seat>#0;
fn <*18:low>(<*19:x>: int): bool = exists <*20:y>: 0..<1:N> { <20:y> > <19:x> };
proc <*21:put>(<*22:k>: <4:Phase>, inout <*23:place>: <10:Small>) { <23:place> = if <22:k> == <5:idle> { 0 } else { <1:N> }; }
fair process <*24:Server> {
    locations <*25:home>, <*26:away>;
    var <*27:served>: <10:Small>;
    rule <*28:go> when @<25:home> && <18:low>(<16:level>) { <21:put>(<6:busy>, <16:level>); <27:served> = <16:level>; goto <26:away>; }
    rule <*29:back>(<*30:m> in <14:net>) when @<26:away> { <14:net>.remove(<30:m>); let <*31:k> = <30:m>.<12:kind>; <21:put>(<31:k>, <16:level>); goto <25:home>; }
}
fair process <*32&2:Client>[<*33:c>] {
    var <*34:phase>: <4:Phase> = <5:idle>;
    rule <*35:ask> when <34:phase> == <4:Phase>.<5:idle> && !<14:net>.full() { <14:net>.add(<11:Msg>(<34:phase>, <33:c>)); <34:phase> = <6:busy>; }
    rule <*36:turn>(<*37:other>: <2:Client>) when <34:phase>[<37:other>] == <6:busy> { <17:seat> = next(<17:seat>); <15:mode> = <9:off>; <32:Client>[<37:other>].<34:phase> = <5:idle>; }
}
invariant <*38:bounded> = forall <*39:i>: <2:Client> { <34:phase>[<39:i>] == <6:busy> -> <24:Server>.<27:served> <= <1:N> };
reachable <*40:sent> = exists <*41:m> in <14:net> { <41:m>.<13:from> == <2:Client>#0 };
ltl <*42:again> = G F (enabled(<24:Server>.<28:go>) || <15:mode> == <9:off>) expect violated;
check { <1:N> = 1; <42:again> = violated; }
";

/// What is marked: the text, and of each thing its places and those of them that declare it.
struct Marked {
    text: String,
    places: BTreeMap<u32, Vec<[u32; 3]>>,
    declared: BTreeMap<u32, [u32; 3]>,
    names: BTreeMap<u32, String>,
}

/// Reads the marks; things in `renamed` get another name.
fn read(renamed: &BTreeSet<u32>) -> Marked {
    let mut marked = Marked { text: String::new(), places: [].into(), declared: [].into(), names: [].into() };
    let mut rest = MARKED;
    while let Some(start) = rest.find('<') {
        let is_mark = rest[start + 1..].starts_with(|c: char| c == '*' || c.is_ascii_digit());
        let (before, after) = rest.split_at(start + usize::from(!is_mark));
        marked.text.push_str(before);
        rest = after;
        if !is_mark {
            continue;
        }
        let end = rest.find('>').expect("the end of a mark");
        let (things, name) = rest[1..end].split_once(':').expect("a name");
        let declares = things.starts_with('*');
        let things: Vec<u32> =
            things.trim_start_matches('*').split('&').map(|it| it.parse().expect("a number")).collect();
        let line = marked.text.matches('\n').count() as u32;
        let column = (marked.text.len() - marked.text.rfind('\n').map_or(0, |it| it + 1)) as u32;
        let name = if things.iter().any(|it| renamed.contains(it)) { FRESH } else { name };
        let place = [line, column, column + name.len() as u32];
        for (i, &thing) in things.iter().enumerate() {
            marked.places.entry(thing).or_default().push(place);
            marked.names.insert(thing, name.to_string());
            if declares && i == 0 {
                marked.declared.insert(thing, place);
            }
        }
        marked.text.push_str(name);
        rest = &rest[end + 1..];
    }
    marked.text.push_str(rest);
    marked
}

fn place(range: &Value) -> [u32; 3] {
    let number = |value: &Value| value.as_u64().expect("a number") as u32;
    assert_eq!(range["start"]["line"], range["end"]["line"]);
    [
        number(&range["start"]["line"]),
        number(&range["start"]["character"]),
        number(&range["end"]["character"]),
    ]
}

fn references(client: &mut Client, [line, column, _]: [u32; 3], declaration: bool) -> Vec<[u32; 3]> {
    let mut params = at(line, column);
    params["context"]["includeDeclaration"] = json!(declaration);
    let found = client.ask("textDocument/references", params).expect("an answer");
    let mut found: Vec<_> = found.as_array().expect("a list").iter().map(|it| place(&it["range"])).collect();
    found.sort();
    found
}

/// The text after a rename from a place, or why there is none.
fn renamed(client: &mut Client, text: &str, line: u32, column: u32) -> Result<String, String> {
    let mut params = at(line, column);
    params["newName"] = json!(FRESH);
    let edits = client.ask("textDocument/rename", params).map_err(|(_, why)| why)?;
    let mut places: Vec<_> =
        edits["changes"][URI].as_array().expect("a list").iter().map(|it| place(&it["range"])).collect();
    places.sort();
    let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
    for [line, start, end] in places.into_iter().rev() {
        lines[line as usize].replace_range(start as usize..end as usize, FRESH);
    }
    Ok(lines.join("\n"))
}

#[test]
fn each_kind_of_name_has_its_places() {
    let marked = read(&BTreeSet::new());
    let mut client = Client::new();
    client.open(&marked.text);
    assert_eq!(client.diagnostics(), Vec::<Value>::new(), "{}", marked.text);
    assert_eq!(marked.places.len(), 42);
    // The family and its type.
    let together = BTreeSet::from([2, 32]);
    for (thing, places) in &marked.places {
        let name = &marked.names[thing];
        let things = if together.contains(thing) { together.clone() } else { [*thing].into() };
        let all: BTreeSet<_> = things.iter().flat_map(|it| marked.places[it].clone()).collect();
        let declared: BTreeSet<_> = things.iter().map(|it| marked.declared[it]).collect();
        let wanted = read(&things).text;
        for &from in places {
            let [line, column, end] = from;
            for column in [column, end] {
                let found = client.ask_at("textDocument/definition", line, column).expect("an answer");
                assert!(declared.contains(&place(&found["range"])), "{name} at {from:?}: {found}");
                assert_eq!(
                    renamed(&mut client, &marked.text, line, column).as_deref(),
                    Ok(&*wanted),
                    "{name} at {from:?}"
                );
            }
            let (with, without) = (references(&mut client, from, true), references(&mut client, from, false));
            let mut used = all.clone();
            used.retain(|it| !declared.contains(it));
            assert_eq!(with, all.iter().copied().collect::<Vec<_>>(), "{name} from {from:?}");
            assert_eq!(without, used.into_iter().collect::<Vec<_>>(), "{name} from {from:?}");
        }
        same_system(&marked.text, &wanted, name);
    }
    client.end();
}

/// What is said about a text, and everything that it stands for but columns, with the old name instead of the
/// fresh one; nothing if it is no model.
fn system(text: &str, name: &str) -> Option<(BTreeSet<String>, Vec<String>)> {
    let loaded = Model::load(text, &LoadOptions::new());
    let said = loaded.diagnostics.iter().map(|it| format!("{} {}", it.code, it.message).replace(FRESH, name));
    let said = said.collect();
    let mut system = (*loaded.model.ok()?.system).clone();
    system.sites.iter_mut().for_each(|site| site.column = 0);
    // Two variables of a name are told apart by their processes; with other names they need not be.
    system.vars.iter_mut().for_each(|var| var.qualified = false);
    let types = std::mem::take(&mut system.types);
    let lines = |shown: String| shown.replace(FRESH, name).lines().map(String::from).collect::<Vec<_>>();
    let (mut types, mut all) = (lines(format!("{types:#?}")), lines(format!("{system:#?}")));
    // Tables of types are in no order.
    types.sort_unstable();
    all.append(&mut types);
    Some((said, all))
}

/// The two texts stand for the same, but for the name. Nothing new is said about the new one; what was said
/// about the old name, such as that it hides another, need not be said any more.
fn same_system(text: &str, renamed: &str, name: &str) {
    let (said, was) = system(text, name).expect("a model");
    let (says, is) = system(renamed, name).unwrap_or_else(|| panic!("{name}: no model any more\n{renamed}"));
    assert!(says.is_subset(&said), "{name}: {says:?} instead of {said:?}");
    if let Some((a, b)) = was.iter().zip(&is).find(|(a, b)| a != b) {
        panic!("{name}: `{a}` became `{b}`\n{renamed}");
    }
    assert_eq!(was.len(), is.len(), "{name}");
}

/// Examples, and the tiny models of the tests.
fn models() -> Vec<PathBuf> {
    let folder = |name: &str| format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    let entries =
        |name| std::fs::read_dir(folder(name)).expect("a folder").map(|it| it.expect("an entry").path());
    let all = ["examples", "tests/models"].into_iter().flat_map(entries);
    let mut all: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|it| it == "orb")).collect();
    all.sort();
    all
}

/// The lines and columns of all names that stand in a text, in ASCII.
fn names(text: &str) -> Vec<(String, u32, u32)> {
    let names = lex(text).tokens.into_iter().filter(|token| token.kind.is_name());
    let place = |token: Token| {
        let before = &text[..token.span.start as usize];
        let column = before.len() - before.rfind('\n').map_or(0, |it| it + 1);
        (token.span.text(text).to_string(), before.matches('\n').count() as u32, column as u32)
    };
    names.map(place).collect()
}

/// What is spelled like a name and is not declared in a model: operators, functions and methods of the
/// language, words that are special in their places only.
const BUILT_IN: &str = "A AF AG AX E EF EG EX F G M R U W X _ abs add all allowed back check clear count \
    deadlock_paths empty expect fairness faults free front full holds inout insert is majority match max maximal min model \
    next not orbits ord pop prev proc push remove size some states sum transitions unknown violated \
    changing choose constraint priority";

#[test]
fn every_name_of_every_model_can_be_renamed_and_nothing_else_changes() {
    let (mut client, mut refused, mut count) = (Client::new(), BTreeSet::new(), 0);
    for path in cases::named(models()) {
        let text = std::fs::read_to_string(&path).expect("a text");
        if !text.is_ascii() || system(&text, "").is_none() {
            continue;
        }
        client.open(&text);
        let mut judged = BTreeSet::new();
        for (name, line, column) in names(&text) {
            match renamed(&mut client, &text, line, column) {
                Ok(fresh) => {
                    count += 1;
                    if judged.insert(fresh.clone()) {
                        same_system(&text, &fresh, &name);
                    }
                }
                Err(why) => {
                    let unnamed =
                        why == "there is no name of the model here" || why.ends_with("by the language");
                    assert!(unnamed, "{}:{}:{}: {why}", path.display(), line + 1, column + 1);
                    refused.insert(name);
                }
            }
        }
        client.close();
        client.notifications.clear();
    }
    let built_in: BTreeSet<&str> = BUILT_IN.split_whitespace().collect();
    refused.retain(|name| !built_in.contains(name.as_str()));
    assert_eq!(refused, BTreeSet::new());
    assert!(!cases::are_all() || count > 10_000, "{count}");
    client.end();
}
