// Evidence of branching time as a tree to unfold. A part says which formula it is about, whether that is true
// in its state, and what shows it; parts below are built when they are asked for. A part with a run can be
// chosen, and its run is then shown as lanes.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, button, icon, plural } = B.dom;

  const SHOWN = {
    condition: () => "seen in the state itself",
    sides: (part) => (part.children?.length > 1 ? "both sides show it" : "one side shows it"),
    value: (part) => `shown by one value (number ${part.number})`,
    run: (part) => `shown by a run of ${plural(part.run.steps.length, "step")}`,
    everywhere: () => "it is about all runs or all values",
    omitted: () => "its run is left out: the tree has too many",
  };

  /** The part at a path such as `0.2.1`; the root is `-`. */
  function partAt(tree, path) {
    let part = tree;
    for (const index of path === "-" ? [] : path.split(".")) part = part?.children?.[Number(index)];
    return part ?? null;
  }

  function below(path, index) {
    return path === "-" ? String(index) : `${path}.${index}`;
  }

  /** The first part with a run, from a path downwards. */
  function firstRun(tree, path = "-") {
    const part = partAt(tree, path);
    if (part?.run) return path;
    for (let index = 0; index < (part?.children?.length ?? 0); index += 1) {
      const found = firstRun(tree, below(path, index));
      if (found !== null) return found;
    }
    return null;
  }

  class Tree {
    /** `onselect` is told the path of a part whose run is asked for, and the position to start at. */
    constructor(tree, onselect) {
      Object.assign(this, { tree, onselect, items: new Map() });
      this.element = h("ul.tree", { role: "tree", "aria-label": "Why the formula is true or false" });
      this.element.append(this.item(tree, "-", 1));
      this.element.addEventListener("keydown", (event) => this.key(event));
      this.items.get("-").row.tabIndex = 0;
      this.unfold("-");
    }

    item(part, path, level) {
      const many = part.children?.length ?? 0;
      const group = many > 0 ? h("ul", { role: "group", hidden: true }) : null;
      const values = Object.entries(part.values ?? {}).map(([name, value]) => h("span.chip", {}, `${name} = ${value}`));
      const where = part.position === undefined ? null : h("span.chip.where", {}, `state ${part.position}`);
      const run = part.run ? button("Show this run", { kind: "small", icon: "forth", tabindex: "-1", onclick: () => this.onselect(path, 0) }) : null;
      const row = h("div.tree-row", { tabindex: "-1", role: "treeitem", "aria-level": level, "aria-expanded": group ? "false" : null },
        h("span.twist", { "aria-hidden": "true" }, group ? icon("forth") : null),
        h(`span.truth-mark.${part.truth ? "yes" : "no"}`, {}, icon(part.truth ? "check" : "cross"), h("span.unseen", {}, part.truth ? "true: " : "false: ")),
        h("code.formula", {}, part.formula), where, ...values, h("span.muted", {}, (SHOWN[part.shown_by] ?? (() => part.shown_by))(part)), run);
      row.addEventListener("click", (event) => {
        if (event.target.closest("button")) return;
        this.focus(path);
        this.toggle(path);
      });
      this.items.set(path, { part, path, row, group, level, open: false });
      return h("li", { role: "none" }, row, group);
    }

    unfold(path) {
      const item = this.items.get(path);
      if (!item?.group || item.open) return;
      if (item.group.childElementCount === 0) {
        item.part.children.forEach((child, index) => item.group.append(this.item(child, below(path, index), item.level + 1)));
      }
      item.group.hidden = false;
      item.open = true;
      item.row.setAttribute("aria-expanded", "true");
    }

    toggle(path) {
      const item = this.items.get(path);
      if (!item.group) return;
      if (!item.open) return this.unfold(path);
      item.group.hidden = true;
      item.open = false;
      item.row.setAttribute("aria-expanded", "false");
    }

    focus(path) {
      for (const item of this.items.values()) item.row.tabIndex = -1;
      const item = this.items.get(path);
      item.row.tabIndex = 0;
      item.row.focus();
    }

    /** Unfolds the way to a part and marks it as the one whose run is shown. */
    mark(path) {
      const parts = path === "-" ? [] : path.split(".");
      let walked = "-";
      for (const index of parts) {
        this.unfold(walked);
        walked = below(walked, index);
      }
      for (const item of this.items.values()) item.row.classList.toggle("chosen", item.path === path);
      this.unfold(path);
    }

    key(event) {
      const rows = [...this.element.querySelectorAll(".tree-row")].filter((row) => row.offsetParent !== null);
      const at = rows.indexOf(document.activeElement);
      const item = [...this.items.values()].find((one) => one.row === document.activeElement);
      if (!item) return;
      const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
      if (to !== undefined) {
        if (rows[to]) this.focus([...this.items.values()].find((one) => one.row === rows[to]).path);
      } else if (event.key === "ArrowRight" && !item.open && item.group) this.unfold(item.path);
      else if (event.key === "ArrowLeft" && item.open) this.toggle(item.path);
      else if (event.key === "Enter" && item.part.run) this.onselect(item.path, 0);
      else if (event.key === "Enter" || event.key === " ") this.toggle(item.path);
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  }

  B.tree = { Tree, partAt, firstRun };
})();
