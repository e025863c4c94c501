//! `--symmetry auto` gives up what does not pay, and says so.

use burnside::{
    Limits, LoadOptions, Model, Observer, Options, Progress, Report, Stop, Symmetry, Verdict, Weighed,
    Weighing, check,
};
use std::time::{Duration, Instant};

fn checked(text: &str, symmetry: Symmetry) -> Report {
    checked_with(text, &Options { symmetry, ..Options::default() }, &mut ())
}

fn checked_with(text: &str, options: &Options, observer: &mut dyn Observer) -> Report {
    let model = Model::load(text, &LoadOptions::new()).into_model().unwrap();
    check(&model, options, observer).unwrap()
}

/// A counter beside members that never differ: every state is its own orbit.
const IDLE: &str = "
    symmetric Idle[3];
    var x: array[Idle] of bool;
    var n: 0..9999;
    process P { rule up when n < 9999 { n = n + 1; for i: Idle { x[i] = !x[i]; } } }
    deadlock allowed;
    invariant alike = forall i, j: Idle { x[i] == x[j] };
    reachable end = n == 9999;
";

#[test]
fn a_type_whose_members_never_differ_is_given_up() {
    let report = checked(IDLE, Symmetry::Auto);
    for answer in &report.results {
        assert_eq!(answer.verdict, Verdict::Holds);
        let expected = Weighed::NotWorthwhile { orbits: 4097, sorts: vec!["Idle".to_string()] };
        assert_eq!(answer.weighed, Some(expected));
        assert_eq!((answer.symmetry, answer.stats.states), (Symmetry::None, 10_000));
    }
    assert_eq!(report.answer("end").unwrap().evidence.as_ref().unwrap().steps.len(), 9_999);
    let report = checked(IDLE, Symmetry::Exact);
    assert!(report.results.iter().all(|answer| answer.weighed.is_none()));
    assert_eq!(report.stats.states, 10_000);
}

/// Of two types the one that pays is kept.
#[test]
fn the_part_that_pays_is_kept() {
    let text = "
        symmetric Idle[3]; symmetric Busy[4];
        var x: array[Idle] of bool;
        var y: array[Busy] of 0..3;
        var n: 0..299;
        process P { rule up when n < 299 { n = n + 1; for i: Idle { x[i] = !x[i]; } } }
        process Busy[b] { rule go { y[b] = (y[b] + 1) % 4; } }
        deadlock allowed;
        invariant alike = forall i, j: Idle { x[i] == x[j] };
    ";
    let report = checked(text, Symmetry::Auto);
    let answer = report.answer("alike").unwrap();
    assert_eq!((&answer.verdict, answer.symmetry), (&Verdict::Holds, Symmetry::Exact));
    // Multisets of four numbers below four: 35.
    assert_eq!(answer.stats.states, 35 * 300);
    assert_eq!(answer.unreduced.as_ref().unwrap().to_string(), (256 * 300).to_string());
    let Some(Weighed::NotWorthwhile { sorts, .. }) = &answer.weighed else { panic!("{:?}", answer.weighed) };
    assert_eq!(*sorts, ["Idle"]);
}

/// Where there are few states nothing is weighed, and where it pays nothing is said.
#[test]
fn what_pays_is_not_mentioned() {
    let text = "
        symmetric Client[6];
        var x: array[Client] of 0..7;
        process Client[c] { rule go { x[c] = (x[c] + 1) % 8; } }
        invariant small = forall c: Client { x[c] < 8 };
    ";
    let report = checked(text, Symmetry::Auto);
    assert!(report.results.iter().all(|answer| answer.weighed.is_none()));
    assert_eq!(report.stats.states, 1716);
}

/// The search is begun again after so few orbits.
const SOON: u32 = 100;

fn soon(limits: Limits) -> Options {
    let weighing = Weighing { orbits: SOON, ..Weighing::default() };
    Options { weighing, limits, ..Options::default() }
}

/// Counts the searches: each begins with no step behind it.
#[derive(Default)]
struct Watcher {
    searches: usize,
    last: u64,
}

