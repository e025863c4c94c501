//! Every chore as one command: `cargo xtask CHORE`.
//!
//! Needs nothing but Rust (and git for `bench compare`). Each chore is a file of its own; `test` is all
//! that must hold.

mod bench;
mod branching;
mod compare;
mod contest;
mod cpu;
mod docs;
mod examples;
mod families;
mod fuzz;
mod growth;
mod hunts;
mod kills;
mod local;
mod machine;
mod papers;
mod peers;
mod process;
mod readers;
mod screenshots;
mod several;
mod svg;
mod symbolic;
mod symmetry;
mod test;
mod tidy;
mod twins;
mod work;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

chores:
  test                     everything that must hold: tidy, format, clippy, docs, tests, examples, contest
  test --quick             a part of it in a few minutes: tidy, format, tests with fewer random cases, some examples
  tidy                     the rules of this codebase that no compiler checks
  docs [--bless]           run what README.md and the book show; with --bless, write what the program prints into them
  screenshots              take the pictures of the page that the book shows, in Chromium
  examples [NAME]...       run the examples against what they expect
  bench                    speed and memory
  bench compare REV [NAME]...  this tree against another revision or a program's file; runs with such names
  bench peers [NAME]...    without symmetry, against SPIN and Rumur; rows with such names
  bench papers             the tables of the papers, with our figures beside theirs
  bench hunts              how soon a deadlock is found, against SPIN's depth-first search
  bench ctl                the algorithms for branching time, on one graph
  bench local              products with local symmetries of automata, and without
  bench rust               models written in Rust, against their twins in .orb
  bench symbolic           the symbolic methods with symmetry, against those without
  bench symmetry [NAME]... symmetry against other checkers, no symmetry and smaller models; rows with such names
                           option: --profile
  contest                  our own nets in the contest's layout, and the contest's small ones if they are there
  contest DIR [OPTION]...  run a folder of the Model Checking Contest's instances against its oracle.csv
                           options: --timeout SECONDS, --most STATES, --only NAME, --symmetry KIND,
                           --jobs COUNT, --program FILE
  fuzz [FIRST [END]]       random models from seed FIRST on, to END or for ever
  fuzz ltl [FIRST [END]]   the same for linear-time properties under fairness
  fuzz ctl [FIRST [END]]   the same for branching-time properties
  fuzz local [FIRST [END]] the same for linear-time properties with indices inside
  fuzz symbolic [FIRST [END]]  the same with decision diagrams
  fuzz lassos [FIRST [END]]  the same for the lengths of runs that refute linear-time properties
  fuzz evidence [FIRST [END]]  forged evidence of random models: what is accepted must be right
  fuzz limits [FIRST [END]]    limits and interrupts at random points of every command on every example
  fuzz every [FIRST [END]]  what is proved for every size, of random models, formulas, rings and changed proofs
  fuzz murphi [FIRST [END]]    random Murphi programs, against Rumur (installs it if it can)
  fuzz tokens [FIRST [END]]  Petri nets with more tokens than 64 bits count
  kills [COUNT [SEED [PROGRAM]]]  checks that are killed at random moments while they are kept, and gone on with
  fuzz readers [TARGET [SECONDS]]  any bytes for the readers, led by the code that they reach (needs a C++ compiler)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test::run(),
        ["test", "--quick"] => test::quick(),
        ["tidy"] => tidy::run(),
        ["docs"] => docs::run(false),
        ["docs", "--bless"] => docs::run(true),
        ["screenshots"] => screenshots::run(),
        ["examples", names @ ..] => examples::run(names),
        ["fuzz", "ltl", seeds @ ..] if seeds.len() <= 2 => fuzz::run("ltl", seeds),
        ["fuzz", "ctl", seeds @ ..] if seeds.len() <= 2 => fuzz::run("ctl", seeds),
        ["fuzz", "local", seeds @ ..] if seeds.len() <= 2 => fuzz::run("local", seeds),
        ["fuzz", "tokens", seeds @ ..] if seeds.len() <= 2 => fuzz::run("tokens", seeds),
        ["fuzz", "symbolic", seeds @ ..] if seeds.len() <= 2 => fuzz::run("symbolic", seeds),
        ["fuzz", "evidence", seeds @ ..] if seeds.len() <= 2 => fuzz::run("evidence", seeds),
        ["fuzz", "every", seeds @ ..] if seeds.len() <= 2 => fuzz::run("every", seeds),
        ["fuzz", "murphi", seeds @ ..] if seeds.len() <= 2 => fuzz::run("murphi", seeds),
        ["fuzz", "lassos", seeds @ ..] if seeds.len() <= 2 => fuzz::run("lassos", seeds),
        ["fuzz", "limits", seeds @ ..] if seeds.len() <= 2 => fuzz::run("limits", seeds),
        ["fuzz", "readers", rest @ ..] if rest.len() <= 2 => readers::run(rest),
        ["kills", rest @ ..] if rest.len() <= 3 => kills::run(rest),
        ["fuzz", seeds @ ..] if seeds.len() <= 2 => fuzz::run("random", seeds),
        ["contest"] => contest::test(),
        ["contest", folder, options @ ..] => contest::run(folder, options),
        ["bench"] => bench::run(),
        ["bench", "compare", revision, names @ ..] => compare::run(revision, names),
        ["bench", "peers", names @ ..] => peers::run(names),
        ["bench", "papers"] => papers::run(),
        ["bench", "hunts"] => hunts::run(),
        ["bench", "ctl"] => branching::run(),
        ["bench", "local"] => local::run(),
        ["bench", "rust"] => twins::run(),
        ["bench", "symbolic"] => symbolic::run(),
        ["bench", "symmetry", words @ ..] => symmetry::run(words),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
