//! Firings that change nothing go, where only markings matter. A run that stays in a marking by them, or a
//! marking that is not dead for them, would be lost.

use super::draft::Draft;
use super::premise::{Keep, Premise};

pub(super) fn reduce(draft: &mut Draft) -> u32 {
    if !draft.given(Premise::IdentityKind, draft.keep == Keep::Markings) {
        return 0;
    }
    draft.retain_links(|_, link| !link.firing.resets.is_empty() || !link.firing.change().is_empty())
}