impl Watcher {
    /// Whether this is the beginning of a search.
    fn begins(&mut self, progress: &Progress) -> bool {
        let begins = self.searches == 0 || progress.stats.states < self.last;
        self.last = progress.stats.states;
        self.searches += usize::from(begins);
        begins
    }
}

fn given_up() -> Weighed {
    Weighed::NotWorthwhile { orbits: u64::from(SOON) + 1, sorts: vec!["Idle".to_string()] }
}

#[test]
fn the_limit_on_states_is_that_of_the_second_search() {
    for (states, weighed) in [(50, None), (5_000, Some(given_up()))] {
        let report = checked_with(IDLE, &soon(Limits::of_states(states)), &mut ());
        for answer in &report.results {
            assert_eq!(answer.verdict, Verdict::Unknown(Stop::States(states)), "{}", answer.property);
            assert_eq!((answer.stats.states, &answer.weighed), (states, &weighed));
        }
        assert_eq!(report.stats.states, states);
    }
}

#[test]
fn an_interrupt_of_the_second_search() {
    let options = soon(Limits::default());
    let (interrupt, mut watcher) = (options.limits.interrupt.clone(), Watcher::default());
    let report = checked_with(IDLE, &options, &mut |progress: &Progress| {
        watcher.begins(progress);
        if watcher.searches == 2 && progress.stats.states > 1_000 {
            interrupt.raise(Stop::Interrupted);
        }
    });
    assert_eq!(watcher.searches, 2);
    for answer in &report.results {
        assert_eq!(answer.verdict, Verdict::Unknown(Stop::Interrupted));
        assert_eq!(answer.weighed, Some(given_up()));
        assert!((1_001..10_000).contains(&answer.stats.states), "{:?}", answer.stats);
    }
}

/// What the first search took is not given back.
#[test]
fn the_time_is_that_of_both_searches() {
    let (time, pause) = (Duration::from_millis(1_500), Duration::from_millis(1_000));
    let limits = Limits { time: Some(time), ..Limits::default() };
    let (mut watcher, started) = (Watcher::default(), Instant::now());
    // The second search would take some ten seconds.
    let report = checked_with(IDLE, &soon(limits), &mut |progress: &Progress| {
        if watcher.begins(progress) || watcher.searches == 2 {
            std::thread::sleep(pause);
        }
    });
    let elapsed = started.elapsed();
    assert_eq!(watcher.searches, 2);
    assert!(elapsed < 3 * pause, "{elapsed:?}");
    for answer in &report.results {
        assert!(matches!(answer.verdict, Verdict::Unknown(Stop::Time(_))), "{:?}", answer.verdict);
        assert!(answer.stats.states > 0 && answer.time >= pause, "{:?}", answer.time);
    }
}

/// Also what is found at once took the time of the first search.
#[test]
fn the_time_until_a_run_is_found() {
    let pause = Duration::from_millis(200);
    let mut watcher = Watcher::default();
    let report = checked_with(IDLE, &soon(Limits::default()), &mut |progress: &Progress| {
        if watcher.begins(progress) && watcher.searches == 1 {
            std::thread::sleep(pause);
        }
    });
    assert_eq!(watcher.searches, 2);
    for answer in &report.results {
        assert!(answer.time >= pause, "{}: {:?}", answer.property, answer.time);
    }
}

/// States that are too hard are said to be, and what was found is right all the same.
#[test]
fn hard_states_are_given_up() {
    // All directed graphs in which each of four members has one successor.
    let text = "
        symmetric Node[4];
        var to: array[Node] of Node = any;
        process Node[a] { rule turn(b: Node) { to[a] = b; } }
        invariant known = exists a, b: Node { to[a] == b };
        reachable cycle = forall a: Node { to[a] != a && to[to[a]] != a && to[to[to[to[a]]]] == a };
        invariant apart = exists a: Node { to[a] == a };
    ";
    for work in [1, 5, 20, u64::MAX] {
        let options = Options { weighing: Weighing { work, ..Weighing::default() }, ..Options::default() };
        let report = checked_with(text, &options, &mut ());
        let verdict = |name: &str| report.answer(name).unwrap().verdict.clone();
        let expected = [Verdict::Holds, Verdict::Holds, Verdict::Violated];
        assert_eq!(["known", "cycle", "apart"].map(verdict), expected);
        let known = report.answer("known").unwrap();
        // The functions on four things, and those up to renaming.
        assert!((19..=256).contains(&known.stats.states), "{}", known.stats.states);
        match &known.weighed {
            Some(Weighed::TooHard { work: spent }) => {
                assert_eq!((*spent, known.symmetry, &known.unreduced), (work, Symmetry::Fast, &None));
            }
            None => {
                assert_eq!((known.symmetry, known.stats.states), (Symmetry::Exact, 19));
                assert_eq!(known.unreduced.as_ref().unwrap().to_string(), "256");
            }
            weighed => panic!("{weighed:?}"),
        }
        assert_eq!(known.weighed.is_some(), work < 20, "{work}: {:?}", known.weighed);
    }
}

