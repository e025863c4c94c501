//! JUnit's XML, which build servers read: suites of cases, each passed, failed, broken or skipped.
//!
//! Entry point: [`document`], a pure function from [`Suite`]s to text; [`report`] and [`failure`] make the
//! suite of a check: a case for each property, which passes if it holds, fails if it is violated and is an
//! error if it is unknown. Elements and attributes are those that all readers of the format know:
//! `testsuites`, `testsuite` with `properties`, `testcase` with `failure`, `error` or `skipped`, and
//! `system-out`. Counts and times are summed here, so they cannot disagree with the cases. Signs that XML
//! cannot hold are written as Rust writes them in strings, `\u{1b}` for example.

use crate::figures;
use crate::json::StateSpace;
use crate::outcome::{CheckReport, FailedCheck, constants};
use crate::verdict::word;
use crate::{group, verdict};
use burnside::{Answer, Choice, Procedure, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

/// Cases that belong together, for example those of one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suite {
    /// What they have in common.
    pub name: String,
    /// What else is known of all of them: names and values.
    pub properties: Vec<(String, String)>,
    /// One after the other.
    pub cases: Vec<Case>,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it is called; readers show it below `class`.
    pub name: String,
    /// What it is a part of, for example the model.
    pub class: String,
    /// How long it took.
    pub time: Duration,
    /// What came out.
    pub outcome: CaseOutcome,
    /// What else there is to say; may be empty.
    pub output: String,
}

/// What came out of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseOutcome {
    /// It is as it should be.
    Passed,
    /// It was answered, and the answer is not what it should be.
    Failed(Complaint),
    /// It was not answered: a bad model, a limit.
    Broken(Complaint),
    /// It was not tried, for this reason.
    Skipped(String),
}

/// What is wrong with a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What kind of thing is wrong, a word: `violated`, `unknown`, …
    pub kind: String,
    /// One line.
    pub message: String,
    /// All there is to say.
    pub details: String,
}

/// The suite of a check: a case for each property.
pub fn report(told: &CheckReport<'_>) -> Suite {
    let cases = told.answers().map(|(result, shown)| answer(told, result, shown));
    let cases = cases.chain(told.state_space.map(|counts| state_space(told, counts)));
    Suite { name: told.input.source.path.clone(), properties: properties(told), cases: cases.collect() }
}

/// The suite of a check without a report: one case, which is an error.
pub fn failure(failed: &FailedCheck<'_>) -> Suite {
    let help = failed.help.map(|help| format!("help: {help}\n")).unwrap_or_default();
    let complaint = Complaint {
        kind: failed.why.name().into(),
        message: failed.message.clone(),
        details: format!("{}\n{help}\n{}", failed.message, failed.shown).trim_end().to_string(),
    };
    let case = Case {
        name: "check".into(),
        class: failed.model.into(),
        time: Duration::ZERO,
        outcome: CaseOutcome::Broken(complaint),
        output: String::new(),
    };
    Suite { name: failed.model.into(), cases: vec![case], ..Suite::default() }
}

/// The case of a property.
fn answer(told: &CheckReport<'_>, result: &Answer, shown: &str) -> Case {
    let holds = result.verdict == Verdict::Holds;
    let parts = [told.headline(result), told.details(result, shown)];
    let omitted = told.omitted.filter(|_| !holds).map(|why| format!("the runs are left out: {why}"));
    let parts = parts.into_iter().chain(omitted).filter(|part| !part.is_empty());
    let complaint = || Complaint {
        kind: word(&result.verdict).into(),
        message: told.headline(result),
        details: parts.collect::<Vec<_>>().join("\n\n"),
    };
    let outcome = match result.verdict {
        Verdict::Holds => CaseOutcome::Passed,
        Verdict::Violated => CaseOutcome::Failed(complaint()),
        Verdict::Unknown(_) => CaseOutcome::Broken(complaint()),
    };
    let note = verdict::note(result, told.run(result).as_deref());
    let note = Some(note).filter(|note| holds && !note.is_empty());
    let figures = figures::of(result).map(|figures| figures.into_iter().filter(|one| !one.is_empty()));
    let figures = figures.map(|figures| figures.collect::<Vec<_>>().join(", "));
    let weighed = result.weighed.as_ref().map(ToString::to_string);
    let reduced = result.partial_order.map(|reduced| reduced.to_string());
    let shown = Some(shown.trim_end().to_string()).filter(|shown| holds && !shown.is_empty());
    let lines = [Some(how(result)), figures, weighed, reduced, note, shown].into_iter().flatten();
    Case {
        name: result.property.clone(),
        class: told.input.source.path.clone(),
        time: result.time,
        outcome,
        output: lines.collect::<Vec<_>>().join("\n"),
    }
}

