//! Where the names of a property's automaton are in a state: canonical positions.
//!
//! Entry points: [`Blocks`], [`coset_representative`], [`positions`]. A position is a permutation `g` of the
//! elements of some sorts: the automaton's element `c` is the state's `g(c)`. Swapping members that are alike
//! in the state (`α`, from the left) and names that are alike in the automaton's state (`σ`, from the right)
//! changes nothing, so of each double coset one position is kept. If both are all permutations inside
//! classes, a double coset is a table: how many names of each block are in each class. So the names of a
//! block, in order, are given members class by class, always the least that is left: no search. If not, all
//! pairs of listed permutations are tried.

use burnside_limits::poll;
use burnside_ts::{Classes, Permutation, SortId};

/// Names of one automaton state that can be swapped, by sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    /// The sorts whose elements are names.
    pub sorts: Vec<SortId>,
    /// By these sorts and element: the least of its block.
    pub lead: Vec<Vec<u32>>,
}

impl Blocks {
    /// The block of a name.
    pub fn of(&self, sort: usize, name: u32) -> u32 {
        self.lead[sort][name as usize]
    }

    /// Whether a permutation of names stays inside the blocks.
    pub fn keep(&self, permutation: &Permutation) -> bool {
        self.sorts.iter().zip(&self.lead).all(|(sort, lead)| {
            let images = permutation.images[sort.index()].iter();
            images.zip(lead).all(|(&image, &block)| lead[image as usize] == block)
        })
    }

    /// Members of a state that can be swapped without leaving the position: of the given classes, those with
    /// names of one block.
    pub fn split(&self, classes: &mut Classes, position: &Permutation) {
        for (i, &sort) in self.sorts.iter().enumerate() {
            let mut name_of = vec![0; position.images[sort.index()].len()];
            let images = position.images[sort.index()].iter().enumerate();
            images.for_each(|(name, &member)| name_of[member as usize] = name as u32);
            let mut parts: Vec<Vec<u32>> = Vec::new();
            for &lead in classes.leads(sort) {
                let first = parts.len();
                for member in classes.class(sort, lead) {
                    let block = |member: u32| self.of(i, name_of[member as usize]);
                    match parts[first..].iter().position(|part| block(part[0]) == block(member)) {
                        Some(part) => parts[first + part].push(member),
                        None => parts.push(vec![member]),
                    }
                }
            }
            classes.isolate_all(sort);
            classes.partition(sort, parts.iter().map(|part| &part[..]));
        }
    }

    /// The names of a sort block by block.
    fn in_order(&self, sort: usize) -> Vec<u32> {
        let mut names: Vec<u32> = (0..self.lead[sort].len() as u32).collect();
        names.sort_by_key(|&name| (self.of(sort, name), name));
        names
    }
}

/// A position with how it was made: `α · g · σ`.
pub(crate) struct CosetRepresentative {
    pub position: Permutation,
    /// Moves members of the state inside their classes.
    pub left: Permutation,
    /// Moves names inside their blocks.
    pub right: Permutation,
}

/// The canonical position of those that swaps inside classes and blocks make of one. Permutations are the
/// identity on sorts without names.
pub(crate) fn coset_representative(
    classes: Option<&Classes>,
    blocks: &Blocks,
    position: &Permutation,
) -> CosetRepresentative {
    poll();
    let identity = || Permutation {
        images: position.images.iter().map(|images| (0..images.len() as u32).collect()).collect(),
    };
    let mut representative =
        CosetRepresentative { position: position.clone(), left: identity(), right: identity() };
    for (i, &sort) in blocks.sorts.iter().enumerate() {
        let at = sort.index();
        let old = &position.images[at];
        let class = |name: u32| {
            let member = old[name as usize];
            classes.map_or(member, |classes| classes.lead(sort, member))
        };
        let names = blocks.in_order(i);
        // Inside a block the names are taken in the order of the classes of their members.
        let mut taken = names.clone();
        taken.sort_by_key(|&name| (blocks.of(i, name), class(name), name));
        let mut next: Vec<Option<u32>> = (0..old.len() as u32).map(Some).collect();
        for (&name, &from) in names.iter().zip(&taken) {
            let lead = class(from);
            let member = next[lead as usize].expect("a class has a member for each of its names");
            next[lead as usize] = classes.and_then(|classes| classes.next(sort, member));
            representative.position.images[at][name as usize] = member;
            representative.right.images[at][name as usize] = from;
            representative.left.images[at][old[from as usize] as usize] = member;
        }
    }
    representative
}

