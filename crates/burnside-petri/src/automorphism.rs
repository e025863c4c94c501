//! Symmetries of place/transition nets.
//!
//! Entry points: [`automorphisms`], and [`stabiliser`] for those that leave questions as they are. The points
//! are the places, then the transitions. Both are found as automorphisms of one graph: places with their
//! initial marking and what each atom of the questions counts of them, transitions with the atoms that ask
//! for them, arcs with their kinds and weights. Transitions with equal arcs are one vertex, and so are places
//! with equal arcs, tokens and letters. Permutations of such points among themselves are not listed, equal
//! points keep their order: to move equal places alone changes no marking that can be reached, since they
//! always hold equally many tokens. Coloured nets are not for this file.

use crate::atoms::{Dependency, watched};
use crate::net::{Arc, Guard, Net, PlaceId, Transition};
use crate::query::Query;
use burnside_limits::poll;
use burnside_perm::{Automorphisms, Budget, Graph, Perm, Point};
use std::collections::BTreeMap;

/// What the atoms make of a point: for each atom that looks at it, the factor.
type Letter = Vec<(usize, i128)>;

/// What a transition does to a place: the kinds and weights of the arcs between them.
type Link = Vec<(LinkKind, i128)>;

/// What a transition does to each place; and its number, if it cannot be compared with others.
type Shape = (BTreeMap<PlaceId, Link>, Option<usize>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LinkKind {
    Input,
    Output,
    Read,
    Inhibitor,
    Reset,
}

/// The automorphisms of a net without colours, up to permutations of transitions with equal arcs and of
/// places that are always alike. None are found in a coloured net.
pub fn automorphisms(net: &Net, budget: &Budget<'_>) -> Automorphisms {
    lettered(net, vec![Letter::new(); net.places.len() + net.transitions.len()], budget)
}

/// The automorphisms that leave every atom of the questions as it is. `whole` are the automorphisms of the
/// net, as far as they are known.
pub fn stabiliser<'q>(
    net: &Net,
    whole: &Automorphisms,
    queries: impl IntoIterator<Item = &'q Query>,
    budget: &Budget<'_>,
) -> Automorphisms {
    let word = word(net, queries);
    if whole.generators.iter().all(|generator| generator.preserves(&word)) {
        return whole.clone();
    }
    let kept = |generator: &&Perm| generator.preserves(&word);
    let mut generators: Vec<Perm> = whole.generators.iter().filter(kept).cloned().collect();
    let mut found = lettered(net, word, budget);
    if !found.complete {
        generators.retain(|generator| !found.generators.contains(generator));
        found.generators.append(&mut generators);
    }
    found
}

/// The letters of all points.
fn word<'q>(net: &Net, queries: impl IntoIterator<Item = &'q Query>) -> Vec<Letter> {
    let mut word: Vec<BTreeMap<usize, i128>> =
        vec![BTreeMap::new(); net.places.len() + net.transitions.len()];
    for (atom, watched) in queries.into_iter().flat_map(watched).enumerate() {
        match watched {
            Dependency::Tokens(terms) => {
                for (factor, tokens) in terms {
                    *word[tokens.place.index()].entry(atom).or_default() += factor;
                }
            }
            Dependency::Transitions(transitions) => {
                for transition in transitions {
                    word[net.places.len() + transition.index()].insert(atom, 1);
                }
            }
        }
    }
    let letter = |factors: BTreeMap<usize, i128>| factors.into_iter().filter(|entry| entry.1 != 0).collect();
    word.into_iter().map(letter).collect()
}

/// The automorphisms of the net that keep the letters of its points.
fn lettered(net: &Net, word: Vec<Letter>, budget: &Budget<'_>) -> Automorphisms {
    if net.places.iter().any(|place| !place.domain.is_empty()) {
        return Automorphisms { generators: Vec::new(), complete: false, base: Vec::new() };
    }
    let bundles = bundles(net, &word);
    let twins = twins(net, &word, &bundles);
    let found = graph(net, &word, &twins, &bundles).automorphisms(budget);
    let behind = |bundle: &Bundle| bundle.transitions.iter().map(|at| net.places.len() + at).collect();
    let vertices: Vec<Vec<usize>> = twins.into_iter().chain(bundles.iter().map(behind)).collect();
    let generators = found.generators.iter().map(|generator| lifted(&word, &vertices, generator)).collect();
    // The points of a vertex stay where they are if and only if it does.
    let base = found.base.iter().map(|&vertex| vertices[vertex as usize][0] as Point).collect();
    Automorphisms { generators, complete: found.complete, base }
}

/// Transitions with equal arcs, in the order of their letters.
struct Bundle {
    shape: Shape,
    transitions: Vec<usize>,
}

