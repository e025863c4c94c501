//! A recorded tree: its runs are walked while it is read, each from the state at which it hangs.
//!
//! Entry points: [`TreeParts::member`] and [`TreeParts::finish`], as for runs.

use crate::exit::Failure;
use crate::recorded::run::{self, Expected, Run};
use crate::recorded::walker::Walker;
use crate::recorded::{Assumed, Raw, Stream};
use crate::run::State;
use burnside_report::tree_json::{MAXIMAL, STUTTER};
use burnside_trace::{Evidence, Replay, Tree};
use serde_json::{Map, Value};

/// Trees are as deep as formulas, which the language limits. Deeper ones are no trees of ours.
const MAX_DEPTH: usize = 1000;

/// A tree as recorded.
pub struct RecordedTree {
    /// What it takes for a path.
    pub assumed: Assumed,
    /// The initial state.
    pub state: State,
    /// The tree.
    pub root: Node,
}

/// A part of it.
pub struct Node {
    /// Where it hangs.
    pub place: Place,
    /// The text of the formula that it is about.
    pub formula: String,
    /// Whether that is true.
    pub truth: bool,
    /// The values of the names around it.
    pub values: Map<String, Value>,
    /// What shows it.
    pub shown_by: ShownBy,
    /// What hangs on it.
    pub children: Vec<Node>,
}

/// What shows something, as recorded.
pub enum ShownBy {
    /// A condition.
    Condition,
    /// It is so everywhere.
    Everywhere,
    /// A run that is left out.
    Omitted,
    /// Sides of a connective.
    Sides,
    /// The number of a value.
    Value(u64),
    /// A run.
    Run(Box<Evidence>),
}

/// Where a part hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is the root, or the body of a quantifier.
    Alone,
    /// It is a side of a connective.
    Side(usize),
    /// At a position of a run, about an operand.
    Position(usize, usize),
}

impl Node {
    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        let own = u64::from(matches!(self.shown_by, ShownBy::Run(_)));
        own + self.children.iter().map(Node::runs).sum::<u64>()
    }

    /// As a tree that can be judged. The runs are taken out of it.
    pub fn tree(&mut self) -> Result<Tree, String> {
        let places: Vec<Place> = self.children.iter().map(|child| child.place).collect();
        let mut children =
            self.children.iter_mut().map(Node::tree).collect::<Result<Vec<_>, _>>()?.into_iter();
        let misfit = || "the recorded sides of a connective do not fit".to_string();
        Ok(match &mut self.shown_by {
            ShownBy::Condition => Tree::Condition,
            ShownBy::Everywhere => Tree::Everywhere,
            ShownBy::Omitted => Tree::Omitted,
            ShownBy::Value(number) => Tree::Value(*number, Box::new(children.next().ok_or_else(misfit)?)),
            ShownBy::Sides => match (&places[..], children.next(), children.next()) {
                ([Place::Side(side)], Some(one), None) => Tree::Side(*side, Box::new(one)),
                ([Place::Side(0), Place::Side(1)], Some(left), Some(right)) => {
                    Tree::Both(Box::new([left, right]))
                }
                _ => return Err(misfit()),
            },
            ShownBy::Run(run) => {
                let positions = places.into_iter().map(|place| match place {
                    Place::Position(position, _) => position,
                    Place::Alone | Place::Side(_) => usize::MAX,
                });
                Tree::Run(std::mem::replace(run, empty()), positions.zip(children).collect())
            }
        })
    }
}

fn empty() -> Box<Evidence> {
    Box::new(Evidence { states: Vec::new(), steps: Vec::new(), end: burnside_trace::End::State })
}

/// The parts of a tree that have been read.
#[derive(Default)]
pub struct TreeParts {
    fair: Option<Value>,
    deadlock_paths: Option<Value>,
    state: Option<Result<State, String>>,
    tree: Option<Result<Node, String>>,
    late: Option<Raw>,
}

