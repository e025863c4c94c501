//! Where the searches of a run are kept.
//!
//! Entry point: [`Explicit::keeping`]. A search is known by what it is for: the system, which differs between
//! the rounds of a net and where states remember others, and all that is asked. So a run that is continued
//! asks all its questions again, gets the answers of those searches that are over, and goes on where it was.

use super::Explicit;
use burnside_checkpoint::{Keeping, Key};
use std::fmt::Debug;

impl Explicit<'_> {
    /// The place of a search, if searches are kept. What it is for must be all that its result depends on,
    /// besides the system, the options and limits.
    pub(super) fn keeping(&self, kind: &str, what: &[&dyn Debug]) -> Option<Keeping> {
        let checkpoints = self.options.checkpoints.as_ref()?;
        let system = self.fingerprint.get_or_init(|| self.fingerprint());
        Some(checkpoints.keeping(Key::of(&[system, &kind, &what])))
    }

    /// What a system is. Types are known by how large they are.
    fn fingerprint(&self) -> Key {
        let system = self.system;
        let sizes = system.vars.iter().map(|var| (system.types.width(var.ty), system.types.size(var.ty)));
        let sizes: Vec<(u32, Option<u64>)> = sizes.collect();
        let parts: [&dyn Debug; 10] = [
            &system.vars,
            &sizes,
            &system.width,
            &system.processes,
            &system.rules,
            &system.functions,
            &system.init,
            &system.fairness,
            &system.fair_sets,
            &system.constraint,
        ];
        Key::of(&[&parts, &system.symmetry])
    }
}