/// The size of the state space as a case: it may be unknown, and then the exit code says so.
fn state_space(told: &CheckReport<'_>, counts: &StateSpace) -> Case {
    let line = figures::state_space(counts);
    let complaint = || Complaint { kind: "unknown".into(), message: line.clone(), details: line.clone() };
    Case {
        name: "StateSpace".into(),
        class: told.input.source.path.clone(),
        time: Duration::ZERO,
        outcome: if counts.is_ok() { CaseOutcome::Passed } else { CaseOutcome::Broken(complaint()) },
        output: line,
    }
}

/// How a property was checked.
fn how(result: &Answer) -> String {
    let method = result.method.map_or_else(String::new, |method| format!(", {}", Procedure::name(method)));
    format!("{}: {} engine, symmetry {}{method}", result.kind, result.engine.name(), result.symmetry.name())
}

/// What is known of all properties.
fn properties(told: &CheckReport<'_>) -> Vec<(String, String)> {
    let (input, report) = (told.input, told.report);
    let stats = &report.stats;
    let mut all = vec![("burnside".to_string(), env!("CARGO_PKG_VERSION").to_string())];
    let constants = constants(&input.model);
    all.extend(constants.map(|(name, value)| (format!("constant {name}"), value)));
    let mut add = |name: &str, value: String| all.push((name.into(), value));
    add("symmetries", group::order(&input.model.system, &report.group));
    burnside::told(stats.states).iter().for_each(|states| add("states", states.to_string()));
    add("transitions", stats.transitions.to_string());
    if let Some(unreduced) = &report.unreduced {
        add("states unreduced", unreduced.to_string());
    }
    add("depth", stats.depth.to_string());
    add("peak memory", stats.memory.to_string());
    if let Some(diagrams) = stats.diagrams {
        add("nodes", diagrams.nodes.to_string());
    }
    if let Some(why) = &report.chosen {
        add("engine chosen", why.clone());
    }
    if let Some(why) = told.omitted {
        add("runs omitted", why.into());
    }
    all
}

/// How many cases there are, how many of them failed, and so on.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    time: Duration,
}

impl Tally {
    fn of<'c>(cases: impl Iterator<Item = &'c Case>) -> Self {
        cases.fold(Self::default(), |sum, case| Self {
            tests: sum.tests + 1,
            failures: sum.failures + usize::from(matches!(case.outcome, CaseOutcome::Failed(_))),
            errors: sum.errors + usize::from(matches!(case.outcome, CaseOutcome::Broken(_))),
            skipped: sum.skipped + usize::from(matches!(case.outcome, CaseOutcome::Skipped(_))),
            time: sum.time + case.time,
        })
    }

    /// What all readers take of the whole and of a suite; some refuse more of the whole.
    fn attributes(self) -> String {
        let Self { tests, failures, errors, time, .. } = self;
        let time = seconds(time);
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time}\"")
    }
}

