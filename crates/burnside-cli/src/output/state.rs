//! A state in few lines: cells that differ only in their indices and have the same value are shown as one,
//! `phase[0..8] = idle`.
//!
//! Entry point: [`compact`]. Cells with the same name but for the indices form a grid; equal neighbours are
//! merged along the last dimension first. Nothing is lost: the lines together say the value of every cell.

use std::collections::HashMap;

/// A cell's name taken apart: texts with an index after each but the last, as in `net`, `.queue`, ``.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    texts: Vec<String>,
    indices: Vec<String>,
}

/// A block of a grid: from and to (both included) in each dimension, as positions.
#[derive(Clone, Debug)]
struct Block {
    ranges: Vec<(usize, usize)>,
    value: String,
}

/// All cells with the same texts.
struct Grid {
    texts: Vec<String>,
    dimensions: Vec<Dimension>,
    blocks: Vec<Block>,
}

/// The index texts of one dimension in the order in which they come, and where each is.
#[derive(Clone, Debug, Default)]
struct Dimension {
    texts: Vec<String>,
    positions: HashMap<String, usize>,
}

impl Dimension {
    fn position(&mut self, index: &str) -> usize {
        if let Some(&at) = self.positions.get(index) {
            return at;
        }
        self.texts.push(index.to_string());
        self.positions.insert(index.to_string(), self.texts.len() - 1);
        self.texts.len() - 1
    }
}

/// The cells of a state, as few names and values as possible.
pub fn compact<'a>(cells: impl IntoIterator<Item = (&'a str, String)>) -> Vec<(String, String)> {
    let mut grids: Vec<Grid> = Vec::new();
    let mut known: HashMap<Vec<String>, usize> = HashMap::new();
    for (name, value) in cells {
        let name = Name::parse(name);
        let at = *known.entry(name.texts.clone()).or_insert(grids.len());
        if at == grids.len() {
            grids.push(Grid::new(&name));
        }
        grids[at].add(&name, value);
    }
    grids.into_iter().flat_map(Grid::lines).collect()
}

impl Name {
    /// A name of a net may hold anything; one that would not be put together again as it was is left whole.
    fn parse(name: &str) -> Name {
        let parsed = Name::split(name);
        let mut indices = parsed.indices.iter();
        if joined(&parsed.texts, || indices.next().cloned().unwrap_or_default()) == name {
            return parsed;
        }
        Name { texts: vec![name.to_string()], indices: Vec::new() }
    }

    /// Splits at brackets, and at the parentheses of arguments. Indices that share one pair of brackets
    /// (`Link[0, 1].full`) become several.
    fn split(name: &str) -> Name {
        let mut parsed = Name { texts: vec![String::new()], indices: Vec::new() };
        let (mut depth, mut index) = (0, String::new());
        for c in name.chars() {
            match (c, depth) {
                (']' | ')' | ',', 1) => {
                    parsed.indices.push(std::mem::take(&mut index).trim_start().to_string());
                    parsed.texts.push(String::new());
                    parsed.text_push(c);
                }
                (_, 0) => parsed.text_push(c),
                _ => index.push(c),
            }
            match c {
                '[' | '(' | '{' => depth += 1,
                ']' | ')' | '}' if depth > 0 => depth -= 1,
                _ => {}
            }
        }
        // Perhaps a bracket that nothing closes.
        index.trim_start().chars().for_each(|c| parsed.text_push(c));
        parsed
    }

    fn text_push(&mut self, c: char) {
        self.texts.last_mut().expect("there is always one").push(c);
    }
}

impl Grid {
    fn new(name: &Name) -> Self {
        let dimensions = vec![Dimension::default(); name.indices.len()];
        Self { texts: name.texts.clone(), dimensions, blocks: Vec::new() }
    }

    fn add(&mut self, name: &Name, value: String) {
        let positions =
            self.dimensions.iter_mut().zip(&name.indices).map(|(known, index)| known.position(index));
        let ranges = positions.map(|at| (at, at)).collect();
        self.blocks.push(Block { ranges, value });
    }

    fn lines(mut self) -> Vec<(String, String)> {
        for dimension in (0..self.dimensions.len()).rev() {
            self.merge(dimension);
        }
        let blocks = std::mem::take(&mut self.blocks);
        blocks.into_iter().map(|block| (self.name(&block), block.value)).collect()
    }

