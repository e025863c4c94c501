//! What a net does, by the definitions: markings as lists of numbers, every binding tried. Numbers are of 128
//! bits, so that none is too great for them.

use burnside_petri::{
    Arc, Atom, Comparison, Formula, Guard, Inscription, Net, NetQuestion, Operand, PlaceId, Sum, Term,
    Transition, TransitionId, VariableId,
};
use burnside_ts::{Compare, Path};
use std::collections::{BTreeMap, HashMap};

/// By place and colour, how many tokens there are.
pub type Marking = Vec<Vec<u128>>;

/// What an element is bound to.
type Binding = BTreeMap<VariableId, u32>;

/// All reachable markings.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The markings, the initial one first.
    pub markings: Vec<Marking>,
    /// For each, where firings lead; one entry for each firing.
    pub edges: Vec<Vec<usize>>,
}

/// Explores a net; none if it has more markings than the limit, or a marking with more tokens somewhere.
pub fn explore(net: &Net, markings: usize, tokens: u128) -> Option<Explored> {
    let wide = |tokens: &Vec<u64>| tokens.iter().map(|&count| u128::from(count)).collect();
    let initial: Marking = net.places.iter().map(|place| wide(&place.initial)).collect();
    let mut known = HashMap::from([(initial.clone(), 0)]);
    let mut found = Explored { markings: vec![initial], edges: Vec::new() };
    while found.edges.len() < found.markings.len() {
        let from = found.markings[found.edges.len()].clone();
        let mut targets = Vec::new();
        for to in net.transitions.iter().flat_map(|transition| firings(net, transition, &from)) {
            if to.iter().flatten().any(|&count| count > tokens) {
                return None;
            }
            let next = known.len();
            let target = *known.entry(to.clone()).or_insert(next);
            if target == next {
                found.markings.push(to);
            }
            targets.push(target);
        }
        found.edges.push(targets);
        if found.markings.len() > markings {
            return None;
        }
    }
    Some(found)
}

/// The markings after each firing of a transition.
fn firings(net: &Net, transition: &Transition, marking: &Marking) -> Vec<Marking> {
    let bindings = bindings(net, &transition.variables).into_iter();
    bindings
        .filter(|binding| is_enabled(net, transition, marking, binding))
        .map(|b| fire(net, transition, marking, &b))
        .collect()
}

