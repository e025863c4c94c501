//! One pass of sifting.
//!
//! Entry point: [`sift`]. Blocks of neighbouring levels, the largest first, are moved through the whole order
//! by swaps of neighbouring levels, and each is left where there were fewest nodes (Rudell, *Dynamic variable
//! ordering for ordered binary decision diagrams*, 1993). Every set keeps its root, so it is the same set
//! before and after.
//!
//! The library ends the process if a swap finds no free node. Therefore a swap is made only if there is room
//! for all that it may make, and then for all that undoing it may make; so the way back to the best place is
//! always open. Between exchanges of whole blocks the pass can stop anywhere. It does not look for symmetric
//! variables.

use burnside_limits::Interrupt;
use oxidd::{HasLevel, InnerNode, Manager, Node};
use oxidd_core::LevelView;

/// An order that leaves more than so many percent of the nodes is not taken. A little is gained by chance,
/// and the old order, which follows the model, is more likely to suit the sets to come.
const GAIN: usize = 70;

/// What ends a pass early.
pub(super) struct Bounds<'a> {
    /// How many nodes there may be.
    pub(super) capacity: usize,
    /// How many nodes may be looked at for each node there is, and in all; swaps that only go back are not
    /// counted.
    pub(super) effort: (usize, usize),
    /// Ends the pass at once.
    pub(super) interrupt: &'a Interrupt,
}

/// Sifts the blocks, runs of levels whose variables have the same tag. Returns the number of nodes in use
/// then, and how many were looked at.
pub(super) fn sift<M: Manager>(manager: &mut M, tags: &[u32], bounds: Bounds<'_>) -> (usize, usize)
where
    M::InnerNode: HasLevel,
{
    // The library's own count is never too low: it has the nodes that its collecting thread still keeps to
    // itself, too.
    let hidden = manager.approx_num_inner_nodes().saturating_sub(manager.num_inner_nodes());
    let capacity = bounds.capacity.saturating_sub(hidden);
    manager.reorder(|manager| {
        // Swaps free what they make superfluous, so from here on there are no dead nodes.
        manager.gc();
        let nodes = manager.num_inner_nodes();
        let order = blocks(manager, tags);
        let effort = nodes.saturating_mul(bounds.effort.0).min(bounds.effort.1);
        let levels = Levels { manager, nodes, capacity, effort };
        let mut pass = Pass { levels, order, interrupt: bounds.interrupt };
        pass.run();
        let looked = effort - pass.levels.effort;
        if 100 * pass.levels.nodes > GAIN * nodes {
            pass.restore();
        }
        (pass.levels.nodes, looked)
    })
}

/// Neighbouring levels that move as one.
#[derive(Clone, Copy)]
struct Block {
    id: usize,
    width: u32,
}

/// The runs of levels with one tag, from the top.
fn blocks<M: Manager>(manager: &M, tags: &[u32]) -> Vec<Block> {
    let tags: Vec<u32> =
        (0..manager.num_levels()).map(|level| tags[manager.level_to_var(level) as usize]).collect();
    let runs = tags.chunk_by(|above, below| above == below);
    runs.enumerate().map(|(id, run)| Block { id, width: run.len() as u32 }).collect()
}

struct Levels<'a, M: Manager> {
    manager: &'a mut M,
    nodes: usize,
    capacity: usize,
    effort: usize,
}

impl<M: Manager> Levels<'_, M>
where
    M::InnerNode: HasLevel,
{
    fn len(&self, level: u32) -> usize {
        self.manager.level(level).len()
    }

    /// Swaps a level and the next if there is room to do it and to undo it.
    fn forward(&mut self, upper: u32) -> bool {
        // Each node above that has a child below may get two new children. Undoing that starts from as many
        // nodes and those that were below, each of which may again get two.
        let lower = self.len(upper + 1);
        let fits = self.fits(upper, |joined| 2 * joined + 2 * (joined + lower));
        if fits {
            let work = self.swap(upper);
            self.effort = self.effort.saturating_sub(work);
        }
        fits
    }

    /// Swaps a level and the next where that undoes a swap.
    fn back(&mut self, upper: u32) {
        // There is always room: the swap that is undone saw to it. Were there none, a worse order would do no
        // harm.
        if self.fits(upper, |joined| 2 * joined) {
            self.swap(upper);
        }
    }

    /// Whether there is room for what is needed for so many nodes that have a child in the next level.
    fn fits(&self, upper: u32, needed: impl Fn(usize) -> usize) -> bool {
        let free = self.capacity.saturating_sub(self.nodes);
        // All of the level is the cheap guess.
        needed(self.len(upper)) <= free || needed(self.joined(upper)) <= free
    }

    /// How many nodes of a level have a child in the next.
    fn joined(&self, upper: u32) -> usize {
        let is_next = |node: Node<'_, M>| matches!(node, Node::Inner(node) if node.level() == upper + 1);
        let joined = |node: Node<'_, M>| match node {
            Node::Inner(node) => node.children().any(|child| is_next(self.manager.get_node(child))),
            Node::Terminal(_) => false,
        };
        self.manager.level(upper).iter().filter(|&edge| joined(self.manager.get_node(edge))).count()
    }

    /// Returns the number of nodes that it looked at.
    fn swap(&mut self, upper: u32) -> usize {
        let before = self.len(upper) + self.len(upper + 1);
        // SAFETY: levels exist only inside `Manager::reorder`, `manager` is an exclusive reference, and no
        // other thread gets at it meanwhile.
        unsafe { oxidd_reorder::level_down(&*self.manager, upper) };
        let after = self.len(upper) + self.len(upper + 1);
        self.nodes = self.nodes + after - before;
        // Even a swap of empty levels takes as long as a few nodes.
        before + after + 8
    }
}