impl TreeParts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fair.is_none()
            && self.deadlock_paths.is_none()
            && self.state.is_none()
            && self.tree.is_none()
            && self.late.is_none()
    }

    /// Reads the value of a key. Tells whether it is one of a tree.
    pub fn member(
        &mut self,
        stream: &mut Stream<'_>,
        key: &str,
        walker: &Walker<'_>,
    ) -> Result<bool, Failure> {
        let slot = match key {
            "fair" => &mut self.fair,
            "deadlock_paths" => &mut self.deadlock_paths,
            "state" => {
                let mut wanted = walker.wanted();
                walker.read(stream, &mut wanted)?;
                let mut path = Replay::new(walker.system(), None);
                let state = walker.start(&mut path, &wanted);
                let state = state.map(|()| path.last().unwrap_or_default().into());
                stream.keep(&mut self.state, key, state)?;
                return Ok(true);
            }
            "tree" if self.tree.is_some() || self.late.is_some() => return Err(stream.twice(key)),
            "tree" if self.state.is_none() => {
                self.late = Some(stream.raw()?);
                return Ok(true);
            }
            "tree" => {
                self.tree = Some(self.root(stream, walker)?);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let value = stream.value()?;
        stream.keep(slot, key, value)?;
        Ok(true)
    }

    fn root(&self, stream: &mut Stream<'_>, walker: &Walker<'_>) -> Result<Result<Node, String>, Failure> {
        match &self.state {
            Some(Ok(state)) => NodeReader::new(walker, At::State(state), MAX_DEPTH).read(stream),
            Some(Err(why)) => {
                stream.skip()?;
                Ok(Err(why.clone()))
            }
            None => Err(stream.wrong("a tree is incomplete: it has no `state`")),
        }
    }

    /// The tree, or what is wrong with it.
    pub fn finish(
        mut self,
        stream: &Stream<'_>,
        walker: &Walker<'_>,
    ) -> Result<Result<RecordedTree, String>, Failure> {
        if let Some(late) = self.late.take() {
            self.tree = Some(self.root(&mut stream.again(&late), walker)?);
        }
        let fair = self.fair.as_ref().and_then(Value::as_bool);
        let maximal = self.deadlock_paths.as_ref().and_then(maximal);
        let (Some(fair), Some(maximal), Some(state), Some(root)) = (fair, maximal, self.state, self.tree)
        else {
            return Err(
                stream.wrong("a tree is incomplete: `fair`, `deadlock_paths`, `state` and `tree` are needed")
            );
        };
        let assumed = Assumed { fair, maximal };
        Ok(state.and_then(|state| root.map(|root| RecordedTree { assumed, state, root })))
    }
}

/// What is said about paths that reach a deadlock: whether they end there.
pub fn maximal(value: &Value) -> Option<bool> {
    match value.as_str()? {
        MAXIMAL => Some(true),
        STUTTER => Some(false),
        _ => None,
    }
}

/// The states that a part can be about.
#[derive(Clone, Copy)]
enum At<'t> {
    /// This one.
    State(&'t [u64]),
    /// One of these, by position.
    Run(&'t [State]),
    /// Nobody knows: what it hangs on is wrong.
    Nowhere,
}

/// A part while it is read.
struct NodeReader<'t, 's> {
    walker: &'t Walker<'s>,
    at: At<'t>,
    depth: usize,
    position: Option<Value>,
    operand: Option<Value>,
    side: Option<Value>,
    formula: Option<Value>,
    truth: Option<Value>,
    values: Option<Value>,
    shown_by: Option<Value>,
    number: Option<Value>,
    run: Option<Result<Run<'s>, String>>,
    children: Option<Result<Vec<Node>, String>>,
    /// The run and the children, if they came too early.
    late: [Option<Raw>; 2],
}

impl<'t, 's> NodeReader<'t, 's> {
    fn new(walker: &'t Walker<'s>, at: At<'t>, depth: usize) -> Self {
        Self {
            walker,
            at,
            depth,
            position: None,
            operand: None,
            side: None,
            formula: None,
            truth: None,
            values: None,
            shown_by: None,
            number: None,
            run: None,
            children: None,
            late: [None, None],
        }
    }

    fn read(mut self, stream: &mut Stream<'_>) -> Result<Result<Node, String>, Failure> {
        if self.depth == 0 {
            return Err(stream.wrong("a tree is too deep"));
        }
        stream.object(|stream, key| self.member(stream, key))?;
        if let Some(run) = self.late[0].take() {
            self.read_run(&mut stream.again(&run))?;
        }
        if let Some(children) = self.late[1].take() {
            self.read_children(&mut stream.again(&children))?;
        }
        self.finish(stream)
    }

    fn member(&mut self, stream: &mut Stream<'_>, key: &str) -> Result<(), Failure> {
        let slot = match key {
            "position" => &mut self.position,
            "operand" => &mut self.operand,
            "side" => &mut self.side,
            "formula" => &mut self.formula,
            "truth" => &mut self.truth,
            "values" => &mut self.values,
            "shown_by" => &mut self.shown_by,
            "number" => &mut self.number,
            "run" if self.run.is_some() || self.late[0].is_some() => return Err(stream.twice(key)),
            "children" if self.children.is_some() || self.late[1].is_some() => return Err(stream.twice(key)),
            "run" if self.is_placed() => return self.read_run(stream),
            "children" if self.is_placed() && (self.run.is_some() || self.is_shown_otherwise()) => {
                return self.read_children(stream);
            }
            "run" | "children" => {
                self.late[usize::from(key == "children")] = Some(stream.raw()?);
                return Ok(());
            }
            _ => return stream.unknown(key),
        };
        let value = stream.value()?;
        stream.keep(slot, key, value)
    }

    /// Whether it is known which state it is about.
    fn is_placed(&self) -> bool {
        !matches!(self.at, At::Run(_)) || self.position.is_some()
    }

    fn is_shown_otherwise(&self) -> bool {
        self.shown_by.as_ref().is_some_and(|shown_by| shown_by != "run")
    }

    /// The state that it is about, if there is one.
    fn state(&self) -> Option<&'t [u64]> {
        match self.at {
            At::State(state) => Some(state),
            At::Run(states) => states.get(index(self.position.as_ref()?)?).map(|state| &state[..]),
            At::Nowhere => None,
        }
    }

    fn read_run(&mut self, stream: &mut Stream<'_>) -> Result<(), Failure> {
        let Some(state) = self.state() else {
            self.run = Some(Err("a run hangs at a position that does not exist".into()));
            return stream.skip();
        };
        let expected = Expected { walker: self.walker, start: Some(state), claimed: None };
        let mut parts = run::RunParts::default();
        stream.object(|stream, key| match parts.member(stream, key, expected)? {
            true => Ok(()),
            false => stream.unknown(key),
        })?;
        self.run = Some(parts.finish(stream, expected)?);
        Ok(())
    }

    fn read_children(&mut self, stream: &mut Stream<'_>) -> Result<(), Failure> {
        let at = match (&self.run, self.state()) {
            (Some(Ok(run)), _) => run.kept.as_ref().map_or(At::Nowhere, |run| At::Run(&run.states)),
            (None, Some(state)) => At::State(state),
            _ => At::Nowhere,
        };
        let mut children = Ok(Vec::new());
        stream.list(|stream, _| {
            let child = NodeReader::new(self.walker, at, self.depth - 1).read(stream)?;
            match (&mut children, child) {
                (Ok(all), Ok(child)) => all.push(child),
                (Ok(_), Err(why)) => children = Err(why),
                (Err(_), _) => {}
            }
            Ok(())
        })?;
        self.children = Some(children);
        Ok(())
    }

    fn finish(self, stream: &Stream<'_>) -> Result<Result<Node, String>, Failure> {
        let incomplete = |what: &str| stream.wrong(format!("a part of a tree is incomplete: {what}"));
        let text = |value: &Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_string);
        let (Some(formula), Some(Value::Bool(truth)), Some(Value::Object(values)), Some(shown_by)) =
            (text(&self.formula), &self.truth, self.values, text(&self.shown_by))
        else {
            return Err(incomplete("`formula`, `truth`, `values` and `shown_by` are needed"));
        };
        let place = match (&self.position, &self.operand, &self.side) {
            (None, None, None) => Some(Place::Alone),
            (None, None, Some(side)) => index(side).map(Place::Side),
            (Some(position), Some(operand), None) => {
                index(position).and_then(|position| Some(Place::Position(position, index(operand)?)))
            }
            _ => None,
        };
        let place = place.ok_or_else(|| incomplete("it is not said where it hangs"))?;
        // A number, a run and children are there exactly where they mean something.
        let (has_number, has_run) = (self.number.is_some(), self.run.is_some());
        let shape = [has_number, has_run, self.children.is_some()];
        let fitting = match shown_by.as_str() {
            "condition" | "everywhere" | "omitted" => [false, false, false],
            "sides" => [false, false, true],
            "value" => [true, false, true],
            "run" => [false, true, true],
            _ => return Err(incomplete("its `shown_by` means nothing")),
        };
        if shape != fitting {
            return Err(incomplete("`number`, `run` and `children` do not fit its `shown_by`"));
        }
        let children = match self.children.unwrap_or(Ok(Vec::new())) {
            Ok(children) => children,
            Err(why) => return Ok(Err(why)),
        };
        let hangs = |child: &Node| match (shown_by.as_str(), child.place) {
            ("sides", Place::Side(_)) | ("run", Place::Position(..)) => true,
            ("value", Place::Alone) => children.len() == 1,
            _ => false,
        };
        if !children.iter().all(hangs) || shown_by == "value" && children.is_empty() {
            return Err(incomplete("its children do not fit its `shown_by`"));
        }
        let shown_by = match (shown_by.as_str(), self.run, &self.number) {
            ("condition", ..) => ShownBy::Condition,
            ("everywhere", ..) => ShownBy::Everywhere,
            ("omitted", ..) => ShownBy::Omitted,
            (_, None, None) => ShownBy::Sides,
            (_, None, Some(number)) => match number.as_u64() {
                Some(number) => ShownBy::Value(number),
                None => return Err(incomplete("its `number` is not one")),
            },
            (_, Some(Err(why)), _) => return Ok(Err(why)),
            (_, Some(Ok(run)), _) => match run.kept {
                Some(run) => ShownBy::Run(Box::new(run)),
                None => return Ok(Err("a run in a tree does not go on".into())),
            },
        };
        if let (Place::Position(position, _), At::Run(states)) = (place, self.at)
            && position >= states.len()
        {
            return Ok(Err(format!("a run has no position {position}")));
        }
        Ok(Ok(Node { place, formula, truth: *truth, values, shown_by, children }))
    }
}

fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}
