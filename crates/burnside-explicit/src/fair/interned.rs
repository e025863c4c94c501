//! Annotations, each kept once: the same few permutations occur on almost all edges.
//!
//! Entry point: [`Annotations`]. An annotation is a number ([`AnnotationId`]), products and inverses are
//! looked up after they were computed once, and equal numbers are equal annotations. Nothing is ever
//! forgotten: there are at most as many as the group has elements, and in practice as many as distinct edges
//! and paths of the search have.

use super::annotation::{Annotation, MarkPermutation};
use burnside_checkpoint::{Damage, Persist, Reader, Writer};
use burnside_limits::poll;
use burnside_ts::{Permutation, SortId, Types};
use foldhash::HashMap;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// An annotation, by number; the first is the identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct AnnotationId(pub u32);

impl AnnotationId {
    pub const IDENTITY: Self = Self(0);
}

/// Products of annotations with small numbers are in a square table, which grows up to this side.
const SQUARE: usize = 256;
/// More products than these are not kept.
const MOST_PRODUCTS: usize = 1 << 20;
const UNKNOWN: AnnotationId = AnnotationId(u32::MAX);

/// One that leaves acceptance sets alone, found by its permutation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plain(Rc<Annotation>);

impl Borrow<Permutation> for Plain {
    fn borrow(&self) -> &Permutation {
        &self.0.permutation
    }
}

impl Hash for Plain {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.permutation.hash(hasher);
    }
}

/// All annotations met so far.
#[derive(Debug)]
pub(crate) struct Annotations {
    known: Vec<Rc<Annotation>>,
    inverses: Vec<AnnotationId>,
    plain: HashMap<Plain, AnnotationId>,
    with_marks: HashMap<Rc<Annotation>, AnnotationId>,
    square: Vec<AnnotationId>,
    side: usize,
    products: HashMap<(AnnotationId, AnnotationId), AnnotationId>,
    /// By sort and two of its elements, the lesser first.
    swaps: HashMap<(SortId, u32, u32), AnnotationId>,
    /// Bytes of an annotation, about.
    each: usize,
}

impl Annotations {
    /// Only the identity.
    pub fn new(types: &Types) -> Self {
        let identity = Permutation::identity(types);
        let each = 64 + identity.images.iter().map(|images| 32 + images.len() * 4).sum::<usize>();
        let mut annotations = Self {
            known: Vec::new(),
            inverses: Vec::new(),
            plain: HashMap::default(),
            with_marks: HashMap::default(),
            square: Vec::new(),
            side: 0,
            products: HashMap::default(),
            swaps: HashMap::default(),
            each,
        };
        let id = annotations.permutation(&identity);
        debug_assert_eq!(id, AnnotationId::IDENTITY);
        annotations
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        self.known.len() * self.each + (self.square.len() + self.products.len() * 4) * 4
    }

    /// Writes all of them, in the order of their numbers.
    pub fn save(&self, out: &mut Writer<'_>) {
        out.section("annotations");
        out.number(self.known.len() as u64);
        for annotation in &self.known {
            annotation.permutation.save(out);
            annotation.marks.images().map(<[u32]>::to_vec).save(out);
        }
    }

    /// Reads them where there are none yet, or only the first of them. Says how many there are then.
    pub fn load(&mut self, from: &mut Reader<'_>) -> Result<u32, Damage> {
        from.section("annotations")?;
        let count: u32 = from.small()?;
        for number in 0..count {
            poll();
            let permutation = Permutation::load(from)?;
            let marks: Option<Vec<u32>> = Persist::load(from)?;
            let all = &self.known[0].permutation.images;
            let sizes = all.iter().map(Vec::len).eq(permutation.images.iter().map(Vec::len));
            let permutes = permutation.images.iter().chain(&marks).all(|images| permutes(images));
            let annotation = Annotation {
                permutation,
                marks: marks.map_or_else(MarkPermutation::default, |images| MarkPermutation::new(&images)),
            };
            if !(sizes && permutes) || self.number(&annotation) != AnnotationId(number) {
                return Err(Damage::Content("a permutation is none"));
            }
        }
        Ok(count)
    }

    /// The annotation with a number; none is the identity.
    pub fn get(&self, id: AnnotationId) -> Option<&Rc<Annotation>> {
        (id != AnnotationId::IDENTITY).then(|| &self.known[id.0 as usize])
    }

    /// Where an element goes.
    #[inline]
    pub fn image(&self, id: AnnotationId, sort: SortId, element: u32) -> u32 {
        match id {
            AnnotationId::IDENTITY => element,
            _ => self.known[id.0 as usize].permutation.image(sort, element),
        }
    }

    /// The number of a permutation, which leaves acceptance sets alone.
    pub fn permutation(&mut self, permutation: &Permutation) -> AnnotationId {
        match self.plain.get(permutation) {
            Some(&id) => id,
            None => self.add(Annotation::from(permutation.clone())),
        }
    }

    /// The number of an annotation.
    pub fn number(&mut self, annotation: &Annotation) -> AnnotationId {
        let known = match annotation.marks.is_identity() {
            true => self.plain.get(&annotation.permutation),
            false => self.with_marks.get(annotation),
        };
        known.copied().unwrap_or_else(|| self.add(annotation.clone()))
    }

