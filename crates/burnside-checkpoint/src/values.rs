//! Values as bytes: those of the crates below, which know nothing of it.
//!
//! A value that could be wrong in itself is looked at when it is read; whether it fits the system at hand is
//! for those to ask who read it.

use crate::{Damage, Persist, Reader, Writer, persist_enum, persist_struct};
use burnside_limits::{Diagrams, HuntStats, Labelling, Large, Product, Stats, Stop, Xi};
use burnside_perm::Natural;
use burnside_trace::{End, Evidence, Step, Tree};
use burnside_ts::{
    Fault, FaultKind, Permutation, RuleId, SiteId, SortGroup, SortId, SparsePermutation, Symmetry,
};

persist_struct!(Stats { states, transitions, depth, memory, product, labelling, diagrams, hunt });
persist_struct!(Product { states, transitions });
persist_struct!(HuntStats { steps, found });
persist_struct!(Diagrams { nodes, relation, xi });
persist_struct!(Xi { nodes, time });
persist_struct!(Labelling { operations, nodes, edges, graph, bitmaps, numbers, stacks, predecessors, time });
persist_struct!(Fault { kind, site });
persist_struct!(Step { rule, args });
persist_struct!(Evidence { states, steps, end });
persist_struct!(Permutation { images });
persist_struct!(Symmetry { sorts, generators, base });
persist_struct!(SiteId { 0 });
persist_struct!(RuleId { 0 });
persist_struct!(SortId { 0 });

persist_enum!(Stop {
    0 => Interrupted {},
    1 => Time { 0: limit },
    2 => PropertyTime { 0: limit },
    3 => Share { 0: share, 1: limit },
    4 => States { 0: limit },
    5 => Memory { 0: limit },
    6 => Nodes { 0: limit },
    7 => TooLarge { 0: what },
    8 => Undefined { 0: text },
    9 => Unverified { 0: why },
    10 => Inconclusive { 0: why },
    11 => Unbounded { 0: why },
    12 => Lost { 0: why },
    13 => NoInitialState {},
    14 => NotChecked {},
});
persist_enum!(Large {
    0 => States {},
    1 => Depth {},
    2 => Tuples {},
    3 => Run {},
    4 => Other { 0: sentence },
});
persist_enum!(FaultKind {
    0 => OutOfRange { value: value, lo: lo, hi: hi },
    1 => IndexOutOfRange { index: index, lo: lo, hi: hi },
    2 => DivisionByZero {},
    3 => Overflow {},
    4 => NoValue {},
    5 => Full { capacity: capacity },
    6 => Empty {},
    7 => NotInBag {},
    8 => NothingToChoose {},
    9 => NothingToCompare {},
    10 => AssertionFailed {},
});
persist_enum!(End {
    0 => State {},
    1 => Fault { 0: step, 1: fault },
    2 => Undefined { 0: fault },
    3 => Loop { 0: start },
    4 => Stutter {},
});
persist_enum!(SortGroup {
    0 => Full { 0: blocks },
    1 => Rotations {},
    2 => Fixed {},
});

/// Trees that are deeper were not written by us.
const DEEPEST: usize = 1 << 12;

