//! How much memory the program has in use, and how soon that is to be looked at again.

use std::time::Duration;

/// The least and the most time between two looks at the memory in use.
const PERIODS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];
/// So many bytes a program takes in a millisecond at most: new pages have to be cleared.
const PER_MILLISECOND: u64 = 4 << 20;

/// The bytes of this process that are in memory; none where the system does not tell.
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// How long to wait before the next look at the memory in use: the nearer the limit, the shorter. A copy of a
/// large text takes tens of megabytes in the time between two looks. Far from the limit a quarter of what is
/// left cannot be taken in that time, and a program that waits for somebody, as a server does, hardly works.
pub fn next_look(bytes: u64, limit: u64) -> Duration {
    let left = limit.saturating_sub(bytes) / PER_MILLISECOND;
    let wait = left.min(5).max(left / 4);
    Duration::from_millis(wait).clamp(PERIODS[0], PERIODS[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_frequent_near_the_limit() {
        let looks = [0, 60, 88, 99, 100, 130].map(|used| next_look(used << 20, 100 << 20).as_millis());
        assert_eq!(looks, [6, 5, 3, 1, 1, 1]);
        assert_eq!(next_look(100 << 20, 1 << 34).as_millis(), 50);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_is_used_counts() {
        let before = super::resident().unwrap();
        let used = vec![1u8; 64 << 20];
        let after = super::resident().unwrap();
        assert!(after >= before + (48 << 20), "{before} {after} {}", used[7]);
    }
}
