//! Random Petri nets, against an interpreter that works by the definitions: numbers of markings and firings,
//! verdicts of all kinds of questions in all symmetry modes, asked together and some of them by name,
//! coloured nets against their unfoldings.

use burnside::{
    DeadlockPaths, ExternalProperty, Kind, Limits, LoadOptions, Model, Options, Report, Symmetry, Verdict,
    check,
};
use burnside_petri::{Net, NetOptions, NetQuestion, show};
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::generate::Rng;
use burnside_testkit::nets::{
    Explored, explore, holds, random_linear, random_net, random_query, unfold, value, write_pnml,
};
use burnside_ts::Strength;

const QUESTIONS: usize = 4;
/// Questions about single runs.
const LINEAR: usize = 4;
const MODES: [Symmetry; 3] = [Symmetry::None, Symmetry::Auto, Symmetry::Fast];

/// A random question as one from outside.
pub(crate) fn given(asked: &NetQuestion, net: &Net) -> ExternalProperty {
    ExternalProperty { kind: asked.kind().into(), origin: "<test>".to_string(), text: show(asked, net) }
}

fn load(text: &str, questions: &[ExternalProperty], options: &NetOptions) -> Model {
    let loaded = Model::load(text, &LoadOptions::new().external(questions).net(options.clone()));
    let complaints = (loaded.diagnostics, loaded.external);
    loaded.model.unwrap_or_else(|_| panic!("{complaints:?}\n{text}\n{questions:?}"))
}

/// A question that is answered by looking at every marking.
fn everything() -> ExternalProperty {
    ExternalProperty { kind: Kind::Invariant.into(), origin: "<test>".to_string(), text: "true".to_string() }
}

fn answers(text: &str, questions: &[ExternalProperty], options: &NetOptions, symmetry: Symmetry) -> Report {
    answers_to(text, questions, &[], options, symmetry)
}

/// The answers to those of the questions that have these places; to all if there are none.
fn answers_to(
    text: &str,
    questions: &[ExternalProperty],
    chosen: &[usize],
    options: &NetOptions,
    symmetry: Symmetry,
) -> Report {
    let model = load(text, questions, options);
    let properties = chosen.iter().map(|&i| model.system.properties[i].name.clone()).collect();
    let limits = Limits { states: Some(2_000), ..Limits::default() };
    let deadlock_paths = DeadlockPaths::Maximal;
    let options = Options { symmetry, limits, deadlock_paths, properties, ..Options::default() };
    check(&model, &options, &mut ()).unwrap_or_else(|error| panic!("{error:?}\n{text}\n{questions:?}"))
}

/// Compares all answers with the interpreter's.
fn compare<'a>(
    seed: u64,
    net: &Net,
    explored: &Explored,
    asked: impl ExactSizeIterator<Item = &'a NetQuestion>,
    report: &Report,
) {
    let context = || format!("seed {seed}\n{}", write_pnml(net));
    assert_eq!(report.results.len(), asked.len(), "{}", context());
    for (asked, result) in asked.zip(&report.results) {
        let context = || format!("{}\n{}: {:?}", context(), show(asked, net), result.verdict);
        if let NetQuestion::Bound(sums) = asked {
            let of = |marking| sums.iter().map(|sum| value(net, sum, marking)).max();
            let most = explored.markings.iter().filter_map(of).max();
            assert_eq!(result.value.map(i128::from), most, "{}", context());
            continue;
        }
        let yes = holds(net, explored, asked).expect("the interpreter can judge it");
        let expected = if yes { Verdict::Holds } else { Verdict::Violated };
        assert_eq!(result.verdict, expected, "{}", context());
    }
}

