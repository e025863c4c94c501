//! `cargo xtask contest DIR`: the Model Checking Contest's instances, against the known answers.
//!
//! The folder holds one folder per instance (`model.pnml` and the formulas), `oracle.csv`
//! (`model,property_id,expected`) and, if it is known, `instances.csv` with the numbers of states: see
//! `instance`; options are in `wanted`. Each examination of an instance is one run of the program or several:
//! see `ask`. A wrong answer fails the chore. [`test()`] does the same with our own selection and, if it is
//! there, with the small instances of the contest (`corpus`).

mod ask;
mod corpus;
mod instance;
mod wanted;

use crate::process::{Done, build_tested, cores, root};
use crate::several::several;
use ask::ToolAnswer;
use instance::{Instance, instances};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use wanted::{Wanted, wanted};

/// Examinations with a file of formulas.
const FILES: [&str; 7] = [
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
    "UpperBounds",
];
/// Examinations without.
const GLOBALS: [&str; 6] =
    ["ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "Liveness", "StableMarking", "StateSpace"];

/// Answers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    right: u32,
    wrong: u32,
    unknown: u32,
}

/// What came out for one examination.
#[derive(Clone, Debug, Default)]
struct Category {
    tally: Tally,
    seconds: f64,
    /// How many right answers there are by each technique.
    by: BTreeMap<String, u32>,
}

/// How many states the contest's nets have that are part of the tests. The rest is for
/// `cargo xtask contest DIR`.
const MOST: &str = "25000";

/// What came out for one instance.
struct Examined {
    by_examination: Vec<(&'static str, Category)>,
    /// Answers that are wrong, in words.
    wrong: Vec<String>,
    /// One state of each was visited.
    orbits: Option<String>,
    seconds: f64,
}

/// Runs all instances of a folder and prints tables.
pub fn run(folder: &str, options: &[&str]) -> Done {
    let wanted = wanted(options)?;
    let program = wanted.program()?;
    println!(
        "| instance | states | orbits | right | wrong | unknown | seconds |\n|---|---:|---:|---:|---:|---:|---:|"
    );
    let (totals, wrong) = examine_all(&program, Path::new(folder), &wanted, |instance, examined| {
        println!("{}", examined.row(instance));
    })?;
    println!(
        "\n| examination | right | wrong | unknown | answered | seconds | by |\n|---|---:|---:|---:|---:|---:|---|"
    );
    for (examination, category) in &totals {
        println!("{}", category.row(examination));
    }
    println!("{}", sum(totals.values()).row("all"));
    verdict(&wrong)
}

/// Our own selection with and without symmetry, of which every answer must come, and the small instances of
/// the contest.
pub fn test() -> Done {
    let own = root().join("tests/contest");
    let (program, jobs) = (build_tested()?.to_string_lossy().into_owned(), cores().to_string());
    let options = ["--program", &program, "--jobs", &jobs];
    for symmetry in ["auto", "none"] {
        let tally = totals(&own, &[&["--symmetry", symmetry], &options[..]].concat())?;
        if tally.right == 0 || tally.unknown > 0 {
            return Err(format!(
                "our own nets, --symmetry {symmetry}: {} answers are missing",
                tally.unknown
            ));
        }
        println!("our own nets, --symmetry {symmetry}: {} answers are right", tally.right);
    }
    let Some(folder) = corpus::unpack()? else { return Ok(()) };
    let Tally { right, unknown, .. } = totals(&folder, &[&["--most", MOST], &options[..]].concat())?;
    println!("the contest's nets with up to {MOST} states: {right} answers are right, {unknown} are missing");
    Ok(())
}

/// The answers for a folder, none of which is wrong.
fn totals(folder: &Path, options: &[&str]) -> Result<Tally, String> {
    let wanted = wanted(options)?;
    let (totals, wrong) = examine_all(&wanted.program()?, folder, &wanted, |_, _| ())?;
    verdict(&wrong)?;
    Ok(sum(totals.values()).tally)
}

fn verdict(wrong: &[String]) -> Done {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{} answers are wrong", wrong.join("\n"), wrong.len())),
    }
}

/// By examination, the answers; and those that are wrong, in words.
type Outcome = (BTreeMap<&'static str, Category>, Vec<String>);

fn examine_all(
    program: &Path,
    folder: &Path,
    wanted: &Wanted,
    mut tell: impl FnMut(&Instance, &Examined),
) -> Result<Outcome, String> {
    let mut chosen = instances(folder)?;
    chosen.retain(|instance| wanted.chooses(instance));
    if wanted.jobs > 1 {
        // A large one at the end would leave the others idle.
        chosen.reverse();
    }
    let (mut totals, mut wrong): Outcome = Default::default();
    let work = |instance: &Instance| examine(program, instance, wanted);
    several(&chosen, wanted.jobs, work, |instance, examined: Result<Examined, String>| {
        let mut examined = examined?;
        for (examination, category) in &examined.by_examination {
            totals.entry(examination).or_default().add(category);
        }
        wrong.append(&mut examined.wrong);
        tell(instance, &examined);
        Ok(())
    })?;
    Ok((totals, wrong))
}

fn examine(program: &Path, instance: &Instance, wanted: &Wanted) -> Result<Examined, String> {
    let started = Instant::now();
    let (mut by_examination, mut orbits, mut wrong) = (Vec::new(), None, Vec::new());
    for examination in FILES.into_iter().chain(GLOBALS) {
        let asked = Instant::now();
        let mut answers = ask::ask(program, instance, examination, wanted)?;
        orbits = answers.remove(ask::ORBITS).map(|told| told.answer).or(orbits);
        let mut category = judge(instance, examination, &answers, &mut wrong);
        category.seconds = asked.elapsed().as_secs_f64();
        by_examination.push((examination, category));
    }
    wrong.iter_mut().for_each(|what| *what += &format!("\n{}", again(instance, wanted)));
    Ok(Examined { by_examination, wrong, orbits, seconds: started.elapsed().as_secs_f64() })
}

/// The command that runs one instance again.
fn again(instance: &Instance, wanted: &Wanted) -> String {
    let folder = instance.folder.parent().unwrap_or(&instance.folder);
    let folder = folder.strip_prefix(root()).unwrap_or(folder).display();
    let (name, symmetry) = (&instance.name, &wanted.symmetry);
    format!("again: cargo xtask contest {folder} --only {name} --symmetry {symmetry}")
}

fn sum<'c>(categories: impl Iterator<Item = &'c Category>) -> Category {
    let mut all = Category::default();
    categories.for_each(|category| all.add(category));
    all
}

