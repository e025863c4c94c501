//! Answers that runs show are told while the search for others goes on, and the report says the same.

use burnside::{
    Answer, Kind, Limits, LoadOptions, Model, Observer, Options, Procedure, Progress, Report, Symmetry,
    Verdict, check, check_each,
};
use std::cell::Cell;

/// Counts to 100,000 in one line: each state is a level of its own.
const COUNTER: &str = "
    var n: 0..99999;
    process P { rule up when n < 99999 { n = n + 1; } }
    deadlock allowed;
    reachable beyond = n > n;
    invariant low = n < 5000;
    invariant sane = n >= 0;
    reachable three = n == 3;
";

fn load(text: &str) -> Model {
    Model::load(text, &LoadOptions::new()).into_model().unwrap()
}

/// Keeps how many states there were, and which properties ended then.
#[derive(Default)]
struct EndRecorder<'c> {
    states: Option<&'c Cell<u64>>,
    ended: Vec<(usize, u64)>,
}

impl Observer for EndRecorder<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.states.iter().for_each(|states| states.set(progress.stats.states));
    }

    fn ends(&mut self, property: usize, progress: &Progress) {
        self.ended.push((property, progress.stats.states));
    }
}

/// The report, what was told, and how many states the search had told of before.
fn told(model: &Model, options: &Options) -> (Report, Vec<(Answer, u64)>) {
    let (states, mut told) = (Cell::new(0), Vec::new());
    let mut recorder = EndRecorder { states: Some(&states), ..EndRecorder::default() };
    let answered = &mut |answer: &Answer| told.push((answer.clone(), states.get()));
    let report = check_each(model, options, &mut recorder, answered).unwrap();
    (report, told)
}

/// What two reports must agree on.
fn essence(report: &Report) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let of = |it: &Answer| {
        let tree = format!("{:?}", it.tree);
        let figures = (it.stats.states, it.stats.transitions, it.stats.depth, it.unreduced.clone());
        let how = (it.symmetry, it.group.clone(), it.method, it.weighed.clone(), it.vacuous.clone());
        (it.property.clone(), it.verdict.clone(), it.evidence.clone(), tree, it.value, figures, how)
    };
    report.results.iter().map(of).collect()
}

#[test]
fn what_a_run_shows_is_told_at_once() {
    let model = load(COUNTER);
    let (report, told) = told(&model, &Options::default());
    let brief: Vec<_> = told.iter().map(|(it, _)| (it.property.as_str(), it.verdict.clone())).collect();
    let expected = [
        ("three", Verdict::Holds),
        ("low", Verdict::Violated),
        ("faults", Verdict::Holds),
        ("beyond", Verdict::Violated),
        ("sane", Verdict::Holds),
    ];
    assert_eq!(brief, expected);
    assert!(told[0].1 < 10 && told[1].1 < 6_000, "{} {}", told[0].1, told[1].1);
    for (answer, _) in &told {
        let last = report.answer(&answer.property).unwrap();
        assert_eq!((&answer.evidence, answer.stats), (&last.evidence, last.stats), "{}", answer.property);
    }
    assert_eq!(essence(&report), essence(&check(&model, &Options::default(), &mut ()).unwrap()));
}

/// Those who want no answers are told of ends all the same, each once.
#[test]
fn ends_are_told_at_once() {
    let mut recorder = EndRecorder::default();
    check(&load(COUNTER), &Options::default(), &mut recorder).unwrap();
    assert_eq!(recorder.ended, [(4, 4), (2, 5_001), (0, 100_000), (1, 100_000), (3, 100_000)]);
}

/// A limit takes nothing back.
#[test]
fn what_was_told_stays() {
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let (report, told) = told(&load(COUNTER), &Options { limits, ..Options::default() });
    assert_eq!(told.iter().map(|(it, _)| it.property.as_str()).collect::<Vec<_>>(), ["three", "low"]);
    let verdicts: Vec<_> = report.results.iter().map(|it| (it.property.as_str(), &it.verdict)).collect();
    assert_eq!(verdicts[2], ("low", &Verdict::Violated));
    assert_eq!(verdicts[4], ("three", &Verdict::Holds));
    assert!(matches!(verdicts[3], ("sane", Verdict::Unknown(_))));
}

/// A search that is begun again, since its group does not pay, has told nothing before.
#[test]
fn nothing_is_told_before_the_group_was_weighed() {
    let text = "
        symmetric Idle[3];
        var x: array[Idle] of bool;
        var n: 0..19999;
        process P { rule up when n < 19999 { n = n + 1; for i: Idle { x[i] = !x[i]; } } }
        deadlock allowed;
        invariant alike = forall i, j: Idle { x[i] == x[j] };
        invariant low = n < 5;
        invariant middle = n < 9000;
    ";
    let (report, told) = told(&load(text), &Options::default());
    let early: Vec<_> = told.iter().filter(|(it, _)| it.verdict == Verdict::Violated).collect();
    assert_eq!(early.iter().map(|(it, _)| it.property.as_str()).collect::<Vec<_>>(), ["low", "middle"]);
    for (answer, states) in early {
        let last = report.answer(&answer.property).unwrap();
        assert_eq!((answer.symmetry, &answer.weighed), (Symmetry::None, &last.weighed));
        assert_eq!((&answer.evidence, &answer.group), (&last.evidence, &last.group));
        assert!(*states < 10_000, "{states}");
    }
}

#[test]
fn examples_say_the_same_early_and_late() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut early = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "orb") {
            continue;
        }
        let model = load(&std::fs::read_to_string(&path).unwrap());
        for symmetry in [Symmetry::Auto, Symmetry::None] {
            let options = Options { symmetry, ..Options::default() };
            let (report, told) = told(&model, &options);
            let plain = check(&model, &options, &mut ()).unwrap();
            assert_eq!(essence(&report), essence(&plain), "{}", path.display());
            for (answer, states) in &told {
                let last = report.answer(&answer.property).unwrap();
                assert_eq!(answer.verdict, last.verdict, "{} {}", path.display(), answer.property);
                let hunted = answer.method == Some(Procedure::Hunt);
                assert!(hunted || answer.evidence == last.evidence, "{}", answer.property);
                let of_states = !matches!(answer.kind, Kind::Ltl | Kind::Ctl);
                early += usize::from(of_states && *states < report.stats.states);
            }
        }
    }
    assert!(early >= 10, "{early}");
}
