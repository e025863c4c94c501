//! `cargo xtask bench symmetry [OPTION]... [NAME]...`: what symmetry costs and saves, against other checkers,
//! against no symmetry and against smaller models; all of it or what has one of the names in its own.
//!
//! Figures are processor time, medians of three runs (nine if they take less than a tenth of a second, one if
//! they take more than five seconds); programs that are compared take turns. Every count of orbits is
//! compared with a known one. Without a name, pictures of the curves are written into the book.
//!
//! `--baseline REV` (or a program's file) adds the same figures of another revision, `--profile` tells where
//! the time goes, by `perf`. Rumur and SPIN are asked if they are installed or can be (as packages of
//! Debian), and their versions of the models are beside the project, in `../shared/peers`. CMurphi is not in
//! Debian and is not asked.

use crate::bench::build_baseline;
use crate::cpu::{self, Job, Timing};
use crate::families::{self, FAMILIES, Family, Picture, readers_and_writers};
use crate::machine;
use crate::process::{Done, build_program, output, root, target_directory};
use crate::svg::{Curve, draw};
use serde_json::Value;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// Seconds of processor time for one run of a comparison, and of a family that grows.
const LIMIT: u32 = 100;
const FAMILY_LIMIT: u32 = 10;
/// What is quicker than this is mostly the start of the program: no exponent is taken from it.
const START: f64 = 0.01;

/// One search for all that is asked of single states.
const SAFETY: &str = "-p faults -p deadlock";

/// The pictures, each with its file in the book and its title.
const PICTURES: [(Picture, &str, &str); 3] = [
    (Picture::Graphs, "symmetry-graphs.svg", "Graphs that are built step by step"),
    (Picture::Hard, "symmetry-hard.svg", "Graphs that are hard for canonical labelling"),
    (Picture::Start, "symmetry-start.svg", "Large groups, few states"),
];

/// What is run, with what.
struct Bench {
    program: PathBuf,
    baseline: Option<PathBuf>,
    /// Where generated models and programs are.
    folder: PathBuf,
    /// The models for the others, or why there are none.
    peers: Result<PathBuf, String>,
    profile: bool,
    names: Vec<String>,
    /// What was not as it must be, told at the end.
    failures: RefCell<Vec<String>>,
}

/// The models for other checkers, or why there are none.
pub fn peers() -> Result<PathBuf, String> {
    let peers = root().parent().map(|it| it.join("shared/peers")).filter(|it| it.is_dir());
    peers.ok_or_else(|| "its models are not in ../shared/peers".to_string())
}

/// A run of our program against another run.
struct Comparison {
    name: String,
    ours: Job,
    /// Or why it cannot be run.
    other: Result<Job, String>,
    goal: String,
}

/// How far a family came in time.
struct Grown {
    /// Nodes and seconds.
    points: Vec<(f64, f64)>,
    /// The run of the last of them.
    last: Option<Job>,
}

