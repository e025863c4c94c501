//! Small nets made by hand: places in a ring with tokens, each transition a rule of its own.

use burnside::{LoadOptions, Model};
use burnside_ts::builder::{Operators, SystemBuilder, Term, Variable, any, assume, count, set};
use burnside_ts::{Permutation, SortGroup, SortId, SparsePermutation, Strength, Symmetry, System};

/// What a transition does at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Moves a token to the next place if that is empty.
    Forth,
    /// Moves a token to the place before if that is empty.
    Back,
    /// Needs a token and leaves it.
    Stay,
}

/// A ring of places.
#[derive(Clone, Debug)]
pub struct Ring {
    pub places: u32,
    pub tokens: i64,
    /// Each place has one transition of each of these.
    pub kinds: Vec<Kind>,
    /// Whether the ring may be reflected as well as turned: needs as many kinds forth as back.
    pub mirrored: bool,
}

/// Whose fairness: of rules or of processes.
pub type Fairness = Option<(bool, Strength)>;

impl Ring {
    /// The rule of a kind (by position) at a place.
    fn rule_at(&self, kind: usize, place: u32) -> u32 {
        kind as u32 * self.places + place % self.places
    }

    /// One step around.
    pub fn turn(&self) -> Permutation {
        let n = self.places;
        let places = (0..n).map(|i| (i + 1) % n).collect();
        let rules = (0..self.kinds.len()).flat_map(|kind| (0..n).map(move |i| (kind, i)));
        Permutation { images: vec![places, rules.map(|(kind, i)| self.rule_at(kind, i + 1)).collect()] }
    }

    /// The reflection that keeps place 0. What goes forth goes back.
    pub fn mirror(&self) -> Permutation {
        let n = self.places;
        let opposite = |kind: usize| {
            let wanted = match self.kinds[kind] {
                Kind::Forth => Kind::Back,
                Kind::Back => Kind::Forth,
                Kind::Stay => Kind::Stay,
            };
            // The first of a kind goes to the first of the opposite kind, and so on.
            let rank = self.kinds[..kind].iter().filter(|it| **it == self.kinds[kind]).count();
            (0..self.kinds.len()).filter(|&it| self.kinds[it] == wanted).nth(rank).unwrap()
        };
        let places = (0..n).map(|i| (n - i) % n).collect();
        let rules = (0..self.kinds.len()).flat_map(|kind| (0..n).map(move |i| (kind, i)));
        Permutation {
            images: vec![places, rules.map(|(kind, i)| self.rule_at(opposite(kind), n - i)).collect()],
        }
    }

    /// Permutations that generate all that are claimed.
    pub fn generators(&self) -> Vec<Permutation> {
        match self.mirrored {
            true => vec![self.turn(), self.mirror()],
            false => vec![self.turn()],
        }
    }

    /// The transition system without properties.
    pub fn system(&self, fairness: Fairness) -> System {
        self.asked(fairness, |_, _| Vec::new())
    }

    /// The transition system with properties. These are told with the permutations that keep each.
    pub fn asked(
        &self,
        fairness: Fairness,
        ask: impl FnOnce(&mut SystemBuilder, Tokens) -> Vec<Vec<Permutation>>,
    ) -> System {
        let mut b = SystemBuilder::new();
        let place = b.symmetric("Place", self.places);
        let rules = self.kinds.len() as u32 * self.places;
        b.symmetric("Transition", rules);
        let marking = b.array(place, b.truth());
        let tokens = Tokens { marking: b.var("m", marking, any()), places: self.places };
        let p = b.name("p", place);
        b.init(assume(count([p], tokens.marking.at(p)).eq(self.tokens)));
        b.allow_deadlock();
        (0..rules).for_each(|rule| self.rule(&mut b, tokens, rule, fairness));
        let kept = ask(&mut b, tokens);
        let mut system = b.build().unwrap();
        let symmetry = |generators: Vec<Permutation>| Symmetry {
            generators: generators.iter().map(SparsePermutation::from).collect(),
            ..Symmetry::product(vec![SortGroup::Fixed; 2])
        };
        for (property, kept) in system.properties.iter_mut().zip(kept) {
            property.symmetry = symmetry(kept);
        }
        System { symmetry: symmetry(self.generators()), rule_sort: Some(SortId(1)), ..system }
    }

    fn rule(&self, b: &mut SystemBuilder, tokens: Tokens, id: u32, fairness: Fairness) {
        let (kind, place) = (self.kinds[(id / self.places) as usize], id % self.places);
        let process = b.process(&format!("t{id}"), &[]);
        let rule = b.rule(process, "fire").when(tokens.at(place));
        let target = match kind {
            Kind::Forth => Some(place + 1),
            Kind::Back => Some(place + self.places - 1),
            Kind::Stay => None,
        };
        if let Some(target) = target {
            rule.when(tokens.at(target).not());
            rule.then(set(tokens.at(place), false)).then(set(tokens.at(target), true));
        }
        match fairness {
            Some((true, strength)) => drop(rule.fair(strength)),
            Some((false, strength)) => b.fair(process, strength),
            None => {}
        }
    }
}

/// The tokens of a ring that is built.
#[derive(Clone, Copy)]
pub struct Tokens {
    marking: Variable,
    places: u32,
}

impl Tokens {
    /// Whether a place, counted around, has a token.
    pub fn at(self, place: u32) -> Term {
        self.marking.at(place % self.places)
    }

    /// Whether two places next to each other have one.
    pub fn crowded(self) -> Term {
        (0..self.places).map(|i| self.at(i).and(self.at(i + 1))).reduce(Operators::or).unwrap()
    }
}

/// A model of a system.
pub fn model(system: System) -> Model {
    Model::load(system, &LoadOptions::new()).model.unwrap()
}
