// The picture of a graph: a circle for each node, a line for all edges between two nodes, labels with rules and
// permutations; and the same as a file that needs no style sheet.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { svg, number, plural, ruleName } = B.dom;
  const LABELS = 160; // more edges have labels only where one looks closely,
  const MOST_LABELS = 2000; // and more than that only at the chosen node
  const STYLES = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "opacity",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "paint-order",
  ];

  function arrows() {
    const head = (id, kind) =>
      svg(
        `marker.${kind}`,
        { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
        svg("path", { d: "M0 1 10 5 0 9z" }),
      );
    return svg("defs", {}, head("arrow", "head"), head("arrow-near", "head-near"));
  }

  function radius(node) {
    const size = String(node.orbit ?? "").length;
    return node.orbit ? Math.min(29, 15 + 2.3 * size) : 16;
  }

  /** Everything that is drawn, made in slices of time: `nodes` by id, `edges`, and their `labels` if they are few. */
  async function pictures(found, places) {
    const bundles = new Map();
    for (const edge of found.edges) {
      const key = `${edge.from} ${edge.to}`;
      if (!places.has(edge.from) || !places.has(edge.to)) continue;
      bundles.set(key, [...(bundles.get(key) ?? []), edge]);
    }
    const byId = new Map(found.nodes.map((node) => [node.id, node]));
    const few = bundles.size <= LABELS;
    const breathe = B.layout.breather();
    const made = { nodes: new Map(), edges: [], labels: [] };
    const taken = []; // by labels
    for (const list of bundles.values()) {
      const both = bundles.has(`${list[0].to} ${list[0].from}`);
      made.edges.push(edgePicture(list, byId, places, both, few ? taken : null));
      await breathe();
    }
    for (const node of found.nodes) {
      made.nodes.set(node.id, { node, picture: nodePicture(node, places.get(node.id)) });
      await breathe();
    }
    if (bundles.size <= MOST_LABELS) made.labels = made.edges.map(label);
    return made;
  }

  function nodePicture(node, { x, y }) {
    const r = radius(node);
    const colour = node.colour === true ? "yes" : node.colour === false ? "no" : "plain";
    const text = node.orbit ? number(node.orbit) : String(node.id);
    const fits = node.orbit && text.length > 7 ? `10^${node.orbit.length - 1}` : text;
    return svg(
      `g.node.${colour}${node.initial ? ".initial" : ""}`,
      { transform: `translate(${x} ${y})`, "data-node": node.id },
      node.initial ? svg("circle.ring", { r: r + 4 }) : null,
      svg("circle.disc", { r }),
      svg("text.node-text", { y: 4 }, fits),
      svg(
        "title",
        {},
        `${node.orbit ? `orbit of ${plural(node.orbit, "state")}` : `state ${node.id}`}${node.initial ? ", initial" : ""}`,
      ),
    );
  }

  /** Where the label of an edge stands: off nodes, and off other labels, if there is such a place. */
  function labelPlace(choices, text, places, taken) {
    const wide = Math.max(...text.map((line) => line.length)) * 6 + 6;
    const high = text.length * 13;
    const beyond = (distance, size) => Math.max(0, Math.abs(distance) - size / 2);
    const offNodes = (place) =>
      [...places.values()].every(
        (node) => Math.hypot(beyond(node.x - place.x, wide), beyond(node.y - place.y, high)) > 20,
      );
    const offLabels = (place) =>
      taken.every(
        (one) => beyond(one.x - place.x, wide + one.wide) > 0 || beyond(one.y - place.y, high + one.high) > 0,
      );
    const found =
      choices.find((place) => offNodes(place) && offLabels(place)) ?? choices.find(offLabels) ?? choices[0];
    taken.push({ ...found, wide, high });
    return found;
  }

  /** `taken` are the places of labels; none if there are so many that they are seen from close by only. */
  function edgePicture(list, byId, places, both, taken) {
    const [first] = list;
    const a = places.get(first.from),
      b = places.get(first.to);
    const shape =
      first.from === first.to
        ? loop(a, radius(byId.get(first.from)))
        : curve(a, b, radius(byId.get(first.from)), radius(byId.get(first.to)), both);
    const line = svg(
      "path.edge",
      { d: shape.d, "marker-end": "url(#arrow)" },
      svg(
        "title",
        {},
        list
          .slice(0, 12)
          .map(
            (edge) =>
              `${edge.process ? `${edge.process} · ` : ""}${ruleName(edge)}${edge.permutation ? ` ${edge.permutation}` : ""}`,
          )
          .join("\n"),
      ),
    );
    const text = labelText(list);
    const { x, y } = taken ? labelPlace(shape.places, text, places, taken) : shape.places[0];
    return {
      from: first.from,
      to: first.to,
      line,
      list,
      few: taken !== null,
      text,
      label: null,
      at: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    };
  }

  /** The rules of an edge, and below them its permutations, if there are any. */
  function labelText(list) {
    const names = [...new Set(list.map((one) => one.rule || one.process))];
    const turns = [...new Set(list.map((one) => one.permutation).filter(Boolean))].map(brief);
    return turns.length > 0 ? [short(names), short(turns)] : [short(names)];
  }

  function label(edge) {
    const [names, turns] = edge.text;
    edge.label ??= svg(
      `g.edge-label${edge.few ? "" : ".later"}`,
      { transform: edge.at },
      svg("text", { y: turns ? -3 : 3 }, names),
      turns ? svg("text.turn", { y: 9 }, turns) : null,
    );
    return edge.label;
  }

  /** A permutation without the name of its type, if it moves one type only. */
  function brief(permutation) {
    const one = /^[^(]+?\s*(\([^()]*\))+$/.test(permutation)
      ? permutation.slice(permutation.indexOf("("))
      : permutation;
    return one.length > 16 ? `${one.slice(0, 15)}…` : one;
  }

  function short(words) {
    const text = words[0].length > 22 ? `${words[0].slice(0, 21)}…` : words[0];
    return words.length > 1 ? `${text} +${words.length - 1}` : text;
  }

  function loop({ x, y }, r) {
    return {
      d: `M${x + r * 0.7} ${y - r * 0.7}C${x + r + 26} ${y - r - 14} ${x + r + 26} ${y + r + 14} ${x + r * 0.7 + 2} ${y + r * 0.7 + 2}`,
      places: [{ x: x + r + 26, y }],
    };
  }

  /** A line from rim to rim; bent where it would lie on another one or on nodes between. */
  function curve(a, b, ra, rb, both) {
    const dx = b.x - a.x,
      dy = b.y - a.y;
    const length = Math.hypot(dx, dy) || 1;
    const far = length > 190 || (Math.abs(dx) < 1 && length > 110) || (Math.abs(dy) < 1 && length > 110);
    const bend = (both ? 16 : 0) + (far ? Math.min(70, length * 0.16) : 0);
    const cx = (a.x + b.x) / 2 - (dy / length) * bend,
      cy = (a.y + b.y) / 2 + (dx / length) * bend;
    const la = Math.hypot(cx - a.x, cy - a.y) || 1,
      lb = Math.hypot(cx - b.x, cy - b.y) || 1;
    const x1 = a.x + ((cx - a.x) / la) * ra,
      y1 = a.y + ((cy - a.y) / la) * ra;
    const x2 = b.x + ((cx - b.x) / lb) * (rb + 3),
      y2 = b.y + ((cy - b.y) / lb) * (rb + 3);
    const at = (t) => ({
      x: (1 - t) * (1 - t) * x1 + 2 * t * (1 - t) * cx + t * t * x2,
      y: (1 - t) * (1 - t) * y1 + 2 * t * (1 - t) * cy + t * t * y2,
    });
    return {
      d: `M${x1.toFixed(1)} ${y1.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${x2.toFixed(1)} ${y2.toFixed(1)}`,
      places: [0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2].map(at),
    };
  }

  /** All of a picture as the text of a file, with its styles written into it. */
  function file(canvas, size, background) {
    const copy = canvas.cloneNode(true);
    const from = canvas.querySelectorAll("*"),
      to = copy.querySelectorAll("*");
    from.forEach((node, index) => {
      const style = getComputedStyle(node);
      if (node.closest("defs") && node.tagName !== "path") return;
      for (const name of STYLES) to[index].setAttribute(name, style.getPropertyValue(name));
      if (style.visibility === "hidden" || style.display === "none") to[index].setAttribute("visibility", "hidden");
      to[index].removeAttribute("class");
    });
    const left = -75,
      top = -55,
      width = size.width + 150,
      height = size.height + 110;
    copy.querySelector("g").setAttribute("transform", "");
    copy.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    copy.setAttribute("width", Math.ceil(width));
    copy.setAttribute("height", Math.ceil(height));
    copy.removeAttribute("aria-hidden");
    copy.querySelector("defs").after(svg("rect", { x: left, y: top, width, height, fill: background }));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
  }

  B.picture = { arrows, pictures, label, file };
})();
