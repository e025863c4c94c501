//! The lexicographically least image of a word under a group, with an element that leads to it.
//!
//! A word has one letter for each point, and `(g·w)[g(i)] = w[i]`. Two words are in one orbit exactly when
//! their least images are equal, so [`Group::minimal_image`] is a canonical form. By kind: sorting for full
//! groups and Young subgroups, O(n log n); the least rotation for rings, O(n); part by part for products; a
//! pruned search over the stabiliser chain for all others ([`search`]), exact too. [`Group::orbit_size`] is
//! |G| / |stabiliser|, counted without listing either.

use crate::group::Shape;
use crate::{Group, Natural, Perm, Point, recognise, search};

/// A least image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image<T> {
    /// The image.
    pub word: Vec<T>,
    /// The element that leads to it: `by·w = word`.
    pub by: Perm,
}

impl<T> Image<T> {
    /// The element that leads back: `w = lift()·word`.
    pub fn lift(&self) -> Perm {
        self.by.inverse()
    }
}

impl Group {
    /// The least image of the word.
    pub fn minimal_image<T: Ord + Clone>(&self, word: &[T]) -> Image<T> {
        let by = self.minimiser(word);
        Image { word: by.permute(word), by }
    }

    /// The least image of the word, and the elements that fix the word (not the image).
    pub fn minimal_image_and_stabiliser<T: Ord + Clone>(&self, word: &[T]) -> (Image<T>, Group) {
        let (by, stabiliser) = self.minimiser_and_stabiliser(word);
        (Image { word: by.permute(word), by }, stabiliser)
    }

    /// An element `g` for which `g·word` is least.
    pub fn minimiser<T: Ord>(&self, word: &[T]) -> Perm {
        assert_eq!(word.len(), self.degree(), "one letter for each point");
        match self.shape() {
            Shape::Young(young) => young.minimiser(word),
            Shape::Ring(ring) => ring.minimiser(word),
            Shape::Product(product) => product.minimiser(word),
            Shape::Chain(chain) => search::least_element(chain, word).inverse(),
        }
    }

    /// An element `g` for which `g·word` is least, and the elements that fix the word.
    pub fn minimiser_and_stabiliser<T: Ord>(&self, word: &[T]) -> (Perm, Group) {
        assert_eq!(word.len(), self.degree(), "one letter for each point");
        match self.shape() {
            Shape::Chain(chain) => {
                let found = search::least(chain, word);
                let stabiliser = recognise::group(self.degree(), &found.stabiliser, Some(&found.order));
                (found.element.inverse(), stabiliser)
            }
            Shape::Product(product) => product.minimiser_and_stabiliser(word),
            _ => (self.minimiser(word), self.word_stabiliser(word)),
        }
    }

    /// The number of images of the word.
    pub fn orbit_size<T: Ord>(&self, word: &[T]) -> Natural {
        assert_eq!(word.len(), self.degree(), "one letter for each point");
        match self.shape() {
            Shape::Young(young) => young.orbit_size(word),
            Shape::Ring(ring) => ring.order().exact_div(&ring.fixing(word).order()),
            Shape::Product(product) => product.orbit_size(word),
            Shape::Chain(chain) => chain.order().exact_div(&search::least(chain, word).order),
        }
    }

    /// How many elements fix the word.
    pub fn word_stabiliser_order<T: Ord>(&self, word: &[T]) -> Natural {
        match self.shape() {
            Shape::Chain(chain) => search::least(chain, word).order,
            Shape::Young(_) | Shape::Ring(_) | Shape::Product(_) => {
                self.order().exact_div(&self.orbit_size(word))
            }
        }
    }

    /// The least of the permutations `g·h`, where `h` is an element: the same for all `g` of one coset.
    pub fn least_in_coset(&self, g: &Perm) -> Perm {
        let images: Vec<Point> = g.images().collect();
        g.compose(&self.minimiser(&images).inverse())
    }
}
