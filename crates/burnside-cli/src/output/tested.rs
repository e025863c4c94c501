//! What came of testing models against what they expect: the data, and how it is told to people ([`lines`],
//! [`summary`]), as JSON ([`document`]) and in JUnit's XML ([`suites`]).

use crate::exit::{Bad, Exit, Failure};
use crate::output::marks::{HOLDS, VIOLATED};
use crate::output::{Paint, diagnostics, plural};
use burnside_limits::Stop;
use burnside_report::json;
use burnside_report::junit::{Case, CaseOutcome, Complaint, Suite};
use serde_json::{Value, json};
use std::time::Duration;

/// One configuration of a model, tested in one way.
#[derive(Debug)]
pub struct Tested {
    /// The model.
    pub model: String,
    /// What was set, `N = 2` for example.
    pub conditions: Vec<String>,
    /// How it was checked, if that is not the usual way.
    pub way: Option<String>,
    /// How long it took.
    pub time: Duration,
    /// How it ended.
    pub ending: TestEnding,
    /// What to type to see it again.
    pub command: String,
}

/// How a test ended.
#[derive(Debug)]
pub enum TestEnding {
    /// All is as it should be; so many verdicts and figures were compared.
    AsExpected(usize),
    /// Something is not; an answer that is missing is not either.
    Different(Vec<Difference>),
    /// The model cannot be checked.
    Bad(Failure),
    /// It was not tried, or not to the end.
    Stopped(Stop),
    /// The model expects nothing.
    NothingExpected,
}

/// Something that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A property or a figure.
    pub what: String,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub found: String,
    /// Whether nobody knows what it is.
    pub open: bool,
}

impl TestEnding {
    /// The exit code if there were only this test.
    pub fn exit(&self) -> Exit {
        match self {
            TestEnding::AsExpected(_) | TestEnding::NothingExpected => Exit::Good,
            TestEnding::Different(all) if all.iter().all(|difference| difference.open) => Exit::Unknown,
            TestEnding::Different(_) => Exit::Violated,
            TestEnding::Bad(Failure::Internal(_)) => Exit::Internal,
            TestEnding::Bad(_) => Exit::Bad,
            TestEnding::Stopped(_) => Exit::Unknown,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            TestEnding::NothingExpected => "nothing expected",
            other => match other.exit() {
                Exit::Good => "as expected",
                Exit::Violated => "not as expected",
                Exit::Unknown => "unknown",
                Exit::Bad => "bad model",
                Exit::Internal => "internal error",
            },
        }
    }
}

/// The exit code of many tests: our own fault counts most, then bad models, then what is not as expected,
/// then what is unknown.
pub fn exit(all: &[Tested]) -> Exit {
    let order = [Exit::Internal, Exit::Bad, Exit::Violated, Exit::Unknown];
    let worst = order.into_iter().find(|exit| all.iter().any(|tested| tested.ending.exit() == *exit));
    worst.unwrap_or(Exit::Good)
}

impl Tested {
    /// The configuration in words.
    fn configuration(&self) -> String {
        let way = self.way.iter().map(|way| format!("({way})"));
        let conditions = (!self.conditions.is_empty()).then(|| self.conditions.join("; "));
        conditions.into_iter().chain(way).collect::<Vec<_>>().join(" ")
    }

