//! Walks through a net without colours: firings by chance, or such as come nearer to a goal.
//!
//! Entry point: [`Walker::walk`]. Which firings are possible is kept from step to step. A walk begins anew at
//! the initial marking after some hundred steps, later after more. A run that is found is made shorter where
//! it comes back to a marking. The same seed gives the same run.

use super::flat::Flat;
use super::tableau::Work;
use burnside_limits::Random;
use std::collections::HashMap;

const NOWHERE: u32 = u32::MAX;
/// So many firings are tried before the one that comes nearest is taken.
const TRIES: usize = 6;

/// How far a marking is from what is looked for.
type Distance<'d> = dyn Fn(&[i64]) -> i128 + 'd;

/// What a walk thinks of a marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Nothing,
    /// The best so far.
    Better,
    /// What was looked for.
    Enough,
}

/// Walks through a net.
#[derive(Debug)]
pub(crate) struct Walker<'n> {
    flat: &'n Flat,
    /// By cell, the firings that it may let happen or not.
    depending: Vec<Vec<u32>>,
    marking: Vec<i64>,
    enabled: Vec<u32>,
    /// By firing, its place in `enabled`.
    places: Vec<u32>,
    run: Vec<u32>,
    random: Random,
}

impl<'n> Walker<'n> {
    pub fn new(flat: &'n Flat, seed: u64) -> Self {
        let mut depending = vec![Vec::new(); flat.initial.len()];
        for (number, firing) in flat.firings.iter().enumerate() {
            let cells = firing.needs.iter().chain(&firing.inhibited).map(|it| it.0);
            cells.for_each(|cell| depending[cell as usize].push(number as u32));
        }
        let places = vec![NOWHERE; flat.firings.len()];
        let (marking, enabled, run) = (Vec::new(), Vec::new(), Vec::new());
        Self { flat, depending, marking, enabled, places, run, random: Random::new(seed) }
    }

    /// Walks until something is seen that is enough, or the work is done: the run to the best that was seen.
    pub fn walk(
        &mut self,
        mut look: impl FnMut(&[i64], bool) -> Seen,
        distance: Option<&Distance<'_>>,
        cost: usize,
        work: &mut Work,
    ) -> Option<Vec<u32>> {
        let mut best = None;
        for round in 0.. {
            self.begin();
            if work.spend(self.places.len()).is_none() {
                break;
            }
            // One walk of four is blind: what a distance says may lead nowhere.
            let guide = distance.filter(|_| round % 4 != 3);
            for _ in 0..256usize << (round % 8) {
                let seen = look(&self.marking, self.enabled.is_empty());
                if seen != Seen::Nothing {
                    best = Some(self.shortened());
                }
                if seen == Seen::Enough || self.enabled.is_empty() {
                    break;
                }
                let tries = if guide.is_some() { TRIES } else { 1 };
                let next = self.next(guide);
                let Some(steps) = self.fire(next) else { break };
                if work.spend(steps + cost * tries).is_none() {
                    return best;
                }
            }
            if best.is_some() && look(&self.marking, self.enabled.is_empty()) == Seen::Enough {
                break;
            }
        }
        best
    }

    fn begin(&mut self) {
        self.marking.clone_from(&self.flat.initial);
        self.run.clear();
        self.enabled.clear();
        for (number, firing) in self.flat.firings.iter().enumerate() {
            self.places[number] = NOWHERE;
            if firing.is_enabled(&self.marking) {
                self.places[number] = self.enabled.len() as u32;
                self.enabled.push(number as u32);
            }
        }
    }