/// The swaps that exchange a block with the next, of these widths.
fn swaps(top: u32, above: u32, below: u32) -> Vec<u32> {
    // One level after another of the lower block rises through the upper.
    (top..top + below).flat_map(|level| (level..level + above).rev()).collect()
}

/// A direction in the order.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Up,
    Down,
}

struct Pass<'a, M: Manager> {
    levels: Levels<'a, M>,
    order: Vec<Block>,
    interrupt: &'a Interrupt,
}

impl<M: Manager> Pass<'_, M>
where
    M::InnerNode: HasLevel,
{
    fn run(&mut self) {
        let mut sizes: Vec<(usize, usize)> =
            (0..self.order.len()).map(|at| (self.size(at), self.order[at].id)).collect();
        sizes.sort_unstable_by_key(|&(size, id)| (std::cmp::Reverse(size), id));
        for (_, id) in sizes {
            if self.is_over() {
                return;
            }
            self.place(id);
        }
    }

    /// Goes back to the order before, as far as there is room.
    fn restore(&mut self) {
        for id in 0..self.order.len() {
            let mut at = self.order.iter().position(|block| block.id == id).unwrap_or(id);
            while at > id {
                if self.is_interrupted() || !self.exchange(at - 1) {
                    return;
                }
                at -= 1;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.levels.effort == 0 || self.is_interrupted()
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    fn top(&self, at: usize) -> u32 {
        self.order[..at].iter().map(|block| block.width).sum()
    }

    fn size(&self, at: usize) -> usize {
        let top = self.top(at);
        (top..top + self.order[at].width).map(|level| self.levels.len(level)).sum()
    }

    /// Moves a block both ways as far as it pays, and then to where there were fewest nodes.
    fn place(&mut self, id: usize) {
        let Some(start) = self.order.iter().position(|block| block.id == id) else { return };
        let ways = if 2 * start < self.order.len() { [Way::Up, Way::Down] } else { [Way::Down, Way::Up] };
        let mut best = (self.levels.nodes, start);
        for way in ways {
            let mut at = start;
            // Beyond a fifth more nodes than the best place has, a still better place is unlikely.
            while 5 * self.levels.nodes <= 6 * best.0 && self.step(&mut at, way) {
                if self.levels.nodes < best.0 {
                    best = (self.levels.nodes, at);
                }
            }
            if self.is_interrupted() {
                return;
            }
            let on_this_way = if way == Way::Up { best.1 < start } else { best.1 > start };
            let to = if way == ways[1] && on_this_way { best.1 } else { start };
            self.retreat(at, to);
        }
        if (ways[0] == Way::Up && best.1 < start) || (ways[0] == Way::Down && best.1 > start) {
            self.repeat(start, best.1);
        }
    }

    /// Moves a block by one place.
    fn step(&mut self, at: &mut usize, way: Way) -> bool {
        let (above, to) = match way {
            Way::Up if *at > 0 => (*at - 1, *at - 1),
            Way::Down if *at + 1 < self.order.len() => (*at, *at + 1),
            _ => return false,
        };
        let done = !self.is_over() && self.exchange(above);
        if done {
            *at = to;
        }
        done
    }

    /// Exchanges a block with the next, or leaves all as it was.
    fn exchange(&mut self, above: usize) -> bool {
        let swaps = swaps(self.top(above), self.order[above].width, self.order[above + 1].width);
        let done = swaps.iter().take_while(|&&upper| self.levels.forward(upper)).count();
        if done < swaps.len() {
            swaps[..done].iter().rev().for_each(|&upper| self.levels.back(upper));
            return false;
        }
        self.order.swap(above, above + 1);
        true
    }

    /// Moves a block that went this way back.
    fn retreat(&mut self, mut from: usize, to: usize) {
        while from != to {
            let above = if from < to { from } else { from - 1 };
            let swaps = swaps(self.top(above), self.order[above + 1].width, self.order[above].width);
            swaps.iter().rev().for_each(|&upper| self.levels.back(upper));
            self.order.swap(above, above + 1);
            from = if from < to { from + 1 } else { from - 1 };
        }
    }

    /// Moves a block once more where it has been.
    fn repeat(&mut self, mut from: usize, to: usize) {
        while from != to {
            let (above, next) = if from < to { (from, from + 1) } else { (from - 1, from - 1) };
            if !self.exchange(above) {
                return;
            }
            from = next;
        }
    }
}