    fn add(&mut self, annotation: Annotation) -> AnnotationId {
        let id = AnnotationId(self.known.len() as u32);
        let annotation = Rc::new(annotation);
        match annotation.marks.is_identity() {
            true => self.plain.insert(Plain(annotation.clone()), id),
            false => self.with_marks.insert(annotation.clone(), id),
        };
        self.known.push(annotation);
        self.inverses.push(if id == AnnotationId::IDENTITY { id } else { UNKNOWN });
        id
    }

    /// The one that undoes this.
    pub fn inverse(&mut self, id: AnnotationId) -> AnnotationId {
        let known = self.inverses[id.0 as usize];
        if known != UNKNOWN {
            return known;
        }
        let inverse = self.known[id.0 as usize].inverse();
        let inverse = self.number(&inverse);
        (self.inverses[id.0 as usize], self.inverses[inverse.0 as usize]) = (inverse, id);
        inverse
    }

    /// First the second, then the first.
    #[inline]
    pub fn compose(&mut self, first: AnnotationId, second: AnnotationId) -> AnnotationId {
        if first == AnnotationId::IDENTITY {
            return second;
        }
        if second == AnnotationId::IDENTITY {
            return first;
        }
        let (a, b) = (first.0 as usize, second.0 as usize);
        if a.max(b) < SQUARE {
            if a.max(b) >= self.side {
                self.side = (a.max(b) + 1).next_power_of_two().max(8);
                self.square.clear();
                self.square.resize(self.side * self.side, UNKNOWN);
            }
            let at = a * self.side + b;
            if self.square[at] == UNKNOWN {
                self.square[at] = self.product(first, second);
            }
            return self.square[at];
        }
        if let Some(&known) = self.products.get(&(first, second)) {
            return known;
        }
        let product = self.product(first, second);
        if self.products.len() >= MOST_PRODUCTS {
            self.products.clear();
        }
        self.products.insert((first, second), product);
        product
    }

    fn product(&mut self, first: AnnotationId, second: AnnotationId) -> AnnotationId {
        poll();
        let product = self.known[first.0 as usize].after(&self.known[second.0 as usize]);
        self.number(&product)
    }

    /// The swap of two elements of a sort.
    pub fn swap(&mut self, sort: SortId, a: u32, b: u32) -> AnnotationId {
        if a == b {
            return AnnotationId::IDENTITY;
        }
        let key = (sort, a.min(b), a.max(b));
        if let Some(&known) = self.swaps.get(&key) {
            return known;
        }
        let mut permutation = self.known[0].permutation.clone();
        permutation.images[sort.index()].swap(a as usize, b as usize);
        let id = self.permutation(&permutation);
        self.swaps.insert(key, id);
        id
    }

    /// A permutation that takes elements to others of their sort, each to the name after it, and moves
    /// nothing but these elements and names.
    pub fn carry(&mut self, named: &[(SortId, u32, u32)]) -> AnnotationId {
        let mut all = AnnotationId::IDENTITY;
        for &(sort, from, to) in named {
            let now = self.image(all, sort, from);
            let swap = self.swap(sort, now, to);
            all = self.compose(swap, all);
        }
        all
    }
}

/// Whether each number below their count is there once.
fn permutes(images: &[u32]) -> bool {
    let mut seen = vec![false; images.len()];
    images
        .iter()
        .all(|&image| seen.get_mut(image as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::indexed::carry;
    use burnside_ts::SortKind;

    /// All of S4: products, inverses, swaps and what carries elements agree with the permutations themselves.
    #[test]
    fn numbers_stand_for_annotations() {
        let mut types = Types::new();
        types.declare_sort("S", 4, SortKind::Symmetric).expect("the first");
        let sort = SortId(0);
        let mut annotations = Annotations::new(&types);
        let mut all: Vec<AnnotationId> = vec![AnnotationId::IDENTITY];
        let swaps: Vec<AnnotationId> = (0..4)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .map(|(a, b)| annotations.swap(sort, a, b))
            .collect();
        let mut next = 0;
        while next < all.len() {
            for &swap in &swaps {
                let product = annotations.compose(swap, all[next]);
                if !all.contains(&product) {
                    all.push(product);
                }
            }
            next += 1;
        }
        assert_eq!(all.len(), 24);
        for &a in &all {
            let inverse = annotations.inverse(a);
            assert_eq!(annotations.compose(a, inverse), AnnotationId::IDENTITY);
            assert_eq!(annotations.compose(inverse, a), AnnotationId::IDENTITY);
            for &b in &all {
                for _ in 0..2 {
                    let product = annotations.compose(a, b);
                    for element in 0..4 {
                        let wanted = annotations.image(a, sort, annotations.image(b, sort, element));
                        assert_eq!(annotations.image(product, sort, element), wanted);
                    }
                }
            }
        }
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            for (c, d) in (0..4).flat_map(|c| (0..4).map(move |d| (c, d))).filter(|(c, d)| c != d) {
                let named = [(sort, a, c), (sort, b, d)];
                let id = annotations.carry(&named);
                let wanted = carry(&types, &named).map(|it| annotations.permutation(&it));
                assert_eq!(id, wanted.unwrap_or_default());
            }
        }
    }
}
