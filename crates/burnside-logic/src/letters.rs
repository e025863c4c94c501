//! Sets of letters in a form that depends on nothing but the set.
//!
//! Entry point: [`primes`]. A set that is given as a union of cubes has exactly one list of greatest cubes
//! inside it (its prime implicants, or Blake's form), found by adding the consensus of two cubes until
//! nothing new comes. Renaming atoms renames the list and nothing else. The list may be long: beyond a limit
//! the cubes come back as they were, sorted, and two lists may then differ although the sets do not.

use crate::Cube;

/// The most cubes at any time.
const MOST: usize = 256;

/// The greatest cubes inside a union of cubes, sorted.
pub(crate) fn primes(cubes: &[Cube]) -> Vec<Cube> {
    let mut found = blake(cubes).unwrap_or_else(|| cubes.to_vec());
    found.sort_unstable();
    found.dedup();
    found
}

fn blake(cubes: &[Cube]) -> Option<Vec<Cube>> {
    let mut open = cubes.to_vec();
    let mut found: Vec<Cube> = Vec::new();
    while let Some(cube) = open.pop() {
        if found.iter().any(|other| cube.implies(other)) {
            continue;
        }
        found.retain(|other| !other.implies(&cube));
        open.extend(found.iter().filter_map(|other| consensus(&cube, other)));
        found.push(cube);
        if found.len() > MOST || open.len() > MOST * MOST {
            return None;
        }
    }
    Some(found)
}

/// The greatest cube inside the union of two that is in neither, if they contradict each other in one atom.
fn consensus(a: &Cube, b: &Cube) -> Option<Cube> {
    let mut clash = a.literals().filter(|&(atom, positive)| b.get(atom) == Some(!positive));
    let (atom, _) = clash.next()?;
    if clash.next().is_some() {
        return None;
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    a.forget(atom);
    b.forget(atom);
    a.and(&b)
}

#[cfg(test)]
mod tests {
    use super::primes;
    use crate::Cube;

    /// All cubes over three atoms.
    fn cubes() -> Vec<Cube> {
        let mut all = vec![Cube::top(3)];
        for atom in 0..3 {
            let with = |cube: &Cube, positive| {
                let mut cube = cube.clone();
                cube.set(atom, positive);
                cube
            };
            all = all.iter().flat_map(|cube| [cube.clone(), with(cube, false), with(cube, true)]).collect();
        }
        all
    }

    /// For each set of letters over three atoms: the list is that of the greatest cubes inside, however the
    /// set is put together.
    #[test]
    fn lists_the_greatest_cubes() {
        let all = cubes();
        let letters = |cube: &Cube| (0..8u64).filter(|&l| cube.holds(&[l])).fold(0u32, |set, l| set | 1 << l);
        for set in 0..256u32 {
            let inside: Vec<Cube> = all.iter().filter(|cube| letters(cube) & !set == 0).cloned().collect();
            let greatest = |cube: &&Cube| !inside.iter().any(|other| other != *cube && cube.implies(other));
            let mut expected: Vec<Cube> = inside.iter().filter(greatest).cloned().collect();
            expected.sort_unstable();
            let single: Vec<Cube> = inside.iter().filter(|cube| cube.size() == 3).cloned().collect();
            assert_eq!(primes(&single), expected);
            assert_eq!(primes(&inside), expected);
        }
    }
}
