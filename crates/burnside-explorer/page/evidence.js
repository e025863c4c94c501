// Runs that show verdicts: the diagram of lanes, the state that is looked at, and what is true there. The
// property and the state are in the address: `#/evidence/access/7`; for a tree, also the part whose run is
// shown: `#/evidence/fed/3/0.1`.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, button, clear, verdict, stepName, number, plural, notice, typing, say, toast } = B.dom;
  const { StateTable, changeList } = B.state;
  const view = { name: "evidence", title: "Runs", key: "e" };
  const cache = new Map();

  let property = null;
  let evidence = null;
  let run = null;
  let part = null; // of a tree: the path of the part whose run is shown
  let at = 0;
  let diagram = null;
  let table = null;
  let tree = null;
  let turn = 0;

  view.show = (root, args) => {
    property = null;
    view.root = h("div.evidence", {});
    root.append(view.root);
    document.addEventListener("keydown", key);
    view.change(args);
  };

  view.hide = () => {
    document.removeEventListener("keydown", key);
    diagram?.destroy();
    diagram = null;
    tree = null;
    run = null;
  };

  /** Evidence is of a check: another check, or its end, can bring another one. */
  function idOf(status, name) {
    return `${status.run}/${status.state}/${name}`;
  }

  async function fetched(status, name) {
    const id = idOf(status, name);
    if (!cache.has(id)) {
      if (cache.size > 8) cache.clear();
      cache.set(id, await B.api.get("evidence", { property: name }));
    }
    return cache.get(id);
  }

  view.change = async ([name, index, path]) => {
    const mine = (turn += 1);
    const status = await B.check.refresh();
    if (mine !== turn) return;
    if (!name) return overview(status);
    try {
      if (name !== property || evidence !== cache.get(idOf(status, name))) {
        const found = await fetched(status, name);
        if (mine !== turn) return;
        property = name;
        evidence = found;
        frame(status.results.find((result) => result.property === name));
      }
      place(Number.parseInt(index ?? "0", 10) || 0, path);
    } catch (problem) {
      if (mine !== turn) return;
      property = null;
      clear(view.root).append(
        h("h1", {}, "Runs"),
        notice(
          "plain",
          problem.status === 404 ? `There is no run for “${name}”.` : "The run could not be had.",
          h("p", {}, problem.message),
          h("p", {}, h("a", { href: B.app.link("check") }, "Go to the properties")),
        ),
      );
    }
  };

  /** What there is to look at; if that is one run, it is shown at once. */
  function overview(status) {
    property = null;
    const list = status.results.filter((result) => result.evidence);
    if (list.length === 1) return B.app.go(["evidence", list[0].property, "0"], { replace: true });
    clear(view.root).append(h("h1", {}, "Runs"));
    if (list.length === 0) {
      return view.root.append(
        notice(
          "plain",
          "There is no run to show yet.",
          h("p", {}, "A violated property has a run that shows it, and so has a state that is reachable."),
          h(
            "p",
            {},
            h(
              "a",
              { href: B.app.link("check") },
              status.results.length > 0 ? "Go to the properties" : "Check the properties first",
            ),
          ),
        ),
      );
    }
    view.root.append(
      h(
        "div.cards",
        {},
        ...list.map((result) =>
          h(
            "a.card",
            { href: B.app.link("evidence", result.property, 0) },
            h("span.card-head", {}, h("strong", {}, result.property), verdict(result.verdict)),
            h("span.muted", {}, describe(result)),
          ),
        ),
      ),
    );
  }

  function describe(result) {
    const { kind, length } = result.evidence;
    if (kind === "tree") return `${result.kind}: a tree of runs`;
    return `${result.kind}: ${kind === "lasso" ? "a run with a loop" : "a run"}${length === undefined || length === null ? "" : ` of ${plural(length, "step")}`}`;
  }

  function chooser() {
    const list = B.check.status.results.filter((result) => result.evidence);
    if (list.length < 2) return h("h1", {}, property);
    const select = h(
      "select",
      { "aria-label": "Property", onchange: () => B.app.go(["evidence", select.value, "0"]) },
      ...list.map((result) => h("option", { value: result.property }, result.property)),
    );
    select.value = property;
    return h("h1", {}, select);
  }

  /** All that stays while one goes from state to state. */
  function frame(result) {
    diagram?.destroy();
    diagram = null;
    tree = null;
    run = null;
    part = null;
    const known = (B.app.model.properties ?? []).find((one) => one.name === property);
    view.copy = button("Copy link", {
      icon: "link",
      onclick: () => B.dom.copy(location.href, "The link to this state is copied."),
    });
    view.walk = B.api.report ? null : button("Walk from here", { icon: "walk", onclick: walkFromHere });
    view.diagram = h("div.panel.flush", {});
    view.controls = controls();
    view.detail = h("div.detail", {});
    clear(view.root).append(
      h(
        "div.page-head",
        {},
        h("div.head-line", {}, chooser(), result ? verdict(result.verdict) : null),
        h("div.bar", {}, view.copy, view.walk),
      ),
      known?.text && known.text !== property ? h("code.formula.headline", {}, known.text) : "",
      evidence.truncated
        ? notice(
            "plain",
            `The run is longer than what is shown here: ${plural(evidence.truncated, "further step")} left out.`,
          )
        : "",
      fault(evidence.fault),
    );
    if (evidence.kind === "tree") {
      tree = new B.tree.Tree(evidence.tree, (path, position) =>
        B.app.go(["evidence", property, String(position), path]),
      );
      view.root.append(
        h(
          "p.muted",
          {},
          evidence.fair ? "Path quantifiers speak of fair runs only." : "Path quantifiers speak of all runs.",
        ),
        h("div.panel.tree-box", {}, tree.element),
      );
    }
    view.root.append(view.controls, view.diagram, view.detail);
  }

  /** The place of a fault, up to the end of its expression if that stands there in one line. */
  function faultPlace(found) {
    const line = (B.app.model.source ?? "").split(/\r?\n/)[found.line - 1] ?? "";
    const rest = [...line].slice(found.column - 1).join("");
    const whole = found.expression && rest.startsWith(found.expression);
    return whole ? { ...found, end_column: found.column + [...found.expression].length } : found;
  }

  function fault(found) {
    if (!found) return "";
    const where = found.step ? stepName(found.step) : "";
    const during = found.during === "step" ? `In the step ${where}` : [found.during, where].filter(Boolean).join(", ");
    return notice(
      "bad",
      `The run ends in a fault: ${found.message}`,
      h("p.muted", {}, during),
      found.line && !found.origin
        ? B.source.snippet(B.app.model, faultPlace(found))
        : found.expression
          ? h("code.formula", {}, found.expression)
          : null,
    );
  }

  function controls() {
    view.back = button("Back one state", { icon: "back", quiet: true, key: "ArrowLeft", onclick: () => move(-1) });
    view.forth = button("Forward one state", { icon: "forth", quiet: true, key: "ArrowRight", onclick: () => move(1) });
    view.first = button("First state", { icon: "first", quiet: true, key: "Home", onclick: () => to(0) });
    view.last = button("Last state", {
      icon: "last",
      quiet: true,
      key: "End",
      onclick: () => to(run.states.length - 1),
    });
    view.where = h("span.where-now", { role: "status" });
    return h(
      "div.controls",
      {},
      view.first,
      view.back,
      view.where,
      view.forth,
      view.last,
      h("span.hint", { "aria-hidden": "true" }, h("kbd", {}, "←"), h("kbd", {}, "→"), " step"),
    );
  }

  /** The run that is meant, a new diagram if it is another one, and the state in it. */
  function place(index, path) {
    let wanted = evidence;
    if (tree) {
      const chosen = path ?? B.tree.firstRun(evidence.tree) ?? "-";
      const found = B.tree.partAt(evidence.tree, chosen);
      if (!found) return clear(view.detail).append(notice("bad", "This part of the tree does not exist."));
      part = chosen;
      tree.mark(chosen);
      wanted = found.run ?? { kind: "path", steps: [], states: [evidence.state], loop_start: null };
    }
    if (wanted !== run) {
      run = wanted;
      diagram?.destroy();
      diagram = new B.lanes.LaneDiagram(B.app.model, tree ? { lanes: evidence.lanes } : evidence, run, to);
      clear(view.diagram).append(diagram.element);
      table = new StateTable(B.app.model, run.states[0], "The state that is looked at");
      view.side = h("div.side", {});
      view.stateTitle = h("h2", {});
      clear(view.detail).append(h("div.panel", {}, view.stateTitle, table.element), view.side);
    }
    at = Math.min(Math.max(0, index), run.states.length - 1);
    if (at !== index) B.app.note(words()); // a state that the run does not have
    render();
  }

  /** Whether the run has a loop that is shown as a whole. */
  function loops() {
    return (run.loop_start ?? null) !== null && !run.truncated;
  }

  function render() {
    const step = at > 0 ? run.steps[at - 1] : null;
    const looped = loops();
    diagram.select(at);
    table.update(run.states[at], Object.keys(step?.changes ?? {}), at > 0 ? run.states[at - 1] : null);
    view.stateTitle.textContent = `State ${at}`;
    const inLoop = looped && at >= run.loop_start;
    view.where.textContent = `State ${number(at)} of ${number(run.states.length - 1)}${inLoop ? (run.stutter ? ", for ever" : ", in the loop") : ""}`;
    view.first.disabled = at === 0;
    view.back.disabled = at === 0;
    view.last.disabled = at === run.states.length - 1;
    view.forth.disabled = at === run.states.length - 1 && (!looped || Boolean(run.stutter));
    clear(view.side).append(stepPanel(step), ...formulaPanel(), ...fairnessPanel());
    say(`State ${at}. ${step ? `After ${stepName(step)}.` : ""}`);
  }

  function stepPanel(step) {
    const next = run.steps[at];
    const returns = next && at === run.states.length - 1 && loops() && !run.stutter;
    return h(
      "div.panel",
      {},
      h("h2", {}, step ? `Step ${at}` : "Start"),
      step
        ? h("p", {}, h("strong", {}, stepName(step)))
        : h(
            "p.muted",
            {},
            tree && part !== "-" ? "The state that this part of the tree is about." : "The initial state.",
          ),
      step ? changeList(step.changes, run.states[at - 1]) : null,
      next
        ? h(
            "p.next",
            {},
            h("span.muted", {}, "next: "),
            stepName(next),
            returns ? h("span.muted", {}, `, back to state ${run.loop_start}`) : null,
          )
        : null,
      run.stutter && at === run.states.length - 1
        ? h("p.next.muted", {}, "No step is enabled: the run stays here for ever.")
        : null,
    );
  }

  function formulaPanel() {
    const rows = run.rows ?? (tree ? [] : evidence.rows) ?? [];
    if (rows.length === 0) return [];
    const mark = (row) => {
      if (row.values) return h("span.value", {}, row.values[at] ?? "");
      const truth = row.truths?.[at];
      const kind = truth === true ? "yes" : truth === false ? "no" : "open";
      return h(
        `span.truth-mark.${kind}`,
        {},
        B.dom.icon({ yes: "check", no: "cross", open: "question" }[kind]),
        h("span.unseen", {}, { yes: "true", no: "false", open: "not known" }[kind]),
      );
    };
    return [
      h(
        "div.panel",
        {},
        h("h2", {}, rows.some((row) => row.values) ? "The automaton here" : "True here"),
        h(
          "ul.formulas",
          {},
          ...rows.slice(0, 60).map((row) => h("li", {}, mark(row), h("code.formula", {}, row.text))),
        ),
      ),
    ];
  }

  const HOW = {
    executed: (entry) => `taken, first by step ${entry.where + 1}`,
    disabled: (entry) => `not always enabled, as in state ${entry.where}`,
    never_enabled: () => "never enabled in the loop",
    neglected: () => "neglected: the run is not fair to it",
  };

  function fairnessPanel() {
    const list = run.fairness ?? [];
    if (list.length === 0) return [];
    return [
      h(
        "div.panel",
        {},
        h("h2", {}, "Why the loop is fair"),
        h(
          "dl.units",
          {},
          ...list
            .slice(0, 100)
            .map((entry) =>
              h(
                "div",
                {},
                h("dt", {}, entry.unit, entry.strength === "strong" ? h("small", {}, " strong") : null),
                h("dd", {}, (HOW[entry.how] ?? (() => entry.how))(entry)),
              ),
            ),
        ),
        list.length > 100 ? h("p.muted", {}, `and ${number(list.length - 100)} more`) : null,
      ),
    ];
  }

  /** The address of the state at hand. */
  function words() {
    return ["evidence", property, String(at), ...(tree ? [part] : [])];
  }

  function to(index) {
    at = index;
    B.app.note(words());
    place(index, part ?? undefined);
  }

  /** One state on or back; after the last state of a loop comes its first one. */
  function move(by) {
    const last = run.states.length - 1;
    const looped = loops() && !run.stutter;
    if (by > 0 && at === last) return looped ? to(run.loop_start) : undefined;
    to(Math.min(last, Math.max(0, at + by)));
  }

  function key(event) {
    if (!run || typing(event)) return;
    const jump = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (jump !== undefined) move(jump);
    else if (event.key === "Home") to(0);
    else if (event.key === "End") to(run.states.length - 1);
    else return;
    event.preventDefault();
  }

  function same(one, other) {
    return Object.keys(one).every((name) => one[name] === other[name]);
  }

  /** The path of Walk to the state at hand; looked for step by step if the server does not tell it. */
  async function pathTo(index) {
    const known = run.walk ?? (tree ? null : evidence.walk);
    if (known && known.length > index) return known.slice(0, index + 1);
    if (index > 500) throw new Error("This state is too far from the start to be walked to.");
    const initial = (await B.api.get("walk")).initial.find(({ state }) => same(run.states[0], state));
    if (!initial) throw new Error("The run does not start in one of the initial states that are listed.");
    const path = [initial.index];
    for (let k = 0; k < index; k += 1) {
      const { enabled, state } = await B.api.get("walk", { path: path.join(".") });
      const step = enabled.find(
        (one) =>
          one.process === run.steps[k].process &&
          one.rule === run.steps[k].rule &&
          same(run.states[k + 1], { ...state, ...one.changes }),
      );
      if (!step) throw new Error(`Step ${k + 1} is not among the enabled steps that are listed.`);
      path.push(step.index);
    }
    return path;
  }

  async function walkFromHere() {
    try {
      B.app.go(["walk", (await pathTo(at)).join(".")]);
    } catch (problem) {
      toast(problem.message);
    }
  }

  B.evidence = { view };
})();
