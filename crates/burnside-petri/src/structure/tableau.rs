//! Systems of linear inequalities over what is at least 0, solved by the simplex method in exact numbers.
//!
//! Entry points: [`Tableau::of`], [`Tableau::require`], [`Tableau::greatest`]. The columns are the tokens
//! of each cell and how often each kind of firing happens; the tokens are at first basic, as the state
//! equation says, so the tableau starts with a solution. An inequality is a further row, with what it
//! leaves as its variable, and is made true by pivots on the columns that help; if none does, the row
//! itself shows that it cannot be true, and is read off as weights ([`Weighing`]). A row is of whole
//! numbers without a common divisor. One that would not fit 64 bits ends the work, and so does too much
//! work: both mean that nothing is known.

use super::flat::{Firing, Flat};
use super::goal::AtMost;
use burnside_limits::poll;
use std::collections::BTreeSet;

/// `scale * basic = constant + terms`, by column, in order, without zeros.
#[derive(Clone, Debug)]
struct Equality {
    basic: u32,
    scale: i64,
    constant: i64,
    terms: Vec<(u32, i64)>,
}

/// The inequalities so far, and a solution of them.
#[derive(Clone, Debug)]
pub(crate) struct Tableau {
    rows: Vec<Equality>,
    /// Columns below are tokens.
    cells: u32,
    /// Columns from here on are what inequalities leave, in their order.
    slack: u32,
    /// How many inequalities there are.
    required: u32,
}

/// How much may be done still: numbers that are computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work(pub u64);

impl Work {
    pub fn spend(&mut self, amount: usize) -> Option<()> {
        poll();
        self.0 = self.0.checked_sub(amount as u64 + 1)?;
        Some(())
    }
}

/// Why inequalities cannot all be true: added up with these weights, none negative, they contradict the
/// tokens of all cells together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weighing {
    /// The weights of inequalities, by their number.
    pub required: Vec<(usize, i64)>,
    /// The weights of what is known of every cell: its tokens are at least 0.
    pub cells: Vec<(u32, i64)>,
}

/// What came of an inequality.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Required {
    /// There is a solution.
    Possible,
    /// There is none.
    Impossible(Weighing),
}

impl Tableau {
    /// What the state equation says of a net in which nothing is emptied.
    pub fn of(flat: &Flat) -> Self {
        let cells = flat.initial.len() as u32;
        let changes: BTreeSet<_> = flat.firings.iter().map(Firing::change).collect();
        let mut terms: Vec<Vec<(u32, i64)>> = vec![Vec::new(); flat.initial.len()];
        let mut column = cells;
        for change in changes.into_iter().filter(|change| !change.is_empty()) {
            for (cell, weight) in change {
                terms[cell as usize].push((column, weight));
            }
            column += 1;
        }
        let rows = flat.initial.iter().zip(terms).enumerate();
        let row = |(cell, (&constant, terms))| Equality { basic: cell as u32, scale: 1, constant, terms };
        Self { rows: rows.map(row).collect(), cells, slack: column, required: 0 }
    }

    /// Adds an inequality. None: not known what comes of it.
    pub fn require(&mut self, sum: &AtMost, work: &mut Work) -> Option<Required> {
        let weights: Vec<(u32, i64)> = sum.weights.iter().map(|&(cell, weight)| (cell, -weight)).collect();
        let (basic, constant) = (self.slack + self.required, i128::from(sum.most));
        self.required += 1;
        let row = self.expressed(basic, constant, &weights, work)?;
        self.rows.push(row);
        let at = self.rows.len() - 1;
        if !self.raise(at, Some(0), work)? {
            return Some(Required::Impossible(self.weighing(at)));
        }
        Some(Required::Possible)
    }

    /// The greatest value of a weighted sum of tokens, rounded down; none: there is none, or it is not known.
    pub fn greatest(&self, weights: &[(u32, i64)], work: &mut Work) -> Option<i64> {
        let mut tried = self.clone();
        let row = tried.expressed(u32::MAX, 0, weights, work)?;
        tried.rows.push(row);
        let at = tried.rows.len() - 1;
        tried.raise(at, None, work)?;
        Some(tried.rows[at].constant.div_euclid(tried.rows[at].scale))
    }

