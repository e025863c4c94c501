//! Backtracking over a stabiliser chain: the least image of a word, and the elements that fix a word.
//!
//! Entry points: [`least`] and [`fixing`]. A group element `h` gives the word whose letter at `i` is `word[h(i)]` (it is the image under `h⁻¹`). The
//! levels of the chain choose `h(b)` for the base points `b` in ascending order; with the choices above the level of `b` all letters below `b` are decided,
//! so a node of the search whose decided letters are worse than the best word known is dropped, and of the choices at a node only
//! those that put the least letter at `b` are tried.
//!
//! Two leaves with the same word differ by an element that fixes the word. Such elements are used at once: the rest of the
//! branch that led to the second leaf is a copy of one that is done, and choices that they exchange are tried once.
//! On the way to the best leaf every orbit of choices gets united in this way, so what was found generates the whole stabiliser, and
//! its order is the product of those orbits. If all generators of a level fix the word at hand, the search ends there. The worst case is still exponential.

use crate::chain::{Chain, Level};
use crate::{Natural, Partition, Perm, Point};
use std::cmp::Ordering;

/// What a search found.
pub(crate) struct Found {
    /// The element `h` of the best word.
    pub(crate) element: Perm,
    /// Generators of the stabiliser of the given word.
    pub(crate) stabiliser: Vec<Perm>,
    /// The order of that.
    pub(crate) order: Natural,
}

/// The element `h` whose word `word[h(0)], word[h(1)], …` is least.
pub(crate) fn least<T: Ord>(chain: &Chain, word: &[T]) -> Found {
    let mut search =
        Search { chain, word, best: Perm::identity(word.len()), symmetries: Vec::new(), exact: false };
    search.visit(0, &Perm::identity(word.len()), 0, Ordering::Less);
    search.found()
}

/// The elements that fix the word.
///
/// The points are renamed so that rare letters come first: the search then meets its dead ends early.
pub(crate) fn fixing<T: Ord>(chain: &Chain, word: &[T]) -> Found {
    let order = rare_first(word);
    let name = Perm::trusted(order.len(), |x| order[x as usize]).inverse();
    let renamed = if name.is_identity() { None } else { Some(chain.renamed(&name)) };
    let word: Vec<&T> = order.iter().map(|&x| &word[x as usize]).collect();
    let mut found = fixing_in_order(renamed.as_ref().unwrap_or(chain), &word);
    let back = name.inverse();
    found.stabiliser.iter_mut().for_each(|g| *g = g.conjugate(&back));
    found
}

fn fixing_in_order<T: Ord>(chain: &Chain, word: &[T]) -> Found {
    let mut search =
        Search { chain, word, best: Perm::identity(word.len()), symmetries: Vec::new(), exact: true };
    search.visit(0, &Perm::identity(word.len()), 0, Ordering::Equal);
    search.found()
}

/// The points, those with rare letters first.
fn rare_first<T: Ord>(word: &[T]) -> Vec<Point> {
    let mut classes = Partition::of_word(word).classes();
    classes.sort_by_key(Vec::len);
    classes.concat()
}

struct Search<'s, T> {
    chain: &'s Chain,
    word: &'s [T],
    /// The element of the best leaf so far.
    best: Perm,
    /// Elements that fix the word.
    symmetries: Vec<Perm>,
    /// Only the word itself counts: `best` stays the identity.
    exact: bool,
}

