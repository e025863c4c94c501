//! What a state says of the members of rings that letters do not tell: cells in which rings meet other sorts,
//! and bags.
//!
//! Entry point: [`Loose::hash_all`]. Each hyperedge (`hyperedges`) becomes a hash for each of its members: of
//! its label and of the distances to the other members of the same ring. Members of sorts that are not rings
//! are left out. So the sum of a member's hashes does not depend on how other sorts are permuted, and turns
//! with its ring. Hashes that are equal by chance, and what is left out, only make fewer members differ.

use super::hyperedges::{Hyperedges, mix};
use super::rings::RingGroup;
use burnside_ts::{SortId, System};

/// The variables that are looked at.
#[derive(Debug)]
pub(super) struct Loose {
    hyperedges: Hyperedges,
    /// By vertex.
    about: Vec<About>,
}

/// A member of a ring.
#[derive(Clone, Copy, Debug)]
struct About {
    ring: usize,
    member: u32,
    size: u32,
}

impl Loose {
    /// Some variables, for these rings among the sorts that are moved.
    pub fn new(system: &System, vars: &[usize], rings: &[RingGroup], moved: impl Fn(SortId) -> bool) -> Self {
        let mut about = Vec::new();
        let mut vertices = vec![Vec::new(); system.types.sorts().count()];
        for (ring, &RingGroup { sort, size, .. }) in rings.iter().enumerate() {
            let first = about.len() as u32;
            vertices[sort.index()] = (first..first + size).collect();
            about.extend((0..size).map(|member| About { ring, member, size }));
        }
        Self { hyperedges: Hyperedges::new(system, vars, vertices, moved), about }
    }

    /// Hashes all variables of a state (with spare words): gives the hashes of a member of a ring with a
    /// number, as it is and in the reflected ring.
    pub fn hash_all(&mut self, state: &[u64], mut each: impl FnMut(usize, u32, u64, u64)) {
        self.hyperedges.extract(state);
        for (label, members) in self.hyperedges.iter() {
            for (position, &vertex) in members.iter().enumerate() {
                let About { ring, member, size } = self.about[vertex as usize];
                let start = mix(label, position as u64);
                let (mut forth, mut back) = (start, start);
                let others = members.iter().map(|&vertex| self.about[vertex as usize]);
                for other in others.filter(|other| other.ring == ring) {
                    let distance = (other.member + size - member) % size;
                    forth = mix(forth, u64::from(distance));
                    back = mix(back, u64::from((size - distance) % size));
                }
                each(ring, member, forth, back);
            }
        }
    }
}
