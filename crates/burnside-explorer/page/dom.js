// Elements, icons and words. What comes from a model reaches the page through `h` and `svg` only, as text
// nodes and attributes that no browser runs: there is no innerHTML anywhere, and no handler as a text.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, properties, children) {
    for (const [key, value] of Object.entries(properties ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value === true ? "" : String(value));
    }
    node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  /** An element: `h("button.primary", {type: "button", onclick: f}, "Check")`. */
  function h(name, properties, ...children) {
    const [tag, ...classes] = name.split(".");
    const node = document.createElement(tag);
    if (classes.length > 0) node.className = classes.join(" ");
    return fill(node, properties, children);
  }

  /** The same for SVG. */
  function svg(name, properties, ...children) {
    const [tag, ...classes] = name.split(".");
    const node = document.createElementNS(SVG, tag);
    if (classes.length > 0) node.setAttribute("class", classes.join(" "));
    return fill(node, properties, children);
  }

  const ICONS = {
    first: "M4 3v10M13 3 6.5 8 13 13z",
    back: "M11 3 4.5 8 11 13z",
    forth: "M5 3l6.5 5L5 13z",
    last: "M12 3v10M3 3l6.5 5L3 13z",
    undo: "M6 4 2.5 7.5 6 11M3 7.5h6.5a3.5 3.5 0 0 1 0 7H7",
    dice: "M3 3h10v10H3zM6 6h.01M10 10h.01M10 6h.01M6 10h.01M8 8h.01",
    restart: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5h2.5",
    link: "M6.5 9.5l3-3M7 4.5l1.3-1.3a3.1 3.1 0 0 1 4.4 4.4L11.4 9M9 11.5l-1.3 1.3a3.1 3.1 0 0 1-4.4-4.4L4.6 7",
    walk: "M3 13V9.5l5-2 5-5M9.5 2.5H13V6",
    check: "M3 8.5 6.5 12 13 4.5",
    cross: "M4 4l8 8M12 4l-8 8",
    question: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.6 8 9 8 10M8 12.6h.01",
    stop: "M4 4h8v8H4z",
    play: "M5 3l8 5-8 5z",
    plus: "M8 3v10M3 8h10",
    minus: "M3 8h10",
    fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
    save: "M8 2.5V10M4.5 7 8 10.5 11.5 7M3 13.5h10",
    theme: "M13 9.5A5.5 5.5 0 1 1 6.5 3 4.4 4.4 0 0 0 13 9.5z",
    near: "M8 8h.01M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11",
  };
  const SOLID = new Set(["first", "back", "forth", "last", "stop", "play"]);

  /** A small picture without a name of its own: what it stands on has one. */
  function icon(name) {
    return svg(`svg.icon${SOLID.has(name) ? ".solid" : ""}`, { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
  }

  /** A button with a picture; with `quiet` the words are its accessible name only. */
  function button(words, { icon: picture, quiet, kind, key, ...properties } = {}) {
    const hint = key ? `${words} (${key})` : words;
    return h(`button${kind ? `.${kind}` : ""}${quiet ? ".quiet" : ""}`,
      { type: "button", title: quiet || key ? hint : null, "aria-label": quiet ? words : null, "aria-keyshortcuts": key, ...properties },
      picture ? icon(picture) : null, quiet ? null : h("span", {}, words));
  }

  function clear(node) {
    node.replaceChildren();
    return node;
  }

  const VERDICTS = { holds: "check", violated: "cross", unknown: "question" };

  /** The mark of a verdict: a picture, a word and a colour. */
  function verdict(word) {
    return h(`span.verdict.${VERDICTS[word] ? word : "none"}`, {}, VERDICTS[word] ? icon(VERDICTS[word]) : null, h("span", {}, word ?? "not checked"));
  }

  /** A number for people: `5,632`; a long one as a power of ten. */
  function number(value) {
    const text = String(value ?? "");
    if (!/^\d+$/.test(text)) return text;
    if (text.length > 18) return `${text[0]}.${text.slice(1, 4)} × 10^${text.length - 1}`;
    return text.replace(/\B(?=(\d{3})+$)/g, ",");
  }

  function plural(count, one, many) {
    return `${number(count)} ${Number(count) === 1 ? one : (many ?? `${one}s`)}`;
  }

  function seconds(value) {
    if (value === null || value === undefined) return "";
    return value < 10 ? `${value.toFixed(2)} s` : value < 120 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  }

  function bytes(value) {
    if (!value) return "";
    let left = value, unit = 0;
    while (left >= 1024 && unit < 4) { left /= 1024; unit += 1; }
    return `${left < 10 && unit > 0 ? left.toFixed(1) : Math.round(left)} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
  }

  /** The name of a step: `grant(c = 2)`; in a net a transition has no rule. */
  function ruleName(step) {
    const given = Object.entries(step.arguments ?? {}).map(([name, value]) => `${name} = ${value}`);
    const rule = step.rule || step.process || "step";
    return given.length > 0 ? `${rule}(${given.join(", ")})` : rule;
  }

  function stepName(step) {
    return step.rule && step.process ? `${step.process} · ${ruleName(step)}` : ruleName(step);
  }

  let fading = 0;

  /** A message that goes away by itself. */
  function toast(text) {
    const node = document.getElementById("toast");
    node.textContent = text;
    node.classList.add("shown");
    clearTimeout(fading);
    fading = setTimeout(() => node.classList.remove("shown"), 3500);
  }

  /** What a screen reader says; nothing is seen. */
  function say(text) {
    document.getElementById("spoken").textContent = text;
  }

  /** Puts a text on the clipboard; where that is refused, shows it to be copied by hand. */
  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      toast(done);
    } catch {
      const field = h("input", { readonly: true, "aria-label": "The text to copy", class: "aside-copy" });
      field.value = text;
      document.body.append(field);
      field.select();
      const copied = document.execCommand("copy");
      field.remove();
      if (copied) toast(done);
      else globalThis.prompt("Copy this:", text);
    }
  }

  /** A box that says what is wrong, or that there is nothing. */
  function notice(kind, title, ...rest) {
    return h(`div.notice.${kind}`, { role: kind === "bad" ? "alert" : null }, h("p.notice-title", {}, title), ...rest);
  }

  /** Whether a key press belongs to a field that is written in. */
  function typing(event) {
    return event.altKey || event.ctrlKey || event.metaKey || Boolean(event.target.closest?.("input, select, textarea, [contenteditable]"));
  }

  B.dom = { h, svg, icon, button, clear, verdict, number, plural, seconds, bytes, ruleName, stepName, toast, say, copy, notice, typing };
})();
