// Places in the text of the model: some lines with their numbers, and the part that is meant marked.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h } = B.dom;
  let of = null;
  let lines = [];

  function textOf(model) {
    if (of !== model) {
      of = model;
      lines = (model.source ?? "").split(/\r?\n/);
    }
    return lines;
  }

  /** The word that starts at a column, counted from 1, if nobody says where the part ends. */
  function wordEnd(text, column) {
    const rest = [...text].slice(column - 1).join("");
    const word = /^([\p{L}\p{N}_]+|.)/u.exec(rest);
    return column + [...(word?.[0] ?? " ")].length;
  }

  function line(number, text, place) {
    const marked = place !== null;
    const signs = [...text];
    const from = marked ? Math.max(0, place.column - 1) : 0;
    const to = marked ? Math.max(from + 1, (place.end_column ?? wordEnd(text, place.column)) - 1) : 0;
    const content = marked
      ? [signs.slice(0, from).join(""), h("mark", {}, signs.slice(from, to).join("") || " "), signs.slice(to).join("")]
      : [text];
    return h(
      `div.code-line${marked ? ".here" : ""}`,
      {},
      h("span.line-number", { "aria-hidden": "true" }, String(number)),
      h("code", {}, ...content),
    );
  }

  /** Lines around a place `{line, column, end_column, text}`; `around` is how many on each side. */
  function snippet(model, place, around = 1) {
    const all = textOf(model);
    const at = place.line;
    const box = h("div.code", { role: "group", tabindex: "0", "aria-label": `Line ${at}, column ${place.column}` });
    // A file that the model imports is not here: the place brings its line along.
    if (place.origin) {
      const text = place.text || place.source || "";
      box.append(h("p.muted", {}, `${place.origin}:${at}:${place.column}`), line(at, text, place));
      return box;
    }
    for (let number = Math.max(1, at - around); number <= at + around; number += 1) {
      const text = number === at ? (place.text ?? all[number - 1]) : all[number - 1];
      if (text === undefined || (number !== at && text.trim() === "")) continue;
      box.append(line(number, text, number === at ? place : null));
    }
    return box;
  }

  B.source = { snippet };
})();
