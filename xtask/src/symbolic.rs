//! `cargo xtask bench symbolic`: the symbolic methods with symmetry, in the form of the tables of Barner and
//! Grumberg.
//!
//! Live_Rep against the classical method, Hints_Sym against the search on the fly, and Create_ξ against
//! Orbit_To_ξ. Every figure is that of one run; within a row the methods take turns on the same machine. A
//! run that has no answer in time is shown as `-`.

use crate::machine;
use crate::process::{Done, build_program, check_model, root, target_directory};
use serde_json::Value;
use std::path::Path;

/// Seconds that one run may take, and one that builds the relation between representatives and states.
const LIMIT: f64 = 60.0;
const LIMIT_XI: f64 = 180.0;

const PROCESSORS: std::ops::RangeInclusive<u32> = 5..=10;
/// That the first processor is answered: all but its own generators leave this alone.
const ANSWERED: &str = "AG (need[Cpu#0] != nothing -> AF need[Cpu#0] == nothing)";

const MASTERS: [u32; 3] = [6, 8, 10];
/// The two masters that the property names, with all others idle.
const HINT: &str = "forall m: Master where m != Master#0 && m != Master#1 { !request[m] && !grant[m] }";
const ON_THE_FLY: [&str; 6] = ["--property", "overtaken", "--symmetry", "none", "--symbolic-method", "hints"];
const WITH_HINTS: [&str; 8] =
    ["--property", "overtaken", "--symmetry", "none", "--symbolic-method", "hints", "--hint", HINT];
/// As the paper does it: sets are closed under the generators only when the hint changes.
const HINTS_SYM: [&str; 7] =
    ["--property", "overtaken", "--symbolic-method", "hints", "--hint", HINT, "--sigma-seldom"];
/// The searches are short: the least time of so many runs counts.
const RUNS: usize = 5;

/// Members that take any value at any time, so that every state is reachable. The type of the values has no
/// name, so that they are not found to be symmetric too.
const CELLS: &str = "\
const N = 4;
const TOP = 3;
symmetric Cell[N];
process Cell[c] {
    var value: 0..TOP = any;
    rule change { value = any; }
}
ctl home = AG EF (forall c: Cell { value[c] == 0 });
";
/// Bits of a member, and how many generators there are. With four bits a state has as many as the paper has
/// variables for as many generators. A generator swaps neighbours, so there is one member more.
const CASES: [(u32, std::ops::RangeInclusive<u32>); 2] = [(3, 3..=6), (4, 3..=6)];

/// What one run says.
struct SymbolicFigures {
    seconds: f64,
    /// Of these, those for the property alone.
    judging: f64,
    /// Of these, those for the relation between representatives and states, if there is one.
    xi: Option<f64>,
    nodes: u64,
    relation: u64,
}

/// Measures and prints the tables.
pub fn run() -> Done {
    let program = build_program()?;
    println!(
        "{}. At most {LIMIT} s for each run, {LIMIT_XI} s for those of the last table.",
        machine::describe()
    );
    live_rep(&program)?;
    hints(&program)?;
    representatives(&program)
}

fn live_rep(program: &Path) -> Done {
    let model = root().join("examples/futurebus.orb");
    println!("\n### Live_Rep against the classical method: `{ANSWERED}`, violated\n");
    println!(
        "| processors | seconds, classic | Live_Rep | ratio | peak nodes, classic | Live_Rep | ratio | relation, classic | Live_Rep | ratio |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for processors in PROCESSORS {
        let settings = [set("N", processors), set("ROUNDS", false)];
        let ctl = ["--ctl", ANSWERED, "--symbolic-method"];
        let check =
            |more: &[&str]| check(program, &model, &settings, &[&ctl, more].concat(), ("violated", LIMIT));
        let pair = [check(&["classic"])?, check(&["live-rep"])?];
        let (seconds, nodes) =
            (times(&pair, LIMIT, |it| it.seconds), compared(&pair, |it| it.nodes as f64, 0));
        println!("| {processors} | {seconds} | {nodes} | {} |", compared(&pair, |it| it.relation as f64, 0));
    }
    Ok(())
}

fn hints(program: &Path) -> Done {
    let model = root().join("examples/arbiter.orb");
    println!("\n### Hints_Sym against the search on the fly: `overtaken`\n");
    println!(
        "| masters | verdict | seconds, on the fly | with hints | Hints_Sym | peak nodes, on the fly | with hints | Hints_Sym |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|--:|");
    for masters in MASTERS {
        for (bug, verdict) in [(0, "holds"), (2, "violated")] {
            let settings = [set("N", masters), set("BUG", bug)];
            let ways: [&[&str]; 3] = [&ON_THE_FLY, &WITH_HINTS, &HINTS_SYM];
            let mut runs: [Option<SymbolicFigures>; 3] = [const { None }; 3];
            for _ in 0..RUNS {
                for (best, options) in runs.iter_mut().zip(ways) {
                    let run = check(program, &model, &settings, options, (verdict, LIMIT))?;
                    if best.is_none()
                        || run
                            .as_ref()
                            .is_some_and(|run| Some(run.judging) < best.as_ref().map(|it| it.judging))
                    {
                        *best = run;
                    }
                }
            }
            let seconds = each(&runs, |it| it.seconds, 2);
            let nodes = each(&runs, |it| it.nodes as f64, 0);
            println!("| {masters} | {verdict} | {seconds} | {nodes} |");
        }
    }
    Ok(())
}

