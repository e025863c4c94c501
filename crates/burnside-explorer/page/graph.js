// The state graph or its quotient: layers by depth, orbit sizes on nodes, permutations on edges. A graph that
// is too large for one picture is looked at by neighbourhoods. What is asked for is in the address:
// `#/graph/quotient?colour=…&around=7`.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, svg, button, clear, number, plural, ruleName, notice, typing, say } = B.dom;
  const view = { name: "graph", title: "Graph", key: "g" };

  const READABLE = 0.75; // less than this, and what stands in nodes is too small

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
    view.canvas = svg("svg.graph-canvas", { "aria-hidden": "true" }, B.picture.arrows(), view.scene);
    view.stage = h(
      "div.stage",
      {
        tabindex: "0",
        role: "application",
        "aria-label":
          "State graph. Arrow keys go from node to node, Enter shows the neighbourhood, plus and minus zoom, 0 fits.",
      },
      view.canvas,
      zoomers(),
    );
    view.words = h("div.graph-words", {});
    view.tally = h("p.tally", { role: "status" });
    view.detail = h("aside.panel.graph-detail", { "aria-label": "The chosen node" });
    root.append(
      h("div.page-head", {}, h("h1", {}, "Graph"), toolbar()),
      view.words,
      h(
        "div.graph",
        {},
        h("div.panel.flush", {}, view.stage, h("div.stage-foot", {}, view.tally, legend())),
        view.detail,
      ),
    );
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
    view.modes = ["quotient", "unreduced"].map((mode) =>
      h(
        "button.segment",
        {
          type: "button",
          "aria-pressed": "false",
          "data-mode": mode,
          onclick: () => go({ mode, around: null, node: null }),
        },
        mode === "quotient" ? "Quotient" : "Unreduced",
      ),
    );
    view.colour = h("input.condition", {
      type: "text",
      name: "colour",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "colour by a condition",
      "aria-label": "Colour nodes by a condition",
    });
    const form = h(
      "form.field.grow",
      {
        onsubmit: (event) => {
          event.preventDefault();
          go({ colour: view.colour.value.trim() || null });
        },
      },
      view.colour,
      h("button", { type: "submit" }, "Colour"),
    );
    view.limit = h(
      "select",
      { "aria-label": "Nodes at most", onchange: () => go({ limit: view.limit.value }) },
      ...[100, 300, 600, 1000].map((most) => h("option", { value: String(most) }, `${number(most)} nodes`)),
    );
    const save = button("Export SVG", { icon: "save", onclick: download });
    if (B.api.report) return h("div.bar", {}, save);
    return h(
      "div.bar",
      {},
      h("div.segments", { role: "group", "aria-label": "Which graph" }, ...view.modes),
      form,
      view.limit,
      save,
    );
  }

  view.change = async ([mode], values) => {
    query = {
      mode: mode === "unreduced" ? "unreduced" : "quotient",
      colour: values.colour ?? null,
      limit: values.limit ?? null,
      around: values.around ?? null,
      node: values.node ?? null,
    };
    for (const node of view.modes) node.setAttribute("aria-pressed", String(node.dataset.mode === query.mode));
    view.colour.value = query.colour ?? "";
    view.limit.value = query.limit ?? "300";
    const text = JSON.stringify({ ...query, node: null });
    if (text === asked) return choose(query.node === null ? null : Number(query.node));
    const mine = (turn += 1);
    view.tally.textContent = "Looking…";
    try {
      const found = await B.api.get("graph", {
        mode: query.mode,
        limit: query.limit ?? 300,
        around: query.around,
        radius: query.around === null ? null : 2,
        colour: query.colour,
      });
      if (mine !== turn) return;
      view.tally.textContent = "Laying out…";
      const places = await B.layout.place(
        found.nodes,
        found.edges,
        view.stage.clientWidth / view.stage.clientHeight,
        () => mine !== turn,
      );
      if (places === null || mine !== turn) return;
      clear(view.words);
      if (!(await draw(found, places, () => mine !== turn))) return;
      asked = text;
      choose(query.node === null ? null : Number(query.node));
    } catch (problem) {
      if (mine !== turn) return;
      view.tally.textContent = "";
      clear(view.words).append(
        notice(
          "bad",
          query.colour && problem.status === 400 ? "The condition cannot be used." : "There is no graph to show.",
          h("pre.message", {}, problem.message),
        ),
      );
    }
  };

  // ---- the picture

  function legend() {
    view.legend = h("div.legend", { "aria-hidden": "true" });
    return view.legend;
  }

  /** Draws everything in slices of time, then shows it at once; false if it was stopped. */
  async function draw(found, { places, width, height }, stopped) {
    graph = { ...found, places, width, height };
    drawn = null;
    const made = await B.picture.pictures(found, places);
    if (stopped()) return false;
    drawn = made;
    clear(view.scene).append(
      ...made.edges.map((edge) => edge.line),
      ...[...made.nodes.values()].map((one) => one.picture),
      ...made.labels,
    );
    look();
    tally(found);
    clear(view.legend).append(
      ...(query.colour
        ? [h("span", {}, h("span.key.yes", {}), "true"), h("span", {}, h("span.key.no", {}), "false")]
        : []),
      h("span", {}, h("span.key.initial", {}), "initial"),
      found.nodes.some((node) => node.orbit) ? h("span", {}, h("span.key.size", {}, "6"), "states in the orbit") : "",
    );
    return true;
  }

  function tally(found) {
    const what = found.mode === "unreduced" ? ["state"] : ["orbit"];
    const size = `${plural(found.nodes.length, ...what)}, ${plural(found.edges.length, "edge")}`;
    const more = found.complete
      ? ""
      : query.around !== null && query.around !== undefined
        ? ": a neighbourhood"
        : ": a part of the graph";
    view.tally.textContent = size + more;
    if (query.around !== null && query.around !== undefined) {
      view.words.append(
        h(
          "div.bar.above",
          {},
          button("Back to the start", { icon: "undo", onclick: () => go({ around: null, node: null }) }),
          h("span.muted", {}, `What is at most two steps away from node ${query.around}`),
        ),
      );
    } else if (!found.complete) view.words.append(h("p.muted.above", {}, inPart(found, what)));
  }

  /** What a picture leaves out, in sentences. */
  function inPart(found, what) {
    const [shown, seen] = [found.nodes.length, found.total_states_seen];
    const all = found.message ? plural(shown, ...what) : `${number(shown)} of ${plural(seen, ...what)}`;
    const first = shown < seen ? `The first ${all} are shown. ` : "";
    const more = found.message ? `${found.message[0].toUpperCase()}${found.message.slice(1)}. ` : "";
    const on = B.api.report ? "" : "Choose a node and show its neighbourhood to go on from there.";
    return first + more + on;
  }

  // ---- looking around

  function apply() {
    readable();
    view.scene.classList.toggle("far", sight.k < 0.8);
    view.scene.classList.toggle("close", sight.k > 1.1);
    view.scene.setAttribute(
      "transform",
      `translate(${sight.x.toFixed(2)} ${sight.y.toFixed(2)}) scale(${sight.k.toFixed(4)})`,
    );
  }

  /** Labels at the chosen node stay as large as they are read, however far away one looks from. */
  function readable() {
    const grow = Math.max(1, 0.85 / sight.k);
    for (const edge of drawn?.edges ?? []) {
      const wanted = edge.near ? grow : 1;
      if (edge.grown === wanted || !edge.label) continue;
      edge.grown = wanted;
      edge.label.setAttribute("transform", wanted === 1 ? edge.at : `${edge.at} scale(${wanted.toFixed(3)})`);
    }
  }

  function fit() {
    if (!graph) return;
    const width = view.stage.clientWidth,
      height = view.stage.clientHeight;
    const k = Math.min(1.4, width / (graph.width + 150), height / (graph.height + 110));
    sight = { k, x: (width - graph.width * k) / 2, y: (height - graph.height * k) / 2 };
    apply();
  }

  /** All of the graph if its nodes can be read then; else what is around its start. */
  function look() {
    fit();
    const first = graph?.nodes.find((node) => node.initial) ?? graph?.nodes[0];
    if (!first || sight.k >= READABLE) return;
    const { x, y } = graph.places.get(first.id);
    const at = (place, size, room) => Math.min(75, Math.max(room - 75 - size * READABLE, room / 2 - place * READABLE));
    const width = view.stage.clientWidth,
      height = view.stage.clientHeight;
    sight = { k: READABLE, x: at(x, graph.width, width), y: at(y, graph.height, height) };
    apply();
  }

  function zoom(factor, x = view.stage.clientWidth / 2, y = view.stage.clientHeight / 2) {
    const k = Math.min(4, Math.max(0.04, sight.k * factor));
    sight = { k, x: x - ((x - sight.x) / sight.k) * k, y: y - ((y - sight.y) / sight.k) * k };
    apply();
  }

  function zoomers() {
    return h(
      "div.zoomers",
      {},
      button("Zoom in", { icon: "plus", quiet: true, onclick: () => zoom(1.3) }),
      button("Zoom out", { icon: "minus", quiet: true, onclick: () => zoom(1 / 1.3) }),
      button("Fit the graph", { icon: "fit", quiet: true, onclick: fit }),
    );
  }

  function listen() {
    const held = new Map();
    let moved = 0;
    view.stage.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = view.stage.getBoundingClientRect();
        zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false },
    );
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
        zoom(
          Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(was.x - other.x, was.y - other.y) || 1),
          (now.x + other.x) / 2 - box.left,
          (now.y + other.y) / 2 - box.top,
        );
      } else {
        sight = { ...sight, x: sight.x + now.x - was.x, y: sight.y + now.y - was.y };
        apply();
      }
      held.set(event.pointerId, now);
    });
    for (const end of ["pointerup", "pointercancel"])
      view.canvas.addEventListener(end, (event) => held.delete(event.pointerId));
    view.canvas.addEventListener("click", (event) => {
      const id = event.target.closest("[data-node]")?.dataset.node;
      if (id !== undefined && moved <= 4) go({ node: id });
    });
    view.stage.addEventListener("keydown", key);
    view.watcher = new ResizeObserver(() => look());
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
    let best = null,
      least = Infinity;
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
      if (near) view.scene.append(B.picture.label(edge)); // above all others
      edge.label?.classList.toggle("near", near);
    }
    readable();
    clear(view.detail);
    if (chosen === null)
      return view.detail.append(
        h("h2", {}, id === null ? "No node is chosen" : `Node ${id} is not in this picture`),
        h("p.muted", {}, "Click a node, or go from node to node with the arrow keys, to see its state and its edges."),
      );
    intoView(graph.places.get(chosen));
    detail(drawn.nodes.get(chosen).node);
  }

  function intoView({ x, y }) {
    const sx = sight.x + x * sight.k,
      sy = sight.y + y * sight.k;
    const width = view.stage.clientWidth,
      height = view.stage.clientHeight;
    const dx = Math.max(0, 40 - sx) - Math.max(0, sx - (width - 40)),
      dy = Math.max(0, 40 - sy) - Math.max(0, sy - (height - 40));
    if (dx === 0 && dy === 0) return;
    sight = { ...sight, x: sight.x + dx, y: sight.y + dy };
    apply();
  }

  function detail(node) {
    const facts = [
      node.orbit ? `stands for ${plural(node.orbit, "state")}` : null,
      node.initial ? "initial" : null,
      `depth ${node.depth ?? "?"}`,
    ];
    const table = new B.state.StateTable(B.app.model, node.state, `State of node ${node.id}`);
    table.update(node.state);
    view.detail.append(
      h("h2", {}, `Node ${node.id}`),
      h("p.muted", {}, facts.filter(Boolean).join(", ")),
      B.api.report
        ? ""
        : h(
            "div.bar",
            {},
            button("Show its neighbourhood", { icon: "near", onclick: () => go({ around: node.id, node: node.id }) }),
          ),
      table.element,
      ...edges(
        "Steps from here",
        graph.edges.filter((edge) => edge.from === node.id),
        "to",
      ),
      ...edges(
        "Steps to here",
        graph.edges.filter((edge) => edge.to === node.id),
        "from",
      ),
    );
    say(`Node ${node.id}, ${facts.filter(Boolean).join(", ")}`);
  }

  function edges(title, list, end) {
    if (list.length === 0) return [];
    const one = (edge) =>
      h(
        "li",
        {},
        h(
          "button.edge-row",
          { type: "button", onclick: () => go({ node: edge[end] }) },
          h("span", {}, `${edge.process && edge.rule ? `${edge.process} · ` : ""}${ruleName(edge)}`),
          edge.permutation ? h("code", {}, edge.permutation) : null,
          h("span.target", {}, end === "to" ? "→ " : "← ", `node ${edge[end]}`),
        ),
      );
    return [
      h("h3", {}, title),
      h("ul.edge-rows", {}, ...list.slice(0, 60).map(one)),
      list.length > 60 ? h("p.muted", {}, `and ${number(list.length - 60)} more`) : "",
    ];
  }

  // ---- to a file

  function download() {
    if (!graph) return;
    const address = URL.createObjectURL(
      new Blob([B.picture.file(view.canvas, graph, getComputedStyle(view.stage).backgroundColor)], {
        type: "image/svg+xml",
      }),
    );
    const link = h("a", {
      href: address,
      download: `${(B.app.model.name ?? "graph").replace(/^.*[/\\]/, "").replace(/\.\w+$/, "")}-${graph.mode ?? "graph"}.svg`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  B.graph = { view };
})();
