//! Models for `cargo xtask bench symmetry` that grow, each with the number of its orbits.
//!
//! Entry point: [`FAMILIES`]. A symmetric type has no graph to start from, so a model builds one: nodes are
//! put into places one after the other, which of them makes no difference, and at last one step draws the
//! edges between the places and forgets these. What is left is the bare graph. Then some nodes are marked,
//! which tells how many orbits of nodes (or of pairs) the graph's own symmetries have. So there are one orbit
//! for each step of the building and a known number of others.

use std::fmt::Write;

/// Models that differ in size only.
pub struct Family {
    pub name: &'static str,
    pub sizes: &'static [usize],
    /// Whether a few orbits are added by each node, so that an exponent means something.
    pub linear: bool,
    pub picture: Picture,
    pub goal: &'static str,
    pub model: fn(usize) -> Model,
}

/// Where the curve of a family is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Graphs that grow step by step, or that are easy to tell apart.
    Graphs,
    /// Graphs that are known to be hard.
    Hard,
    /// Nearly no states, and a large group.
    Start,
}

/// A model as text.
pub struct Model {
    pub text: String,
    /// Members, nodes or places, whatever grows.
    pub nodes: usize,
    pub orbits: u64,
    /// A net; else the language of the project.
    pub net: bool,
}

const fn family(name: &'static str, sizes: &'static [usize], model: fn(usize) -> Model) -> Family {
    Family { name, sizes, linear: true, picture: Picture::Graphs, goal: "", model }
}

const fn hard(name: &'static str, sizes: &'static [usize], model: fn(usize) -> Model) -> Family {
    Family { picture: Picture::Hard, ..family(name, sizes, model) }
}

const fn start(name: &'static str, sizes: &'static [usize], model: fn(usize) -> Model) -> Family {
    Family { picture: Picture::Start, ..family(name, sizes, model) }
}

pub const FAMILIES: &[Family] = &[
    Family { goal: "100 in 1 s", ..family("partners", &[8, 12, 16, 20, 50, 100], partners) },
    Family { goal: "100 in 1 s, 200 in 10 s", ..family("path", &[10, 20, 50, 100, 200], path) },
    family("cycle", &[10, 20, 50, 100, 200], cycle),
    family("grid", &[4, 6, 8, 10, 12], grid),
    family("triangles", &[3, 6, 12, 24, 48], triangles),
    Family { linear: false, ..family("functional graphs", &[6, 7, 8, 9, 10], functional) },
    Family { linear: false, goal: "at most 3 µs per step", ..family("all graphs", &[6, 7, 8], graphs) },
    hard("rook's graph", &[4, 5, 6, 8, 10], rook),
    hard("Paley graph", &[13, 17, 29, 37, 53, 73], paley),
    hard("Shrikhande graph", &[4], shrikhande),
    hard("CFI graph", &[2, 3, 4, 6, 8, 12], cfi),
    hard("projective plane", &[2, 3, 5, 7], plane),
    Family { goal: "3,000 in milliseconds", ..start("large ring", &[100, 300, 1000, 3000], ring) },
    Family {
        goal: "300,000 in milliseconds",
        ..start("large symmetric type", &[3_000, 30_000, 300_000], many)
    },
    Family { goal: "milliseconds", ..start("servers and clients, net", &[5, 10, 20], servers) },
];

fn model(text: &str, nodes: usize, orbits: usize) -> Model {
    let text = text.replace("@N@", &nodes.to_string());
    Model { text, nodes, orbits: orbits as u64, net: false }
}

/// The lock of one bit for each of three processes: who wants in raises its flag, looks at the others one by
/// one, and lowers it again if one of theirs is up.
pub fn one_bit() -> Model {
    let text = "\
symmetric Proc[@N@];
fair process Proc[p] {
    var flag: bool;
    var seen: set of Proc;
    locations rest, scan, critical;
    rule try at rest { flag = true; goto scan; }
    at scan {
        rule look(q: Proc) when q != p && !(q in seen) && !flag[q] { seen.add(q); }
        rule back(q: Proc) when q != p && flag[q] { flag = false; seen.clear(); goto rest; }
        rule enter when seen.size() == @N@ - 1 { seen.clear(); goto critical; }
    }
    rule leave at critical { flag = false; goto rest; }
}
ltl goes_on = forall p: Proc { G (Proc[p]@scan -> F !Proc[p]@scan) };
";
    model(text, 3, 22)
}

