//! The readers of texts from outside, each for any bytes at all: no panic, and what is read can be written
//! and read again.
//!
//! Entry points: [`READERS`], used by `tests/all/readers.rs` with random changes and by the targets in
//! `fuzz/` with an eye on which code is reached; [`seeds`], texts to begin with; [`guarded`], for a reader
//! that lives elsewhere. Nothing is checked here but that it can be read: no engine runs.

use crate::generate::Rng;
use burnside::{Kind, LoadOptions, Model, Source};
use burnside_lang::syntax::format;
use burnside_limits::{Interrupt, Stop, catch};
use burnside_logic::{AutomatonLimits, Hoa, Lasso, Parsed, parse, print_hoa, read_hoa, show, translate};
use burnside_petri::{Net, Place, Transition, parse_query, read_properties};
use std::path::Path;

/// Longer inputs are left out.
const LONGEST: usize = 1 << 16;
/// A reader that polls so often is ended: it would go on for seconds.
const LOOKS: u64 = 200_000;
/// As much as the program has.
const STACK: usize = 64 << 20;

/// A reader, for any bytes.
pub type Reader = fn(&[u8]);

/// All of them by name.
pub const READERS: &[(&str, Reader)] = &[
    ("orb", |bytes| guarded(bytes, orb)),
    ("pnml", |bytes| guarded(bytes, pnml)),
    ("murphi", |bytes| guarded(bytes, murphi)),
    ("hoa", |bytes| guarded(bytes, hoa)),
    ("contest", |bytes| guarded(bytes, contest)),
    ("ltl", |bytes| guarded(bytes, ltl)),
    ("query", |bytes| guarded(bytes, query)),
];

/// A Murphi model, which is also a model in our own language if nothing is wrong with it.
fn murphi(text: &str) {
    let _ = Model::load(Source::named("text.m", text), &LoadOptions::new());
    let converted = burnside_murphi::convert(text, &[]);
    if converted.diagnostics.is_empty() {
        assert!(format(&converted.text).is_ok(), "the translation can be read:\n{}", converted.text);
    }
}

/// Reads bytes with the reader of this name.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, reader) = READERS.iter().find(|(its, _)| *its == name).expect("a reader has this name");
    reader(bytes);
}

/// Has a text read, if it is one: with room for deep texts, and not for ever.
pub fn guarded(bytes: &[u8], read: impl FnOnce(&str) + Send) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if text.len() > LONGEST {
        return;
    }
    let interrupt = Interrupt::new();
    interrupt.raise_after(LOOKS, Stop::Interrupted);
    let work = || {
        // That it took too long is an answer.
        let _ = catch(|| interrupt.enter(|| read(text)));
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let ended = thread.expect("there is room for a thread").join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// A model: diagnostics are about its text, and laying it out changes nothing but the layout.
fn orb(text: &str) {
    let loaded = Model::load(Source::Orb(text.into()), &LoadOptions::new());
    for diagnostic in &loaded.diagnostics {
        let span = diagnostic.primary.span;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostic:?}");
    }
    let Ok(new) = format(text) else {
        return assert!(loaded.model.is_err(), "it is loaded, but not laid out");
    };
    assert_eq!(format(&new).as_ref(), Ok(&new), "laying out twice gives something else");
    let again = Model::load(Source::Orb(new.as_str().into()), &LoadOptions::new());
    assert_eq!(loaded.model.is_ok(), again.model.is_ok(), "laid out, it is another model:\n{new}");
}

/// A net, up to its transition system.
fn pnml(text: &str) {
    let loaded = Model::load(Source::Net(text.into()), &LoadOptions::new());
    for diagnostic in &loaded.diagnostics {
        let span = diagnostic.primary.span;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostic:?}");
    }
    assert_eq!(loaded.model.is_err(), loaded.diagnostics.iter().any(|it| it.is_error()));
}

