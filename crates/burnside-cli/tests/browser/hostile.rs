//! Names that would be markup, if anybody took them for it.

use crate::with_page;
use serde_json::Value;

/// A net whose names are elements with handlers.
const NET: &str = r#"<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <page id="g">
      <place id="p1"><name><text>&lt;img src=x onerror="hacked=1"&gt;</text></name><initialMarking><text>1</text></initialMarking></place>
      <place id="p2"><name><text>&lt;/script&gt;&lt;script&gt;hacked=1&lt;/script&gt;</text></name></place>
      <transition id="t1"><name><text>&lt;svg onload="hacked=1"&gt;</text></name></transition>
      <arc id="a1" source="p1" target="t1"/>
      <arc id="a2" source="t1" target="p2"/>
    </page>
  </net>
</pnml>
"#;

#[test]
fn names_are_texts() {
    let folder = std::env::temp_dir().join(format!("burnside-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let net = folder.join("<img src=x onerror=hacked=1>.pnml");
    std::fs::write(&net, NET).unwrap();
    with_page(net.to_str().unwrap(), &[], |browser, explorer| {
        browser.press("Check all");
        browser.wait("Burnside.check.status.state === 'done'");
        for view in ["check", "walk/0", "walk/0.0", "evidence", "graph/unreduced?node=0", "symmetry"] {
            browser.open(&format!("{}#/{view}", explorer.url));
            browser.wait("document.querySelector('main .view h1')");
            browser.wait("!document.querySelector('.tally')?.innerText.endsWith('…')");
            assert_eq!(browser.count("img, main script, [onload], [onerror]"), 0, "{view}");
            assert_eq!(browser.script("return globalThis.hacked ?? null"), Value::Null, "{view}");
        }
        browser.open(&format!("{}#/walk/0", explorer.url));
        browser.wait("document.querySelector('.choice')");
        assert!(browser.text(".model-name").contains("<img src=x onerror=hacked=1>.pnml"));
        let names = explorer.get("model")["cells"].to_string() + &explorer.get("walk?path=0").to_string();
        assert!(names.contains("onerror") || names.contains("onload"), "the names are in use: {names}");
    });
    let _ = std::fs::remove_dir_all(folder);
}
