//! A direct factor of a generated group that permutes the members of some sets in all ways, where each cell
//! is about one or more members: a state as a graph on the members.
//!
//! Entry point: [`MemberLabelling::new`], for a factor that is a [`MemberAction`]. What a cell says of one
//! member is part of its key, what it says of two is an edge, where zero is said by saying nothing; cells of
//! more members are vertices of their own. The canonical labelling of that graph brings the members into
//! order, and with them the points: n log n where members are told apart by what is about them, and never a
//! search in the group.

use burnside_perm::{Graph, Judge, Labeller, MemberAction, MemberOrbit, Natural, Perm, Point};
use burnside_ts::bits;
use std::cmp::Ordering;
use std::ops::Range;

/// Cells of two members are cut into pieces of so many bits, so that each value has its own label.
const LABEL_BITS: u32 = 16;

/// There are no more labels than this.
const MOST_LABELS: u32 = 1 << 30;

/// The factor, and the graph of the state at hand.
#[derive(Debug)]
pub(super) struct MemberLabelling {
    action: MemberAction,
    /// The orbits with cells.
    celled: Vec<CelledOrbit>,
    key_words: usize,
    graph: Graph,
    edges: Vec<(Point, Point, u32)>,
    labeller: Labeller,
    /// What the cells of all orbits hold, orbit by orbit and point by point; and two images of that.
    letters: Vec<u64>,
    moved: [Vec<u64>; 2],
    /// By member, where it goes; or which others are like it.
    to: Vec<Point>,
    next: Vec<Point>,
    /// By point of an orbit, whether one that is like it was seen.
    seen: Vec<bool>,
    /// Whether the last order is canonical.
    pub complete: bool,
}

/// An orbit with cells, equally many for each point.
#[derive(Debug)]
struct CelledOrbit {
    /// Which of the action's orbits it is.
    orbit: usize,
    /// The cells of all points: first bits and widths.
    cells: Vec<(u32, u32)>,
    parts: Vec<Part>,
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// A part of a key: its word and its first bit there.
    Key(usize, u32),
    /// Edges with labels from here.
    Edge(u32),
    /// Vertices with this number.
    Vertex(u64),
}

/// Compares what two orders of the members make of the letters.
struct LetterJudge<'j> {
    action: &'j MemberAction,
    celled: &'j [CelledOrbit],
    letters: &'j [u64],
    moved: &'j mut [Vec<u64>; 2],
    to: &'j mut [Point],
}

impl Judge for LetterJudge<'_> {
    fn compare(&mut self, order: &[Point], best: &[Point]) -> Ordering {
        let Self { action, celled, letters, moved, to } = self;
        for (order, moved) in [order, best].into_iter().zip(moved.iter_mut()) {
            places(order, to);
            moved.resize(letters.len(), 0);
            let mut begin = 0;
            for it in celled.iter() {
                let (orbit, width) = (&action.orbits()[it.orbit], it.parts.len());
                for at in 0..orbit.points().len() {
                    let there = orbit.image(at, to);
                    moved[begin + there * width..][..width]
                        .copy_from_slice(&letters[begin + at * width..][..width]);
                }
                begin += it.cells.len();
            }
        }
        let [a, b] = &**moved;
        a.cmp(b)
    }

    /// The graph says everything.
    fn keeps(&mut self, _pairs: &[(Point, Point)]) -> bool {
        true
    }
}

/// By vertex, its place in an order of the vertices.
fn places(order: &[Point], to: &mut [Point]) {
    (0..).zip(&order[..to.len()]).for_each(|(place, &vertex)| to[vertex as usize] = place);
}