    /// Merges each block into the one before it in the dimension, if they fit together.
    fn merge(&mut self, dimension: usize) {
        let mut merged: Vec<Block> = Vec::new();
        // In each line of the grid along the dimension, the last block so far.
        let mut last = HashMap::new();
        for block in self.blocks.drain(..) {
            let mut line = block.ranges.clone();
            let (from, to) = line.remove(dimension);
            match last.get(&line).map(|&at: &usize| &mut merged[at]) {
                Some(before) if before.value == block.value && before.ranges[dimension].1 + 1 == from => {
                    before.ranges[dimension].1 = to;
                }
                _ => {
                    last.insert(line, merged.len());
                    merged.push(block);
                }
            }
        }
        self.blocks = merged;
    }

    fn name(&self, block: &Block) -> String {
        let mut indices =
            self.dimensions.iter().zip(&block.ranges).map(|(known, &(from, to))| match to - from {
                0 => known.texts[from].clone(),
                _ => format!("{}..{}", known.texts[from], known.texts[to]),
            });
        joined(&self.texts, || indices.next().unwrap_or_default())
    }
}

/// The texts of a name with an index between any two.
fn joined(texts: &[String], mut index: impl FnMut() -> String) -> String {
    let mut name = texts[0].clone();
    for text in &texts[1..] {
        name.push_str(&index());
        name.push_str(&text.replace(',', ", "));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cells: &[(&str, &str)], expected: &[&str]) {
        let lines = compact(cells.iter().map(|&(name, value)| (name, value.to_string())));
        let lines: Vec<_> = lines.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn plain_cells_stay() {
        check(&[("lock", "free"), ("turn", "none")], &["lock = free", "turn = none"]);
    }

    #[test]
    fn equal_neighbours_are_one() {
        let cells = [("p[0]", "a"), ("p[1]", "a"), ("p[2]", "b"), ("p[3]", "a"), ("p[4]", "a")];
        check(&cells, &["p[0..1] = a", "p[2] = b", "p[3..4] = a"]);
    }

    #[test]
    fn two_dimensions() {
        let cells = [("s[0][0]", "f"), ("s[0][1]", "f"), ("s[1][0]", "f"), ("s[1][1]", "f")];
        check(&cells, &["s[0..1][0..1] = f"]);
        let cells = [("s[0][0]", "f"), ("s[0][1]", "f"), ("s[1][0]", "f"), ("s[1][1]", "t")];
        check(&cells, &["s[0][0..1] = f", "s[1][0] = f", "s[1][1] = t"]);
    }

    #[test]
    fn records_in_arrays() {
        let cells = [("a[x].f", "1"), ("a[x].g", "2"), ("a[y].f", "1"), ("a[y].g", "2")];
        check(&cells, &["a[x..y].f = 1", "a[x..y].g = 2"]);
    }

    #[test]
    fn members_of_families_with_two_indices() {
        let cells = [("L[0, 0].x", "f"), ("L[0, 1].x", "f"), ("L[1, 0].x", "f"), ("L[1, 1].x", "f")];
        check(&cells, &["L[0..1, 0..1].x = f"]);
    }

    #[test]
    fn arguments_are_indices_too() {
        let cells =
            [("S.grant(0)", ""), ("S.grant(1)", ""), ("C[0].send(1, 0)", ""), ("C[0].send(1, 1)", "")];
        let lines = compact(cells.iter().map(|&(name, value)| (name, value.to_string())));
        let names: Vec<_> = lines.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["S.grant(0..1)", "C[0].send(1, 0..1)"]);
    }

    #[test]
    fn names_with_odd_brackets_stay() {
        let cells = [("a)b", "1"), ("a)c", "1"), ("d[e", "2"), ("d[f, g", "2"), ("h}[0]", "3")];
        check(&cells, &["a)b = 1", "a)c = 1", "d[e = 2", "d[f, g = 2", "h}[0] = 3"]);
    }

    #[test]
    fn names_that_would_change_stay() {
        for name in
            ["{0}]]>&[x]", "a{0}b", "a[1", "a]b[", "a[b)c", "a[0,1]", "a[ 0]", "a[{0,1}][2]", "a(b,c", "[,]"]
        {
            check(&[(name, "1")], &[&format!("{name} = 1")]);
        }
        check(&[("a{0}[1]", "1"), ("a{0}[2]", "1")], &["a{0}[1] = 1", "a{0}[2] = 1"]);
    }

    #[test]
    fn indices_that_hold_brackets() {
        let cells = [("a[P(x: 0, y: 1)]", "f"), ("a[P(x: 1, y: 1)]", "f"), ("b[[0, 1]]", "t")];
        check(&cells, &["a[P(x: 0, y: 1)..P(x: 1, y: 1)] = f", "b[[0, 1]] = t"]);
    }
}
