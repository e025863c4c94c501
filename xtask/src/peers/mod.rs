//! `cargo xtask bench peers [NAME]...`: our program against SPIN and Rumur, on the same models, without
//! symmetry; all of it or the rows that have one of the names in their own.
//!
//! Figures are processor time, medians of three runs; the programs take turns; every number of states is
//! compared. What the others compile is not counted, but told. The models for the others are in
//! `../shared/peers`, beside the project; SPIN and Rumur are installed from Debian if they can be had.
//! Without a name, pictures are written into the book. Our program runs on one thread, but for the table of
//! threads, where the clock counts.

pub mod rumur;
pub mod spin;
pub mod tools;

use crate::cpu::{self, Job, Timing, Took};
use crate::machine;
use crate::process::{Done, build_program, cores, root, target_directory};
use crate::svg::{Curve, Scale, draw};
use crate::work::{self, dash, example, mean, ratio, show};
use rumur::Members;
use spin::SpinQuestion;
use std::path::{Path, PathBuf};
use tools::{Compiled, Subject};

/// Seconds of processor time for one run.
const LIMIT: u32 = 100;

/// A model that all have. The last size is the one that counts; the others are for the picture.
struct Case {
    model: &'static str,
    m: u32,
    /// Members and states.
    sizes: &'static [(u32, u64)],
}

const CASES: [Case; 8] = [
    Case { model: "bakery", m: 5, sizes: &[(4, 390_744)] },
    Case { model: "filter_lock", m: 0, sizes: &[(4, 214_820)] },
    Case { model: "german", m: 0, sizes: &[(2, 3_156), (3, 53_298), (4, 1_024_920)] },
    Case { model: "leader", m: 0, sizes: &[(16, 589_824)] },
    Case {
        model: "mutex",
        m: 0,
        sizes: &[(10, 6_144), (12, 28_672), (14, 131_072), (15, 278_528), (16, 589_824)],
    },
    Case {
        model: "philosophers",
        m: 0,
        sizes: &[(8, 6_561), (9, 19_683), (10, 59_049), (11, 177_147), (12, 531_441)],
    },
    Case { model: "resource", m: 0, sizes: &[(15, 557_056)] },
    Case { model: "two_phase_commit", m: 0, sizes: &[(4, 257_428)] },
];

/// What is asked of us and of SPIN.
struct Asked {
    name: &'static str,
    subject: Subject,
    question: SpinQuestion,
    ours: Own,
}

/// What is asked of our program.
enum Own {
    /// A formula that holds, in so many states.
    Holds(&'static str, u64),
    /// The first one that is found, with these options.
    Deadlock(&'static str),
}

const ASKED: [Asked; 6] = [
    Asked {
        name: "filter_lock 4: LTL `entry` of one process, fair",
        subject: Subject { model: "filter_lock", n: 4, m: 0 },
        question: SpinQuestion::Fair("[] ((loc[0]==2) -> <> (loc[0]==3))"),
        ours: Own::Holds("G (Proc[Proc#0]@wait -> F Proc[Proc#0]@critical)", 214_820),
    },
    Asked {
        name: "bakery 3, M=5: LTL `served` of one process, fair",
        subject: Subject { model: "bakery", n: 3, m: 5 },
        question: SpinQuestion::Fair("[] ((number[0]>0) -> <> (loc[0]==5))"),
        ours: Own::Holds("G (number[0] > 0 -> F Customer[0]@critical)", 18_003),
    },
    first_deadlock("philosophers 12: first deadlock", 12, ""),
    first_deadlock("philosophers 12: first deadlock, `--search depth`", 12, DEPTH),
    first_deadlock("philosophers 14: first deadlock", 14, ""),
    first_deadlock("philosophers 14: first deadlock, `--search depth`", 14, DEPTH),
];

/// What SPIN does, too.
const DEPTH: &str = "--search depth";

const fn first_deadlock(name: &'static str, n: u32, search: &'static str) -> Asked {
    let subject = Subject { model: "philosophers", n, m: 0 };
    Asked { name, subject, question: SpinQuestion::Deadlock, ours: Own::Deadlock(search) }
}

/// What is run, with what.
struct Peers<'a> {
    program: PathBuf,
    /// Where the others are compiled.
    folder: PathBuf,
    names: &'a [&'a str],
    /// What was not as it must be, told at the end.
    failures: Vec<String>,
}