impl MemberLabelling {
    /// For a factor and the cells of a point. None if some permutation moves no cell, or if there are too
    /// many values to tell apart.
    pub fn new(action: MemberAction, cells: &dyn Fn(Point) -> Vec<(u32, u32)>) -> Option<Self> {
        let mut planner = PartPlanner { used: vec![0; action.sets().len()], labels: 0, vertices: 0 };
        let mut celled = Vec::new();
        for (number, orbit) in action.orbits().iter().enumerate() {
            let cut = |&point: &Point| cells(point).into_iter().flat_map(|cell| cut(cell, orbit.arity()));
            let first: Vec<(u32, u32)> = orbit.points().first().into_iter().flat_map(cut).collect();
            if first.is_empty() {
                continue;
            }
            let set = action.sets().partition_point(|&begin| begin <= orbit.members(0)[0]) - 1;
            let parts: Option<Vec<Part>> =
                first.iter().map(|cell| planner.part(set, orbit.arity(), cell.1)).collect();
            let cells = orbit.points().iter().flat_map(cut).collect();
            celled.push(CelledOrbit { orbit: number, cells, parts: parts? });
        }
        if !reaches_all(&action, &celled) {
            return None;
        }
        let words = planner.used.iter().map(|bits| bits.div_ceil(64) as usize).max().unwrap_or(0);
        // A vertex for a cell has its number and its value.
        let key_words = words.max(if planner.vertices > 0 { 2 } else { 1 });
        let count = action.sets().last().map_or(0, |&end| end as usize);
        Some(Self {
            graph: Graph::with_classes(action.sets().to_vec(), key_words),
            action,
            celled,
            key_words,
            edges: Vec::new(),
            labeller: Labeller::default(),
            letters: Vec::new(),
            moved: [Vec::new(), Vec::new()],
            to: vec![0; count],
            next: Vec::new(),
            seen: Vec::new(),
            complete: true,
        })
    }

    /// How many elements the factor has.
    pub fn order(&self) -> Natural {
        self.action.order()
    }

    /// Brings the members of a state into order, in place; the permutation of the points that does it, if a
    /// member moves. If so much work is not enough, into some order, which is not `complete`.
    pub fn sort(&mut self, degree: usize, state: &mut [u64], most_work: u64) -> Option<Perm> {
        self.label(state, most_work);
        let Self { action, celled, labeller, letters, to, .. } = self;
        places(labeller.order(), to);
        if (0..).zip(&*to).all(|(member, &place)| member == place) {
            return None;
        }
        let mut letters = letters.iter();
        for it in celled {
            let (orbit, width) = (&action.orbits()[it.orbit], it.parts.len());
            for at in 0..orbit.points().len() {
                let cells = &it.cells[orbit.image(at, to) * width..][..width];
                for (&(offset, width), &letter) in cells.iter().zip(&mut letters) {
                    bits::write(state, offset, width, letter);
                }
            }
        }
        let mut images: Vec<Point> = (0..degree as Point).collect();
        for orbit in action.orbits() {
            for (at, &point) in orbit.points().iter().enumerate() {
                images[point as usize] = orbit.points()[orbit.image(at, to)];
            }
        }
        Some(Perm::from_images(&images).expect("members are permuted"))
    }

    /// How many elements of the factor leave a state as it is.
    pub fn stabiliser(&mut self, state: &[u64]) -> Natural {
        self.label(state, u64::MAX);
        self.labeller.automorphisms()
    }

    /// The same for the state that was brought into order last, times a number, if it is not too long.
    pub fn known_stabiliser(&self, times: u128) -> Option<u128> {
        self.complete.then_some(())?;
        self.labeller.factors().try_fold(times, |order, factor| order.checked_mul(factor.into()))
    }

    /// Notes which of the points in a range, which have no cells, are what members that can be swapped
    /// without changing a state make of a point before them.
    pub fn covered(&mut self, state: &[u64], range: Range<Point>, covered: &mut [bool]) {
        self.extract(state);
        let Self { action, celled, graph, labeller, letters, moved, to, next, seen, .. } = self;
        // By member, the first one of its class; and the next one after that.
        (0..).zip(to.iter_mut()).for_each(|(member, first)| *first = member);
        next.clone_from(to);
        let mut judge = LetterJudge { action, celled, letters, moved, to: &mut [] };
        labeller.twins(graph, &mut judge, |class| {
            class.iter().for_each(|&member| {
                to[member as usize] = class[0];
                next[member as usize] = class[1];
            });
        });
        for orbit in action.orbits().iter().filter(|orbit| range.contains(&orbit.points()[0])) {
            seen.clear();
            seen.resize(orbit.points().len(), false);
            for (at, &point) in orbit.points().iter().enumerate() {
                let members = orbit.members(at);
                let first = orbit.position(|position| {
                    let first = to[members[position] as usize];
                    let again = position > 0 && to[members[position - 1] as usize] == first;
                    if again { next[members[position] as usize] } else { first }
                });
                covered[(point - range.start) as usize] |= std::mem::replace(&mut seen[first], true);
            }
        }
    }

