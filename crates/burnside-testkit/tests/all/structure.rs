//! Answers without a search on random nets, against an interpreter that works by the definitions: with each
//! technique alone and with all together, on the level of nets and of whole checks.

use crate::nets::given;
use burnside::nets::NetOptions;
use burnside::{
    DeadlockPaths, ExternalProperty, Kind, Limits, LoadOptions, Model, Options, Procedure, Shortcuts,
    Verdict, check,
};
use burnside_petri::{Ground, Net, NetQuestion, Query, Structure, show};
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::generate::Rng;
use burnside_testkit::nets::{
    Explored, explore, holds, random_linear, random_net, random_query, value, write_pnml,
};

/// How often each of these was what an answer rests on.
#[derive(Debug, Default)]
struct Grounds([u32; 3]);

fn asked_of(seed: u64, net: &Net) -> Vec<NetQuestion> {
    let mut rng = Rng::new(seed ^ 0x57ac);
    let others: Vec<NetQuestion> = (0..6).map(|_| random_query(&mut rng, net)).collect();
    let linear: Vec<NetQuestion> = (0..3).map(|_| random_linear(&mut rng, net)).collect();
    [others, linear].concat()
}

fn right(net: &Net, explored: &Explored, asked: &NetQuestion) -> (bool, Option<i128>) {
    match asked {
        NetQuestion::Bound(sums) => {
            let of = |marking| sums.iter().map(|sum| value(net, sum, marking)).max();
            (true, explored.markings.iter().filter_map(of).max())
        }
        _ => (holds(net, explored, asked).expect("the interpreter can judge it"), None),
    }
}

#[test]
fn each_technique_alone_and_all_together() {
    let usual = 0..100;
    let mut grounds = Grounds::default();
    let (mut compared, mut answered) = (0, 0);
    for seed in seeds(usual.clone()) {
        let net = random_net(seed, seed % 2 == 1);
        let Some(explored) = explore(&net, 800, 5) else { continue };
        compared += 1;
        let ways = [Some(Ground::Initial), Some(Ground::Equation), Some(Ground::Walk), None];
        for (way, asked) in asked_of(seed, &net).iter().flat_map(|asked| ways.map(|way| (way, asked))) {
            let structure = Structure::of(&net, true).expect("it is small");
            let structure = way.map_or(structure.clone(), |way| structure.only(way));
            let query = Query { name: "q".into(), text: String::new(), asked: asked.clone() };
            let Some(found) = structure.answer(&query, 20_000) else { continue };
            let told = (found.holds, found.value.map(i128::from));
            let context = || format!("seed {seed} {way:?} {}\n{}", show(asked, &net), write_pnml(&net));
            assert_eq!(told, right(&net, &explored, asked), "{}", context());
            assert!(way.is_none_or(|way| found.by <= way), "{found:?}\n{}", context());
            grounds.0[found.by as usize] += 1;
            answered += 1;
        }
    }
    println!("{compared} nets, {answered} answers, by the initial marking, equation, walks: {grounds:?}");
    if are_all() {
        assert!(compared > 40 && grounds.0.iter().all(|times| *times > 50), "{compared} {grounds:?}");
    }
}

/// Whole checks: what shortcuts leave open is searched for, and every run is replayed.
#[test]
fn checks_with_shortcuts_first() {
    let usual = 1_000..1_008;
    let mut short = 0;
    for seed in seeds(usual.clone()) {
        let net = random_net(seed, seed % 2 == 1);
        let Some(explored) = explore(&net, 300, 5) else { continue };
        let asked = asked_of(seed, &net);
        let questions: Vec<ExternalProperty> = asked.iter().map(|asked| given(asked, &net)).collect();
        let text = write_pnml(&net);
        let load = LoadOptions::new().external(&questions).net(NetOptions::default());
        let model = Model::load(&text, &load).into_model().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let limits = Limits { states: Some(2_000), ..Limits::default() };
        let (shortcuts, deadlock_paths) = (Shortcuts::First, DeadlockPaths::Maximal);
        let options = Options { shortcuts, deadlock_paths, limits, ..Options::default() };
        let report = check(&model, &options, &mut ()).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        assert_eq!(report.results.len(), asked.len(), "{text}");
        for (asked, result) in asked.iter().zip(&report.results) {
            let context = || format!("seed {seed}\n{text}\n{}: {:?}", show(asked, &net), result.verdict);
            let (yes, most) = right(&net, &explored, asked);
            let expected = if yes { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(result.verdict, expected, "{}", context());
            assert_eq!(result.value.map(i128::from), most, "{}", context());
            short += u32::from(matches!(result.method, Some(Procedure::Shortcut(_))));
        }
    }
    if are_all() {
        assert!(short > 20, "{short}");
    }
}

/// Counters of three steps each: `4^n` markings. And a place that `make` fills without end, if wanted.
fn counters(n: usize, heap: bool) -> String {
    let counter = |i: usize| {
        format!(
            r#"<place id="a{i}"><initialMarking><text>3</text></initialMarking></place><place id="b{i}"/>
            <transition id="t{i}"/><transition id="u{i}"/>
            <arc id="1-{i}" source="a{i}" target="t{i}"/><arc id="2-{i}" source="t{i}" target="b{i}"/>
            <arc id="3-{i}" source="b{i}" target="u{i}"/><arc id="4-{i}" source="u{i}" target="a{i}"/>"#
        )
    };
    let filled = r#"<place id="heap"/><transition id="make"/><arc id="m" source="make" target="heap"/>"#;
    format!(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
        <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
        {}{}</page></net></pnml>"#,
        (0..n).map(counter).collect::<String>(),
        if heap { filled } else { "" }
    )
}

/// Where a search is cut, shortcuts answer.
#[test]
fn large_nets_are_answered() {
    let asked = LoadOptions::new()
        .net(NetOptions { unreduced: true, ..NetOptions::default() })
        .property(Kind::Invariant, "a0 + b0 == 3 && b3 <= 3")
        .property(Kind::Reachable, "a5 + b5 == 2")
        .property(Kind::Bound, "b1 + b2 + b3")
        .property(Kind::Ctl, "AG (b5 <= 3)");
    let model = Model::load(counters(9, false), &asked).into_model().expect("it is right");
    let options = Options { deadlock_paths: DeadlockPaths::Maximal, ..Options::default() };
    let report = check(&model, &options, &mut ()).expect("it is checked");
    let verdicts: Vec<_> = report.results.iter().map(|it| (it.verdict.clone(), it.value)).collect();
    let holds = |value| (Verdict::Holds, value);
    assert_eq!(verdicts, [holds(None), (Verdict::Violated, None), holds(Some(9)), holds(None)]);
    let methods: Vec<_> = report.results.iter().map(|it| it.method.map(Procedure::name)).collect();
    let equation = Some("state-equation");
    assert_eq!(methods, [equation, equation, Some("walk"), equation]);
    let run = report.run(&report.results[2]).expect("it is shown");
    assert!(run.steps().len() >= 9);
}

/// A run may need more room than places have at first.
#[test]
fn runs_get_the_room_that_they_need() {
    let asked = LoadOptions::new().property(Kind::Reachable, "heap >= 20 && b0 == 3");
    let model = Model::load(counters(1, true), &asked).into_model().expect("it is right");
    let options = Options { shortcuts: Shortcuts::First, ..Options::default() };
    let report = check(&model, &options, &mut ()).expect("it is checked");
    let answer = &report.results[0];
    assert_eq!((&answer.verdict, answer.method.map(Procedure::name)), (&Verdict::Holds, Some("walk")));
    assert!(report.run(answer).expect("it is shown").steps().len() >= 23);
}