impl<T: Ord> Search<'_, T> {
    /// Visits the elements `h·g`, where `g` is in the level at `depth`. The letters below `from` compare with the best word as `state` says: `Equal`, or
    /// `Less` when they are better or there is no best word yet. Returns the depth at which the search is to go on.
    fn visit(&mut self, depth: usize, h: &Perm, from: Point, mut state: Ordering) -> usize {
        let levels = self.chain.levels();
        let decided = levels.get(depth).map_or(self.word.len() as Point, |level| level.base);
        state = state.then_with(|| self.compare(h, from, decided));
        if state == Ordering::Greater || (self.exact && state == Ordering::Less) {
            return depth;
        }
        match levels.get(depth) {
            Some(level) if !self.settled(level, h) => self.branch(depth, level, h, state),
            level => self.leaf(
                depth,
                level,
                h,
                state.then_with(|| self.compare(h, decided, self.word.len() as Point)),
            ),
        }
    }

    /// How the letters of `h` in `from..to` compare with the best ones.
    fn compare(&self, h: &Perm, from: Point, to: Point) -> Ordering {
        let letters = |element: &Perm, x: Point| &self.word[element.image(x) as usize];
        (from..to)
            .map(|x| letters(h, x).cmp(letters(&self.best, x)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// Whether all elements below give the same word.
    fn settled(&self, level: &Level, h: &Perm) -> bool {
        let letter = |x: Point| &self.word[h.image(x) as usize];
        let fixes =
            |g: &Perm| (level.base..self.word.len() as Point).all(|x| letter(g.image(x)) == letter(x));
        level.orbit.generators().all(|step| fixes(&step.perm))
    }

    /// A node all of whose elements give one word.
    fn leaf(&mut self, depth: usize, level: Option<&Level>, h: &Perm, state: Ordering) -> usize {
        match state {
            Ordering::Greater => return depth,
            Ordering::Less if self.exact => return depth,
            Ordering::Equal if *h != self.best => {
                self.symmetries.push(h.compose(&self.best.inverse()));
                return self.parting(h).min(depth);
            }
            _ => self.best = h.clone(),
        }
        for step in level.into_iter().flat_map(|level| level.orbit.generators()) {
            self.symmetries.push(step.perm.conjugate(h));
        }
        depth
    }

    /// The depth at which the ways to `h` and to the best leaf part.
    fn parting(&self, h: &Perm) -> usize {
        let mut bases = self.chain.levels().iter().map(|level| level.base);
        bases.position(|base| h.image(base) != self.best.image(base)).expect("different elements")
    }

    /// Tries the choices of a node.
    fn branch(&mut self, depth: usize, level: &Level, h: &Perm, mut state: Ordering) -> usize {
        let letter = |x: Point| &self.word[h.image(x) as usize];
        let points = level.orbit.points();
        let best = &self.word[self.best.image(level.base) as usize];
        let least =
            if self.exact { best } else { points.iter().map(|&x| letter(x)).min().expect("an orbit") };
        state = state.then_with(|| least.cmp(best));
        if state == Ordering::Greater {
            return depth;
        }
        let choices: Vec<usize> = (0..points.len()).filter(|&at| letter(points[at]) == least).collect();
        let mut tried = Tried::default();
        let mut child = Perm::identity(h.degree());
        for at in choices {
            let choice = h.image(points[at]);
            if tried.covers(self, depth, h, choice) {
                continue;
            }
            level.step_into(h, at, &mut child);
            let back = self.visit(depth + 1, &child, level.base, state);
            if back < depth {
                return back;
            }
            // If these letters were better than the best, the best leaf is now below this node.
            state = Ordering::Equal;
            tried.choices.push(choice);
        }
        depth
    }

    /// Whether a symmetry maps the node to itself: it fixes all choices above.
    fn fixes_node(&self, symmetry: &Perm, depth: usize, h: &Perm) -> bool {
        self.chain.levels()[..depth].iter().all(|level| {
            let choice = h.image(level.base);
            symmetry.image(choice) == choice
        })
    }

    fn found(self) -> Found {
        let degree = self.word.len();
        let mut order = Natural::one();
        for (depth, level) in self.chain.levels().iter().enumerate() {
            let below = self.symmetries.iter().filter(|g| self.fixes_node(g, depth, &self.best));
            order.mul_small(orbit_length(degree, self.best.image(level.base), below));
        }
        Found { element: self.best, stabiliser: self.symmetries, order }
    }
}

fn orbit_length<'p>(degree: usize, start: Point, generators: impl Iterator<Item = &'p Perm>) -> u64 {
    let orbits = Partition::orbits(degree, generators);
    orbits.class(start).len() as u64
}

/// The choices that were tried at a node, up to the symmetries that map the node to itself.
#[derive(Default)]
struct Tried {
    choices: Vec<Point>,
    /// Orbits of those among the first `seen` symmetries; nothing before the first.
    orbits: Option<Partition>,
    seen: usize,
}

impl Tried {
    fn covers<T: Ord>(&mut self, search: &Search<'_, T>, depth: usize, h: &Perm, choice: Point) -> bool {
        if self.choices.is_empty() {
            return false;
        }
        for symmetry in &search.symmetries[self.seen..] {
            if search.fixes_node(symmetry, depth, h) {
                self.orbits.get_or_insert_with(|| Partition::discrete(h.degree())).join_orbits(symmetry);
            }
        }
        self.seen = search.symmetries.len();
        self.orbits
            .as_ref()
            .is_some_and(|orbits| self.choices.iter().any(|&tried| orbits.same(tried, choice)))
    }
}
