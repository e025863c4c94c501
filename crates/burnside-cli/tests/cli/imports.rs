//! Models in several files: what is told of which file, and that they can be run, kept and watched as others.

use super::*;
use serde_json::json;

const MODEL: &str = "import \"lib.orb\";
import \"sub/channel.orb\" as ch;
var x: lib.Small;
process P {
    rule send when !ch.q.full() { ch.send(x); }
    rule take when !ch.q.empty() { ch.q.pop(); x = lib.next_of(x); }
}
invariant small = x < lib.N;
check { faults = violated; small = violated; }
";
const LIBRARY: &str =
    "const N = 2;\ntype Small = 0..3;\nfn next_of(a: int): int = if a < N { a + 1 } else { 0 };\n";
const CHANNEL: &str =
    "import \"../lib.orb\" as l;\nvar q: queue[1] of l.Small;\nproc send(v: l.Small) { q.push(v + 2); }\n";

/// A folder with the three files.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(&format!("imports_{name}"));
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    for (file, text) in [("m.orb", MODEL), ("lib.orb", LIBRARY), ("sub/channel.orb", CHANNEL)] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn path(folder: &std::path::Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_string()
}

#[test]
fn faults_are_told_with_their_file_and_replay() {
    let folder = folder("fault");
    let (model, trace) = (path(&folder, "m.orb"), path(&folder, "t.json"));
    let ran = run(&["check", &model, "--trace", &trace]).code(1);
    assert!(ran.out.contains("sub/channel.orb:3:32"), "{}", ran.out);
    assert!(ran.out.contains("ch.q") && ran.out.contains("lib.N = 2"), "{}", ran.out);
    let replayed = run(&["replay", &model, &trace]).code(0);
    assert!(replayed.out.contains("faults: replays"), "{}", replayed.out);
    let document = run(&["check", &model, "--format", "json"]).code(1).json();
    let fault = &result(&document, "faults")["evidence"]["fault"];
    assert_eq!((&fault["origin"], &fault["line"]), (&json!("sub/channel.orb"), &json!(3)));
    let document = run(&["check", &model, "--format", "json", "--set", "lib.N=1"]).json();
    assert_eq!(document["constants"]["lib.N"], json!(1));
    assert_eq!(result(&document, "faults")["verdict"], json!("holds"));
}

#[test]
fn formulas_beside_the_model_know_what_it_imports() {
    let folder = folder("formulas");
    let model = path(&folder, "m.orb");
    let asked = run(&["check", &model, "--invariant", "ch.q.size() <= ch.l.N", "--format", "json"]);
    assert_eq!(result(&asked.json(), "invariant-1")["verdict"], json!("holds"));
    let wrong = run(&["check", &model, "--invariant", "lib.M == 2"]).code(2);
    assert!(wrong.err.contains("the imported file has no `M`"), "{}", wrong.err);
}

#[test]
fn mistakes_are_told_in_the_file_that_has_them() {
    let folder = folder("mistakes");
    let (model, library) = (path(&folder, "m.orb"), path(&folder, "lib.orb"));
    std::fs::write(&library, LIBRARY.replace("a + 1", "a + true")).unwrap();
    let ran = run(&["check", &model]).code(2);
    assert!(ran.err.contains("lib.orb:3:") && ran.err.contains("a + true"), "{}", ran.err);
    let document = run(&["check", &model, "--format", "json"]).code(2).json();
    assert_eq!(document["error"]["diagnostics"][0]["origin"], json!(library));
    std::fs::remove_file(&library).unwrap();
    let ran = run(&["check", &model]).code(2);
    let lines: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error[")).collect();
    let missing = "error[bad-import]: `lib.orb` cannot be imported: there is no such file";
    let again = "error[bad-import]: `../lib.orb` cannot be imported: there is no such file";
    assert_eq!(lines, [missing, again], "one for each import: {}", ran.err);
    std::fs::write(&library, "import \"m.orb\";\nconst N = 2;").unwrap();
    let ran = run(&["check", &model]).code(2);
    assert!(ran.err.contains("`m.orb` cannot be imported: it imports this file itself"), "{}", ran.err);
}

#[test]
fn a_text_without_a_file_imports_nothing() {
    let ran = run_with(&["check", "-"], MODEL).code(2);
    assert!(ran.err.contains("this text stands in no file"), "{}", ran.err);
    assert!(!ran.err.contains("unknown"), "{}", ran.err);
}

#[test]
fn folders_with_libraries_are_tested() {
    let folder = folder("tested");
    let ran = run(&["test", folder.to_str().unwrap()]).code(0);
    assert!(ran.out.contains("1 as expected, 2 models expect nothing"), "{}", ran.out);
    let ran = run(&["fmt", "--check", folder.to_str().unwrap()]);
    assert!(!std::fs::read_to_string(folder.join("m.orb")).unwrap().contains('\u{1c}'), "{}", ran.err);
}

#[test]
fn cases_of_imported_unions_have_their_plain_names() {
    let folder = scratch("imports_unions");
    let library = "enum Home { home }\nsymmetric Client[2];\ntype Node = Home | Client;\nvar data: array[Node] of bool;\nproc flip(n: Node) { data[n] = !data[n]; }\n";
    let model = "import \"lib.orb\" as l;
var owner: l.Node = l.home;
process P {
    rule next(n: l.Node) { owner = n; l.flip(n); }
    rule all when owner is Home { for n: l.Node { match n { Client(c) => { l.flip(c); } l.Home(_) => {} } } }
}
invariant either = match owner { Home(_) => true, Client(c) => l.data[c] || !l.data[c] };
check { either = holds; }
";
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in [("m.orb", model), ("lib.orb", library)] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let model = path(&folder, "m.orb");
    run(&["test", &model]).code(0);
    // The loops keep the symmetry.
    let told = run(&["symmetry", &model]).code(0);
    assert!(!told.out.contains("what breaks more"), "{}", told.out);
}
