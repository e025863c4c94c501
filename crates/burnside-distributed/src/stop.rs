//! Reasons to end, as words that travel.

use burnside_limits::{Large, Stop};
use std::time::Duration;

/// One line that [`read`] understands.
pub(crate) fn write(stop: &Stop) -> String {
    let nanos = |time: &Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    match stop {
        Stop::Interrupted => "interrupted".into(),
        Stop::Time(time) => format!("time {}", nanos(time)),
        Stop::PropertyTime(time) => format!("property-time {}", nanos(time)),
        Stop::Share(share, time) => format!("time-share {} {}", nanos(share), nanos(time)),
        Stop::States(states) => format!("states {states}"),
        Stop::Memory(bytes) => format!("memory {bytes}"),
        Stop::TooLarge(Large::States) => "too-large".into(),
        Stop::TooLarge(Large::Tuples) => "tuples".into(),
        Stop::Undefined(text) => format!("undefined {}", text.replace('\n', " ")),
        other => format!("lost {}", other.to_string().replace('\n', " ")),
    }
}

/// The reason in a line; what is not understood is told as it is.
pub(crate) fn read(line: &str) -> Stop {
    let (code, rest) = line.split_once(' ').unwrap_or((line, ""));
    let numbers: Vec<u64> = rest.split(' ').map_while(|number| number.parse().ok()).collect();
    let time = |at: usize| Duration::from_nanos(numbers[at]);
    match (code, numbers.len()) {
        ("interrupted", _) => Stop::Interrupted,
        ("time", 1) => Stop::Time(time(0)),
        ("property-time", 1) => Stop::PropertyTime(time(0)),
        ("time-share", 2) => Stop::Share(time(0), time(1)),
        ("states", 1) => Stop::States(numbers[0]),
        ("memory", 1) => Stop::Memory(numbers[0]),
        ("too-large", _) => Stop::TooLarge(Large::States),
        ("tuples", _) => Stop::TooLarge(Large::Tuples),
        ("undefined", _) => Stop::Undefined(rest.into()),
        ("lost", _) => Stop::Lost(rest.into()),
        _ => Stop::Lost(line.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_come_back() {
        let time = Duration::from_millis(1500);
        let all = [
            Stop::Interrupted,
            Stop::Time(time),
            Stop::PropertyTime(time),
            Stop::Share(time, 2 * time),
            Stop::States(7),
            Stop::Memory(1 << 40),
            Stop::TooLarge(Large::States),
            Stop::TooLarge(Large::Tuples),
            Stop::Undefined("x / y = 1".into()),
            Stop::Lost("process 1 is gone".into()),
        ];
        for stop in all {
            assert_eq!(read(&write(&stop)), stop);
        }
        assert_eq!(read(&write(&Stop::NoInitialState)), Stop::Lost(Stop::NoInitialState.to_string()));
        assert_eq!(read("time soon"), Stop::Lost("time soon".into()));
    }
}