    /// What is wrong, line by line.
    fn problems(&self) -> Vec<String> {
        match &self.ending {
            TestEnding::AsExpected(_) | TestEnding::NothingExpected => Vec::new(),
            TestEnding::Different(all) => all.iter().map(Difference::to_string).collect(),
            TestEnding::Bad(failure) => told(failure).lines().map(str::to_string).collect(),
            TestEnding::Stopped(stop) => vec![stop.to_string()],
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: expected {}, found {}", self.what, self.expected, self.found)
    }
}

/// A failure as a plain text.
fn told(failure: &Failure) -> String {
    let plain = Paint { colored: false, ascii: false, width: None };
    match failure {
        Failure::Bad(Bad { message, help: None }) => message.clone(),
        Failure::Bad(Bad { message, help: Some(help) }) => format!("{message}\nhelp: {help}"),
        Failure::Model(bad) => {
            let texts = bad.iter().flat_map(|bad| {
                let set = bad.setting_errors.iter().map(|error| {
                    let help = error.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
                    format!("{}: {}{help}\n", error.name, error.message)
                });
                std::iter::once(diagnostics::render(&bad.source, &bad.diagnostics, plain)).chain(set)
            });
            texts.collect::<String>().trim_end().to_string()
        }
        Failure::Stopped(stop) => stop.to_string(),
        Failure::Output(error) => error.to_string(),
        Failure::Internal(message) => format!("internal error: {message}"),
    }
}

/// A test for people: one line, and what is wrong below it.
pub fn lines(tested: &Tested, paint: Paint) -> String {
    let (mark, remark) = match tested.ending.exit() {
        Exit::Good => match tested.ending {
            TestEnding::NothingExpected => (paint.dim("-"), paint.dim("nothing is expected")),
            _ => (paint.good(&paint.mark(HOLDS)), String::new()),
        },
        Exit::Unknown => (paint.open("?"), paint.open(tested.ending.word())),
        _ => (paint.bad(&paint.mark(VIOLATED)), paint.bad(tested.ending.word())),
    };
    let time = match tested.ending {
        TestEnding::NothingExpected => String::new(),
        _ => paint.dim(&format!("{:.2} s", tested.time.as_secs_f64())),
    };
    let parts = [paint.strong(&tested.model), tested.configuration(), remark, time];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let mut text = format!("{mark} {}\n", parts.join("  "));
    let problems = tested.problems();
    let again = (!problems.is_empty()).then(|| format!("again: {}", tested.command));
    for line in problems.into_iter().chain(again) {
        text.push_str(&format!("    {line}\n"));
    }
    text
}

/// All tests in one line.
pub fn summary(all: &[Tested], time: Duration, paint: Paint) -> String {
    let count = |word: &str| all.iter().filter(|tested| tested.ending.word() == word).count() as u64;
    let (bad, silent) = (count("bad model"), count("nothing expected"));
    let mut parts = vec![paint.good(&format!("{} as expected", count("as expected")))];
    let wrong = [(count("not as expected"), "not as expected"), (count("internal error"), "internal errors")];
    let wrong = wrong.into_iter().filter(|(count, _)| *count > 0);
    parts.extend(wrong.map(|(count, what)| paint.bad(&format!("{count} {what}"))));
    parts.extend((bad > 0).then(|| paint.bad(&plural(bad, "bad model", "bad models"))));
    let open = count("unknown");
    parts.extend((open > 0).then(|| paint.open(&format!("{open} unknown"))));
    parts.extend((silent > 0).then(|| plural(silent, "model expects nothing", "models expect nothing")));
    format!("{}  {}", parts.join(", "), paint.dim(&format!("({:.2} s)", time.as_secs_f64())))
}

/// All tests as one JSON document.
pub fn document(all: &[Tested], time: Duration) -> Value {
    let tests = all.iter().map(|tested| {
        let differences = match &tested.ending {
            TestEnding::Different(all) => all.as_slice(),
            _ => &[],
        };
        let differences = differences.iter().map(
            |it| json!({"what": it.what, "expected": it.expected, "found": it.found, "unknown": it.open}),
        );
        let compared = match tested.ending {
            TestEnding::AsExpected(compared) => Some(compared),
            _ => None,
        };
        let message = match &tested.ending {
            TestEnding::Bad(_) | TestEnding::Stopped(_) => Some(tested.problems().join("\n")),
            _ => None,
        };
        json!({
            "model": tested.model,
            "conditions": tested.conditions,
            "way": tested.way,
            "outcome": tested.ending.word(),
            "seconds": tested.time.as_secs_f64(),
            "compared": compared,
            "differences": differences.collect::<Vec<_>>(),
            "message": message,
            "command": tested.command,
        })
    });
    json!({
        "burnside": env!("CARGO_PKG_VERSION"),
        "format": json::FORMAT,
        "seconds": time.as_secs_f64(),
        "exit_code": exit(all).code(),
        "tests": tests.collect::<Vec<_>>(),
    })
}

/// All tests as cases, one suite for each model.
pub fn suites(all: &[Tested]) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    for tested in all {
        let case = case(tested);
        match suites.last_mut().filter(|suite| suite.name == tested.model) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite { name: tested.model.clone(), cases: vec![case], ..Suite::default() }),
        }
    }
    suites
}

