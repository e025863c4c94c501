// A run as a diagram of lanes: time goes to the right, a column for each state, a row for each process. A step
// stands on the border between two states, in the lane of the process that takes it; thin lines lead to the
// lanes that it writes to, and arrows from where an element of a queue or bag is put to where it is taken.
// Below are shared variables, subformulas and fairness units, in the same columns. Only the columns that are
// seen are drawn, so that a run of thousands of steps costs as much as a short one.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, svg, button, stepName, number } = B.dom;
  const { familyOf } = B.state;
  const TOP = 50; // the loop's bracket and the numbers of states
  const HEIGHTS = { lane: 44, slim: 28, wave: 24, truth: 20, unit: 18, gap: 24 };
  const MANY = 12; // rows of a kind that are shown unless one asks for all

  function columnWidth(run) {
    let longest = 4;
    for (const step of run.steps.slice(0, 500)) longest = Math.max(longest, (step.rule || step.process || "").length);
    return Math.min(120, Math.max(60, Math.round(longest * 7 + 22)));
  }

  /** Names of lanes: those that the server gives, or those that step or own cells. */
  function laneNames(model, evidence, run) {
    const given = run.lanes ?? evidence.lanes;
    if (given) return given;
    const owners = (model.cells ?? []).map((cell) => cell.lane).filter((lane) => lane);
    return [...new Set([...run.steps.map((step) => step.process), ...owners])];
  }

  /** A name in two parts, of which the first one gives way: `Philosopher` and `[3]`. */
  function labelParts({ kind, label }) {
    const [, head, tail] = kind === "lane" || kind === "unit" ? /^([^[]*)(\[.*)?$/s.exec(label) : [label, label];
    return [h("span", {}, head), tail ? h("span.label-tail", {}, tail) : null];
  }

  class LaneDiagram {
    /** `run` has steps, states and loop_start; `onselect` is told the index of a state that is clicked. */
    constructor(model, evidence, run, onselect) {
      Object.assign(this, {
        model,
        evidence,
        run,
        onselect,
        at: 0,
        all: { lanes: false, shared: false, units: false },
      });
      this.least = columnWidth(run);
      this.width = this.least;
      this.count = run.states.length;
      this.loop = run.truncated ? null : (run.loop_start ?? null);
      this.canvas = svg("svg.lanes-canvas", { role: "img", "aria-label": this.summary() });
      this.spread = h("div.lanes-spread", {});
      this.spread.append(this.canvas);
      this.scroller = h(
        "div.lanes-scroll",
        { tabindex: "0", role: "group", "aria-label": "Run over time" },
        this.spread,
      );
      this.labels = h("div.lanes-labels", { "aria-hidden": "true" });
      this.folds = h("div.lanes-folds", {});
      this.element = h("div.lanes", {}, h("div.lanes-frame", {}, this.labels, this.scroller), this.folds);
      this.scroller.addEventListener("scroll", () => this.later(), { passive: true });
      this.canvas.addEventListener("click", (event) => this.clicked(event));
      this.watcher = new ResizeObserver(() => this.stretch());
      this.watcher.observe(this.scroller);
      this.arrange();
    }

    /** Few columns share the room that there is. */
    stretch() {
      const room = this.scroller.clientWidth / (this.count + 0.75);
      this.width = Math.max(this.least, Math.min(this.least * 1.9, Math.floor(room)));
      this.spread.style.width = `${(this.count + 0.75) * this.width - 1}px`;
      this.later();
    }

    destroy() {
      this.watcher.disconnect();
    }

    summary() {
      const loop =
        this.loop === null
          ? ""
          : this.run.stutter
            ? ", which then stays in its last state for ever"
            : `, whose states from ${this.loop} on are a loop`;
      return `A run of ${this.run.steps.length} steps${loop}. The arrow keys go from state to state; the state is described below.`;
    }

    /** Decides which rows there are and where each of them is. */
    arrange() {
      this.rows = [];
      this.y = TOP;
      this.laneRows();
      this.sharedRows();
      this.formulaRows();
      this.unitRows();
      this.height = this.y + 10;
      this.label();
      this.fold();
      this.spread.style.height = `${this.height}px`;
      this.stretch();
    }

    add(kind, height, label, more) {
      this.rows.push({ kind, y: this.y, height, label, ...more });
      this.y += height;
    }

    laneRows() {
      const names = laneNames(this.model, this.evidence, this.run);
      const active = new Set(this.run.steps.map((step) => step.process));
      const shown =
        names.length <= MANY || this.all.lanes ? names : names.filter((name) => active.has(name)).slice(0, 60);
      this.hidden = { lanes: names.length - shown.length };
      const owned = new Map();
      for (const cell of this.model.cells ?? []) {
        if (!cell.lane) continue;
        if (!owned.has(cell.lane)) owned.set(cell.lane, []);
        owned.get(cell.lane).push(cell.name);
      }
      this.lanes = new Map();
      for (const name of shown) {
        const slim = shown.length > 16 || !owned.has(name);
        this.lanes.set(name, this.y + (slim ? HEIGHTS.slim / 2 : 14));
        this.add("lane", slim ? HEIGHTS.slim : HEIGHTS.lane, name, {
          name,
          slim,
          cells: owned.get(name) ?? [],
          hue: Math.max(0, familyOf(this.model, name)) % 8,
        });
      }
      this.owner = new Map((this.model.cells ?? []).map((cell) => [cell.name, cell.lane]));
    }

    sharedRows() {
      const changed = new Set();
      for (const step of this.run.steps)
        for (const name of Object.keys(step.changes ?? {})) if (!this.owner.get(name)) changed.add(name);
      const names = [...changed].slice(0, this.all.shared ? 200 : 8);
      this.hidden.shared = changed.size - names.length;
      if (names.length === 0) return;
      this.add("title", HEIGHTS.gap, this.model.is_net ? "Places" : "Shared variables");
      for (const name of names) this.add("wave", HEIGHTS.wave, name, { text: (k) => this.run.states[k][name] ?? "" });
    }

    formulaRows() {
      const rows = this.run.rows ?? this.evidence.rows ?? [];
      if (this.run.kind === "tree" || rows.length === 0) return;
      this.add("title", HEIGHTS.gap, rows.some((row) => row.values) ? "Automaton" : "Formula");
      for (const row of rows.slice(0, 24)) {
        if (row.values) this.add("wave", HEIGHTS.wave, row.text, { text: (k) => row.values[k] ?? "" });
        else this.add("truth", HEIGHTS.truth, row.text, { truths: row.truths, formula: true });
      }
    }

    unitRows() {
      const units = this.run.units ?? this.evidence.units ?? [];
      const shown = units.slice(0, this.all.units ? 200 : MANY);
      this.hidden.units = units.length - shown.length;
      if (shown.length === 0) return;
      this.add("title", HEIGHTS.gap, "Fairness");
      for (const unit of shown) {
        this.add("unit", HEIGHTS.unit, `${unit.unit}`, {
          strength: unit.strength,
          taken: new Set(unit.taken),
          disabled: new Set(unit.disabled),
        });
      }
    }

    label() {
      const entry = (row) => {
        const node = h(
          `div.label.label-${row.kind}${row.formula ? ".formula" : ""}`,
          { title: row.label },
          ...labelParts(row),
          row.strength === "strong" ? h("small", {}, " strong") : null,
        );
        if (row.kind === "lane") node.classList.add(`hue-${row.hue}`);
        node.style.height = `${row.height}px`;
        return node;
      };
      const top = h("div.label.label-top", {}, "state");
      top.style.height = `${TOP}px`;
      this.labels.replaceChildren(top, ...this.rows.map(entry));
    }

    fold() {
      const one = (key, word) =>
        this.hidden[key] > 0 || this.all[key]
          ? button(this.all[key] ? `Fewer ${word}` : `All ${word} (${number(this.hidden[key])} more)`, {
              kind: "link",
              onclick: () => {
                this.all[key] = !this.all[key];
                this.arrange();
              },
            })
          : null;
      this.folds.replaceChildren(
        ...[one("lanes", "processes"), one("shared", this.model.is_net ? "places" : "shared variables"), one("units", "fairness units")].filter(
          Boolean,
        ),
        ...this.legend(),
      );
    }

    /** What the signs stand for that are not explained by words beside them. */
    legend() {
      const has = (kind) => this.rows.some((row) => row.kind === kind);
      const sent = this.run.messages ?? this.evidence.messages ?? [];
      const entry = (kind, word) => h("span", {}, h(`span.sign.sign-${kind}`, {}), word);
      const entries = [
        sent.length > 0 ? entry("message", "sent and taken") : null,
        sent.some((one) => (one.received ?? null) === null) ? entry("lost", "not taken in this run") : null,
        has("truth") ? entry("true", "true") : null,
        has("truth") ? entry("false", "false") : null,
        has("unit") ? entry("taken", "taken") : null,
        has("unit") ? entry("disabled", "disabled") : null,
      ].filter(Boolean);
      return entries.length > 0 ? [h("div.legend", { "aria-hidden": "true" }, ...entries)] : [];
    }

    later() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.draw();
      });
    }

    clicked(event) {
      const x = event.clientX - this.canvas.getBoundingClientRect().left + this.left;
      this.onselect(Math.min(this.count - 1, Math.max(0, Math.floor(x / this.width))));
    }

    /** Marks a state and brings it into view. */
    select(index) {
      this.at = index;
      const x = index * this.width;
      const seen = this.scroller.clientWidth;
      const margin = Math.min(this.width * 1.5, seen / 4);
      if (x - margin < this.scroller.scrollLeft) this.scroller.scrollLeft = Math.max(0, x - margin);
      else if (x + this.width + margin > this.scroller.scrollLeft + seen)
        this.scroller.scrollLeft = x + this.width + margin - seen;
      this.later();
    }

    draw() {
      const seen = this.scroller.clientWidth;
      if (seen === 0) return;
      this.left = this.scroller.scrollLeft;
      this.first = Math.max(0, Math.floor(this.left / this.width) - 1);
      this.end = Math.min(this.count, Math.ceil((this.left + seen) / this.width) + 1);
      this.canvas.setAttribute("width", seen);
      this.canvas.setAttribute("height", this.height);
      this.canvas.setAttribute("viewBox", `${this.left} 0 ${seen} ${this.height}`);
      this.canvas.replaceChildren(
        ...this.ground(),
        ...this.rows.flatMap((row) => this.row(row)),
        svg("rect.here", {
          x: this.at * this.width + 0.5,
          y: 24.5,
          width: this.width - 1,
          height: this.height - 29,
          rx: 6,
        }),
        ...this.effects(),
        ...this.messages(),
        ...this.steps(),
      );
    }

    columns() {
      return Array.from({ length: Math.max(0, this.end - this.first) }, (_, index) => this.first + index);
    }

    /** The loop, and the numbers of states. */
    ground() {
      const parts = [];
      const w = this.width;
      if (this.loop !== null) {
        const from = this.loop * w,
          to = this.count * w;
        parts.push(svg("rect.loop", { x: from, y: 24, width: to - from, height: this.height - 28, rx: 6 }));
        const word = this.run.stutter ? "stays here for ever" : "loop, again and again";
        parts.push(svg("path.loop-line", { d: `M${to - 4} 24V14q0-6-6-6H${from + 12}q-6 0-6 6V18` }));
        parts.push(svg("path.loop-head", { d: `M${from + 2} 17h8l-4 7z` }));
        const middle = Math.min(Math.max((from + to) / 2, this.left + 80), Math.max(to - 90, (from + to) / 2));
        const short = to - from <= 170;
        const half = short ? 24 : 74;
        parts.push(
          svg("rect.loop-back", { x: middle - half, y: 1, width: half * 2, height: 14 }),
          svg("text.loop-word", { x: middle, y: 12 }, short ? (this.run.stutter ? "stays" : "loop") : word),
        );
      }
      for (const k of this.columns()) {
        parts.push(svg(`text.tick${k === this.at ? ".now" : ""}`, { x: (k + 0.5) * w, y: 42 }, String(k)));
      }
      return parts;
    }

    row(row) {
      if (row.kind === "lane") return this.laneRow(row);
      if (row.kind === "wave") return this.wave(row, row.text, row.y + 3, HEIGHTS.wave - 6, "shared");
      if (row.kind === "truth") return this.truthRow(row);
      if (row.kind === "unit") return this.unitRow(row);
      return [
        svg("line.rule", { x1: this.left, x2: this.left + this.scroller.clientWidth, y1: row.y + 6, y2: row.y + 6 }),
      ];
    }

    laneRow(row) {
      const y = this.lanes.get(row.name);
      const parts = [svg(`line.lane-line.hue-${row.hue}`, { x1: 0, x2: this.count * this.width, y1: y, y2: y })];
      if (!row.slim && row.cells.length > 0) {
        const text =
          row.cells.length <= 2
            ? (k) => row.cells.map((name) => this.run.states[k][name] ?? "").join(" · ")
            : (k) => this.changesOf(row, k);
        parts.push(...this.wave(row, text, row.y + 27, 15, `of-lane hue-${row.hue}`));
      }
      return parts;
    }

    /** What the last step wrote in a lane with many cells; the same text as long as it writes nothing. */
    changesOf(row, k) {
      row.last ??= this.lastChanges(row);
      return row.last[k] ?? "";
    }

    lastChanges(row) {
      const mine = new Set(row.cells);
      const texts = [""];
      this.run.steps.forEach((step, k) => {
        const written = Object.entries(step.changes ?? {})
          .filter(([name]) => mine.has(name))
          .map(([name, value]) => `${name.split("[")[0]} = ${value}`);
        texts.push(written.length > 0 ? written.join(", ") : texts[k]);
      });
      return texts;
    }

    /** Values over time: a bar for each stretch of equal values, with the value at its start. */
    wave(row, text, y, height, kind) {
      const parts = [];
      let k = this.first;
      while (k < this.end) {
        const value = text(k);
        let end = k + 1;
        while (end < this.end && text(end) === value) end += 1;
        const from = k * this.width,
          to = end * this.width;
        const starts = k === 0 || text(k - 1) !== value;
        if (value !== "") {
          parts.push(
            svg(`rect.wave.${kind.replaceAll(" ", ".")}`, {
              x: from + (starts ? 2 : 0),
              y,
              width: Math.max(1, to - from - (starts ? 3 : 1)),
              height,
              rx: 3,
            }),
          );
          const x = Math.max(from + 6, Math.min(this.left + 6, to - 20));
          parts.push(this.clipped(value, x, y + height / 2 + 3.5, to - x - 4, "wave-text"));
        }
        k = end;
      }
      return parts;
    }

    clipped(value, x, y, width, kind) {
      const fits = Math.max(1, Math.floor(width / 6.1));
      const signs = [...value];
      const node = svg(
        `text.${kind}`,
        { x, y },
        signs.length <= fits ? value : `${signs.slice(0, Math.max(1, fits - 1)).join("")}…`,
      );
      if (signs.length > fits) node.append(svg("title", {}, value));
      return node;
    }

    truthRow(row) {
      const parts = [];
      const y = row.y + row.height / 2;
      for (const k of this.columns()) {
        const truth = row.truths?.[k];
        const kind = truth === true ? "yes" : truth === false ? "no" : "open";
        parts.push(
          svg(
            `rect.truth.${kind}`,
            {
              x: k * this.width + 2,
              y: kind === "yes" ? y - 6 : y - 1,
              width: this.width - 4,
              height: kind === "yes" ? 12 : 2,
              rx: 2,
            },
            svg(
              "title",
              {},
              `${row.label}: ${truth === null || truth === undefined ? "not known" : truth} in state ${k}`,
            ),
          ),
        );
      }
      return parts;
    }

    unitRow(row) {
      const parts = [];
      const y = row.y + row.height / 2;
      for (const k of this.columns()) {
        if (row.disabled.has(k))
          parts.push(
            svg(
              "rect.disabled",
              { x: k * this.width + 8, y: y - 3.5, width: this.width - 16, height: 7, rx: 3.5 },
              svg("title", {}, `${row.label} is disabled in state ${k}`),
            ),
          );
        if (row.taken.has(k))
          parts.push(
            svg(
              "circle.taken",
              { cx: (k + 1) * this.width, cy: y, r: 5 },
              svg("title", {}, `${row.label} is taken by step ${k + 1}`),
            ),
          );
      }
      if (row.taken.has(this.first - 1)) parts.push(svg("circle.taken", { cx: this.first * this.width, cy: y, r: 5 }));
      return parts;
    }

    /** The steps on the borders of what is seen. */
    borders() {
      const from = Math.max(0, this.first - 1);
      const to = Math.min(this.run.steps.length, this.end + 1);
      return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
    }

    /** Lines from a step to the other lanes that it writes to. */
    effects() {
      const parts = [];
      for (const k of this.borders()) {
        const step = this.run.steps[k];
        const y = this.lanes.get(step.process);
        if (y === undefined) continue;
        const hue = Math.max(0, familyOf(this.model, step.process)) % 8;
        const touched = new Set(
          Object.keys(step.changes ?? {})
            .map((name) => this.owner.get(name))
            .filter((lane) => lane && lane !== step.process && this.lanes.has(lane)),
        );
        for (const lane of touched) {
          const to = this.lanes.get(lane);
          const x = (k + 1) * this.width;
          parts.push(
            svg(`line.effect.hue-${hue}`, { x1: x, x2: x, y1: y, y2: to }),
            svg(`circle.effect-end.hue-${hue}`, { cx: x, cy: to, r: 3.5 }),
          );
        }
      }
      return parts;
    }

    /** Where a step stands; steps of lanes that are not shown stand at the upper edge. */
    place(k) {
      const step = this.run.steps[k];
      return { x: (k + 1) * this.width, y: this.lanes.get(step?.process) ?? TOP };
    }

    messages() {
      const parts = [];
      for (const message of this.run.messages ?? this.evidence.messages ?? []) {
        const from = message.sent ?? -1;
        const to = message.received ?? from + 1;
        if (to + 1 < this.first || from > this.end) continue;
        parts.push(this.message(message, from));
      }
      return parts;
    }

    message(message, from) {
      const start = from < 0 ? { x: 4, y: TOP } : this.place(from);
      const lost = message.received === null || message.received === undefined;
      const end = lost ? { x: start.x + this.width * 0.6, y: start.y + 22 } : this.place(message.received);
      const flat = Math.abs(start.y - end.y) < 4;
      const bend = flat ? -22 : 0;
      const reach = Math.min(40, Math.abs(end.x - start.x) / 2);
      const down = end.y > start.y ? 1 : -1;
      const y1 = start.y + (flat ? -9 : 9 * down),
        y2 = end.y - (flat ? 9 : 11 * down);
      const path = svg(`path.message${lost ? ".lost" : ""}`, {
        d: `M${start.x} ${y1}C${start.x + reach} ${y1 + (flat ? bend : 10 * down)} ${end.x - reach} ${y2 + (flat ? bend : -10 * down)} ${end.x} ${y2}`,
      });
      const head = lost
        ? svg("circle.message-lost", { cx: end.x, cy: y2, r: 3 })
        : svg("path.message-head", {
            d: flat || down > 0 ? `M${end.x - 4} ${y2 - 4}h8l-4 7z` : `M${end.x - 4} ${y2 + 4}h8l-4-7z`,
          });
      return svg(
        "g",
        {},
        path,
        head,
        svg("title", {}, `${message.cell}: ${message.value}${lost ? ", not taken in this run" : ""}`),
      );
    }

    steps() {
      return this.borders().map((k) => this.step(k));
    }

    step(k) {
      const step = this.run.steps[k];
      const { x, y } = this.place(k);
      const hue = Math.max(0, familyOf(this.model, step.process)) % 8;
      const name = step.rule || step.process;
      const wide = Math.min(this.width - 8, Math.max(40, [...name].length * 7 + 24));
      const now = k === this.at - 1;
      return svg(
        `g.step.hue-${hue}${now ? ".now" : ""}`,
        {},
        svg("rect", { x: x - wide / 2, y: y - 10, width: wide, height: 20, rx: 10 }),
        this.clipped(name, x, y + 4, wide - 8, "step-text"),
        svg("title", {}, `${k + 1}. ${stepName(step)}`),
      );
    }
  }

  B.lanes = { LaneDiagram };
})();
