//! A check as a part of a cluster: `--workers`, `--hosts` and `--process`.

use crate::args::{CheckArgs, MemberArgs};
use crate::exit::{Failure, visible};
use crate::input::Input;
use crate::supervisor::Supervisor;
use burnside::{
    Cluster, ConnectError, Connection, Engine, ExternalProperty, Fingerprint, Hosts, Limits, Membership,
    Options,
};
use std::path::Path;

/// The workers that are asked for, connected with those of the other processes; none if nobody asks.
pub fn join(
    args: &CheckArgs,
    input: &Input,
    external: &[ExternalProperty],
    options: &Options,
    supervisor: &Supervisor,
) -> Result<Option<Cluster>, Failure> {
    let MemberArgs { workers, hosts, process, connect_timeout } = &args.cluster;
    if workers.is_none() && hosts.is_none() {
        return Ok(None);
    }
    if args.engine == Engine::Symbolic {
        let help = "leave out `--engine symbolic`, or `--workers` and `--hosts`";
        return Err(Failure::bad_with_help("workers share out the explicit engine only", help));
    }
    let (interrupt, count) = (&options.limits.interrupt, workers.map_or(1, usize::from));
    let Some(path) = hosts else {
        return Cluster::of_threads(count, interrupt).map(Some).map_err(Failure::Stopped);
    };
    let hosts = read(path)?;
    let (process, processes) = (process.unwrap_or_default(), hosts.addresses().len());
    if process >= processes {
        let shown = visible(&path.display().to_string());
        let message = format!("`--process {process}` is not in `{shown}`, which names {processes} processes");
        let help = format!("processes are numbered from 0: the last one is {}", processes - 1);
        return Err(Failure::bad_with_help(message, help));
    }
    let model = Fingerprint::of(&[&input.source.text, &format!("{:?}", args.model.settings)]);
    let meaning = Options {
        limits: Limits {
            states: options.limits.states,
            nodes: options.limits.nodes,
            compress: options.limits.compress,
            ..Limits::default()
        },
        ..options.clone()
    };
    let options = Fingerprint::of(&[&format!("{meaning:?}"), &format!("{external:?}")]);
    let wait = *connect_timeout;
    let membership = Membership { hosts, process, workers: count, model, options, wait };
    supervisor.phase("the other processes of the cluster were waited for");
    let connected = Connection::open(&membership, interrupt);
    let connection = connected.map_err(|error| match error {
        ConnectError::Stopped(stop) => Failure::Stopped(stop),
        ConnectError::Bad(message) => Failure::bad(message),
    })?;
    let cluster = Cluster::of_processes(connection, interrupt).map_err(Failure::Stopped)?;
    supervisor.set_last_words(cluster.last_words());
    Ok(Some(cluster))
}

fn read(path: &Path) -> Result<Hosts, Failure> {
    let shown = visible(&path.display().to_string());
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::bad(format!("cannot read the hosts file `{shown}`: {error}")))?;
    Hosts::parse(&text).map_err(|error| match error.line {
        Some(line) => Failure::bad(format!("{shown}:{line}: {}", error.message)),
        None => Failure::bad(format!("{shown}: {}", error.message)),
    })
}
