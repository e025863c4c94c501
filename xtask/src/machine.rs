//! What the figures of a benchmark were measured on.

/// Processor, cores and memory, as far as the system tells.
pub fn describe() -> String {
    let cpu = line("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into());
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let kilobytes = line("/proc/meminfo", "MemTotal")
        .and_then(|text| text.strip_suffix("kB")?.trim().parse::<u64>().ok());
    let memory = kilobytes.map_or("unknown".into(), |kb| format!("{:.1} GiB", kb as f64 / (1 << 20) as f64));
    format!("{cpu}, {cores} cores, {memory} of memory")
}

/// The value of the first line with a key, in the manner of `/proc`.
fn line(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_string())
}