    /// How many numbers it holds.
    pub fn size(&self) -> usize {
        self.rows.iter().map(|row| row.terms.len() + 2).sum()
    }

    /// Whether the solution satisfies an inequality.
    pub fn satisfies(&self, sum: &AtMost, tokens: &[Option<(i64, i64)>]) -> bool {
        // Over the product of all scales nothing would fit, so what is left is compared part by part.
        let (mut numerator, mut denominator) = (-i128::from(sum.most), 1i128);
        for &(cell, weight) in &sum.weights {
            let Some((constant, scale)) = tokens[cell as usize] else { continue };
            let added = (|| {
                let left = numerator.checked_mul(i128::from(scale))?;
                let right = denominator.checked_mul(i128::from(constant))?.checked_mul(i128::from(weight))?;
                let (sum, below) = (left.checked_add(right)?, denominator.checked_mul(i128::from(scale))?);
                let common = divisor(sum, below).max(1);
                Some((sum / common, below / common))
            })();
            match added {
                Some(both) => (numerator, denominator) = both,
                None => return true,
            }
        }
        numerator <= 0
    }

    /// The solution: by cell, its tokens as a fraction; none: 0.
    pub fn tokens(&self) -> Vec<Option<(i64, i64)>> {
        let mut tokens = vec![None; self.cells as usize];
        for row in self.rows.iter().filter(|row| row.basic < self.cells && row.constant != 0) {
            tokens[row.basic as usize] = Some((row.constant, row.scale));
        }
        tokens
    }

    /// A sum of tokens by the columns that are not basic.
    fn expressed(
        &self,
        basic: u32,
        constant: i128,
        weights: &[(u32, i64)],
        work: &mut Work,
    ) -> Option<Equality> {
        let mut row =
            Equality { basic, scale: 1, constant: i64::try_from(constant).ok()?, terms: Vec::new() };
        let mut free: Vec<(u32, i64)> = weights.to_vec();
        for other in self.rows.iter().filter(|row| row.basic < self.cells) {
            let Ok(at) = free.binary_search_by_key(&other.basic, |term| term.0) else { continue };
            let (_, weight) = free.remove(at);
            let scale = row.scale;
            let factor = i128::from(weight).checked_mul(i128::from(scale))?;
            row = row.plus(other, i128::from(other.scale), factor, work)?;
        }
        let rest = Equality { basic, scale: 1, constant: 0, terms: free };
        let scale = i128::from(row.scale);
        row.plus(&rest, 1, scale, work)
    }

    /// Raises what is basic in a row as far as that goes, or only to a bound. Whether the bound is reached;
    /// none if it grows without end or the work is too much.
    fn raise(&mut self, at: usize, bound: Option<i64>, work: &mut Work) -> Option<bool> {
        let mut still = 0;
        loop {
            if bound.is_some_and(|bound| self.rows[at].constant >= bound) {
                return Some(true);
            }
            // After many pivots without progress the first column is taken, which ends circles.
            let helping = self.rows[at].terms.iter().filter(|term| term.1 > 0);
            let entering = match still < 50 {
                true => helping.max_by_key(|term| (term.1, std::cmp::Reverse(term.0))),
                false => helping.min_by_key(|term| term.0),
            };
            let Some(&(column, _)) = entering else { return Some(bound.is_none()) };
            work.spend(self.rows.len())?;
            let mut best: Option<(i128, i128, u32, usize)> = None;
            for (i, row) in self.rows.iter().enumerate() {
                let Some(factor) = row.factor(column) else { continue };
                let (room, speed) = match i == at {
                    true if bound.is_some() => (-i128::from(row.constant), i128::from(factor)),
                    true => continue,
                    false => (i128::from(row.constant), -i128::from(factor)),
                };
                if speed <= 0 {
                    continue;
                }
                let better = best.is_none_or(|(known, by, basic, _)| {
                    let (left, right) = (room * by, known * speed);
                    left < right || left == right && row.basic < basic
                });
                if better {
                    best = Some((room, speed, row.basic, i));
                }
            }
            let (room, .., leaving) = best?;
            still = if room == 0 { still + 1 } else { 0 };
            self.pivot(leaving, column, work)?;
            if leaving == at {
                return Some(true);
            }
        }
    }

