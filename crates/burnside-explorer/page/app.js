// The frame: the header, the views, the address, the theme. Everything that a view shows can be told from the
// part of the address after `#`, so that a link shows it again.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, button, clear, notice, typing, number, toast } = B.dom;
  const main = document.getElementById("main");
  const VIEWS = [B.check.view, B.walk.view, B.evidence.view, B.graph.view, B.symmetry.view].filter(
    (view) => !B.api.report || (view.name !== "walk" && (view.name !== "graph" || B.api.has("graph"))),
  );
  let current = null;

  /** The address of words: `link("evidence", "access", 7)` is `#/evidence/access/7`. */
  function link(...words) {
    return `#/${words.map((word) => encodeURIComponent(String(word))).join("/")}`;
  }

  /** The address says where the view that is shown has gone by itself; the one before is forgotten. */
  function note(words) {
    history.replaceState(null, "", link(...words));
  }

  /** Goes to an address; with `replace` the one before is forgotten. */
  function go(words, { replace, query } = {}) {
    const pairs = Object.entries(query ?? {}).filter(
      ([, value]) => value !== null && value !== undefined && value !== "",
    );
    const target =
      link(...words) +
      (pairs.length > 0 ? `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}` : "");
    if (target === location.hash) return;
    if (replace) {
      history.replaceState(null, "", target);
      route();
    } else location.hash = target;
  }

  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function parse() {
    const [path, values] = location.hash.replace(/^#\/?/, "").split("?");
    const words = path
      .split("/")
      .filter((word) => word !== "")
      .map(decode);
    const query = Object.fromEntries(
      (values ?? "")
        .split("&")
        .filter(Boolean)
        .map((pair) => /^([^=]*)=?(.*)$/s.exec(pair).slice(1).map(decode)),
    );
    return { name: words[0] ?? "check", args: words.slice(1), query };
  }

  function route() {
    const { name, args, query } = parse();
    const known = VIEWS.find((one) => one.name === name);
    if (!known) {
      note([VIEWS[0].name]);
      toast(`There is no view “${name}”.`);
    }
    const view = known ?? VIEWS[0];
    for (const item of document.querySelectorAll("nav.views a")) {
      if (item.dataset.view === view.name) item.setAttribute("aria-current", "page");
      else item.removeAttribute("aria-current");
    }
    document.title = `${view.title} · ${B.app.model.name} · Burnside`;
    if (view === current && view.change) return view.change(args, query);
    const first = current === null;
    current?.hide?.();
    current = view;
    document.body.dataset.view = view.name;
    const root = h("div.view", {});
    clear(main).append(root);
    view.show(root, args, query);
    if (!first) {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  // ---- light and dark

  function stored(value) {
    try {
      if (value !== undefined) localStorage.setItem("burnside-theme", value);
      return localStorage.getItem("burnside-theme");
    } catch {
      return null;
    }
  }

  function dark() {
    const set = document.documentElement.dataset.theme;
    return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function themeButton() {
    const set = stored();
    if (set === "dark" || set === "light") document.documentElement.dataset.theme = set;
    const node = button("Dark theme", {
      icon: "theme",
      quiet: true,
      "aria-pressed": String(dark()),
      id: "theme",
      onclick: () => {
        document.documentElement.dataset.theme = dark() ? "light" : "dark";
        stored(document.documentElement.dataset.theme);
        node.setAttribute("aria-pressed", String(dark()));
      },
    });
    return node;
  }

  // ---- header and help

  function header() {
    const { model } = B.app;
    const constants = Object.entries(model.constants ?? {});
    const busy = h("span.busy", { hidden: true, title: "A check is running" });
    B.check.listeners.add((status) => {
      busy.hidden = status.state !== "running";
    });
    const file = (model.name ?? "").replace(/^.*[/\\]/, "");
    return [
      h("a.brand", { href: link("check"), "aria-label": "Burnside: properties" }, logo(), h("span", {}, "Burnside")),
      h(
        "div.model-name",
        {},
        h("strong", { title: model.name }, file),
        ...constants.slice(0, 6).map(([name, value]) => h("span.chip", {}, `${name} = ${value}`)),
        constants.length > 6 ? h("span.muted", {}, `+${number(constants.length - 6)}`) : null,
      ),
      h(
        "nav.views",
        { "aria-label": "Views" },
        ...VIEWS.map((view) =>
          h(
            "a",
            { href: link(view.name), "data-view": view.name, title: `${view.title} (${view.key})` },
            view.title,
            view.name === "check" ? busy : null,
          ),
        ),
      ),
      h(
        "div.tools",
        {},
        themeButton(),
        button("Keys", { quiet: true, icon: "question", key: "?", onclick: () => help.showModal() }),
      ),
    ];
  }

  function logo() {
    const { svg } = B.dom;
    return svg(
      "svg.logo",
      { viewBox: "0 0 32 32", "aria-hidden": "true" },
      svg("circle.orbit", { cx: 16, cy: 16, r: 10 }),
      svg("circle.one", { cx: 16, cy: 6, r: 4.5 }),
      svg("circle.other", { cx: 7.3, cy: 21, r: 4.5 }),
      svg("circle.other", { cx: 24.7, cy: 21, r: 4.5 }),
    );
  }

  const KEYS = [
    [VIEWS.map((view) => view.key).join(" "), VIEWS.map((view) => view.title).join(", ")],
    ["← →", "Runs: one state back or on; after the last state of a loop comes its first"],
    ["Home End", "Runs: the first and the last state"],
    ["PgUp PgDn", "Runs: ten states back or on"],
    ["1 … 9", "Walk: take an enabled step"],
    ["u  r", "Walk: undo, a random step"],
    ["← → ↑ ↓", "Graph: from node to node; trees: unfold and move"],
    ["Enter", "Graph: the neighbourhood of a node; trees: show a run"],
    ["+ − 0", "Graph: zoom in, zoom out, fit"],
    ["?", "this list"],
  ];

  const help = h(
    "dialog.help",
    { "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h(
      "dl",
      {},
      ...KEYS.filter(([, what]) => !B.api.report || !what.startsWith("Walk:")).map(([keys, what]) =>
        h(
          "div",
          {},
          h(
            "dt",
            {},
            ...keys
              .split(" ")
              .filter(Boolean)
              .map((key) => (key === "…" ? "…" : h("kbd", {}, key))),
          ),
          h("dd", {}, what),
        ),
      ),
    ),
    h("form", { method: "dialog" }, h("button.primary", { type: "submit" }, "Close")),
  );

  function key(event) {
    if (typing(event) || event.defaultPrevented || help.open) return;
    if (event.key === "?") return help.showModal();
    const view = VIEWS.find((one) => one.key === event.key);
    if (view && view !== current) go([view.name]);
  }

  async function start() {
    document.getElementById("skip").addEventListener("click", () => main.focus());
    document.body.append(help);
    try {
      B.app.model = await B.api.get("model");
    } catch (problem) {
      return main.append(notice("bad", "The model could not be had.", h("p", {}, problem.message)));
    }
    document.getElementById("top").append(...header());
    document.addEventListener("keydown", key);
    addEventListener("hashchange", route);
    await B.check.refresh();
    route();
  }

  B.app = { model: null, link, go, note };
  start();
})();
