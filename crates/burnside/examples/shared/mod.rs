//! What the examples have in common: a number from the command line, and a report of a check.

use burnside::rust::{RustModel, lower};
use burnside::{LoadOptions, Model, Options, Symmetry, Verdict};
use std::error::Error;

/// The first argument, or what it is by default.
pub fn argument(default: u32) -> Result<u32, Box<dyn Error>> {
    Ok(std::env::args().nth(1).map_or(Ok(default), |text| text.parse())?)
}

/// Checks a model and prints what came of it. A second argument `none` does without symmetry.
pub fn check<M: RustModel>(model: M) -> Result<(), Box<dyn Error>> {
    let lowered = lower(model)?;
    let model = Model::load(&lowered, &LoadOptions::new()).into_model()?;
    let mut options = Options::default();
    if std::env::args().nth(2).is_some_and(|text| text == "none") {
        options.symmetry = Symmetry::None;
    }
    let report = burnside::check(&model, &options, &mut ())?;
    for answer in &report.results {
        let verdict = match &answer.verdict {
            Verdict::Holds => "holds".to_string(),
            Verdict::Violated => "violated".to_string(),
            Verdict::Unknown(stop) => format!("unknown: {stop}"),
        };
        println!("{:<12} {verdict} ({:.2} s)", answer.property, answer.time.as_secs_f64());
        let Some(run) = report.run(answer) else { continue };
        println!("    {:?}", run.state(0).decode(&lowered));
        for (i, step) in run.steps().enumerate() {
            let arguments: Vec<String> =
                step.arguments().iter().map(|(_, value)| value.to_string()).collect();
            let start = if run.loop_start() == Some(i) { "repeats: " } else { "" };
            println!("    {start}{}.{}({})", step.process(), step.rule(), arguments.join(", "));
        }
    }
    let all = report.unreduced.as_ref().map_or(String::new(), |states| format!(" of {states}"));
    let (states, seconds) = (report.stats.states, report.time.as_secs_f64());
    println!("{states}{all} states, {} transitions, {seconds:.3} s", report.stats.transitions);
    Ok(())
}
