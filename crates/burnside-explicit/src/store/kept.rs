//! The nodes of a store on a disk.
//!
//! Entry points: [`Store::save`] and [`Store::load`]. Of each node the bytes that it has, which are those
//! of the words of states, and how far the number of its predecessor is from that of the one before. The
//! table is made anew. What is read is inserted like anything else, so limits hold, and a node that comes
//! twice is seen.

use super::nodes::NodeWords;
use super::{Insert, NodeId, Store};
use burnside_checkpoint::{Damage, Persist, Reader, Writer};
use burnside_limits::Pace;

impl Store {
    /// Writes the first nodes.
    pub(crate) fn save(&self, count: u32, out: &mut Writer<'_>) {
        out.section("nodes");
        self.nodes.bytes_of_words().to_vec().save(out);
        let (mut bytes, mut before) = (Vec::new(), 0);
        for id in (0..count).map(NodeId) {
            if out.has_failed() {
                return;
            }
            bytes.clear();
            for (word, &kept) in self.get(id).iter().zip(self.nodes.bytes_of_words()) {
                bytes.extend_from_slice(&word.to_le_bytes()[..kept as usize]);
            }
            out.bytes(&bytes);
            let parent = self.parent(id).map_or(0, |parent| i64::from(parent.0) + 1);
            (parent - before).save(out);
            before = parent;
        }
    }

    /// Reads so many nodes into a store that has none, or whose nodes are the first of them. False: there is
    /// no room for them.
    pub(crate) fn load(&mut self, count: u32, from: &mut Reader<'_>) -> Result<bool, Damage> {
        from.section("nodes")?;
        let widths: Vec<u32> = Persist::load(from)?;
        if widths != self.nodes.bytes_of_words() {
            return Err(Damage::Content("its states have another layout"));
        }
        let (mut node, mut before, known) = (vec![0; widths.len()], 0i64, self.len());
        let mut pace = Pace::every(64);
        for id in 0..count {
            pace.poll();
            for (word, &kept) in node.iter_mut().zip(&widths) {
                let mut bytes = [0; 8];
                from.bytes(&mut bytes[..kept as usize])?;
                *word = u64::from_le_bytes(bytes);
            }
            before = before.checked_add(i64::load(from)?).unwrap_or(-1);
            let parent = match u32::try_from(before) {
                Ok(0) => None,
                Ok(parent) if parent <= id => Some(NodeId(parent - 1)),
                _ => return Err(Damage::Content("a state comes before the one that leads to it")),
            };
            match self.insert(&node, parent) {
                Insert::New(NodeId(new)) if new == id => {}
                Insert::Old(NodeId(old)) if old == id && id < known => {}
                Insert::Full => return Ok(false),
                _ => return Err(Damage::Content("a state comes twice")),
            }
        }
        Ok(true)
    }
}

impl NodeWords {
    /// How many bytes of each word can be other than 0.
    pub(super) fn bytes_of_words(&self) -> &[u32] {
        &self.widths
    }
}
