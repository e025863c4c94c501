// The properties with their verdicts, and a check with its progress. There is one status, that of the program;
// while a check runs it is asked for a few times a second, by one timer.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, button, clear, verdict, number, plural, seconds, bytes, notice, toast, say } = B.dom;
  const PERIOD = 300;

  const status = { run: null, state: "idle", message: null, progress: null, results: [] };
  const listeners = new Set();
  let timer = 0;
  let asking = false;

  function tell() {
    for (const listener of listeners) listener(status);
  }

  /** Asks once; goes on asking while a check runs. */
  async function refresh() {
    if (asking) return status;
    asking = true;
    clearTimeout(timer);
    try {
      const was = status.state;
      Object.assign(status, { message: null, progress: null }, await B.api.get("check"));
      if (was === "running" && status.state !== "running") say(`The check is ${status.state}. ${summary()}`);
    } catch (problem) {
      Object.assign(status, { state: "failed", message: problem.message, progress: null });
    } finally {
      asking = false;
    }
    tell();
    if (status.state === "running") timer = setTimeout(refresh, PERIOD);
    return status;
  }

  async function start(properties, timeout) {
    try {
      await B.api.post("check", { properties, timeout });
    } catch (problem) {
      toast(problem.message);
    }
    return refresh();
  }

  async function cancel() {
    try {
      await B.api.post("cancel", {});
    } catch (problem) {
      toast(problem.message);
    }
    return refresh();
  }

  function summary() {
    const count = (word) => status.results.filter((result) => result.verdict === word).length;
    return ["violated", "unknown", "holds"]
      .filter((word) => count(word) > 0)
      .map((word) => `${count(word)} ${word === "holds" && count(word) > 1 ? "hold" : word}`)
      .join(", ");
  }

  function evidenceLink(result) {
    if (!result?.evidence) return null;
    const { kind, length } = result.evidence;
    const what = kind === "tree" ? "tree" : kind === "lasso" ? "lasso" : "run";
    const size = length === undefined || length === null || kind === "tree" ? "" : ` of ${plural(length, "step")}`;
    return h("a.evidence-link", { href: B.app.link("evidence", result.property, 0) }, `Open the ${what}${size}`);
  }

  const view = { name: "check", title: "Check", key: "c" };

  view.show = (root) => {
    view.rows = new Map();
    view.timeout = h("input", {
      type: "number",
      min: "1",
      step: "any",
      inputmode: "decimal",
      placeholder: "none",
      "aria-label": "Timeout in seconds",
    });
    view.run = button("Check all", { kind: "primary", icon: "play", onclick: () => launch([]) });
    view.cancel = button("Cancel", { kind: "danger", icon: "stop", onclick: cancel });
    view.tally = h("p.tally", {});
    view.live = h("div.live", { role: "group", "aria-label": "Progress" });
    view.words = h("div", {});
    const bar = h(
      "div.bar",
      {},
      B.api.report ? null : view.run,
      B.api.report ? null : view.cancel,
      B.api.report ? null : h("label.field", {}, h("span", {}, "Timeout"), view.timeout, h("span.unit", {}, "s")),
    );
    const body = h("tbody", {});
    root.append(
      h("div.page-head", {}, h("h1", {}, "Properties"), view.tally, bar),
      view.words,
      view.live,
      propertyTable(body),
      ...warnings(),
    );
    for (const property of properties()) body.append(row(property));
    listeners.add(update);
    update();
    refresh();
  };

  view.hide = () => listeners.delete(update);

  function launch(names) {
    const limit = Number.parseFloat(view.timeout.value);
    return start(names, Number.isFinite(limit) && limit > 0 ? limit : null);
  }

  function properties() {
    const known = B.app.model.properties ?? [];
    const names = new Set(known.map((property) => property.name));
    return [
      ...known,
      ...status.results
        .filter((result) => !names.has(result.property))
        .map((result) => ({ name: result.property, kind: result.kind, text: "" })),
    ];
  }

  function propertyTable(body) {
    const head = ["Property", "Verdict", "States", "Time", "Evidence"].map((word) => h("th", { scope: "col" }, word));
    return h("div.panel", {}, h("table.properties", {}, h("thead", {}, h("tr", {}, ...head)), body));
  }

  function row(property) {
    const again = B.api.report
      ? null
      : button(`Check ${property.name} alone`, { icon: "play", quiet: true, onclick: () => launch([property.name]) });
    const cells = {
      verdict: h("td", { "data-label": "Verdict" }),
      states: h("td.figure", { "data-label": "States" }),
      time: h("td.figure", { "data-label": "Time" }),
      evidence: h("td", { "data-label": "Evidence" }),
      notes: h("div.notes", {}),
      open: property.allowed ? "allowed" : "not checked", // while there is no verdict
    };
    view.rows.set(property.name, cells);
    return h(
      "tr",
      { "data-property": property.name },
      h(
        "th",
        { scope: "row" },
        h("div.property", {}, h("span.property-name", {}, property.name), h("span.kind", {}, property.kind), again),
        property.text && property.text !== property.name ? h("code.formula", {}, property.text) : null,
        cells.notes,
      ),
      cells.verdict,
      cells.states,
      cells.time,
      cells.evidence,
    );
  }

  function update() {
    const running = status.state === "running";
    view.run.disabled = running;
    view.cancel.hidden = !running;
    for (const node of document.querySelectorAll(".properties button.quiet")) node.disabled = running;
    view.tally.textContent = running ? "" : summary();
    clear(view.words);
    if (status.state === "failed")
      view.words.append(notice("bad", "The check failed.", h("p", {}, status.message ?? "")));
    else if (status.state === "cancelled")
      view.words.append(
        notice("plain", "The check was cancelled.", status.message ? h("p", {}, status.message) : null),
      );
    else if (!B.api.report && status.state === "idle" && status.results.length === 0)
      view.words.append(
        notice(
          "plain",
          "Nothing has been checked yet.",
          h("p", {}, "“Check all” looks at every property of the model, with the symmetry that it has."),
        ),
      );
    progress(running);
    for (const [name, cells] of view.rows)
      fillRow(
        cells,
        status.results.find((result) => result.property === name),
        running && (status.progress?.properties ?? []).includes(name),
      );
  }

  function progress(running) {
    view.live.hidden = !running;
    if (!running) return;
    if (view.live.childElementCount === 0) {
      view.figures = h("dl.figures", {});
      view.live.append(
        h("div.meter", { role: "progressbar", "aria-label": "A check is running" }, h("div.meter-fill", {})),
        view.figures,
      );
    }
    const now = status.progress ?? {};
    const names = now.properties ?? [];
    const checking = names.length > 0 ? names.join(", ") : "all properties";
    const figures = [
      ["answered", now.of > 1 ? `${number(now.answered)} of ${number(now.of)}` : ""],
      ["states", now.states === null ? "over 10^19" : number(now.states ?? 0)],
      ["states/s", now.rate ? number(Math.round(now.rate)) : ""],
      ["queue", number(now.queue ?? "")],
      ["depth", number(now.depth ?? "")],
      ["memory", bytes(now.memory)],
      ["time", seconds(now.seconds)],
    ];
    clear(view.figures).append(
      h("div", {}, h("dt", {}, "checking"), h("dd.checking", {}, checking)),
      ...figures
        .filter(([, value]) => value !== "")
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
  }

  /** Whether the model says that it should be so, if it says anything. */
  function expectation(result) {
    if (!result?.expected) return null;
    const met = result.expected === result.verdict;
    if (met) return h("small.expected", {}, "expected");
    return h("small.expected.missed", {}, `not expected: should be ${result.expected}`);
  }

  function fillRow(cells, result, now) {
    const key = now
      ? "now"
      : result
        ? JSON.stringify([result.verdict, result.stats?.states, result.seconds, result.evidence, result.expected])
        : "";
    if (cells.key === key) return;
    cells.key = key;
    clear(cells.verdict).append(
      now
        ? h("span.verdict.now", {}, "checking")
        : result
          ? verdict(result.verdict)
          : h("span.verdict.none", {}, cells.open),
      ...(now ? [] : [expectation(result)].filter(Boolean)),
    );
    cells.states.textContent =
      result?.stats?.states !== undefined && result?.stats?.states !== null ? number(result.stats.states) : "";
    cells.time.textContent = result ? seconds(result.seconds) : "";
    clear(cells.evidence).append(...[evidenceLink(result)].filter(Boolean));
    const limited = result?.within_constraint && "within the constraint";
    const facts = [result?.reason, result?.vacuous, limited, result?.weighed].filter(Boolean).map((fact) => h("p", {}, fact));
    if ((result?.value ?? null) !== null) facts.push(h("p.fact", {}, `greatest value: ${number(result.value)}`));
    clear(cells.notes).append(...facts);
  }

  function warnings() {
    const list = B.app.model.warnings ?? [];
    if (list.length === 0) return [];
    return [
      h("h2", {}, "Warnings"),
      ...list
        .slice(0, 50)
        .map((warning) =>
          h(
            "div.panel.warning",
            {},
            h("p", {}, warning.code ? h("span.code-word", {}, warning.code) : null, " ", warning.message),
            warning.place ? B.source.snippet(B.app.model, warning.place) : null,
            warning.help ? h("p.muted", {}, warning.help) : null,
          ),
        ),
    ];
  }

  B.check = { view, status, refresh, start, listeners, summary };
})();
