//! The symmetry of a net as sorts and permutations of a transition system.

use crate::automorphism::stabiliser;
use crate::classes::{ClassGroup, colour_stabiliser};
use crate::net::Net;
use crate::query::Query;
use burnside_limits::Stop;
use burnside_limits::poll;
use burnside_perm::{Automorphisms, Budget, Perm};
use burnside_ts::{SortGroup, SortId, SortKind, SparsePermutation, Symmetry, Type, TypeId, Types};
use std::collections::BTreeMap;

/// What leaves a net as it is.
#[derive(Clone, Debug)]
pub enum NetSymmetry {
    /// Permutations of colours: for each class.
    Colours(Vec<ClassGroup>),
    /// Permutations of places and transitions (numbered behind the places).
    Places(Automorphisms),
}

/// The sorts of the transition system.
pub(super) struct Sorts {
    /// By class, its type.
    pub classes: Vec<TypeId>,
    /// The sort of the rules.
    pub rules: Option<SortId>,
    /// The places that move, grouped by their bounds: the type and the places.
    groups: Vec<(TypeId, Vec<usize>)>,
    /// By place, its group and where it is there.
    home: Vec<Option<(usize, usize)>>,
}

impl Sorts {
    /// Declares them.
    pub fn declare(
        net: &Net,
        symmetry: &NetSymmetry,
        bounds: &[u64],
        types: &mut Types,
    ) -> Result<Self, Stop> {
        let mut declare = |name: &str, labels: Vec<String>, kind| {
            let error = |error| Stop::too_large(format!("class `{name}`: {error}"));
            types.declare_named_sort(name, labels, kind).map_err(error)
        };
        let mut classes = Vec::new();
        for (class, it) in net.classes.iter().enumerate() {
            let ring = matches!(symmetry, NetSymmetry::Colours(all) if all[class] == ClassGroup::Rotations);
            let kind = if ring { SortKind::Ring } else { SortKind::Symmetric };
            classes.push(declare(&it.name, it.elements.clone(), kind)?);
        }
        let mut sorts = Self { classes, rules: None, groups: Vec::new(), home: vec![None; net.places.len()] };
        let generators = match symmetry {
            NetSymmetry::Places(found) if !found.generators.is_empty() => &found.generators,
            _ => return Ok(sorts),
        };
        let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for orbit in orbits(generators, net.places.len()) {
            let bound = orbit.iter().map(|&place| bounds[place]).max().unwrap_or_default();
            groups.entry(bound).or_default().extend(orbit);
        }
        for (_, mut group) in groups {
            group.sort_unstable();
            let names = group.iter().map(|&place| net.places[place].name.clone()).collect();
            let ty = declare(&format!("Places{}", sorts.groups.len() + 1), names, SortKind::Symmetric)?;
            for (at, &place) in group.iter().enumerate() {
                sorts.home[place] = Some((sorts.groups.len(), at));
            }
            sorts.groups.push((ty, group));
        }
        let names = net.transitions.iter().map(|transition| transition.name.clone()).collect();
        let rules = declare("Transitions", names, SortKind::Symmetric)?;
        sorts.rules = sort_of(types, rules);
        Ok(sorts)
    }

    /// The places that share a sort with a place, itself among them.
    pub fn mates(&self, place: usize) -> Vec<usize> {
        self.home[place].map_or_else(|| vec![place], |(group, _)| self.groups[group].1.clone())
    }

    /// The type that a place is an element of, if it moves.
    pub fn of_place(&self, place: usize) -> Option<TypeId> {
        self.home[place].map(|(group, _)| self.groups[group].0)
    }

    /// The symmetry of the whole system.
    pub fn symmetry(&self, net: &Net, symmetry: &NetSymmetry, types: &Types) -> Symmetry {
        match symmetry {
            NetSymmetry::Colours(sort_groups) => self.of_colours(sort_groups, types),
            NetSymmetry::Places(found) => self.of_places(net, found, types),
        }
    }

