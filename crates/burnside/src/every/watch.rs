//! Sequences that must not happen, for every size: instances that watch for one by themselves.
//!
//! Entry points: `Work::watching`, `Work::verify`. The instances have flags for the positions of the sequence
//! and an invariant of its name (`burnside_lang::family::watched`), which is proved together with the absence
//! of faults: where a condition of the sequence faults, nobody would know how it goes on.

use super::{NotProved, TYPICAL, Variants, Work, add_to, phase};
use burnside_lang::diagnostic::Span;
use burnside_lang::family::{self, Family, Refusal};
use burnside_limits::{Observer, Task};
use burnside_ts::Kind;
use burnside_views::{Certificate, FAULTS, Needs, Proof, Rejection, Verified};
use std::cell::RefCell;

impl<'t> Work<'t> {
    /// The sequences that must not happen, by name.
    pub(super) fn sequences(&self) -> Vec<String> {
        let sequences = self.properties.iter().filter(|(_, kind, ..)| *kind == Kind::Never);
        sequences.map(|(name, ..)| name.clone()).collect()
    }

    /// The sequence that a proof is about, if it is about one.
    pub(super) fn sequence_of(&self, proof: &Proof) -> Option<String> {
        self.sequences().into_iter().find(|name| proof.properties.contains(name))
    }

    /// Instances that watch for a sequence, and what matters to them.
    pub(super) fn watching(&self, name: &str) -> Result<(Variants<'t>, Needs), Refusal> {
        let plain = &self.variants;
        let span = self.properties.iter().find(|(it, ..)| it == name).map_or(Span::default(), |it| it.3);
        let refuse = || Refusal { span, message: String::from("this cannot be watched for"), help: None };
        let whole = plain.model(TYPICAL).ok_or_else(refuse)?;
        family::watched(whole.hir().ok_or_else(refuse)?, name)?;
        let variants = Variants {
            text: plain.text,
            file: plain.file.clone(),
            settings: plain.settings,
            constant: plain.constant.clone(),
            names: Vec::new(),
            watched: Some(name.to_string()),
            is_live: false,
            known: RefCell::default(),
            family: plain.family.clone(),
            flagged: RefCell::default(),
        };
        let typical = variants.load(TYPICAL).map_err(|_| refuse())?;
        let hir = typical.hir().ok_or_else(refuse)?;
        let family = family::analyse(hir, variants.text, &variants.file, &variants.constant);
        let family = family.map_err(|refusals| refusals.into_iter().next().unwrap_or_else(refuse))?;
        let witnesses = family.properties.first().ok_or_else(refuse)?.clone()?;
        let needs = Needs { invariants: vec![(name.to_string(), witnesses)], ..self.needs(&family) };
        Ok((variants, needs))
    }

    /// Checks all proofs of a certificate, each for the instances that it is about.
    pub(super) fn verify(
        &self,
        family: &Family,
        certificate: &Certificate,
        observer: &mut dyn Observer,
    ) -> Result<Verified, NotProved> {
        let mut all = Some(Verified { properties: Vec::new(), states: 0, largest: 0 });
        let of = certificate.proofs.iter().map(|proof| proof.properties.len()).sum();
        let mut first = 0;
        for proof in &certificate.proofs {
            let properties = (first..).zip(proof.properties.iter().cloned()).collect();
            observer.begins(&Task { properties, of, phase: Some(String::from(phase::PROOF)) });
            first += proof.properties.len();
            let single = Certificate { constant: certificate.constant.clone(), proofs: vec![proof.clone()] };
            let verified = match self.sequence_of(proof) {
                None => burnside_views::verify(&self.variants, &self.needs(family), &single, observer),
                Some(name) => {
                    let is_meant = |it: &String| *it == name || it == FAULTS;
                    let has_faults = proof.properties.iter().any(|it| it == FAULTS);
                    if !has_faults || !proof.properties.iter().all(is_meant) {
                        let why = format!("`{name}` is proved together with `{FAULTS}` and nothing else");
                        return Err(NotProved::Rejected(Rejection::Misfit(why)));
                    }
                    let (variants, needs) = self.watching(&name).map_err(NotProved::Refused)?;
                    burnside_views::verify(&variants, &needs, &single, observer)
                }
            };
            add_to(&mut all, &verified.map_err(NotProved::Rejected)?);
        }
        Ok(all.expect("it was put there"))
    }
}
