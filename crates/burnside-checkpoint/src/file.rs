//! The format of all files of a checkpoint: a head, parts of bytes with a checksum each, and an end.
//!
//! Entry points: [`Writer`] and [`Reader`]. A checksum is made of its part and of the checksum before, the
//! first one of the head: so parts that are left out, doubled or exchanged are seen as well as changed ones,
//! and a change within eight bytes is seen in any case, since each step of it is one-to-one. What is written
//! after an error goes nowhere; the error is told at the end.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::Path;

/// What every file begins with.
const MAGIC: [u8; 16] = *b"burnside kept \r\n";
/// The number of the format. Files of another one are refused.
pub const FORMAT: u32 = 1;
/// Bytes of a part.
const PART: usize = 1 << 18;
/// A text or a list is not given more room than this before its elements were read.
pub(crate) const MOST_AHEAD: usize = 1 << 12;

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It cannot be read.
    Io(String),
    /// It does not begin like one of ours.
    Foreign,
    /// It is of another format.
    Format(u32),
    /// It ends too early.
    Truncated,
    /// Its bytes are not those that were written.
    Changed,
    /// What it says cannot be.
    Content(&'static str),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Io(error) => write!(f, "it cannot be read: {error}"),
            Damage::Foreign => write!(f, "it is no file of a checkpoint"),
            Damage::Format(format) => write!(f, "it has format {format}, and this program knows {FORMAT}"),
            Damage::Truncated => write!(f, "it is damaged: it ends too early"),
            Damage::Changed => write!(f, "it is damaged: its checksum is wrong"),
            Damage::Content(what) => write!(f, "it is damaged: {what}"),
        }
    }
}

impl From<io::Error> for Damage {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof => Damage::Truncated,
            _ => Damage::Io(error.to_string()),
        }
    }
}

/// A checksum that goes on from another one.
pub(crate) fn checksum(before: u64, bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(step(before, bytes.len() as u64), |sum, &word| step(sum, u64::from_le_bytes(word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let sum = step(sum, u64::from_le_bytes(last));
    sum ^ sum >> 32
}

fn head() -> [u8; 20] {
    let mut head = [0; 20];
    head[..16].copy_from_slice(&MAGIC);
    head[16..].copy_from_slice(&FORMAT.to_le_bytes());
    head
}

/// Writes a file.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    part: Vec<u8>,
    sum: u64,
    error: Option<io::Error>,
    written: u64,
}

impl<'w> Writer<'w> {
    /// Writes the head.
    pub fn new(out: &'w mut dyn Write) -> Self {
        let mut writer = Self { out, part: Vec::with_capacity(PART), sum: 0, error: None, written: 0 };
        writer.send(&head());
        writer.sum = checksum(0, &head());
        writer
    }

    fn send(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
            self.written += bytes.len() as u64;
        }
    }

    fn end_part(&mut self) {
        let part = std::mem::replace(&mut self.part, Vec::with_capacity(PART));
        self.sum = checksum(self.sum, &part);
        self.send(&(part.len() as u32).to_le_bytes());
        self.send(&part);
        self.send(&self.sum.to_le_bytes());
    }

    /// Writes bytes.
    pub fn bytes(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (here, rest) = bytes.split_at(bytes.len().min(PART - self.part.len()));
            self.part.extend_from_slice(here);
            bytes = rest;
            if self.part.len() == PART {
                self.end_part();
            }
        }
    }

    /// Writes a number: small ones take less room.
    pub fn number(&mut self, mut number: u64) {
        let (mut bytes, mut count) = ([0; 10], 0);
        loop {
            bytes[count] = number as u8 & 0x7f;
            number >>= 7;
            if number == 0 {
                break;
            }
            bytes[count] |= 0x80;
            count += 1;
        }
        self.bytes(&bytes[..=count]);
    }

    /// Writes a mark that [`Reader::section`] looks for.
    pub fn section(&mut self, name: &str) {
        self.number(name.len() as u64);
        self.bytes(name.as_bytes());
    }

    /// Whether nothing more can be written.
    pub fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes the end. Says how many bytes there are, or what went wrong.
    pub fn finish(mut self) -> io::Result<u64> {
        if !self.part.is_empty() {
            self.end_part();
        }
        // A part without bytes is the end.
        self.end_part();
        match self.error {
            None => self.out.flush().map(|()| self.written),
            Some(error) => Err(error),
        }
    }
}

