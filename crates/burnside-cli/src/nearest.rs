//! Names near to one that does not exist.

/// The name nearest to one that does not exist, if it is near.
pub fn nearest<'n>(name: &str, known: &'n [String]) -> Option<&'n str> {
    several(name, known.iter().map(String::as_str)).into_iter().next()
}

/// All names that are near, the nearest first: a third of the letters may differ.
pub fn several<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let limit = (name.chars().count() / 3).max(1);
    let near = known.map(|other| (distance(name, other), other));
    let mut near: Vec<_> = near.filter(|&(distance, _)| distance <= limit).collect();
    near.sort_unstable();
    near.into_iter().map(|(_, other)| other).collect()
}

/// How many letters must be changed, added or dropped.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let known = ["mutex", "access", "faults"].map(String::from);
        assert_eq!(nearest("mutx", &known), Some("mutex"));
        assert_eq!(nearest("acess", &known), Some("access"));
        assert_eq!(nearest("zebra", &known), None);
        assert_eq!(several("abc", ["abd", "xyz", "abc"].into_iter()), ["abc", "abd"]);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
