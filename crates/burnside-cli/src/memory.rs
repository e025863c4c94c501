//! Amounts of memory: how they are typed, how much there is, how they are shown.

/// The part of the available memory that a check may use if nothing else is said, in percent.
pub const DEFAULT_PERCENT: u64 = 75;

/// Reads an amount of bytes such as `4096`, `512M`, `2G`, `1.5GiB`. All units are binary.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected an amount of memory, for example 512M or 2GiB".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    let bytes = match number.parse::<u64>() {
        Ok(number) => number.checked_mul(1 << shift).ok_or("too much memory")?,
        Err(_) => fraction(number, shift).ok_or_else(wrong)?,
    };
    if bytes == 0 { Err("expected more than nothing".into()) } else { Ok(bytes) }
}

fn fraction(number: &str, shift: u32) -> Option<u64> {
    let number: f64 = number.parse().ok()?;
    let bytes = number * (1u64 << shift) as f64;
    (bytes < u64::MAX as f64).then_some(bytes as u64)
}

/// What a check may use if nothing else is said; `None` where the system does not tell.
pub fn default_limit() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    available(&text).map(|bytes| bytes / 100 * DEFAULT_PERCENT)
}

/// The available memory according to the text of `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// An amount for people: `812 B`, `3.4 MiB`.
pub fn show_bytes(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{amount:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_with_units() {
        let good = [
            ("1", 1),
            ("512M", 512 << 20),
            ("2G", 2 << 30),
            ("1GiB", 1 << 30),
            ("1.5k", 1536),
            ("3 MB", 3 << 20),
        ];
        for (text, bytes) in good {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "G", "1X", "-1", "0", "1.2.3", "99999999999999T", "1e99999"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn available_memory() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn shown_amounts() {
        assert_eq!([0, 1023, 1024, 5 << 20].map(show_bytes), ["0 B", "1023 B", "1.0 KiB", "5.0 MiB"]);
    }
}
