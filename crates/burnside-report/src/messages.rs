//! Messages: elements of queues and bags, from the step that puts one in to the step that takes it out.
//!
//! Entry point: [`messages`]. Steps are not asked what they did; the contents before and after are compared.
//! A queue that lost elements lost those at its front, if that explains it; else what is alike at both ends
//! stayed. Elements of a bag that are equal cannot be told apart: the one that is there longest leaves first.
//! What was there at the start was sent by nobody, and is left out.

use crate::decode::{TraceDecoder, spare};
use burnside_limits::poll;
use burnside_trace::Evidence;
use burnside_ts::{Leaf, Type, Value};

/// An element of a queue or a bag on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where it is kept meanwhile.
    pub cell: String,
    /// What it is.
    pub value: String,
    /// The step that put it in.
    pub sent: usize,
    /// The step that took it out, if one did.
    pub received: Option<usize>,
}

/// The elements that are in a cell now, with the steps that put them in.
type Content = Vec<(Value, Option<usize>)>;

/// The messages of the first so many steps of a run, in the order in which they are sent.
pub fn messages(decoder: &TraceDecoder<'_>, evidence: &Evidence, most: usize) -> Vec<Message> {
    let types = &decoder.system.types;
    let is_channel = |leaf: &&Leaf| matches!(types.get(leaf.ty), Type::Queue { .. } | Type::Bag { .. });
    let mut all = Vec::new();
    for leaf in decoder.leaves.iter().filter(is_channel) {
        channel(decoder, leaf, evidence, most, &mut all);
    }
    all.sort_by_key(|message| message.sent);
    all
}

/// The messages through one cell.
fn channel(
    decoder: &TraceDecoder<'_>,
    leaf: &Leaf,
    evidence: &Evidence,
    most: usize,
    all: &mut Vec<Message>,
) {
    let read = |state: &[u64]| Value::read(&decoder.system.types, leaf.ty, &spare(state), leaf.offset);
    let Some(first) = evidence.states.first() else { return };
    let mut value = read(first);
    let mut content: Content = value.elements().iter().map(|element| (element.clone(), None)).collect();
    let mut left = |element: (Value, Option<usize>), received: Option<usize>| {
        if let (value, Some(sent)) = element {
            all.push(Message { cell: leaf.name.clone(), value: value.to_string(), sent, received });
        }
    };
    for step in 0..evidence.steps.len().min(most) {
        poll();
        let after = evidence.states.get(step + 1).or_else(|| evidence.states.get(evidence.loop_start()?));
        let Some(after) = after else { break };
        let next = read(after);
        if next != value {
            let (kept, gone) = match &next {
                Value::Bag(elements) => bag(content, elements, step),
                other => queue(content, other.elements(), step),
            };
            gone.into_iter().for_each(|element| left(element, Some(step)));
            (content, value) = (kept, next);
        }
    }
    content.into_iter().for_each(|element| left(element, None));
}

/// What is in a queue after a step, and what is gone.
fn queue(before: Content, after: &[Value], step: usize) -> (Content, Content) {
    let fits = |&lost: &usize| {
        let rest = &before[lost..];
        rest.len() <= after.len() && rest.iter().zip(after).all(|((one, _), other)| one == other)
    };
    // What is kept: so many at the front behind those that are lost, and so many at the back.
    let (lost, front, back) = match (0..before.len()).find(fits) {
        Some(lost) => (lost, before.len() - lost, 0),
        None => {
            let most = before.len().min(after.len());
            let front = (0..most).take_while(|&i| before[i].0 == after[i]).count();
            let same = |i: &usize| before[before.len() - 1 - i].0 == after[after.len() - 1 - i];
            (0, front, (0..most - front).take_while(same).count())
        }
    };
    let new = |element: &Value| (element.clone(), Some(step));
    let mut before = before;
    let tail = before.split_off(before.len() - back);
    let middle = before.split_off(lost + front);
    let head = before.split_off(lost);
    let gone = before.into_iter().chain(middle).collect();
    let added = after[front..after.len() - back].iter().map(new);
    (head.into_iter().chain(added).chain(tail).collect(), gone)
}

/// What is in a bag after a step, and what is gone.
fn bag(mut before: Content, after: &[Value], step: usize) -> (Content, Content) {
    // Those that are there longest come first, so that the newest stay.
    before.sort_by_key(|(_, sent)| sent.map_or(0, |sent| sent + 1));
    let mut kept = Content::new();
    for element in after {
        let newest = before.iter().rposition(|(known, _)| known == element);
        kept.push(newest.map_or_else(|| (element.clone(), Some(step)), |at| before.remove(at)));
    }
    (kept, before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        text.bytes().enumerate().map(|(i, byte)| (Value::Int(i64::from(byte)), Some(i))).collect()
    }

    /// What is kept and what is gone, as letters with their steps.
    fn told(
        way: fn(Content, &[Value], usize) -> (Content, Content),
        before: &str,
        after: &str,
    ) -> [String; 2] {
        let after: Vec<Value> = content(after).into_iter().map(|(value, _)| value).collect();
        let (kept, gone) = way(content(before), &after, 9);
        let letter = |(value, sent): &(Value, Option<usize>)| {
            format!("{}{}", char::from(value.as_int().unwrap() as u8), sent.unwrap())
        };
        [kept, gone].map(|all| all.iter().map(letter).collect())
    }

    #[test]
    fn queues_lose_at_the_front_and_grow_at_the_back() {
        assert_eq!(told(queue, "ab", "abc"), ["a0b1c9", ""]);
        assert_eq!(told(queue, "aab", "ab"), ["a1b2", "a0"]);
        assert_eq!(told(queue, "aa", "a"), ["a1", "a0"]);
        assert_eq!(told(queue, "ab", "bc"), ["b1c9", "a0"]);
        assert_eq!(told(queue, "ab", ""), ["", "a0b1"]);
        assert_eq!(told(queue, "", "ab"), ["a9b9", ""]);
    }

    #[test]
    fn queues_that_change_elsewhere() {
        assert_eq!(told(queue, "abc", "ac"), ["a0c2", "b1"]);
        assert_eq!(told(queue, "abc", "ab"), ["a0b1", "c2"]);
        assert_eq!(told(queue, "ab", "cab"), ["c9a0b1", ""]);
        assert_eq!(told(queue, "abc", "axc"), ["a0x9c2", "b1"]);
        assert_eq!(told(queue, "ab", "xy"), ["x9y9", "a0b1"]);
    }

    #[test]
    fn of_equal_elements_of_a_bag_the_oldest_leaves() {
        assert_eq!(told(bag, "aab", "ab"), ["a1b2", "a0"]);
        assert_eq!(told(bag, "ab", "aab"), ["a0a9b1", ""]);
        assert_eq!(told(bag, "aaa", ""), ["", "a0a1a2"]);
    }
}
