//! `cargo xtask bench symmetry [OPTION]... [NAME]...`: what symmetry costs and saves, against other checkers,
//! against no symmetry and against smaller models; all of it or what has one of the names in its own.
//!
//! Figures are processor time, medians of three runs (nine if they take less than a tenth of a second, one if
//! they take more than five seconds); programs that are compared take turns. Every count of orbits is
//! compared with a known one. Without a name, pictures of the curves are written into the book.
//!
//! `--profile` tells where the time goes, by `perf`. Rumur and SPIN are asked as [`crate::peers`] does it, if
//! they are installed or can be and there are models for them. CMurphi is not in Debian and is not asked.
//! `cargo xtask bench compare` takes the same runs of our program: [`own`].

use crate::cpu::{self, Job, Timing};
use crate::families::{self, FAMILIES, Family, Model, Picture, readers_and_writers};
use crate::machine;
use crate::peers::rumur::{self, Members};
use crate::peers::spin::{self, SpinQuestion};
use crate::peers::tools::Subject;
use crate::process::{Done, build_program, output, root, target_directory};
use crate::svg::{Curve, Scale, draw};
use crate::work::{self, dash, ratio, show, text};
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

/// What symmetry is compared with.
const NONE: &str = "no symmetry";

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
    /// Where generated models and programs are.
    folder: PathBuf,
    /// Whether others are asked.
    others: bool,
    profile: bool,
    names: Vec<String>,
    /// What was not as it must be, told at the end.
    failures: RefCell<Vec<String>>,
}

/// A run of our program against another run.
struct Comparison {
    work: String,
    against: &'static str,
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
    let mut bench = Bench::new(words)?;
    bench.program = build_program()?;
    println!("{}\n", machine::describe());
    bench.comparisons()?;
    bench.families()?;
    let failures = bench.failures.into_inner();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The runs of our program, for a comparison with another revision: those that are compared here, and the
/// largest of each family.
pub fn own(program: PathBuf) -> Result<Vec<(String, Job)>, String> {
    let mut bench = Bench::new(&[])?;
    (bench.program, bench.others) = (program, false);
    let mut all: Vec<(String, Job)> = Vec::new();
    for row in bench.rows()? {
        let name = row.name();
        all.push((row.work, row.ours));
        all.extend(row.other.ok().filter(|_| row.against == NONE).map(|it| (name, it)));
    }
    for family in FAMILIES {
        if let Some(&size) = family.sizes.last() {
            all.push((format!("{} {size}", family.name), bench.grown(family, size)?.0));
        }
    }
    // What is compared with two things is one run.
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|it| seen.insert(it.1.words.clone()));
    Ok(all)
}

impl Comparison {
    fn name(&self) -> String {
        format!("{}, {}", self.work, self.against)
    }
}

impl Bench {
    fn new(words: &[&str]) -> Result<Bench, String> {
        let folder = target_directory()?.join("symmetry");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut bench = Bench {
            program: PathBuf::new(),
            folder,
            others: true,
            profile: false,
            names: Vec::new(),
            failures: RefCell::default(),
        };
        for word in words {
            match *word {
                "--profile" => bench.profile = true,
                option if option.starts_with('-') => return Err(format!("there is no option `{option}`")),
                name => bench.names.push(name.to_string()),
            }
        }
        if bench.profile && output(Command::new("perf").arg("--version")).is_err() {
            println!("There is no `perf`, so there are no profiles.\n");
            bench.profile = false;
        }
        Ok(bench)
    }

