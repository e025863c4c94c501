//! JUnit's XML, which build servers read: suites of cases, each passed, failed, broken or skipped.
//!
//! Entry point: [`document`], a pure function from [`Suite`]s to text. Elements and attributes are those that
//! all readers of the format know: `testsuites`, `testsuite`, `testcase` with `failure`, `error` or
//! `skipped`, and `system-out`. Counts and times are summed here, so they cannot disagree with the cases.
//! Signs that XML cannot hold are written as Rust writes them in strings, `\u{1b}` for example.

use std::fmt::Write as _;
use std::time::Duration;

/// Cases that belong together, for example those of one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suite {
    /// What they have in common.
    pub name: String,
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

    fn attributes(self) -> String {
        let Self { tests, failures, errors, skipped, time } = self;
        let time = seconds(time);
        format!(
            "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time}\""
        )
    }
}

/// The suites as one document.
pub fn document(name: &str, suites: &[Suite]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = Tally::of(suites.iter().flat_map(|suite| &suite.cases)).attributes();
    // Writing to a string does not fail.
    let _ = writeln!(out, "<testsuites name=\"{}\" {all}>", escaped(name));
    for suite in suites {
        let tally = Tally::of(suite.cases.iter()).attributes();
        let _ = writeln!(out, "  <testsuite name=\"{}\" {tally}>", escaped(&suite.name));
        suite.cases.iter().for_each(|case| write_case(&mut out, case));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
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
        let _ = writeln!(out, "      <system-out>{}</system-out>", escaped(&case.output));
    }
    out.push_str("    </testcase>\n");
}

fn write_complaint(out: &mut String, element: &str, complaint: &Complaint) {
    let Complaint { kind, message, details } = complaint;
    let (kind, message, details) = (escaped(kind), escaped(message), escaped(details));
    let _ = writeln!(out, "      <{element} type=\"{kind}\" message=\"{message}\">{details}</{element}>");
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// A text for an attribute or between tags. Line ends in attributes would be read as blanks.
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
        let suites = [Suite { name: "m.orb".into(), cases }, Suite { name: "empty".into(), cases: vec![] }];
        let wanted = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"burnside\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"6.000\">
  <testsuite name=\"m.orb\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"6.000\">
    <testcase classname=\"m.orb\" name=\"p\" time=\"1.500\"/>
    <testcase classname=\"m.orb\" name=\"q\" time=\"1.500\">
      <failure type=\"violated\" message=\"x &lt; 1\">a&#10;b</failure>
    </testcase>
    <testcase classname=\"m.orb\" name=\"r\" time=\"1.500\">
      <error type=\"violated\" message=\"late\">a&#10;b</error>
    </testcase>
    <testcase classname=\"m.orb\" name=\"s\" time=\"1.500\">
      <skipped message=\"nothing\"/>
      <system-out>why</system-out>
    </testcase>
  </testsuite>
  <testsuite name=\"empty\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\">
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
