//! Permutations, groups, orbits, stabilisers and least images. Points are `0..n` and nothing else: what they
//! stand for is the user's affair.
//!
//! ```
//! use burnside_perm::{Group, Natural, Perm};
//!
//! let ring = Group::dihedral(5);
//! let image = ring.minimal_image(b"caabb");
//! assert_eq!(image.word, b"aabbc");
//! assert_eq!(image.by.permute(b"caabb"), b"aabbc");
//! assert_eq!(ring.orbit_size(b"caabb"), Natural::from(10u64));
//!
//! let (a, b) = (Perm::parse(4, "(0 1)(2 3)").unwrap(), Perm::parse(4, "(1 2 3)").unwrap());
//! let group = Group::generated(4, &[a.clone(), b.clone()]);
//! assert_eq!(group, Group::alternating(4));
//! assert!(group.contains(&(&a * &b)));
//! assert_eq!(group.stabiliser(0).order(), Natural::from(3u64));
//!
//! let crowd = Group::symmetric(4_000);
//! assert_eq!(crowd.tuple_orbits(2).len(), 2);
//! ```
//!
//! Conventions, everywhere: `(g·h)(x) = g(h(x))`, and a word moves with its cells, `(g·w)[g(i)] = w[i]`.
//! There is no input or output here, no dependence on chance (random elements come from fixed seeds and are
//! only proposals), and no `unsafe`.

mod chain;
mod cycles;
mod elements;
mod exchanges;
mod graph;
mod group;
mod image;
pub mod images;
mod members;
mod natural;
mod orbit;
mod partition;
mod perm;
mod product;
mod random;
mod recognise;
mod ring;
mod search;
mod tuple;
mod young;

pub use cycles::ParseError;
pub use elements::Elements;
pub use graph::{Automorphisms, Budget, Graph, Judge, Labeller};
pub use group::{Group, GroupKind};
pub use image::Image;
pub use members::{MemberAction, MemberOrbit};
pub use natural::Natural;
pub use orbit::Orbit;
pub use partition::Partition;
pub use perm::{NotAPermutation, Perm, Point};
pub use ring::least_rotation;
pub use tuple::TupleOrbit;
pub use young::Young;