/// Asks some of the questions by name: all about single runs, and others as chance has it. Places get room as
/// it is needed, and what is not asked does not tell that it is.
fn some_by_name(seed: u64, net: &Net, explored: &Explored, asked: &[NetQuestion]) {
    let mut rng = Rng::new(seed ^ 0x5073);
    let questions: Vec<ExternalProperty> = asked.iter().map(|asked| given(asked, net)).collect();
    let is_linear = |asked: &NetQuestion| matches!(asked, NetQuestion::Ltl(_));
    let linear: Vec<usize> = (0..asked.len()).filter(|&i| is_linear(&asked[i])).collect();
    let some = |from: Vec<usize>, rng: &mut Rng| from.into_iter().filter(|_| rng.chance(50)).collect();
    let subsets: [Vec<usize>; 4] = [
        linear.clone(),
        some(linear.clone(), &mut rng),
        some(linear, &mut rng),
        some((0..asked.len()).collect(), &mut rng),
    ];
    let text = write_pnml(net);
    for chosen in subsets.into_iter().filter(|chosen| !chosen.is_empty()) {
        let symmetry = *rng.pick(&MODES);
        let report = answers_to(&text, &questions, &chosen, &NetOptions::default(), symmetry);
        compare(seed, net, explored, chosen.iter().map(|&i| &asked[i]), &report);
    }
}

/// Questions about a net, those about single runs last.
fn some_questions(rng: &mut Rng, net: &Net) -> Vec<NetQuestion> {
    let others: Vec<NetQuestion> = (0..QUESTIONS).map(|_| random_query(rng, net)).collect();
    let linear: Vec<NetQuestion> = (0..LINEAR).map(|_| random_linear(rng, net)).collect();
    [others, linear].concat()
}

/// Checks the nets of some seeds; how many were small enough, and how many of those became smaller by
/// symmetry.
fn sweep(usual: std::ops::Range<u64>, coloured: bool) -> (u32, u32) {
    let (mut compared, mut reduced) = (0, 0);
    for seed in seeds(usual) {
        let net = random_net(seed, coloured);
        let asked = some_questions(&mut Rng::new(seed ^ 0x5eed), &net);
        let questions: Vec<ExternalProperty> = asked.iter().map(|asked| given(asked, &net)).collect();
        let text = write_pnml(&net);
        let Some(explored) = explore(&net, 800, 5) else {
            if seed % 8 == 0 {
                too_large(&text, &questions);
            }
            continue;
        };
        compared += 1;
        some_by_name(seed, &net, &explored, &asked);
        for symmetry in MODES {
            let report = answers(&text, &questions, &NetOptions::default(), symmetry);
            compare(seed, &net, &explored, asked.iter(), &report);
            let whole = answers(&text, &[everything()], &NetOptions::default(), symmetry);
            let states = whole.unreduced.as_ref().map(ToString::to_string);
            if symmetry != Symmetry::Fast {
                assert_eq!(
                    states,
                    Some(explored.markings.len().to_string()),
                    "seed {seed} {symmetry:?}\n{text}"
                );
            }
            match symmetry {
                Symmetry::None => {
                    let firings: usize = explored.edges.iter().map(Vec::len).sum();
                    assert_eq!(whole.stats.transitions, firings as u64, "seed {seed}\n{text}");
                }
                _ => {
                    reduced += u32::from(
                        whole.stats.states < explored.markings.len() as u64 && symmetry == Symmetry::Auto,
                    )
                }
            }
        }
        if coloured {
            let flat =
                answers(&write_pnml(&unfold(&net)), &[everything()], &NetOptions::default(), Symmetry::Auto);
            let states = flat.unreduced.as_ref().map(ToString::to_string);
            assert_eq!(states, Some(explored.markings.len().to_string()), "seed {seed}\n{text}");
        }
    }
    (compared, reduced)
}

/// A net that is too large, or unbounded: whatever comes, no answer may contradict another mode's.
fn too_large(text: &str, questions: &[ExternalProperty]) {
    let all = MODES.map(|symmetry| answers(text, questions, &NetOptions::default(), symmetry));
    for results in all[0].results.iter().zip(&all[1].results).zip(&all[2].results) {
        let ((a, b), c) = results;
        let known = [a, b, c]
            .map(|result| &result.verdict)
            .into_iter()
            .filter(|it| !matches!(it, Verdict::Unknown(_)));
        let mut known: Vec<_> = known.collect();
        known.dedup();
        assert!(known.len() <= 1, "{text}\n{questions:?}\n{known:?}");
    }
}

