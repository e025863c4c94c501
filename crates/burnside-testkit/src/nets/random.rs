//! Random nets: few places and transitions, small classes, most of them symmetric, some with constants,
//! circles, orders and partitions.

use crate::generate::Rng;
use burnside_petri::{
    Arc, Atom, Class, ClassId, Comparison, Formula, Guard, Inscription, Net, NetQuestion, Operand, Order,
    Partition, PartitionId, Place, PlaceId, Sum, Term, Tokens, Transition, TransitionId, Variable,
    VariableId,
};
use burnside_ts::{Compare, Path};

/// How special the uses of colours are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Nothing tells colours apart.
    Alike,
    /// Successors.
    Circle,
    /// Constants, orders, partitions.
    Anything,
}

struct Maker {
    rng: Rng,
    net: Net,
    used: Use,
    extended: bool,
}

/// A net. With `coloured`, places have colours.
pub fn random_net(seed: u64, coloured: bool) -> Net {
    let mut rng = Rng::new(seed);
    let used = match rng.below(4) {
        0 | 1 => Use::Alike,
        2 => Use::Circle,
        _ => Use::Anything,
    };
    let extended = rng.below(5) == 0;
    let net = Net { name: format!("random{seed}"), coloured, ..Net::default() };
    let mut maker = Maker { rng, net, used, extended };
    if coloured {
        maker.classes();
    }
    maker.places();
    let count = 2 + maker.rng.below(3);
    for number in 0..count {
        let transition = maker.transition(number);
        maker.net.transitions.push(transition);
    }
    maker.net
}

impl Maker {
    fn below(&mut self, count: usize) -> usize {
        self.rng.below(count)
    }

    fn classes(&mut self) {
        let letters = ["a", "b", "c", "d"];
        for (class, prefix) in ["", "z"].iter().enumerate().take(1 + self.below(2)) {
            let size = 1 + self.below(4);
            let elements = letters[..size].iter().map(|letter| format!("{prefix}{letter}")).collect();
            self.net.classes.push(Class { name: format!("C{class}"), order: Order::Cyclic, elements });
            for number in 0..2 {
                let class = ClassId(class as u32);
                self.net.variables.push(Variable { name: format!("x{}{number}", class.0), class });
            }
        }
        if self.used == Use::Anything && self.below(2) == 0 {
            let size = self.net.classes[0].elements.len();
            let cut = self.below(size + 1);
            let block = (0..size).map(|element| u32::from(element >= cut)).collect::<Vec<_>>();
            if block.contains(&0) && block.contains(&1) {
                let blocks = vec!["low".to_string(), "high".to_string()];
                self.net.partitions.push(Partition {
                    name: "halves".to_string(),
                    class: ClassId(0),
                    blocks,
                    block,
                });
            }
        }
    }

    fn places(&mut self) {
        for number in 0..2 + self.below(3) {
            let classes = self.net.classes.len();
            let width = if classes == 0 { 0 } else { [0, 1, 1, 1, 2][self.below(5)] };
            let domain: Vec<ClassId> = (0..width).map(|_| ClassId(self.below(classes) as u32)).collect();
            let colours = self.net.colours(&domain).expect("small");
            let all = self.below(2) as u64;
            let mut initial = vec![if domain.is_empty() { self.below(3) as u64 } else { all }; colours];
            if self.used == Use::Anything && self.below(3) == 0 {
                initial[self.below(colours)] = self.below(2) as u64;
            }
            let id = format!("p{number}");
            self.net.places.push(Place { name: id.clone(), id, domain, initial });
        }
    }

    fn transition(&mut self, number: usize) -> Transition {
        let id = format!("t{number}");
        let mut transition = Transition { name: id.clone(), id, ..Transition::default() };
        let places = self.net.places.len();
        let takes = [self.below(places), self.below(places + 1)];
        let gives = [self.below(places), self.below(places + 2)];
        for number in 0..places {
            let place = PlaceId(number as u32);
            if takes.contains(&number) {
                transition.inputs.push(self.arc(place));
            }
            if gives.contains(&number) {
                transition.outputs.push(self.arc(place));
            }
            if self.extended {
                match self.below(8) {
                    0 => transition.reads.push(self.arc(place)),
                    1 => transition.inhibitors.push(self.arc(place)),
                    2 => transition.resets.push(place),
                    _ => {}
                }
            }
        }
        if !self.net.variables.is_empty() && self.below(2) == 0 {
            transition.guard = self.guard(2);
        }
        transition.variables = variables(&transition);
        transition
    }