    fn label(&mut self, state: &[u64], most_work: u64) {
        self.extract(state);
        let Self { action, celled, graph, labeller, letters, moved, to, .. } = self;
        let mut judge = LetterJudge { action, celled, letters, moved, to };
        self.complete = labeller.run(graph, &mut judge, most_work);
    }

    /// Makes the graph of a state.
    fn extract(&mut self, state: &[u64]) {
        let Self { action, celled, key_words, graph, edges, letters, .. } = self;
        letters.clear();
        edges.clear();
        graph.clear_auxiliary();
        graph.keys_mut().fill(0);
        for it in celled {
            let orbit = &action.orbits()[it.orbit];
            for (at, cells) in it.cells.chunks(it.parts.len()).enumerate() {
                for (&(offset, width), part) in cells.iter().zip(&it.parts) {
                    let letter = bits::read(state, offset, width);
                    letters.push(letter);
                    if letter != 0 {
                        say(graph, edges, *key_words, orbit, at, *part, letter);
                    }
                }
            }
        }
        graph.link(edges.iter().copied());
    }
}

/// Puts a letter that is not zero into the graph.
fn say(
    graph: &mut Graph,
    edges: &mut Vec<(Point, Point, u32)>,
    key_words: usize,
    orbit: &MemberOrbit,
    at: usize,
    part: Part,
    letter: u64,
) {
    let members = orbit.members(at);
    match part {
        Part::Key(word, shift) => {
            graph.keys_mut()[members[0] as usize * key_words + word] |= letter << shift;
        }
        Part::Edge(label) => {
            edges.push((members[0], members[1], label + letter as u32));
            if orbit.unordered().is_some() {
                edges.push((members[1], members[0], label + letter as u32));
            }
        }
        Part::Vertex(number) => {
            let vertex = graph.add_auxiliary(number);
            graph.keys_mut()[vertex as usize * key_words + 1] = letter;
            for (position, &member) in members.iter().enumerate() {
                let second = orbit.unordered().is_some_and(|first| position == first + 1);
                edges.push((vertex, member, MOST_LABELS + (position - usize::from(second)) as u32));
            }
        }
    }
}

/// Gives out places in keys and labels of edges.
struct PartPlanner {
    /// By set, how many bits of keys are used.
    used: Vec<u32>,
    labels: u32,
    vertices: u64,
}

impl PartPlanner {
    fn part(&mut self, set: usize, arity: usize, width: u32) -> Option<Part> {
        match arity {
            1 => {
                let used = &mut self.used[set];
                if *used % 64 + width > 64 {
                    *used = used.next_multiple_of(64);
                }
                *used += width;
                Some(Part::Key(((*used - width) / 64) as usize, (*used - width) % 64))
            }
            2 => {
                self.labels += 1 << width;
                (self.labels < MOST_LABELS).then_some(Part::Edge(self.labels - (1 << width)))
            }
            _ => {
                self.vertices += 1;
                Some(Part::Vertex(self.vertices))
            }
        }
    }
}

/// A cell of two members in pieces.
fn cut((offset, width): (u32, u32), arity: usize) -> impl Iterator<Item = (u32, u32)> {
    let most = if arity == 2 { LABEL_BITS } else { 64 };
    (0..width).step_by(most as usize).map(move |at| (offset + at, most.min(width - at)))
}