#[test]
fn coloured_nets() {
    let (compared, reduced) = sweep(0..600, true);
    assert!(!are_all() || compared > 200 && reduced > 50, "{compared} {reduced}");
}

#[test]
fn plain_nets() {
    let (compared, reduced) = sweep(10_000..10_400, false);
    assert!(!are_all() || compared > 150, "{compared} {reduced}");
}

/// Unfoldings of coloured nets have symmetries that must be found as automorphisms.
#[test]
fn unfolded_nets() {
    let mut reduced = 0;
    for seed in seeds(20_000..20_150) {
        let net = unfold(&random_net(seed, true));
        let Some(explored) = explore(&net, 400, 4).filter(|_| !net.transitions.is_empty()) else { continue };
        let asked = some_questions(&mut Rng::new(seed), &net);
        let questions: Vec<ExternalProperty> = asked.iter().map(|asked| given(asked, &net)).collect();
        let text = write_pnml(&net);
        for symmetry in MODES {
            let report = answers(&text, &questions, &NetOptions::default(), symmetry);
            compare(seed, &net, &explored, asked.iter(), &report);
        }
        let whole = answers(&text, &[everything()], &NetOptions::default(), Symmetry::Auto);
        reduced += u32::from(whole.stats.states < explored.markings.len() as u64);
    }
    assert!(!are_all() || reduced > 10, "{reduced}");
}

/// Linear-time formulas about the first places and transitions of a net.
fn linear(net: &Net) -> Vec<ExternalProperty> {
    let name = |at: usize| &net.transitions[at % net.transitions.len()].id;
    let place = |at: usize| &net.places[at % net.places.len()].id;
    let formulas = [
        format!("G F fireable({})", name(0)),
        format!("F G {} == 0", place(0)),
        format!("G (fireable({}) -> F {} >= 1)", name(0), place(1)),
        format!("(G F fireable({})) -> G F {} >= 1", name(1), place(0)),
    ];
    let given = |text| ExternalProperty { kind: Kind::Ltl.into(), origin: "<test>".to_string(), text };
    formulas.into_iter().map(given).collect()
}

/// Linear-time formulas under fairness: symmetry changes no answer.
#[test]
fn fairness_of_nets() {
    let (mut decided, mut reduced) = (0, 0);
    for seed in seeds(0..360) {
        let net = match seed % 3 {
            0 => random_net(seed, false),
            1 => random_net(seed, true),
            _ => unfold(&random_net(seed, true)),
        };
        let Some(explored) = explore(&net, 200, 4).filter(|_| !net.transitions.is_empty()) else { continue };
        let (text, questions) = (write_pnml(&net), linear(&net));
        let mut verdicts = Vec::new();
        for strength in [None, Some(Strength::Weak), Some(Strength::Strong)] {
            for by_binding in [false, true] {
                let fairness = strength.map(|strength| burnside_petri::NetFairness { strength, by_binding });
                let options = NetOptions { fairness, ..NetOptions::default() };
                let of = |symmetry| -> Vec<Verdict> {
                    let report = answers(&text, &questions, &options, symmetry);
                    report.results.into_iter().map(|result| result.verdict).collect()
                };
                let plain = of(Symmetry::None);
                assert_eq!(of(Symmetry::Auto), plain, "seed {seed} {options:?}\n{text}");
                verdicts.push(plain);
            }
        }
        decided += u32::from(verdicts.iter().any(|other| *other != verdicts[0]));
        let whole = answers(&text, &[everything()], &NetOptions::default(), Symmetry::Auto);
        reduced += u32::from(whole.stats.states < explored.markings.len() as u64);
    }
    assert!(
        !are_all() || decided > 5 && reduced > 10,
        "fairness decides in {decided} nets, {reduced} are symmetric"
    );
}
