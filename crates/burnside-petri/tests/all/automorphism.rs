//! Symmetries of place/transition nets, against listing all permutations of places and transitions.

use crate::dice;

use burnside_perm::{Automorphisms, Budget, Group, Natural, Perm, Point};
use burnside_petri::{
    Arc, Atom, Formula, Net, NetQuestion, Place, PlaceId, Query, Sum, Tokens, Transition, TransitionId,
    automorphisms, stabiliser,
};
use burnside_ts::Compare;
use dice::Dice;
use std::collections::BTreeSet;

/// Kind, place, weight.
type Link = (usize, u32, i64);

fn net(initial: &[u64], transitions: &[Vec<Link>]) -> Net {
    let place = |(at, &tokens): (usize, &u64)| Place {
        id: format!("p{at}"),
        name: format!("p{at}"),
        domain: vec![],
        initial: vec![tokens],
    };
    let transition = |links: &Vec<Link>| {
        let mut transition = Transition::default();
        for &(kind, place, weight) in links {
            let arc = Arc { place: PlaceId(place), inscription: vec![(weight, vec![])] };
            match kind {
                0 => transition.inputs.push(arc),
                1 => transition.outputs.push(arc),
                2 => transition.reads.push(arc),
                3 => transition.inhibitors.push(arc),
                _ => transition.resets.push(arc.place),
            }
        }
        transition
    };
    Net {
        places: initial.iter().enumerate().map(place).collect(),
        transitions: transitions.iter().map(transition).collect(),
        ..Net::default()
    }
}

fn tokens(place: u32) -> Tokens {
    Tokens { place: PlaceId(place), colour: None }
}

fn query(asked: NetQuestion) -> Query {
    Query { name: String::new(), text: String::new(), asked }
}

fn atom(atom: Atom) -> Query {
    query(NetQuestion::Ctl(Formula::Not(Box::new(Formula::And(vec![
        Formula::Atom(Atom::Deadlock),
        Formula::Atom(atom),
    ])))))
}