    fn arc(&mut self, place: PlaceId) -> Arc {
        let domain = self.net.place(place).domain.clone();
        let mut inscription: Inscription = Vec::new();
        for _ in 0..[1, 1, 1, 2][self.below(4)] {
            let pattern: Vec<Term> = domain.iter().map(|&class| self.term(class, true)).collect();
            match inscription.iter_mut().find(|(_, known)| *known == pattern) {
                Some((weight, _)) => *weight += 1,
                None => inscription.push(([1, 1, 1, 2][self.below(4)], pattern)),
            }
        }
        let is_all = inscription.len() == 1 && inscription[0].1.iter().all(|term| *term == Term::All);
        if is_all && !domain.is_empty() {
            let less: Vec<Term> = domain.iter().map(|&class| self.term(class, false)).collect();
            inscription.push((-1, less));
        }
        Arc { place, inscription }
    }

    fn term(&mut self, class: ClassId, all: bool) -> Term {
        let size = self.net.class(class).elements.len();
        match self.below(8) {
            0 if all => Term::All,
            1 if self.used == Use::Anything => Term::Constant(self.below(size) as u32),
            2 | 3 if self.used != Use::Alike => Term::Variable(self.variable(class), self.below(size) as i64),
            _ => Term::Variable(self.variable(class), 0),
        }
    }

    fn variable(&mut self, class: ClassId) -> VariableId {
        VariableId(class.0 * 2 + self.below(2) as u32)
    }

    fn guard(&mut self, depth: u32) -> Guard {
        match self.below(8) {
            0 if depth > 0 => Guard::Not(Box::new(self.guard(depth - 1))),
            1 if depth > 0 => Guard::And(vec![self.guard(depth - 1), self.guard(depth - 1)]),
            2 if depth > 0 => Guard::Or(vec![self.guard(depth - 1), self.guard(depth - 1)]),
            _ => Guard::Compare(self.comparison()),
        }
    }

    fn comparison(&mut self) -> Comparison {
        let class = ClassId(self.below(self.net.classes.len()) as u32);
        if class.0 == 0 && !self.net.partitions.is_empty() && self.below(2) == 0 {
            let left = Operand::Element(self.term(class, false));
            let right = match self.below(2) {
                0 => Operand::Element(self.term(class, false)),
                _ => Operand::Block(self.below(2) as u32),
            };
            let op = [Compare::Eq, Compare::Ne, Compare::Lt][self.below(3)];
            return Comparison { op, class, partition: Some(PartitionId(0)), left, right };
        }
        let (left, right) =
            (Operand::Element(self.term(class, false)), Operand::Element(self.term(class, false)));
        let op = match self.used {
            Use::Anything => [Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le][self.below(4)],
            _ => [Compare::Eq, Compare::Ne][self.below(2)],
        };
        Comparison { op, class, partition: None, left, right }
    }
}