fn case(tested: &Tested) -> Case {
    let problems = tested.problems();
    let complaint = || Complaint {
        kind: tested.ending.word().to_string(),
        message: problems.first().cloned().unwrap_or_default(),
        details: format!("{}\nagain: {}", problems.join("\n"), tested.command),
    };
    let outcome = match tested.ending.exit() {
        Exit::Good => match tested.ending {
            TestEnding::NothingExpected => CaseOutcome::Skipped("nothing is expected".into()),
            _ => CaseOutcome::Passed,
        },
        Exit::Violated => CaseOutcome::Failed(complaint()),
        Exit::Unknown | Exit::Bad | Exit::Internal => CaseOutcome::Broken(complaint()),
    };
    let configuration = tested.configuration();
    let name = if configuration.is_empty() { "as it is".to_string() } else { configuration };
    Case { name, class: tested.model.clone(), time: tested.time, outcome, output: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(ending: TestEnding) -> Tested {
        let (model, command) = ("m.orb".to_string(), "burnside check m.orb --set N=2".to_string());
        let conditions = vec!["N = 2".to_string()];
        Tested { model, conditions, way: None, time: Duration::from_millis(20), ending, command }
    }

    fn difference(open: bool) -> Difference {
        let (expected, found) = ("holds".to_string(), "violated".to_string());
        Difference { what: "p".into(), expected, found, open }
    }

    #[test]
    fn the_worst_decides() {
        let all = |endings: Vec<TestEnding>| exit(&endings.into_iter().map(tested).collect::<Vec<_>>());
        let unknown = || TestEnding::Different(vec![difference(true)]);
        let wrong = || TestEnding::Different(vec![difference(true), difference(false)]);
        let bad = || TestEnding::Bad(Failure::bad("no"));
        assert_eq!(all(vec![]), Exit::Good);
        assert_eq!(all(vec![TestEnding::AsExpected(3), TestEnding::NothingExpected]), Exit::Good);
        assert_eq!(all(vec![TestEnding::AsExpected(3), unknown()]), Exit::Unknown);
        assert_eq!(all(vec![TestEnding::Stopped(Stop::Interrupted)]), Exit::Unknown);
        assert_eq!(all(vec![unknown(), wrong()]), Exit::Violated);
        assert_eq!(all(vec![wrong(), bad(), unknown()]), Exit::Bad);
        assert_eq!(all(vec![bad(), TestEnding::Bad(Failure::Internal("x".into()))]), Exit::Internal);
    }

    #[test]
    fn what_is_wrong_stands_below_the_line() {
        let wrong = tested(TestEnding::Different(vec![difference(false)]));
        let wanted = "✗ m.orb  N = 2  not as expected  0.02 s\n    p: expected holds, found violated\n    again: burnside check m.orb --set N=2\n";
        assert_eq!(lines(&wrong, Paint::PLAIN), wanted);
        let fine = Tested { way: Some("symmetry none".into()), ..tested(TestEnding::AsExpected(2)) };
        assert_eq!(lines(&fine, Paint::PLAIN), "✓ m.orb  N = 2 (symmetry none)  0.02 s\n");
        let silent = Tested { conditions: Vec::new(), ..tested(TestEnding::NothingExpected) };
        assert_eq!(lines(&silent, Paint::PLAIN), "- m.orb  nothing is expected\n");
        let all = [wrong, fine, silent];
        let said = summary(&all, Duration::from_secs(1), Paint::PLAIN);
        assert_eq!(said, "1 as expected, 1 not as expected, 1 model expects nothing  (1.00 s)");
        let suites = suites(&all);
        assert_eq!((suites.len(), suites[0].cases.len()), (1, 3));
        assert!(matches!(suites[0].cases[2].outcome, CaseOutcome::Skipped(_)));
    }
}
