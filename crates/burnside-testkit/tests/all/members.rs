//! Nets whose symmetry permutes members of two sets, with places and transitions for pairs and triples of
//! them: what is found on orbits is what is found on all markings.

use burnside::{ExternalProperty, Kind, Limits, LoadOptions, Model, Options, Report, Symmetry, check};
use burnside_petri::NetOptions;
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::generate::Rng;
use std::fmt::Write;

const MOST: u64 = 3_000;

/// Members of two sets: by variable of a template, its set.
type Variables = &'static [usize];

/// Kinds of places and what they are about.
const PLACES: [(&str, Variables); 6] =
    [("global", &[]), ("a", &[0]), ("b", &[1]), ("ab", &[0, 1]), ("aa", &[0, 0]), ("aab", &[0, 0, 1])];

/// What transitions are about.
const TRANSITIONS: [Variables; 6] = [&[0], &[1], &[0, 1], &[0, 1], &[0, 0], &[0, 0, 1]];

/// All ways to give variables different members.
fn instances(sizes: [usize; 2], variables: Variables) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for (at, &set) in variables.iter().enumerate() {
        let longer = |members: &Vec<usize>| {
            let taken = move |member: &usize, members: &[usize]| {
                members.iter().zip(&variables[..at]).any(|(other, &of)| of == set && other == member)
            };
            let fits = (0..sizes[set]).filter(|member| !taken(member, members)).collect::<Vec<_>>();
            fits.into_iter().map(|member| [&members[..], &[member]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn name(kind: &str, members: &[usize]) -> String {
    members.iter().fold(kind.to_string(), |name, member| format!("{name}_{member}"))
}

/// The places about some of a transition's variables: a kind, and which of the variables.
fn about(rng: &mut Rng, kinds: &[usize], variables: Variables) -> Option<(usize, Vec<usize>)> {
    let kind = *rng.pick(kinds);
    let mut free: Vec<usize> = (0..variables.len()).collect();
    let mut chosen = Vec::new();
    for &set in PLACES[kind].1 {
        let fitting: Vec<usize> = free.iter().copied().filter(|&at| variables[at] == set).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = *rng.pick(&fitting);
        free.retain(|&other| other != at);
        chosen.push(at);
    }
    Some((kind, chosen))
}

/// A net of which all permutations of the members of each set are symmetries.
fn net(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let sizes = *rng.pick(&[[4, 5], [5, 4], [6, 3], [7, 1], [4, 4], [2, 7]]);
    let mut kinds: Vec<usize> = (0..PLACES.len()).filter(|_| rng.chance(60)).collect();
    kinds.extend([1, 2, 3]);
    kinds.sort_unstable();
    kinds.dedup();
    let mut body = String::new();
    for &kind in &kinds {
        let (of, variables) = PLACES[kind];
        let tokens = if variables.len() < 2 && rng.chance(60) { rng.between(1, 2) } else { 0 };
        for members in instances(sizes, variables) {
            let id = name(of, &members);
            let _ = write!(body, "<place id=\"{id}\"><name><text>{id}</text></name>");
            let _ = write!(body, "<initialMarking><text>{tokens}</text></initialMarking></place>");
        }
    }
    let mut arcs = 0;
    for number in 0..rng.between(2, 4) {
        let variables = *rng.pick(&TRANSITIONS);
        let some = |rng: &mut Rng, count| {
            (0..count).filter_map(|_| about(rng, &kinds, variables)).collect::<Vec<_>>()
        };
        let (inputs, outputs) = (some(&mut rng, 2), some(&mut rng, 2));
        if inputs.is_empty() {
            continue;
        }
        for members in instances(sizes, variables) {
            let id = name(&format!("t{number}"), &members);
            let _ = write!(body, "<transition id=\"{id}\"><name><text>{id}</text></name></transition>");
            for (lists, forth) in [(&inputs, true), (&outputs, false)] {
                for (kind, chosen) in lists {
                    let of: Vec<usize> = chosen.iter().map(|&at| members[at]).collect();
                    let place = name(PLACES[*kind].0, &of);
                    let (from, to) = if forth { (&place, &id) } else { (&id, &place) };
                    arcs += 1;
                    let _ = write!(body, "<arc id=\"arc{arcs}\" source=\"{from}\" target=\"{to}\"/>");
                }
            }
        }
    }
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"net\" \
         type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"page\">{body}</page></net></pnml>"
    )
}

fn report(text: &str, symmetry: Symmetry) -> Report {
    let asked = |kind: Kind, text: &str| ExternalProperty {
        kind: kind.into(),
        origin: "<test>".into(),
        text: text.into(),
    };
    let questions = [
        asked(Kind::Invariant, "true"),
        asked(Kind::Reachable, "deadlock"),
        asked(Kind::Reachable, "a_0 > b_0 + 1"),
        asked(Kind::Ctl, "EF (ab_0_0 >= 1)"),
    ];
    let loaded = Model::load(text, &LoadOptions::new().external(&questions).net(NetOptions::default()));
    let complaints = (loaded.diagnostics, loaded.external);
    let model = loaded.model.unwrap_or_else(|_| panic!("{complaints:?}\n{text}"));
    let limits = Limits { states: Some(MOST), ..Limits::default() };
    let options = Options { symmetry, limits, ..Options::default() };
    check(&model, &options, &mut ()).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

#[test]
fn orbits_of_members() {
    let (mut compared, mut reduced) = (0, 0);
    for seed in seeds(0..120) {
        let text = net(seed);
        let all = report(&text, Symmetry::None);
        let states = |report: &Report| report.unreduced.as_ref().map(ToString::to_string);
        if states(&all).is_none() || all.stats.states >= MOST {
            continue;
        }
        compared += 1;
        for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast] {
            let orbits = report(&text, symmetry);
            if symmetry != Symmetry::Fast {
                assert_eq!(states(&orbits), states(&all), "seed {seed}\n{text}");
            }
            reduced += u32::from(orbits.stats.states * 20 < all.stats.states);
            for (mine, theirs) in orbits.results.iter().zip(&all.results) {
                assert_eq!(mine.verdict, theirs.verdict, "seed {seed} {}\n{text}", mine.property);
            }
        }
    }
    if are_all() {
        assert!(compared > 60 && reduced > 20, "{compared} {reduced}");
    }
}