    fn wanted(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| name.contains(wanted.as_str()))
    }

    fn ours(&self, model: &Path, options: &str, orbits: u64, verdict: &'static str) -> Job {
        work::check(&self.program, model, options, orbits, verdict)
    }

    fn example(&self, name: &str, options: &str, orbits: u64) -> Job {
        self.ours(&work::example(name), options, orbits, "holds")
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

    fn rows(&self) -> Result<Vec<Comparison>, String> {
        let all =
            [self.safety(), self.rings(), self.nets()?, self.liveness(), self.reduced()?, self.counting()];
        Ok(all.into_iter().flatten().filter(|it| self.wanted(&it.name())).collect())
    }

    fn comparisons(&self) -> Done {
        let mut profiles = Vec::new();
        println!("### Comparisons\n");
        println!("| work | seconds | against | ratio | goal |\n|---|--:|--:|--:|---|");
        for row in self.rows()? {
            println!("{}", self.compared(&row));
            profiles.extend(self.profile(&row.name(), &row.ours)?);
        }
        print_profiles(&profiles);
        Ok(())
    }

    fn compared(&self, row: &Comparison) -> String {
        let jobs: Vec<&Job> = std::iter::once(&row.ours).chain(&row.other).collect();
        let took = cpu::medians(&jobs, LIMIT);
        took.iter().for_each(|it| self.note(it));
        let (name, seconds) = (row.name(), show(&took[0], LIMIT));
        let (other, ratio) = match &row.other {
            Ok(_) => (show(&took[1], LIMIT), dash(ratio(&took[1], &took[0]), 2)),
            Err(missing) => (missing.clone(), "-".into()),
        };
        format!("| {name} | {seconds} | {other} | {ratio} | {} |", row.goal)
    }

    /// Rumur looks for nothing but faults and asserts here, and its counts are those of its heuristic.
    fn safety(&self) -> Vec<Comparison> {
        let cases = [
            ("two_phase_commit", 7, 1_211_027),
            ("german", 4, 26_015),
            ("german", 5, 123_153),
            ("filter_lock", 4, 9_239),
            ("filter_lock", 5, 957_938),
        ];
        let row = |(model, n, orbits): (&'static str, u32, u64)| {
            let subject = Subject { model, n, m: 0 };
            let work = format!("{model} {n}: safety");
            let rumur = || Ok(rumur::compile(&self.folder, subject, Members::Alike, orbits)?.job);
            Comparison {
                ours: self.example(model, &format!("{} -p faults", subject.settings()), orbits),
                other: self.asked(&work, "Rumur", rumur),
                against: "Rumur",
                goal: "≥ 1.5".into(),
                work,
            }
        };
        cases.into_iter().map(row).collect()
    }

    /// What another checker is asked, if the row is wanted and others are.
    fn asked(&self, work: &str, who: &str, compile: impl Fn() -> Result<Job, String>) -> Result<Job, String> {
        let wanted = self.others && self.wanted(&format!("{work}, {who}"));
        if wanted { compile() } else { Err("not asked".into()) }
    }

    /// Around a table, without symmetry, for a few sizes. With fewer philosophers a run is its start.
    fn rings(&self) -> Vec<Comparison> {
        let cases = [(10, 5_934), (12, 44_368), (14, 341_802)];
        let row = |(n, orbits): (u32, u64)| {
            let options = format!("--set N={n} -p faults -p alone");
            let none = format!("{options} --symmetry none");
            Comparison {
                work: format!("philosophers {n}: safety"),
                against: NONE,
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
            work: "RwMutex, 10 readers, 500 writers: deadlock".into(),
            against: NONE,
            ours: self.ours(&net, deadlock, 12, ""),
            other: Ok(self.ours(&net, &none, 1_524, "")),
            goal: "≥ 0.9".into(),
        }])
    }

    fn liveness(&self) -> Vec<Comparison> {
        let row = |work: &str, against: &'static str, ours: Job, other: Result<Job, String>, goal: &str| {
            Comparison { work: work.into(), against, ours, other, goal: goal.into() }
        };
        let filter = |options: &str| self.example("filter_lock", &format!("--set N=4 {options}"), 9_239);
        let german =
            |options: &str| self.example("german", &format!("--set N=4 --set V=2 {options}"), 26_015);
        let (entry, one) = ("filter_lock 4: LTL `entry`", "SPIN -a -f for one process");
        let pan = self.asked(entry, one, || {
            let subject = Subject { model: "filter_lock", n: 4, m: 0 };
            let question = SpinQuestion::Fair("[] ((loc[0]==2) -> <> (loc[0]==3))");
            Ok(spin::compile(&self.folder, subject, question)?.job)
        });
        let (finished, can) = (german("-p finished"), german("-p can_own"));
        vec![
            row(entry, one, filter("-p entry"), pan, "≥ 1.5"),
            row(entry, "safety", filter("-p entry"), Ok(filter(SAFETY)), "≥ 0.33"),
            row("german 4: LTL `finished`", "safety", finished, Ok(german(SAFETY)), "≥ 0.33"),
            row("german 4: CTL `can_own`", "safety", can, Ok(german(SAFETY)), "≥ 0.33"),
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
                work: format!("{model} {size}: LTL `{property}`"),
                against: NONE,
                ours: self.example(model, &options, orbits),
                other: Ok(self.example(model, &(options + none), states)),
                goal: "≥ 0.9".into(),
            }
        };
        let own = |name: &str, model: Model, states: u64| {
            let path = self.write(&format!("{}.orb", name.replace(' ', "_")), &model.text)?;
            Ok::<_, String>(Comparison {
                work: format!("{name}: LTL `goes_on`"),
                against: NONE,
                ours: self.ours(&path, "-p goes_on", model.orbits, "holds"),
                other: Ok(self.ours(&path, &format!("-p goes_on{none}"), states, "holds")),
                goal: "≥ 0.9".into(),
            })
        };
        let mut rows: Vec<Comparison> = cases.into_iter().map(row).collect();
        rows.push(own("one-bit mutex 3", families::one_bit(), 98)?);
        // It is given up, as it does not pay.
        rows.push(own("idle members 3", families::idle(100_000), 100_000)?);
        // Where all linear-time properties of the examples are compared, these two gain least.
        for (model, property, verdict, orbits, states) in
            [("ethernet", "sent", "violated", 1_075, 5_294), ("toggles", "lively", "holds", 4, 8)]
        {
            let (path, options) = (work::example(model), format!("-p {property}"));
            rows.push(Comparison {
                work: format!("{model}: LTL `{property}`"),
                against: NONE,
                ours: self.ours(&path, &options, orbits, verdict),
                other: Ok(self.ours(&path, &(options + none), states, verdict)),
                goal: "≥ 0.9".into(),
            });
        }
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
                work: format!("german {n}: `states_unreduced`"),
                against: "not counted",
                ours: self.example("german", &options, orbits),
                other: Ok(self.ours(&model, &ended, orbits - 1, "unknown")),
                goal: "≥ 0.98".into(),
            }
        };
        [(4, 26_015), (5, 123_153)].into_iter().map(row).collect()
    }

    fn families(&self) -> Done {
        println!("\n### Families, at most {FAMILY_LIMIT} s\n");
        println!(
            "| family | size | nodes | orbits | seconds | µs per step | exponent | `fast`, states | seconds | goal |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|");
        let mut curves = Vec::new();
        let mut profiles = Vec::new();
        for family in FAMILIES.iter().filter(|it| self.wanted(it.name)) {
            let Grown { points, last } = self.family(family)?;
            if let Some(slope) = slope(&points).filter(|_| family.linear) {
                println!("| **{}, all** | | | | | | **{slope:.1}** | | | |", family.name);
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
            let (job, model) = self.grown(family, size)?;
            let fast = (family.picture == Picture::Hard).then(|| fast(&job, model.orbits));
            let jobs: Vec<&Job> = std::iter::once(&job).chain(&fast).collect();
            let took = cpu::medians(&jobs, FAMILY_LIMIT);
            took.iter().for_each(|it| self.note(it));
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
            println!(
                "| {} | {size} | {nodes} | {} | {} | {} | {} | {fast} | {} |",
                family.name,
                model.orbits,
                show(&took[0], FAMILY_LIMIT),
                dash(steps, 1),
                dash(exponent, 1),
                family.goal
            );
            let Some(ours) = ours else { break };
            grown.points.push((nodes, ours.seconds.max(0.001)));
            grown.last = Some(job);
        }
        Ok(grown)
    }

    /// The run of a family of some size, and what it runs on.
    fn grown(&self, family: &Family, size: usize) -> Result<(Job, Model), String> {
        let model = (family.model)(size);
        let file: String =
            family.name.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
        let file = format!("{file}_{size}.{}", if model.net { "pnml" } else { "orb" });
        let path = self.write(&file, &model.text)?;
        let options = if model.net { "--global ReachabilityDeadlock" } else { "-p faults" };
        Ok((self.ours(&path, options, model.orbits, ""), model))
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
        std::fs::write(&path, draw(title, ("nodes", Scale::Logarithmic), "seconds", &curves))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn print_profiles(profiles: &[String]) {
    profiles.iter().for_each(|profile| println!("\n#### Profile of {profile}"));
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
}
