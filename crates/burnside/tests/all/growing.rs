//! Nets whose places need more room than they start with: the model stays as it is, the report has the one
//! that grew.

use burnside::{Kind, LoadOptions, Model, Options, Shortcuts, Stop, Value, Verdict, check, state_space};

/// A net without invariants: `fill` puts `weight` tokens into `buffer`, once for each token of `budget`.
fn net(weight: u32, budget: &str) -> String {
    format!(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
        <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
        <place id="budget"><initialMarking><text>{budget}</text></initialMarking></place>
        <place id="buffer"/>
        <transition id="fill"/><transition id="drain"/>
        <arc id="a" source="budget" target="fill"/>
        <arc id="b" source="fill" target="buffer"><inscription><text>{weight}</text></inscription></arc>
        <arc id="c" source="buffer" target="drain"/>
        </page></net></pnml>"#
    )
}

/// Tokens pile up without end.
const ENDLESS: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
    <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
    <place id="heap"/><transition id="make"/><arc id="a" source="make" target="heap"/>
    </page></net></pnml>"#;

fn load(text: &str, asked: &[(Kind, &str)]) -> Model {
    let options =
        asked.iter().fold(LoadOptions::new(), |options, (kind, text)| options.property(*kind, *text));
    Model::load(text, &options).into_model().unwrap()
}

#[test]
fn the_model_stays_and_the_report_has_the_room() {
    let asked = [(Kind::Bound, "buffer"), (Kind::Reachable, "buffer == 30")];
    let model = load(&net(5, "6"), &asked);
    let (before, options) = (model.system.width, Options::default());
    for _ in 0..2 {
        let report = check(&model, &options, &mut ()).unwrap();
        assert_eq!(report.answer("bound-1").unwrap().value, Some(30));
        let full = report.answer("reachable-1").unwrap();
        assert_eq!(full.verdict, Verdict::Holds);
        let run = report.run(full).unwrap();
        assert_eq!(run.states().last().unwrap().get("buffer"), Some(Value::Int(30)));
        assert_eq!(model.system.width, before, "the model was changed");
        assert!(report.model.system.width > before, "there was no need to grow");
        let again = check(&report.model, &options, &mut ()).unwrap();
        assert_eq!(again.answer("bound-1").unwrap().value, Some(30));
    }
}

/// With k of the budget used, the buffer holds 0 to 5k.
#[test]
fn states_are_counted_in_a_net_that_nobody_checked() {
    let options = Options::default();
    let model = load(&net(5, "6"), &[(Kind::Reachable, "buffer == 3")]);
    let states = |model: &Model| state_space(model, &options).unwrap().states.unwrap().to_string();
    let expected: u32 = (0..=6).map(|used| 5 * used + 1).sum();
    assert_eq!(states(&model), expected.to_string());
    let report = check(&model, &options, &mut ()).unwrap();
    assert_eq!(states(&report.model), expected.to_string());
}

#[test]
fn no_room_is_enough() {
    let asked = [(Kind::Invariant, "heap >= 0"), (Kind::Reachable, "heap == 40")];
    let model = load(ENDLESS, &asked);
    let proved = check(&model, &Options::default(), &mut ()).unwrap();
    assert_eq!(proved.answer("invariant-1").unwrap().verdict, Verdict::Holds);
    let options = Options { shortcuts: Shortcuts::None, ..Options::default() };
    let report = check(&model, &options, &mut ()).unwrap();
    let verdict = |name: &str| &report.answer(name).unwrap().verdict;
    let endless = Stop::Unbounded("place `heap` is unbounded".to_string());
    assert_eq!(verdict("invariant-1"), &Verdict::Unknown(endless.clone()));
    assert_eq!(verdict("reachable-1"), &Verdict::Holds);
    let run = report.run(report.answer("reachable-1").unwrap()).unwrap();
    assert_eq!(run.states().last().unwrap().get("heap"), Some(Value::Int(40)));
    for model in [&model, &report.model] {
        assert_eq!(state_space(model, &options).unwrap_err(), endless);
    }
}
