//! Numbers for people.

use burnside::MANY;

/// `1 state`, `2 states`; thousands are separated.
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// `28,672`; many are not told apart.
pub fn thousands(number: u64) -> String {
    if number == MANY {
        return "over 10^19".to_string();
    }
    separated(&number.to_string())
}

/// A number, however large, with its thousands separated.
pub fn separated(digits: &str) -> String {
    if digits.contains('^') {
        return digits.to_string();
    }
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(
            [0, 999, 1000, 28_672, 1_000_000].map(thousands),
            ["0", "999", "1,000", "28,672", "1,000,000"]
        );
        assert_eq!(plural(u64::MAX, "state", "states"), "over 10^19 states");
        assert_eq!(plural(1, "state", "states"), "1 state");
    }
}