/// A counter beside three members that never differ: as many orbits as states.
pub fn idle(states: usize) -> Model {
    let text = "\
symmetric Idle[3];
const N = @N@;
var x: array[Idle] of bool;
var n: 0..N-1;
fair process P { rule up { n = if n < N - 1 { n + 1 } else { 0 }; for i: Idle { x[i] = !x[i]; } } }
ltl goes_on = G F (exists i: Idle { x[i] });
";
    model(text, states, states)
}

fn partners(n: usize) -> Model {
    let text = "\
symmetric Member[@N@];
var partner: array[Member] of Member?;
process World {
    rule pair(a: Member, b: Member) when a != b && partner[a] == none && partner[b] == none {
        partner[a] = b;
        partner[b] = a;
    }
}
deadlock allowed;
";
    model(text, n, n / 2 + 1)
}

fn path(n: usize) -> Model {
    let text = "\
symmetric Node[@N@];
var edge: array[Node, Node] of bool;
var last: Node?;
process World {
    rule start(b: Node) when last == none { last = b; }
    rule extend(b: Node) when last != none && b != last! && forall c: Node { !edge[b, c] && !edge[c, b] } {
        edge[last!, b] = true;
        last = b;
    }
}
deadlock allowed;
";
    model(text, n, n + 1)
}

fn cycle(n: usize) -> Model {
    let text = "\
symmetric Node[@N@];
var after: array[Node] of Node?;
var first: Node?;
var last: Node?;
process World {
    rule start(a: Node) when first == none && forall b: Node { after[b] == none } { first = a; last = a; }
    rule extend(b: Node) when last != none && b != first! && b != last! && after[b] == none {
        after[last!] = b;
        last = b;
    }
    rule close when last != none && count a: Node { after[a] == none } == 1 {
        after[last!] = first;
        first = none;
        last = none;
    }
}
deadlock allowed;
";
    model(text, n, n + 2)
}

/// Partial functions of a set to itself, up to renaming: A126285 of the encyclopedia of integer sequences.
fn functional(n: usize) -> Model {
    let text = "\
symmetric Node[@N@];
var after: array[Node] of Node?;
process World {
    rule link(a: Node, b: Node) when after[a] == none { after[a] = b; }
}
deadlock allowed;
";
    const ORBITS: [usize; 11] = [1, 2, 6, 16, 45, 121, 338, 929, 2598, 7261, 20453];
    model(text, n, ORBITS[n])
}

/// Graphs up to isomorphism: A000088.
fn graphs(n: usize) -> Model {
    let text = "\
symmetric Node[@N@];
var edge: array[Node, Node] of bool;
process Author {
    rule draw(a: Node, b: Node) when a != b && !edge[a, b] { edge[a, b] = true; edge[b, a] = true; }
}
deadlock allowed;
";
    const ORBITS: [usize; 9] = [1, 1, 2, 4, 11, 34, 156, 1044, 12346];
    model(text, n, ORBITS[n])
}

fn ring(n: usize) -> Model {
    let text = "\
ring Seat[@N@];
var lamp: array[Seat] of bool;
var holder: Seat?;
process World {
    rule take(s: Seat) when holder == none && !lamp[s] { holder = s; lamp[s] = true; }
    rule pass when holder != none { lamp[holder!] = false; holder = next(holder!); lamp[holder!] = true; }
}
";
    model(text, n, 2)
}

fn many(n: usize) -> Model {
    let text = "\
symmetric Member[@N@];
var holder: Member?;
process World {
    rule take(m: Member) when holder == none { holder = m; }
    rule drop when holder != none { holder = none; }
}
";
    model(text, n, 2)
}

/// A net of so many servers and five times as many clients: any client may be with any free server, and what
/// counts up to symmetry is how many are.
fn servers(servers: usize) -> Model {
    let clients = 5 * servers;
    let mut net = Net::default();
    (0..clients).for_each(|c| net.place(&format!("client{c}"), 1));
    (0..servers).for_each(|s| net.place(&format!("server{s}"), 1));
    for c in 0..clients {
        for s in 0..servers {
            let (client, server, both) = (format!("client{c}"), format!("server{s}"), format!("with{c}_{s}"));
            net.place(&both, 0);
            net.transition(&format!("meet{c}_{s}"), &[&client, &server], &[&both]);
            net.transition(&format!("part{c}_{s}"), &[&both], &[&client, &server]);
        }
    }
    let nodes = net.places;
    Model { text: net.end(), nodes, orbits: servers as u64 + 1, net: true }
}

