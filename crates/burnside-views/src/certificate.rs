//! Certificates: sets of views that speak for every size, as data and as a text.
//!
//! Entry points: [`Certificate::read`] and `Display`. A certificate may have several proofs, each with views,
//! contexts and the properties that it proves. The text says what it is made of line by line; anyone can
//! write one, so whether it proves anything is for [`verify`](crate::verify()) to find out.

use crate::context::Context;
use std::fmt;

/// What shows that properties hold for every size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The constant that is left open.
    pub constant: String,
    /// The proofs.
    pub proofs: Vec<Proof>,
}

/// A set of views that is closed under steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// How many members a view has.
    pub k: u32,
    /// What is counted beside the views.
    pub contexts: Vec<Context>,
    /// The properties that it proves.
    pub properties: Vec<String>,
    /// The globals of views: bits, then a count for each context.
    pub globals: Vec<Vec<u64>>,
    /// The words of members.
    pub words: Vec<Vec<u64>>,
    /// The views: globals, and `k` words in ascending order, by their numbers.
    pub views: Vec<(u32, Vec<u32>)>,
}

/// What is wrong with the text of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong: a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Damage {}

const HEAD: &str = "burnside certificate 1";

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\nconstant {}", self.constant)?;
        for proof in &self.proofs {
            writeln!(f, "proof {}", proof.k)?;
            proof.properties.iter().try_for_each(|property| writeln!(f, "proves {property}"))?;
            for Context { text, most } in &proof.contexts {
                writeln!(f, "counts {most} {text}")?;
            }
            for globals in &proof.globals {
                writeln!(f, "globals {}", hex(globals))?;
            }
            for word in &proof.words {
                writeln!(f, "word {}", hex(word))?;
            }
            for (globals, words) in &proof.views {
                let words: Vec<String> = words.iter().map(u32::to_string).collect();
                writeln!(f, "view {globals} {}", words.join(" "))?;
            }
        }
        writeln!(f, "end")
    }
}

fn hex(words: &[u64]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:x}")).collect();
    words.join(" ")
}

impl Certificate {
    /// Reads a certificate from its text.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let damage = |line, message: &str| Damage { line, message: message.to_string() };
        if lines.next().is_none_or(|(_, line)| line != HEAD) {
            return Err(damage(1, "this is no certificate"));
        }
        let mut certificate = Self::default();
        for (number, line) in lines {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            match (key, certificate.proofs.last_mut()) {
                ("end", _) => return Ok(certificate),
                ("constant", None) => certificate.constant = rest.to_string(),
                ("proof", _) => {
                    let k = rest.parse().map_err(|_| damage(number, "the size of views is no number"))?;
                    certificate.proofs.push(Proof { k, ..Proof::default() });
                }
                (key, Some(proof)) => {
                    let added = proof.line(key, rest);
                    added.ok_or_else(|| damage(number, "this line is damaged"))?;
                }
                (_, None) => return Err(damage(number, "this line is damaged")),
            }
        }
        Err(damage(text.lines().count(), "the end is missing"))
    }
}

impl Proof {
    fn line(&mut self, key: &str, rest: &str) -> Option<()> {
        let hex =
            || rest.split(' ').map(|word| u64::from_str_radix(word, 16).ok()).collect::<Option<Vec<_>>>();
        match key {
            "proves" => self.properties.push(rest.to_string()),
            "counts" => {
                let (most, text) = rest.split_once(' ')?;
                self.contexts.push(Context { text: text.to_string(), most: most.parse().ok()? });
            }
            "globals" => self.globals.push(hex()?),
            "word" => self.words.push(hex()?),
            "view" => {
                let mut numbers = rest.split(' ').map(|number| number.parse::<u32>().ok());
                let globals = numbers.next()??;
                self.views.push((globals, numbers.collect::<Option<Vec<_>>>()?));
            }
            _ => return None,
        }
        Some(())
    }
}