    /// The symmetry of the system that leaves a question as it is.
    pub fn stabiliser(&self, net: &Net, symmetry: &NetSymmetry, types: &Types, query: &Query) -> Symmetry {
        match symmetry {
            NetSymmetry::Colours(sort_groups) => {
                self.of_colours(&colour_stabiliser(net, sort_groups, [query]), types)
            }
            NetSymmetry::Places(found) => {
                self.of_places(net, &stabiliser(net, found, [query], &Budget::default()), types)
            }
        }
    }

    fn of_colours(&self, sort_groups: &[ClassGroup], types: &Types) -> Symmetry {
        let mut symmetry = Symmetry::trivial(types);
        for (&ty, sort_group) in self.classes.iter().zip(sort_groups) {
            let Type::Sort(sort) = *types.get(ty) else { unreachable!("a class is a sort") };
            symmetry.sorts[sort.index()] = match sort_group {
                ClassGroup::Blocks(blocks) => SortGroup::blocks(blocks.clone()),
                ClassGroup::Rotations => SortGroup::Rotations,
                ClassGroup::Fixed => SortGroup::Fixed,
            };
        }
        symmetry
    }

    fn of_places(&self, net: &Net, found: &Automorphisms, types: &Types) -> Symmetry {
        // If not all automorphisms of the net are known, a question may lead to more; they have no place
        // here.
        let is_known = |perm: &&Perm| {
            let group = |place: usize| self.home[place].map(|(group, _)| group);
            let places = perm.pairs().take_while(|pair| (pair.0 as usize) < net.places.len());
            places
                .map(|(from, to)| (group(from as usize), group(to as usize)))
                .all(|(from, to)| from.is_some() && from == to)
        };
        let permutations =
            found.generators.iter().filter(is_known).map(|perm| self.permutation(net, perm, types));
        let generators: Vec<SparsePermutation> = permutations.collect();
        let all = generators.len() == found.generators.len();
        let base =
            found.base.iter().filter(|_| all).filter_map(|&point| self.element(net, point as usize, types));
        Symmetry { base: base.collect(), generators, ..Symmetry::trivial(types) }
    }

    /// The element that a place or a transition is, if it moves.
    fn element(&self, net: &Net, point: usize, types: &Types) -> Option<(SortId, u32)> {
        match point.checked_sub(net.places.len()) {
            Some(transition) => self.rules.map(|rules| (rules, transition as u32)),
            None => self.home[point]
                .and_then(|(group, at)| sort_of(types, self.groups[group].0).map(|sort| (sort, at as u32))),
        }
    }

    fn permutation(&self, net: &Net, perm: &Perm, types: &Types) -> SparsePermutation {
        poll();
        let element = |point| self.element(net, point as usize, types).expect("what moves is an element");
        SparsePermutation::new(perm.pairs().map(|(from, to)| {
            let ((sort, from), (_, to)) = (element(from), element(to));
            (sort, from, to)
        }))
    }
}

fn sort_of(types: &Types, ty: TypeId) -> Option<SortId> {
    match *types.get(ty) {
        Type::Sort(sort) => Some(sort),
        _ => None,
    }
}

/// The orbits with more than one element among the first `count` points, ascending.
fn orbits(generators: &[Perm], count: usize) -> Vec<Vec<usize>> {
    let mut orbit: Vec<usize> = (0..count).collect();
    fn find(orbit: &mut [usize], mut at: usize) -> usize {
        while orbit[at] != at {
            orbit[at] = orbit[orbit[at]];
            at = orbit[at];
        }
        at
    }
    for perm in generators {
        for (from, to) in perm.pairs().take_while(|pair| (pair.0 as usize) < count) {
            let (a, b) = (find(&mut orbit, from as usize), find(&mut orbit, to as usize));
            orbit[a.max(b)] = a.min(b);
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for point in 0..count {
        let lead = find(&mut orbit, point);
        members[lead].push(point);
    }
    members.retain(|members| members.len() > 1);
    members
}
