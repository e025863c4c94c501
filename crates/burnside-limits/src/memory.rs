//! How much memory the program has in use.

/// The bytes of this process that are in memory; none where the system does not tell.
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_is_used_counts() {
        let before = super::resident().unwrap();
        let used = vec![1u8; 64 << 20];
        let after = super::resident().unwrap();
        assert!(after >= before + (48 << 20), "{before} {after} {}", used[7]);
    }
}
