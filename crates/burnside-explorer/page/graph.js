// The state graph or its quotient: layers by depth, orbit sizes on nodes, permutations on edges. A graph that
// is too large for one picture is looked at by neighbourhoods. What is asked for is in the address:
// `#/graph/quotient?colour=…&around=7`.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, svg, button, clear, icon, number, plural, ruleName, notice, typing, say } = B.dom;
  const view = { name: "graph", title: "Graph", key: "g" };
  const LABELS = 160; // more edges than that have labels only where one looks closely
  const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order"];

  let asked = null; // what the graph that is shown was asked for, as a text
  let query = {};
  let graph = null;
  let drawn = null; // nodes and edges that are drawn, by id
  let sight = { x: 0, y: 0, k: 1 };
  let chosen = null;
  let turn = 0;

  view.show = (root, args, values) => {
    asked = null;
    graph = null;
    chosen = null;
    view.scene = svg("g.scene", {});
    view.canvas = svg("svg.graph-canvas", { "aria-hidden": "true" }, arrows(), view.scene);
    view.stage = h("div.stage", { tabindex: "0", role: "application", "aria-label": "State graph. Arrow keys go from node to node, Enter shows the neighbourhood, plus and minus zoom, 0 fits." }, view.canvas, zoomers());
    view.words = h("div", {});
    view.tally = h("p.tally", { role: "status" });
    view.detail = h("aside.panel.graph-detail", { "aria-label": "The chosen node" });
    root.append(h("div.page-head", {}, h("h1", {}, "Graph"), toolbar()), view.words, h("div.graph", {}, h("div.panel.flush", {}, view.stage, h("div.stage-foot", {}, view.tally, legend())), view.detail));
    listen();
    view.change(args, values);
  };

  view.hide = () => {
    turn += 1;
    view.watcher?.disconnect();
    graph = drawn = null;
  };

  // ---- what is asked for

  function go(changes) {
    const next = { ...query, ...changes };
    const { mode, ...values } = next;
    B.app.go(["graph", mode], { query: values });
  }

  function toolbar() {
    view.modes = ["quotient", "unreduced"].map((mode) => h("button.segment", { type: "button", "aria-pressed": "false", "data-mode": mode, onclick: () => go({ mode, around: null, node: null }) }, mode === "quotient" ? "Quotient" : "Unreduced"));
    view.colour = h("input.condition", { type: "text", name: "colour", spellcheck: "false", autocomplete: "off", placeholder: "colour by a condition", "aria-label": "Colour nodes by a condition" });
    const form = h("form.field.grow", { onsubmit: (event) => { event.preventDefault(); go({ colour: view.colour.value.trim() || null }); } }, view.colour, h("button", { type: "submit" }, "Colour"));
    view.limit = h("select", { "aria-label": "Nodes at most", onchange: () => go({ limit: view.limit.value }) }, ...[100, 300, 600, 1000].map((most) => h("option", { value: String(most) }, `${number(most)} nodes`)));
    const save = button("Export SVG", { icon: "save", onclick: download });
    if (B.api.report) return h("div.bar", {}, save);
    return h("div.bar", {}, h("div.segments", { role: "group", "aria-label": "Which graph" }, ...view.modes), form, view.limit, save);
  }

  view.change = async ([mode], values) => {
    query = { mode: mode === "unreduced" ? "unreduced" : "quotient", colour: values.colour ?? null, limit: values.limit ?? null, around: values.around ?? null, node: values.node ?? null };
    for (const node of view.modes) node.setAttribute("aria-pressed", String(node.dataset.mode === query.mode));
    view.colour.value = query.colour ?? "";
    view.limit.value = query.limit ?? "300";
    const text = JSON.stringify({ ...query, node: null });
    if (text === asked) return choose(query.node === null ? null : Number(query.node));
    const mine = (turn += 1);
    view.tally.textContent = "Looking…";
    try {
      const found = await B.api.get("graph", { mode: query.mode, limit: query.limit ?? 300, around: query.around, radius: query.around === null ? null : 2, colour: query.colour });
      if (mine !== turn) return;
      view.tally.textContent = "Laying out…";
      const places = await B.layout.place(found.nodes, found.edges, view.stage.clientWidth / view.stage.clientHeight, () => mine !== turn);
      if (places === null || mine !== turn) return;
      asked = text;
      clear(view.words);
      draw(found, places);
      choose(query.node === null ? null : Number(query.node));
    } catch (problem) {
      if (mine !== turn) return;
      view.tally.textContent = "";
      clear(view.words).append(notice("bad", query.colour && problem.status === 400 ? "The condition cannot be used." : "There is no graph to show.", h("pre.message", {}, problem.message)));
    }
  };

  // ---- the picture

  function arrows() {
    const head = (id, kind) => svg(`marker.${kind}`, { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 1 10 5 0 9z" }));
    return svg("defs", {}, head("arrow", "head"), head("arrow-near", "head-near"));
  }

  function legend() {
    view.legend = h("div.legend", { "aria-hidden": "true" });
    return view.legend;
  }

  function radius(node) {
    const size = String(node.orbit ?? "").length;
    return node.orbit ? Math.min(29, 15 + 2.3 * size) : 16;
  }

  function draw(found, { places, width, height }) {
    graph = { ...found, places, width, height };
    drawn = { nodes: new Map(), edges: [] };
    const bundles = new Map();
    for (const edge of found.edges) {
      const key = `${edge.from} ${edge.to}`;
      if (!places.has(edge.from) || !places.has(edge.to)) continue;
      bundles.set(key, [...(bundles.get(key) ?? []), edge]);
    }
    const byId = new Map(found.nodes.map((node) => [node.id, node]));
    const few = bundles.size <= LABELS;
    drawn.edges = [...bundles.values()].map((list) => edgePicture(list, byId, bundles.has(`${list[0].to} ${list[0].from}`), few));
    for (const node of found.nodes) drawn.nodes.set(node.id, { node, picture: nodePicture(node) });
    clear(view.scene).append(...drawn.edges.map((edge) => edge.line), ...[...drawn.nodes.values()].map((one) => one.picture), ...drawn.edges.map((edge) => edge.label));
    fit();
    tally(found);
    clear(view.legend).append(...(query.colour ? [h("span", {}, h("span.key.yes", {}), "true"), h("span", {}, h("span.key.no", {}), "false")] : []), h("span", {}, h("span.key.initial", {}), "initial"),
      found.nodes.some((node) => node.orbit) ? h("span", {}, h("span.key.size", {}, "6"), "states in the orbit") : "");
  }

  function tally(found) {
    const what = found.mode === "unreduced" ? ["state"] : ["orbit"];
    const size = `${plural(found.nodes.length, ...what)}, ${plural(found.edges.length, "edge")}`;
    const more = found.complete ? "" : query.around !== null && query.around !== undefined ? ": a neighbourhood" : ": a part of the graph";
    view.tally.textContent = size + more;
    if (found.message) view.words.append(notice("plain", found.message));
    if (query.around !== null && query.around !== undefined) view.words.append(h("p.bar", {}, button("Back to the whole graph", { icon: "undo", onclick: () => go({ around: null, node: null }) })));
  }

  function nodePicture(node) {
    const { x, y } = graph.places.get(node.id);
    const r = radius(node);
    const colour = node.colour === true ? "yes" : node.colour === false ? "no" : "plain";
    const text = node.orbit ? number(node.orbit) : String(node.id);
    const fits = text.length > 7 ? `10^${node.orbit.length - 1}` : text;
    const picture = svg(`g.node.${colour}${node.initial ? ".initial" : ""}`, { transform: `translate(${x} ${y})`, "data-node": node.id },
      node.initial ? svg("circle.ring", { r: r + 4 }) : null, svg("circle.disc", { r }), svg("text.node-text", { y: 4 }, fits),
      svg("title", {}, `${node.orbit ? `orbit of ${plural(node.orbit, "state")}` : `state ${node.id}`}${node.initial ? ", initial" : ""}`));
    return picture;
  }

  function edgePicture(list, byId, both, few) {
    const [first] = list;
    const a = graph.places.get(first.from), b = graph.places.get(first.to);
    const shape = first.from === first.to ? loop(a, radius(byId.get(first.from))) : curve(a, b, radius(byId.get(first.from)), radius(byId.get(first.to)), both);
    const line = svg("path.edge", { d: shape.d, "marker-end": "url(#arrow)" }, svg("title", {}, list.slice(0, 12).map((edge) => `${edge.process ? `${edge.process} · ` : ""}${ruleName(edge)}${edge.permutation ? ` ${edge.permutation}` : ""}`).join("\n")));
    const names = [...new Set(list.map((edge) => edge.rule || edge.process))];
    const turns = [...new Set(list.map((edge) => edge.permutation).filter(Boolean))].map(brief);
    const label = svg(`g.edge-label${few ? "" : ".later"}`, { transform: `translate(${shape.x.toFixed(1)} ${shape.y.toFixed(1)})` },
      svg("text", { y: turns.length > 0 ? -3 : 3 }, short(names)), turns.length > 0 ? svg("text.turn", { y: 9 }, short(turns)) : null);
    return { from: first.from, to: first.to, line, label, at: `translate(${shape.x.toFixed(1)} ${shape.y.toFixed(1)})` };
  }

  /** A permutation without the name of its type, if it moves one type only. */
  function brief(permutation) {
    const one = /^[^(]+?\s*(\([^()]*\))+$/.test(permutation) ? permutation.slice(permutation.indexOf("(")) : permutation;
    return one.length > 16 ? `${one.slice(0, 15)}…` : one;
  }

  function short(words) {
    const text = words[0].length > 22 ? `${words[0].slice(0, 21)}…` : words[0];
    return words.length > 1 ? `${text} +${words.length - 1}` : text;
  }

  function loop({ x, y }, r) {
    return { d: `M${x + r * 0.7} ${y - r * 0.7}C${x + r + 26} ${y - r - 14} ${x + r + 26} ${y + r + 14} ${x + r * 0.7 + 2} ${y + r * 0.7 + 2}`, x: x + r + 26, y };
  }

  /** A line from rim to rim; bent where it would lie on another one or on nodes between. */
  function curve(a, b, ra, rb, both) {
    const dx = b.x - a.x, dy = b.y - a.y;
    const length = Math.hypot(dx, dy) || 1;
    const far = length > 190 || (Math.abs(dx) < 1 && length > 110) || (Math.abs(dy) < 1 && length > 110);
    const bend = (both ? 16 : 0) + (far ? Math.min(70, length * 0.16) : 0);
    const cx = (a.x + b.x) / 2 - (dy / length) * bend, cy = (a.y + b.y) / 2 + (dx / length) * bend;
    const la = Math.hypot(cx - a.x, cy - a.y) || 1, lb = Math.hypot(cx - b.x, cy - b.y) || 1;
    const x1 = a.x + ((cx - a.x) / la) * ra, y1 = a.y + ((cy - a.y) / la) * ra;
    const x2 = b.x + ((cx - b.x) / lb) * (rb + 3), y2 = b.y + ((cy - b.y) / lb) * (rb + 3);
    return { d: `M${x1.toFixed(1)} ${y1.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${x2.toFixed(1)} ${y2.toFixed(1)}`, x: (x1 + x2) / 4 + cx / 2, y: (y1 + y2) / 4 + cy / 2 };
  }

  // ---- looking around

  function apply() {
    readable();
    view.scene.classList.toggle("far", sight.k < 0.8);
    view.scene.classList.toggle("close", sight.k > 1.1);
    view.scene.setAttribute("transform", `translate(${sight.x.toFixed(2)} ${sight.y.toFixed(2)}) scale(${sight.k.toFixed(4)})`);
  }

  /** Labels at the chosen node stay as large as they are read, however far away one looks from. */
  function readable() {
    const grow = Math.max(1, 0.85 / sight.k);
    for (const edge of drawn?.edges ?? []) {
      const wanted = edge.near ? grow : 1;
      if (edge.grown === wanted) continue;
      edge.grown = wanted;
      edge.label.setAttribute("transform", wanted === 1 ? edge.at : `${edge.at} scale(${wanted.toFixed(3)})`);
    }
  }

  function fit() {
    if (!graph) return;
    const width = view.stage.clientWidth, height = view.stage.clientHeight;
    const k = Math.min(1.4, width / (graph.width + 150), height / (graph.height + 110));
    sight = { k, x: (width - graph.width * k) / 2, y: (height - graph.height * k) / 2 };
    apply();
  }

  function zoom(factor, x = view.stage.clientWidth / 2, y = view.stage.clientHeight / 2) {
    const k = Math.min(4, Math.max(0.04, sight.k * factor));
    sight = { k, x: x - ((x - sight.x) / sight.k) * k, y: y - ((y - sight.y) / sight.k) * k };
    apply();
  }

  function zoomers() {
    return h("div.zoomers", {}, button("Zoom in", { icon: "plus", quiet: true, onclick: () => zoom(1.3) }), button("Zoom out", { icon: "minus", quiet: true, onclick: () => zoom(1 / 1.3) }), button("Fit the graph", { icon: "fit", quiet: true, onclick: fit }));
  }

  function listen() {
    const held = new Map();
    let moved = 0;
    view.stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = view.stage.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    view.canvas.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
    });
    view.canvas.addEventListener("pointermove", (event) => {
      const was = held.get(event.pointerId);
      if (!was) return;
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      const now = { x: event.clientX, y: event.clientY };
      moved += Math.abs(now.x - was.x) + Math.abs(now.y - was.y);
      if (moved > 4) view.canvas.setPointerCapture(event.pointerId);
      if (other) {
        const box = view.stage.getBoundingClientRect();
        zoom(Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(was.x - other.x, was.y - other.y) || 1), (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
      } else {
        sight = { ...sight, x: sight.x + now.x - was.x, y: sight.y + now.y - was.y };
        apply();
      }
      held.set(event.pointerId, now);
    });
    for (const end of ["pointerup", "pointercancel"]) view.canvas.addEventListener(end, (event) => held.delete(event.pointerId));
    view.canvas.addEventListener("click", (event) => {
      const id = event.target.closest("[data-node]")?.dataset.node;
      if (id !== undefined && moved <= 4) go({ node: id });
    });
    view.stage.addEventListener("keydown", key);
    view.watcher = new ResizeObserver(() => fit());
    view.watcher.observe(view.stage);
  }

  function key(event) {
    if (typing(event) || !graph || event.target !== view.stage) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) nearest(way);
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fit();
    else if (event.key === "Enter" && chosen !== null && !B.api.report) go({ around: chosen });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Chooses the next node in a direction; the first one if none is chosen. */
  function nearest([dx, dy]) {
    const here = chosen === null ? null : graph.places.get(chosen);
    if (!here) return graph.nodes.length > 0 ? go({ node: graph.nodes[0].id }) : undefined;
    let best = null, least = Infinity;
    for (const [id, place] of graph.places) {
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const across = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      if (along > 1 && along + across * 2.5 < least) [best, least] = [id, along + across * 2.5];
    }
    if (best !== null) go({ node: best });
  }

  // ---- the chosen node

  function choose(id) {
    if (!drawn) return;
    drawn.nodes.get(chosen)?.picture.classList.remove("chosen");
    chosen = id !== null && drawn.nodes.has(id) ? id : null;
    drawn.nodes.get(chosen)?.picture.classList.add("chosen");
    for (const edge of drawn.edges) {
      const near = chosen !== null && (edge.from === chosen || edge.to === chosen);
      edge.near = near;
      edge.line.classList.toggle("near", near);
      edge.line.setAttribute("marker-end", near ? "url(#arrow-near)" : "url(#arrow)");
      edge.label.classList.toggle("near", near);
      if (near) view.scene.append(edge.label); // above all others
    }
    readable();
    clear(view.detail);
    if (chosen === null) return view.detail.append(h("h2", {}, "No node is chosen"), h("p.muted", {}, "Click a node, or go from node to node with the arrow keys, to see its state and its edges."));
    intoView(graph.places.get(chosen));
    detail(drawn.nodes.get(chosen).node);
  }

  function intoView({ x, y }) {
    const sx = sight.x + x * sight.k, sy = sight.y + y * sight.k;
    const width = view.stage.clientWidth, height = view.stage.clientHeight;
    const dx = Math.max(0, 40 - sx) - Math.max(0, sx - (width - 40)), dy = Math.max(0, 40 - sy) - Math.max(0, sy - (height - 40));
    if (dx === 0 && dy === 0) return;
    sight = { ...sight, x: sight.x + dx, y: sight.y + dy };
    apply();
  }

  function detail(node) {
    const facts = [node.orbit ? `stands for ${plural(node.orbit, "state")}` : null, node.initial ? "initial" : null, `depth ${node.depth ?? "?"}`];
    const table = new B.state.StateTable(B.app.model, node.state, `State of node ${node.id}`);
    table.update(node.state);
    view.detail.append(h("h2", {}, `Node ${node.id}`), h("p.muted", {}, facts.filter(Boolean).join(", ")),
      B.api.report ? "" : h("div.bar", {}, button("Show its neighbourhood", { icon: "near", onclick: () => go({ around: node.id, node: node.id }) })),
      table.element, ...edges("Steps to", graph.edges.filter((edge) => edge.from === node.id), "to"), ...edges("Steps from", graph.edges.filter((edge) => edge.to === node.id), "from"));
    say(`Node ${node.id}, ${facts.filter(Boolean).join(", ")}`);
  }

  function edges(title, list, end) {
    if (list.length === 0) return [];
    const one = (edge) => h("li", {}, h("button.edge-row", { type: "button", onclick: () => go({ node: edge[end] }) }, h("span", {}, `${edge.process && edge.rule ? `${edge.process} · ` : ""}${ruleName(edge)}`),
      edge.permutation ? h("code", {}, edge.permutation) : null, h("span.target", {}, end === "to" ? "→ " : "← ", `node ${edge[end]}`)));
    return [h("h3", {}, title), h("ul.edge-rows", {}, ...list.slice(0, 60).map(one)), list.length > 60 ? h("p.muted", {}, `and ${number(list.length - 60)} more`) : ""];
  }

  // ---- to a file

  /** The picture with its styles written into it, as it is seen but as a whole. */
  function exported() {
    const copy = view.canvas.cloneNode(true);
    const from = view.canvas.querySelectorAll("*"), to = copy.querySelectorAll("*");
    from.forEach((node, index) => {
      const style = getComputedStyle(node);
      if (node.closest("defs") && node.tagName !== "path") return;
      for (const name of STYLES) to[index].setAttribute(name, style.getPropertyValue(name));
      if (style.visibility === "hidden" || style.display === "none") to[index].setAttribute("visibility", "hidden");
      to[index].removeAttribute("class");
    });
    const left = -75, top = -55, width = graph.width + 150, height = graph.height + 110;
    copy.querySelector("g").setAttribute("transform", "");
    copy.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    copy.setAttribute("width", Math.ceil(width));
    copy.setAttribute("height", Math.ceil(height));
    copy.removeAttribute("aria-hidden");
    copy.querySelector("defs").after(svg("rect", { x: left, y: top, width, height, fill: getComputedStyle(view.stage).backgroundColor }));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
  }

  function download() {
    if (!graph) return;
    const address = URL.createObjectURL(new Blob([exported()], { type: "image/svg+xml" }));
    const link = h("a", { href: address, download: `${(B.app.model.name ?? "graph").replace(/^.*[/\\]/, "").replace(/\.\w+$/, "")}-${graph.mode ?? "graph"}.svg` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  B.graph = { view, exported, icon };
})();