/// Whether each member has a cell that is about it: then only the identity moves no cell.
fn reaches_all(action: &MemberAction, celled: &[CelledOrbit]) -> bool {
    let about = |set: &[Point]| {
        let named = |it: &CelledOrbit| {
            action.orbits()[it.orbit].members(0).iter().any(|m| set[0] <= *m && *m < set[1])
        };
        celled.iter().any(named)
    };
    action.sets().windows(2).all(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of keys stay within their words, and no two share a bit.
    #[test]
    fn parts_of_keys_are_apart() {
        for widths in [&[40, 40][..], &[64, 1, 64], &[1, 63, 2, 62, 3], &[30, 30, 30, 5, 60]] {
            let mut planner = PartPlanner { used: vec![0; 2], labels: 0, vertices: 0 };
            let mut used = [0u64; 8];
            for &width in widths {
                let Some(Part::Key(word, first)) = planner.part(1, 1, width) else { panic!("a key") };
                assert!(first + width <= 64, "{widths:?}");
                let bits = burnside_ts::bits::mask(width) << first;
                assert_eq!(used[word] & bits, 0, "{widths:?}");
                used[word] |= bits;
            }
            assert_eq!(planner.used[0], 0);
        }
    }
    /// Three sets of two members, and two cells for each triple of them: all states with three letters
    /// against all eight elements.
    #[test]
    fn triples_with_several_letters() {
        const DEGREE: usize = 6 + 8;
        let image = |by: usize, x: usize| match x {
            0..6 => x ^ (by >> (x / 2) & 1),
            _ => 6 + ((x - 6) ^ by),
        };
        let element = |by: usize| {
            let images: Vec<Point> = (0..DEGREE).map(|x| image(by, x) as Point).collect();
            Perm::from_images(&images).unwrap()
        };
        let action = MemberAction::find(DEGREE, &[element(1), element(2), element(4)]).unwrap();
        let cells = |point: Point| match point.checked_sub(6) {
            Some(at) => vec![(3 * at, 2), (3 * at + 2, 1)],
            None => Vec::new(),
        };
        let mut labelling = MemberLabelling::new(action, &cells).unwrap();
        let most = labelling.graph.len() + 16;
        let mut representatives = std::collections::HashMap::new();
        let values = |number: usize| [[0, 1, 2], [0, 1, 4]][number / 3usize.pow(8)];
        for number in 0..2 * 3usize.pow(8) {
            let letters: Vec<u64> = (0..8).map(|at| values(number)[number / 3usize.pow(at) % 3]).collect();
            let packed = |by: usize| (0..8).fold(0, |word, at| word | letters[at] << (3 * (at ^ by)));
            let images: Vec<u64> = (0..8).map(packed).collect();
            let mut state = [images[0], 0, 0, 0];
            let moved = labelling.sort(DEGREE, &mut state, u64::MAX);
            let by = moved.map_or(0, |perm| perm.image(6) as usize - 6);
            assert_eq!(state[0], images[by]);
            let least = *images.iter().min().unwrap();
            assert_eq!(*representatives.entry(least).or_insert(state[0]), state[0], "{letters:?}");
            let fixing = images.iter().filter(|image| **image == images[0]).count();
            assert_eq!(labelling.known_stabiliser(1), Some(fixing as u128), "{letters:?}");
            assert!(labelling.graph.len() <= most, "vertices of the state before are still there");
        }
    }

    /// Digraphs on four members, as points for ordered pairs: as many representatives as there are digraphs
    /// up to isomorphism, and 24 elements for each.
    #[test]
    fn digraphs_on_four_members() {
        let pairs: Vec<(u32, u32)> =
            (0..4).flat_map(|a| (0..4).filter(move |&b| b != a).map(move |b| (a, b))).collect();
        let degree = 4 + pairs.len();
        let swap = |a: u32, x: u32| match x {
            x if x == a => a + 1,
            x if x == a + 1 => a,
            x => x,
        };
        let generator = |a: u32| {
            let there = pairs.iter().map(|&(x, y)| (swap(a, x), swap(a, y)));
            let place = |pair| 4 + pairs.iter().position(|other| *other == pair).unwrap() as Point;
            let images: Vec<Point> = (0..4).map(|x| swap(a, x)).chain(there.map(place)).collect();
            Perm::from_images(&images).unwrap()
        };
        let action = MemberAction::find(degree, &[generator(0), generator(1), generator(2)]).unwrap();
        let cells = |point: Point| if point < 4 { Vec::new() } else { vec![(point - 4, 1)] };
        let mut labelling = MemberLabelling::new(action, &cells).unwrap();
        let mut orbits = std::collections::BTreeMap::new();
        for graph in 0..1u64 << pairs.len() {
            let mut state = [graph, 0, 0];
            labelling.sort(degree, &mut state, u64::MAX);
            let fixing = labelling.known_stabiliser(1).unwrap();
            let (count, size) = orbits.entry(state[0]).or_insert((0, 24 / fixing));
            *count += 1;
            assert_eq!(*size, 24 / fixing);
        }
        assert_eq!(orbits.len(), 218);
        assert!(orbits.values().all(|(count, size)| count == size), "{orbits:?}");
    }
}
