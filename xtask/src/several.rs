//! Work on many things, several at a time: [`several`].

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Works on all things, so many at a time, in their order, and hands over what comes of each as soon as it is
/// there. Stops early if that is refused.
pub fn several<T: Sync, R: Send>(
    things: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, R) -> Result<(), String>,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, things.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more once something was refused.
                    if sender.send((thing, work(thing))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Moved here, so that the channel closes with the loop.
        let mut results = results.into_iter();
        results.try_for_each(|(thing, result)| done(thing, result))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once() {
        let things: Vec<u64> = (0..100).collect();
        for jobs in [0, 1, 3, 1000] {
            let mut squares = Vec::new();
            let done = |&thing: &u64, square| {
                squares.push((thing, square));
                Ok(())
            };
            assert_eq!(several(&things, jobs, |thing| thing * thing, done), Ok(()));
            assert!(jobs > 1 || squares.is_sorted());
            squares.sort();
            assert!(squares.iter().map(|pair| pair.0).eq(0..100) && squares.iter().all(|(a, b)| a * a == *b));
        }
        assert_eq!(several(&[], 2, |thing: &u64| *thing, |_, _| Err("nothing".into())), Ok(()));
    }

    #[test]
    fn a_refusal_ends_it() {
        let things: Vec<u64> = (0..1000).collect();
        let worked = AtomicUsize::new(0);
        let work = |_: &u64| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            worked.fetch_add(1, Ordering::Relaxed)
        };
        assert_eq!(several(&things, 2, work, |_, _| Err("stop".into())), Err("stop".to_string()));
        assert!(worked.into_inner() < 1000);
    }
}
