//! Decision diagrams with many values: functions from finitely many variables, each with its own finite
//! domain, to integers.
//!
//! Entry point: [`Diagrams`]. Variables are tested in the order of their levels, equal subdiagrams are shared
//! and a test whose outcomes are all equal is left out, so two functions are equal exactly when their
//! [`Node`]s are. Everything that may make nodes can give up: see [`TooLarge`].

use burnside_limits::poll;
use std::collections::{BTreeSet, HashMap};

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(u32);

/// The work is more than what was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

pub(super) type Out = Result<Node, TooLarge>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Data {
    Leaf(i128),
    Split(u32, Box<[Node]>),
}

/// A table of functions.
#[derive(Debug)]
pub(super) struct Diagrams {
    nodes: Vec<Data>,
    unique: HashMap<Data, Node>,
    /// By level: how many values the variable has.
    domains: Vec<u32>,
    selects: HashMap<(Node, Node, Node), Node>,
    /// What may still be spent.
    budget: u64,
}

const LEAF: u32 = u32::MAX;

impl Diagrams {
    pub const FALSE: Node = Node(0);
    pub const TRUE: Node = Node(1);

    pub fn new(budget: u64) -> Self {
        let mut diagrams = Self {
            nodes: Vec::new(),
            unique: HashMap::new(),
            domains: Vec::new(),
            selects: HashMap::new(),
            budget,
        };
        diagrams.leaf(0);
        diagrams.leaf(1);
        diagrams
    }

    /// A new variable, tested after all others.
    pub fn variable(&mut self, values: u32) -> u32 {
        self.domains.push(values);
        self.domains.len() as u32 - 1
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.domains.len()
    }

    /// How many values a variable has.
    pub fn values(&self, level: u32) -> u32 {
        self.domains[level as usize]
    }

    /// A constant.
    pub fn leaf(&mut self, value: i128) -> Node {
        self.intern(Data::Leaf(value))
    }

    /// A function of one variable.
    pub fn table(&mut self, level: u32, value: impl Fn(u32) -> i128) -> Out {
        let kids = (0..self.values(level)).map(|v| self.leaf(value(v))).collect();
        self.split(level, kids)
    }

    /// The value of a constant.
    pub fn constant(&self, f: Node) -> Option<i128> {
        match self.nodes[f.0 as usize] {
            Data::Leaf(value) => Some(value),
            Data::Split(..) => None,
        }
    }

    /// Counts work that makes no nodes.
    pub fn spend(&mut self, amount: u64) -> Result<(), TooLarge> {
        poll();
        self.budget = self.budget.checked_sub(amount).ok_or(TooLarge)?;
        Ok(())
    }

