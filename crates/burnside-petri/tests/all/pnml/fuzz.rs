//! Random changes of right texts: whatever comes out, the reader answers, with errors that are inside of the
//! text.

use burnside_petri::read_pnml;

use crate::pnml::support::*;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Numbers {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn seeds() -> Vec<String> {
    let rest =
        op("subtract", &[&all("CE"), &op("tuple", &[&op("successor", &[&var("x")]), &con("b")]), &var("p")]);
    let block = "<partitionelementof refpartition=\"H\"><subterm><variable refvariable=\"x\"/></subterm></partitionelementof>";
    let condition = op(
        "and",
        &[
            &op("equality", &[block, &con("low")]),
            &op(
                "imply",
                &[&op("lessthan", &[&num(3), &var("r")]), &op("inequality", &[&var("p"), &var("p")])],
            ),
        ],
    );
    let page = [
        place("s", "CE", &times("2", &op("tuple", &[&all("C"), &con("a")]))),
        format!(
            "<transition id=\"t\"><condition><structure>{condition}</structure></condition></transition>"
        ),
        arc("i", "s", "t", &rest),
        arc("o", "t", "s", &op("add", &[&var("p"), &times("3", &op("tuple", &[&con("c1"), &var("e")]))])),
    ];
    let black_net = black(
        "<place id=\"s\"><initialMarking><text>3</text></initialMarking></place><page id=\"h\"><referencePlace id=\"r\" ref=\"s\"/></page>\
         <transition id=\"t\"/><arc id=\"a\" source=\"r\" target=\"t\"><type value=\"test\"/><inscription><text>2</text></inscription></arc>",
    );
    vec![coloured(DECLARATIONS, &page.concat()), black_net]
}

/// Words of the text that can be put in the place of others.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> =
        text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.extend(["0", "-1", "99999999999999999999", "9223372036854775807", "", "ö"]);
    words
}

fn mutate(text: &str, words: &[&str], numbers: &mut Numbers) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + numbers.below(3) {
        let mut at = |text: &str| {
            let at = numbers.below(text.len() + 1);
            (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        let (start, end) = (at(&text), at(&text));
        let (start, end) = (start.min(end), start.max(end));
        match numbers.below(6) {
            0 => text.truncate(end),
            1 => text.replace_range(start..end.min(start + 8), ""),
            2 => text.insert_str(start, words[numbers.below(words.len())]),
            3 => text.insert_str(
                start,
                ["<", ">", "\"", "</", "/>", "&", "<all/>", "<subterm/>"][numbers.below(8)],
            ),
            _ => replace_word(&mut text, start, words[numbers.below(words.len())]),
        }
    }
    text
}

/// Puts a word in the place of the next one, so that most texts stay XML.
fn replace_word(text: &mut String, start: usize, word: &str) {
    let Some(begin) = text[start..].find(char::is_alphanumeric).map(|at| start + at) else { return };
    let end = text[begin..].find(|it: char| !it.is_alphanumeric()).map_or(text.len(), |at| begin + at);
    text.replace_range(begin..end, word);
}

#[test]
fn changed_texts() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut right, mut wrong) = (0, 0);
    for seed in seeds() {
        let words = words(&seed);
        assert!(read_pnml(&seed).is_ok(), "{:?}", read_pnml(&seed));
        for _ in 0..3000 {
            let text = mutate(&seed, &words, &mut numbers);
            match read_pnml(&text) {
                Ok(_) => right += 1,
                Err(_) => wrong += messages(&text).len().min(1),
            }
        }
    }
    assert!(right > 100 && wrong > 3000, "{right} {wrong}");
}

#[test]
fn every_beginning() {
    for seed in seeds() {
        let whole = seed.trim_end().len();
        for end in (0..whole).filter(|end| seed.is_char_boundary(*end)) {
            assert!(read_pnml(&seed[..end]).is_err(), "{end}");
        }
    }
}

#[test]
fn every_element_left_out_or_emptied() {
    for seed in seeds() {
        let document = seed.clone();
        let starts: Vec<usize> = document.match_indices('<').map(|(at, _)| at).collect();
        for start in starts {
            let rest = &document[start..];
            let Some(end) = rest.find('>').map(|at| start + at + 1) else { continue };
            let mut text = document.clone();
            text.replace_range(start..end, "");
            let _ = read_pnml(&text);
            if rest[..end - start].ends_with("/>") {
                let _ = read_pnml(&document.replace(&rest[..end - start], ""));
            }
        }
    }
}