impl Examined {
    fn row(&self, instance: &Instance) -> String {
        let states = instance.states.map_or_else(String::new, |states| states.to_string());
        let Tally { right, wrong, unknown } =
            sum(self.by_examination.iter().map(|(_, category)| category)).tally;
        let (name, orbits, seconds) = (&instance.name, self.orbits.as_deref().unwrap_or(""), self.seconds);
        format!("| {name} | {states} | {orbits} | {right} | {wrong} | {unknown} | {seconds:.1} |")
    }
}

impl Category {
    fn add(&mut self, other: &Category) {
        self.tally.right += other.tally.right;
        self.tally.wrong += other.tally.wrong;
        self.tally.unknown += other.tally.unknown;
        self.seconds += other.seconds;
        for (technique, count) in &other.by {
            *self.by.entry(technique.clone()).or_default() += count;
        }
    }

    fn row(&self, name: &str) -> String {
        let (Tally { right, wrong, unknown }, seconds) = (self.tally, self.seconds);
        let all = f64::from((right + wrong + unknown).max(1));
        let answered = 100.0 * f64::from(right + wrong) / all;
        let by: Vec<String> =
            self.by.iter().map(|(technique, count)| format!("{technique} {count}")).collect();
        let by = by.join(", ");
        format!("| {name} | {right} | {wrong} | {unknown} | {answered:.1} % | {seconds:.1} | {by} |")
    }
}

/// Compares with what is expected.
fn judge(
    instance: &Instance,
    examination: &str,
    answers: &BTreeMap<String, ToolAnswer>,
    wrong: &mut Vec<String>,
) -> Category {
    let mut category = Category::default();
    let Category { tally, by, .. } = &mut category;
    let prefix = format!("{}-{examination}", instance.name);
    for (property, expected) in instance.expected.range(prefix.clone()..) {
        let Some(rest) = property.strip_prefix(&prefix) else { break };
        if !rest.is_empty() && !rest.starts_with('-') {
            continue;
        }
        match answers.get(property) {
            Some(told) if told.answer == *expected => {
                tally.right += 1;
                *by.entry(told.techniques.clone()).or_default() += 1;
            }
            Some(told) if told.answer != "CANNOT_COMPUTE" => {
                tally.wrong += 1;
                let ToolAnswer { answer, techniques } = told;
                wrong.push(format!("{property}: {answer} by {techniques}, expected {expected}"));
            }
            _ => tally.unknown += 1,
        }
    }
    category
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance() -> Instance {
        let expected =
            [("A-OneSafe", "TRUE"), ("A-StateSpace-STATES", "7"), ("A-StateSpace-TRANSITIONS", "9")];
        Instance {
            name: "A".into(),
            folder: "A".into(),
            states: Some(7),
            expected: expected.map(|(name, answer)| (name.to_string(), answer.to_string())).into(),
        }
    }

    #[test]
    fn a_failure_tells_how_to_run_it_again() {
        let instance = Instance { folder: root().join("tests/contest/A"), ..instance() };
        let wanted = wanted(&["--symmetry", "none"]).expect("it is understood");
        assert_eq!(
            again(&instance, &wanted),
            "again: cargo xtask contest tests/contest --only A --symmetry none"
        );
        assert!(wanted.chooses(&instance));
    }

    #[test]
    fn answers_are_judged() {
        let answers = [("A-OneSafe", "FALSE"), ("A-StateSpace-STATES", "7"), ("A-Other", "TRUE")];
        let told = |answer: &str| ToolAnswer { answer: answer.to_string(), techniques: "WALK".to_string() };
        let answers = answers.map(|(name, answer)| (name.to_string(), told(answer))).into();
        let mut wrong = Vec::new();
        let category = judge(&instance(), "StateSpace", &answers, &mut wrong);
        assert_eq!(category.tally, Tally { right: 1, wrong: 0, unknown: 1 });
        assert_eq!(category.row("x"), "| x | 1 | 0 | 1 | 50.0 % | 0.0 | WALK 1 |");
        assert_eq!(verdict(&wrong), Ok(()));
        assert_eq!(
            judge(&instance(), "OneSafe", &answers, &mut wrong).tally,
            Tally { wrong: 1, ..Tally::default() }
        );
        assert_eq!(wrong, ["A-OneSafe: FALSE by WALK, expected TRUE"]);
        assert!(verdict(&wrong).is_err());
    }
}