/// Many read at once, a writer needs what every reader needs: 2^R + W markings in R + 2 orbits.
pub fn readers_and_writers(readers: usize, writers: usize) -> String {
    let mut net = Net::default();
    let tokens: Vec<String> = (0..readers).map(|r| format!("token{r}")).collect();
    for (r, token) in tokens.iter().enumerate() {
        let (rests, reads) = (format!("resting{r}"), format!("reading{r}"));
        [(&rests, 1), (&reads, 0), (token, 1)]
            .into_iter()
            .for_each(|(place, marking)| net.place(place, marking));
        net.transition(&format!("read{r}"), &[&rests, token], &[&reads]);
        net.transition(&format!("rest{r}"), &[&reads], &[&rests, token]);
    }
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    for w in 0..writers {
        let (waits, writes) = (format!("waiting{w}"), format!("writing{w}"));
        [(&waits, 1), (&writes, 0)].into_iter().for_each(|(place, marking)| net.place(place, marking));
        net.transition(&format!("write{w}"), &[&tokens[..], &[&waits]].concat(), &[&writes]);
        net.transition(&format!("wait{w}"), &[&writes], &[&tokens[..], &[&waits]].concat());
    }
    net.end()
}

/// The text of a net, as far as it is written.
#[derive(Default)]
struct Net {
    text: String,
    places: usize,
    arcs: usize,
}

impl Net {
    fn place(&mut self, id: &str, marking: u32) {
        self.places += 1;
        let marking = format!("<initialMarking><text>{marking}</text></initialMarking>");
        let _ = writeln!(self.text, "<place id=\"{id}\"><name><text>{id}</text></name>{marking}</place>");
    }

    fn transition(&mut self, id: &str, from: &[&str], to: &[&str]) {
        let _ = writeln!(self.text, "<transition id=\"{id}\"><name><text>{id}</text></name></transition>");
        let arcs = from.iter().map(|place| (*place, id)).chain(to.iter().map(|place| (id, *place)));
        for (source, target) in arcs {
            self.arcs += 1;
            let arc = self.arcs;
            let _ = writeln!(self.text, "<arc id=\"arc{arc}\" source=\"{source}\" target=\"{target}\"/>");
        }
    }

    fn end(self) -> String {
        let grammar = "http://www.pnml.org/version-2009/grammar";
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml xmlns=\"{grammar}/pnml\">\n\
             <net id=\"net\" type=\"{grammar}/ptnet\"><page id=\"page\">\n{}</page></net></pnml>\n",
            self.text
        )
    }
}

/// Every two nodes that are adjacent.
fn edges(n: usize, adjacent: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| adjacent(a, b)).collect()
}

/// Builds a graph and marks so many of its nodes; `marked` tells how many orbits there are of nodes, then of
/// pairs.
fn built(n: usize, edges: &[(usize, usize)], marked: &[usize]) -> Model {
    let mut drawn = String::new();
    for (a, b) in edges {
        let _ = writeln!(drawn, "        edge[place[{a}]!, place[{b}]!] = true;");
        let _ = writeln!(drawn, "        edge[place[{b}]!, place[{a}]!] = true;");
    }
    let text = "\
symmetric Node[@N@];
var place: array[0..@N@-1] of Node?;
var placed: 0..@N@;
var drawn: bool;
var edge: array[Node, Node] of bool;
var marked: set of Node;
process World {
    rule put(a: Node) when !drawn && placed < @N@ && forall i: 0..@N@-1 { place[i] != a } {
        place[placed] = a;
        placed = placed + 1;
    }
    rule draw when placed == @N@ {
@EDGES@        for i: 0..@N@-1 { place[i] = none; }
        placed = 0;
        drawn = true;
    }
    rule mark(a: Node) when drawn && marked.size() < @MARKS@ && !(a in marked) { marked.add(a); }
}
deadlock allowed;
";
    let text = text.replace("@EDGES@", &drawn).replace("@MARKS@", &marked.len().to_string());
    model(&text, n, n + 2 + marked.iter().sum::<usize>())
}

/// The symmetries of the square leave so many nodes apart as are in an eighth of it.
fn grid(side: usize) -> Model {
    let near = |a: usize, b: usize| (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side) == 1;
    let half = side.div_ceil(2);
    built(side * side, &edges(side * side, near), &[half * (half + 1) / 2])
}

