//! The page: its files as the server hands them out, and all of them in one file as a report.
//!
//! Entry points: `FILES` and [`report_page`]. The scripts are classic ones that share a namespace, so a
//! report has them one after the other, and nothing has to be built. What is inlined must not end its
//! element: data is written without `<`, and a test sees to it that the scripts and the style do not hold
//! what would.

use serde_json::Value;

/// Files of the page: name, content type, content. `index.html` names the others.
pub(crate) const FILES: &[(&str, &str, &str)] = &[
    ("index.html", HTML, include_str!("../page/index.html")),
    ("icon.svg", "image/svg+xml", include_str!("../page/icon.svg")),
    ("style.css", "text/css; charset=utf-8", include_str!("../page/style.css")),
    ("dom.js", SCRIPT, include_str!("../page/dom.js")),
    ("api.js", SCRIPT, include_str!("../page/api.js")),
    ("source.js", SCRIPT, include_str!("../page/source.js")),
    ("state.js", SCRIPT, include_str!("../page/state.js")),
    ("lanes.js", SCRIPT, include_str!("../page/lanes.js")),
    ("tree.js", SCRIPT, include_str!("../page/tree.js")),
    ("layout.js", SCRIPT, include_str!("../page/layout.js")),
    ("check.js", SCRIPT, include_str!("../page/check.js")),
    ("walk.js", SCRIPT, include_str!("../page/walk.js")),
    ("evidence.js", SCRIPT, include_str!("../page/evidence.js")),
    ("picture.js", SCRIPT, include_str!("../page/picture.js")),
    ("graph.js", SCRIPT, include_str!("../page/graph.js")),
    ("symmetry.js", SCRIPT, include_str!("../page/symmetry.js")),
    ("app.js", SCRIPT, include_str!("../page/app.js")),
];

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// What a report may do: run the scripts that are marked, and ask for nothing.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
                      script-src 'nonce-burnside'; style-src 'nonce-burnside'; img-src data:\">";

/// One file for a check without a report: why there is none, and what people are told about it.
pub fn failure_page(model: &str, message: &str, details: &str) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (model, message, details) = (escaped(model), escaped(message), escaped(details));
    let style = "body{font:16px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color-scheme:light dark}\
                 pre{overflow-x:auto}";
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{POLICY}\n\
         <title>{model}: no report</title>\n<style nonce=\"burnside\">{style}</style>\n</head>\n<body>\n\
         <h1>{model}</h1>\n<p>There is no report: {message}.</p>\n<pre>{details}</pre>\n</body>\n</html>\n"
    )
}

/// One file that shows `data` without a server: an object with `model`, `symmetry`, `check`, `evidence` (by
/// property) and `graph` (or null), each as the server would answer.
pub fn report_page(data: &Value) -> String {
    let mut page = String::new();
    for line in file("index.html").lines() {
        match named(line) {
            _ if line.starts_with("<!-- data") => {
                page.push_str("<script type=\"application/json\" id=\"burnside-data\">");
                page.push_str(&data.to_string().replace('<', "\\u003c"));
                page.push_str("</script>");
            }
            Some(name) if name.ends_with(".js") => {
                page.push_str(&format!("<script nonce=\"burnside\">\n{}</script>", file(name)));
            }
            Some(name) if name.ends_with(".css") => {
                page.push_str(&format!("{POLICY}\n<style nonce=\"burnside\">\n{}</style>", file(name)));
            }
            Some(name) => page.push_str(&line.replace(name, &image(file(name)))),
            None => page.push_str(line),
        }
        page.push('\n');
    }
    page
}

/// The file that a line of `index.html` names with `src` or `href`.
fn named(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("src=\"").or_else(|| line.split_once("href=\""))?;
    rest.split('"').next()
}

fn file(name: &str) -> &'static str {
    FILES.iter().find(|(known, ..)| *known == name).map_or("", |(_, _, text)| text)
}

/// A picture as an address of its own.
fn image(text: &str) -> String {
    let mut address = "data:image/svg+xml,".to_string();
    for byte in text.trim().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => address.push(char::from(byte)),
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_file_is_named_and_every_name_is_a_file() {
        let names: Vec<&str> = file("index.html").lines().filter_map(named).collect();
        let mut files: Vec<&str> = FILES[1..].iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, files);
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.push("index.html");
        files.sort();
        there.sort();
        assert_eq!(files, there);
    }

    #[test]
    fn nothing_that_is_inlined_ends_its_element() {
        for (name, _, text) in &FILES[2..] {
            for bad in ["</script", "<!--", "</style", "<script"] {
                assert!(!text.to_lowercase().contains(bad), "{name} has {bad}");
            }
        }
    }

    #[test]
    fn no_text_becomes_markup() {
        for (name, _, text) in FILES {
            for bad in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
            {
                let used =
                    text.lines().any(|line| line.contains(bad) && !line.trim_start().starts_with("//"));
                assert!(!used, "{name} has {bad}");
            }
        }
    }

    #[test]
    fn data_stays_data() {
        let data = json!({"model": {"name": "</script><script>alert(1)</script><!--"}});
        let page = report_page(&data);
        let scripts = FILES.iter().filter(|(name, ..)| name.ends_with(".js")).count();
        assert_eq!(page.matches("</script>").count(), scripts + 1);
        assert!(!page.contains("alert(1)</script>"));
        assert!(!page.contains("<!--"));
        let start = page.find("id=\"burnside-data\">").unwrap() + "id=\"burnside-data\">".len();
        let end = start + page[start..].find("</script>").unwrap();
        assert_eq!(serde_json::from_str::<Value>(&page[start..end]).unwrap(), data);
    }

    #[test]
    fn a_report_asks_for_nothing() {
        let page = report_page(&json!({}));
        assert_eq!(page.matches("src=\"").count(), 0);
        assert_eq!(page.matches("href=\"").count(), 1, "the icon, which is in the page");
        assert!(page.contains("href=\"data:image/svg+xml,%3Csvg"));
    }
}
