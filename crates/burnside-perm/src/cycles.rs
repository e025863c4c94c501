//! Cycle notation: `(0 1 2)(3 4)` maps 0 to 1, 1 to 2, 2 to 0, and exchanges 3 and 4; `()` is the identity.
//!
//! [`Perm::cycles`] and `Display` give the one form in which each cycle begins with its least point, cycles
//! are in the order of those points and fixed points are left out. [`Perm::parse`] reads that and any other
//! product of cycles, disjoint or not, the rightmost first, with blanks or commas between points. Both cost
//! O(n + length).

use crate::{Perm, Point, images};
use std::fmt;

/// Why a text is not a permutation in cycle notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// This was found where a cycle should begin.
    Expected(String),
    /// A cycle has no end.
    Unclosed,
    /// This is not a point below the degree.
    NotAPoint(String),
    /// A point is twice in one cycle.
    Repeated(Point),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Expected(found) => write!(f, "a cycle must begin with `(`, not with `{found}`"),
            ParseError::Unclosed => write!(f, "a cycle must end with `)`"),
            ParseError::NotAPoint(text) => write!(f, "`{text}` is not a point of this degree"),
            ParseError::Repeated(point) => write!(f, "the point {point} is twice in one cycle"),
        }
    }
}

impl std::error::Error for ParseError {}

impl Perm {
    /// The cycles that are longer than one point, each from its least point on, ordered by that.
    pub fn cycles(&self) -> Vec<Vec<Point>> {
        images::cycles(self.degree(), |x| self.image(x))
    }

    /// The permutation that takes each point of the cycle to the next and the last to the first.
    pub fn cycle(degree: usize, points: &[Point]) -> Result<Perm, ParseError> {
        let mut images: Vec<Point> = (0..degree as Point).collect();
        for (at, &x) in points.iter().enumerate() {
            let place = images.get_mut(x as usize).ok_or_else(|| ParseError::NotAPoint(x.to_string()))?;
            *place = points[(at + 1) % points.len()];
        }
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ParseError::Repeated(pair[0])),
            None => Ok(Perm::trusted(degree, |x| images[x as usize])),
        }
    }

    /// Reads cycle notation.
    pub fn parse(degree: usize, text: &str) -> Result<Perm, ParseError> {
        let mut result = Perm::identity(degree);
        let mut rest = text.trim();
        while !rest.is_empty() {
            let inside = rest.strip_prefix('(').ok_or_else(|| ParseError::Expected(rest.to_string()))?;
            let (body, after) = inside.split_once(')').ok_or(ParseError::Unclosed)?;
            result = result.compose(&Perm::cycle(degree, &read_points(degree, body)?)?);
            rest = after.trim_start();
        }
        Ok(result)
    }
}

fn read_points(degree: usize, body: &str) -> Result<Vec<Point>, ParseError> {
    let words = body.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let read = |word: &str| word.parse().ok().filter(|&point: &Point| (point as usize) < degree);
    words.map(|word| read(word).ok_or_else(|| ParseError::NotAPoint(word.to_string()))).collect()
}

impl fmt::Display for Perm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycles = self.cycles();
        if cycles.is_empty() {
            return f.write_str("()");
        }
        for cycle in cycles {
            let points: Vec<String> = cycle.iter().map(Point::to_string).collect();
            write!(f, "({})", points.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Perm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} on {}", self.degree())
    }
}
