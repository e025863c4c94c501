//! Random coloured nets against their unfolding, and nets whose symmetry is known.

use super::*;
use crate::net::{
    Arc, Class, Comparison, Guard, Inscription, Operand, Order, Partition, PartitionId, Place, Term,
    Transition, Variable, VariableId,
};
use crate::query::{Atom, Formula, NetQuestion, Sum, Tokens};
use ClassGroup::{Blocks, Fixed, Rotations};
use burnside_ts::Compare;

struct Dice(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Dice {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

fn class(size: usize) -> Class {
    Class { name: String::new(), order: Order::Cyclic, elements: (0..size).map(|x| x.to_string()).collect() }
}

fn place(domain: &[u32], initial: Vec<u64>) -> Place {
    Place {
        id: String::new(),
        name: String::new(),
        domain: domain.iter().map(|&c| ClassId(c)).collect(),
        initial,
    }
}

fn variable(class: u32) -> Variable {
    Variable { name: String::new(), class: ClassId(class) }
}

fn arc(place: u32, inscription: Inscription) -> Arc {
    Arc { place: PlaceId(place), inscription }
}

fn var(variable: u32) -> Term {
    Term::Variable(VariableId(variable), 0)
}

fn compare(op: Compare, left: Term, right: Term) -> Guard {
    let (left, right) = (Operand::Element(left), Operand::Element(right));
    Guard::Compare(Comparison { op, class: ClassId(0), partition: None, left, right })
}

/// A random net: two classes with a partition and two variables each.
fn random_net(dice: &mut Dice) -> Net {
    let classes: Vec<Class> = (0..2).map(|_| class(1 + dice.below(4))).collect();
    let partitions =
        (0..2).map(|at| random_partition(dice, at, classes[at as usize].elements.len())).collect();
    let variables = [0, 0, 1, 1].map(variable).to_vec();
    let mut net = Net { coloured: true, classes, partitions, variables, ..Net::default() };
    for _ in 0..1 + dice.below(2) {
        let domain: Vec<u32> = (0..dice.below(4)).map(|_| dice.below(2) as u32).collect();
        let initial = random_marking(dice, &net, &domain);
        net.places.push(place(&domain, initial));
    }
    for _ in 0..1 + dice.below(2) {
        let transition = random_transition(dice, &net);
        net.transitions.push(transition);
    }
    net
}

fn random_partition(dice: &mut Dice, class: u32, size: usize) -> Partition {
    Partition {
        name: String::new(),
        class: ClassId(class),
        blocks: vec![String::new(); 2],
        block: (0..size).map(|_| dice.below(2) as u32).collect(),
    }
}

fn random_marking(dice: &mut Dice, net: &Net, domain: &[u32]) -> Vec<u64> {
    let domain: Vec<ClassId> = domain.iter().map(|&class| ClassId(class)).collect();
    let style = dice.below(5);
    let number = |colour: usize| {
        let components = net.colour(&domain, colour);
        match style {
            0 => u64::from(components.windows(2).all(|pair| pair[0] == pair[1])),
            1 => u64::from(components.first() == Some(&0)),
            2 => u64::from(components.last().is_some_and(|&x| x < 2)),
            3 => u64::from(components.iter().sum::<u32>() % 3 == 1) * 2,
            _ => 1,
        }
    };
    (0..net.colours(&domain).unwrap()).map(number).collect()
}

fn random_term(dice: &mut Dice, net: &Net, class: usize) -> Term {
    let size = net.classes[class].elements.len();
    let variable = VariableId((2 * class + dice.below(2)) as u32);
    match dice.below(12) {
        0 => Term::Constant(dice.below(size) as u32),
        1 => Term::Variable(variable, dice.below(5) as i64 - 2),
        _ => Term::Variable(variable, 0),
    }
}

fn random_transition(dice: &mut Dice, net: &Net) -> Transition {
    let guard = if dice.one_in(2) { random_guard(dice, net, 2) } else { Guard::True };
    let mut transition = Transition { guard, ..Transition::default() };
    transition.variables = (0..4).map(VariableId).collect();
    for (at, place) in net.places.iter().enumerate() {
        let mut lists = [
            &mut transition.inputs,
            &mut transition.outputs,
            &mut transition.reads,
            &mut transition.inhibitors,
        ];
        let list = &mut lists[dice.below(4)];
        let inscription = (0..1 + dice.below(3)).map(|_| {
            let closed = dice.one_in(3);
            let term = |class: &ClassId| match dice.below(2) {
                0 if closed => Term::All,
                _ if closed => Term::Constant(dice.below(net.class(*class).elements.len()) as u32),
                _ => random_term(dice, net, class.index()),
            };
            let pattern = place.domain.iter().map(term).collect();
            (dice.below(4) as i64 - 1, pattern)
        });
        let inscription = inscription.collect();
        list.push(arc(at as u32, inscription));
    }
    transition
}

fn random_guard(dice: &mut Dice, net: &Net, depth: usize) -> Guard {
    let kind = if depth == 0 { 0 } else { dice.below(6) };
    match kind {
        3 => Guard::Not(Box::new(random_guard(dice, net, depth - 1))),
        4 => Guard::And((0..3).map(|_| random_guard(dice, net, depth - 1)).collect()),
        5 => Guard::Or((0..2).map(|_| random_guard(dice, net, depth - 1)).collect()),
        _ => {
            let class = dice.below(2);
            let op = [Compare::Eq, Compare::Ne, Compare::Ne, Compare::Lt, Compare::Le][dice.below(5)];
            let partition = dice.one_in(4).then_some(PartitionId(class as u32));
            let left = Operand::Element(random_term(dice, net, class));
            let right = match partition {
                Some(_) if dice.one_in(2) => Operand::Block(dice.below(2) as u32),
                _ => Operand::Element(random_term(dice, net, class)),
            };
            Guard::Compare(Comparison { op, class: ClassId(class as u32), partition, left, right })
        }
    }
}

/// What a term is under a binding of all variables of the net.
fn bound(net: &Net, class: ClassId, term: Term, binding: &[u32]) -> u32 {
    match term {
        Term::Variable(variable, mut shift) => {
            let last = net.class(class).elements.len() as u32 - 1;
            let mut element = binding[variable.index()];
            while shift > 0 {
                element = if element == last { 0 } else { element + 1 };
                shift -= 1;
            }
            while shift < 0 {
                element = if element == 0 { last } else { element - 1 };
                shift += 1;
            }
            element
        }
        Term::Constant(element) => element,
        Term::All => unreachable!("not an element"),
    }
}

fn enabled(net: &Net, guard: &Guard, binding: &[u32]) -> bool {
    match guard {
        Guard::True => true,
        Guard::False => false,
        Guard::Not(part) => !enabled(net, part, binding),
        Guard::And(parts) => parts.iter().all(|part| enabled(net, part, binding)),
        Guard::Or(parts) => parts.iter().any(|part| enabled(net, part, binding)),
        Guard::Compare(comparison) => {
            let side = |operand| match (operand, comparison.partition) {
                (Operand::Block(block), _) => block,
                (Operand::Element(term), None) => bound(net, comparison.class, term, binding),
                (Operand::Element(term), Some(partition)) => {
                    net.partitions[partition.index()].block
                        [bound(net, comparison.class, term, binding) as usize]
                }
            };
            let (left, right) = (side(comparison.left), side(comparison.right));
            match comparison.op {
                Compare::Eq => left == right,
                Compare::Ne => left != right,
                Compare::Lt => left < right,
                Compare::Le => left <= right,
            }
        }
    }
}

/// How many tokens of each colour an arc says.
fn says(net: &Net, arc: &Arc, binding: &[u32]) -> Vec<u64> {
    let domain = &net.place(arc.place).domain;
    let weight = |colour: usize| {
        let components = net.colour(domain, colour);
        let matches = |pattern: &Vec<Term>| {
            let mut parts = pattern.iter().zip(&components).zip(domain);
            parts.all(|((&term, &x), &class)| term == Term::All || bound(net, class, term, binding) == x)
        };
        let sum: i64 =
            arc.inscription.iter().filter(|(_, pattern)| matches(pattern)).map(|part| part.0).sum();
        sum.max(0) as u64
    };
    (0..net.colours(domain).unwrap()).map(weight).collect()
}

/// For each arc of a transition the place and the tokens of each colour.
type Effect = Vec<(PlaceId, Vec<u64>)>;

/// The effects of a transition under all bindings, sorted.
fn unfolded(net: &Net, transition: &Transition) -> Vec<Effect> {
    let domain: Vec<ClassId> = net.variables.iter().map(|variable| variable.class).collect();
    let arcs: Vec<&Arc> =
        [&transition.inputs, &transition.outputs, &transition.reads, &transition.inhibitors]
            .into_iter()
            .flatten()
            .collect();
    let effect = |binding: Vec<u32>| arcs.iter().map(|arc| (arc.place, says(net, arc, &binding))).collect();
    let bindings = (0..net.colours(&domain).unwrap()).map(|number| net.colour(&domain, number));
    let mut effects: Vec<Effect> =
        bindings.filter(|binding| enabled(net, &transition.guard, binding)).map(effect).collect();
    effects.sort();
    effects
}

/// The numbers of colours with the elements of one class moved.
fn moved<T: Copy>(net: &Net, domain: &[ClassId], numbers: &[T], class: usize, permutation: &[u32]) -> Vec<T> {
    let mut out = numbers.to_vec();
    for (colour, &number) in numbers.iter().enumerate() {
        let mut components = net.colour(domain, colour);
        for (x, of) in components.iter_mut().zip(domain) {
            if of.index() == class {
                *x = permutation[*x as usize];
            }
        }
        out[net.number(domain, &components)] = number;
    }
    out
}

/// Whether moving the elements of one class keeps the unfolded net.
fn keeps(net: &Net, unfoldings: &[Vec<Effect>], class: usize, permutation: &[u32]) -> bool {
    let marking =
        |place: &Place| moved(net, &place.domain, &place.initial, class, permutation) == place.initial;
    let kept = |effects: &Vec<Effect>| {
        let arc = |(place, tokens): &(PlaceId, Vec<u64>)| {
            (*place, moved(net, &net.place(*place).domain, tokens, class, permutation))
        };
        let mut images: Vec<Effect> = effects.iter().map(|effect| effect.iter().map(arc).collect()).collect();
        images.sort();
        images == *effects
    };
    net.places.iter().all(marking) && unfoldings.iter().all(kept)
}

/// Whether it keeps the initial marking, every guard under every binding, and every arc under every binding,
/// whatever the guard says.
fn keeps_parts(net: &Net, class: usize, permutation: &[u32]) -> bool {
    let domain: Vec<ClassId> = net.variables.iter().map(|variable| variable.class).collect();
    let kept = |transition: &Transition, number: usize| {
        let binding = net.colour(&domain, number);
        let of = |(&x, of): (&u32, &ClassId)| if of.index() == class { permutation[x as usize] } else { x };
        let image: Vec<u32> = binding.iter().zip(&domain).map(of).collect();
        let arcs = [&transition.inputs, &transition.outputs, &transition.reads, &transition.inhibitors];
        let arc = |arc: &Arc| {
            let domain = &net.place(arc.place).domain;
            moved(net, domain, &says(net, arc, &binding), class, permutation) == says(net, arc, &image)
        };
        enabled(net, &transition.guard, &binding) == enabled(net, &transition.guard, &image)
            && arcs.into_iter().flatten().all(arc)
    };
    let bindings = net.colours(&domain).unwrap();
    let marking =
        |place: &Place| moved(net, &place.domain, &place.initial, class, permutation) == place.initial;
    net.places.iter().all(marking)
        && net.transitions.iter().all(|t| (0..bindings).all(|binding| kept(t, binding)))
}

fn swap(size: usize, a: u32, b: u32) -> Vec<u32> {
    let mut permutation: Vec<u32> = (0..size as u32).collect();
    permutation.swap(a as usize, b as usize);
    permutation
}

fn rotation(size: usize) -> Vec<u32> {
    (0..size as u32).map(|x| (x + 1) % size as u32).collect()
}

fn pairs(size: usize) -> impl Iterator<Item = (u32, u32)> {
    (0..size as u32).flat_map(|b| (0..b).map(move |a| (a, b)))
}

fn exchanges(sort_group: &ClassGroup, a: u32, b: u32) -> bool {
    matches!(sort_group, Blocks(blocks) if blocks.iter().any(|block| block.contains(&a) && block.contains(&b)))
}

fn well_formed(sort_group: &ClassGroup, size: usize) {
    match sort_group {
        Blocks(blocks) => {
            assert!(!blocks.is_empty() && blocks.is_sorted());
            assert!(blocks.iter().all(|block| block.len() > 1 && block.is_sorted_by(|a, b| a < b)));
        }
        Rotations => assert!(size > 2),
        Fixed => {}
    }
}

/// Every permutation that is claimed keeps the unfolded net, with large tables and without; and nearly all of
/// those that keep its parts are claimed.
#[test]
fn random_nets() {
    let mut dice = Dice(11);
    let (mut found, mut there, mut without, mut rotations) = (0, 0, 0, 0);
    for _ in 0..700 {
        let net = random_net(&mut dice);
        let unfoldings: Vec<Vec<Effect>> = net.transitions.iter().map(|t| unfolded(&net, t)).collect();
        for (table, count) in [(TABLE, &mut found), (0, &mut without)] {
            for (class, sort_group) in symmetry(&net, table).iter().enumerate() {
                let size = net.classes[class].elements.len();
                well_formed(sort_group, size);
                for (a, b) in pairs(size) {
                    let kept = keeps(&net, &unfoldings, class, &swap(size, a, b));
                    let claimed = exchanges(sort_group, a, b);
                    assert!(kept || !claimed, "{a} and {b} of {class} in {net:?}");
                    *count += usize::from(claimed);
                    there += usize::from(kept && table > 0 && keeps_parts(&net, class, &swap(size, a, b)));
                }
                if *sort_group == Rotations {
                    assert!(keeps(&net, &unfoldings, class, &rotation(size)), "rotating {class} in {net:?}");
                    rotations += 1;
                }
            }
        }
    }
    assert!(found > 1000 && 100 * found > 98 * there, "{found} of {there}");
    assert!(without < found && 10 * without > 5 * found, "{without} of {found}");
    assert!(rotations > 15, "{rotations}");
}

/// What is left for a question is exactly what keeps the factors of its sums.
#[test]
fn random_sums() {
    let mut dice = Dice(12);
    let (mut kept, mut lost) = (0, 0);
    for _ in 0..2000 {
        let classes: Vec<Class> = (0..2).map(|_| class(1 + dice.below(4))).collect();
        let mut net = Net { classes, ..Net::default() };
        net.places = (0..2)
            .map(|_| place(&(0..1 + dice.below(2)).map(|_| dice.below(2) as u32).collect::<Vec<_>>(), vec![]))
            .collect();
        let mut sum = |count: usize| -> Sum {
            let tokens = (0..dice.below(count)).map(|_| {
                let place = dice.below(2);
                let domain = &net.places[place].domain;
                let colour = dice.below(net.colours(domain).unwrap());
                let colour = (!dice.one_in(4)).then(|| net.colour(domain, colour));
                (1 + dice.below(2) as i64, Tokens { place: PlaceId(place as u32), colour })
            });
            Sum { constant: 0, tokens: tokens.collect() }
        };
        let (left, right) = (sum(4), sum(4));
        let factors = |at: usize| -> Vec<i64> {
            let domain = &net.places[at].domain;
            let of = |sum: &Sum, colour: usize| -> i64 {
                let names = |tokens: &Tokens| {
                    tokens.place.index() == at
                        && tokens.colour.as_ref().is_none_or(|named| net.number(domain, named) == colour)
                };
                sum.tokens.iter().filter(|(_, tokens)| names(tokens)).map(|term| term.0).sum()
            };
            (0..net.colours(domain).unwrap()).map(|colour| of(&left, colour) - of(&right, colour)).collect()
        };
        let keeps = |class: usize, permutation: &[u32]| {
            (0..2).all(|at| {
                moved(&net, &net.places[at].domain, &factors(at), class, permutation) == factors(at)
            })
        };
        let asked = NetQuestion::Invariant(Formula::Not(Box::new(Formula::Atom(Atom::Compare(
            Compare::Le,
            left.clone(),
            right.clone(),
        )))));
        let query = Query { name: String::new(), text: String::new(), asked };
        let full = symmetry(&net, TABLE);
        let rings: Vec<ClassGroup> = net
            .classes
            .iter()
            .map(|class| if class.elements.len() > 2 { Rotations } else { Fixed })
            .collect();
        for (class, sort_group) in colour_stabiliser(&net, &full, [&query]).iter().enumerate() {
            let size = net.classes[class].elements.len();
            well_formed(sort_group, size);
            for (a, b) in pairs(size) {
                assert_eq!(exchanges(sort_group, a, b), keeps(class, &swap(size, a, b)));
                *(if exchanges(sort_group, a, b) { &mut kept } else { &mut lost }) += 1;
            }
            assert!(*sort_group != Rotations || keeps(class, &rotation(size)));
        }
        for (class, sort_group) in colour_stabiliser(&net, &rings, [&query]).iter().enumerate() {
            let size = net.classes[class].elements.len();
            assert_eq!(*sort_group == Rotations, size > 2 && keeps(class, &rotation(size)));
        }
    }
    assert!(kept > 1000 && lost > 1000, "{kept} {lost}");
}

/// One class, one place over it with no tokens, and one transition with two variables.
fn simple(size: usize, guard: Guard, inscription: Inscription) -> Net {
    let transition = Transition {
        guard,
        variables: vec![VariableId(0), VariableId(1)],
        inputs: vec![arc(0, inscription)],
        ..Transition::default()
    };
    Net {
        coloured: true,
        classes: vec![class(size)],
        partitions: vec![Partition {
            name: String::new(),
            class: ClassId(0),
            blocks: vec![String::new(); 2],
            block: (0..size as u32).map(|x| u32::from(x % 3 == 0)).collect(),
        }],
        variables: vec![variable(0), variable(0)],
        places: vec![place(&[0], vec![0; size])],
        transitions: vec![transition],
        ..Net::default()
    }
}

fn check(net: &Net, expected: ClassGroup) {
    assert_eq!(colour_symmetry(net), [expected]);
}

fn all(size: u32) -> ClassGroup {
    Blocks(vec![(0..size).collect()])
}

#[test]
fn inscriptions() {
    let of = |inscription: Inscription| simple(5, Guard::True, inscription);
    let constant = |x| vec![Term::Constant(x)];
    check(&of(vec![(1, vec![var(0)]), (1, vec![Term::All]), (-1, vec![var(1)])]), all(5));
    check(&of(vec![(1, vec![Term::Variable(VariableId(0), 1)])]), Rotations);
    check(&of(vec![(1, vec![Term::Variable(VariableId(0), -5)])]), all(5));
    check(&of(vec![(1, constant(2))]), Blocks(vec![vec![0, 1, 3, 4]]));
    check(&of((0..5).map(|x| (3, constant(x))).collect()), all(5));
    check(
        &of(vec![(1, constant(1)), (1, constant(3)), (1, vec![var(0)])]),
        Blocks(vec![vec![0, 2, 4], vec![1, 3]]),
    );
    check(&of(vec![(1, vec![Term::All]), (-1, constant(4))]), Blocks(vec![vec![0, 1, 2, 3]]));
    check(&of(vec![(1, vec![Term::Variable(VariableId(0), 1)]), (1, constant(0))]), Fixed);
    check(&simple(2, Guard::True, vec![(1, vec![Term::Variable(VariableId(0), 1)])]), all(2));
    check(&simple(1, Guard::True, vec![(1, vec![Term::Variable(VariableId(0), 1)])]), Fixed);
}

#[test]
fn pairs_of_constants_and_variables() {
    let mut net = simple(4, Guard::True, vec![(1, vec![var(0)])]);
    net.places.push(place(&[0, 0], vec![0; 16]));
    let pair = |x, y| (1, vec![x, y]);
    let constant = Term::Constant;
    net.transitions[0].outputs = vec![arc(1, vec![pair(var(0), constant(1)), pair(var(0), constant(2))])];
    check(&net, Blocks(vec![vec![0, 3], vec![1, 2]]));
    net.transitions[0].outputs =
        vec![arc(1, vec![pair(constant(1), constant(2)), pair(constant(2), constant(1))])];
    check(&net, Blocks(vec![vec![0, 3], vec![1, 2]]));
    net.transitions[0].outputs = vec![arc(1, vec![pair(constant(1), constant(2))])];
    check(&net, Blocks(vec![vec![0, 3]]));
    net.transitions[0].outputs =
        vec![arc(1, (0..4).map(|x| pair(constant(x), constant((x + 1) % 4))).collect())];
    check(&net, Rotations);
}

#[test]
fn guards() {
    let size = 1000;
    let of = |guard: Guard| simple(size, guard, vec![(1, vec![var(0)])]);
    let blocks = |op, left, right| {
        Guard::Compare(Comparison { op, class: ClassId(0), partition: Some(PartitionId(0)), left, right })
    };
    let [x, y] = [0, 1].map(var);
    let next = Term::Variable(VariableId(1), 1);
    let thirds =
        Blocks(vec![(0..1000).filter(|x| x % 3 == 0).collect(), (0..1000).filter(|x| x % 3 != 0).collect()]);
    let below = |bound| compare(Compare::Lt, x, Term::Constant(bound));
    check(&of(compare(Compare::Ne, x, y)), all(1000));
    check(&of(compare(Compare::Eq, x, next)), Rotations);
    check(&of(compare(Compare::Lt, x, y)), Fixed);
    check(&of(below(10)), Blocks(vec![(0..10).collect(), (10..1000).collect()]));
    check(&of(Guard::Or(vec![below(10), Guard::Not(Box::new(below(10)))])), all(1000));
    check(
        &of(Guard::And(vec![below(20), compare(Compare::Ne, x, y), Guard::Not(Box::new(below(10)))])),
        Blocks(vec![(0..10).chain(20..1000).collect(), (10..20).collect()]),
    );
    check(&of(blocks(Compare::Eq, Operand::Element(x), Operand::Block(1))), thirds.clone());
    check(&of(blocks(Compare::Ne, Operand::Element(x), Operand::Element(y))), thirds.clone());
    check(&of(blocks(Compare::Lt, Operand::Element(x), Operand::Element(y))), thirds);
    let small = simple(5, Guard::Or(vec![compare(Compare::Lt, x, y), compare(Compare::Lt, y, x)]), vec![]);
    check(&small, all(5));
}

#[test]
fn markings() {
    let mut net = simple(1000, Guard::True, vec![(1, vec![var(0)])]);
    net.places[0].initial = (0..1000).map(|x| u64::from(x < 3)).collect();
    check(&net, Blocks(vec![(0..3).collect(), (3..1000).collect()]));
    net.places[0].initial = vec![1; 1000];
    net.places.push(place(&[0, 0], (0..1_000_000).map(|at| u64::from(at / 1000 == at % 1000)).collect()));
    check(&net, all(1000));
    net.places[1].initial = (0..1_000_000).map(|at| u64::from(at / 1000 != at % 1000)).collect();
    check(&net, all(1000));
    net.places[1].initial = (0..1_000_000).map(|at| u64::from((at / 1000 + 1) % 1000 == at % 1000)).collect();
    check(&net, Rotations);
    net.places[1].initial[0] += 1;
    check(&net, Fixed);
}
