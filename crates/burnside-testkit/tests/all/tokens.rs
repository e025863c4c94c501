//! Nets with very many tokens, against an interpreter that counts with 128 bits: no answer is wrong, and
//! where everything fits none is missing.

use crate::nets::given;
use burnside::{
    Answer, DeadlockPaths, DiagramOptions, Engine, ExternalKind, ExternalProperty, Limits, LoadOptions,
    Model, Options, Stop, Symmetry, Verdict, check,
};
use burnside_petri::{Arc, Atom, Formula, Global, MOST_TOKENS, Net, NetQuestion, Sum, global, show};
use burnside_testkit::cases::{are_all, given_seeds, seeds};
use burnside_testkit::generate::Rng;
use burnside_testkit::nets::{Explored, explore, holds, large_net, large_query, value, write_pnml};
use std::ops::Range;

/// No more markings than this are looked at.
const MARKINGS: usize = 300;

/// What the nets of some seeds were like.
#[derive(Debug, Default)]
struct Tally {
    /// Not read.
    refused: u32,
    /// With more markings than are looked at.
    endless: u32,
    /// Finite, and every number fits.
    fitting: u32,
    /// Finite, but some number does not fit.
    overfull: u32,
    /// Questions that were answered, and that were not.
    known: u32,
    unknown: u32,
}

/// Random questions, then all general ones.
fn questions(seed: u64, net: &Net) -> (Vec<NetQuestion>, Vec<ExternalProperty>) {
    let mut rng = Rng::new(seed ^ 0x70c);
    let asked: Vec<NetQuestion> = (0..4).map(|_| large_query(&mut rng, net)).collect();
    let given: Vec<ExternalProperty> = asked.iter().map(|asked| given(asked, net)).collect();
    let general = Global::ALL.map(|which| ExternalProperty {
        kind: ExternalKind::Global,
        origin: "<test>".to_string(),
        text: which.name().to_string(),
    });
    let asked = asked.into_iter().chain(Global::ALL.map(|which| global(net, which).asked));
    (asked.collect(), given.into_iter().chain(general).collect())
}

/// Whether a net can be read: no arc moves and no place has at first more tokens than can be held.
fn is_readable(net: &Net) -> bool {
    let fits = |numbers: &mut dyn Iterator<Item = u128>| numbers.sum::<u128>() <= u128::from(MOST_TOKENS);
    let moved =
        |arc: &Arc| fits(&mut arc.inscription.iter().map(|(weight, _)| u128::from(weight.unsigned_abs())));
    let arcs = net
        .transitions
        .iter()
        .flat_map(|it| it.inputs.iter().chain(&it.outputs).chain(&it.reads).chain(&it.inhibitors));
    let held = |tokens: &[u64]| fits(&mut tokens.iter().map(|&count| u128::from(count)));
    arcs.into_iter().all(moved) && net.places.iter().all(|place| held(&place.initial))
}

/// Whether every place can hold what comes.
fn is_held(explored: &Explored) -> bool {
    explored.markings.iter().flatten().flatten().all(|&count| count <= u128::from(MOST_TOKENS))
}

fn sums(asked: &NetQuestion) -> Vec<&Sum> {
    fn of<'f>(formula: &'f Formula, found: &mut Vec<&'f Sum>) {
        match formula {
            Formula::Atom(Atom::Compare(_, left, right)) => found.extend([left, right]),
            Formula::Atom(_) => {}
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| of(part, found)),
            Formula::Not(inner) | Formula::Finally(_, inner) | Formula::Globally(_, inner) => {
                of(inner, found)
            }
            other => panic!("{other:?}"),
        }
    }
    let mut found = Vec::new();
    match asked {
        NetQuestion::Bound(sums) => found.extend(sums),
        NetQuestion::Invariant(formula)
        | NetQuestion::Reachable(formula)
        | NetQuestion::Ctl(formula)
        | NetQuestion::Ltl(formula) => {
            of(formula, &mut found);
        }
    }
    found
}

/// Whether no sum of a question can leave 64 bits on the way.
fn is_computable(asked: &NetQuestion, explored: &Explored) -> bool {
    let size = |sum: &&Sum, marking: &Vec<Vec<u128>>| {
        let parts = sum.tokens.iter().map(|(factor, tokens)| {
            let count: u128 = match &tokens.colour {
                None => marking[tokens.place.index()].iter().sum(),
                Some(_) => marking[tokens.place.index()].iter().copied().max().unwrap_or(0),
            };
            u128::from(factor.unsigned_abs()) * count
        });
        parts.sum::<u128>()
    };
    let small = |sum: &&Sum| explored.markings.iter().all(|marking| size(sum, marking) <= i64::MAX as u128);
    sums(asked).iter().all(small)
}

