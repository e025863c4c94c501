//! What workers send each other.

use serde::{Deserialize, Serialize};

/// Something for one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Parcel {
    /// To this worker.
    pub to: u32,
    /// From this one.
    pub from: u32,
    pub load: Load,
}

/// What is in a parcel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Load {
    /// Nodes with where they come from, as the search lays them out.
    Nodes(Vec<u64>),
    /// What one worker tells all.
    Note(Note),
}

/// What a note is about. Processes that a limit has ended may leave out a search, and then agree on its
/// result while others are about to begin it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Topic {
    /// The beginning of a search.
    Meeting,
    /// The results of searches.
    Agreement,
    /// A search that all have begun.
    #[default]
    Search,
}

/// What one worker tells all at the end of a round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    pub topic: Topic,
    /// Why it wants to end, if it does.
    pub stop: Option<String>,
    /// Figures; what they mean is agreed on where they are used.
    pub numbers: Vec<u64>,
    /// A text, likewise.
    pub text: String,
    /// What it has found, by question.
    pub candidates: Vec<Vec<Candidate>>,
}

/// A node that a worker thinks answers a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Candidate {
    /// Where it is; none: before every node, where the initialisation faults.
    pub at: Option<Place>,
    /// The words of the node: the least of several candidates counts.
    pub node: Vec<u64>,
    pub claim: Claim,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub worker: u32,
    pub id: u32,
}

/// What is said of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Claim {
    /// A run that ends here answers the question.
    Answer,
    /// A goal is neither true nor false here.
    Pending,
    /// The value that is asked for.
    Value(i64),
}

impl Candidate {
    /// Which of two of one question and claim counts, whoever found them: with a greater value, or before
    /// every node, or with the lesser words.
    pub fn counts_before(&self, other: &Candidate) -> bool {
        let value = |candidate: &Candidate| match candidate.claim {
            Claim::Value(value) => value,
            Claim::Answer | Claim::Pending => 0,
        };
        let key = |it| (std::cmp::Reverse(value(it)), it.at.is_some());
        (key(self), &self.node) < (key(other), &other.node)
    }
}
