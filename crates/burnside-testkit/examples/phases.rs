use burnside_testkit::{compare::*, generate::*, graph, oracle::Oracle};
use std::time::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let flavor = if args[3] == "sym" { Flavor::Symmetric } else { Flavor::Any };
    let (mut a, mut b, mut c, mut d, mut e) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for seed in args[1].parse::<u64>().unwrap()..args[2].parse().unwrap() {
        let t = Instant::now();
        let g = generate(seed, flavor);
        a += t.elapsed();
        let t = Instant::now();
        let Ok(m) = load(&g.text, &[]) else { continue };
        b += t.elapsed();
        let t = Instant::now();
        let o = Oracle::new(&m.hir, &g.text).explore(1500);
        let o1 = t.elapsed();
        c += o1;
        if o.is_err() {
            println!("skip {seed} {o1:?}");
            continue;
        }
        if o1.as_millis() > 1500 {
            println!(
                "slow {seed} {o1:?} {:?}",
                o.as_ref().map(|o| (o.graph.states(), o.graph.transitions())).ok()
            );
        }
        let t = Instant::now();
        let i = graph::interpreted(&m.system, 1500);
        d += t.elapsed();
        drop(i);
        let t = Instant::now();
        let _ = burnside::check(&m, &burnside::Options::default(), &mut ());
        e += t.elapsed();
    }
    println!("generate {a:?} load {b:?} oracle {c:?} interpreted {d:?} check {e:?}");
}
