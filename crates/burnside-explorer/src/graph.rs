//! Pictures of the graph: the first states, or the neighbourhood of one, coloured by a condition.
//!
//! Entry point: [`Explorer::graph`]. What was explored is kept, one graph of each kind; it is explored again
//! only if more of it is asked for. Exploring has a part of the request's time, so that in any case there is
//! something to show.

use crate::api::number;
use crate::explorer::{Explorer, lock};
use crate::request::Request;
use crate::response::Refusal;
use burnside::diagnostics::Diagnostic;
use burnside::{ExternalProperty, Kind, Model};
use burnside_limits::{Interrupt, Limits, Watchdog};
use burnside_report::picture::{Picture, View};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// So many states are shown if nothing else is said,
const USUAL: usize = 300;
/// and so many at most.
const MOST: usize = 1_000;
/// So many are explored to look around in.
const EXPLORED: u64 = 50_000;
/// So many conditions are kept.
const KEPT: usize = 8;
/// How far is seen around a state.
const RADIUS: usize = 2;

/// What was explored: the graph of orbits and that of states; and conditions.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    explored: [Mutex<Option<Arc<Picture>>>; 2],
    colours: Mutex<VecDeque<(String, Arc<Model>)>>,
}

impl Explorer {
    /// The part of the graph that is asked for.
    pub(crate) fn graph(&self, request: &Request) -> Result<Value, Refusal> {
        let orbits = match request.value("mode").unwrap_or("quotient") {
            "quotient" => true,
            "unreduced" => false,
            _ => return Err(Refusal::new(400, "`mode` is `quotient` or `unreduced`")),
        };
        let limit = number(request, "limit")?.unwrap_or(USUAL).clamp(1, MOST);
        let radius = number(request, "radius")?.unwrap_or(RADIUS);
        let around = number(request, "around")?.map(|centre| (centre, radius));
        let colour = request.value("colour").map(str::trim).filter(|text| !text.is_empty());
        self.within(|| {
            let colour = colour.map(|text| self.colour(text)).transpose()?;
            let picture = self.picture(orbits, if around.is_some() { EXPLORED } else { MOST as u64 });
            let property = colour.as_ref().and_then(|model| {
                let (name, _) = model.external.last()?;
                model.system.properties.iter().find(|property| property.name == *name)
            });
            let colour = colour.as_ref().map(|model| &*model.system).zip(property);
            let view = View { limit, around };
            picture.document(&self.input.model, &view, colour).map_err(|why| Refusal::new(404, why))
        })?
    }

    /// The graph with at least so many states, if there are so many and it can be done in time.
    fn picture(&self, orbits: bool, states: u64) -> Arc<Picture> {
        let mut kept = lock(&self.pictures.explored[usize::from(orbits)]);
        if let Some(picture) = kept.as_ref().filter(|picture| picture.covers(states)) {
            return Arc::clone(picture);
        }
        let interrupt = Interrupt::new();
        let (time, memory) = (Some(self.bounds.time / 2), self.bounds.memory);
        let limits = Limits { time, memory, interrupt: interrupt.clone(), ..Limits::default() };
        let _watchdog = Watchdog::start(&limits);
        let system = &self.input.model.system;
        let picture = Arc::new(interrupt.enter(|| Picture::explore(system, orbits, states, &limits)));
        *kept = Some(Arc::clone(&picture));
        picture
    }

    /// The model with a condition as the last property that was given beside it.
    fn colour(&self, text: &str) -> Result<Arc<Model>, Refusal> {
        let mut colours = lock(&self.pictures.colours);
        if let Some((_, model)) = colours.iter().find(|(known, _)| known == text) {
            return Ok(Arc::clone(model));
        }
        let origin = "<colour>".to_string();
        let condition = ExternalProperty { kind: Kind::Invariant.into(), origin, text: text.to_string() };
        let options = self.load.clone().external(&[condition]);
        let loaded = Model::load(self.input.source.of_model(), &options);
        let wrong = loaded.external.last().into_iter().flatten().find(|it| it.is_error()).map(describe);
        let mut model =
            loaded.model.map_err(|error| Refusal::new(400, wrong.unwrap_or(error.to_string())))?;
        model.widen().map_err(|stop| Refusal::new(400, stop.to_string()))?;
        let (own, other) = (&self.input.model.system, &model.system);
        let layout = |system: &burnside_ts::System| {
            (system.width, system.vars.iter().map(|var| (var.ty, var.offset)).collect::<Vec<_>>())
        };
        if layout(own) != layout(other) {
            return Err(Refusal::new(400, "this condition needs another layout of the states"));
        }
        let model = Arc::new(model);
        if colours.len() == KEPT {
            colours.pop_front();
        }
        colours.push_back((text.to_string(), Arc::clone(&model)));
        Ok(model)
    }
}

/// What is wrong with a condition, in one line.
fn describe(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{} ({help})", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}
