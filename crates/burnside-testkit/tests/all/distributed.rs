//! Workers change nothing: verdicts, exact figures and the lengths of shortest runs are those of one thread,
//! on random models and on all examples, for 1 to 8 workers, in one process or in several. Of properties of
//! runs that hold, the numbers of states and pairs are those of one thread, too; those that are violated are
//! shown by other runs, the same for any number of workers, which are replayed before anybody sees them.
//!
//! Processes are threads here, which talk over the loopback as processes do. Programs that are killed are in
//! the tests of the program.

use burnside::evidence::End;
use burnside::{
    AutomatonSymmetry, Cluster, Connection, Fairness, Fingerprint, Hosts, Interrupt, Kind, LoadOptions,
    Membership, Model, Options, Report, Search, Stop, Symmetry, Verdict, check, check_on,
};
use burnside_testkit::cases::{are_all, files, parts, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::Duration;

fn options(symmetry: Symmetry, states: u64) -> Options {
    let mut options = Options { symmetry, search: Search::Breadth, ..Options::default() };
    options.limits.states = Some(states);
    options
}

/// What must not depend on the number of workers. Where a run ends a search, one thread has not seen the rest
/// of the level.
fn told(report: &Report) -> Vec<String> {
    let tell = |answer: &burnside::Answer| {
        let stats = (answer.stats.states, answer.stats.transitions, answer.stats.depth);
        let run = answer.evidence.as_ref().map(|run| (run.states.len(), matches!(run.end, End::Fault(..))));
        let about_runs = [Kind::Ltl, Kind::Automaton].contains(&answer.kind);
        let about_states = !about_runs && ![Kind::Ctl, Kind::Never].contains(&answer.kind);
        let complete = about_states && answer.unreduced.is_some() && !answer.is_shown();
        // One thread counts transitions again that it looks at again, under strong fairness.
        let product = (answer.stats.states, answer.stats.product.map(|product| product.states));
        format!(
            "{}: {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            answer.property,
            answer.verdict,
            answer.value,
            run.filter(|_| !about_runs),
            complete.then_some(stats),
            (about_runs && answer.verdict == Verdict::Holds).then_some(product),
            answer.symmetry,
            answer.weighed,
            answer.unreduced,
        )
    };
    report.results.iter().map(tell).collect()
}

/// The same with the runs themselves and all figures: it depends on nothing at all.
fn everything(report: &Report) -> Vec<String> {
    let tell = |answer: &burnside::Answer| {
        let stats = (answer.stats.states, answer.stats.transitions, answer.stats.depth, answer.stats.product);
        format!("{}: {:?} {stats:?} {:?}", answer.property, answer.verdict, answer.evidence)
    };
    told(report).into_iter().chain(report.results.iter().map(tell)).collect()
}

/// Workers in this process.
fn local(count: usize) -> Cluster {
    Cluster::of_threads(count, &Interrupt::new()).expect("workers")
}

/// The clusters of processes with so many workers each, connected with each other.
fn processes(count: usize, workers: usize) -> Vec<Cluster> {
    // Ports that are free now.
    let ports: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines: Vec<String> =
        ports.iter().map(|port| port.local_addr().expect("an address").to_string()).collect();
    drop(ports);
    let hosts = Hosts::parse(&lines.join("\n")).expect("addresses");
    let open = |process| {
        let (model, options) = (Fingerprint::of(&["model"]), Fingerprint::of(&["options"]));
        let wait = Duration::from_secs(60);
        let membership = Membership { hosts: hosts.clone(), process, workers, model, options, wait };
        let interrupt = Interrupt::new();
        let connection = Connection::open(&membership, &interrupt).expect("a connection");
        Cluster::of_processes(connection, &interrupt).expect("workers")
    };
    thread::scope(|scope| {
        let open = &open;
        let all: Vec<_> = (0..count).map(|process| scope.spawn(move || open(process))).collect();
        all.into_iter().map(|it| it.join().expect("a cluster")).collect()
    })
}

/// The reports of all processes.
fn together(clusters: &[Cluster], model: &Model, options: &Options) -> Vec<Result<Vec<String>, String>> {
    thread::scope(|scope| {
        let one = |cluster| {
            let mut options = options.clone();
            options.limits.interrupt = Interrupt::new();
            let report = check_on(cluster, model, &options, &mut ());
            report.map(|report| everything(&report)).map_err(|error| error.to_string())
        };
        let all: Vec<_> = clusters.iter().map(|cluster| scope.spawn(move || one(cluster))).collect();
        all.into_iter().map(|it| it.join().expect("a report")).collect()
    })
}

/// All clusters that are compared.
struct Clusters {
    local: Vec<Cluster>,
    remote: Vec<Vec<Cluster>>,
}

impl Clusters {
    /// With so many workers in one process, and so many processes with so many workers each.
    fn new(workers: &[usize], remote: &[(usize, usize)]) -> Self {
        let local = workers.iter().map(|&count| local(count)).collect();
        Self { local, remote: remote.iter().map(|&(count, workers)| processes(count, workers)).collect() }
    }

    fn all() -> Self {
        Self::new(&[1, 2, 3, 8], &[(2, 1), (2, 2), (4, 2)])
    }

    /// Processes wait for each other at their end.
    fn end(self) {
        let all = self.local.into_iter().chain(self.remote.into_iter().flatten());
        thread::scope(|scope| all.for_each(|cluster| _ = scope.spawn(move || drop(cluster))));
    }

    fn compare(&self, model: &Model, options: &Options) {
        let setting = format!("{:?}, {:?}", options.symmetry, options.limits.states);
        let alone = check(model, options, &mut ());
        let mut first: Option<Result<Vec<String>, String>> = None;
        for cluster in &self.local {
            let report = check_on(cluster, model, options, &mut ());
            let context = format!("{setting}, {} workers", cluster.workers());
            match (&alone, &report) {
                (Ok(alone), Ok(report)) => agree(alone, report, &context),
                (Err(alone), Err(error)) => assert_eq!(alone, error, "{context}"),
                _ => panic!("{context}: {alone:?} {report:?}"),
            }
            let report = report.map(|report| everything(&report)).map_err(|error| error.to_string());
            assert_eq!(first.get_or_insert_with(|| report.clone()), &report, "{context}");
        }
        for clusters in &self.remote {
            for report in together(clusters, model, options) {
                let (count, workers) = (clusters.len(), clusters[0].workers());
                assert_eq!(first, Some(report), "{setting}, {workers} workers in {count} processes");
            }
        }
    }
}

/// What is known must be the same; where a limit on states ends a search, workers end the level first.
fn agree(alone: &Report, report: &Report, context: &str) {
    let limited = |report: &Report| {
        report.results.iter().any(|it| matches!(it.verdict, Verdict::Unknown(Stop::States(_))))
    };
    if !limited(alone) && !limited(report) {
        assert_eq!(told(alone), told(report), "{context}");
        return;
    }
    for (one, other) in alone.results.iter().zip(&report.results) {
        // One thread ends a search for runs as soon as it has found one; workers explore the product.
        let about_runs = matches!(one.kind, Kind::Ltl | Kind::Automaton);
        let explored = about_runs && matches!(other.verdict, Verdict::Unknown(Stop::States(_)));
        let unknown = matches!(one.verdict, Verdict::Unknown(_)) || explored;
        assert!(unknown || one.verdict == other.verdict, "{context}: {one:?} {other:?}");
    }
}

#[test]
fn random_models() {
    let clusters = Clusters::all();
    for seed in seeds(0..40) {
        let flavor = [Flavor::Any, Flavor::Symmetric][(seed % 2) as usize];
        let Ok(model) = load(&generate(seed, flavor).text, &[]) else { continue };
        let limit = [2_000, 2_000, 2_000, 1 + seed % 40][(seed / 2 % 4) as usize];
        let symmetry = [Symmetry::Auto, Symmetry::None, Symmetry::Fast][(seed / 8 % 3) as usize];
        clusters.compare(&model, &options(symmetry, limit));
    }
    clusters.end();
}

/// Properties of runs, under all kinds of fairness, with all kinds of local symmetries.
#[test]
fn runs_of_random_models() {
    let clusters = Clusters::all();
    let (mut linear, mut violated) = (0, 0);
    for seed in seeds(0..24) {
        let flavor = [Flavor::Liveness, Flavor::Indexed, Flavor::Liveness, Flavor::Branching];
        let flavor = flavor[(seed % 4) as usize];
        let Ok(model) = load(&generate(seed, flavor).text, &[]) else { continue };
        let symmetries = [Symmetry::Auto, Symmetry::None, Symmetry::Exact, Symmetry::Fast];
        let locals = [AutomatonSymmetry::Local, AutomatonSymmetry::Exact, AutomatonSymmetry::None];
        let options = Options {
            fairness: [Fairness::Model, Fairness::Model, Fairness::None][(seed / 4 % 3) as usize],
            automaton_symmetry: locals[(seed / 8 % 3) as usize],
            ..options(symmetries[(seed / 2 % 4) as usize], 3_000)
        };
        clusters.compare(&model, &options);
        if let Ok(report) = check(&model, &options, &mut ()) {
            let runs = report.results.iter().filter(|it| it.kind == Kind::Ltl);
            linear += runs.clone().count();
            violated += runs.filter(|it| it.verdict == Verdict::Violated).count();
        }
    }
    println!("{linear} properties of runs, {violated} violated");
    assert!(!are_all() || (violated * 4 > linear && violated * 4 < linear * 3), "{violated} of {linear}");
    clusters.end();
}

#[test]
fn examples() {
    let clusters = Clusters::new(&[1, 2, 4, 8], &[(2, 1), (4, 1)]);
    for path in files(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), "orb") {
        let model = Model::load(path, &LoadOptions::new()).model.expect("it is right");
        clusters.compare(&model, &options(Symmetry::Auto, 2_000));
    }
    clusters.end();
}

/// An interrupt at any place ends a search for runs as it should, and the workers are as good as new.
#[test]
fn interrupts_end_searches_for_runs() {
    let clusters = [local(1), local(3)];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/alternating_bit.orb");
    let model = Model::load(path, &LoadOptions::new()).model.expect("it is right");
    let options = options(Symmetry::Auto, 100_000);
    let whole = check_on(&clusters[0], &model, &options, &mut ()).expect("a report");
    for looks in parts(14).map(|i| 3u64.pow(i as u32) / 2) {
        for cluster in &clusters {
            let mut options = options.clone();
            options.limits.interrupt = Interrupt::new();
            options.limits.interrupt.raise_after(looks, Stop::Memory(7));
            let Ok(report) = check_on(cluster, &model, &options, &mut ()) else { continue };
            for answer in &report.results {
                let ended = matches!(answer.verdict, Verdict::Unknown(Stop::Memory(7)));
                let known = whole.answer(&answer.property).expect("it was asked");
                assert!(ended || answer.verdict == known.verdict, "{looks}: {answer:?}");
            }
        }
    }
    for cluster in &clusters {
        let again = check_on(cluster, &model, &options, &mut ()).expect("a report");
        assert_eq!(everything(&whole), everything(&again));
    }
}
