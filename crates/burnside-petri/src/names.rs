//! Places and transitions by what a text calls them: by id, and by name if no id fits.
//!
//! [`Names::new`] indexes a net once, so that a file of formulas is read in time linear in both. A name that
//! several share finds none of them.

use crate::error::Error;
use crate::net::{Net, PlaceId, TransitionId};
use burnside_limits::poll;
use burnside_ts::visible;
use std::collections::HashMap;
use std::ops::Range;

/// A net with more names than this gets no suggestions: each compares with all of them.
const MAX_CANDIDATES: usize = 10_000;

/// What the places and the transitions of a net are called.
pub(crate) struct Names<'n> {
    places: Index<'n>,
    transitions: Index<'n>,
}

#[derive(Default)]
struct Index<'n> {
    ids: HashMap<&'n str, u32>,
    /// Nothing if several have it.
    names: HashMap<&'n str, Option<u32>>,
}

impl<'n> Index<'n> {
    fn new(named: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut index = Self::default();
        for (position, (id, name)) in named.enumerate() {
            let position = position as u32;
            index.ids.entry(id).or_insert(position);
            index.names.entry(name).and_modify(|found| *found = None).or_insert(Some(position));
        }
        index
    }

    fn find(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied().or_else(|| self.names.get(&*visible(name)).copied().flatten())
    }

    fn missing(&self, kind: &str, name: &str, span: Range<usize>) -> Error {
        if self.names.contains_key(&*visible(name)) {
            return Error::new(span, format!("`{name}` is the name of several {kind}s"))
                .with_help("write the id of the one that is meant");
        }
        let error = Error::new(span, format!("there is no {kind} `{name}`"));
        match self.nearest(name) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    fn nearest(&self, name: &str) -> Option<&'n str> {
        if self.ids.len() > MAX_CANDIDATES {
            return None;
        }
        let limit = (name.chars().count() / 3).max(1);
        let unique = self.names.iter().filter(|(_, position)| position.is_some()).map(|(name, _)| *name);
        let near = self
            .ids
            .keys()
            .copied()
            .chain(unique)
            .filter(|near| near.len().abs_diff(name.len()) <= 4 * limit);
        let measured = near.map(|near| (distance(name, near), near));
        measured
            .filter(|&(changes, near)| changes <= limit && changes < near.chars().count())
            .min()
            .map(|(_, near)| near)
    }
}

impl<'n> Names<'n> {
    /// The names of a net.
    pub(crate) fn new(net: &'n Net) -> Self {
        let places = net.places.iter().map(|place| (&*place.id, &*place.name));
        let transitions = net.transitions.iter().map(|transition| (&*transition.id, &*transition.name));
        Self { places: Index::new(places), transitions: Index::new(transitions) }
    }

    /// The place that `name` at `span` means.
    pub(crate) fn place(&self, name: &str, span: Range<usize>) -> Result<PlaceId, Error> {
        self.places.find(name).map(PlaceId).ok_or_else(|| self.places.missing("place", name, span))
    }

    /// The transition that `name` at `span` means.
    pub(crate) fn transition(&self, name: &str, span: Range<usize>) -> Result<TransitionId, Error> {
        let found = self.transitions.find(name).map(TransitionId);
        found.ok_or_else(|| self.transitions.missing("transition", name, span))
    }

    /// Whether there is such a place.
    pub(crate) fn has_place(&self, name: &str) -> bool {
        self.places.find(name).is_some()
    }

    /// Whether there is such a transition.
    pub(crate) fn has_transition(&self, name: &str) -> bool {
        self.transitions.find(name).is_some()
    }
}

/// How many letters must be changed, added or dropped to make `b` of `a`; case counts as nothing.
fn distance(a: &str, b: &str) -> usize {
    poll();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.to_lowercase().chars().enumerate() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let changed = row[j] + usize::from(letter != b[j]);
            next.push(changed.min(row[j + 1] + 1).min(next[j] + 1));
        }
        row = next;
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("Place", "place"), 0);
    }

    #[test]
    fn ids_come_first_and_shared_names_find_nothing() {
        let index = Index::new([("a", "x"), ("x", "y"), ("b", "z"), ("c", "z")].into_iter());
        assert_eq!(index.find("x"), Some(1));
        assert_eq!(index.find("y"), Some(1));
        assert_eq!(index.find("a"), Some(0));
        assert_eq!(index.find("z"), None);
        assert_eq!(index.missing("place", "z", 0..1).message, "`z` is the name of several places");
    }
}
