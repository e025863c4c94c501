// A state as tables: shared variables apart, then one table for each family of processes with a row (a lane)
// for each member. The tables are built once; from state to state only the texts that differ are changed.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, button, plural } = B.dom;
  const ROWS = 60; // members of a family that are shown at first
  const CELLS = 240; // shared values that are shown at first
  const LONG = 20; // a value with more signs has a line of its own

  /** The family of processes that a lane belongs to, by its place in the model; -1 if there is none. */
  function familyOf(model, lane) {
    const head = (lane ?? "").split("[")[0];
    return (model.processes ?? []).findIndex((family) => family.name === lane || family.name === head);
  }

  /** What a cell is called within its lane: `phase[2]` of `Client[2]` is `phase`. */
  function shortName(cell) {
    const bracket = cell.lane?.indexOf("[") ?? -1;
    const index = bracket < 0 ? "" : cell.lane.slice(bracket);
    const name = cell.name;
    const start = cell.variable.length;
    return index !== "" && name.startsWith(cell.variable + index)
      ? cell.variable + name.slice(start + index.length)
      : name;
  }

  /** The cells of a model, and those of a state that the model does not name. */
  function cellsOf(model, state) {
    const known = model.cells ?? [];
    const names = new Set(known.map((cell) => cell.name));
    const others = Object.keys(state ?? {}).filter((name) => !names.has(name));
    return [...known, ...others.map((name) => ({ name, variable: name.split("[")[0], lane: null }))];
  }

  function sections(model, state) {
    const shared = [];
    const lanes = new Map();
    for (const cell of cellsOf(model, state)) {
      if (cell.lane === null || cell.lane === undefined) shared.push(cell);
      else if (lanes.has(cell.lane)) lanes.get(cell.lane).push(cell);
      else lanes.set(cell.lane, [cell]);
    }
    const families = new Map();
    for (const [lane, cells] of lanes) {
      const head = lane.split("[")[0];
      if (!families.has(head)) families.set(head, []);
      families.get(head).push({ lane, cells });
    }
    return { shared, families };
  }

  class StateTable {
    constructor(model, state, label = "State") {
      this.cells = new Map();
      this.marked = [];
      this.element = h("div.state", { role: "group", "aria-label": label });
      const { shared, families } = sections(model, state);
      if (shared.length > 0) this.element.append(this.pairs("", model.is_net ? "Places" : "Shared", shared, (cell) => cell.name));
      for (const [name, members] of families) this.element.append(this.family(model, name, members));
    }

    value(cell) {
      const node = h("span.value", {}, "");
      this.cells.set(cell.name, { node, last: "" });
      return node;
    }

    /** Names and values, for what needs no table: shared variables, and a process that is alone. */
    pairs(kind, title, cells, nameOf) {
      const pair = (cell) => h("div.pair", {}, h("dt", {}, nameOf(cell)), h("dd", {}, this.value(cell)));
      const list = h("dl.pairs", {}, ...cells.slice(0, CELLS).map(pair));
      const longest = Math.max(...cells.map((cell) => nameOf(cell).length));
      list.style.setProperty("--least", `${Math.min(24, Math.max(11, longest * 0.52 + 4))}rem`);
      const box = h(`section.state-part${kind}`, {}, h("h3", {}, title), list);
      this.more(box, cells.length - CELLS, "value", () => list.append(...cells.slice(CELLS).map(pair)));
      return box;
    }

    family(model, name, members) {
      const hue = `hue-${Math.max(0, familyOf(model, name)) % 8}`;
      if (members.length === 1) {
        const [{ lane, cells }] = members;
        return this.pairs(`.wide-part.${hue}`, h("span.lane-name", {}, lane), cells, shortName);
      }
      const columns = [...new Set(members.flatMap(({ cells }) => cells.map(shortName)))];
      const row = ({ lane, cells }) => {
        const of = new Map(cells.map((cell) => [shortName(cell), cell]));
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, lane),
          ...columns.map((column) => h("td", {}, of.has(column) ? this.value(of.get(column)) : null)),
        );
      };
      const body = h("tbody", {}, ...members.slice(0, ROWS).map(row));
      const table = h(
        "table.lanes-table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, h("th", { scope: "col" }, name), ...columns.map((column) => h("th", { scope: "col" }, column))),
        ),
        body,
      );
      const box = h(
        `section.state-part.${hue}`,
        {},
        h("div.wide", { tabindex: "0", role: "group", "aria-label": `Variables of ${name}` }, table),
      );
      this.more(box, members.length - ROWS, "process", () => body.append(...members.slice(ROWS).map(row)), "processes");
      return box;
    }

    more(box, hidden, one, show, many) {
      if (hidden <= 0) return;
      const open = button(`Show ${plural(hidden, `more ${one}`, many ? `more ${many}` : undefined)}`, {
        kind: "link",
        onclick: () => {
          show();
          open.remove();
          this.update(this.state, this.changed, this.before);
        },
      });
      box.append(open);
    }

    /** Shows a state; `changed` are the names of cells that the last step wrote, `before` the state before it. */
    update(state, changed = [], before = null) {
      this.state = state;
      this.changed = changed;
      this.before = before;
      for (const [name, cell] of this.cells) {
        const text = state[name] ?? "";
        if (cell.last !== text || cell.node.firstChild === null) {
          cell.node.textContent = text;
          cell.last = text;
          if (text.length > LONG) cell.node.closest(".pair")?.classList.add("long"); // from then on, so that it does not jump
        }
      }
      for (const node of this.marked) {
        node.classList.remove("changed");
        node.removeAttribute("title");
      }
      this.marked = [];
      for (const name of changed) {
        const cell = this.cells.get(name);
        if (!cell) continue;
        cell.node.classList.add("changed");
        if (before) cell.node.title = `was ${before[name]}`;
        this.marked.push(cell.node);
      }
    }

    /** Shows beside the values what a step would write; without an argument shows them as they are. */
    preview(changes) {
      for (const node of this.element.querySelectorAll(".would")) node.remove();
      for (const [name, value] of Object.entries(changes ?? {})) {
        this.cells.get(name)?.node.after(h("span.would", {}, ` → ${value}`));
      }
    }
  }

  /** What a step wrote, as a list of `cell: old → new`. */
  function changeList(changes, before) {
    const entries = Object.entries(changes ?? {});
    if (entries.length === 0) return h("p.muted", {}, "It changes nothing.");
    return h(
      "ul.changes",
      {},
      ...entries
        .slice(0, 100)
        .map(([name, value]) =>
          h(
            "li",
            {},
            h("span.cell-name", {}, name),
            " ",
            before ? h("span.old", {}, before[name] ?? "") : null,
            before ? " → " : "",
            h("span.value.changed", {}, value),
          ),
        ),
    );
  }

  B.state = { StateTable, changeList, familyOf, cellsOf, shortName };
})();
