//! Where the nodes of one worker were first reached from: places at any worker.
//!
//! Among several nodes of one level that lead to a node the one with the least key counts, whoever is first,
//! so that runs do not depend on chance nor on the number of workers. A key has a part of the hash of the
//! parent above its number.

use crate::note::Place;

/// The key of an initial node.
pub(crate) const INITIAL: u64 = u64::MAX;

/// By node.
#[derive(Debug)]
pub(crate) struct Parents {
    ids: Vec<u32>,
    /// By node, if there are several workers.
    workers: Option<Vec<u16>>,
    /// The keys of the nodes of the level that is being made, which are the last ones.
    keys: Vec<u64>,
}

/// The key of a parent.
#[inline]
pub(crate) fn key(hash: u64, id: u32) -> u64 {
    // An initial node has the greatest one.
    (hash >> 33 << 32) | u64::from(id)
}

impl Parents {
    /// Of no nodes, among so many workers.
    pub fn new(workers: usize) -> Self {
        Self { ids: Vec::new(), workers: (workers > 1).then(Vec::new), keys: Vec::new() }
    }

    /// The parent of the next node.
    pub fn push(&mut self, worker: u32, key: u64) {
        self.ids.push(key as u32);
        self.workers.iter_mut().for_each(|workers| workers.push(worker as u16));
        self.keys.push(key);
    }

    /// Another parent of a node, if that is of the level that is being made.
    #[inline]
    pub fn also(&mut self, id: u32, worker: u32, key: u64) {
        let first = self.ids.len() - self.keys.len();
        let Some(known) = (id as usize).checked_sub(first).map(|at| &mut self.keys[at]) else { return };
        if key < *known {
            *known = key;
            self.ids[id as usize] = key as u32;
            self.workers.iter_mut().for_each(|workers| workers[id as usize] = worker as u16);
        }
    }

    /// The level is complete.
    pub fn close(&mut self) {
        self.keys.clear();
    }

    /// Where a node was reached from; none if it is initial.
    pub fn get(&self, id: u32) -> Option<Place> {
        let parent = self.ids[id as usize];
        let worker = self.workers.as_ref().map_or(0, |workers| workers[id as usize]);
        (parent != INITIAL as u32).then_some(Place { worker: worker.into(), id: parent })
    }

    /// Bytes of all.
    pub fn bytes(&self) -> u64 {
        let workers = self.workers.as_ref().map_or(0, |workers| 2 * workers.capacity());
        (4 * self.ids.capacity() + workers + 8 * self.keys.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_key_of_a_level_counts() {
        let mut parents = Parents::new(3);
        parents.push(0, INITIAL);
        parents.close();
        parents.push(1, key(7 << 40, 5));
        parents.also(0, 2, key(1, 1));
        parents.also(1, 2, key(9 << 40, 1));
        assert_eq!((parents.get(0), parents.get(1)), (None, Some(Place { worker: 1, id: 5 })));
        parents.also(1, 2, key(6 << 40, 9));
        assert_eq!(parents.get(1), Some(Place { worker: 2, id: 9 }));
        parents.close();
        parents.also(1, 0, key(0, 0));
        assert_eq!(parents.get(1), Some(Place { worker: 2, id: 9 }));
        assert!(key(u64::MAX, u32::MAX - 1) < INITIAL);
    }
}
