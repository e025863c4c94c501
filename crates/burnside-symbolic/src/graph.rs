//! What runs are looked for in: the states of a system, alone or together with an automaton that reads them.
//!
//! Entry points: [`Graph::plain`] and [`Graph::with`]. A *node* is a valuation of the bits of a state and of
//! the automaton. Steps may be asked to execute a fairness unit, or to take an edge of the automaton that is
//! in an acceptance set.

use crate::relation::Relation;
use crate::space::Space;
use crate::store::{Bit, Out, Set};
use crate::symmetry::{Representatives, Restricted};
use crate::units::UnitSteps;
use burnside_limits::Observer;

/// An automaton beside the states.
#[derive(Debug)]
pub(crate) struct Companion {
    /// Its variables, before and after.
    pub bits: Vec<(Bit, Bit)>,
    /// The nodes in which runs start.
    pub initial: Set,
    /// How it moves.
    pub moves: Relation,
    /// For each acceptance set, how it moves by edges that are in it.
    pub marked: Vec<Relation>,
    /// Whether it reads the state that a step leads to, instead of the one that it leaves.
    pub reads_after: bool,
}

/// Which steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    /// All.
    Any,
    /// Those that execute a unit.
    Unit(usize),
    /// Those by edges in an acceptance set.
    Mark(usize),
}

