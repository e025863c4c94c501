use burnside_testkit::fuzz::*;
use burnside_testkit::generate::*;
use std::ops::ControlFlow;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let from: u64 = args[1].parse().unwrap();
    let count: u64 = args[2].parse().unwrap();
    let flavor = if args.get(3).map(String::as_str) == Some("sym") { Flavor::Symmetric } else { Flavor::Any };
    let most: usize = args.get(4).map_or(5, |s| s.parse().unwrap());
    std::panic::set_hook(Box::new(|_| {}));
    let mut shown = 0;
    let start = std::time::Instant::now();
    let tally = fuzz(from..from + count, flavor, 1500, |f| {
        shown += 1;
        let kind: String =
            f.problem.split(|c| c == '\n' || c == '[').next().unwrap_or("").chars().take(60).collect();
        let class = f.problem.split(':').take(2).collect::<Vec<_>>().join(":");
        let class2 = class.clone();
        let small = minimise(&f.text, |t| {
            examine(t, 1500).err().is_some_and(|p| {
                p.split(':')
                    .take(2)
                    .collect::<Vec<_>>()
                    .join(":")
                    .split(|c| c == '\n' || c == '[')
                    .next()
                    .map(|s| s.chars().take(40).collect::<String>())
                    == class2
                        .split(|c| c == '\n' || c == '[')
                        .next()
                        .map(|s| s.chars().take(40).collect::<String>())
            })
        });
        let problem = examine(&small, 1500).err().unwrap_or_default();
        println!("=== seed {} {kind}\n{small}\n--- {problem}\n", f.seed);
        if shown >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    println!("{tally:#?} {:?}", start.elapsed());
}
