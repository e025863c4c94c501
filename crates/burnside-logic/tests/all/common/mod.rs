//! Formulas and words, all small ones and random larger ones.
#![allow(dead_code)]

use burnside_logic::{AtomId, Lasso, Ltl};

pub fn atom(atom: u32) -> Ltl {
    Ltl::Atom(AtomId(atom))
}

fn one(of: usize, a: Ltl) -> Ltl {
    let a = Box::new(a);
    [Ltl::Not, Ltl::Next, Ltl::Finally, Ltl::Globally][of](a)
}

fn two(of: usize, a: Ltl, b: Ltl) -> Ltl {
    match of {
        0 => Ltl::And(vec![a, b]),
        1 => Ltl::Or(vec![a, b]),
        _ => {
            let two = Box::new([a, b]);
            [Ltl::Until, Ltl::Release, Ltl::WeakUntil, Ltl::StrongRelease, Ltl::Implies, Ltl::Iff][of - 2](
                two,
            )
        }
    }
}

/// All formulas of exactly so many operators and atoms, but for implications and equivalences.
pub fn formulas(size: usize, atoms: u32) -> Vec<Ltl> {
    let mut by_size: Vec<Vec<Ltl>> = vec![Vec::new()];
    for size in 1..=size {
        let mut all = Vec::new();
        if size == 1 {
            all.extend((0..atoms).map(atom));
            all.extend([Ltl::True, Ltl::False]);
        }
        for below in &by_size[size - 1] {
            all.extend((0..4).map(|of| one(of, below.clone())));
        }
        for left in 1..size.saturating_sub(1) {
            for a in &by_size[left] {
                for b in &by_size[size - 1 - left] {
                    all.extend((0..6).map(|of| two(of, a.clone(), b.clone())));
                }
            }
        }
        by_size.push(all);
    }
    by_size.pop().expect("at least one")
}

/// All words with stems and loops of at most these lengths.
pub fn words(stem: usize, cycle: usize, atoms: u32) -> Vec<Lasso> {
    let letters = 1usize << atoms;
    let mut words = Vec::new();
    for (stem, cycle) in (0..=stem).flat_map(|stem| (1..=cycle).map(move |cycle| (stem, cycle))) {
        for code in 0..letters.pow((stem + cycle) as u32) {
            let letter =
                |at: usize| vec![(code / letters.pow(at as u32) % letters) as u64].into_boxed_slice();
            words.push(Lasso {
                stem: (0..stem).map(letter).collect(),
                cycle: (stem..stem + cycle).map(letter).collect(),
            });
        }
    }
    words
}

/// A random generator (xorshift).
pub struct Random(pub u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Random {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize) % bound
    }

    /// A formula of so many operators and atoms.
    pub fn formula(&mut self, size: usize, atoms: u32) -> Ltl {
        match size {
            0 | 1 => match self.below(12) {
                0 => Ltl::True,
                1 => Ltl::False,
                _ => atom(self.below(atoms as usize) as u32),
            },
            2 => one(self.below(4), self.formula(1, atoms)),
            _ if self.below(2) == 0 => one(self.below(4), self.formula(size - 1, atoms)),
            _ => {
                let left = 1 + self.below(size - 2);
                two(self.below(8), self.formula(left, atoms), self.formula(size - 1 - left, atoms))
            }
        }
    }

    /// A word.
    pub fn word(&mut self, stem: usize, cycle: usize, atoms: u32) -> Lasso {
        let (stem, cycle) = (self.below(stem + 1), 1 + self.below(cycle));
        let mut letters =
            |count: usize| (0..count).map(|_| vec![self.below(1 << atoms) as u64].into()).collect();
        Lasso { stem: letters(stem), cycle: letters(cycle) }
    }
}
