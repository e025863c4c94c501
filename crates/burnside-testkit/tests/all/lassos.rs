//! How long the runs are that refute linear-time properties of random models: never much more than twice as
//! long as the shortest one that an oracle finds by trying all, and mostly as short; with symmetry and
//! without.

use burnside::{CheckError, Kind, Options, Symmetry, Verdict, check};
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::oracle::Oracle;

/// Larger models are left out.
const LIMIT: usize = 150;

/// Lengths of runs that were shown, and of the shortest ones.
#[derive(Default, Debug)]
struct Lengths {
    compared: u64,
    shortest: u64,
    /// Not known how long a shortest one is.
    unknown: u64,
    /// More than twice as long as the shortest.
    beyond_twice: u64,
    /// Those whose shortest has four steps or more.
    long: u64,
}

fn measure(seed: u64, lengths: &mut Lengths) {
    let text = generate(seed, Flavor::Liveness).text;
    let model = load(&text, &[]).unwrap();
    let Ok(exploration) = Oracle::new(model.hir().unwrap(), &text).explore(LIMIT) else { return };
    let symmetry = [Symmetry::Auto, Symmetry::None, Symmetry::Exact][(seed % 3) as usize];
    let report = match check(&model, &Options { symmetry, ..Options::default() }, &mut ()) {
        Ok(report) => report,
        Err(CheckError::NoInitialState(_)) => return,
        Err(error) => panic!("seed {seed}: {error:?}\n{text}"),
    };
    for property in model.system.properties.iter().filter(|it| it.question.kind() == Kind::Ltl) {
        let answer = report.answer(&property.name).expect("everything is answered");
        let Some(evidence) = answer.evidence.as_ref().filter(|_| answer.verdict == Verdict::Violated) else {
            continue;
        };
        if evidence.loop_start().is_none() {
            continue;
        }
        let shown = evidence.steps.len();
        match exploration.shortest_violation(&property.name, true, shown + 1) {
            None => lengths.unknown += 1,
            // One loop of states can be several in the product, whose shortest lasso is longer then.
            Some(None) => {
                lengths.compared += 1;
                lengths.shortest += 1;
            }
            Some(Some(least)) => {
                // What an automaton notices some steps late makes short runs longer.
                let context = format!("seed {seed}, {}: {shown} steps instead of {least}", property.name);
                assert!(shown <= 2 * least + 2, "{context}\n{text}");
                lengths.compared += 1;
                lengths.shortest += u64::from(shown <= least);
                lengths.beyond_twice += u64::from(shown > 2 * least);
                lengths.long += u64::from(least >= 4);
            }
        }
    }
}

#[test]
fn lassos_are_short() {
    let mut lengths = Lengths::default();
    for seed in seeds(0..300) {
        measure(seed, &mut lengths);
    }
    println!("{lengths:?}");
    if are_all() {
        assert!(lengths.compared >= 200, "{lengths:?}");
        assert!(lengths.unknown * 10 < lengths.compared, "{lengths:?}");
        // A short stem comes before a short loop, so the whole is not always shortest.
        assert!(lengths.shortest * 4 >= lengths.compared * 3, "{lengths:?}");
        assert!(lengths.beyond_twice * 100 <= lengths.compared, "{lengths:?}");
        assert!(lengths.long * 20 > lengths.compared, "{lengths:?}");
    }
}