/// Measures and prints the tables.
pub fn run(words: &[&str]) -> Done {
    let bench = Bench::new(words)?;
    println!("{}\n", machine::describe());
    bench.comparisons()?;
    bench.families()?;
    let failures = bench.failures.into_inner();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

impl Bench {
    fn new(words: &[&str]) -> Result<Bench, String> {
        let folder = target_directory()?.join("symmetry");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut bench = Bench {
            program: PathBuf::new(),
            baseline: None,
            folder,
            peers: peers(),
            profile: false,
            names: Vec::new(),
            failures: RefCell::default(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--profile" => bench.profile = true,
                "--baseline" => {
                    let revision = words.next().ok_or("--baseline needs a revision or a program")?;
                    let file = PathBuf::from(revision);
                    bench.baseline = Some(if file.is_file() { file } else { build_baseline(revision)? });
                }
                option if option.starts_with('-') => return Err(format!("there is no option `{option}`")),
                name => bench.names.push(name.to_string()),
            }
        }
        if bench.profile && output(Command::new("perf").arg("--version")).is_err() {
            println!("There is no `perf`, so there are no profiles.\n");
            bench.profile = false;
        }
        bench.program = build_program()?;
        Ok(bench)
    }

    fn wanted(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| name.contains(wanted.as_str()))
    }

    /// A run of our program that must find so many orbits (or states) and this verdict of the last property.
    fn ours(&self, model: &Path, options: &str, orbits: u64, verdict: &'static str) -> Job {
        let start = [text(&self.program), "check".into(), text(model)];
        let format = ["--format", "json", "--quiet"].map(String::from);
        let options = options.split_whitespace().map(String::from);
        let words = start.into_iter().chain(format).chain(options).collect();
        Job { words, read: Rc::new(move |printed| read(printed, orbits, verdict)) }
    }

    fn example(&self, name: &str, options: &str, orbits: u64) -> Job {
        let model = root().join("examples").join(name).with_extension("orb");
        self.ours(&model, options, orbits, "holds")
    }

    /// The same with the program of the other revision.
    fn earlier(&self, job: &Job) -> Option<Job> {
        let mut words = job.words.clone();
        words[0] = text(self.baseline.as_ref()?);
        Some(Job { words, read: job.read.clone() })
    }

    /// Keeps why something failed, and goes on.
    fn note(&self, outcome: &Timing) {
        self.failures.borrow_mut().extend(outcome.as_ref().err().cloned());
    }

    fn write(&self, name: &str, model: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        std::fs::write(&path, model).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    fn comparisons(&self) -> Done {
        let all =
            [self.safety(), self.rings(), self.nets()?, self.liveness(), self.reduced()?, self.counting()];
        let mut profiles = Vec::new();
        let before = self.baseline.is_some();
        println!("### Comparisons\n");
        println!(
            "| work | seconds | against | ratio | goal |{}",
            if before { " seconds before | ratio |" } else { "" }
        );
        println!("|---|--:|--:|--:|---|{}", if before { "--:|--:|" } else { "" });
        for row in all.into_iter().flatten().filter(|it| self.wanted(&it.name)) {
            println!("{}", self.compared(&row));
            profiles.extend(self.profile(&row.name, &row.ours)?);
        }
        print_profiles(&profiles);
        Ok(())
    }

    fn compared(&self, row: &Comparison) -> String {
        let earlier = self.earlier(&row.ours);
        let jobs: Vec<&Job> =
            [Some(&row.ours), row.other.as_ref().ok(), earlier.as_ref()].into_iter().flatten().collect();
        let took = cpu::medians(&jobs, LIMIT);
        let ours = &took[0];
        self.note(ours);
        let mut line = format!("| {} | {} |", row.name, show(ours, LIMIT));
        match &row.other {
            Ok(_) => {
                self.note(&took[1]);
                line += &format!(" {} | {} | {} |", show(&took[1], LIMIT), ratio(&took[1], ours), row.goal);
            }
            Err(missing) => line += &format!(" {missing} | - | {} |", row.goal),
        }
        // The other revision may lack something, or do it otherwise.
        if let Some(before) = took.last().filter(|_| earlier.is_some()) {
            line += &format!(" {} | {} |", show(before, LIMIT), ratio(before, ours));
        }
        line
    }

    /// Rumur looks for nothing but faults and asserts here, and its counts are those of its heuristic.
    fn safety(&self) -> Vec<Comparison> {
        let cases = [
            ("two_phase_commit", 7, "", 1_211_027),
            ("german", 4, "--set V=2", 26_015),
            ("german", 5, "--set V=2", 123_153),
            ("filter_lock", 4, "", 9_239),
            ("filter_lock", 5, "", 957_938),
        ];
        let row = |(model, n, more, orbits): (&str, u32, &str, u64)| {
            let name = format!("{model} {n}: safety, Rumur");
            let wanted = self.wanted(&name);
            Comparison {
                ours: self.example(model, &format!("--set N={n} {more} -p faults"), orbits),
                other: if wanted { self.rumur(model, n) } else { Err("not wanted".into()) },
                goal: "≥ 1.5".into(),
                name,
            }
        };
        cases.into_iter().map(row).collect()
    }

    /// Around a table, without symmetry, for a few sizes. With fewer philosophers a run is its start.
    fn rings(&self) -> Vec<Comparison> {
        let cases = [(10, 5_934), (12, 44_368), (14, 341_802)];
        let row = |(n, orbits): (u32, u64)| {
            let options = format!("--set N={n} -p faults -p alone");
            let none = format!("{options} --symmetry none");
            Comparison {
                name: format!("philosophers {n}: no symmetry"),
                ours: self.example("philosophers", &options, orbits),
                other: Ok(self.example("philosophers", &none, 3u64.pow(n))),
                goal: format!("≥ {}", n / 2),
            }
        };
        cases.into_iter().map(row).collect()
    }

    fn nets(&self) -> Result<Vec<Comparison>, String> {
        let net = self.write("readers_and_writers.pnml", &readers_and_writers(10, 500))?;
        let deadlock = "--global ReachabilityDeadlock";
        let none = format!("{deadlock} --symmetry none");
        Ok(vec![Comparison {
            name: "RwMutex, 10 readers, 500 writers: no symmetry".into(),
            ours: self.ours(&net, deadlock, 12, ""),
            other: Ok(self.ours(&net, &none, 1_524, "")),
            goal: "≥ 0.9".into(),
        }])
    }

    fn liveness(&self) -> Vec<Comparison> {
        let row = |name: &str, ours: Job, other: Result<Job, String>, goal: &str| Comparison {
            name: name.into(),
            ours,
            other,
            goal: goal.into(),
        };
        let filter = |options: &str| self.example("filter_lock", &format!("--set N=4 {options}"), 9_239);
        let german =
            |options: &str| self.example("german", &format!("--set N=4 --set V=2 {options}"), 26_015);
        let spin = "filter_lock 4: LTL `entry`, SPIN -a -f for one process";
        let pan = if self.wanted(spin) { self.spin() } else { Err("not wanted".into()) };
        vec![
            row(spin, filter("-p entry"), pan, "≥ 1.5"),
            row("filter_lock 4: LTL `entry`, safety", filter("-p entry"), Ok(filter(SAFETY)), "≥ 0.33"),
            row("german 4: LTL `finished`, safety", german("-p finished"), Ok(german(SAFETY)), "≥ 0.33"),
            row("german 4: CTL `can_own`, safety", german("-p can_own"), Ok(german(SAFETY)), "≥ 0.33"),
        ]
    }

    /// Linear-time properties that hold, with symmetry and without.
    fn reduced(&self) -> Result<Vec<Comparison>, String> {
        let cases = [
            ("mcs_lock", "entry", "N=3", 60, 320),
            ("mcs_lock", "entry", "N=4", 142, 2_784),
            ("german", "finished", "N=2", 795, 3_156),
            ("ethernet", "used", "N=3", 1_075, 5_294),
            ("two_phase_commit", "decided", "N=3", 2_591, 13_106),
            ("register", "served", "N=3", 846, 4_108),
        ];
        let none = " --symmetry none";
        let row = |(model, property, size, orbits, states): (&str, &str, &str, u64, u64)| {
            let options = format!("--set {size} -p {property}");
            Comparison {
                name: format!("{model} {size}: LTL `{property}`, no symmetry"),
                ours: self.example(model, &options, orbits),
                other: Ok(self.example(model, &(options + none), states)),
                goal: "≥ 0.9".into(),
            }
        };
        let own = |name: &str, model: families::Model, states: u64| {
            let path = self.write(&format!("{}.orb", name.replace(' ', "_")), &model.text)?;
            Ok::<_, String>(Comparison {
                name: format!("{name}: LTL `goes_on`, no symmetry"),
                ours: self.ours(&path, "-p goes_on", model.orbits, "holds"),
                other: Ok(self.ours(&path, &format!("-p goes_on{none}"), states, "holds")),
                goal: "≥ 0.9".into(),
            })
        };
        let mut rows: Vec<Comparison> = cases.into_iter().map(row).collect();
        rows.push(own("one-bit mutex 3", families::one_bit(), 98)?);
        // It is given up, as it does not pay.
        rows.push(own("idle members 3", families::idle(100_000), 100_000)?);
        Ok(rows)
    }

    /// What it costs to tell how many states the orbits have: a search that is ended at the last orbit has
    /// done nearly all of the rest, but does not count.
    fn counting(&self) -> Vec<Comparison> {
        let row = |(n, orbits): (u32, u64)| {
            let model = root().join("examples/german.orb");
            let options = format!("--set N={n} --set V=2 -p faults");
            let ended = format!("{options} --max-states {}", orbits - 1);
            Comparison {
                name: format!("german {n}: `states_unreduced`, not counted"),
                ours: self.example("german", &options, orbits),
                other: Ok(self.ours(&model, &ended, orbits - 1, "unknown")),
                goal: "≥ 0.98".into(),
            }
        };
        [(4, 26_015), (5, 123_153)].into_iter().map(row).collect()
    }

    /// A model for Rumur, compiled.
    fn rumur(&self, model: &str, n: u32) -> Result<Job, String> {
        let peers = self.peers.clone()?;
        installed("rumur")?;
        let at = |ending: &str| text(&self.folder.join(format!("{model}_{n}{ending}")));
        let (source, code, program) = (at(".m"), at("_rumur.c"), at("_rumur"));
        let mut fill = Command::new(peers.join("murphi.sh"));
        output(fill.args([model, &source, "1"]).env("N", n.to_string()).env("V", "2"))?;
        let options =
            "--symmetry-reduction heuristic --scalarset-schedules off --threads 1 --deadlock-detection off";
        let mut rumur = Command::new("rumur");
        rumur.args(options.split_whitespace()).args(["--output", &code, &source]);
        output(&mut rumur).map_err(|why| format!("`rumur` does not take it: {why}"))?;
        let options = ["-O3", "-march=native", "-mcx16", "-w", "-o", &program, &code, "-lpthread"];
        output(Command::new("cc").args(options))?;
        let read = |printed: &str| match printed.contains("No error found") {
            true => Ok(None),
            false => Err(format!("an error was found:\n{printed}")),
        };
        Ok(Job { words: vec![program], read: Rc::new(read) })
    }

    /// The first process of the filter lock gets in, for SPIN, compiled.
    fn spin(&self) -> Result<Job, String> {
        let peers = self.peers.clone()?;
        installed("spin")?;
        let folder = text(&self.folder.join("filter_lock_spin"));
        let entry = "ltl entry { [] ((loc[0]==2) -> <> (loc[0]==3)) }";
        let mut script = Command::new(peers.join("spin.sh"));
        output(script.args(["filter_lock", &folder]).env("N", "4").env("LTL", entry))?;
        let options = ["-O2", "-DNOREDUCE", "-DNFAIR=6", "-w", "-o", "pan", "pan.c"];
        output(Command::new("cc").current_dir(&folder).args(options))?;
        let words = [&format!("{folder}/pan"), "-a", "-f", "-m200000", "-w20"].map(String::from);
        let read = |printed: &str| match printed.contains("errors: 0") {
            true => Ok(None),
            false => Err(format!("it finds an error:\n{printed}")),
        };
        Ok(Job { words: words.into(), read: Rc::new(read) })
    }

    fn families(&self) -> Done {
        let before = self.baseline.is_some();
        println!("\n### Families, at most {FAMILY_LIMIT} s\n");
        println!(
            "| family | size | nodes | orbits | seconds | µs per step | exponent | `fast`, states | seconds | goal |{}",
            if before { " seconds before |" } else { "" }
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|{}", if before { "--:|" } else { "" });
        let mut curves = Vec::new();
        let mut profiles = Vec::new();
        for family in FAMILIES.iter().filter(|it| self.wanted(it.name)) {
            let Grown { points, last } = self.family(family)?;
            if let Some(slope) = slope(&points).filter(|_| family.linear) {
                println!(
                    "| **{}, all** | | | | | | **{slope:.1}** | | | |{}",
                    family.name,
                    if before { " |" } else { "" }
                );
            }
            if family.linear && !points.is_empty() {
                curves.push((family.picture, Curve { name: family.name.into(), points }));
            }
            profiles.extend(last.map(|job| self.profile(family.name, &job)).transpose()?.flatten());
        }
        print_profiles(&profiles);
        if self.names.is_empty() { plot(&curves) } else { Ok(()) }
    }

    /// Prints the lines of a family, as far as they end in time.
    fn family(&self, family: &Family) -> Result<Grown, String> {
        let mut grown = Grown { points: Vec::new(), last: None };
        for &size in family.sizes {
            let model = (family.model)(size);
            let file: String =
                family.name.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
            let file = format!("{file}_{size}.{}", if model.net { "pnml" } else { "orb" });
            let path = self.write(&file, &model.text)?;
            let options = if model.net { "--global ReachabilityDeadlock" } else { "-p faults" };
            let job = self.ours(&path, options, model.orbits, "");
            let earlier = self.earlier(&job);
            let fast = (family.picture == Picture::Hard).then(|| fast(&job, model.orbits));
            let jobs: Vec<&Job> =
                [Some(&job), fast.as_ref(), earlier.as_ref()].into_iter().flatten().collect();
            let took = cpu::medians(&jobs, FAMILY_LIMIT);
            took.iter().take(jobs.len() - usize::from(earlier.is_some())).for_each(|it| self.note(it));
            let before = took.last().filter(|_| earlier.is_some());
            let before = before.map_or(String::new(), |it| format!(" {} |", show(it, FAMILY_LIMIT)));
            let ours = took[0].as_ref().ok().copied().flatten();
            let nodes = model.nodes as f64;
            let steps = ours.and_then(|it| Some(it.seconds * 1e6 / it.count? as f64));
            let exponent = ours
                .zip(grown.points.last())
                .filter(|_| family.linear)
                .and_then(|(it, smaller)| slope(&[*smaller, (nodes, it.seconds)]));
            let fast = took.get(1).filter(|_| fast.is_some()).map_or(" | ".into(), |it| {
                let states = it.as_ref().ok().copied().flatten().and_then(|it| it.count);
                format!("{} | {}", states.map_or("-".into(), |it| it.to_string()), show(it, FAMILY_LIMIT))
            });
            let dash = |figure: Option<f64>| figure.map_or("-".into(), |it| format!("{it:.1}"));
            println!(
                "| {} | {size} | {nodes} | {} | {} | {} | {} | {fast} | {} |{before}",
                family.name,
                model.orbits,
                show(&took[0], FAMILY_LIMIT),
                dash(steps),
                dash(exponent),
                family.goal
            );
            let Some(ours) = ours else { break };
            grown.points.push((nodes, ours.seconds.max(0.001)));
            grown.last = Some(job);
        }
        Ok(grown)
    }

    /// Where the time of a run goes: functions with their share.
    fn profile(&self, name: &str, job: &Job) -> Result<Option<String>, String> {
        if !self.profile {
            return Ok(None);
        }
        let data = text(&self.folder.join("perf.data"));
        let mut record = Command::new("perf");
        record.args(["record", "--quiet", "-F", "1999", "-o", &data, "--"]).args(&job.words);
        // Its exit code is that of the program, and a violation is no failure here.
        record.output().map_err(|error| format!("cannot run perf: {error}"))?;
        let options =
            ["--stdio", "--no-children", "--no-inline", "--percent-limit", "2", "-F", "overhead,symbol"];
        let report = output(Command::new("perf").args(["report", "-i", &data]).args(options))?;
        let lines = report.lines().filter(|line| !line.starts_with('#') && line.contains('%'));
        let lines: Vec<_> = lines.take(12).map(|line| format!("    {}", line.trim())).collect();
        Ok(Some(format!("{name}\n\n{}\n", lines.join("\n"))))
    }
}

/// The same without the search through ties. There may be more than one state of an orbit, so the states are
/// told and not compared.
fn fast(job: &Job, orbits: u64) -> Job {
    let words = job.words.iter().cloned().chain(["--symmetry".into(), "fast".into()]).collect();
    let read = move |printed: &str| match serde_json::from_str::<Value>(printed) {
        Ok(document) => match document["stats"]["states"].as_u64() {
            Some(states) if states >= orbits => Ok(Some(states)),
            states => Err(format!("there are {orbits} orbits or more, not {states:?}")),
        },
        Err(error) => Err(error.to_string()),
    };
    Job { words, read: Rc::new(read) }
}

fn plot(curves: &[(Picture, Curve)]) -> Done {
    for (picture, file, title) in PICTURES {
        let path = root().join("docs/src").join(file);
        let curves: Vec<&Curve> = curves.iter().filter(|it| it.0 == picture).map(|it| &it.1).collect();
        std::fs::write(&path, draw(title, "nodes", "seconds", &curves))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Whether a program of Debian is there, after it was installed if it can be.
fn installed(name: &str) -> Done {
    let there = || Command::new(name).arg("--version").output().is_ok();
    // What goes wrong here is seen by the program not being there.
    let install = || Command::new("apt-get").args(["install", "--yes", name]).output();
    match there() || install().is_ok() && there() {
        true => Ok(()),
        false => Err(format!("there is no `{name}`")),
    }
}

fn print_profiles(profiles: &[String]) {
    profiles.iter().for_each(|profile| println!("\n#### Profile of {profile}"));
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The steps, if the orbits and the verdict (if one is named) of the last property are what they must be.
fn read(printed: &str, orbits: u64, verdict: &str) -> Result<Option<u64>, String> {
    let document: Value = serde_json::from_str(printed).map_err(|error| error.to_string())?;
    let results = document["results"].as_array().ok_or("the report lacks results")?;
    let found = results.last().and_then(|it| it["verdict"].as_str()).unwrap_or_default();
    if found != verdict && (found == "unknown" || !verdict.is_empty()) {
        return Err(format!("the verdict is {found}, not {verdict}"));
    }
    match document["stats"]["states"].as_u64() {
        Some(states) if states == orbits => Ok(document["stats"]["transitions"].as_u64()),
        states => Err(format!("there are {orbits} orbits, not {states:?}")),
    }
}

fn show(outcome: &Timing, limit: u32) -> String {
    match outcome {
        Ok(Some(took)) => format!("{:.3}", took.seconds),
        Ok(None) => format!("> {limit}"),
        Err(_) => "failed".into(),
    }
}

/// How much longer the other took: above 1, we are faster.
fn ratio(other: &Timing, ours: &Timing) -> String {
    match (other, ours) {
        (Ok(Some(other)), Ok(Some(ours))) => format!("{:.2}", other.seconds / ours.seconds.max(0.001)),
        _ => "-".into(),
    }
}

/// The exponent of the growth: the slope of the straight line that is nearest to the logarithms, by least
/// squares. None if fewer than two points took long enough.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let logarithms = points.iter().filter(|it| it.1 >= START).map(|it| (it.0.ln(), it.1.ln()));
    let points: Vec<(f64, f64)> = logarithms.collect();
    let count = points.len() as f64;
    let middle = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (middle(|it| it.0), middle(|it| it.1));
    let square: f64 = points.iter().map(|it| (it.0 - x).powi(2)).sum();
    let product: f64 = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    (points.len() >= 2 && square > 0.0).then(|| product / square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Took;

    #[test]
    fn slopes_are_exponents() {
        let cubes: Vec<_> = [10.0, 20.0, 50.0, 100.0].map(|n: f64| (n, 1e-4 * n.powi(3))).into();
        assert!((slope(&cubes).unwrap() - 3.0).abs() < 1e-9);
        // The start of the program is left out.
        let early = [vec![(2.0, 0.009)], cubes].concat();
        assert!((slope(&early).unwrap() - 3.0).abs() < 1e-9);
        assert_eq!(slope(&[(10.0, 1.0)]), None);
        assert_eq!(slope(&[(10.0, 1.0), (10.0, 2.0)]), None);
        assert_eq!(slope(&[]), None);
    }

    #[test]
    fn reports_are_compared() {
        let report = r#"{"results": [{"verdict": "holds"}], "stats": {"states": 5, "transitions": 7}}"#;
        assert_eq!(read(report, 5, "holds"), Ok(Some(7)));
        assert!(read(report, 6, "holds").is_err());
        assert!(read(report, 5, "violated").is_err());
        assert!(read(&report.replace("holds", "unknown"), 5, "").is_err());
        assert_eq!(read(&report.replace("holds", "unknown"), 5, "unknown"), Ok(Some(7)));
    }

    #[test]
    fn ratios_above_one_are_in_our_favour() {
        let took = |seconds| Ok(Some(Took { seconds, count: None }));
        assert_eq!(ratio(&took(3.0), &took(2.0)), "1.50");
        assert_eq!(ratio(&Ok(None), &took(2.0)), "-");
        assert_eq!(ratio(&Err("wrong".into()), &took(2.0)), "-");
        assert_eq!((show(&took(2.0), 10), show(&Ok(None), 10)), ("2.000".into(), "> 10".into()));
    }
}
