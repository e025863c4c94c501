//! Messages over two streams of bytes. What says of itself that it is larger than any text that an
//! editor sends is refused before memory is taken for it.
//!
//! Entry point: [`connect`].

use lsp_server::{Connection, Message};
use std::io::{self, BufRead, Read, Write};
use std::thread::{self, JoinHandle};

/// The largest message, in bytes.
const MOST: u64 = 256 << 20;
/// The largest head of a message, in bytes.
const MOST_HEAD: usize = 4096;

/// The threads that read and write.
pub(crate) struct Streams {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

/// A connection over what the editor writes and what it reads.
pub(crate) fn connect(
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write + Send + 'static,
) -> (Connection, Streams) {
    let (server, editor) = Connection::memory();
    let Connection { sender, receiver } = editor;
    let reader = thread::spawn(move || {
        while let Some(message) = read(&mut input)? {
            let is_exit = matches!(&message, Message::Notification(it) if it.method == "exit");
            if sender.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    });
    let writer =
        thread::spawn(move || receiver.into_iter().try_for_each(|message| message.write(&mut output)));
    (server, Streams { reader, writer })
}

impl Streams {
    /// Waits until everything is read and written.
    pub(crate) fn join(self) -> io::Result<()> {
        for thread in [self.reader, self.writer] {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread has failed")))?;
        }
        Ok(())
    }
}

/// The next message; none at the end.
fn read(input: &mut dyn BufRead) -> io::Result<Option<Message>> {
    let mut frame = Vec::new();
    let mut size = 0;
    loop {
        let start = frame.len();
        let room = (MOST_HEAD + 1).saturating_sub(start) as u64;
        input.take(room).read_until(b'\n', &mut frame)?;
        if frame.len() > MOST_HEAD {
            return Err(wrong("the head of a message is too long"));
        }
        let line = String::from_utf8_lossy(&frame[start..]).to_ascii_lowercase();
        if line.trim().is_empty() {
            break;
        }
        if let Some(length) = line.strip_prefix("content-length:") {
            // What is no number is refused below.
            size = length.trim().parse().unwrap_or(0);
        }
    }
    if size > MOST {
        return Err(wrong("a message is too large"));
    }
    input.take(size).read_to_end(&mut frame)?;
    Message::read(&mut frame.as_slice())
}

fn wrong(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_limits() {
        let good = b"Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
        let mut twice = [&good[..], good].concat();
        let mut input = twice.as_slice();
        assert!(matches!(read(&mut input), Ok(Some(Message::Notification(_)))));
        assert!(matches!(read(&mut input), Ok(Some(_))));
        assert!(matches!(read(&mut input), Ok(None)));
        twice.truncate(60);
        assert!(read(&mut &twice[good.len()..]).is_err());
        for bad in
            ["Content-Length: 99999999999999\r\n\r\n{}", "Content-Length: x\r\n\r\n{}", "hello\r\n\r\n"]
        {
            assert!(read(&mut bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(read(&mut vec![b'x'; 1 << 20].as_slice()).is_err());
    }
}
