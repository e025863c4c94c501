//! Permutations as lists of images, for those who keep them so: `images[x]` is where `x` goes.

use crate::Point;

/// The list of the first `inner`, then `outer`.
pub fn compose(outer: &[Point], inner: &[Point]) -> Vec<Point> {
    inner.iter().map(|&image| outer[image as usize]).collect()
}

/// The list of the one that undoes this.
pub fn inverse(images: &[Point]) -> Vec<Point> {
    let mut inverse = vec![0; images.len()];
    for (x, &image) in images.iter().enumerate() {
        inverse[image as usize] = x as Point;
    }
    inverse
}

/// Whether every point stays where it is.
pub fn is_identity(images: &[Point]) -> bool {
    images.iter().enumerate().all(|(x, &image)| x == image as usize)
}

/// The cycles of more than one of so many points, each from its least point on, ordered by that.
pub fn cycles(degree: usize, image: impl Fn(Point) -> Point) -> Vec<Vec<Point>> {
    let mut seen = vec![false; degree];
    let mut cycles = Vec::new();
    for start in 0..degree as Point {
        let (mut cycle, mut x) = (Vec::new(), start);
        while !std::mem::replace(&mut seen[x as usize], true) {
            cycle.push(x);
            x = image(x);
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}