/// The suites as one document.
pub fn document(name: &str, suites: &[Suite]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = Tally::of(suites.iter().flat_map(|suite| &suite.cases)).attributes();
    // Writing to a string does not fail.
    let _ = writeln!(out, "<testsuites name=\"{}\" {all}>", escaped(name));
    for suite in suites {
        let tally = Tally::of(suite.cases.iter());
        let (name, skipped, tally) = (escaped(&suite.name), tally.skipped, tally.attributes());
        let _ = writeln!(out, "  <testsuite name=\"{name}\" skipped=\"{skipped}\" {tally}>");
        write_properties(&mut out, &suite.properties);
        suite.cases.iter().for_each(|case| write_case(&mut out, case));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn write_properties(out: &mut String, properties: &[(String, String)]) {
    if properties.is_empty() {
        return;
    }
    out.push_str("    <properties>\n");
    for (name, value) in properties {
        let (name, value) = (escaped(name), escaped(value));
        let _ = writeln!(out, "      <property name=\"{name}\" value=\"{value}\"/>");
    }
    out.push_str("    </properties>\n");
}

fn write_case(out: &mut String, case: &Case) {
    let (class, name, time) = (escaped(&case.class), escaped(&case.name), seconds(case.time));
    let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time}\"");
    if case.outcome == CaseOutcome::Passed && case.output.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push_str(">\n");
    match &case.outcome {
        CaseOutcome::Passed => {}
        CaseOutcome::Failed(complaint) => write_complaint(out, "failure", complaint),
        CaseOutcome::Broken(complaint) => write_complaint(out, "error", complaint),
        CaseOutcome::Skipped(reason) => {
            let _ = writeln!(out, "      <skipped message=\"{}\"/>", escaped(reason));
        }
    }
    if !case.output.is_empty() {
        let _ = writeln!(out, "      <system-out>{}</system-out>", content(&case.output));
    }
    out.push_str("    </testcase>\n");
}

fn write_complaint(out: &mut String, element: &str, complaint: &Complaint) {
    let Complaint { kind, message, details } = complaint;
    let (kind, message, details) = (escaped(kind), escaped(message), content(details));
    let _ = writeln!(out, "      <{element} type=\"{kind}\" message=\"{message}\">{details}</{element}>");
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// A text between tags: people read it as it is, so lines stay lines.
fn content(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// A text for an attribute. Line ends in attributes would be read as blanks.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.extend(sign.escape_unicode());
            }
            _ => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, outcome: CaseOutcome) -> Case {
        let time = Duration::from_millis(1500);
        Case { name: name.into(), class: "m.orb".into(), time, outcome, output: String::new() }
    }

    fn complaint(message: &str) -> Complaint {
        Complaint { kind: "violated".into(), message: message.into(), details: "a\nb".into() }
    }

    #[test]
    fn suites_are_counted_and_written() {
        let cases = vec![
            case("p", CaseOutcome::Passed),
            case("q", CaseOutcome::Failed(complaint("x < 1"))),
            case("r", CaseOutcome::Broken(complaint("late"))),
            Case { output: "why".into(), ..case("s", CaseOutcome::Skipped("nothing".into())) },
        ];
        let properties = vec![("N".into(), "\"3\"".into())];
        let suites = [
            Suite { name: "m.orb".into(), properties, cases },
            Suite { name: "empty".into(), ..Suite::default() },
        ];
        let wanted = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"burnside\" tests=\"4\" failures=\"1\" errors=\"1\" time=\"6.000\">
  <testsuite name=\"m.orb\" skipped=\"1\" tests=\"4\" failures=\"1\" errors=\"1\" time=\"6.000\">
    <properties>
      <property name=\"N\" value=\"&quot;3&quot;\"/>
    </properties>
    <testcase classname=\"m.orb\" name=\"p\" time=\"1.500\"/>
    <testcase classname=\"m.orb\" name=\"q\" time=\"1.500\">
      <failure type=\"violated\" message=\"x &lt; 1\">a
b</failure>
    </testcase>
    <testcase classname=\"m.orb\" name=\"r\" time=\"1.500\">
      <error type=\"violated\" message=\"late\">a
b</error>
    </testcase>
    <testcase classname=\"m.orb\" name=\"s\" time=\"1.500\">
      <skipped message=\"nothing\"/>
      <system-out>why</system-out>
    </testcase>
  </testsuite>
  <testsuite name=\"empty\" skipped=\"0\" tests=\"0\" failures=\"0\" errors=\"0\" time=\"0.000\">
  </testsuite>
</testsuites>
";
        assert_eq!(document("burnside", &suites), wanted);
    }

    #[test]
    fn no_sign_breaks_the_document() {
        let odd = "<&>\"'\n\t\r\u{1b}\u{0}\u{ffff}\u{85}漢🦀";
        let shown = "&lt;&amp;&gt;&quot;'&#10;&#9;\\u{d}\\u{1b}\\u{0}\\u{ffff}\\u{85}漢🦀";
        assert_eq!(escaped(odd), shown);
    }
}
