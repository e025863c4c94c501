//! Backtracking over a stabiliser chain: the least image of a word, and the elements that fix a word.
//!
//! Entry points: [`least`] and [`fixing`]. A group element `h` gives the word whose letter at `i` is
//! `word[h(i)]` (it is the image under `h⁻¹`). The levels of the chain choose `h(b)` for the base points `b`
//! in ascending order; a node of the search is a coset `h·L` of a level `L`. Its *bound* is the word of
//! `h` with the letters in each orbit of `L` sorted: no element of the coset gives less. A node whose bound
//! is worse than the best word known is dropped, of the choices at a node only those that put the least
//! letter at `b` are tried, those with the least bounds first, and where all letters of each orbit are equal
//! the bound is the word and the search ends. When only the word itself counts, the bound must be that of the
//! word.
//!
//! Two leaves with the same word differ by an element that fixes the word. Such elements are used at once:
//! the rest of the branch that led to the second leaf is a copy of one that is done, and choices that they
//! exchange are tried once. On the way to the best leaf every orbit of choices gets united in this way, so
//! what was found generates the whole stabiliser, and its order is the product of those orbits. A node costs
//! O(n log n); their number is small in practice, exponential at worst.

use crate::chain::{Chain, Level};
use crate::{Natural, Partition, Perm, Point};
use burnside_limits::poll;
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

/// The element `h` whose word `word[h(0)], word[h(1)], …` is least, with what fixes the word.
pub(crate) fn least<T: Ord>(chain: &Chain, word: &[T]) -> Found {
    searched(chain, word).found()
}

/// That element alone: the orbits that the order of the rest takes cost more than the search where the levels
/// are many.
pub(crate) fn least_element<T: Ord>(chain: &Chain, word: &[T]) -> Perm {
    searched(chain, word).best.0
}

fn searched<'s, T: Ord>(chain: &'s Chain, word: &[T]) -> Search<'s> {
    let identity = Perm::identity(word.len());
    let mut search = Search::new(chain, ranks(word), None);
    search.visit(0, &identity, Ordering::Less);
    search
}

/// The elements that fix the word.
///
/// The points are renamed so that rare letters come first: the search then meets its dead ends early.
pub(crate) fn fixing<T: Ord>(chain: &Chain, word: &[T]) -> Found {
    let word = ranks(word);
    let order = rare_first(&word);
    let back = Perm::trusted(order.len(), |x| order[x as usize]);
    if back.is_identity() {
        return fixing_in_order(chain, word);
    }
    let word = order.iter().map(|&x| word[x as usize]).collect();
    let mut found = fixing_in_order(&chain.renamed(&back.inverse()), word);
    found.stabiliser.iter_mut().for_each(|g| *g = g.conjugate(&back));
    found
}

fn fixing_in_order(chain: &Chain, word: Vec<u32>) -> Found {
    let identity = Perm::identity(word.len());
    let bounds = chain.levels().iter().map(|level| bound(&word, Some(level), &identity).letters).collect();
    let mut search = Search::new(chain, word, Some(bounds));
    search.visit(0, &identity, Ordering::Equal);
    search.found()
}

/// Each letter replaced by its rank among the letters of the word.
pub(crate) fn ranks<T: Ord>(word: &[T]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..word.len()).collect();
    order.sort_by_key(|&x| &word[x]);
    let mut ranks = vec![0; word.len()];
    for pair in order.windows(2) {
        ranks[pair[1]] = ranks[pair[0]] + u32::from(word[pair[0]] != word[pair[1]]);
    }
    ranks
}

/// The points, those of rare letters first, as long as these are few; the others as they are.
fn rare_first(word: &[u32]) -> Vec<Point> {
    let mut classes = Partition::of_word(word).classes();
    classes.sort_by_key(Vec::len);
    let mut order = Vec::with_capacity(word.len());
    for class in classes {
        if order.len() + class.len() > word.len() / 4 {
            break;
        }
        order.extend(class);
    }
    let mut first = vec![false; word.len()];
    order.iter().for_each(|&x| first[x as usize] = true);
    order.extend((0..word.len() as Point).filter(|&x| !first[x as usize]));
    order
}

/// The bound of a node.
struct Bound {
    letters: Vec<u32>,
    /// Whether all elements of the node give this word.
    reached: bool,
}

/// The bound of the coset `h·level`; of `h` alone where there is no level.
fn bound(word: &[u32], level: Option<&Level>, h: &Perm) -> Bound {
    let mut letters: Vec<u32> = h.images().map(|x| word[x as usize]).collect();
    let mut reached = true;
    let mut sorted = Vec::new();
    for class in level.into_iter().flat_map(|level| &level.classes) {
        let first = letters[class[0] as usize];
        if class.iter().all(|&x| letters[x as usize] == first) {
            continue;
        }
        reached = false;
        sorted.clear();
        sorted.extend(class.iter().map(|&x| letters[x as usize]));
        sorted.sort_unstable();
        class.iter().zip(&sorted).for_each(|(&x, &letter)| letters[x as usize] = letter);
    }
    Bound { letters, reached }
}

