//! Random formulas: what is shown is read as the same formula.

use crate::questions::support::{net, pair};
use burnside_petri::{
    Atom, Formula, Net, NetQuestion, PlaceId, Sum, Tokens, TransitionId, parse_query, show,
};
use burnside_ts::Kind::{self, Bound, Ctl, Invariant, Ltl, Reachable};
use burnside_ts::{Compare, Path};

/// Random numbers from a fixed seed.
struct Random(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Random {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn tokens(&mut self, net: &Net) -> Tokens {
        let place = PlaceId(self.below(net.places.len()) as u32);
        let domain = &net.place(place).domain;
        let coloured = !domain.is_empty() && self.below(2) == 0;
        let colours = net.colours(domain).expect("few");
        let colour = coloured.then(|| net.colour(domain, self.below(colours)));
        Tokens { place, colour }
    }

    fn sum(&mut self, net: &Net) -> Sum {
        let numbers = [0, 0, 1, 1, 1, 2, -1, -7, i64::MAX, i64::MIN];
        let tokens = (0..self.below(4)).map(|_| (self.pick(&numbers), self.tokens(net))).collect();
        Sum { constant: self.pick(&numbers), tokens }
    }

    fn atom(&mut self, net: &Net) -> Atom {
        match self.below(6) {
            0 => Atom::Constant(self.below(2) == 0),
            1 => Atom::Deadlock,
            2 => {
                let one = |random: &mut Self| TransitionId(random.below(net.transitions.len()) as u32);
                Atom::Fireable((0..1 + self.below(3)).map(|_| one(self)).collect())
            }
            _ => {
                let op = self.pick(&[Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le]);
                Atom::Compare(op, self.sum(net), self.sum(net))
            }
        }
    }

    /// A formula with at most `depth` operators inside each other.
    fn formula(&mut self, net: &Net, kind: Kind, depth: usize) -> Formula {
        let operators = if matches!(kind, Ltl | Ctl) { 12 } else { 5 };
        if depth == 0 || self.below(6) == 0 {
            return Formula::Atom(self.atom(net));
        }
        let operator = self.below(operators);
        let parts = 2 + self.below(3);
        let path = (kind == Ctl).then(|| self.pick(&[Path::All, Path::Some]));
        let mut next = || self.formula(net, kind, depth - 1);
        match operator {
            0 => Formula::Not(Box::new(next())),
            1 => Formula::And((0..parts).map(|_| next()).collect()),
            2 => Formula::Or((0..parts).map(|_| next()).collect()),
            3 => Formula::Implies(pair(next(), next())),
            4 => Formula::Iff(pair(next(), next())),
            5 => Formula::Next(path, Box::new(next())),
            6 => Formula::Finally(path, Box::new(next())),
            7 => Formula::Globally(path, Box::new(next())),
            8 => Formula::Until(path, pair(next(), next())),
            9 => Formula::Release(path, pair(next(), next())),
            10 if kind == Ltl => Formula::StrongRelease(path, pair(next(), next())),
            _ => Formula::WeakUntil(path, pair(next(), next())),
        }
    }
}

fn asked(random: &mut Random, net: &Net, kind: Kind, depth: usize) -> NetQuestion {
    match kind {
        Bound => NetQuestion::Bound((0..1 + random.below(3)).map(|_| random.sum(net)).collect()),
        Invariant => NetQuestion::Invariant(random.formula(net, kind, depth)),
        Reachable => NetQuestion::Reachable(random.formula(net, kind, depth)),
        Ltl => NetQuestion::Ltl(random.formula(net, kind, depth)),
        Ctl => NetQuestion::Ctl(random.formula(net, kind, depth)),
        _ => unreachable!("no formula asks for it"),
    }
}

#[test]
fn what_is_shown_is_read_as_the_same() {
    let net = net();
    let mut random = Random(3);
    let mut longest = 0;
    for round in 0..3000 {
        let kind = random.pick(&[Invariant, Reachable, Ltl, Ctl, Bound]);
        let asked = asked(&mut random, &net, kind, round % 6);
        let text = show(&asked, &net);
        longest = longest.max(text.len());
        let query =
            parse_query(&text, kind, "random", &net).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(query.asked, asked, "{text}");
        assert_eq!(query.text, text);
    }
    assert!(longest > 2000, "{longest}");
}

/// Without its parentheses, or with a piece of it missing, a text may be anything, but reading it never fails
/// badly.
#[test]
fn damaged_texts_are_read_or_refused() {
    let net = net();
    let mut random = Random(5);
    let mut refused = 0;
    for _ in 0..3000 {
        let kind = random.pick(&[Invariant, Ltl, Ctl, Bound]);
        let text = show(&asked(&mut random, &net, kind, 3), &net);
        let from = random.below(text.len());
        let to = (from + random.below(6)).min(text.len());
        let damaged =
            [&text[..from], random.pick(&["", "(", "]", " ", "\"", "\\", "é", "1"]), &text[to..]].concat();
        if let Err(errors) = parse_query(&damaged, kind, "random", &net) {
            refused += 1;
            assert!(!errors.is_empty());
            assert!(errors.iter().all(|error| damaged.get(error.span.clone()).is_some()), "{damaged}");
        }
    }
    assert!(refused > 1500, "{refused}");
}

#[test]
fn what_has_no_text_is_shown_as_what_it_means() {
    let net = net();
    let shown = |formula| show(&NetQuestion::Invariant(formula), &net);
    let deadlock = || Formula::Atom(Atom::Deadlock);
    assert_eq!(shown(Formula::And(vec![])), "true");
    assert_eq!(shown(Formula::Or(vec![])), "false");
    assert_eq!(shown(Formula::Atom(Atom::Fireable(vec![]))), "false");
    assert_eq!(shown(Formula::Not(Box::new(Formula::And(vec![deadlock()])))), "!deadlock");
    assert_eq!(shown(Formula::And(vec![Formula::Or(vec![deadlock()]), deadlock()])), "deadlock && deadlock");
}