fn bundles(net: &Net, word: &[Letter]) -> Vec<Bundle> {
    let mut bundles: BTreeMap<Shape, Vec<usize>> = BTreeMap::new();
    for (at, transition) in net.transitions.iter().enumerate() {
        let plain = transition.guard == Guard::True && transition.variables.is_empty();
        bundles.entry((links(transition), (!plain).then_some(at))).or_default().push(at);
    }
    let bundle = |(shape, mut transitions): (Shape, Vec<usize>)| {
        transitions.sort_by_key(|&at| &word[net.places.len() + at]);
        Bundle { shape, transitions }
    };
    bundles.into_iter().map(bundle).collect()
}

/// What a transition does to each place. Arcs that weigh nothing do nothing.
fn links(transition: &Transition) -> BTreeMap<PlaceId, Link> {
    poll();
    let mut links: BTreeMap<PlaceId, Link> = BTreeMap::new();
    let lists = [
        (LinkKind::Input, &transition.inputs),
        (LinkKind::Output, &transition.outputs),
        (LinkKind::Read, &transition.reads),
        (LinkKind::Inhibitor, &transition.inhibitors),
    ];
    for (kind, arcs) in lists {
        for arc in arcs.iter().filter(|arc| weight(arc) > 0) {
            links.entry(arc.place).or_default().push((kind, weight(arc)));
        }
    }
    for &place in &transition.resets {
        links.entry(place).or_default().push((LinkKind::Reset, 1));
    }
    links.values_mut().for_each(|link| link.sort_unstable());
    links
}

fn weight(arc: &Arc) -> i128 {
    arc.inscription.iter().map(|(weight, _)| i128::from(*weight)).sum()
}

/// Places with equal arcs, tokens and letters.
fn twins(net: &Net, word: &[Letter], bundles: &[Bundle]) -> Vec<Vec<usize>> {
    let mut arcs: Vec<Vec<(usize, &Link)>> = vec![Vec::new(); net.places.len()];
    for (at, bundle) in bundles.iter().enumerate() {
        bundle.shape.0.iter().for_each(|(place, link)| arcs[place.index()].push((at, link)));
    }
    let mut twins: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, arcs) in arcs.into_iter().enumerate() {
        twins.entry((arcs, tokens(net, place), &word[place])).or_default().push(place);
    }
    twins.into_values().collect()
}

/// The classes of equal places, then the bundles.
fn graph(net: &Net, word: &[Letter], twins: &[Vec<usize>], bundles: &[Bundle]) -> Graph {
    let (places, transitions) = word.split_at(net.places.len());
    let class = |class: &Vec<usize>| (tokens(net, class[0]), &places[class[0]], class.len());
    let bundle = |bundle: &Bundle| {
        let letters: Vec<&Letter> = bundle.transitions.iter().map(|&at| &transitions[at]).collect();
        (bundle.shape.1, letters)
    };
    // The arcs tell places from bundles, but where there are none the colours must.
    let mut colours = ranks(twins.iter().map(class));
    let first = colours.iter().max().map_or(0, |greatest| greatest + 1);
    colours.extend(ranks(bundles.iter().map(bundle)).iter().map(|rank| first + rank));
    let lead = |class: &Vec<usize>| PlaceId(class[0] as u32);
    let leads: BTreeMap<PlaceId, Point> = twins.iter().map(lead).zip(0..).collect();
    let linked = bundles.iter().zip(twins.len() as Point..).flat_map(|(bundle, from)| {
        let to_lead = |(place, link)| leads.get(place).map(|&to| (from, to, link));
        bundle.shape.0.iter().filter_map(to_lead).collect::<Vec<_>>()
    });
    let linked: Vec<(Point, Point, &Link)> = linked.collect();
    let labels = ranks(linked.iter().map(|(.., link)| link));
    let edges: Vec<(Point, Point, u64)> =
        linked.iter().zip(labels).map(|(&(from, to, _), label)| (from, to, label)).collect();
    Graph::new(colours, &edges)
}

fn tokens(net: &Net, place: usize) -> u64 {
    net.places[place].initial.iter().sum()
}

/// Equal things get equal numbers.
fn ranks<T: Ord>(things: impl IntoIterator<Item = T>) -> Vec<u64> {
    let things: Vec<T> = things.into_iter().collect();
    let mut order: Vec<usize> = (0..things.len()).collect();
    order.sort_by_key(|&at| &things[at]);
    let mut ranks = vec![0; things.len()];
    for pair in order.windows(2) {
        ranks[pair[1]] = ranks[pair[0]] + u64::from(things[pair[0]] != things[pair[1]]);
    }
    ranks
}

/// From vertices to their places and transitions: equal ones go in order.
fn lifted(word: &[Letter], vertices: &[Vec<usize>], permutation: &Perm) -> Perm {
    poll();
    let moved = permutation.pairs().flat_map(|(from, to)| {
        let (from, to) = (&vertices[from as usize], &vertices[to as usize]);
        from.iter().zip(to).map(|(&from, &to)| (from as Point, to as Point))
    });
    Perm::sparse(word.len(), moved.collect())
}
