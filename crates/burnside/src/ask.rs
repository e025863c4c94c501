//! The check of a model: of a net in rounds, perhaps with shortcuts, of everything else in one.
//!
//! Entry points: [`check`], [`check_each`] and [`check_on`].

use crate::check::{Audience, CheckError, round};
use crate::model::{Front, Model};
use crate::report::Report;
use crate::shortcuts;
use burnside_distributed::Cluster;
use burnside_engine::{Answer, Options};
use burnside_limits::Observer;

/// Checks the properties of a model: all, or those that the [`Options`] name. Evidence has been replayed when
/// it is seen. `&mut ()` is an [`Observer`] that looks away.
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Verdict};
///
/// let text = "
///     var light: bool = false;
///     process Switch { rule flip { light = !light; } }
///     ltl shines = F light;
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// assert_eq!(report.answer("shines").unwrap().verdict, Verdict::Holds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The places of a net get more room as long as they need it. The model stays as it is: the one that the
/// report is about, with that room, is [`Report::model`].
///
/// ```
/// use burnside::{Kind, LoadOptions, Model, Options, Verdict};
///
/// let net = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
/// <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
///     <place id="stock"/>
///     <transition id="make"/>
///     <arc id="a" source="make" target="stock"/>
/// </page></net></pnml>"#;
/// let options = LoadOptions::new().property(Kind::Reachable, "stock == 9");
/// let model = Model::load(net, &options).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// let answer = report.answer("reachable-1").unwrap();
/// assert_eq!(answer.verdict, Verdict::Holds);
/// assert_eq!(report.run(answer).unwrap().steps().len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(model: &Model, options: &Options, observer: &mut dyn Observer) -> Result<Report, CheckError> {
    check_for(model, options, &mut Audience { observer, answered: None, cluster: None })
}

/// As [`check`], with the workers of a cluster for questions about states and, in linear time, about
/// runs. Every process of the cluster must do this with the same model and the same options; each gets the
/// same report.
///
/// ```
/// use burnside::{Cluster, LoadOptions, Model, Options, Verdict};
///
/// let text = "var x: 0..9; process P { rule up { x = (x + 1) % 10; } } invariant small = x < 9;";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let options = Options::default();
/// let cluster = Cluster::of_threads(2, &options.limits.interrupt).unwrap();
/// let report = burnside::check_on(&cluster, &model, &options, &mut ())?;
/// let small = report.answer("small").unwrap();
/// assert_eq!(small.verdict, Verdict::Violated);
/// assert_eq!(report.run(small).unwrap().steps().len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_on(
    cluster: &Cluster,
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Report, CheckError> {
    check_for(model, options, &mut Audience { observer, answered: None, cluster: Some(cluster) })
}

/// As [`check`], and hands over each answer that is not unknown as soon as it is known, before others are:
/// one that a run shows while the search goes on for others, what holds when the search is over. The verdict
/// stays; the report can say more of it ([`Answer::vacuous`], figures of the whole search). A run that was
/// hunted down may be followed by the shortest one, with the same verdict.
/// Of a net whose places may need more room nothing is said before the report.
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Verdict};
///
/// let text = "
///     var light: bool = false;
///     process Switch { rule flip { light = !light; } }
///     invariant dark = !light;
///     invariant sane = light -> light;
///     ltl shines = F light;
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let mut known = Vec::new();
/// let answered = &mut |answer: &burnside::Answer| known.push(answer.property.clone());
/// burnside::check_each(&model, &Options::default(), &mut (), answered)?;
/// assert_eq!(known, ["dark", "faults", "deadlock", "sane", "shines"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_each(
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
    answered: &mut dyn FnMut(&Answer),
) -> Result<Report, CheckError> {
    check_for(model, options, &mut Audience { observer, answered: Some(answered), cluster: None })
}

fn check_for(model: &Model, options: &Options, audience: &mut Audience<'_>) -> Result<Report, CheckError> {
    match &model.front {
        Front::Net(net) => shortcuts::check(model, net, options, audience),
        Front::Orb(_) | Front::Murphi(..) | Front::Built => round(model, options, audience, false),
    }
}