/// The nodes of a search for a sequence are more than states.
#[test]
fn forbidden_sequences_are_weighed_too() {
    let text = IDLE.replace(
        "invariant alike",
        "never runs { n == 1; n == 2; n == 9990 } never rests { n == 1; n == 1 } invariant alike",
    );
    let report = checked_with(&text, &soon(Limits::default()), &mut ());
    for name in ["runs", "rests"] {
        let answer = report.answer(name).unwrap();
        assert_eq!((&answer.verdict, &answer.weighed), (&Verdict::Holds, &Some(given_up())));
    }
    let text =
        IDLE.replace("invariant alike", "never runs { n == 1; n == 2; true[*]; n == 9990 } invariant alike");
    let report = checked_with(&text, &soon(Limits::default()), &mut ());
    let answer = report.answer("runs").unwrap();
    assert_eq!((&answer.verdict, &answer.weighed), (&Verdict::Violated, &Some(given_up())));
    assert_eq!(answer.evidence.as_ref().unwrap().steps.len(), 9_990);
}

/// Before a temporal property is judged it is asked whether its conditions have values, also if that takes
/// two searches.
#[test]
fn conditions_of_temporal_properties_are_weighed_too() {
    let text = IDLE.replace("9999", "999").replace(
        "invariant alike",
        "ltl defined = G (10 / (n + 1) >= 0); ctl tree = AG (10 / (n + 1) >= 0);
         ltl undefined = G (10 / (n - 500) >= 0 || true); ctl withered = AG (10 / (n - 500) >= 0 || true);
         invariant alike",
    );
    let report = checked_with(&text, &soon(Limits::default()), &mut ());
    for (name, verdict) in [("defined", Verdict::Holds), ("tree", Verdict::Holds)] {
        assert_eq!(report.answer(name).unwrap().verdict, verdict, "{name}");
    }
    for name in ["undefined", "withered"] {
        let answer = report.answer(name).unwrap();
        assert_eq!(answer.verdict, Verdict::Violated, "{name}");
        assert_eq!(answer.evidence.as_ref().unwrap().steps.len(), 500, "{name}");
    }
}

/// What is left is weighed again, and so it is for properties of runs and trees.
#[test]
fn one_part_after_the_other() {
    // Without the symmetry of Idle the first states are those in which Busy has not begun.
    let text = "
        symmetric Idle[2]; symmetric Busy[3];
        var x: array[Idle] of bool;
        var y: array[Busy] of 0..3;
        var n: 0..40;
        process P { rule up when n < 40 { n = n + 1; } }
        process Idle[i] { rule flip { x[i] = !x[i]; } }
        process Busy[b] { rule go when n >= 25 { y[b] = (y[b] + 1) % 4; } }
        deadlock allowed;
        invariant small = forall b: Busy { y[b] < 4 };
        ltl stays = forall b: Busy { G (n < 25 -> y[b] == 0) };
        ctl tree = forall b: Busy { AG (n < 25 -> y[b] == 0) };
    ";
    for property in ["small", "stays", "tree"] {
        let options = Options { properties: vec![property.to_string()], ..soon(Limits::default()) };
        let report = checked_with(text, &options, &mut ());
        let answer = report.answer(property).unwrap();
        println!("{property} {:?} {:?} {:?}", answer.verdict, answer.weighed, answer.stats.states);
        assert_eq!(answer.verdict, Verdict::Holds, "{property}");
    }
    let report = checked_with(text, &soon(Limits::default()), &mut ());
    let answer = report.answer("small").unwrap();
    let Some(Weighed::NotWorthwhile { sorts, .. }) = &answer.weighed else { panic!("{:?}", answer.weighed) };
    assert_eq!(*sorts, ["Idle", "Busy"]);
    assert_eq!((answer.symmetry, answer.stats.states), (Symmetry::None, 25 * 4 + 16 * 4 * 64));
}