/// A model of some size, with what we, SPIN and Rumur took, and we with the text that Rumur reads.
struct Row {
    subject: Subject,
    states: u64,
    /// Whether it counts in the mean.
    last: bool,
    took: [Timing; 4],
}

const TOOLS: [&str; 3] = ["Burnside", "SPIN", "Rumur"];

/// Measures and prints the tables.
pub fn run(names: &[&str]) -> Done {
    if let Err(missing) = tools::models() {
        return Err(format!("There is nothing to compare with: for each other checker, {missing}."));
    }
    if let Err(missing) = tools::installed("time") {
        println!("Memory is not told: {missing}.\n");
    }
    let program = build_program()?;
    let folder = target_directory()?.join("peers");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut peers = Peers { program, folder, names, failures: Vec::new() };
    println!("{}\n", machine::describe());
    let rows = peers.safety();
    peers.asked();
    let speedups = peers.speedups();
    if names.is_empty() {
        plot(&rows, &speedups)?;
    }
    if peers.failures.is_empty() { Ok(()) } else { Err(peers.failures.join("\n")) }
}

/// What is asked of our program here besides safety, for a comparison with another revision.
pub fn own(program: &Path) -> Vec<(String, Job)> {
    ASKED.iter().map(|it| (it.name.to_string(), it.job(program))).collect()
}

impl Asked {
    fn job(&self, program: &Path) -> Job {
        let options = format!("{} --symmetry none", self.subject.settings());
        let model = example(self.subject.model);
        match self.ours {
            Own::Holds(formula, states) => {
                let mut job = work::check(program, &model, &options, states, "holds");
                job.words.extend(["--ltl".into(), formula.into()]);
                job
            }
            Own::Deadlock(search) => work::hunt(program, &model, &format!("{options} -p deadlock {search}")),
        }
    }
}

