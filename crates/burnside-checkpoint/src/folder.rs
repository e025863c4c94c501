//! A folder that a run is kept in: what it is a run of, what it has found, and where its searches are.
//!
//! Entry points: [`Checkpoints::create`], [`Checkpoints::open`], and [`Keeping`], the place of one search.
//! The file `run` says what the run is of, in words of whoever made it, and holds the results of searches
//! that are over. A search that is at work has a file of its own, whose name is its [`Key`]: what it is a
//! search for, so that whoever comes to the same search again finds it.
//!
//! Each file is written beside and renamed. Whatever is read is whole: all files are looked through when the
//! folder is opened.

use crate::file::checksum;
use crate::{Damage, Persist, Reader, Writer};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const RUN: &str = "run";
const ENDING: &str = "kept";
/// While it is written.
const BESIDE: &str = "new";
/// Runs can only be continued by the version that began them.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a search is for: searches of a run that are for the same have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u128);

impl Key {
    /// Of all that its result depends on, besides what the run is of.
    pub fn of(what: &[&dyn fmt::Debug]) -> Self {
        let text = format!("{what:?}");
        let [high, low] = [1, 2].map(|seed| checksum(seed, text.as_bytes()));
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

crate::persist_struct!(Key { 0 });

/// Told to whoever listens.
#[derive(Clone, Debug)]
pub enum Event {
    /// A file with so many bytes was written, in so much time.
    Written(u64, Duration),
    /// It could not be written; the one before is still there.
    Failed(String),
}

type EventListener = Box<dyn Fn(&Event) + Send + Sync>;

/// A folder that a run is kept in. Clones are the same.
#[derive(Clone)]
pub struct Checkpoints(Arc<Shared>);

struct Shared {
    folder: PathBuf,
    identity: u64,
    head: Vec<u8>,
    every: Duration,
    results: Mutex<BTreeMap<Key, Vec<u8>>>,
    last: Mutex<Instant>,
    /// Since when a file is written, if one is.
    writing: Mutex<Option<Instant>>,
    failed: AtomicBool,
    listener: OnceLock<EventListener>,
    /// For tests: so many bytes can still be written.
    room: AtomicU64,
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checkpoints({:?})", self.0.folder)
    }
}

/// Why a run cannot be kept in a folder.
#[derive(Debug)]
pub enum CreateError {
    /// Another one is kept there.
    Taken,
    /// The system says no.
    Io(io::Error),
}

/// Why a run cannot be continued.
#[derive(Debug)]
pub enum OpenError {
    /// There is none in the folder.
    Missing,
    /// This file cannot be used.
    Damaged(PathBuf, Damage),
    /// This version of the program began it.
    Version(String),
    /// This file is about another run.
    OtherRun(PathBuf),
    /// The folder cannot be read.
    Io(io::Error),
}

/// A run that can be continued, and what it is of.
#[derive(Debug)]
pub struct Opened {
    /// The folder.
    pub checkpoints: Checkpoints,
    /// What was given to [`Checkpoints::create`].
    pub head: Vec<u8>,
}

impl Checkpoints {
    /// Begins to keep a run in a folder, which is made if it is not there. `head` says what it is a run of.
    /// While it goes on its searches are kept every so often.
    pub fn create(folder: &Path, head: Vec<u8>, every: Duration) -> Result<Self, CreateError> {
        fs::create_dir_all(folder).map_err(CreateError::Io)?;
        if path(folder, RUN).exists() {
            return Err(CreateError::Taken);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = u64::from(std::process::id()) << 32 ^ now.as_nanos() as u64;
        let checkpoints = Self::new(folder, checksum(seed, &head), head, every, BTreeMap::new());
        checkpoints.write_run().map_err(CreateError::Io)?;
        Ok(checkpoints)
    }

    /// A run that was kept.
    pub fn open(folder: &Path, every: Duration) -> Result<Opened, OpenError> {
        let run = path(folder, RUN);
        if !run.exists() {
            return Err(OpenError::Missing);
        }
        let damaged = |path: &Path, damage: Damage| OpenError::Damaged(path.to_path_buf(), damage);
        let (identity, head, results) = read_run(&run).map_err(|damage| damaged(&run, damage))??;
        for entry in fs::read_dir(folder).map_err(OpenError::Io)? {
            let other = entry.map_err(OpenError::Io)?.path();
            if other == run || other.extension().is_none_or(|ending| ending != ENDING) {
                continue;
            }
            let whole = Reader::open(&other).and_then(|mut reader| {
                let same = begins(&mut reader, &other)? == identity;
                reader.verify().map(|()| same)
            });
            if !whole.map_err(|damage| damaged(&other, damage))? {
                return Err(OpenError::OtherRun(other));
            }
        }
        let checkpoints = Self::new(folder, identity, head.clone(), every, results);
        Ok(Opened { checkpoints, head })
    }

    fn new(
        folder: &Path,
        identity: u64,
        head: Vec<u8>,
        every: Duration,
        results: BTreeMap<Key, Vec<u8>>,
    ) -> Self {
        Self(Arc::new(Shared {
            folder: folder.to_path_buf(),
            identity,
            head,
            every,
            results: Mutex::new(results),
            last: Mutex::new(Instant::now()),
            writing: Mutex::new(None),
            failed: AtomicBool::new(false),
            listener: OnceLock::new(),
            room: AtomicU64::new(u64::MAX),
        }))
    }

    /// Who is told what is written. Only the first one counts.
    pub fn listen(&self, listener: impl Fn(&Event) + Send + Sync + 'static) {
        let _ = self.0.listener.set(Box::new(listener));
    }

    /// The place of a search.
    pub fn keeping(&self, key: Key) -> Keeping {
        Keeping { checkpoints: self.clone(), key }
    }

    /// Since when a file is being written, if one is: who ends the program should wait for it.
    pub fn writing_since(&self) -> Option<Instant> {
        *lock(&self.0.writing)
    }

    /// Whether the last file could not be written.
    pub fn has_failed(&self) -> bool {
        self.0.failed.load(Ordering::SeqCst)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Everything is answered: the files of searches are removed. The results stay.
    pub fn complete(&self) {
        for entry in fs::read_dir(&self.0.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ours = path.extension().is_some_and(|ending| ending == ENDING || ending == BESIDE);
            if ours && path.file_stem().is_some_and(|stem| stem != RUN) {
                // What cannot be removed does no harm.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// For tests: as if only so many bytes could be written from now on.
    pub fn set_room(&self, bytes: u64) {
        self.0.room.store(bytes, Ordering::SeqCst);
    }

    fn write_run(&self) -> io::Result<u64> {
        let Shared { head, results, .. } = &*self.0;
        self.write(RUN, |out| {
            VERSION.to_string().save(out);
            save_bytes(head, out);
            let results = lock(results);
            out.number(results.len() as u64);
            for (key, result) in &*results {
                key.save(out);
                save_bytes(result, out);
            }
        })
    }

    /// Writes a file beside, and puts it in the place of the one before.
    fn write(&self, name: &str, fill: impl FnOnce(&mut Writer<'_>)) -> io::Result<u64> {
        let (begun, beside) = (Instant::now(), self.0.folder.join(format!("{name}.{BESIDE}")));
        let _writing = Writing::begin(&self.0.writing, &beside);
        let mut file = Room { file: File::create(&beside)?, left: &self.0.room };
        let mut writer = Writer::new(&mut file);
        writer.number(self.0.identity);
        writer.section(name);
        fill(&mut writer);
        let bytes = writer.finish()?;
        file.file.sync_data()?;
        fs::rename(&beside, path(&self.0.folder, name))?;
        // So that the new name outlives the machine; where folders cannot be opened it does not matter.
        let _ = File::open(&self.0.folder).and_then(|folder| folder.sync_all());
        *lock(&self.0.last) = Instant::now();
        self.0.failed.store(false, Ordering::SeqCst);
        if name != RUN {
            self.tell(&Event::Written(bytes, begun.elapsed()));
        }
        Ok(bytes)
    }

    /// The same; what goes wrong is told. It is tried again when it is due the next time.
    fn try_write(&self, name: &str, fill: impl FnOnce(&mut Writer<'_>)) -> bool {
        self.told(self.write(name, fill))
    }

    fn told(&self, written: io::Result<u64>) -> bool {
        if let Err(error) = &written {
            *lock(&self.0.last) = Instant::now();
            self.0.failed.store(true, Ordering::SeqCst);
            self.tell(&Event::Failed(error.to_string()));
        }
        written.is_ok()
    }

    fn tell(&self, event: &Event) {
        self.0.listener.get().iter().for_each(|listener| listener(event));
    }
}

/// The place of a search in the folder of its run.
#[derive(Clone, Debug)]
pub struct Keeping {
    checkpoints: Checkpoints,
    key: Key,
}

impl Keeping {
    /// The place of a part of the search, or of something that it shares with others.
    pub fn part(&self, what: &[&dyn fmt::Debug]) -> Self {
        self.checkpoints.keeping(Key::of(&[&self.key, &what]))
    }

    /// Its result, if it is over.
    pub fn result<T: Persist>(&self) -> Option<T> {
        let results = lock(&self.checkpoints.0.results);
        let mut reader = Reader::new(&**results.get(&self.key)?).ok()?;
        let result = T::load(&mut reader).ok()?;
        reader.end().ok().map(|()| result)
    }

    /// Where it is, if it was kept: what [`Keeping::save`] has written.
    pub fn state(&self) -> Option<Reader<'static>> {
        let path = path(&self.checkpoints.0.folder, &self.name());
        let mut reader = Reader::open(&path).ok()?;
        (begins(&mut reader, &path).ok()? == self.checkpoints.0.identity).then_some(reader)
    }

    /// Whether it is time to keep it.
    pub fn is_due(&self) -> bool {
        lock(&self.checkpoints.0.last).elapsed() >= self.checkpoints.0.every
    }

    /// Keeps where it is, in place of what was kept before. Says whether it could.
    pub fn save(&self, fill: impl FnOnce(&mut Writer<'_>)) -> bool {
        self.checkpoints.try_write(&self.name(), fill)
    }

    /// It is over: keeps the result, and forgets where it was.
    pub fn finish<T: Persist>(&self, result: &T) {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        result.save(&mut writer);
        if writer.finish().is_ok() {
            lock(&self.checkpoints.0.results).insert(self.key, bytes);
            if self.checkpoints.told(self.checkpoints.write_run()) {
                let _ = fs::remove_file(path(&self.checkpoints.0.folder, &self.name()));
            }
        }
    }

    fn name(&self) -> String {
        format!("{:032x}", self.key.0)
    }
}

/// A file that is being written. If that ends early, also by unwinding, it is removed.
struct Writing<'a>(&'a Mutex<Option<Instant>>, &'a Path);

impl<'a> Writing<'a> {
    fn begin(since: &'a Mutex<Option<Instant>>, path: &'a Path) -> Self {
        *lock(since) = Some(Instant::now());
        Self(since, path)
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        // It has another name by now if all went well.
        let _ = fs::remove_file(self.1);
        *lock(self.0) = None;
    }
}

/// A file, and how much can still be written.
struct Room<'a> {
    file: File,
    left: &'a AtomicU64,
}

impl Write for Room<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::SeqCst);
        if left < bytes.len() as u64 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = self.file.write(bytes)?;
        if left != u64::MAX {
            self.left.store(left - count as u64, Ordering::SeqCst);
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.{ENDING}"))
}

/// Which run a file is about. It knows its name, so that it cannot stand for another.
fn begins(reader: &mut Reader<'_>, path: &Path) -> Result<u64, Damage> {
    let identity = reader.number()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    reader.section(&name).map_err(|_| Damage::Content("it had another name"))?;
    Ok(identity)
}

type Run = (u64, Vec<u8>, BTreeMap<Key, Vec<u8>>);

fn read_run(path: &Path) -> Result<Result<Run, OpenError>, Damage> {
    // Everything is looked at before anything of it is believed.
    Reader::open(path)?.verify()?;
    let mut reader = Reader::open(path)?;
    let identity = begins(&mut reader, path)?;
    let version = String::load(&mut reader)?;
    if version != VERSION {
        return Ok(Err(OpenError::Version(version)));
    }
    let head = load_bytes(&mut reader)?;
    let count: usize = reader.small()?;
    let mut results = BTreeMap::new();
    for _ in 0..count {
        let key = Key::load(&mut reader)?;
        results.insert(key, load_bytes(&mut reader)?);
    }
    reader.end()?;
    Ok(Ok((identity, head, results)))
}

fn save_bytes(bytes: &[u8], out: &mut Writer<'_>) {
    out.number(bytes.len() as u64);
    out.bytes(bytes);
}

fn load_bytes(from: &mut Reader<'_>) -> Result<Vec<u8>, Damage> {
    let length = from.small()?;
    from.list(length)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Duration = Duration::from_secs(1 << 30);

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("burnside-kept-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn results_and_states_come_back() {
        let folder = folder("back");
        let kept = Checkpoints::create(&folder, b"model".to_vec(), NEVER).unwrap();
        assert!(matches!(Checkpoints::create(&folder, Vec::new(), NEVER), Err(CreateError::Taken)));
        let [one, two] = ["one", "two"].map(|name| kept.keeping(Key::of(&[&name])));
        assert!(one.state().is_none() && one.result::<u64>().is_none() && !one.is_due());
        assert!(one.save(|out| out.number(7)) && two.save(|out| out.number(8)));
        two.finish(&9u64);
        assert_eq!(names(&folder).len(), 2);
        let opened = Checkpoints::open(&folder, Duration::ZERO).unwrap();
        assert_eq!(opened.head, b"model");
        let [one, two] = ["one", "two"].map(|name| opened.checkpoints.keeping(Key::of(&[&name])));
        assert_eq!(one.state().unwrap().number(), Ok(7));
        assert!(two.state().is_none() && two.result::<u64>() == Some(9) && one.is_due());
        opened.checkpoints.complete();
        assert_eq!(names(&folder), ["run.kept"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// What was there before stays, and nothing half done is left behind.
    #[test]
    fn a_full_disk_leaves_what_was_there() {
        let folder = folder("full");
        let kept = Checkpoints::create(&folder, Vec::new(), NEVER).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&told);
        kept.listen(move |event| lock(&ears).push(event.clone()));
        let one = kept.keeping(Key::of(&[&1]));
        assert!(one.save(|out| out.number(7)));
        kept.set_room(1000);
        assert!(!one.save(|out| out.bytes(&[1; 5000])) && kept.has_failed());
        assert!(matches!(&lock(&told)[..], [Event::Written(..), Event::Failed(_)]));
        assert_eq!(one.state().unwrap().number(), Ok(7));
        assert_eq!(names(&folder).len(), 2);
        let unwound = burnside_limits::catch(|| {
            one.save(|_| burnside_limits::give_up(burnside_limits::Stop::Interrupted));
        });
        assert!(unwound.is_err() && kept.writing_since().is_none());
        assert_eq!(names(&folder).len(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_not_of_this_run_is_refused() {
        let (mine, other) = (folder("mine"), folder("other"));
        assert!(matches!(Checkpoints::open(&mine, NEVER), Err(OpenError::Missing)));
        let kept = Checkpoints::create(&mine, vec![1], NEVER).unwrap();
        let foreign = Checkpoints::create(&other, vec![2], NEVER).unwrap();
        let key = Key::of(&[&"search"]);
        assert!(kept.keeping(key).save(|out| out.number(1)) && foreign.keeping(key).save(|_| ()));
        let name = names(&mine).into_iter().find(|name| *name != "run.kept").unwrap();
        let whole = fs::read(mine.join(&name)).unwrap();
        fs::copy(other.join(&name), mine.join(&name)).unwrap();
        assert!(matches!(Checkpoints::open(&mine, NEVER), Err(OpenError::OtherRun(_))));
        for length in 0..whole.len() {
            fs::write(mine.join(&name), &whole[..length]).unwrap();
            assert!(matches!(Checkpoints::open(&mine, NEVER), Err(OpenError::Damaged(..))), "{length}");
        }
        fs::write(mine.join(&name), &whole).unwrap();
        let run = fs::read(mine.join("run.kept")).unwrap();
        for bit in (0..8 * run.len()).step_by(5) {
            let mut changed = run.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(mine.join("run.kept"), &changed).unwrap();
            assert!(matches!(Checkpoints::open(&mine, NEVER), Err(OpenError::Damaged(..))), "{bit}");
        }
        fs::write(mine.join("run.kept"), &run).unwrap();
        assert!(Checkpoints::open(&mine, NEVER).is_ok());
        let renamed = mine.join("00000000000000000000000000000000.kept");
        fs::rename(mine.join(&name), &renamed).unwrap();
        let Err(OpenError::Damaged(file, _)) = Checkpoints::open(&mine, NEVER) else {
            panic!("it had another name");
        };
        assert_eq!(file, renamed);
        fs::remove_dir_all(&mine).unwrap();
        fs::remove_dir_all(&other).unwrap();
    }
}
