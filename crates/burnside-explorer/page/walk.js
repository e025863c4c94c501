// A walk through the model, one step at a time. The path is the address: `#/walk/0.3.1` is the initial state 0,
// then the enabled step 3, then the enabled step 1. So a link reproduces a walk, and going back is undoing.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, button, clear, ruleName, stepName, number, plural, notice, typing, say } = B.dom;
  const { StateTable, changeList, familyOf } = B.state;
  const view = { name: "walk", title: "Walk", key: "w" };
  const names = new Map(); // path as text -> its last step, for those that were walked here
  const TRAIL = 40;

  let path = null;
  let from = 0;
  let shown = null; // the answer that is shown
  let before = null; // the state before it, if it was seen
  let table = null;
  let turn = 0;

  function go(next, options) {
    B.app.go(["walk", next.join(".")], options);
  }

  view.show = (root, args) => {
    path = null;
    shown = null;
    table = null;
    view.words = h("div", {});
    view.state = h("div.panel.walk-state", {});
    view.choices = h("div.walk-choices", {});
    view.trail = h("nav.trail", { "aria-label": "The steps so far" });
    view.undo = button("Undo", { icon: "undo", key: "u", onclick: undo });
    view.random = button("Random step", { icon: "dice", key: "r", onclick: random });
    view.restart = button("Start again", { icon: "restart", onclick: () => B.app.go(["walk"]) });
    view.copy = button("Copy link", {
      icon: "link",
      onclick: () => B.dom.copy(location.href, "The link to this walk is copied."),
    });
    root.append(
      h("div.page-head", {}, h("h1", {}, "Walk"), h("div.bar", {}, view.undo, view.random, view.restart, view.copy)),
      view.trail,
      view.words,
      h("div.walk", {}, view.state, view.choices),
    );
    document.addEventListener("keydown", key);
    view.change(args);
  };

  view.hide = () => document.removeEventListener("keydown", key);

  view.change = async (args) => {
    const text = args[0] ?? "";
    if (text !== "" && !/^\d+(\.\d+)*$/.test(text))
      return wrong(new Error(`“${text}” is no path: numbers with dots between them are expected.`));
    const next = text === "" ? [] : text.split(".").map(Number);
    const was = shown;
    from = 0;
    path = next;
    const mine = (turn += 1);
    try {
      const answer = await B.api.get("walk", path.length === 0 ? {} : { path: text });
      if (mine !== turn) return;
      if (path.length === 0) return choose(answer);
      before =
        was && was.path.length === next.length - 1 && was.path.every((value, index) => value === next[index])
          ? was.state
          : null;
      show(answer);
    } catch (problem) {
      if (mine === turn) wrong(problem);
    }
  };

  function wrong(problem) {
    clear(view.state);
    clear(view.choices);
    clear(view.trail);
    table = null;
    for (const node of [view.undo, view.random]) node.disabled = true;
    clear(view.words).append(
      notice(
        "bad",
        "This walk does not exist.",
        h("p", {}, problem.message),
        h("p", {}, h("a", { href: B.app.link("walk") }, "Start again")),
      ),
    );
  }

  /** Several initial states: one is chosen; a single one is no choice. */
  function choose(answer) {
    if (answer.initial_total === 1) return go([0], { replace: true });
    clear(view.words);
    clear(view.trail);
    clear(view.state);
    clear(view.choices);
    table = null;
    for (const node of [view.undo, view.random]) node.disabled = true;
    if (answer.initial_total === 0) return view.words.append(notice("bad", "The model has no initial state."));
    const list = answer.initial.slice(0, 200).map(({ index, state }) =>
      h(
        "button.initial",
        { type: "button", onclick: () => go([index]) },
        h("strong", {}, `Initial state ${index}`),
        h(
          "span.value",
          {},
          Object.entries(state)
            .slice(0, 40)
            .map(([name, value]) => `${name} = ${value}`)
            .join(", "),
        ),
      ),
    );
    view.state.append(
      h("h2", {}, `Choose one of ${plural(answer.initial_total, "initial state")}`),
      h("div.initials", {}, ...list),
    );
  }

  function show(answer) {
    shown = answer;
    if (answer.step) names.set(path.join("."), answer.step);
    if (names.size > 5000) names.clear();
    (answer.trail ?? []).forEach((step, index, all) =>
      names.set(path.slice(0, path.length - all.length + index + 1).join("."), step),
    );
    clear(view.words);
    if (answer.outside) view.words.append(notice("plain", "Outside of the constraint: nothing is tried here."));
    if (answer.deadlock) view.words.append(notice("plain", "Deadlock: no step is enabled here."));
    view.undo.disabled = path.length <= 1;
    view.random.disabled = takeable(answer.enabled).length === 0;
    if (!table) {
      table = new StateTable(B.app.model, answer.state, "The state at hand");
      view.heading = h("h2", {});
      view.last = h("div.walk-last", {});
      view.truths = h("div.truths", {});
      clear(view.state).append(view.heading, view.last, view.truths, table.element);
    }
    table.preview();
    table.update(answer.state, answer.changes ?? [], before);
    heading(answer);
    trail();
    choices(answer);
    say(
      `${path.length === 1 ? "Initial state" : `State after ${plural(path.length - 1, "step")}`}. ${plural(answer.enabled_total, "step is", "steps are")} enabled.`,
    );
  }

  function heading(answer) {
    view.heading.textContent =
      path.length === 1
        ? answer.initial_total > 1
          ? `Initial state ${path[0]}`
          : "Initial state"
        : `After ${plural(path.length - 1, "step")}`;
    clear(view.last);
    if (answer.step) {
      const changes = Object.fromEntries((answer.changes ?? []).map((name) => [name, answer.state[name]]));
      view.last.append(h("p", {}, h("strong", {}, stepName(answer.step))), changeList(changes, before));
    }
    clear(view.truths).append(
      ...Object.entries(answer.truths ?? {}).map(([name, truth]) =>
        h(
          `span.chip${chipOf(name, truth)}`,
          {},
          B.dom.icon(truth ? "check" : "cross"),
          `${name}: ${truth === null ? "no value" : truth}`,
        ),
      ),
    );
  }

  /** What is reachable need not be true here, and an invariant must. */
  function chipOf(name, truth) {
    const kind = (B.app.model.properties ?? []).find((property) => property.name === name)?.kind;
    if (kind === "reachable") return truth ? ".reached" : "";
    return truth ? ".yes" : ".no";
  }

  function trail() {
    clear(view.trail);
    if (path.length <= 1) return;
    const first = Math.max(1, path.length - TRAIL);
    const link = (length, word) =>
      length === path.length
        ? h("span.crumb.now", { "aria-current": "step" }, word)
        : h("a.crumb", { href: B.app.link("walk", path.slice(0, length).join(".")) }, word);
    view.trail.append(link(1, "start"));
    if (first > 1) view.trail.append(h("span.muted", {}, `… ${plural(first - 1, "step")} …`));
    for (let length = first + 1; length <= path.length; length += 1) {
      const step = names.get(path.slice(0, length).join("."));
      view.trail.append(link(length, step ? stepName(step) : `step ${path[length - 1]}`));
    }
    view.trail.scrollLeft = view.trail.scrollWidth;
  }

  /** The enabled steps, grouped by process. */
  function choices(answer) {
    clear(view.choices);
    const many = answer.enabled_total > answer.enabled.length;
    view.choices.append(
      h("h2", {}, answer.enabled_total === 0 ? "No step is enabled" : plural(answer.enabled_total, "enabled step")),
    );
    if (many) view.choices.append(pager(answer));
    const groups = new Map();
    for (const step of answer.enabled) {
      const name = step.rule ? step.process : "Transitions";
      groups.set(name, [...(groups.get(name) ?? []), step]);
    }
    let count = 0;
    const order = (name) => familyOf(B.app.model, name);
    const longest = Math.max(0, ...[...groups.keys()].map((name) => name.length));
    view.choices.style.setProperty("--names", `${Math.min(11, Math.max(5.6, longest * 0.53 + 0.6))}rem`);
    const sorted = [...groups].sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b, "en", { numeric: true }));
    for (const [process, steps] of sorted) {
      const hue = Math.max(0, familyOf(B.app.model, process)) % 8;
      view.choices.append(
        h(
          `section.choice-group.hue-${hue}`,
          {},
          h("h3", {}, process),
          h("div.choice-list", {}, ...steps.map((step) => choice(step, (count += 1)))),
        ),
      );
    }
  }

  function choice(step, count) {
    const short = Object.entries(step.changes ?? {})
      .slice(0, 4)
      .map(([name, value]) => `${name} = ${value}`)
      .join(", ");
    const more = Object.keys(step.changes ?? {}).length > 4 ? ", …" : "";
    const node = h(
      `button.choice${step.fault ? ".faulty" : ""}`,
      {
        type: "button",
        disabled: Boolean(step.fault),
        "data-index": step.index,
        onclick: () => go([...path, step.index]),
        onmouseenter: () => table.preview(step.changes),
        onmouseleave: () => table.preview(),
        onfocus: () => table.preview(step.changes),
        onblur: () => table.preview(),
      },
      count <= 9 && !step.fault ? h("kbd", { "aria-hidden": "true" }, String(count)) : null,
      h("span.choice-name", {}, ruleName(step)),
      h("span.choice-changes", {}, step.fault ?? (short === "" ? "changes nothing" : short + more)),
    );
    return node;
  }

  function pager(answer) {
    const size = 200;
    const turnTo = async (next) => {
      try {
        const page = await B.api.get("walk", { path: path.join("."), from: next });
        from = next;
        shown = { ...answer, ...page };
        choices(shown);
      } catch (problem) {
        B.dom.toast(problem.message);
      }
    };
    return h(
      "div.pager",
      {},
      button("Earlier steps", {
        icon: "back",
        quiet: true,
        disabled: from === 0,
        onclick: () => turnTo(Math.max(0, from - size)),
      }),
      h("span", {}, `${number(from + 1)} to ${number(from + answer.enabled.length)}`),
      button("Further steps", {
        icon: "forth",
        quiet: true,
        disabled: from + answer.enabled.length >= answer.enabled_total,
        onclick: () => turnTo(from + size),
      }),
    );
  }

  function takeable(steps) {
    return steps.filter((step) => !step.fault);
  }

  function undo() {
    if (path?.length > 1) go(path.slice(0, -1));
  }

  /** One of all enabled steps, also of those that are on another page of the list. */
  async function random() {
    if (!shown || takeable(shown.enabled).length === 0) return;
    let steps = takeable(shown.enabled);
    const start = Math.floor(Math.random() * Math.ceil(shown.enabled_total / 200)) * 200;
    if (start !== from && shown.enabled_total > shown.enabled.length) {
      const page = await B.api.get("walk", { path: path.join("."), from: start });
      steps = takeable(page.enabled).length > 0 ? takeable(page.enabled) : steps;
    }
    go([...path, steps[Math.floor(Math.random() * steps.length)].index]);
  }

  function key(event) {
    if (typing(event)) return;
    if (event.key === "u" || event.key === "Backspace") undo();
    else if (event.key === "r") random();
    else if (/^[1-9]$/.test(event.key)) view.choices.querySelectorAll(".choice")[Number(event.key) - 1]?.click();
    else return;
    event.preventDefault();
  }

  B.walk = { view };
})();
