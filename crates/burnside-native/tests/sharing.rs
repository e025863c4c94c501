//! Code is compiled once for all machines of a maker, which may be in different threads, and no memory is
//! writable and executable at the same time.

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

/// The steps of some states, as a text.
fn steps(machine: &mut dyn Machine<'_>) -> String {
    let (mut text, mut states) = (String::new(), Vec::new());
    machine.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            states.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    for state in states.iter().step_by(7) {
        let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            text += &format!("{label:?} {outcome:?}\n");
            ControlFlow::Continue(())
        });
        assert_eq!(walk, Walk::Complete);
    }
    text
}

#[test]
fn machines_in_several_threads_share_code() {
    let system = counters();
    let expected = steps(&mut *system.machine());
    assert!(expected.lines().count() > 5_000 && expected.contains("Fault"), "{}", expected.lines().count());
    let maker = Native { eager: true }.maker(&system);
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..3).map(|_| scope.spawn(|| steps(&mut *maker.machine(Interrupt::default())))).collect();
        for thread in threads {
            assert!(thread.join().unwrap() == expected);
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn no_memory_is_writable_and_executable() {
    let system = counters();
    let code = Arc::new(NativeCode::new(&system));
    assert!(code.has_steps());
    steps(&mut NativeMachine::after(Arc::clone(&code), Interrupt::default(), 0));
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let permissions = |line: &str| line.split_whitespace().nth(1).unwrap_or("").to_string();
    let both = |line: &&str| permissions(line).contains('w') && permissions(line).contains('x');
    assert_eq!(maps.lines().find(both), None);
    // There is code of ours: executable, and from no file.
    let ours = |line: &&str| permissions(line).contains('x') && line.split_whitespace().count() == 5;
    assert!(maps.lines().any(|line| ours(&line)), "{maps}");
}