struct Search<'s> {
    chain: &'s Chain,
    word: Vec<u32>,
    /// The best leaf so far: its element and its word.
    best: (Perm, Vec<u32>),
    /// Elements that fix the word.
    symmetries: Vec<Perm>,
    /// If only the word itself counts: its bounds at each level. The best leaf is then the identity from the
    /// start.
    exact: Option<Vec<Vec<u32>>>,
}

impl<'s> Search<'s> {
    fn new(chain: &'s Chain, word: Vec<u32>, exact: Option<Vec<Vec<u32>>>) -> Search<'s> {
        let best = (Perm::identity(word.len()), word.clone());
        Search { chain, word, best, symmetries: Vec::new(), exact }
    }

    /// Visits the elements `h·g`, where `g` is in the level at
    /// `depth`. The letters that are decided above compare with the best word as `state` says:
    /// `Equal`, or `Less` when they are better or there is no best word yet. Returns the depth at which the
    /// search is to go on.
    fn visit(&mut self, depth: usize, h: &Perm, state: Ordering) -> usize {
        let level = self.chain.levels().get(depth);
        let bound = bound(&self.word, level, h);
        if self.hopeless(depth, &bound.letters, state) {
            return depth;
        }
        match level {
            Some(level) if !bound.reached => self.branch(depth, level, h, &bound.letters, state),
            _ => self.leaf(depth, level, h, bound.letters, state),
        }
    }

    /// Whether a node with this bound can give neither a better word nor the best one again.
    fn hopeless(&self, depth: usize, letters: &[u32], state: Ordering) -> bool {
        match &self.exact {
            Some(bounds) => bounds.get(depth).unwrap_or(&self.word) != letters,
            None => state == Ordering::Equal && *letters > *self.best.1,
        }
    }

    /// A node all of whose elements give one word, which is not worse than the best.
    fn leaf(
        &mut self,
        depth: usize,
        level: Option<&Level>,
        h: &Perm,
        letters: Vec<u32>,
        state: Ordering,
    ) -> usize {
        let known = state == Ordering::Equal && letters == self.best.1;
        if known && *h != self.best.0 {
            self.symmetries.push(h.compose(&self.best.0.inverse()));
            return self.parting(h);
        }
        self.best = (h.clone(), letters);
        for step in level.into_iter().flat_map(|level| level.orbit.generators()) {
            self.symmetries.push(step.perm.conjugate(h));
        }
        depth
    }

    /// The depth at which the ways to `h` and to the best leaf part.
    fn parting(&self, h: &Perm) -> usize {
        let mut bases = self.chain.levels().iter().map(|level| level.base);
        bases.position(|base| h.image(base) != self.best.0.image(base)).expect("different elements")
    }

    /// Tries the choices of a node that put the right letter at the base point.
    fn branch(&mut self, depth: usize, level: &Level, h: &Perm, bound: &[u32], mut state: Ordering) -> usize {
        poll();
        let base = level.base as usize;
        let mut letter = self.word[base];
        if self.exact.is_none() {
            letter = bound[base];
            state = state.then_with(|| bound[..=base].cmp(&self.best.1[..=base]));
        }
        let points = level.orbit.points();
        let fits = |at: &usize| self.word[h.image(points[*at]) as usize] == letter;
        let mut choices: Vec<usize> = (0..points.len()).filter(fits).collect();
        if state == Ordering::Less {
            self.promising_first(depth, level, h, &mut choices);
        }
        let mut tried = Tried::default();
        let mut child = Perm::identity(h.degree());
        for at in choices {
            poll();
            let choice = h.image(points[at]);
            if tried.covers(self, depth, h, choice) {
                continue;
            }
            level.step_into(h, at, &mut child);
            let back = self.visit(depth + 1, &child, state);
            if back < depth {
                return back;
            }
            // If these letters were better than the best, the best leaf is now below this node.
            state = Ordering::Equal;
            tried.choices.push(choice);
        }
        depth
    }

    /// Sorts the choices of a node by their bounds.
    fn promising_first(&self, depth: usize, level: &Level, h: &Perm, choices: &mut [usize]) {
        if choices.len() > 1 {
            let below = self.chain.levels().get(depth + 1);
            let mut child = Perm::identity(h.degree());
            choices.sort_by_cached_key(|&at| {
                level.step_into(h, at, &mut child);
                bound(&self.word, below, &child).letters
            });
        }
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
        let levels = self.chain.levels();
        // How many of the choices above each symmetry fixes: from the last level up, more of them take part.
        let choices: Vec<Point> = levels.iter().map(|level| self.best.0.image(level.base)).collect();
        let fixed = |g: &Perm| choices.iter().position(|&x| g.image(x) != x).unwrap_or(levels.len());
        let mut joining: Vec<Vec<&Perm>> = vec![Vec::new(); levels.len() + 1];
        self.symmetries.iter().for_each(|g| joining[fixed(g)].push(g));
        let (mut order, mut orbits) = (Natural::one(), Partition::discrete(degree));
        joining[levels.len()].iter().for_each(|g| orbits.join_orbits(g));
        for depth in (0..levels.len()).rev() {
            joining[depth].iter().for_each(|g| orbits.join_orbits(g));
            order.mul_small(orbits.class(choices[depth]).len() as u64);
        }
        Found { element: self.best.0, stabiliser: self.symmetries, order }
    }
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
    fn covers(&mut self, search: &Search<'_>, depth: usize, h: &Perm, choice: Point) -> bool {
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