/// Compares an answer with the interpreter's. Diagrams may become too large for some.
fn compare(net: &Net, explored: &Explored, asked: &NetQuestion, result: &Answer, context: &str) {
    let context = || format!("{context}\n{}: {:?} {:?}", show(asked, net), result.verdict, result.value);
    match (&result.verdict, asked) {
        (Verdict::Unknown(stop), _) => {
            let may_miss = !is_held(explored) || !is_computable(asked, explored);
            assert!(may_miss || matches!(stop, Stop::Nodes(_)), "{}", context());
        }
        (Verdict::Holds, NetQuestion::Bound(sums)) => {
            let of = |marking| sums.iter().map(|sum| value(net, sum, marking)).max();
            let most = explored.markings.iter().filter_map(of).max();
            assert_eq!(result.value.map(i128::from), most, "{}", context());
        }
        (verdict, _) => {
            let expected =
                if holds(net, explored, asked) == Some(true) { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(*verdict, expected, "{}", context());
        }
    }
}

fn ways(seed: u64) -> Vec<(Engine, Symmetry)> {
    let mut ways = vec![(Engine::Explicit, Symmetry::None), (Engine::Explicit, Symmetry::Auto)];
    if seed.is_multiple_of(16) {
        ways.push((Engine::Symbolic, Symmetry::None));
    }
    ways
}

fn examine(seed: u64, tally: &mut Tally) {
    let net = large_net(seed, seed % 2 == 1);
    let text = write_pnml(&net);
    let (asked, given) = questions(seed, &net);
    let explored = explore(&net, MARKINGS, u128::MAX >> 1);
    match &explored {
        _ if !is_readable(&net) => tally.refused += 1,
        None => tally.endless += 1,
        Some(explored) if is_held(explored) => tally.fitting += 1,
        Some(_) => tally.overfull += 1,
    }
    let mut verdicts: Vec<Vec<Verdict>> = Vec::new();
    for (engine, symmetry) in ways(seed) {
        let context = format!("seed {seed} {engine:?} {symmetry:?}\n{text}");
        let loaded = Model::load(&text, &LoadOptions::new().external(&given));
        assert_eq!(
            loaded.model.is_ok(),
            is_readable(&net),
            "{context}\n{:?} {:?}",
            loaded.diagnostics,
            loaded.external
        );
        let Ok(model) = loaded.model else {
            let named = loaded.diagnostics.iter().all(|it| it.message.contains("place `"));
            assert!(named, "{context}\n{:?}", loaded.diagnostics);
            return;
        };
        let limits = Limits { states: Some(2_000), nodes: Some(20_000), ..Limits::default() };
        let deadlock_paths = DeadlockPaths::Maximal;
        let diagrams = DiagramOptions { reorder: false, ..DiagramOptions::default() };
        let options = Options { engine, symmetry, limits, deadlock_paths, diagrams, ..Options::default() };
        let report = check(&model, &options, &mut ()).unwrap_or_else(|error| panic!("{error:?}\n{context}"));
        assert_eq!(report.results.len(), asked.len(), "{context}");
        for (asked, result) in asked.iter().zip(&report.results) {
            match result.verdict {
                Verdict::Unknown(_) => tally.unknown += 1,
                _ => tally.known += 1,
            }
            if let Some(explored) = &explored {
                compare(&net, explored, asked, result, &context);
            }
        }
        verdicts.push(report.results.into_iter().map(|result| result.verdict).collect());
    }
    agree(&verdicts, &text);
}

/// No way says the opposite of another.
fn agree(verdicts: &[Vec<Verdict>], text: &str) {
    for question in 0..verdicts[0].len() {
        let mut known: Vec<&Verdict> = verdicts.iter().map(|all| &all[question]).collect();
        known.retain(|verdict| !matches!(verdict, Verdict::Unknown(_)));
        known.dedup();
        assert!(known.len() <= 1, "{text}\n{known:?}");
    }
}

fn run(usual: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    seeds(usual).for_each(|seed| examine(seed, &mut tally));
    tally
}

#[test]
fn nets_agree() {
    let tally = run(0..400);
    if !are_all() {
        return;
    }
    assert!(
        tally.refused > 50 && tally.fitting > 50 && tally.overfull > 8 && tally.endless > 20,
        "{tally:?}"
    );
    assert!(tally.known > 1_000 && tally.unknown > 500, "{tally:?}");
}

/// Other seeds, from outside: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz tokens` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    let tally = run(seeds);
    println!("{tally:?}");
}