fn triangles(copies: usize) -> Model {
    built(3 * copies, &edges(3 * copies, |a, b| a / 3 == b / 3), &[1])
}

/// A strongly regular graph of rank 3: adjacent pairs are alike, the others too.
fn rook(side: usize) -> Model {
    let near = |a: usize, b: usize| (a / side == b / side) != (a % side == b % side);
    built(side * side, &edges(side * side, near), &[1, 2])
}

/// Strongly regular of rank 3, on a prime number of nodes that leaves 1 when divided by 4.
fn paley(q: usize) -> Model {
    let squares: Vec<usize> = (1..q).map(|x| x * x % q).collect();
    built(q, &edges(q, |a, b| squares.contains(&(a - b))), &[1, 2])
}

/// Strongly regular with the parameters of the rook's graph of side 4, and of rank 4.
fn shrikhande(side: usize) -> Model {
    let near = |a: usize, b: usize| {
        let difference = ((side + a / side - b / side) % side, (side + a % side - b % side) % side);
        [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)].contains(&difference)
    };
    built(side * side, &edges(side * side, near), &[1, 3])
}

/// Cai, Fürer and Immerman's graph over the Möbius ladder with so many rungs: two nodes for each of its
/// edges, and for each of its nodes one for each even set of its three edges. Nodes of an orbit of the
/// ladder's edges (or nodes) are alike; rungs differ from rails except in the two smallest ladders.
fn cfi(rungs: usize) -> Model {
    let around = 2 * rungs;
    let ladder: Vec<(usize, usize)> =
        (0..around).map(|i| (i, (i + 1) % around)).chain((0..rungs).map(|i| (i, i + rungs))).collect();
    let mut drawn = Vec::new();
    let mut nodes = 2 * ladder.len();
    for v in 0..around {
        let at = ladder.iter().enumerate().filter(|(_, edge)| edge.0 == v || edge.1 == v);
        let at: Vec<usize> = at.map(|(i, _)| i).collect();
        for even in [0b000, 0b011, 0b101, 0b110_usize] {
            drawn.extend(at.iter().enumerate().map(|(j, edge)| (nodes, 2 * edge + (even >> j & 1))));
            nodes += 1;
        }
    }
    built(nodes, &drawn, &[if rungs <= 3 { 2 } else { 3 }])
}

/// Points and lines of the projective plane over a prime field. Points are alike, and so are points and
/// lines.
fn plane(q: usize) -> Model {
    let all = (0..q).flat_map(|a| (0..q).map(move |b| [1, a, b]));
    let points: Vec<[usize; 3]> = all.chain((0..q).map(|a| [0, 1, a])).chain([[0, 0, 1]]).collect();
    let lines = points.len();
    let on = |point: usize, line: usize| {
        points[point].iter().zip(points[line]).map(|(x, y)| x * y).sum::<usize>().is_multiple_of(q)
    };
    let drawn = edges(2 * lines, |line, point| line >= lines && point < lines && on(point, line - lines));
    built(2 * lines, &drawn, &[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(model: &Model) -> Vec<usize> {
        let mut degrees = vec![0; model.nodes];
        for line in model.text.lines().filter(|line| line.trim().starts_with("edge[place[")) {
            let node: String =
                line.trim()["edge[place[".len()..].chars().take_while(char::is_ascii_digit).collect();
            degrees[node.parse::<usize>().unwrap()] += 1;
        }
        degrees.sort_unstable();
        degrees.dedup();
        degrees
    }

    #[test]
    fn graphs_have_the_degrees_they_should() {
        assert_eq!((degrees(&grid(4)), grid(4).orbits), (vec![2, 3, 4], 21));
        assert_eq!(degrees(&triangles(3)), [2]);
        assert_eq!((degrees(&rook(4)), degrees(&shrikhande(4))), (vec![6], vec![6]));
        assert_eq!(degrees(&paley(13)), [6]);
        assert_eq!((degrees(&plane(3)), plane(3).nodes), (vec![4], 26));
        // A node of an edge is in half of the even sets at each of its two ends.
        assert_eq!((degrees(&cfi(2)), cfi(2).nodes), (vec![3, 4], 28));
    }

    #[test]
    fn nothing_is_left_to_fill_in() {
        for family in FAMILIES {
            let model = (family.model)(family.sizes[0]);
            assert!(!model.text.contains('@'), "{}", model.text);
            assert!(model.nodes > 0 && model.orbits > 1);
        }
    }
}
