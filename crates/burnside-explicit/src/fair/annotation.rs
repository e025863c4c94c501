//! Annotations of the product: a permutation of the elements of all sorts, together with one of the
//! acceptance sets.
//!
//! Entry points: [`Annotation`], [`compose`]. Permutations of the quotient know nothing of automata. In the
//! product with an automaton that has local symmetries an edge renames acceptance sets as well; both
//! permutations are composed and undone together, so that none is lost on the way.

use burnside_limits::poll;
use burnside_ts::Permutation;
use std::rc::Rc;
use std::sync::Arc;

/// A permutation of the acceptance sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MarkPermutation {
    /// Where each goes. None just if it is the identity: so equal permutations are equal values.
    images: Option<Arc<[u32]>>,
}

impl MarkPermutation {
    /// Given by where each acceptance set goes.
    pub fn new(images: &[u32]) -> Self {
        let identity = images.iter().enumerate().all(|(i, &image)| i == image as usize);
        Self { images: (!identity).then(|| images.into()) }
    }

    pub fn is_identity(&self) -> bool {
        self.images.is_none()
    }

    /// Where each goes; none: where it is.
    pub fn images(&self) -> Option<&[u32]> {
        self.images.as_deref()
    }

    /// Where an acceptance set goes.
    pub fn image(&self, mark: u32) -> u32 {
        self.images.as_ref().map_or(mark, |images| images[mark as usize])
    }

    /// First `other`, then this one.
    pub fn after(&self, other: &Self) -> Self {
        match (&self.images, &other.images) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(mine), Some(theirs)) => {
                let images: Vec<u32> = theirs.iter().map(|&image| mine[image as usize]).collect();
                Self::new(&images)
            }
        }
    }

    fn inverse(&self) -> Self {
        let invert = |images: &Arc<[u32]>| {
            let mut inverse = vec![0; images.len()];
            images.iter().enumerate().for_each(|(i, &image)| inverse[image as usize] = i as u32);
            inverse.into()
        };
        Self { images: self.images.as_ref().map(invert) }
    }
}

/// A permutation of the elements of all sorts, with one of the acceptance sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Annotation {
    pub permutation: Permutation,
    pub marks: MarkPermutation,
}

impl From<Permutation> for Annotation {
    /// One that leaves acceptance sets alone.
    fn from(permutation: Permutation) -> Self {
        Self { permutation, marks: MarkPermutation::default() }
    }
}

impl Annotation {
    /// First `other`, then this one.
    pub fn after(&self, other: &Self) -> Self {
        Self {
            permutation: self.permutation.after(&other.permutation),
            marks: self.marks.after(&other.marks),
        }
    }

    /// The one that undoes this.
    pub fn inverse(&self) -> Self {
        Self { permutation: self.permutation.inverse(), marks: self.marks.inverse() }
    }

    pub fn is_identity(&self) -> bool {
        self.marks.is_identity() && self.permutation.is_identity()
    }
}

/// First the second, then the first. None is the identity.
pub(crate) fn compose(
    first: &Option<Rc<Annotation>>,
    second: &Option<Rc<Annotation>>,
) -> Option<Rc<Annotation>> {
    poll();
    match (first, second) {
        (annotation, None) | (None, annotation) => annotation.clone(),
        (Some(first), Some(second)) => {
            let product = first.after(second);
            if product.is_identity() { None } else { Some(Rc::new(product)) }
        }
    }
}

/// The permutation of an annotation. None is the identity.
pub(crate) fn permutation_of(annotation: &Option<Rc<Annotation>>) -> Option<&Permutation> {
    annotation.as_ref().map(|annotation| &annotation.permutation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutations(size: u32) -> Vec<Vec<u32>> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in 0..size {
            let longer = |images: &Vec<u32>| {
                let images = images.clone();
                let left: Vec<u32> = (0..size).filter(|it| !images.contains(it)).collect();
                left.into_iter().map(move |it| [&images[..], &[it]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    fn annotations() -> Vec<Annotation> {
        let of = |marks: Vec<u32>| {
            permutations(3).into_iter().map(move |images| Annotation {
                permutation: Permutation { images: vec![images] },
                marks: MarkPermutation::new(&marks),
            })
        };
        permutations(3).into_iter().flat_map(of).collect()
    }

    /// Composing and undoing act on acceptance sets as on elements, also where one side is the identity on
    /// either.
    #[test]
    fn both_permutations_are_composed() {
        for first in annotations() {
            let back = first.inverse();
            assert!(first.after(&back).is_identity() && back.after(&first).is_identity());
            for second in annotations() {
                let sides = [&first, &second].map(|it| (!it.is_identity()).then(|| Rc::new(it.clone())));
                let both = compose(&sides[0], &sides[1]);
                for element in 0..3 {
                    let image = |it: &Annotation, element: u32| it.permutation.images[0][element as usize];
                    let found = both.as_ref().map_or(element, |both| image(both, element));
                    assert_eq!(found, image(&first, image(&second, element)));
                    let found = both.as_ref().map_or(element, |both| both.marks.image(element));
                    assert_eq!(found, first.marks.image(second.marks.image(element)));
                }
                assert_eq!(both.is_none(), first == second.inverse());
            }
        }
    }
}
