//! How long the runs are that refute linear-time properties of random models: never more than twice as long
//! as the shortest fair lasso of the unreduced product, which an oracle finds, and mostly as short; with
//! every symmetry reduction, without one, and from decision diagrams.

use burnside::{CheckError, Engine, Kind, Method, Options, Symmetry, Verdict, check};
use burnside_testkit::cases::{are_all, given_seeds, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::oracle::Oracle;

/// Larger models are left out.
const LIMIT: usize = 150;

/// Ways to find a run, each with its name.
const WAYS: [(&str, Engine, Symmetry); 5] = [
    ("auto", Engine::Explicit, Symmetry::Auto),
    ("fast", Engine::Explicit, Symmetry::Fast),
    ("exact", Engine::Explicit, Symmetry::Exact),
    ("none", Engine::Explicit, Symmetry::None),
    ("symbolic", Engine::Symbolic, Symmetry::Auto),
];

/// Lengths of runs that were shown, and of the shortest ones.
#[derive(Default, Debug)]
struct Lengths {
    /// Violated properties whose shortest lasso is known.
    properties: u64,
    /// Not known how long a shortest one is.
    unknown: u64,
    /// Those whose shortest has four steps or more.
    long: u64,
    /// By way: as short as can be, and longer.
    shortest: [u64; WAYS.len()],
    longer: [u64; WAYS.len()],
    /// The greatest excess, in percent.
    greatest: u64,
}

fn measure(seed: u64, lengths: &mut Lengths) {
    let text = generate(seed, Flavor::Liveness).text;
    let model = load(&text, &[]).unwrap();
    let Ok(exploration) = Oracle::new(model.hir().unwrap(), &text).explore(LIMIT) else { return };
    let report = |(_, engine, symmetry): (&str, Engine, Symmetry)| {
        let options = Options { engine, symmetry, ..Options::default() };
        match check(&model, &options, &mut ()) {
            Ok(report) => Some(report),
            Err(CheckError::NoInitialState(_)) => None,
            Err(error) => panic!("seed {seed}: {error:?}\n{text}"),
        }
    };
    let Some(reports) = WAYS.into_iter().map(report).collect::<Option<Vec<_>>>() else { return };
    for property in model.system.properties.iter().filter(|it| it.question.kind() == Kind::Ltl) {
        let mut known = None;
        for (way, report) in reports.iter().enumerate() {
            let answer = report.answer(&property.name).expect("everything is answered");
            let evidence = answer.evidence.as_ref().filter(|_| answer.verdict == Verdict::Violated);
            let Some(evidence) = evidence.filter(|it| it.loop_start().is_some()) else { continue };
            let shown = evidence.steps.len();
            let least = *known
                .get_or_insert_with(|| exploration.shortest_violation(&property.name, true, usize::MAX));
            // One loop of states can be several in the product, whose shortest lasso is longer then.
            let Some(Some(least)) = least else { continue };
            let context =
                format!("seed {seed}, {}, {}: {shown} instead of {least}", property.name, WAYS[way].0);
            assert!(shown <= 2 * least, "{context}\n{text}");
            lengths.shortest[way] += u64::from(shown <= least);
            lengths.longer[way] += u64::from(shown > least);
            let excess = (shown as u64 * 100 / (least as u64).max(1)).saturating_sub(100);
            lengths.greatest = lengths.greatest.max(excess);
        }
        match known {
            Some(Some(Some(least))) => {
                lengths.properties += 1;
                lengths.long += u64::from(least >= 4);
            }
            Some(_) => lengths.unknown += 1,
            None => {}
        }
    }
}

/// `BURNSIDE_CASE=0..620` goes through more than a thousand properties.
#[test]
fn lassos_are_short() {
    let mut lengths = Lengths::default();
    for seed in seeds(0..170) {
        measure(seed, &mut lengths);
    }
    println!("{lengths:?}");
    if are_all() {
        assert!(lengths.properties >= 250, "{lengths:?}");
        // Among these are all formulas that speak of two states at once.
        assert!(lengths.unknown * 5 < lengths.properties, "{lengths:?}");
        assert!(lengths.long * 20 > lengths.properties, "{lengths:?}");
        for (way, (shortest, longer)) in lengths.shortest.iter().zip(lengths.longer).enumerate() {
            // The median is 1.
            assert!(*shortest > longer, "{}: {lengths:?}", WAYS[way].0);
        }
    }
}

/// For `cargo xtask fuzz lassos`.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    let mut lengths = Lengths::default();
    seeds.for_each(|seed| measure(seed, &mut lengths));
    println!("{lengths:?}");
}

/// The table in the book.
#[test]
fn lengths_in_the_book() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{folder}/docs/src/properties.md")).unwrap();
    let two_phase = Options { method: Method::TwoPhase, ..Options::default() };
    let ways = [
        Options::default(),
        Options { symmetry: Symmetry::None, ..Options::default() },
        two_phase,
        Options { engine: Engine::Symbolic, ..Options::default() },
    ];
    let table = page.lines().skip_while(|line| !line.contains("`--symmetry none` | `--method")).skip(2);
    let mut rows = 0;
    for line in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let text = std::fs::read_to_string(format!("{folder}/examples/{}.orb", cells[1])).unwrap();
        let model = load(&text, &[]).unwrap();
        for (options, told) in ways.iter().zip(&cells[3..]) {
            let options = Options { properties: vec![cells[2].to_string()], ..options.clone() };
            let report = check(&model, &options, &mut ()).unwrap();
            let run = report.answer(cells[2]).and_then(|answer| answer.evidence.as_ref()).unwrap();
            let stem = run.loop_start().unwrap();
            assert_eq!(format!("{stem} + {}", run.steps.len() - stem), *told, "{line}");
        }
        rows += 1;
    }
    assert_eq!(rows, 4);
}
