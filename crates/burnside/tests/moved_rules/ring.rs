//! Small nets made by hand: places in a ring with tokens, each transition a rule of its own.

use burnside::Model;
use burnside::ts::{
    Cell, Claim, Compare, Conjunct, Expr, Fair, Formula, Freedom, Motion, Place, Process, ProcessId,
    Property, Root, Rule, RuleId, SortId, SortKind, Stmt, Strength, Symmetry, System, Temporal, Type, Types,
    UnitFamily, UnitId, Var,
};

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

    /// Where a place, counted around, keeps its token.
    fn cell(&self, place: u32) -> Cell {
        Cell { offset: place % self.places, width: 1, bias: 0 }
    }

    /// Whether a place has a token.
    pub fn marked(&self, place: u32) -> Expr {
        Expr::Cell(self.cell(place))
    }

    /// Whether two places next to each other have one.
    pub fn crowded(&self) -> Expr {
        let both = |i| Expr::And(Box::new([self.marked(i), self.marked(i + 1)]));
        let all = (0..self.places).map(both);
        all.reduce(|a, b| Expr::Or(Box::new([a, b]))).unwrap()
    }

    /// One step around.
    pub fn turn(&self) -> Motion {
        let n = self.places;
        let places = (0..n).map(|i| (i + 1) % n).collect();
        let rules = (0..self.kinds.len()).flat_map(|kind| (0..n).map(move |i| (kind, i)));
        Motion { images: vec![places, rules.map(|(kind, i)| self.rule_at(kind, i + 1)).collect()] }
    }

    /// The reflection that keeps place 0. What goes forth goes back.
    pub fn mirror(&self) -> Motion {
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
        Motion { images: vec![places, rules.map(|(kind, i)| self.rule_at(opposite(kind), n - i)).collect()] }
    }

    /// The transition system.
    pub fn system(&self, fairness: Fairness, properties: Vec<Property>) -> System {
        let mut types = Types::new();
        let rules = self.kinds.len() as u32 * self.places;
        let places = types.declare_sort("Place", self.places, SortKind::Symmetric).unwrap();
        types.declare_sort("Transition", rules, SortKind::Symmetric).unwrap();
        let token = types.intern(Type::Bool).unwrap();
        let ty = types.intern(Type::Array { index: places, element: token }).unwrap();
        let whole =
            Place { root: Root::State, offset: 0, indices: Box::new([]), width: self.places, bias: 0 };
        let count = (0..self.places).map(|i| self.marked(i)).reduce(|sum, cell| {
            Expr::Arith(burnside::ts::Arith::Add, Box::new([sum, cell]), burnside::ts::SiteId(0))
        });
        let right = Expr::compare(Compare::Eq, count.unwrap(), Expr::Const(self.tokens));
        let generators = match self.mirrored {
            true => vec![self.turn(), self.mirror()],
            false => vec![self.turn()],
        };
        System {
            types,
            vars: vec![Var { name: "m".into(), process: None, qualified: false, ty, offset: 0 }],
            width: self.places,
            frame: 1,
            processes: (0..rules).map(|i| Process { name: format!("t{i}"), indices: Vec::new() }).collect(),
            rules: (0..rules).map(|i| self.rule(i)).collect(),
            functions: Vec::new(),
            init: Box::new([Stmt::Choose(whole, ty), Stmt::Assume(right)]),
            fairness: fairness.map_or_else(Vec::new, |(of_rules, strength)| {
                let target = |i| if of_rules { Fair::Rule(RuleId(i)) } else { Fair::Process(ProcessId(i)) };
                (0..rules)
                    .map(|i| UnitFamily { target: target(i), strength, first: UnitId(i), count: 1 })
                    .collect()
            }),
            properties,
            observed: Vec::new(),
            hints: Vec::new(),
            deadlock_free: false,
            symmetry: Symmetry { sorts: vec![Freedom::Fixed; 2], generators },
            rule_sort: Some(SortId(1)),
            sites: vec![burnside::ts::Site {
                text: String::new(),
                origin: 0,
                line: 1,
                column: 1,
                message: None,
            }],
        }
    }

    fn rule(&self, id: u32) -> Rule {
        let (kind, place) = (self.kinds[(id / self.places) as usize], id % self.places);
        let target = match kind {
            Kind::Forth => Some(place + 1),
            Kind::Back => Some(place + self.places - 1),
            Kind::Stay => None,
        };
        let mut guard = vec![Conjunct { level: 0, condition: self.marked(place) }];
        guard.extend(target.map(|target| Conjunct { level: 0, condition: self.marked(target).negate() }));
        let store = |place: u32, value| {
            let Cell { offset, width, bias } = self.cell(place);
            let place = Place { root: Root::State, offset, indices: Box::new([]), width, bias };
            Stmt::Store(place, Expr::Const(value))
        };
        let body = target.map_or_else(Vec::new, |target| vec![store(place, 0), store(target, 1)]);
        Rule {
            name: "fire".into(),
            process: ProcessId(id),
            params: Vec::new(),
            args: 0..0,
            guard,
            body: body.into(),
        }
    }

    /// A property with the motions that keep it.
    pub fn property(&self, name: &str, claim: Claim, generators: Vec<Motion>) -> Property {
        let symmetry = Symmetry { sorts: vec![Freedom::Fixed; 2], generators };
        Property { name: name.into(), text: name.into(), claim, symmetry, named: None }
    }
}

/// A model of a system; the text that goes with it says nothing.
pub fn model(system: System) -> Model {
    let loaded = Model::load("var x: bool; process P { rule r { x = !x; } }", &[]);
    Model { system, ..loaded.model.unwrap() }
}

pub fn atom(condition: Expr, text: &str) -> Formula {
    Formula::Atom(condition, text.into())
}

pub fn finally(inner: Formula) -> Formula {
    Formula::Temporal(None, Temporal::Finally(Box::new(inner)))
}

pub fn globally(inner: Formula) -> Formula {
    Formula::Temporal(None, Temporal::Globally(Box::new(inner)))
}

pub fn not(inner: Formula) -> Formula {
    Formula::Not(Box::new(inner))
}