/// Reads a file.
pub struct Reader<'r> {
    from: Box<dyn Read + 'r>,
    part: Vec<u8>,
    at: usize,
    sum: u64,
    ended: bool,
}

impl<'r> Reader<'r> {
    /// Reads the head of a file.
    pub fn open(path: &Path) -> Result<Reader<'static>, Damage> {
        Reader::new(BufReader::new(File::open(path)?))
    }

    /// The same of something else that can be read.
    pub fn new(from: impl Read + 'r) -> Result<Self, Damage> {
        let mut from: Box<dyn Read + 'r> = Box::new(from);
        let mut found = [0; 20];
        let mut length = 0;
        while length < found.len() {
            match from.read(&mut found[length..])? {
                0 => break,
                more => length += more,
            }
        }
        let begins = length.min(MAGIC.len());
        if found[..begins] != MAGIC[..begins] || length == 0 {
            return Err(if length == 0 { Damage::Truncated } else { Damage::Foreign });
        }
        if length < found.len() {
            return Err(Damage::Truncated);
        }
        let [.., a, b, c, d] = found;
        match u32::from_le_bytes([a, b, c, d]) {
            FORMAT => Ok(Self { from, part: Vec::new(), at: 0, sum: checksum(0, &found), ended: false }),
            other => Err(Damage::Format(other)),
        }
    }

    /// Reads the next part; the last one has no bytes.
    fn next_part(&mut self) -> Result<(), Damage> {
        let mut length = [0; 4];
        self.from.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > PART {
            return Err(Damage::Changed);
        }
        self.part.resize(length, 0);
        self.at = 0;
        self.from.read_exact(&mut self.part)?;
        let mut sum = [0; 8];
        self.from.read_exact(&mut sum)?;
        self.sum = checksum(self.sum, &self.part);
        if u64::from_le_bytes(sum) != self.sum {
            return Err(Damage::Changed);
        }
        if length == 0 {
            self.ended = true;
            if self.from.read(&mut [0])? != 0 {
                return Err(Damage::Content("something stands behind its end"));
            }
        }
        Ok(())
    }

    /// Reads all that is left, to see that it is whole.
    pub fn verify(mut self) -> Result<(), Damage> {
        while !self.ended {
            self.next_part()?;
        }
        Ok(())
    }

    /// Nothing may be left.
    pub fn end(mut self) -> Result<(), Damage> {
        if self.at == self.part.len() && !self.ended {
            self.next_part()?;
        }
        if self.ended { Ok(()) } else { Err(Damage::Content("there is more than there should be")) }
    }

    /// Reads bytes.
    pub fn bytes(&mut self, out: &mut [u8]) -> Result<(), Damage> {
        let mut filled = 0;
        while filled < out.len() {
            if self.at == self.part.len() {
                if self.ended {
                    return Err(Damage::Content("there is less than there should be"));
                }
                self.next_part()?;
                continue;
            }
            let here = (out.len() - filled).min(self.part.len() - self.at);
            out[filled..filled + here].copy_from_slice(&self.part[self.at..self.at + here]);
            (filled, self.at) = (filled + here, self.at + here);
        }
        Ok(())
    }

    /// Reads so many bytes.
    pub fn list(&mut self, count: usize) -> Result<Vec<u8>, Damage> {
        let mut list = Vec::new();
        while list.len() < count {
            let from = list.len();
            list.resize(count.min(from + MOST_AHEAD), 0);
            self.bytes(&mut list[from..])?;
        }
        Ok(list)
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64, Damage> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.bytes(&mut byte)?;
            let bits = u64::from(byte[0] & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte[0] < 0x80 {
                return Ok(number);
            }
        }
        Err(Damage::Content("a number is too large"))
    }

    /// Reads a number that fits.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Damage> {
        T::try_from(self.number()?).map_err(|_| Damage::Content("a number is too large"))
    }

    /// Reads a mark.
    pub fn section(&mut self, name: &str) -> Result<(), Damage> {
        let wrong = Damage::Content("a part of it is missing");
        if self.number()? != name.len() as u64 {
            return Err(wrong);
        }
        if self.list(name.len())? == name.as_bytes() { Ok(()) } else { Err(wrong) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with parts of several lengths, numbers and marks.
    fn sample(size: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer.section("sample");
        for i in 0..64 {
            writer.number(1 << i);
        }
        writer.number(0);
        writer.bytes(&(0..size).map(|i| (i * i) as u8).collect::<Vec<_>>());
        let length = writer.finish().unwrap();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    fn read(bytes: &[u8], size: usize) -> Result<(), Damage> {
        let mut reader = Reader::new(bytes)?;
        reader.section("sample")?;
        for i in 0..64 {
            assert_eq!(reader.number()?, 1 << i);
        }
        assert_eq!(reader.number()?, 0);
        assert_eq!(reader.list(size)?, (0..size).map(|i| (i * i) as u8).collect::<Vec<_>>());
        reader.end()
    }

    #[test]
    fn what_is_written_comes_back() {
        for size in [0, 1, 7, 8, PART - 500, PART, 2 * PART + 3] {
            let bytes = sample(size);
            assert_eq!(read(&bytes, size), Ok(()));
            assert_eq!(Reader::new(&*bytes).and_then(Reader::verify), Ok(()));
        }
    }

    /// Every beginning, and every bit of a short file.
    #[test]
    fn whatever_is_not_whole_is_refused() {
        let bytes = sample(100);
        let check = |bytes: &[u8]| Reader::new(bytes).and_then(Reader::verify);
        for length in 0..bytes.len() {
            assert!(matches!(check(&bytes[..length]), Err(Damage::Truncated)), "{length}");
        }
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(check(&changed).is_err(), "bit {bit}");
        }
        let more = [&*bytes, &[0]].concat();
        assert_eq!(check(&more), Err(Damage::Content("something stands behind its end")));
        assert_eq!(check(b"module x"), Err(Damage::Foreign));
        let mut other = bytes.clone();
        other[16] = 9;
        assert_eq!(check(&other), Err(Damage::Format(9)));
    }

    /// Parts of long files that are exchanged, left out or doubled, and ends at all parts.
    #[test]
    fn parts_have_their_places() {
        let (bytes, each) = (sample(4 * PART), PART + 12);
        let part = |i: usize| 20 + i * each..20 + (i + 1) * each;
        let check = |bytes: &[u8]| Reader::new(bytes).and_then(Reader::verify);
        let mut exchanged = bytes.clone();
        exchanged[part(1)].copy_from_slice(&bytes[part(2)]);
        exchanged[part(2)].copy_from_slice(&bytes[part(1)]);
        assert_eq!(check(&exchanged), Err(Damage::Changed));
        assert_eq!(check(&[&bytes[..part(1).start], &bytes[part(1).end..]].concat()), Err(Damage::Changed));
        assert_eq!(check(&[&bytes[..part(1).end], &bytes[part(1).start..]].concat()), Err(Damage::Changed));
        for i in 0..4 {
            for at in [part(i).start, part(i).start + 3, part(i).start + 4, part(i).end - 8, part(i).end - 1]
            {
                assert_eq!(check(&bytes[..at]), Err(Damage::Truncated), "{i} {at}");
            }
        }
    }

    #[test]
    fn errors_are_told_at_the_end() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                match self.0 {
                    0 => Err(ErrorKind::StorageFull.into()),
                    room => {
                        let count = bytes.len().min(room);
                        self.0 -= count;
                        Ok(count)
                    }
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut full = Full(PART);
        let mut writer = Writer::new(&mut full);
        writer.bytes(&vec![7; 3 * PART]);
        assert!(writer.has_failed());
        assert_eq!(writer.finish().unwrap_err().kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn lengths_are_not_believed() {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer.number(u64::MAX);
        writer.finish().unwrap();
        let mut reader = Reader::new(&*bytes).unwrap();
        let length: usize = reader.small().unwrap();
        assert!(matches!(reader.list(length), Err(Damage::Content(_))));
    }
}