/// The least position that listed permutations make of one.
pub(crate) fn least(
    left: &[Permutation],
    right: &[Permutation],
    position: &Permutation,
) -> (Permutation, usize, usize) {
    poll();
    let mut best: Option<(Permutation, usize, usize)> = None;
    for (j, right) in right.iter().enumerate() {
        let turned = position.after(right);
        for (i, left) in left.iter().enumerate() {
            let moved = left.after(&turned);
            if best.as_ref().is_none_or(|(least, ..)| moved.images < least.images) {
                best = Some((moved, i, j));
            }
        }
    }
    best.expect("the identity is listed")
}

/// All canonical positions; none if there are more than so many. `free` has, by sort of the blocks, sets of
/// members such that names can be at any member of their set; other names stay where they are.
pub(crate) fn positions(
    classes: Option<&Classes>,
    blocks: &Blocks,
    free: &[Vec<Vec<u32>>],
    identity: &Permutation,
    most: usize,
) -> Option<Vec<Permutation>> {
    let mut found = vec![identity.clone()];
    for (i, &sort) in blocks.sorts.iter().enumerate() {
        let own = |name: u32| free[i].iter().find(|set| set.binary_search(&name).is_ok());
        let names: Vec<u32> = blocks.in_order(i).into_iter().filter(|&name| own(name).is_some()).collect();
        let mut partial: Vec<Vec<u32>> = vec![Vec::new()];
        for (place, &name) in names.iter().enumerate() {
            let before = place.checked_sub(1).filter(|&at| blocks.of(i, names[at]) == blocks.of(i, name));
            let mut longer = Vec::new();
            for members in &partial {
                let class = |member: u32| classes.map_or(member, |classes| classes.lead(sort, member));
                let mut seen: Vec<u32> = Vec::new();
                for &member in own(name).into_iter().flatten().filter(|member| !members.contains(member)) {
                    let late = before.is_none_or(|at| class(members[at]) <= class(member));
                    if late && !seen.contains(&class(member)) {
                        seen.push(class(member));
                        longer.push([&members[..], &[member]].concat());
                    }
                }
            }
            partial = longer;
            if partial.len().checked_mul(found.len())? > most {
                return None;
            }
        }
        let place = |(base, members): (&Permutation, &Vec<u32>)| {
            let mut permutation = base.clone();
            names
                .iter()
                .zip(members)
                .for_each(|(&name, &to)| permutation.images[sort.index()][name as usize] = to);
            permutation
        };
        found = found.iter().flat_map(|base| partial.iter().map(move |it| (base, it))).map(place).collect();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const SIZE: u32 = 4;

    fn types() -> burnside_ts::Types {
        let mut types = burnside_ts::Types::new();
        types.declare_sort("S", SIZE, burnside_ts::SortKind::Symmetric).expect("the first");
        types
    }

    /// Each partition of the elements, as the least element of each one's class.
    fn partitions() -> Vec<Vec<u32>> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for element in 0..SIZE {
            let longer = |part: &Vec<u32>| {
                let leads: BTreeSet<u32> = part.iter().copied().chain([element]).collect();
                let part = part.clone();
                leads.into_iter().map(move |lead| [&part[..], &[lead]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    fn permutations() -> Vec<Permutation> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in 0..SIZE {
            let longer = |images: &Vec<u32>| {
                let images = images.clone();
                let left: Vec<u32> = (0..SIZE).filter(|it| !images.contains(it)).collect();
                left.into_iter().map(move |it| [&images[..], &[it]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(|images| Permutation { images: vec![images] }).collect()
    }

    fn classes(lead: &[u32]) -> Classes {
        let mut classes = Classes::discrete(&types());
        let parts: Vec<Vec<u32>> = (0..SIZE)
            .map(|lead_of| (0..SIZE).filter(|&it| lead[it as usize] == lead_of).collect::<Vec<u32>>())
            .filter(|part| !part.is_empty())
            .collect();
        classes.partition(SortId(0), parts.iter().map(|part| &part[..]));
        classes
    }

    fn keeps(lead: &[u32], permutation: &Permutation) -> bool {
        permutation.images[0].iter().enumerate().all(|(i, &image)| lead[i] == lead[image as usize])
    }

    /// For every partition of members and of names: two positions settle alike just if swaps lead from one to
    /// the other, and the swaps are said.
    #[test]
    fn double_cosets_by_brute_force() {
        let all = permutations();
        for members in partitions() {
            for names in partitions() {
                let classes = classes(&members);
                let blocks = Blocks { sorts: vec![SortId(0)], lead: vec![names.clone()] };
                let left: Vec<&Permutation> =
                    all.iter().filter(|permutation| keeps(&members, permutation)).collect();
                let right: Vec<&Permutation> =
                    all.iter().filter(|permutation| keeps(&names, permutation)).collect();
                let mut canonical = BTreeSet::new();
                for position in &all {
                    let representative = coset_representative(Some(&classes), &blocks, position);
                    assert!(keeps(&members, &representative.left) && blocks.keep(&representative.right));
                    assert_eq!(
                        representative.left.after(position).after(&representative.right),
                        representative.position
                    );
                    canonical.insert(representative.position.images.clone());
                    for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
                        let other = a.after(position).after(b);
                        assert_eq!(
                            coset_representative(Some(&classes), &blocks, &other).position,
                            representative.position
                        );
                    }
                }
                let free = [vec![(0..SIZE).collect::<Vec<u32>>()]];
                let listed = positions(Some(&classes), &blocks, &free, &all[0], 1000).expect("there are few");
                let listed: Vec<_> = listed.into_iter().map(|permutation| permutation.images).collect();
                assert_eq!(listed.len(), canonical.len());
                assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), canonical);
                for position in &all {
                    let (found, i, j) = {
                        let left: Vec<Permutation> = left.iter().map(|it| (*it).clone()).collect();
                        let right: Vec<Permutation> = right.iter().map(|it| (*it).clone()).collect();
                        least(&left, &right, position)
                    };
                    assert_eq!(left[i].after(position).after(right[j]), found);
                    assert_eq!(
                        coset_representative(Some(&classes), &blocks, &found).position,
                        coset_representative(Some(&classes), &blocks, position).position
                    );
                }
            }
        }
    }

    /// Members stay alike just if they are of one class and their names of one block.
    #[test]
    fn classes_are_split_by_blocks() {
        for members in partitions() {
            for names in partitions() {
                for position in permutations() {
                    let mut found = classes(&members);
                    let blocks = Blocks { sorts: vec![SortId(0)], lead: vec![names.clone()] };
                    blocks.split(&mut found, &position);
                    let name =
                        |member| position.images[0].iter().position(|&it| it == member).expect("is there");
                    for (a, b) in (0..SIZE).flat_map(|a| (0..SIZE).map(move |b| (a, b))) {
                        let alike = found.lead(SortId(0), a) == found.lead(SortId(0), b);
                        let same = members[a as usize] == members[b as usize];
                        assert_eq!(alike, same && names[name(a)] == names[name(b)]);
                    }
                }
            }
        }
    }
}
