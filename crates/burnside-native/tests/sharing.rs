//! Code is compiled once for all machines of a maker, which may be in different threads, no memory is
//! writable and executable at the same time, and rules without code are left to the interpreter, each by
//! itself.

use burnside_limits::Interrupt;
use burnside_native::{Native, NativeCode, NativeMachine};
use burnside_ts::builder::{Operators, SystemBuilder, any, set};
use burnside_ts::{Accelerator, Label, Machine, Outcome, System, Walk};
use std::ops::ControlFlow;
use std::sync::Arc;

fn counters() -> System {
    let mut b = SystemBuilder::new();
    let (index, value) = (b.range(0, 3), b.range(0, 6));
    let cells = b.array(index, value);
    let (x, a) = (b.var("x", value, any()), b.var("a", cells, any()));
    let p = b.name("p", index);
    let process = b.process("P", &[p]);
    b.rule(process, "up").when(a.at(p).lt(x)).then(set(a.at(p), a.at(p).add(1)));
    b.rule(process, "any").when(a.at(p).eq(x)).then(set(a.at(p), any()));
    // It faults where `a` is 6.
    b.rule(process, "over").when(x.eq(2)).then(set(a.at(p), a.at(p).add(1)));
    b.build().unwrap()
}

/// The steps of some states, of each at most so many, as a text.
fn steps(machine: &mut dyn Machine<'_>, most: usize) -> String {
    let (mut text, mut states) = (String::new(), Vec::new());
    machine.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            states.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    for state in states.iter().step_by(7) {
        let mut count = 0;
        let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            text += &format!("{label:?} {outcome:?}\n");
            count += 1;
            if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(walk, if count < most { Walk::Complete } else { Walk::Stopped });
    }
    text
}

#[test]
fn machines_in_several_threads_share_code() {
    let system = counters();
    let expected = steps(&mut *system.machine(), usize::MAX);
    assert!(expected.lines().count() > 5_000 && expected.contains("Fault"), "{}", expected.lines().count());
    let maker = Native { eager: true }.maker(&system);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| steps(&mut *maker.machine(Interrupt::default()), usize::MAX)))
            .collect();
        for thread in threads {
            assert!(thread.join().unwrap() == expected);
        }
    });
}

/// Rules that choose a queue have no code, wherever they are among the others. In a state that is looked at
/// for several of them what was found for it is used again, and a walk that ends early does no harm.
#[test]
fn rules_without_code() {
    let mut b = SystemBuilder::new();
    let (index, value) = (b.range(0, 3), b.range(0, 5));
    let queue = b.queue(2, value);
    let (x, y, q) = (b.var("x", value, any()), b.var("y", value, any()), b.var("q", queue, any()));
    let p = b.name("p", index);
    let process = b.process("P", &[p]);
    let alone = b.process("Q", &[]);
    b.rule(alone, "first").when(x.gt(3)).then(set(q, any()));
    b.rule(process, "up").when(p.lt(x)).then(set(y, x.add(1)));
    b.rule(alone, "second").when(x.add(1).eq(y)).then(set(q, any()));
    b.rule(alone, "third").when(y.eq(2)).then(set(q, any()));
    b.rule(process, "down").when(p.lt(y)).then(set(x, y.sub(1)));
    b.rule(alone, "last").when(x.eq(y)).then(set(q, any())).then(set(x, y.sub(1)));
    let system = b.build().unwrap();
    let code = Arc::new(NativeCode::new(&system));
    assert_eq!(code.has_steps(), Some(4));
    let mut machine = NativeMachine::after(code, Interrupt::default(), 0);
    for most in [1, 3, 45, usize::MAX] {
        let expected = steps(&mut *system.machine(), most);
        assert!(expected.contains("Fault") && expected.lines().count() > 200);
        assert!(steps(&mut machine, most) == expected);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_memory_is_writable_and_executable() {
    let system = counters();
    let code = Arc::new(NativeCode::new(&system));
    assert_eq!(code.has_steps(), Some(0));
    steps(&mut NativeMachine::after(Arc::clone(&code), Interrupt::default(), 0), usize::MAX);
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let permissions = |line: &str| line.split_whitespace().nth(1).unwrap_or("").to_string();
    let both = |line: &&str| permissions(line).contains('w') && permissions(line).contains('x');
    assert_eq!(maps.lines().find(both), None);
    // There is code of ours: executable, and from no file.
    let ours = |line: &&str| permissions(line).contains('x') && line.split_whitespace().count() == 5;
    assert!(maps.lines().any(|line| ours(&line)), "{maps}");
}
