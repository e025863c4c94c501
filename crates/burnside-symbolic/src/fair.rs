//! Infinite runs that are fair and accepted: where they are, and one of them.
//!
//! Entry points: [`Demands::feasible`] and [`Demands::lasso`]. What has to happen again and again (acceptance
//! sets, weak fairness) and what has to happen again and again if something else does (strong fairness) is
//! looked at by one greatest fixpoint in the manner of Kesten, Pnueli and Raviv: from each node of it every
//! demand can be met within it, so every terminal component of it has a loop that meets them all. Steps
//! count, not only nodes.

use crate::graph::{Graph, NodeBits, Via};
use crate::run;
use crate::store::{Out, Set};
use burnside_trace::{End, Evidence};
use burnside_ts::{Strength, UnitId, Units};

/// What has to happen again and again: one of the steps, or any step from one of the nodes.
#[derive(Clone, Debug)]
struct Justice {
    via: Via,
    idle: Set,
}

/// What an infinite run must do.
#[derive(Clone, Debug)]
pub(crate) struct Demands {
    justice: Vec<Justice>,
    /// A unit that is executed again and again if it is enabled again and again, with where it is.
    compassion: Vec<(usize, Set)>,
}

impl Demands {
    /// The demands of a graph: its acceptance sets, and its units if it has some.
    pub fn of(graph: &Graph<'_, '_>) -> Self {
        let none = graph.space.store.none();
        let marks = (0..graph.marks()).map(|mark| Justice { via: Via::Mark(mark), idle: none.clone() });
        let mut demands = Self { justice: marks.collect(), compassion: Vec::new() };
        let Some(units) = graph.units else { return demands };
        for (unit, enabled) in units.enabled.iter().enumerate() {
            match units.strength[unit] {
                // A unit that is never enabled demands nothing.
                _ if enabled.is_empty() => {}
                Strength::Weak => {
                    demands.justice.push(Justice { via: Via::Unit(unit), idle: enabled.not() });
                }
                Strength::Strong => demands.compassion.push((unit, enabled.clone())),
            }
        }
        demands
    }

    /// The nodes among some from which a run that stays among them meets all demands, and stays in the
    /// result.
    pub fn feasible(&self, graph: &Graph<'_, '_>, among: &Set) -> Out<Set> {
        let mut set = among.clone();
        loop {
            let before = set.clone();
            set = going_on(graph, set)?;
            for justice in &self.justice {
                if set.is_empty() {
                    return Ok(set);
                }
                set = graph.backward(&set, &justice.met(graph, &set)?)?;
            }
            for (unit, enabled) in &self.compassion {
                if set.is_apart(enabled)? {
                    continue;
                }
                let executed = graph.preimage(Via::Unit(*unit), &set)?.and(&set)?;
                let able = graph.backward(&set, &executed)?;
                set = set.minus(enabled)?.or(&able)?;
            }
            if set == before {
                return Ok(set);
            }
        }
    }

    /// A run along a path of nodes that goes on in a feasible set, in which the path ends, and meets all
    /// demands.
    pub fn lasso(&self, graph: &Graph<'_, '_>, feasible: &Set, stem: Vec<NodeBits>) -> Out<Evidence> {
        let mut stem = stem;
        let component = descend(graph, feasible, &mut stem)?;
        let start = stem.pop().expect("a path has a node");
        let first = graph.state(&start);
        if !graph.space.dead(&graph.space.point(&first)?)?.is_empty() {
            return Ok(stutter(graph, &stem, first));
        }
        let mut walk =
            Walk { graph, component: &component, nodes: vec![start.clone()], executed: Vec::new() };
        for justice in &self.justice {
            walk.meet(justice)?;
        }
        for (unit, enabled) in &self.compassion {
            if !component.is_apart(enabled)? {
                walk.meet(&Justice { via: Via::Unit(*unit), idle: graph.space.store.none() })?;
            }
        }
        walk.close(&start)?;
        let Walk { nodes, executed, .. } = walk;
        let start = stem.len();
        let mut demanded = vec![None; stem.len()];
        demanded.extend(executed);
        let states: Vec<Box<[u64]>> = stem.iter().chain(&nodes).map(|node| graph.state(node)).collect();
        Ok(evidence(graph, states, &demanded, start))
    }
}