impl Persist for Tree {
    fn save(&self, out: &mut Writer<'_>) {
        match self {
            Tree::Condition => out.number(0),
            Tree::Both(sides) => {
                out.number(1);
                sides.save(out);
            }
            Tree::Side(side, tree) => {
                out.number(2);
                side.save(out);
                tree.save(out);
            }
            Tree::Value(value, tree) => {
                out.number(3);
                value.save(out);
                tree.save(out);
            }
            Tree::Run(run, trees) => {
                out.number(4);
                run.save(out);
                trees.save(out);
            }
            Tree::Omitted => out.number(5),
            Tree::Everywhere => out.number(6),
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        tree(from, 0)
    }
}

fn tree(from: &mut Reader<'_>, depth: usize) -> Result<Tree, Damage> {
    if depth > DEEPEST {
        return Err(Damage::Content("a tree is too deep"));
    }
    let deeper = |from: &mut Reader<'_>| tree(from, depth + 1);
    Ok(match from.number()? {
        0 => Tree::Condition,
        1 => Tree::Both(Box::new([deeper(from)?, deeper(from)?])),
        2 => Tree::Side(Persist::load(from)?, Box::new(deeper(from)?)),
        3 => Tree::Value(Persist::load(from)?, Box::new(deeper(from)?)),
        4 => {
            let run = Persist::load(from)?;
            let count: usize = from.small()?;
            let mut trees = Vec::new();
            for _ in 0..count {
                trees.push((Persist::load(from)?, deeper(from)?));
            }
            Tree::Run(run, trees)
        }
        5 => Tree::Omitted,
        6 => Tree::Everywhere,
        _ => return Err(Damage::Content("a tree of a kind that is not known")),
    })
}

impl Persist for Natural {
    fn save(&self, out: &mut Writer<'_>) {
        self.to_string().save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let digits = String::load(from)?;
        let mut number = Natural::ZERO;
        for digit in digits.chars() {
            let digit = digit.to_digit(10).ok_or(Damage::Content("a number has other signs than digits"))?;
            number.mul_small(10);
            number.add_small(u64::from(digit));
        }
        Ok(number)
    }
}

impl Persist for SparsePermutation {
    fn save(&self, out: &mut Writer<'_>) {
        self.moved().to_vec().save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let moved: Vec<(SortId, u32, u32)> = Persist::load(from)?;
        Ok(SparsePermutation::new(moved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;
    use std::time::Duration;

    fn kept<T: Persist + Debug>(value: &T) -> T {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        value.save(&mut writer);
        writer.finish().unwrap();
        let mut reader = Reader::new(&*bytes).unwrap();
        let loaded = T::load(&mut reader).unwrap();
        reader.end().unwrap();
        assert_eq!(format!("{loaded:?}"), format!("{value:?}"));
        loaded
    }

    #[test]
    fn values_come_back() {
        let fault = Fault { kind: FaultKind::OutOfRange { value: -7, lo: i64::MIN, hi: 9 }, site: SiteId(3) };
        let step = Step { rule: RuleId(2), args: [1, u64::MAX].into() };
        let run = Evidence {
            states: vec![[0, 5].into(), [7, 8].into()],
            steps: vec![step.clone()],
            end: End::Fault(Some(step), fault),
        };
        kept(&run);
        let stop = [End::State, End::Undefined(fault), End::Loop(1), End::Stutter];
        stop.iter().for_each(|end| _ = kept(end));
        let inner = Tree::Both(Box::new([Tree::Condition, Tree::Value(3, Box::new(Tree::Everywhere))]));
        let side = Tree::Side(1, Box::new(Tree::Omitted));
        kept(&Tree::Run(Box::new(run), vec![(0, inner), (1, side)]));
        let seconds = Duration::from_millis(1234);
        let stops = [Stop::Share(seconds, seconds), Stop::TooLarge(Large::Run), Stop::Lost("ä".into())];
        stops.iter().for_each(|stop| _ = kept(stop));
        let mut large = Natural::factorial(50);
        large.add_small(1);
        assert_eq!(kept(&large), large);
        kept(&Natural::ZERO);
        let generator = SparsePermutation::new([(SortId(0), 1, 2), (SortId(0), 2, 1)]);
        kept(&Symmetry {
            sorts: vec![SortGroup::Full(vec![vec![0, 2]]), SortGroup::Rotations, SortGroup::Fixed],
            generators: vec![generator],
            base: vec![(SortId(0), 1)],
        });
        kept(&Stats { hunt: Some(HuntStats { steps: 1, found: 2 }), depth: 7, ..Stats::default() });
        kept(&[i64::MIN, -1, 0, 1, i64::MAX]);
        kept(&vec![Some(u128::MAX), None]);
    }
}