    /// Allows this much work from now on.
    pub fn refill(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// All values of a function.
    pub fn range(&self, f: Node) -> BTreeSet<i128> {
        let (mut found, mut seen, mut todo) = (BTreeSet::new(), BTreeSet::from([f]), vec![f]);
        while let Some(node) = todo.pop() {
            match &self.nodes[node.0 as usize] {
                Data::Leaf(value) => drop(found.insert(*value)),
                Data::Split(_, kids) => todo.extend(kids.iter().copied().filter(|&kid| seen.insert(kid))),
            }
        }
        found
    }

    /// The value of a function where the variables have these values.
    pub fn at(&self, mut f: Node, valuation: &[u32]) -> i128 {
        loop {
            match &self.nodes[f.0 as usize] {
                Data::Leaf(value) => return *value,
                Data::Split(level, kids) => f = kids[valuation[*level as usize] as usize],
            }
        }
    }

    /// Values of the variables for which a function is not 0.
    pub fn witness(&self, f: Node) -> Option<Vec<u32>> {
        let mut valuation = vec![0; self.domains.len()];
        let mut at = f;
        while let Data::Split(level, kids) = &self.nodes[at.0 as usize] {
            // Only the constant 0 has no way to another value.
            let way = kids.iter().position(|&kid| kid != Self::FALSE)?;
            valuation[*level as usize] = way as u32;
            at = kids[way];
        }
        (at != Self::FALSE).then_some(valuation)
    }

    /// The function with `op` applied to its values.
    pub fn map(&mut self, f: Node, op: &dyn Fn(i128) -> i128) -> Out {
        let mut done = HashMap::new();
        self.map_into(f, op, &mut done)
    }

    fn map_into(&mut self, f: Node, op: &dyn Fn(i128) -> i128, done: &mut HashMap<Node, Node>) -> Out {
        if let Some(value) = self.constant(f) {
            return Ok(self.leaf(op(value)));
        }
        if let Some(&known) = done.get(&f) {
            return Ok(known);
        }
        let (level, kids) = self.parts(f);
        let kids = kids.iter().map(|&kid| self.map_into(kid, op, done)).collect::<Result<_, _>>()?;
        let result = self.split(level, kids)?;
        done.insert(f, result);
        Ok(result)
    }

    /// `op` of the values of two functions.
    pub fn map2(&mut self, f: Node, g: Node, op: &dyn Fn(i128, i128) -> i128) -> Out {
        let mut done = HashMap::new();
        self.map2_into(f, g, op, &mut done)
    }

    fn map2_into(
        &mut self,
        f: Node,
        g: Node,
        op: &dyn Fn(i128, i128) -> i128,
        done: &mut HashMap<(Node, Node), Node>,
    ) -> Out {
        if let (Some(a), Some(b)) = (self.constant(f), self.constant(g)) {
            return Ok(self.leaf(op(a, b)));
        }
        if let Some(&known) = done.get(&(f, g)) {
            return Ok(known);
        }
        let level = self.level(f).min(self.level(g));
        let mut kids = Vec::with_capacity(self.values(level) as usize);
        for v in 0..self.values(level) {
            let (a, b) = (self.child(f, level, v), self.child(g, level, v));
            kids.push(self.map2_into(a, b, op, done)?);
        }
        let result = self.split(level, kids.into())?;
        done.insert((f, g), result);
        Ok(result)
    }

    /// The second where the first is not 0, elsewhere the third.
    pub fn select(&mut self, condition: Node, yes: Node, no: Node) -> Out {
        if let Some(value) = self.constant(condition) {
            return Ok(if value != 0 { yes } else { no });
        }
        if yes == no {
            return Ok(yes);
        }
        if let Some(&known) = self.selects.get(&(condition, yes, no)) {
            return Ok(known);
        }
        let level = self.level(condition).min(self.level(yes)).min(self.level(no));
        let mut kids = Vec::with_capacity(self.values(level) as usize);
        for v in 0..self.values(level) {
            let [c, y, n] = [condition, yes, no].map(|f| self.child(f, level, v));
            kids.push(self.select(c, y, n)?);
        }
        let result = self.split(level, kids.into())?;
        self.selects.insert((condition, yes, no), result);
        Ok(result)
    }

    /// Both, of functions that are 0 or 1.
    pub fn and(&mut self, a: Node, b: Node) -> Out {
        self.select(a, b, Self::FALSE)
    }

    /// One of them.
    pub fn or(&mut self, a: Node, b: Node) -> Out {
        self.select(a, Self::TRUE, b)
    }

    /// The other truth value.
    pub fn not(&mut self, a: Node) -> Out {
        self.select(a, Self::FALSE, Self::TRUE)
    }

    /// Whether the values are equal.
    pub fn same(&mut self, a: Node, b: Node) -> Out {
        self.map2(a, b, &|a, b| i128::from(a == b))
    }

    /// Where a function has this value.
    pub fn is(&mut self, f: Node, value: i128) -> Out {
        self.map(f, &|v| i128::from(v == value))
    }

    /// The function that is `then` of the value of `f`, wherever that value is.
    pub fn bind(&mut self, f: Node, then: &mut dyn FnMut(&mut Self, i128) -> Out) -> Out {
        let mut images = HashMap::new();
        for value in self.range(f) {
            images.insert(value, then(self, value)?);
        }
        let mut done = HashMap::new();
        self.bind_into(f, &images, &mut done)
    }

    fn bind_into(&mut self, f: Node, images: &HashMap<i128, Node>, done: &mut HashMap<Node, Node>) -> Out {
        if let Some(value) = self.constant(f) {
            return Ok(images[&value]);
        }
        if let Some(&known) = done.get(&f) {
            return Ok(known);
        }
        let (level, kids) = self.parts(f);
        let kids: Vec<Node> =
            kids.iter().map(|&kid| self.bind_into(kid, images, done)).collect::<Result<_, _>>()?;
        let result = self.case(level, kids)?;
        done.insert(f, result);
        Ok(result)
    }

    /// The function that is the `v`-th of the given ones where the variable has value `v`.
    pub fn case(&mut self, level: u32, kids: Vec<Node>) -> Out {
        let mut done = HashMap::new();
        self.case_into(level, kids, &mut done)
    }

    fn case_into(&mut self, level: u32, kids: Vec<Node>, done: &mut HashMap<Vec<Node>, Node>) -> Out {
        let top = kids.iter().map(|&kid| self.level(kid)).fold(level, u32::min);
        if top == level {
            let own = kids.iter().enumerate().map(|(v, &kid)| self.child(kid, level, v as u32)).collect();
            return self.split(level, own);
        }
        if kids.iter().all(|&kid| kid == kids[0]) {
            return Ok(kids[0]);
        }
        if let Some(&known) = done.get(&kids) {
            return Ok(known);
        }
        let mut parts = Vec::with_capacity(self.values(top) as usize);
        for v in 0..self.values(top) {
            let below = kids.iter().map(|&kid| self.child(kid, top, v)).collect();
            parts.push(self.case_into(level, below, done)?);
        }
        let result = self.split(top, parts.into())?;
        done.insert(kids, result);
        Ok(result)
    }

    /// The function with its variables exchanged: `to` says for each level which variable stands there now
    /// and where each value goes.
    pub fn rename(&mut self, f: Node, to: &[(u32, Vec<u32>)], done: &mut HashMap<Node, Node>) -> Out {
        if self.constant(f).is_some() {
            return Ok(f);
        }
        if let Some(&known) = done.get(&f) {
            return Ok(known);
        }
        let (level, kids) = self.parts(f);
        let (new, images) = &to[level as usize];
        let mut moved = vec![Self::FALSE; kids.len()];
        for (&kid, &image) in kids.iter().zip(images) {
            moved[image as usize] = self.rename(kid, to, done)?;
        }
        let result = self.case(*new, moved)?;
        done.insert(f, result);
        Ok(result)
    }

    fn level(&self, f: Node) -> u32 {
        match self.nodes[f.0 as usize] {
            Data::Leaf(_) => LEAF,
            Data::Split(level, _) => level,
        }
    }

    fn parts(&self, f: Node) -> (u32, Box<[Node]>) {
        match &self.nodes[f.0 as usize] {
            Data::Split(level, kids) => (*level, kids.clone()),
            Data::Leaf(_) => unreachable!("a constant has no parts"),
        }
    }

    fn child(&self, f: Node, level: u32, v: u32) -> Node {
        match &self.nodes[f.0 as usize] {
            Data::Split(own, kids) if *own == level => kids[v as usize],
            _ => f,
        }
    }

    fn split(&mut self, level: u32, kids: Box<[Node]>) -> Out {
        self.spend(kids.len() as u64)?;
        if kids.iter().all(|&kid| kid == kids[0]) {
            return Ok(kids[0]);
        }
        Ok(self.intern(Data::Split(level, kids)))
    }

    fn intern(&mut self, data: Data) -> Node {
        poll();
        if let Some(&known) = self.unique.get(&data) {
            return known;
        }
        let node = Node(self.nodes.len() as u32);
        self.nodes.push(data.clone());
        self.unique.insert(data, node);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_valuation(diagrams: &Diagrams, visit: &mut dyn FnMut(&[u32])) {
        let mut valuation = vec![0; diagrams.variables()];
        loop {
            visit(&valuation);
            let step = (0..valuation.len()).find(|&i| valuation[i] + 1 < diagrams.values(i as u32));
            let Some(step) = step else { return };
            valuation[step] += 1;
            valuation[..step].fill(0);
        }
    }

    fn sample(diagrams: &mut Diagrams) -> Vec<Node> {
        let levels = [3, 2, 4, 2].map(|values| diagrams.variable(values));
        let cells: Vec<Node> =
            levels.iter().map(|&level| diagrams.table(level, i128::from).unwrap()).collect();
        let sum = cells.iter().fold(Diagrams::FALSE, |a, &b| diagrams.map2(a, b, &|a, b| a + b).unwrap());
        let product = diagrams.map2(cells[0], cells[2], &|a, b| a * b).unwrap();
        let even = diagrams.map(sum, &|v| v % 2).unwrap();
        let mixed = diagrams.select(even, product, cells[3]).unwrap();
        [cells, vec![sum, product, even, mixed]].concat()
    }

    #[test]
    fn operations_agree_with_their_meaning() {
        let mut d = Diagrams::new(1 << 20);
        let all = sample(&mut d);
        for &f in &all {
            for &g in &all {
                let sum = d.map2(f, g, &|a, b| 3 * a - b).unwrap();
                let chosen = d.select(f, g, sum).unwrap();
                let bound = d
                    .bind(f, &mut |d, v| match v {
                        0 => Ok(g),
                        v => d.map(sum, &|s| s * v),
                    })
                    .unwrap();
                let same = d.same(f, g).unwrap();
                assert_eq!(same == Diagrams::TRUE, f == g);
                let differ = d.not(same).unwrap();
                assert_eq!(d.witness(differ).is_some(), f != g);
                each_valuation(&d, &mut |at| {
                    let (a, b) = (d.at(f, at), d.at(g, at));
                    assert_eq!(d.at(sum, at), 3 * a - b);
                    assert_eq!(d.at(chosen, at), if a != 0 { b } else { 3 * a - b });
                    assert_eq!(d.at(bound, at), if a == 0 { b } else { (3 * a - b) * a });
                });
                if let Some(at) = d.witness(differ) {
                    assert_ne!(d.at(f, &at), d.at(g, &at));
                }
            }
        }
    }

    #[test]
    fn renaming_moves_variables_and_values() {
        let mut d = Diagrams::new(1 << 20);
        let all = sample(&mut d);
        // The two variables with two values change places and one of them turns around; the others only turn.
        let to = [(0, vec![1, 2, 0]), (3, vec![1, 0]), (2, vec![3, 2, 1, 0]), (1, vec![0, 1])];
        for f in all {
            let moved = d.rename(f, &to, &mut HashMap::new()).unwrap();
            each_valuation(&d, &mut |at| {
                let mut image = vec![0; 4];
                for (level, (new, values)) in to.iter().enumerate() {
                    image[*new as usize] = values[at[level] as usize];
                }
                assert_eq!(d.at(moved, &image), d.at(f, at));
            });
        }
    }

    #[test]
    fn gives_up_when_the_budget_is_spent() {
        let mut d = Diagrams::new(100);
        let levels: Vec<u32> = (0..20).map(|_| d.variable(4)).collect();
        let mut sum = Diagrams::FALSE;
        let ended = levels.iter().try_for_each(|&level| {
            let cell = d.table(level, i128::from)?;
            sum = d.map2(sum, cell, &|a, b| 5 * a + b)?;
            Ok(())
        });
        assert_eq!(ended, Err(TooLarge));
    }
}