fn bindings(net: &Net, variables: &[VariableId]) -> Vec<Binding> {
    variables.iter().fold(vec![Binding::new()], |all, &variable| {
        let size = net.class(net.variable(variable).class).elements.len() as u32;
        let extend = |binding: &Binding| {
            (0..size)
                .map(|element| {
                    let mut binding = binding.clone();
                    binding.insert(variable, element);
                    binding
                })
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(extend).collect()
    })
}

fn is_enabled(net: &Net, transition: &Transition, marking: &Marking, binding: &Binding) -> bool {
    let each = |arc: &Arc, test: &dyn Fn(u128, u128) -> bool| {
        let wanted = weights(net, arc.place, &arc.inscription, binding);
        wanted.iter().zip(&marking[arc.place.index()]).all(|(&wanted, &held)| test(wanted, held))
    };
    guard(net, &transition.guard, binding)
        && transition
            .inputs
            .iter()
            .chain(&transition.reads)
            .all(|arc| each(arc, &|wanted, held| held >= wanted))
        && transition.inhibitors.iter().all(|arc| each(arc, &|wanted, held| wanted == 0 || held < wanted))
}

fn fire(net: &Net, transition: &Transition, marking: &Marking, binding: &Binding) -> Marking {
    let mut marking = marking.clone();
    let change = |marking: &mut Marking, arc: &Arc, sign: i128| {
        let weights = weights(net, arc.place, &arc.inscription, binding);
        for (count, weight) in marking[arc.place.index()].iter_mut().zip(weights) {
            *count = count.checked_add_signed(sign * weight as i128).expect("it is enabled");
        }
    };
    transition.inputs.iter().for_each(|arc| change(&mut marking, arc, -1));
    transition.resets.iter().for_each(|place| marking[place.index()].fill(0));
    transition.outputs.iter().for_each(|arc| change(&mut marking, arc, 1));
    marking
}

/// What an arc means: tokens of a colour of a place.
pub(super) type Weighted = Vec<(PlaceId, usize, u128)>;

/// For each binding that the guard allows, what the inputs, outputs, reads and inhibitors mean.
pub(super) fn bound_weights(net: &Net, transition: &Transition) -> Vec<[Weighted; 4]> {
    let allowed = bindings(net, &transition.variables).into_iter();
    let allowed = allowed.filter(|binding| guard(net, &transition.guard, binding));
    let sides = |binding: Binding| {
        [&transition.inputs, &transition.outputs, &transition.reads, &transition.inhibitors].map(|arcs| {
            let of = |arc: &Arc| {
                let weights = weights(net, arc.place, &arc.inscription, &binding).into_iter().enumerate();
                let place = arc.place;
                weights
                    .filter(|(_, weight)| *weight > 0)
                    .map(move |(c, weight)| (place, c, weight))
                    .collect::<Vec<_>>()
            };
            arcs.iter().flat_map(of).collect()
        })
    };
    allowed.map(sides).collect()
}

/// For each colour of a place, how many tokens an inscription means.
fn weights(net: &Net, place: PlaceId, inscription: &Inscription, binding: &Binding) -> Vec<u128> {
    let domain = &net.place(place).domain;
    let count = net.colours(domain).expect("small");
    let colour = |number| {
        let components = net.colour(domain, number);
        let matches = |pattern: &[Term]| {
            pattern.iter().zip(&components).zip(domain).all(|((term, &component), &class)| match term {
                Term::All => true,
                term => element(net.class(class).elements.len(), *term, binding) == component,
            })
        };
        let matching = inscription.iter().filter(|(_, pattern)| matches(pattern));
        let sum: i128 = matching.map(|(weight, _)| i128::from(*weight)).sum();
        sum.max(0) as u128
    };
    (0..count).map(colour).collect()
}

fn element(size: usize, term: Term, binding: &Binding) -> u32 {
    match term {
        Term::Constant(element) => element,
        Term::Variable(variable, shift) => {
            (i64::from(binding[&variable]) + shift).rem_euclid(size as i64) as u32
        }
        Term::All => unreachable!("not a single element"),
    }
}

fn guard(net: &Net, it: &Guard, binding: &Binding) -> bool {
    match it {
        Guard::True => true,
        Guard::False => false,
        Guard::Not(inner) => !guard(net, inner, binding),
        Guard::And(parts) => parts.iter().all(|part| guard(net, part, binding)),
        Guard::Or(parts) => parts.iter().any(|part| guard(net, part, binding)),
        Guard::Compare(comparison) => compare(net, comparison, binding),
    }
}

fn compare(net: &Net, comparison: &Comparison, binding: &Binding) -> bool {
    let size = net.class(comparison.class).elements.len();
    let side = |operand| match (operand, comparison.partition) {
        (Operand::Block(block), _) => block,
        (Operand::Element(term), None) => element(size, term, binding),
        (Operand::Element(term), Some(partition)) => {
            net.partitions[partition.index()].block[element(size, term, binding) as usize]
        }
    };
    ordered(comparison.op, &side(comparison.left), &side(comparison.right))
}

fn ordered<T: Ord>(op: Compare, left: &T, right: &T) -> bool {
    match op {
        Compare::Eq => left == right,
        Compare::Ne => left != right,
        Compare::Lt => left < right,
        Compare::Le => left <= right,
    }
}

fn can_fire(net: &Net, transition: TransitionId, marking: &Marking) -> bool {
    !firings(net, net.transition(transition), marking).is_empty()
}

/// A sum in a marking.
pub fn value(net: &Net, sum: &Sum, marking: &Marking) -> i128 {
    let tokens = sum.tokens.iter().map(|(factor, tokens)| {
        let held = &marking[tokens.place.index()];
        let count = match &tokens.colour {
            None => held.iter().sum::<u128>(),
            Some(colour) => held[net.number(&net.place(tokens.place).domain, colour)],
        };
        i128::from(*factor) * count as i128
    });
    i128::from(sum.constant) + tokens.sum::<i128>()
}

/// Whether a question is answered with yes, where paths end in dead markings; none for bounds, and for
/// linear-time formulas that are not the same as with `A` before every operator.
pub fn holds(net: &Net, explored: &Explored, asked: &NetQuestion) -> Option<bool> {
    match asked {
        NetQuestion::Invariant(condition) => {
            Some(truth(net, explored, condition).into_iter().all(|value| value))
        }
        NetQuestion::Reachable(condition) => {
            Some(truth(net, explored, condition).into_iter().any(|value| value))
        }
        NetQuestion::Ctl(formula) => Some(truth(net, explored, formula)[0]),
        NetQuestion::Ltl(formula) => is_branching(formula).then(|| truth(net, explored, formula)[0]),
        NetQuestion::Bound(_) => None,
    }
}

/// Whether a linear-time formula says the same as the branching-time one with `A` before every operator: by
/// Maidl, where a condition on the marking decides which part of it matters. `X` is left out.
fn is_branching(formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) => parts.iter().all(is_branching),
        Formula::Or(parts) => {
            let mut temporal = parts.iter().filter(|part| !is_condition(part));
            temporal.next().is_none_or(is_branching) && temporal.next().is_none()
        }
        Formula::Implies(sides) => is_condition(&sides[0]) && is_branching(&sides[1]),
        Formula::Globally(None, inner) => is_branching(inner),
        Formula::Finally(None, inner) => is_condition(inner),
        Formula::Until(None, sides) | Formula::WeakUntil(None, sides) => sides.iter().all(is_condition),
        Formula::Release(None, sides) | Formula::StrongRelease(None, sides) => sides.iter().all(is_condition),
        other => is_condition(other),
    }
}

