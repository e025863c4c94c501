//! Orbits with transversals: for every point of an orbit a group element that leads there from the start.
//!
//! [`Orbit`] is a Schreier tree: it keeps, for each point, the last step of a way from the start. A
//! representative costs O(n·depth) to put together, the tree O(points·generators) to grow and only O(n) to
//! keep. Where the generators are so few that the tree gets deep (a long cycle), representatives of far
//! points are added as steps until the depth is logarithmic. The steps are always elements of the group that
//! the generators generate.

use crate::{Perm, Point};
use burnside_limits::poll;
use std::sync::Arc;

/// A permutation with its inverse.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) perm: Perm,
    pub(crate) inverse: Perm,
}

impl Step {
    pub(crate) fn new(perm: Perm) -> Arc<Step> {
        // Images are asked for one by one.
        let perm = perm.dense();
        let inverse = perm.inverse();
        Arc::new(Step { perm, inverse })
    }
}

const ABSENT: u32 = u32::MAX;
const START: u32 = u32::MAX - 1;

/// The orbit of a point, with a transversal.
#[derive(Clone, Debug)]
pub struct Orbit {
    points: Vec<Point>,
    /// The step that leads to each point, or `ABSENT` or `START`.
    last: Vec<u32>,
    steps: Vec<Arc<Step>>,
    /// Which of the steps were given; the others were added to make the tree flat.
    given: Vec<usize>,
}

impl Orbit {
    /// The orbit of `start` under the group that the permutations of `0..degree` generate.
    pub fn new<'p>(degree: usize, start: Point, generators: impl IntoIterator<Item = &'p Perm>) -> Orbit {
        let mut orbit = Orbit::alone(degree, start);
        for generator in generators.into_iter().filter(|g| !g.is_identity()) {
            orbit.extend(Step::new(generator.clone()));
        }
        orbit.flatten();
        orbit
    }

    /// The orbit of `start` under nothing.
    pub(crate) fn alone(degree: usize, start: Point) -> Orbit {
        let mut last = vec![ABSENT; degree];
        last[start as usize] = START;
        Orbit { points: vec![start], last, steps: Vec::new(), given: Vec::new() }
    }

    /// Adds a generator.
    pub(crate) fn extend(&mut self, step: Arc<Step>) {
        self.given.push(self.steps.len());
        self.steps.push(step);
        self.grow(self.points.len());
    }

    /// Applies the newest step to the first `old` points, all steps to the others, until nothing is new.
    fn grow(&mut self, old: usize) {
        let newest = self.steps.len() - 1;
        let mut at = 0;
        while at < self.points.len() {
            let first = if at < old { newest } else { 0 };
            poll();
            for step in first..=newest {
                let y = self.steps[step].perm.image(self.points[at]);
                if self.last[y as usize] == ABSENT {
                    self.last[y as usize] = step as u32;
                    self.points.push(y);
                }
            }
            at += 1;
        }
    }

    /// Makes the tree flat, if it is not, by adding steps.
    pub(crate) fn flatten(&mut self) {
        let enough = 2 * (self.len().ilog2() as usize + 1);
        if self.deepest().1 <= enough {
            return;
        }
        self.plant();
        for _ in 0..enough {
            poll();
            let (far, depth) = self.deepest();
            if depth <= enough {
                return;
            }
            let step = Step::new(self.walk(far));
            self.steps.push(step);
            self.plant();
        }
    }

    /// Builds the tree anew, breadth first.
    fn plant(&mut self) {
        let start = self.start();
        self.last.fill(ABSENT);
        self.last[start as usize] = START;
        self.points.clear();
        self.points.push(start);
        self.grow(0);
    }

    /// A point of greatest depth, and that depth.
    fn deepest(&self) -> (Point, usize) {
        let mut depth = vec![0; self.last.len()];
        let mut far = (self.start(), 0);
        // The points are in the order of discovery: a parent comes before its children.
        for &x in &self.points[1..] {
            let parent = self.steps[self.last[x as usize] as usize].inverse.image(x);
            depth[x as usize] = depth[parent as usize] + 1;
            if depth[x as usize] > far.1 {
                far = (x, depth[x as usize]);
            }
        }
        far
    }

    /// Where the orbit starts.
    pub fn start(&self) -> Point {
        self.points[0]
    }

    /// Its points, the start first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The number of its points.
    #[expect(clippy::len_without_is_empty, reason = "an orbit has at least its start")]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether `x` is in it.
    #[inline]
    pub fn contains(&self, x: Point) -> bool {
        self.last[x as usize] != ABSENT
    }

    /// An element that takes the start to `x`, if there is one.
    pub fn representative(&self, x: Point) -> Option<Perm> {
        self.contains(x).then(|| self.walk(x))
    }

    fn walk(&self, x: Point) -> Perm {
        let (mut at, mut back) = (x, Perm::identity(self.last.len()));
        while self.last[at as usize] != START {
            // On a long cycle one step is taken many times, which is a power of it.
            poll();
            let number = self.last[at as usize];
            let inverse = &self.steps[number as usize].inverse;
            let mut times = 0;
            while self.last[at as usize] == number {
                at = inverse.image(at);
                times += 1;
            }
            match times {
                1 => back.premultiply(inverse),
                _ => back.premultiply(&inverse.pow(times)),
            }
        }
        back.inverse()
    }

    /// `residue := u⁻¹·residue`, where `u` is the representative of `x`.
    #[inline]
    pub(crate) fn strip(&self, mut x: Point, residue: &mut Perm) {
        while self.last[x as usize] != START {
            // A long way through many points can take minutes.
            poll();
            let step = &self.steps[self.last[x as usize] as usize];
            residue.premultiply(&step.inverse);
            x = step.inverse.image(x);
        }
    }

    /// The generators it was given.
    pub(crate) fn generators(&self) -> impl Iterator<Item = &Arc<Step>> {
        self.given.iter().map(|&at| &self.steps[at])
    }

    /// The last step on the way to `y`, a point other than the start.
    pub(crate) fn last_step(&self, y: Point) -> Option<&Arc<Step>> {
        self.steps.get(self.last[y as usize] as usize)
    }
}