    /// The firing to go on with.
    fn next(&mut self, guide: Option<&Distance<'_>>) -> u32 {
        let mut any = || self.enabled[self.random.below(self.enabled.len())];
        let first = any();
        let Some(distance) = guide.filter(|_| self.enabled.len() > 1) else { return first };
        if any() == first && self.enabled.len() > TRIES {
            return first;
        }
        let candidates: Vec<u32> = match self.enabled.len() <= TRIES {
            true => self.enabled.clone(),
            false => (0..TRIES).map(|_| self.enabled[self.random.below(self.enabled.len())]).collect(),
        };
        let start = self.random.below(candidates.len());
        let rotated = candidates[start..].iter().chain(&candidates[..start]);
        rotated.copied().min_by_key(|&firing| self.after(firing, distance)).unwrap_or(first)
    }

    /// The distance after a firing.
    fn after(&mut self, firing: u32, distance: &Distance<'_>) -> i128 {
        let it = &self.flat.firings[firing as usize];
        let touched = it.takes.iter().chain(&it.gives).map(|it| it.0).chain(it.resets.iter().copied());
        let before: Vec<(u32, i64)> = touched.map(|cell| (cell, self.marking[cell as usize])).collect();
        let fits = it.fire(&mut self.marking);
        let value = if fits { distance(&self.marking) } else { i128::MAX };
        before.into_iter().for_each(|(cell, tokens)| self.marking[cell as usize] = tokens);
        value
    }

    /// Fires, and says how much work it was; none if a number would be too great.
    fn fire(&mut self, number: u32) -> Option<usize> {
        let flat = self.flat;
        let it = &flat.firings[number as usize];
        if !it.fire(&mut self.marking) {
            return None;
        }
        self.run.push(number);
        let mut steps = 0;
        for cell in it.takes.iter().chain(&it.gives).map(|it| it.0).chain(it.resets.iter().copied()) {
            let depending = std::mem::take(&mut self.depending[cell as usize]);
            steps += depending.len();
            depending.iter().for_each(|&other| self.look_again(other));
            self.depending[cell as usize] = depending;
        }
        Some(steps)
    }

    fn look_again(&mut self, number: u32) {
        let (is, place) =
            (self.flat.firings[number as usize].is_enabled(&self.marking), self.places[number as usize]);
        if is && place == NOWHERE {
            self.places[number as usize] = self.enabled.len() as u32;
            self.enabled.push(number);
        } else if !is && place != NOWHERE {
            self.enabled.swap_remove(place as usize);
            if let Some(&moved) = self.enabled.get(place as usize) {
                self.places[moved as usize] = place;
            }
            self.places[number as usize] = NOWHERE;
        }
    }

    /// The run so far, without the parts between equal markings.
    fn shortened(&self) -> Vec<u32> {
        let mut marking = self.flat.initial.clone();
        let mut short: Vec<u32> = Vec::new();
        let mut seen = HashMap::from([(hash(&marking), 0)]);
        let mut hashes = vec![hash(&marking)];
        for &number in &self.run {
            if !self.flat.firings[number as usize].fire(&mut marking) {
                return self.run.clone();
            }
            let now = hash(&marking);
            match seen.get(&now).copied() {
                Some(length) => {
                    hashes.drain(length + 1..).for_each(|hash| _ = seen.remove(&hash));
                    short.truncate(length);
                }
                None => {
                    short.push(number);
                    seen.insert(now, short.len());
                    hashes.push(now);
                }
            }
        }
        // Two markings may have the same hash.
        if self.flat.after(&short).is_some_and(|end| end == self.marking) { short } else { self.run.clone() }
    }
}

impl Flat {
    /// The marking after some firings, if they are possible one after the other.
    pub fn after(&self, run: &[u32]) -> Option<Vec<i64>> {
        let mut marking = self.initial.clone();
        for &number in run {
            let firing = self.firings.get(number as usize)?;
            if !firing.is_enabled(&marking) || !firing.fire(&mut marking) {
                return None;
            }
        }
        Some(marking)
    }
}

fn hash(marking: &[i64]) -> u64 {
    let mix =
        |hash: u64, tokens: &i64| (hash ^ *tokens as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    marking.iter().fold(0x517c_c1b7_2722_0a95, mix)
}
