//! What there is to know of a model before anything is done with it: what the page starts from.
//!
//! Entry point: [`overview`].

use crate::input::Input;
use crate::json;
use crate::lanes::{MOST_MEMBERS, members, owners};
use burnside_lang::lines::Lines;
use burnside_ts::{Kind, Property, System, UnitId, Units};
use serde_json::{Value, json};

/// The greatest net whose text is told.
const MOST_TEXT: usize = 1 << 20;
/// So many processes and fairness units are listed.
const MOST_LISTED: usize = 2_000;

/// A model as a document. `properties` are those that can be asked for, with what every model is asked.
pub fn overview(input: &Input) -> Value {
    let (model, system) = (&input.model, &*input.model.system);
    let constants = json::constants(model);
    let constants = constants.as_object().into_iter().flatten();
    let constants = constants.map(|(name, value)| (name.clone(), json!(value.to_string())));
    let is_net = input.source.is_net();
    let shown = !is_net || input.source.text.len() <= MOST_TEXT;
    let processes = members(system, MOST_MEMBERS).into_iter().take(MOST_LISTED);
    let processes = processes.map(|(name, members)| json!({"name": name, "members": members}));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": name(&input.source.path),
        "file": input.source.path,
        "constants": json::object(constants),
        "source": shown.then(|| input.source.part(0).text.as_str().to_string()),
        "is_net": is_net,
        "properties": properties(input),
        "processes": processes.collect::<Value>(),
        "cells": cells(system),
        "fairness": fairness(system),
        "warnings": json::warnings(input),
    })
}

/// The last part of a path.
fn name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(path)
}

fn properties(input: &Input) -> Value {
    let (model, system) = (&input.model, &input.model.system);
    let lines = Lines::new(&input.source.text);
    let place = |property: &Property| {
        let given = model.external.iter().any(|(name, _)| *name == property.name);
        let known = model.hir()?.properties.iter().find(|known| known.name == property.name)?;
        (!given).then(|| lines.position(known.span.start))
    };
    let built_in = [Kind::Faults, Kind::Deadlock];
    let built_in = built_in.iter().filter(|kind| **kind == Kind::Deadlock || model.net().is_none());
    let built_in = built_in.map(|kind| {
        // What the model allows is checked if somebody asks for it only.
        let allowed = *kind == Kind::Deadlock && !system.deadlock_free && model.net().is_none();
        json!({
            "name": kind.to_string(), "kind": kind.to_string(), "text": "", "line": null, "column": null,
            "allowed": allowed,
        })
    });
    let own = system.properties.iter().map(|property| {
        let (line, column) = place(property).unzip();
        json!({
            "name": property.name, "kind": property.question.kind().to_string(), "text": property.text,
            "line": line, "column": column,
        })
    });
    built_in.chain(own).collect()
}

fn cells(system: &System) -> Value {
    let leaves = system.leaves();
    let owners = owners(system, &leaves);
    let cells = leaves.iter().zip(owners).map(|(leaf, owner)| {
        let variable = &system.vars[leaf.var.index()].name;
        json!({"name": leaf.name, "variable": variable, "lane": owner})
    });
    cells.collect()
}

fn fairness(system: &System) -> Value {
    let units = Units::new(system);
    let all = (0..units.len().min(MOST_LISTED) as u32).map(UnitId);
    all.map(|unit| json!({"unit": units.show(unit), "strength": json::strength(units.strength(unit))}))
        .collect()
}