impl Justice {
    /// The nodes of a set from which a step within it meets the demand.
    fn met(&self, graph: &Graph<'_, '_>, set: &Set) -> Out<Set> {
        let steps = graph.preimage(self.via, set)?.and(set)?;
        let idle = self.idle.and(set)?;
        if idle.is_empty() {
            return Ok(steps);
        }
        steps.or(&graph.preimage(Via::Any, set)?.and(&idle)?)
    }
}

/// The nodes of a set from which a run stays in it for ever.
fn going_on(graph: &Graph<'_, '_>, mut set: Set) -> Out<Set> {
    loop {
        let next = graph.preimage(Via::Any, &set)?.and(&set)?;
        if next == set {
            return Ok(set);
        }
        set = next;
    }
}

/// Prolongs a path until its end is in a terminal component of a set, and gives the component.
fn descend(graph: &Graph<'_, '_>, within: &Set, path: &mut Vec<NodeBits>) -> Out<Set> {
    loop {
        let here = path.last().expect("a path has a node").clone();
        let point = graph.point(&here)?;
        let ahead = graph.forward(within, &point)?;
        let back = graph.backward(&ahead, &point)?;
        let Some(below) = graph.pick(&ahead.minus(&back)?) else { return Ok(ahead) };
        let goal = graph.point(&below)?;
        let way = graph.path(&ahead, &here, &goal)?.expect("it is ahead");
        path.extend(way.into_iter().skip(1));
    }
}

/// A walk around a component.
struct Walk<'w, 'g, 's> {
    graph: &'w Graph<'g, 's>,
    component: &'w Set,
    /// The nodes so far; the last one has not been left yet.
    nodes: Vec<NodeBits>,
    /// The unit that each step must execute.
    executed: Vec<Option<usize>>,
}

impl Walk<'_, '_, '_> {
    fn last(&self) -> &NodeBits {
        self.nodes.last().expect("a walk has a node")
    }

    fn go(&mut self, goal: &Set) -> Out<()> {
        let way = self.graph.path(self.component, self.last(), goal)?.expect("it is in the same component");
        self.executed.extend(std::iter::repeat_n(None, way.len() - 1));
        self.nodes.extend(way.into_iter().skip(1));
        Ok(())
    }

    fn step(&mut self, via: Via) -> Out<()> {
        let next = self.graph.image(via, &self.graph.point(self.last())?)?.and(self.component)?;
        self.nodes.push(self.graph.pick(&next).expect("there is such a step"));
        self.executed.push(if let Via::Unit(unit) = via { Some(unit) } else { None });
        Ok(())
    }

    fn meet(&mut self, justice: &Justice) -> Out<()> {
        // A node that was left already may do.
        for node in &self.nodes[..self.nodes.len() - 1] {
            if !justice.idle.is_apart(&self.graph.point(node)?)? {
                return Ok(());
            }
        }
        self.go(&justice.met(self.graph, self.component)?)?;
        let idle = !justice.idle.is_apart(&self.graph.point(self.last())?)?;
        self.step(if idle { Via::Any } else { justice.via })
    }

    /// Goes back to the start, by one step at least.
    fn close(&mut self, start: &NodeBits) -> Out<()> {
        let goal = self.graph.point(start)?;
        if self.executed.is_empty() {
            self.step(Via::Any)?;
        }
        self.go(&goal)?;
        self.nodes.pop();
        Ok(())
    }
}

/// A run that stays in a deadlock.
fn stutter(graph: &Graph<'_, '_>, stem: &[NodeBits], dead: Box<[u64]>) -> Evidence {
    // Where the automaton goes on alone the state repeats.
    let mut states: Vec<Box<[u64]>> =
        stem.iter().map(|node| graph.state(node)).take_while(|state| *state != dead).collect();
    states.push(dead);
    graph.space.evidence(states, End::Stutter)
}

/// A run whose last step leads back to `start`; some steps must execute units.
fn evidence(
    graph: &Graph<'_, '_>,
    states: Vec<Box<[u64]>>,
    executed: &[Option<usize>],
    start: usize,
) -> Evidence {
    let mut machine = graph.space.system.machine();
    let units = Units::new(graph.space.system);
    let mut step = |i: usize| {
        let to = states.get(i + 1).unwrap_or(&states[start]);
        run::step(&mut *machine, &states[i], to, |label| {
            executed[i].is_none_or(|unit| {
                units
                    .executed(label, graph.space.system.changes(&states[i], to))
                    .any(|it| it == UnitId(unit as u32))
            })
        })
    };
    let steps = (0..states.len()).map(&mut step).collect();
    Evidence { states, steps, end: End::Loop(start) }
}
