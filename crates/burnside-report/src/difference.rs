//! What came into a collection and what left it, for people: `+ element` says more than all elements twice.
//!
//! Entry point: [`Difference::between`].

use burnside_ts::Value;

/// How a set, a bag or a queue changes, as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What left: of a queue, from its front.
    pub removed: Vec<String>,
    /// What came: in a queue, at its back.
    pub added: Vec<String>,
}

impl Difference {
    /// None if the values are no collections, or if nothing of a queue has stayed.
    pub fn between(before: &Value, after: &Value) -> Option<Self> {
        let texts = |values: &[&Value]| values.iter().map(|value| value.to_string()).collect();
        let (removed, added) = match (before, after) {
            (Value::Set(before), Value::Set(after)) | (Value::Bag(before), Value::Bag(after)) => {
                (without(before, after), without(after, before))
            }
            (Value::Queue(before), Value::Queue(after)) => {
                let left = (0..=before.len()).find(|&left| after.starts_with(&before[left..]))?;
                if left == before.len() && left > 0 && !after.is_empty() {
                    return None;
                }
                let stayed = before.len() - left;
                (before[..left].iter().collect(), after[stayed..].iter().collect())
            }
            _ => return None,
        };
        Some(Self { removed: texts(&removed), added: texts(&added) })
    }
}

/// The values that the others do not have, each as often as it is there more often.
fn without<'v>(values: &'v [Value], others: &[Value]) -> Vec<&'v Value> {
    let mut others: Vec<&Value> = others.iter().collect();
    let is_more = |value: &&Value| match others.iter().position(|other| other == value) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    };
    values.iter().filter(is_more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> Vec<Value> {
        values.iter().copied().map(Value::Int).collect()
    }

    fn told(before: Value, after: Value) -> Option<String> {
        let found = Difference::between(&before, &after)?;
        Some(format!("-{} +{}", found.removed.join(","), found.added.join(",")))
    }

    #[test]
    fn sets_bags_and_queues() {
        let set = |values: &[i64]| Value::Set(ints(values));
        let bag = |values: &[i64]| Value::Bag(ints(values));
        let queue = |values: &[i64]| Value::Queue(ints(values));
        assert_eq!(told(set(&[1, 2]), set(&[2, 3])).unwrap(), "-1 +3");
        assert_eq!(told(set(&[]), set(&[3])).unwrap(), "- +3");
        assert_eq!(told(bag(&[1, 1, 2]), bag(&[1, 2, 2])).unwrap(), "-1 +2");
        assert_eq!(told(queue(&[1, 2]), queue(&[2, 5])).unwrap(), "-1 +5");
        assert_eq!(told(queue(&[1, 1]), queue(&[1])).unwrap(), "-1 +");
        assert_eq!(told(queue(&[]), queue(&[4, 4])).unwrap(), "- +4,4");
        assert_eq!(told(queue(&[4, 5]), queue(&[])).unwrap(), "-4,5 +");
        // Something in the middle, or another order.
        assert_eq!(told(queue(&[1, 2, 3]), queue(&[1, 3])), None);
        assert_eq!(told(queue(&[1, 2]), queue(&[2, 1])).unwrap(), "-1 +1");
        assert_eq!(told(Value::Int(1), Value::Int(2)), None);
    }
}
