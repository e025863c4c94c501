//! Names of variants as people read them in reports.

/// `VoteYes` as `vote_yes`.
pub fn snake(name: &str) -> String {
    let mut text = String::new();
    for (i, letter) in name.trim_start_matches("r#").chars().enumerate() {
        if letter.is_uppercase() && i > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(["VoteYes", "Idle", "r#Try", "a"].map(snake), ["vote_yes", "idle", "try", "a"]);
    }
}