/// An automaton: what is written is read again as one of the same words. Edges that say the same are one
/// then, so it is written alike from the second time on.
fn hoa(text: &str) {
    let Ok(first) = read_hoa(text) else { return };
    let write = |hoa: &Hoa| print_hoa(&hoa.automaton, &hoa.names, hoa.title.as_deref().unwrap_or(""));
    let again = |text: &str| read_hoa(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let second = again(&write(&first));
    let third = again(&write(&second));
    assert_eq!(write(&third), write(&second));
    let mut rng = Rng::new(text.len() as u64);
    for _ in 0..8 {
        let word = word(first.automaton.atoms, &mut rng);
        let accepts = |hoa: &Hoa| word.is_accepted(&hoa.automaton);
        assert_eq!([&first, &second, &third].map(accepts), [accepts(&first); 3], "{word:?}");
    }
}

fn word(atoms: u32, rng: &mut Rng) -> Lasso {
    let mut letters = |count| (0..count).map(|_| (0..=atoms / 64).map(|_| rng.bits()).collect()).collect();
    Lasso { stem: letters(2), cycle: letters(2) }
}

/// A formula of linear time.
fn ltl(text: &str) {
    let Ok(Parsed { formula, names }) = parse(text) else { return };
    let shown = show(&formula, &names);
    let again = parse(&shown).unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!(show(&again.formula, &again.names), shown);
}

/// The contest's questions about a net with just the places and transitions that they name.
fn contest(text: &str) {
    let net = net(named(text, "place"), named(text, "transition"));
    let Ok(queries) = read_properties(text, &net) else { return };
    for query in queries {
        let again = parse_query(&query.text, query.asked.kind(), &query.name, &net);
        assert_eq!(again.as_ref(), Ok(&query), "as a text it is another question");
    }
}

/// A question about a net as a text, taken for each kind of question.
fn query(text: &str) {
    let net =
        net(["a", "b", "wait 1"].map(String::from).into(), ["t", "enter", "leave"].map(String::from).into());
    for kind in [Kind::Invariant, Kind::Reachable, Kind::Ltl, Kind::Ctl, Kind::Bound] {
        let Ok(query) = parse_query(text, kind, "q", &net) else { continue };
        let shown = burnside_petri::show(&query.asked, &net);
        let again = parse_query(&shown, kind, "q", &net).map(|query| query.asked);
        assert_eq!(again.as_ref(), Ok(&query.asked), "{shown}");
    }
}

fn net(places: Vec<String>, transitions: Vec<String>) -> Net {
    let place = |id: String| Place { name: id.clone(), id, domain: Vec::new(), initial: vec![1] };
    let transition = |id: String| Transition { name: id.clone(), id, ..Transition::default() };
    Net {
        places: places.into_iter().map(place).collect(),
        transitions: transitions.into_iter().map(transition).collect(),
        ..Net::default()
    }
}

/// What stands in tags, each once.
fn named(text: &str, tag: &str) -> Vec<String> {
    let open = format!("<{tag}>");
    let inside = text.split(&open).skip(1).filter_map(|rest| rest.split('<').next());
    let mut names: Vec<String> = inside.map(|name| name.trim().to_string()).collect();
    names.sort();
    names.dedup();
    names
}

/// Formulas to begin with.
const FORMULAS: &[&str] = &[
    "G(request -> F grant)",
    "[]<>a && <>[]b -> (c U d)",
    "!(a R b) W (X c M true)",
    "\u{25a1}(\"p q\" \u{2192} \u{25c7}r) \u{2194} \u{ac}s",
    "(a V b) ^ ~c | () d & 1 <=> 0",
    "G F a && G F b && G F c -> F (d && X X e)",
];
const QUERIES: &[&str] = &[
    "a <= 2 && !(b > a + 3)",
    "A G (a + \"wait 1\" = 2 -> E F fireable(t))",
    "G (fireable(enter, leave) -> F b >= 1)",
    "a + 2 * b",
    "E[a < 1 U deadlock]",
];

/// Texts for the reader of this name to begin with, from a folder with the project.
pub fn seeds(name: &str, root: &Path) -> Vec<Vec<u8>> {
    let files = |folders: &[&str], ending: &str| -> Vec<Vec<u8>> {
        let mut paths = Vec::new();
        folders.iter().for_each(|folder| collect(&root.join(folder), ending, &mut paths));
        paths.sort();
        paths.iter().filter_map(|path| std::fs::read(path).ok()).filter(|it| it.len() <= LONGEST).collect()
    };
    let bytes = |text: &&str| text.as_bytes().to_vec();
    match name {
        "orb" => files(&["examples", "tests/models"], "orb"),
        "pnml" => files(&["examples", "tests/contest"], "pnml"),
        "murphi" => (0..20)
            .map(|seed| crate::murphi::program(seed).into_bytes())
            .chain(files(&["tests/models/murphi"], "m"))
            .collect(),
        "contest" => files(&["tests/contest"], "xml"),
        "hoa" => FORMULAS.iter().filter_map(|text| automaton(text)).map(String::into_bytes).collect(),
        "ltl" => FORMULAS.iter().map(bytes).collect(),
        _ => QUERIES.iter().map(bytes).collect(),
    }
}

fn automaton(formula: &str) -> Option<String> {
    let Parsed { formula, names } = parse(formula).ok()?;
    let automaton = translate(&formula, names.len() as u32, &AutomatonLimits::default()).ok()?;
    Some(print_hoa(&automaton, &names, "it"))
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, ending, found);
        } else if path.extension().is_some_and(|its| its == ending) {
            found.push(path);
        }
    }
}