/// What is looked at instead of all states.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'g, 's> {
    /// The states of a set only.
    Restricted(&'g Restricted<'g, 's>),
    /// Representatives of orbits; steps lead from an orbit to an orbit.
    Quotient(&'g Representatives<'g, 's>),
}

/// A valuation of the bits of a node, and of others that do not matter.
pub(crate) type NodeBits = Vec<bool>;

/// Nodes and steps between them.
#[derive(Debug)]
pub(crate) struct Graph<'g, 's> {
    pub space: &'g Space<'s>,
    pub units: Option<&'g UnitSteps>,
    companion: Option<Companion>,
    part: Option<Part<'g, 's>>,
    /// The variables of a node.
    bits: Vec<Bit>,
    /// The states that repeat for ever.
    repeats: Set,
}

impl<'g, 's> Graph<'g, 's> {
    /// The states alone, of which some repeat.
    pub fn plain(space: &'g Space<'s>, units: Option<&'g UnitSteps>, repeats: Set) -> Self {
        Self { space, units, companion: None, part: None, bits: space.layout.current.clone(), repeats }
    }

    /// Only a part. Deadlocks in it repeat if wanted.
    pub fn part(
        space: &'g Space<'s>,
        units: Option<&'g UnitSteps>,
        part: Part<'g, 's>,
        repeat: bool,
    ) -> Out<Self> {
        let within = match part {
            Part::Restricted(part) => part.within(),
            Part::Quotient(part) => part.within(),
        };
        let repeats = if repeat { space.dead(within)? } else { space.store.none() };
        Ok(Self { part: Some(part), ..Self::plain(space, units, repeats) })
    }

    /// The states with an automaton; deadlocks repeat if wanted.
    pub fn with(
        space: &'g Space<'s>,
        units: Option<&'g UnitSteps>,
        companion: Companion,
        repeat: bool,
    ) -> Out<Self> {
        let repeats = if repeat { space.dead(&space.store.all())? } else { space.store.none() };
        let mut graph = Self::plain(space, units, repeats);
        graph.bits.extend(companion.bits.iter().map(|(bit, _)| *bit));
        graph.companion = Some(companion);
        Ok(graph)
    }

    /// The nodes in which runs start.
    pub fn initial(&self) -> &Set {
        self.companion.as_ref().map_or(&self.space.initial, |companion| &companion.initial)
    }

    /// The variables of a node.
    pub fn bits(&self) -> &[Bit] {
        &self.bits
    }

    /// How many acceptance sets there are.
    pub fn marks(&self) -> usize {
        self.companion.as_ref().map_or(0, |companion| companion.marked.len())
    }

    fn moves(&self, via: Via) -> Option<&Relation> {
        let companion = self.companion.as_ref()?;
        Some(match via {
            Via::Mark(mark) => &companion.marked[mark],
            _ => &companion.moves,
        })
    }

    fn reads_after(&self) -> bool {
        self.companion.as_ref().is_some_and(|companion| companion.reads_after)
    }

    fn relations(&self, via: Via) -> Vec<&Relation> {
        let chosen = match via {
            Via::Unit(unit) => self.units.map(|units| &units.steps[unit]),
            _ => None,
        };
        let wanted = |i: &usize| chosen.is_none_or(|chosen| chosen.contains(i));
        match self.part {
            Some(Part::Restricted(part)) => {
                part.steps().iter().filter(|(i, _)| wanted(i)).map(|(_, relation)| relation).collect()
            }
            _ => {
                let steps = self.space.steps.iter().enumerate().filter(|(i, _)| wanted(i));
                steps.map(|(_, step)| &step.relation).collect()
            }
        }
    }

    /// What of a set belongs to the graph.
    fn inside(&self, nodes: Set) -> Out<Set> {
        match self.part {
            Some(Part::Restricted(part)) => nodes.and(part.within()),
            _ => Ok(nodes),
        }
    }

    /// The nodes after a step from some nodes.
    pub fn image(&self, via: Via, nodes: &Set) -> Out<Set> {
        let (moves, after) = (self.moves(via), self.reads_after());
        let from = match moves {
            Some(moves) if !after => moves.image(nodes)?,
            _ => nodes.clone(),
        };
        let mut images = Vec::new();
        if let Some(Part::Quotient(part)) = self.part {
            images.push(part.image(&from)?);
        } else {
            for relation in self.relations(via) {
                self.space.store.poll()?;
                images.push(relation.image(&from)?);
            }
        }
        if !matches!(via, Via::Unit(_)) {
            images.push(from.and(&self.repeats)?);
        }
        let to = self.inside(self.space.store.union(images)?)?;
        match moves {
            Some(moves) if after => moves.image(&to),
            _ => Ok(to),
        }
    }

    /// The nodes from which a step leads to some nodes.
    pub fn preimage(&self, via: Via, nodes: &Set) -> Out<Set> {
        let (moves, after) = (self.moves(via), self.reads_after());
        let to = match moves {
            Some(moves) if after => moves.preimage(nodes)?,
            _ => nodes.clone(),
        };
        let mut images = Vec::new();
        if let Some(Part::Quotient(part)) = self.part {
            images.push(part.preimage(&to)?);
        } else {
            for relation in self.relations(via) {
                self.space.store.poll()?;
                images.push(relation.preimage(&to)?);
            }
        }
        if !matches!(via, Via::Unit(_)) {
            images.push(to.and(&self.repeats)?);
        }
        let from = self.inside(self.space.store.union(images)?)?;
        match moves {
            Some(moves) if !after => moves.preimage(&from),
            _ => Ok(from),
        }
    }

    /// The reachable nodes by distance, up to and including the first ring that meets the goal.
    pub fn reach(&self, goal: &Set, observer: &mut dyn Observer) -> Out<Vec<Set>> {
        let mut all = self.initial().clone();
        let mut rings = vec![all.clone()];
        loop {
            let frontier = rings.last().expect("there is a first ring");
            if !frontier.is_apart(goal)? {
                return Ok(rings);
            }
            let new = self.image(Via::Any, frontier)?.minus(&all)?;
            if new.is_empty() {
                return Ok(rings);
            }
            all = all.or(&new)?;
            rings.push(new);
            self.space.store.settle();
            self.space.store.tell(observer, rings.len() as u64 - 1, &all.count(&self.bits))?;
        }
    }

    /// The states of some nodes.
    pub fn states(&self, nodes: &Set) -> Out<Set> {
        let beside = self.companion.iter().flat_map(|companion| &companion.bits);
        nodes.exists(&self.space.store.cube(beside.map(|(now, _)| *now))?)
    }

    /// How many nodes a set has.
    pub fn count(&self, nodes: &Set) -> burnside_perm::Natural {
        nodes.count(&self.bits)
    }

    /// The nodes from which a goal can be reached through some nodes, by distance.
    pub fn backward(&self, through: &Set, goal: &Set) -> Out<Set> {
        let (mut all, mut frontier) = (goal.clone(), goal.clone());
        while !frontier.is_empty() {
            frontier = self.preimage(Via::Any, &frontier)?.and(through)?.minus(&all)?;
            all = all.or(&frontier)?;
        }
        Ok(all)
    }

    /// The nodes that can be reached from some nodes within others.
    pub fn forward(&self, within: &Set, from: &Set) -> Out<Set> {
        let (mut all, mut frontier) = (from.clone(), from.clone());
        while !frontier.is_empty() {
            frontier = self.image(Via::Any, &frontier)?.and(within)?.minus(&all)?;
            all = all.or(&frontier)?;
        }
        Ok(all)
    }

    /// Some node of a set.
    pub fn pick(&self, nodes: &Set) -> Option<NodeBits> {
        nodes.pick()
    }

    /// The set of one node.
    pub fn point(&self, node: &NodeBits) -> Out<Set> {
        self.space.store.point(self.bits.iter().map(|&bit| (bit, node[bit.0 as usize])))
    }

    /// The state of a node.
    pub fn state(&self, node: &NodeBits) -> Box<[u64]> {
        self.space.layout.state(node)
    }

    /// A path through rings, each the image of the one before, that ends in the goal as early as possible.
    pub fn trace(&self, rings: &[Set], goal: &Set) -> Out<Option<Vec<NodeBits>>> {
        for (i, ring) in rings.iter().enumerate() {
            let Some(last) = self.pick(&ring.and(goal)?) else { continue };
            let mut nodes = vec![last];
            for before in rings[..i].iter().rev() {
                let here = self.point(nodes.last().expect("there is a last node"))?;
                let before = self.preimage(Via::Any, &here)?.and(before)?;
                nodes.push(self.pick(&before).expect("a ring is the image of the one before"));
            }
            nodes.reverse();
            return Ok(Some(nodes));
        }
        Ok(None)
    }

    /// A shortest path from a node to a goal through some nodes (the first and the last need not be among
    /// them); none if there is none.
    pub fn path(&self, through: &Set, from: &NodeBits, goal: &Set) -> Out<Option<Vec<NodeBits>>> {
        let mut rings = vec![self.point(from)?];
        let mut all = rings[0].clone();
        loop {
            let frontier = rings.last().expect("there is a first ring");
            if !frontier.is_apart(goal)? {
                return self.trace(&rings, goal);
            }
            let walked = if rings.len() == 1 { frontier.clone() } else { frontier.and(through)? };
            let new = self.image(Via::Any, &walked)?.minus(&all)?;
            if new.is_empty() {
                return Ok(None);
            }
            *rings.last_mut().expect("there is a first ring") = walked;
            all = all.or(&new)?;
            rings.push(new);
        }
    }
}
