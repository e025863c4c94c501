//! A whole trace file from any bytes: no panic. For a test, and for the target `trace` of `fuzz/`; the
//! program reads files while it judges them.

use crate::recorded::entry;
use crate::recorded::walker::Walker;
use crate::recorded::{self, Stream};
use burnside::{LoadOptions, Model};
use burnside_testkit::readers::guarded;
use std::sync::OnceLock;

/// Models whose trace files are read, by name: runs, loops, trees, queues, rules with parameters.
const MODELS: [(&str, &str); 5] = [
    ("mutex.orb", include_str!("../../../../examples/mutex.orb")),
    ("alternating_bit.orb", include_str!("../../../../examples/alternating_bit.orb")),
    ("philosophers.orb", include_str!("../../../../examples/philosophers.orb")),
    ("readers_writers.orb", include_str!("../../../../examples/readers_writers.orb")),
    ("resource.orb", include_str!("../../../../examples/resource.orb")),
];

/// The models, loaded, by name.
fn models() -> &'static [(&'static str, Model)] {
    static LOADED: OnceLock<Vec<(&str, Model)>> = OnceLock::new();
    let load =
        |(name, text)| (name, Model::load(text, &LoadOptions::new()).model.expect("an example is right"));
    LOADED.get_or_init(|| MODELS.map(load).into())
}

/// Reads a file as one of the model that it names, or of the first.
pub fn read(bytes: &[u8]) {
    guarded(bytes, |text| {
        let named = models().iter().find(|(name, _)| text.contains(name));
        let walker = Walker::new(&named.unwrap_or(&models()[0]).1);
        let mut stream = Stream::new("it.json", text.as_bytes());
        // What is wrong with a file is an answer.
        let _ = recorded::read(&mut stream, |_, stream| {
            stream.list(|stream, i| {
                stream.entry = Some(i);
                entry::read(stream, &walker).map(drop)
            })
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Source, load_source};
    use burnside::{Fairness, Options};
    use burnside_report::decode::TraceDecoder;
    use burnside_report::json;
    use burnside_testkit::cases;
    use burnside_testkit::generate::Rng;
    use burnside_testkit::mutate::mutate;
    use burnside_trace::TreeOptions;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    /// What `check --trace` writes about the models, with fairness and without.
    fn seeds() -> Vec<Vec<u8>> {
        let all = MODELS.iter().flat_map(|model| [(model, true), (model, false)]);
        all.map(|((name, text), fair)| {
            let source = Source { path: name.to_string(), text: text.to_string().into() };
            let input = load_source(source, &LoadOptions::new());
            let input = input.unwrap_or_else(|_| panic!("{name} is right"));
            let fairness = if fair { Fairness::Model } else { Fairness::None };
            let options = Options { fairness, ..Options::default() };
            let report = burnside::check(&input.model, &options, &mut ()).expect("it can be checked");
            let paths = TreeOptions { fair, maximal: false, explore: 0 };
            let mut bytes = Vec::new();
            let decoder = TraceDecoder::new(&input.model);
            json::traces(&input, &decoder, &report, paths).write(&mut bytes).expect("it can be written");
            bytes
        })
        .collect()
    }

    #[test]
    fn changed_files_are_answered() {
        let seeds = seeds();
        for i in cases::seeds(0..2000) {
            let bytes = mutate(&seeds, &mut Rng::new(i));
            let answered = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            assert!(answered.is_ok(), "change {i}:\n{}", String::from_utf8_lossy(&bytes));
        }
    }

    /// For `cargo xtask fuzz readers`: `BURNSIDE_SEEDS=FOLDER`.
    #[test]
    fn seeds_are_written() {
        let Ok(folder) = std::env::var("BURNSIDE_SEEDS") else { return };
        let folder = Path::new(&folder).join("trace");
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        for (i, seed) in seeds().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{i}")), seed).expect("a file can be written");
        }
    }
}