fn representatives(program: &Path) -> Done {
    let model = target_directory()?.join("cells.orb");
    std::fs::write(&model, CELLS).map_err(|error| format!("{}: {error}", model.display()))?;
    println!("\n### Create_ξ against Orbit_To_ξ: `AG EF` of one state, holds\n");
    println!(
        "| bits of a member | generators | seconds for ξ, Orbit_To_ξ | Create_ξ | ratio | seconds with the property, Orbit_To_ξ | Create_ξ | ratio | peak nodes, Orbit_To_ξ | Create_ξ | ratio |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (bits, all) in CASES {
        for generators in all {
            let settings = [set("N", generators + 1), set("TOP", (1 << bits) - 1)];
            let home = ["--property", "home", "--symbolic-method"];
            let check =
                |way| check(program, &model, &settings, &[&home[..], &[way]].concat(), ("holds", LIMIT_XI));
            let pair = [check("orbit")?, check("representatives")?];
            let (xi, seconds) = (
                times(&pair, LIMIT_XI, |it| it.xi.unwrap_or_default()),
                times(&pair, LIMIT_XI, |it| it.judging),
            );
            let nodes = compared(&pair, |it| it.nodes as f64, 0);
            println!("| {bits} | {generators} | {xi} | {seconds} | {nodes} |");
        }
    }
    Ok(())
}

fn set(name: &str, value: impl ToString) -> (String, String) {
    (name.to_string(), value.to_string())
}

/// The figures of one run; none if it has no answer in time. Another answer than the expected one is an
/// error.
fn check(
    program: &Path,
    model: &Path,
    settings: &[(String, String)],
    options: &[&str],
    (expected, limit): (&str, f64),
) -> Result<Option<SymbolicFigures>, String> {
    let limit = limit.to_string();
    let engine = ["--engine", "symbolic", "--timeout", &limit];
    let document = check_model(program, model, settings, &[options, &engine].concat())?;
    let results = document["results"].as_array().ok_or("the report lacks results")?;
    // The last one was asked for; faults are looked for before.
    match results.last().and_then(|it| it["verdict"].as_str()) {
        Some("unknown") => Ok(None),
        Some(verdict) if verdict == expected => {
            read(&document).map(Some).ok_or_else(|| "the report lacks figures".to_string())
        }
        other => Err(format!("{} {options:?}: {expected} was expected, not {other:?}", model.display())),
    }
}

fn read(document: &Value) -> Option<SymbolicFigures> {
    let result = document["results"].as_array()?.last()?;
    let diagrams = &result["stats"]["diagrams"];
    Some(SymbolicFigures {
        seconds: document["seconds"].as_f64()?,
        judging: result["seconds"].as_f64()?,
        xi: diagrams["xi"]["seconds"].as_f64(),
        nodes: diagrams["peak_nodes"].as_u64()?,
        relation: diagrams["relation_nodes"].as_u64()?,
    })
}

/// A figure of each run, and how much larger the first is.
fn compared(
    pair: &[Option<SymbolicFigures>; 2],
    figure: impl Fn(&SymbolicFigures) -> f64,
    digits: usize,
) -> String {
    let ratio = match pair {
        [Some(old), Some(new)] => format!("{:.2}", figure(old) / figure(new).max(1e-9)),
        _ => "-".into(),
    };
    format!("{} | {ratio}", each(pair, figure, digits))
}

/// The same for seconds. If only the first run had no answer in time, it is larger than that.
fn times(
    pair: &[Option<SymbolicFigures>; 2],
    limit: f64,
    seconds: impl Fn(&SymbolicFigures) -> f64,
) -> String {
    match pair {
        [None, Some(new)] => {
            let new = seconds(new);
            format!("> {limit} | {new:.2} | > {:.1}", limit / new.max(1e-9))
        }
        _ => compared(pair, seconds, 2),
    }
}

fn each(runs: &[Option<SymbolicFigures>], figure: impl Fn(&SymbolicFigures) -> f64, digits: usize) -> String {
    let show = |run: &Option<SymbolicFigures>| {
        run.as_ref().map_or("-".into(), |it| format!("{:.digits$}", figure(it)))
    };
    runs.iter().map(show).collect::<Vec<_>>().join(" | ")
}