impl Peers<'_> {
    fn wanted(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| name.contains(wanted))
    }

    fn check(&self, subject: Subject, states: u64, more: &str) -> Job {
        let options = format!("{} --symmetry none -p faults {more}", subject.settings());
        work::check(&self.program, &example(subject.model), &options, states, "holds")
    }

    /// What each took, by turns; why there is nothing to run is an outcome too.
    fn measure(&mut self, ours: Job, others: &[&Result<Compiled, String>]) -> Vec<Timing> {
        let weighed = |job: &Job| Job { words: job.words.clone(), read: job.read.clone() }.weighed();
        let others: Vec<_> = others.iter().map(|it| it.as_ref().map(|it| weighed(&it.job))).collect();
        let ours = ours.weighed();
        let jobs: Vec<&Job> = std::iter::once(&ours).chain(others.iter().flatten()).collect();
        let mut timings = cpu::medians(&jobs, LIMIT).into_iter();
        let mut all: Vec<Timing> = timings.next().into_iter().collect();
        all.extend(others.iter().map(|it| match it {
            Ok(_) => timings.next().unwrap_or(Ok(None)),
            Err(why) => Err((*why).clone()),
        }));
        self.failures.extend(all.iter().filter_map(|it| it.as_ref().err().cloned()));
        all
    }

    /// Our program with the text that Rumur reads.
    fn murphi_text(
        &self,
        subject: Subject,
        states: u64,
        rumur: &Result<Compiled, String>,
    ) -> Result<Compiled, String> {
        rumur.as_ref().map_err(Clone::clone)?;
        let file = rumur::file(&self.folder, subject, Members::Apart, ".m");
        let job = work::check(&self.program, &file, "--symmetry none -p faults", states, "holds");
        Ok(Compiled { job, seconds: 0.0 })
    }

    /// All states, without symmetry, for faults alone.
    fn safety(&mut self) -> Vec<Row> {
        println!("### Safety without symmetry\n");
        println!(
            "| model | states | seconds | SPIN | its compiler | ratio | Rumur | its compiler | ratio | bytes per state | SPIN | Rumur | from Murphi | its twin | Rumur |"
        );
        println!("|---|{}", "--:|".repeat(14));
        let mut rows = Vec::new();
        for case in &CASES {
            for (i, &(n, states)) in case.sizes.iter().enumerate() {
                let subject = Subject { model: case.model, n, m: case.m };
                if !self.wanted(&format!("{}: safety", subject.name())) {
                    continue;
                }
                // The first choice of a value is a step there.
                let more = u64::from(case.model == "german");
                let spin = spin::compile(&self.folder, subject, SpinQuestion::Safety(states + more));
                let rumur = rumur::compile(&self.folder, subject, Members::Apart, states);
                let murphi = self.murphi_text(subject, states, &rumur);
                let took = self.measure(self.check(subject, states, ""), &[&spin, &rumur, &murphi]);
                let Ok(took) = <[Timing; 4]>::try_from(took) else { continue };
                let row = Row { subject, states, last: i + 1 == case.sizes.len(), took };
                println!("{}", row.line([&spin, &rumur]));
                rows.push(row);
            }
        }
        println!();
        for (tool, name) in TOOLS.iter().enumerate().skip(1) {
            let largest = rows.iter().filter(|row| row.last);
            let ratios: Vec<f64> = largest.filter_map(|row| ratio(&row.took[tool], &row.took[0])).collect();
            let least = ratios.iter().copied().reduce(f64::min);
            println!(
                "Against {name}: geometric mean {} of the largest of {} models, {} at least.\n",
                dash(mean(&ratios), 2),
                ratios.len(),
                dash(least, 2)
            );
        }
        rows
    }

    /// Formulas under fairness, and the first deadlock.
    fn asked(&mut self) {
        println!("### Linear time under weak fairness, and first counterexamples, without symmetry\n");
        println!(
            "| work | seconds | steps shown | SPIN | steps shown | its compiler | ratio |\n|---|{}",
            "--:|".repeat(6)
        );
        for asked in &ASKED {
            if !self.wanted(asked.name) {
                continue;
            }
            let spin = spin::compile(&self.folder, asked.subject, asked.question);
            let took = self.measure(asked.job(&self.program), &[&spin]);
            let shown = |timing: &Timing| match (&asked.ours, timing) {
                (Own::Deadlock(_), Ok(Some(Took { count: Some(steps), .. }))) => steps.to_string(),
                _ => "-".into(),
            };
            println!(
                "| {} | {} | {} | {} | {} | {} | {} |",
                asked.name,
                show(&took[0], LIMIT),
                shown(&took[0]),
                show(&took[1], LIMIT),
                shown(&took[1]),
                dash(spin.ok().map(|it| it.seconds), 2),
                dash(ratio(&took[1], &took[0]), 3)
            );
        }
        println!();
    }

    /// How much faster several threads are by the clock: a curve for each model.
    fn speedups(&mut self) -> Vec<Curve> {
        println!("### Threads\n");
        println!(
            "| model | threads | seconds by the clock | processor time | faster by |\n|---|{}",
            "--:|".repeat(4)
        );
        let mut curves = Vec::new();
        for case in CASES.iter().filter(|it| ["german", "mutex", "philosophers"].contains(&it.model)) {
            let Some(&(n, states)) = case.sizes.last() else { continue };
            let subject = Subject { model: case.model, n, m: case.m };
            if !self.wanted(&format!("{}: threads", subject.name())) {
                continue;
            }
            let counts: Vec<usize> = (0..).map(|i| 1 << i).take_while(|it| *it <= cores().max(2)).collect();
            let job = |threads: &usize| self.check(subject, states, &format!("--threads {threads}"));
            let jobs: Vec<Job> = counts.iter().map(job).collect();
            let timings = cpu::medians(&jobs.iter().collect::<Vec<_>>(), LIMIT);
            let mut curve = Curve { name: subject.name(), points: Vec::new() };
            let mut one = None;
            for (threads, timing) in counts.iter().zip(timings) {
                match timing {
                    Ok(Some(took)) => {
                        let faster = *one.get_or_insert(took.elapsed) / took.elapsed.max(0.001);
                        println!(
                            "| {} | {threads} | {:.3} | {:.3} | {faster:.2} |",
                            curve.name, took.elapsed, took.seconds
                        );
                        curve.points.push((*threads as f64, faster));
                    }
                    Ok(None) => println!("| {} | {threads} | - | > {LIMIT} | - |", curve.name),
                    Err(why) => self.failures.push(why),
                }
            }
            curves.push(curve);
        }
        curves
    }
}