/// Properties of runs and trees give up what does not pay, and say so.
#[test]
fn temporal_properties_are_weighed() {
    let text = IDLE.replace("9999", "999").replace(
        "invariant alike",
        "ltl goes = F (n == 999); ltl stays = G (n < 900);
         ltl inside = G F (n == 999 || exists i: Idle { x[i] });
         ctl tree = AF (n == 999); ctl short = AG (n < 900);
         ltl each = forall i: Idle { G (x[i] -> X !x[i] || n == 999) };
         ltl front = G (forall i: Idle { x[i] -> F (!x[i] || n == 999) });
         ctl all = forall i: Idle { AG EF (x[i]) };
         invariant alike",
    );
    let (holds, violated) = (Verdict::Holds, Verdict::Violated);
    let expected = [
        ("goes", &holds, None),
        ("stays", &violated, Some(999)),
        ("inside", &holds, None),
        ("tree", &holds, None),
        ("short", &violated, None),
        ("each", &holds, None),
        ("front", &holds, None),
        ("all", &holds, None),
    ];
    // With a member that is looked at there are three times as many states.
    let tracks = |name: &str| ["each", "front", "all"].contains(&name);
    for (name, verdict, steps) in expected {
        for others in [false, true] {
            let properties = if others { Vec::new() } else { vec![name.to_string()] };
            let report = checked_with(&text, &Options { properties, ..soon(Limits::default()) }, &mut ());
            let answer = report.answer(name).unwrap();
            let symmetry = if tracks(name) { Symmetry::Exact } else { Symmetry::None };
            assert_eq!((&answer.verdict, answer.symmetry), (verdict, symmetry), "{name}");
            assert_eq!(answer.weighed, (!tracks(name)).then(given_up), "{name}");
            assert_eq!(answer.group.is_trivial(), !tracks(name), "{name}");
            if let Some(steps) = steps {
                assert_eq!(answer.evidence.as_ref().unwrap().steps.len(), steps, "{name}");
            }
        }
    }
    let exact = Options { symmetry: Symmetry::Exact, ..soon(Limits::default()) };
    let report = checked_with(&text, &exact, &mut ());
    assert!(report.results.iter().all(|answer| answer.weighed.is_none()));
}

/// A state that is too hard is left as it is in properties of runs and trees too.
#[test]
fn hard_states_of_temporal_properties() {
    let text = "
        symmetric Node[4];
        var to: array[Node] of Node = any;
        process Node[a] { fair rule turn(b: Node) { to[a] = b; } }
        ltl never_all = G (exists a: Node { to[a] == a });
        ltl each = forall a: Node { G (to[a] == a -> F (exists b: Node { to[b] == a })) };
        ctl back = AG EF (forall a: Node { to[a] == a });
        ctl stays = forall a: Node { AG (to[a] == a) };
    ";
    for work in [1, 5, 20, u64::MAX] {
        let options = Options { weighing: Weighing { work, ..Weighing::default() }, ..Options::default() };
        let report = checked_with(text, &options, &mut ());
        for (name, holds) in [("never_all", false), ("each", true), ("back", true), ("stays", false)] {
            let answer = report.answer(name).unwrap();
            let verdict = if holds { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(answer.verdict, verdict, "{name}, {work}");
            match &answer.weighed {
                Some(Weighed::TooHard { work: spent }) => {
                    assert_eq!((*spent, answer.symmetry), (work, Symmetry::Fast), "{name}");
                }
                None => assert_eq!(answer.symmetry, Symmetry::Exact, "{name}"),
                weighed => panic!("{weighed:?}"),
            }
        }
        let hard = |name: &str| report.answer(name).unwrap().weighed.is_some();
        assert_eq!((hard("each"), hard("back")), (work < 20, work < 20), "{work}");
    }
}
