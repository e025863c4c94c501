//! A small client of the WebDriver protocol: JSON over HTTP, one connection for each request.

use crate::chromium;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a page may take for anything; the machine can be busy.
const PATIENCE: Duration = Duration::from_secs(40);

/// How Chromium is started: without a screen, and without a word to anybody.
const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// A browser of its own, with a profile of its own; it ends when it is dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// Where it keeps its profile and what is downloaded.
    pub folder: PathBuf,
}

impl Browser {
    /// Starts one, unless there is none to start.
    pub fn start() -> Option<Browser> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let programs = chromium::programs()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("burnside-browser-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut driver = Command::new(programs.driver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let port = port_of(&mut driver);
        let mut browser = Browser { driver, port, session: String::new(), folder };
        let mut flags: Vec<String> = FLAGS.map(String::from).to_vec();
        flags.push(format!("--user-data-dir={}", browser.folder.join("profile").display()));
        let options = json!({
            "args": flags,
            "binary": programs.chromium,
            "prefs": { "download.default_directory": browser.folder },
        });
        let wanted = json!({ "goog:loggingPrefs": { "browser": "ALL" }, "goog:chromeOptions": options });
        let made = browser.request("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        browser.session = made.unwrap()["sessionId"].as_str().unwrap().to_string();
        browser.size(1024, 768);
        Some(browser)
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let text = if method == "POST" { body.to_string() } else { String::new() };
        let (_, answer) = http(self.port, method, path, "application/json", &text);
        let value =
            serde_json::from_str::<Value>(&answer).map_err(|problem| format!("{problem}: {answer}"))?;
        match value["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["value"]["message"])),
            None => Ok(value["value"].clone()),
        }
    }

    /// A command of the session.
    pub fn command(&self, method: &str, path: &str, body: Value) -> Value {
        let path = format!("/session/{}{path}", self.session);
        self.request(method, &path, &body).unwrap_or_else(|error| panic!("{method} {path} {body}: {error}"))
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        self.command("POST", "/url", json!({ "url": url }));
    }

    /// The address that is shown.
    pub fn address(&self) -> String {
        self.command("GET", "/url", Value::Null).as_str().unwrap().to_string()
    }

    /// What a script returns; promises are awaited.
    pub fn script(&self, script: &str) -> Value {
        self.command("POST", "/execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait(&self, condition: &str) {
        let start = Instant::now();
        while self.script(&format!("return Boolean({condition})")) != json!(true) {
            if start.elapsed() > PATIENCE {
                let page = self.script("return document.body.innerText");
                panic!("never true: {condition}\nat {}\n{page:#}\n{:?}", self.address(), self.complaints());
            }
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    /// The text of the first element.
    pub fn text(&self, css: &str) -> String {
        let found = self.script(&format!("return document.querySelector({})?.innerText ?? ''", json!(css)));
        found.as_str().unwrap().to_string()
    }

    /// How many elements there are.
    pub fn count(&self, css: &str) -> u64 {
        self.script(&format!("return document.querySelectorAll({}).length", json!(css))).as_u64().unwrap()
    }

    /// Clicks the first element, as soon as it is there, with the mouse.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.wait(&format!("document.querySelector({})", json!(css)));
        let found = self.command("POST", "/element", json!({ "using": "css selector", "value": css }));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_string();
        self.command("POST", &format!("/element/{id}/click"), json!({}));
    }

    /// Clicks the button with these words.
    #[track_caller]
    pub fn press(&self, words: &str) {
        let find = format!(
            "[...document.querySelectorAll('button')].find((one) => one.offsetParent && \
             (one.getAttribute('aria-label') ?? one.innerText.trim()) === {})",
            json!(words)
        );
        self.wait(&format!("{find} && !({find}).disabled"));
        let found = self.script(&format!("return {find}"));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_string();
        self.command("POST", &format!("/element/{id}/click"), json!({}));
    }

    /// Presses keys, one after the other.
    pub fn keys(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        self.command(
            "POST",
            "/actions",
            json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// A command of the browser's own protocol.
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.command("POST", "/goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
    }

    /// The size of the window's content.
    pub fn size(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Whether the system asks for dark or light colours.
    pub fn prefers(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// A picture of what is seen, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        base64(self.command("GET", "/screenshot", Value::Null).as_str().unwrap())
    }

    /// Errors and warnings in the console since it was asked last. Answers with a 4xx status are among them.
    pub fn complaints(&self) -> Vec<String> {
        let entries = self.command("POST", "/se/log", json!({ "type": "browser" }));
        let entries = entries.as_array().unwrap().iter();
        entries.filter(|entry| entry["level"] != "INFO").map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.request("DELETE", &format!("/session/{}", self.session), &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The port that the driver says it has taken.
fn port_of(driver: &mut Child) -> u16 {
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
    let line =
        lines.find(|line| line.contains("started successfully on port ")).expect("chromedriver starts");
    let digits: String =
        line.rsplit("port ").next().unwrap().chars().take_while(char::is_ascii_digit).collect();
    std::thread::spawn(move || lines.for_each(drop));
    digits.parse().unwrap()
}

/// A request to this machine: the status and the text of the answer.
pub fn http(port: u16, method: &str, path: &str, kind: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_lowercase());
    }
    let length = lines.iter().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut answer = Vec::new();
    match length {
        Some(length) => reader.take(length).read_to_end(&mut answer).unwrap(),
        None => reader.read_to_end(&mut answer).unwrap(),
    };
    let status = lines.first().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
    (status, String::from_utf8_lossy(&answer).into_owned())
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |sign: u8| match sign {
        b'A'..=b'Z' => Some(sign - b'A'),
        b'a'..=b'z' => Some(sign - b'a' + 26),
        b'0'..=b'9' => Some(sign - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits =
            group.iter().fold(0u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - group.len()));
        bytes.extend(bits.to_be_bytes()[1..group.len()].iter());
    }
    bytes
}