    /// Makes a column basic in a row.
    fn pivot(&mut self, at: usize, column: u32, work: &mut Work) -> Option<()> {
        let Equality { basic, scale, constant, terms } = self.rows[at].clone();
        let factor = self.rows[at].factor(column)?;
        let sign = factor.signum();
        let mut entering: Vec<(u32, i64)> = terms
            .into_iter()
            .filter(|term| term.0 != column)
            .map(|(other, weight)| Some((other, weight.checked_mul(-sign)?)))
            .collect::<Option<_>>()?;
        let place = entering.partition_point(|term| term.0 < basic);
        entering.insert(place, (basic, scale.checked_mul(sign)?));
        let constant = constant.checked_mul(-sign)?;
        let entering = Equality { basic: column, scale: factor.checked_abs()?, constant, terms: entering };
        for (i, row) in self.rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
            debug_assert_ne!(i, at);
            if let Some(place) = row.place(column) {
                let (_, weight) = row.terms.remove(place);
                *row = row.plus(&entering, i128::from(entering.scale), i128::from(weight), work)?;
            }
        }
        self.rows[at] = entering;
        Some(())
    }

    /// A row whose basic variable is negative whatever the others are.
    fn weighing(&self, at: usize) -> Weighing {
        let row = &self.rows[at];
        let mut weighing = Weighing::default();
        for (column, weight) in row.terms.iter().map(|&(column, weight)| (column, -weight)) {
            if column < self.cells {
                weighing.cells.push((column, weight));
            } else if column >= self.slack {
                weighing.required.push(((column - self.slack) as usize, weight));
            }
        }
        weighing.required.push(((row.basic - self.slack) as usize, row.scale));
        weighing
    }
}

impl Equality {
    fn place(&self, column: u32) -> Option<usize> {
        self.terms.binary_search_by_key(&column, |term| term.0).ok()
    }

    fn factor(&self, column: u32) -> Option<i64> {
        self.place(column).map(|place| self.terms[place].1)
    }

    /// This row with a multiple of another one put in, all times `own`, made small again. The scale becomes
    /// `own` times what it was.
    fn plus(&self, other: &Equality, own: i128, factor: i128, work: &mut Work) -> Option<Equality> {
        work.spend(self.terms.len() + other.terms.len())?;
        let both = divisor(own, factor).max(1);
        let (own, factor) = (own / both, factor / both);
        let sum = |mine: i64, its: i64| {
            own.checked_mul(i128::from(mine))?.checked_add(factor.checked_mul(i128::from(its))?)
        };
        let scale = own.checked_mul(i128::from(self.scale))?;
        let constant = sum(self.constant, other.constant)?;
        let mut common = divisor(scale, constant);
        let mut terms: Vec<(u32, i128)> = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut mine, mut its) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let column = match (mine.peek(), its.peek()) {
                (None, None) => break,
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (Some(a), Some(b)) => a.0.min(b.0),
            };
            let a = mine.next_if(|term| term.0 == column).map_or(0, |term| term.1);
            let b = its.next_if(|term| term.0 == column).map_or(0, |term| term.1);
            let weight = sum(a, b)?;
            if weight != 0 {
                common = if common == 1 { 1 } else { divisor(common, weight) };
                terms.push((column, weight));
            }
        }
        let fit = |number: i128| i64::try_from(number / common.max(1)).ok();
        let terms = terms.into_iter().map(|(column, weight)| Some((column, fit(weight)?)));
        let terms = terms.collect::<Option<_>>()?;
        Some(Equality { basic: self.basic, scale: fit(scale)?, constant: fit(constant)?, terms })
    }
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}