fn all_perms(n: usize) -> Vec<Vec<Point>> {
    let mut all = vec![vec![]];
    for _ in 0..n {
        let longer = |perm: &Vec<Point>| -> Vec<Vec<Point>> {
            let rest = (0..n as Point).filter(|x| !perm.contains(x));
            rest.map(|x| perm.iter().copied().chain([x]).collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// All pairs of permutations of places and transitions that keep the net.
fn listed(initial: &[u64], transitions: &[Vec<Link>]) -> Vec<(Vec<Point>, Vec<Point>)> {
    let sorted = |links: &Vec<Link>, by: &[Point]| {
        let mut moved: Vec<Link> = links
            .iter()
            .filter(|link| link.2 > 0 || link.0 == 4)
            .map(|&(kind, place, weight)| (kind, by[place as usize], if kind == 4 { 1 } else { weight }))
            .collect();
        moved.sort();
        moved
    };
    let still: Vec<Point> = (0..initial.len() as Point).collect();
    let mut found = Vec::new();
    for places in all_perms(initial.len()) {
        let linked = |p: Point| {
            transitions.iter().flatten().any(|&(kind, place, weight)| place == p && (kind == 4 || weight > 0))
        };
        // Places without arcs are not moved.
        let bad = |&p: &Point| {
            let to = places[p as usize];
            initial[p as usize] != initial[to as usize] || (p != to && !linked(p))
        };
        if still.iter().any(bad) {
            continue;
        }
        for moved in all_perms(transitions.len()) {
            let keeps = |t: usize| {
                sorted(&transitions[t], &places) == sorted(&transitions[moved[t] as usize], &still)
            };
            if (0..transitions.len()).all(keeps) {
                found.push((places.clone(), moved));
            }
        }
    }
    found
}

fn order(net: &Net, found: &Automorphisms) -> Natural {
    Group::generated(net.places.len() + net.transitions.len(), &found.generators).order()
}

/// By place, the first with as many tokens and the same arcs: they hold equally many for ever.
fn leads(net: &Net) -> Vec<usize> {
    let arcs = |place: usize| -> Vec<Vec<(usize, i64)>> {
        let of = |it: &Transition| {
            let lists = [&it.inputs, &it.outputs, &it.reads, &it.inhibitors];
            let here = |(kind, arcs): (usize, &Vec<Arc>)| -> Vec<(usize, i64)> {
                let arcs = arcs.iter().filter(|arc| arc.place.index() == place);
                arcs.map(|arc| (kind, arc.inscription[0].0)).filter(|arc| arc.1 > 0).collect()
            };
            let mut all: Vec<_> = lists.into_iter().enumerate().flat_map(here).collect();
            all.extend(it.resets.iter().filter(|reset| reset.index() == place).map(|_| (4, 1)));
            all
        };
        net.transitions.iter().map(of).collect()
    };
    let alike = |p: usize, q: usize| net.places[p].initial == net.places[q].initial && arcs(p) == arcs(q);
    (0..net.places.len()).map(|p| (0..p).find(|&q| alike(p, q)).unwrap_or(p)).collect()
}

/// The generators are among the listed, and their group has as many elements as there are permutations of
/// places that differ by more than permutations of equal ones.
fn check(net: &Net, found: &Automorphisms, listed: &[(Vec<Point>, Vec<Point>)]) {
    assert!(found.complete);
    let places = net.places.len();
    for generator in &found.generators {
        let images: Vec<Point> = generator.images().collect();
        let moved = images[places..].iter().map(|x| x - places as Point).collect();
        assert!(listed.contains(&(images[..places].to_vec(), moved)), "{generator:?}");
    }
    let leads = leads(net);
    let permutation =
        |places: &Vec<Point>| -> Vec<usize> { places.iter().map(|&to| leads[to as usize]).collect() };
    let permutations: BTreeSet<Vec<usize>> = listed.iter().map(|pair| permutation(&pair.0)).collect();
    assert_eq!(order(net, found), Natural::from(permutations.len()));
}

fn random_links(dice: &mut Dice, places: usize) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for _ in 0..dice.below(4) {
        let link =
            ([0, 0, 0, 1, 1, 1, 2, 3, 4][dice.below(9)], dice.below(places) as u32, dice.below(3) as i64);
        if !links.iter().any(|other| (other.0, other.1) == (link.0, link.1)) {
            links.push(link);
        }
    }
    links
}

#[test]
fn random_nets_and_questions() {
    let mut dice = Dice(3);
    let (mut moving, mut less) = (0, 0);
    for round in 0..3000 {
        let places = 2 + round % 3;
        let initial: Vec<u64> = (0..places).map(|_| dice.below(2) as u64 * dice.below(2) as u64).collect();
        let mut transitions: Vec<Vec<Link>> =
            (0..1 + dice.below(3)).map(|_| random_links(&mut dice, places)).collect();
        // A mirror image of the first transition makes symmetries likelier.
        let mirrored =
            transitions[0].iter().map(|link| (link.0, places as u32 - 1 - link.1, link.2)).collect();
        transitions.push(mirrored);
        let net = net(&initial, &transitions);
        let listed = listed(&initial, &transitions);
        let whole = automorphisms(&net, &Budget::default());
        check(&net, &whole, &listed);

        let factors: Vec<i64> = (0..places).map(|_| dice.below(3) as i64 - 1).collect();
        let sides: [Vec<(i64, Tokens)>; 2] = [0, 1].map(|side| {
            let of = |p: usize| (factors[p] + side, tokens(p as u32));
            (0..places).map(of).collect()
        });
        let [left, right] = sides.map(|tokens| Sum { constant: 2, tokens });
        let set: Vec<TransitionId> =
            (0..transitions.len() as u32).filter(|_| dice.below(2) == 0).map(TransitionId).collect();
        let sum = Sum { constant: 0, tokens: (0..places).map(|p| (factors[p], tokens(p as u32))).collect() };
        let queries = [
            atom(Atom::Compare(Compare::Le, left, right)),
            atom(Atom::Fireable(set.clone())),
            query(NetQuestion::Bound(vec![sum])),
        ];
        // Both sides differ by one token of each place: the first question is about the number of all tokens.
        let keeps_sum = |g: &Vec<Point>| (0..places).all(|p| factors[p] == factors[g[p] as usize]);
        let keeps_set = |g: &Vec<Point>| set.iter().all(|t| set.contains(&TransitionId(g[t.index()])));
        for (chosen, sum, fires) in [
            (&queries[0..1], false, false),
            (&queries[1..2], false, true),
            (&queries[2..], true, false),
            (&queries[..], true, true),
        ] {
            let kept: Vec<_> = listed
                .iter()
                .filter(|(p, t)| (!sum || keeps_sum(p)) && (!fires || keeps_set(t)))
                .cloned()
                .collect();
            let found = stabiliser(&net, &whole, chosen, &Budget::default());
            check(&net, &found, &kept);
            less += usize::from(order(&net, &found) != order(&net, &whole));
        }
        moving += usize::from(!whole.generators.is_empty());
    }
    assert!(moving > 600 && less > 1000, "{moving} {less}");
}

/// `n` clients that take and give one of `m` equal resources.
fn clients(n: u32, m: u32) -> Net {
    let mut transitions = Vec::new();
    for client in 0..n {
        for resource in 0..m {
            let (idle, free, held) = (client, n + resource, n + m + client * m + resource);
            transitions.push(vec![(0, idle, 1), (0, free, 1), (1, held, 1)]);
            transitions.push(vec![(0, held, 1), (1, idle, 1), (1, free, 1)]);
        }
    }
    let initial: Vec<u64> = (0..n + m).map(|_| 1).chain((0..n * m).map(|_| 0)).collect();
    net(&initial, &transitions)
}

#[test]
fn clients_and_resources() {
    for (n, m) in [(2, 3), (5, 4), (10, 9)] {
        let net = clients(n, m);
        let whole = automorphisms(&net, &Budget::default());
        let factorial = |n: u32| Natural::factorial(u64::from(n));
        assert_eq!(order(&net, &whole), &factorial(n) * &factorial(m));
        let held = Sum { constant: 0, tokens: (0..m).map(|r| (1, tokens(n + m + r))).collect() };
        let left = stabiliser(&net, &whole, [&query(NetQuestion::Bound(vec![held]))], &Budget::default());
        assert_eq!(order(&net, &left), &factorial(n - 1) * &factorial(m));
        let takes = Atom::Fireable((0..n * m).map(|pair| TransitionId(2 * pair)).collect());
        assert_eq!(stabiliser(&net, &whole, [&atom(takes)], &Budget::default()), whole);
        let takes = Atom::Fireable(vec![TransitionId(0)]);
        let left = stabiliser(&net, &whole, [&atom(takes)], &Budget::default());
        assert_eq!(order(&net, &left), &factorial(n - 1) * &factorial(m - 1));
    }
}

#[test]
fn many_clients_in_time() {
    let net = clients(50, 40);
    let whole = automorphisms(&net, &Budget::default());
    assert!(whole.complete);
    assert_eq!(whole.generators.len(), 49 + 39);
    let held = Sum { constant: 0, tokens: (0..40).map(|r| (1, tokens(90 + r))).collect() };
    let left = stabiliser(&net, &whole, [&query(NetQuestion::Bound(vec![held]))], &Budget::default());
    assert_eq!((left.complete, left.generators.len()), (true, 48 + 39));
}

#[test]
fn equal_transitions_are_not_moved_alone() {
    let twin = vec![(0, 0, 1), (1, 1, 1)];
    let net = net(&[1, 0], &[twin.clone(), twin.clone(), vec![(0, 1, 1)], twin]);
    assert_eq!(
        automorphisms(&net, &Budget::default()),
        Automorphisms { generators: vec![], complete: true, base: vec![] }
    );
}

/// Two pairs of equal transitions: of each pair one is asked for, but not the one that is in the same
/// position.
#[test]
fn equal_transitions_go_where_the_question_lets_them() {
    let [a, b] = [0, 1].map(|place| vec![(0, place, 1)]);
    let net = net(&[1, 1], &[a.clone(), a, b.clone(), b]);
    let whole = automorphisms(&net, &Budget::default());
    assert_eq!(whole.generators, [Perm::parse(6, "(0 1)(2 4)(3 5)").unwrap()]);
    let asked = atom(Atom::Fireable(vec![TransitionId(0), TransitionId(3)]));
    let left = stabiliser(&net, &whole, [&asked], &Budget::default());
    assert_eq!(left.generators, [Perm::parse(6, "(0 1)(2 5)(3 4)").unwrap()]);
    let asked = atom(Atom::Fireable(vec![TransitionId(0)]));
    assert_eq!(stabiliser(&net, &whole, [&asked], &Budget::default()).generators, []);
}

#[test]
fn little_budget_keeps_what_is_known() {
    let net = clients(4, 4);
    let whole = automorphisms(&net, &Budget::default());
    let none = Budget { work: 0, ..Budget::default() };
    assert_eq!(
        automorphisms(&net, &none),
        Automorphisms { generators: vec![], complete: false, base: vec![] }
    );
    let first = Sum { constant: 0, tokens: vec![(1, tokens(0))] };
    let left = stabiliser(&net, &whole, [&query(NetQuestion::Bound(vec![first]))], &none);
    let fixes = |g: &&Perm| g.image(0) == 0;
    assert!(!left.complete);
    assert!(left.generators.iter().eq(whole.generators.iter().filter(fixes)));
}

/// Two rings with two equal places each, and the same with one of them asked for.
#[test]
fn equal_places_are_not_moved_alone() {
    let ring = |first: u32| {
        let [idle, busy, also] = [first, first + 1, first + 2];
        [vec![(0, idle, 1), (1, busy, 1), (1, also, 1)], vec![(0, busy, 1), (0, also, 1), (1, idle, 1)]]
    };
    let one = net(&[1, 0, 0], &ring(0));
    assert_eq!(
        automorphisms(&one, &Budget::default()),
        Automorphisms { generators: vec![], complete: true, base: vec![] }
    );
    let two = net(&[1, 0, 0, 1, 0, 0], &[ring(0), ring(3)].concat());
    let whole = automorphisms(&two, &Budget::default());
    assert_eq!(whole.generators, [Perm::parse(10, "(0 3)(1 4)(2 5)(6 8)(7 9)").unwrap()]);
    let sum = |places: [u32; 2]| Sum { constant: 0, tokens: places.map(|place| (1, tokens(place))).to_vec() };
    let left =
        |asked| stabiliser(&two, &whole, [&query(NetQuestion::Bound(vec![asked]))], &Budget::default());
    assert_eq!(left(sum([1, 5])).generators, [Perm::parse(10, "(0 3)(1 5)(2 4)(6 8)(7 9)").unwrap()]);
    assert_eq!(left(sum([1, 2])).generators, []);
}