impl Row {
    fn line(&self, others: [&Result<Compiled, String>; 2]) -> String {
        let mut line =
            format!("| {} | {} | {} |", self.subject.name(), self.states, show(&self.took[0], LIMIT));
        for (compiled, took) in others.iter().zip(&self.took[1..]) {
            let compiler = compiled.as_ref().ok().map(|it| it.seconds);
            let ratio = ratio(took, &self.took[0]);
            line += &format!(" {} | {} | {} |", show(took, LIMIT), dash(compiler, 2), dash(ratio, 2));
        }
        for tool in 0..TOOLS.len() {
            line += &format!(" {} |", dash(self.bytes(tool), 1));
        }
        let [twin, _, rumur, murphi] = &self.took;
        let against = |other| dash(ratio(other, murphi), 2);
        line + &format!(" {} | {} | {} |", show(murphi, LIMIT), against(twin), against(rumur))
    }

    fn took(&self, tool: usize) -> Option<Took> {
        self.took[tool].as_ref().ok().copied().flatten()
    }

    /// The most memory that a program had, for each state.
    fn bytes(&self, tool: usize) -> Option<f64> {
        Some(self.took(tool)?.peak? as f64 / self.states as f64)
    }
}

/// Curves of all tools.
fn curves(rows: &[&Row], point: impl Fn(&Row, usize) -> Option<(f64, f64)>) -> Vec<Curve> {
    let curve = |(tool, name): (usize, &&str)| Curve {
        name: name.to_string(),
        points: rows.iter().filter_map(|row| point(row, tool)).collect(),
    };
    TOOLS.iter().enumerate().map(curve).filter(|curve| !curve.points.is_empty()).collect()
}

fn plot(rows: &[Row], speedups: &[Curve]) -> Done {
    for case in CASES.iter().filter(|it| it.sizes.len() > 1) {
        let rows: Vec<&Row> = rows.iter().filter(|it| it.subject.model == case.model).collect();
        let curves =
            curves(&rows, |row, tool| Some((f64::from(row.subject.n), row.took(tool)?.seconds.max(0.001))));
        let title = format!("{} without symmetry", case.model);
        write(&format!("peers-{}.svg", case.model), &title, ("N", Scale::Whole), "seconds", &curves)?;
    }
    let mut largest: Vec<&Row> = rows.iter().filter(|row| row.last).collect();
    largest.sort_by_key(|row| row.states);
    let bytes = curves(&largest, |row, tool| Some((row.states as f64, row.bytes(tool)?)));
    let title = "Memory of the largest of each model";
    write("peers-memory.svg", title, ("states", Scale::Logarithmic), "bytes per state", &bytes)?;
    match speedups {
        [] => Ok(()),
        curves => {
            let across = ("threads", Scale::Whole);
            write("peers-threads.svg", "Several threads against one", across, "faster by", curves)
        }
    }
}

fn write(file: &str, title: &str, across: (&str, Scale), up: &str, curves: &[Curve]) -> Done {
    let path = root().join("docs/src").join(file);
    let text = draw(title, across, up, &curves.iter().collect::<Vec<_>>());
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}