/// The variables that a transition mentions, in the order of the net.
fn variables(transition: &Transition) -> Vec<VariableId> {
    let arcs = transition.inputs.iter().chain(&transition.outputs).chain(&transition.reads);
    let arcs = arcs.chain(&transition.inhibitors);
    let mut found: Vec<VariableId> = Vec::new();
    let mut note = |term: &Term| {
        if let Term::Variable(variable, _) = term {
            found.push(*variable);
        }
    };
    arcs.flat_map(|arc| &arc.inscription).flat_map(|(_, pattern)| pattern).for_each(&mut note);
    let mut open = vec![&transition.guard];
    while let Some(guard) = open.pop() {
        match guard {
            Guard::True | Guard::False => {}
            Guard::Not(inner) => open.push(inner),
            Guard::And(parts) | Guard::Or(parts) => open.extend(parts),
            Guard::Compare(comparison) => {
                for operand in [comparison.left, comparison.right] {
                    if let Operand::Element(term) = operand {
                        note(&term);
                    }
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A question about a net: an invariant, something reachable, a bound, or a branching-time formula.
pub fn random_query(rng: &mut Rng, net: &Net) -> NetQuestion {
    match rng.below(6) {
        0 => NetQuestion::Invariant(formula(rng, net, 2, false)),
        1 => NetQuestion::Reachable(formula(rng, net, 2, false)),
        2 => NetQuestion::Bound(vec![sum(rng, net)]),
        _ => NetQuestion::Ctl(formula(rng, net, 4, true)),
    }
}

/// A linear-time formula that the interpreter can judge.
pub fn random_linear(rng: &mut Rng, net: &Net) -> NetQuestion {
    // Often about how full places are: what is asked where they have too little room shows.
    let condition = |rng: &mut Rng| match rng.below(2) {
        0 => formula(rng, net, 1, false),
        _ => {
            let most = Sum { constant: 1 + rng.below(4) as i64, tokens: Vec::new() };
            Formula::Atom(Atom::Compare(Compare::Le, sum(rng, net), most))
        }
    };
    let finally = |rng: &mut Rng| Formula::Finally(None, Box::new(condition(rng)));
    NetQuestion::Ltl(match rng.below(7) {
        0 | 1 => Formula::Globally(None, Box::new(condition(rng))),
        2 => finally(rng),
        3 => Formula::Globally(None, Box::new(finally(rng))),
        4 => {
            let response = Formula::Implies(Box::new([condition(rng), finally(rng)]));
            Formula::Globally(None, Box::new(response))
        }
        5 => Formula::Until(None, Box::new([condition(rng), condition(rng)])),
        _ => Formula::Release(None, Box::new([condition(rng), condition(rng)])),
    })
}

fn formula(rng: &mut Rng, net: &Net, depth: u32, temporal: bool) -> Formula {
    if depth == 0 {
        return Formula::Atom(atom(rng, net));
    }
    let sub = |rng: &mut Rng| formula(rng, net, depth - 1, temporal);
    match rng.below(if temporal { 12 } else { 4 }) {
        0 => Formula::Atom(atom(rng, net)),
        1 => Formula::Not(Box::new(sub(rng))),
        2 => Formula::And(vec![sub(rng), sub(rng)]),
        3 => Formula::Or(vec![sub(rng), sub(rng)]),
        choice => {
            let path = Some([Path::All, Path::Some][rng.below(2)]);
            match choice {
                4 => Formula::Next(path, Box::new(sub(rng))),
                5 | 6 => Formula::Finally(path, Box::new(sub(rng))),
                7 | 8 => Formula::Globally(path, Box::new(sub(rng))),
                9 => Formula::Until(path, Box::new([sub(rng), sub(rng)])),
                10 => Formula::Release(path, Box::new([sub(rng), sub(rng)])),
                _ => Formula::WeakUntil(path, Box::new([sub(rng), sub(rng)])),
            }
        }
    }
}

fn atom(rng: &mut Rng, net: &Net) -> Atom {
    match rng.below(6) {
        0 => Atom::Deadlock,
        1 | 2 => Atom::Fireable(vec![TransitionId(rng.below(net.transitions.len()) as u32)]),
        _ => {
            let op = [Compare::Le, Compare::Lt, Compare::Eq, Compare::Ne][rng.below(4)];
            let constant = Sum { constant: rng.below(3) as i64, tokens: Vec::new() };
            match rng.below(2) {
                0 => Atom::Compare(op, constant, sum(rng, net)),
                _ => Atom::Compare(op, sum(rng, net), sum(rng, net)),
            }
        }
    }
}

fn sum(rng: &mut Rng, net: &Net) -> Sum {
    let mut tokens = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let place = PlaceId(rng.below(net.places.len()) as u32);
        let domain = &net.place(place).domain;
        let colour = (!domain.is_empty() && rng.below(4) == 0).then(|| {
            let part = |class: &ClassId| rng.below(net.class(*class).elements.len()) as u32;
            domain.iter().map(part).collect()
        });
        let known =
            tokens.iter().any(|(_, known): &(i64, Tokens)| known.place == place && known.colour == colour);
        if !known {
            tokens.push((1, Tokens { place, colour }));
        }
    }
    Sum { constant: 0, tokens }
}
