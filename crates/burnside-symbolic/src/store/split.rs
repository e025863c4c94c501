//! Long operations in pieces, between which they can be stopped.
//!
//! Entry points: the methods of [`Split`]. The library never looks up from an operation, and one on large
//! diagrams can take minutes, above all near the limit on nodes, where it forgets its results again and
//! again. Therefore an operation is divided along the first variables of its operands, and the pieces, a
//! hundred or so, are put together again. The results are the same nodes.

use super::simplify::{decision, halves, level};
use super::{Ends, Out, Renaming};
use foldhash::HashMap;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst};

/// How many variables are divided along, one below the other.
const DEPTH: u32 = 7;

type Made = Out<BCDDFunction>;

/// Operations that end soon after a flag is raised.
pub(super) struct Split<'f> {
    pub(super) ends: &'f Ends,
}

/// One operation: what the library does with the operands of a piece, how the two halves of a piece are put
/// together, and what is known already.
struct Work<'w, const N: usize> {
    piece: &'w dyn Fn([&BCDDFunction; N]) -> AllocResult<BCDDFunction>,
    join: &'w dyn Fn(&BCDDFunction, [BCDDFunction; 2], u32) -> Made,
    known: HashMap<[BCDDFunction; N], BCDDFunction>,
}

impl Split<'_> {
    /// A boolean operation on two sets.
    pub fn binary(
        &self,
        operands: [&BCDDFunction; 2],
        piece: &dyn Fn([&BCDDFunction; 2]) -> AllocResult<BCDDFunction>,
    ) -> Made {
        self.binary_to(operands, piece, DEPTH)
    }

    /// The second where the first is, the third elsewhere.
    pub fn choose(&self, operands: [&BCDDFunction; 3]) -> Made {
        self.choose_to(operands, DEPTH)
    }

    /// What is in a set for some values of the variables of a cube.
    pub fn exists(&self, set: &BCDDFunction, cube: &BCDDFunction) -> Made {
        let bound = levels(cube);
        let join = |bit: &BCDDFunction, halves: [BCDDFunction; 2], depth| {
            self.quantified(&bound, bit, halves, depth)
        };
        self.work([set], &|[set]| set.exists(cube), &join, DEPTH)
    }

    /// What is in both sets for some values of the variables of a cube.
    pub fn and_exists(&self, sets: [&BCDDFunction; 2], cube: &BCDDFunction) -> Made {
        let bound = levels(cube);
        let join = |bit: &BCDDFunction, halves: [BCDDFunction; 2], depth| {
            self.quantified(&bound, bit, halves, depth)
        };
        self.work(sets, &|[a, b]| a.apply_exists(BooleanOperator::And, b, cube), &join, DEPTH)
    }

    /// A set with variables replaced.
    pub fn renamed(&self, set: &BCDDFunction, renaming: &Renaming) -> Made {
        let join = |bit: &BCDDFunction, [high, low]: [BCDDFunction; 2], depth| {
            self.choose_to([renaming.of(bit), &high, &low], depth)
        };
        self.work([set], &|[set]| set.substitute(&renaming.all), &join, DEPTH)
    }

    fn binary_to(
        &self,
        operands: [&BCDDFunction; 2],
        piece: &dyn Fn([&BCDDFunction; 2]) -> AllocResult<BCDDFunction>,
        depth: u32,
    ) -> Made {
        self.work(operands, piece, &|bit, halves, _| self.decide(bit, halves), depth)
    }

    fn choose_to(&self, operands: [&BCDDFunction; 3], depth: u32) -> Made {
        let piece = |[condition, yes, no]: [&BCDDFunction; 3]| condition.ite(yes, no);
        self.work(operands, &piece, &|bit, halves, _| self.decide(bit, halves), depth)
    }

    fn quantified(&self, bound: &[u32], bit: &BCDDFunction, halves: [BCDDFunction; 2], depth: u32) -> Made {
        if level(bit).is_some_and(|level| bound.binary_search(&level).is_ok()) {
            let [high, low] = &halves;
            return self.binary_to([high, low], &|[a, b]| a.or(b), depth);
        }
        self.decide(bit, halves)
    }

    fn work<const N: usize>(
        &self,
        operands: [&BCDDFunction; N],
        piece: &dyn Fn([&BCDDFunction; N]) -> AllocResult<BCDDFunction>,
        join: &dyn Fn(&BCDDFunction, [BCDDFunction; 2], u32) -> Made,
        depth: u32,
    ) -> Made {
        self.divide(&mut Work { piece, join, known: HashMap::default() }, operands, depth)
    }

    /// The depth of the recursion is that of the division.
    fn divide<const N: usize>(
        &self,
        work: &mut Work<'_, N>,
        operands: [&BCDDFunction; N],
        depth: u32,
    ) -> Made {
        self.ends.poll()?;
        let levels = operands.map(level);
        // An operation with a constant is done at once, or about as short as another one.
        let first = levels.iter().copied().flatten().min().filter(|_| depth > 0 && levels[0].is_some());
        let Some(top) = first else { return self.room((work.piece)(operands)) };
        let key = operands.map(BCDDFunction::clone);
        if let Some(known) = work.known.get(&key) {
            return Ok(known.clone());
        }
        let parts: [(BCDDFunction, BCDDFunction); N] = std::array::from_fn(|i| {
            if levels[i] == Some(top) {
                halves(operands[i])
            } else {
                (operands[i].clone(), operands[i].clone())
            }
        });
        let high = self.divide(work, parts.each_ref().map(|(high, _)| high), depth - 1)?;
        let low = self.divide(work, parts.each_ref().map(|(_, low)| low), depth - 1)?;
        let bit = self.room(decision(operands[0], top))?;
        let made = (work.join)(&bit, [high, low], depth - 1)?;
        work.known.insert(key, made.clone());
        Ok(made)
    }

    /// Puts halves together that depend on later variables only.
    fn decide(&self, bit: &BCDDFunction, [high, low]: [BCDDFunction; 2]) -> Made {
        self.room(bit.ite(&high, &low))
    }

    fn room(&self, made: AllocResult<BCDDFunction>) -> Made {
        made.map_err(|full| self.ends.full(full))
    }
}

/// The levels of the variables of a cube, ascending.
fn levels(cube: &BCDDFunction) -> Vec<u32> {
    let (mut levels, mut rest) = (Vec::new(), cube.clone());
    while let Some(level) = level(&rest) {
        levels.push(level);
        rest = halves(&rest).0;
    }
    levels
}