/// Whether a formula is about one marking.
fn is_condition(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) => true,
        Formula::Not(inner) => is_condition(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_condition),
        Formula::Implies(sides) | Formula::Iff(sides) => sides.iter().all(is_condition),
        _ => false,
    }
}

/// In which markings a formula is true.
fn truth(net: &Net, explored: &Explored, formula: &Formula) -> Vec<bool> {
    let each = |inner: &Formula| truth(net, explored, inner);
    let not = |values: Vec<bool>| values.into_iter().map(|value| !value).collect::<Vec<_>>();
    let always = vec![true; explored.markings.len()];
    let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<_>>();
    let either = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a || *b).collect::<Vec<_>>();
    match formula {
        Formula::Atom(it) => explored.markings.iter().map(|marking| atom(net, it, marking)).collect(),
        Formula::Not(inner) => not(each(inner)),
        Formula::And(parts) => parts.iter().fold(always, |all, part| both(&all, &each(part))),
        Formula::Or(parts) => parts.iter().fold(not(always), |all, part| either(&all, &each(part))),
        Formula::Implies(sides) => either(&not(each(&sides[0])), &each(&sides[1])),
        Formula::Iff(sides) => each(&sides[0]).iter().zip(each(&sides[1])).map(|(a, b)| *a == b).collect(),
        Formula::Next(Some(Path::Some), inner) => next(explored, &each(inner)),
        Formula::Next(_, inner) => not(next(explored, &not(each(inner)))),
        Formula::Finally(Some(Path::Some), inner) => until(explored, &always, &each(inner)),
        Formula::Finally(_, inner) => not(globally(explored, &not(each(inner)))),
        Formula::Globally(Some(Path::Some), inner) => globally(explored, &each(inner)),
        Formula::Globally(_, inner) => not(until(explored, &always, &not(each(inner)))),
        Formula::Until(path, sides) => some_or_all_until(explored, *path, &each(&sides[0]), &each(&sides[1])),
        // The second until and including the first: not (not the first until not the second).
        Formula::Release(path, sides) => {
            let (first, second) = (not(each(&sides[0])), not(each(&sides[1])));
            not(some_or_all_until(explored, other(*path), &first, &second))
        }
        Formula::WeakUntil(path, sides) => {
            let (first, second) = (each(&sides[0]), each(&sides[1]));
            let (stop, held) = (not(both(&first, &always)), not(second.clone()));
            // Not (not second until neither).
            not(some_or_all_until(explored, other(*path), &held, &both(&stop, &held)))
        }
        Formula::StrongRelease(path, sides) => {
            let (first, second) = (each(&sides[0]), each(&sides[1]));
            some_or_all_until(explored, *path, &second, &both(&first, &second))
        }
    }
}

fn other(path: Option<Path>) -> Option<Path> {
    match path {
        Some(Path::Some) => Some(Path::All),
        _ => Some(Path::Some),
    }
}

fn some_or_all_until(explored: &Explored, path: Option<Path>, hold: &[bool], goal: &[bool]) -> Vec<bool> {
    if path == Some(Path::Some) {
        return until(explored, hold, goal);
    }
    let missed: Vec<bool> = goal.iter().map(|goal| !goal).collect();
    let lost: Vec<bool> = hold.iter().zip(goal).map(|(hold, goal)| !hold && !goal).collect();
    let bad = until(explored, &missed, &lost);
    bad.iter().zip(globally(explored, &missed)).map(|(a, b)| !(*a || b)).collect()
}

fn next(explored: &Explored, goal: &[bool]) -> Vec<bool> {
    explored.edges.iter().map(|targets| targets.iter().any(|&target| goal[target])).collect()
}

fn until(explored: &Explored, hold: &[bool], goal: &[bool]) -> Vec<bool> {
    let mut found = goal.to_vec();
    loop {
        let before = next(explored, &found);
        let more: Vec<bool> = (0..found.len()).map(|i| found[i] || (hold[i] && before[i])).collect();
        if more == found {
            return found;
        }
        found = more;
    }
}

fn globally(explored: &Explored, hold: &[bool]) -> Vec<bool> {
    let mut found = hold.to_vec();
    loop {
        let before = next(explored, &found);
        let less: Vec<bool> =
            (0..found.len()).map(|i| found[i] && (before[i] || explored.edges[i].is_empty())).collect();
        if less == found {
            return found;
        }
        found = less;
    }
}

fn atom(net: &Net, atom: &Atom, marking: &Marking) -> bool {
    match atom {
        Atom::Constant(value) => *value,
        Atom::Compare(op, left, right) => {
            ordered(*op, &value(net, left, marking), &value(net, right, marking))
        }
        Atom::Fireable(transitions) => {
            transitions.iter().any(|&transition| can_fire(net, transition, marking))
        }
        Atom::Deadlock => {
            let all = (0..net.transitions.len() as u32).map(TransitionId);
            !all.into_iter().any(|transition| can_fire(net, transition, marking))
        }
    }
}
