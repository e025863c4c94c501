// Places for the nodes of a graph: layers by depth, nodes within a layer in the order of what they hang on
// (barycentres, a few sweeps), then pulled towards their neighbours as far as the others leave room. All of it
// is done in slices of some milliseconds, so that the page never stops answering.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const SLICE = 8; // milliseconds
  const GAP = 66; // between nodes of a layer, and
  const RISE = 94; // between layers

  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

  /** Something to wait for now and then in long work: it lets the page answer when a slice of time is over. */
  function breather() {
    let since = performance.now();
    return async () => {
      if (performance.now() - since < SLICE) return;
      await pause();
      since = performance.now();
    };
  }

  /** Layers of at most `most` nodes; what is more goes on in a further row of the same depth. */
  function layers(nodes, most) {
    const byDepth = new Map();
    for (const node of nodes) {
      const depth = node.depth ?? 0;
      if (!byDepth.has(depth)) byDepth.set(depth, []);
      byDepth.get(depth).push(node);
    }
    const rows = [];
    for (const depth of [...byDepth.keys()].sort((a, b) => a - b)) {
      const all = byDepth.get(depth);
      const pieces = Math.ceil(all.length / most);
      const size = Math.ceil(all.length / pieces);
      for (let start = 0; start < all.length; start += size) rows.push(all.slice(start, start + size));
    }
    return rows;
  }

  function neighbours(nodes, edges) {
    const near = new Map(nodes.map((node) => [node.id, []]));
    for (const edge of edges) {
      if (edge.from === edge.to || !near.has(edge.from) || !near.has(edge.to)) continue;
      near.get(edge.from).push(edge.to);
      near.get(edge.to).push(edge.from);
    }
    return near;
  }

  function mean(node, near, x) {
    const list = near.get(node.id);
    if (list.length === 0) return x.get(node.id);
    let sum = 0;
    for (const other of list) sum += x.get(other);
    return sum / list.length;
  }

  function spread(row, x) {
    row.forEach((node, index) => x.set(node.id, (index - (row.length - 1) / 2) * GAP));
  }

  /** Puts the nodes of a row as near to where they want to be as their order and the gap allow. */
  function settle(row, wanted, x) {
    const left = [],
      right = [];
    for (let index = 0; index < row.length; index += 1)
      left.push(index === 0 ? wanted[0] : Math.max(wanted[index], left[index - 1] + GAP));
    for (let index = row.length - 1; index >= 0; index -= 1)
      right[index] = index === row.length - 1 ? wanted[index] : Math.min(wanted[index], right[index + 1] - GAP);
    row.forEach((node, index) => x.set(node.id, (left[index] + right[index]) / 2));
  }

  /** `{places: Map(id -> {x, y}), width, height}`, or null if `stopped()` says so meanwhile. Layers go down, or to
      the right where that fits better into a place that is `shape` times as wide as high. */
  async function place(nodes, edges, shape, stopped = () => false) {
    const rows = layers(nodes, Math.max(8, Math.ceil(Math.sqrt(nodes.length) * 2)));
    const near = neighbours(nodes, edges);
    const x = new Map();
    const breathe = breather();
    for (const row of rows) spread(row, x);
    for (let sweep = 0; sweep < 12; sweep += 1) {
      for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
        const keys = new Map(row.map((node) => [node, mean(node, near, x)]));
        row.sort((a, b) => keys.get(a) - keys.get(b));
        spread(row, x);
        await breathe();
        if (stopped()) return null;
      }
    }
    for (let sweep = 0; sweep < 16; sweep += 1) {
      for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
        settle(
          row,
          row.map((node) => mean(node, near, x)),
          x,
        );
        await breathe();
        if (stopped()) return null;
      }
    }
    return finish(rows, x, shape);
  }

  function finish(rows, x, shape) {
    const all = [...x.values()];
    const least = Math.min(...all, 0),
      across = Math.max(...all, 0) - least,
      along = (rows.length - 1) * RISE;
    const room = (width, height) => Math.min(shape / (width + 150), 1 / (height + 110));
    const right = room(along, across) > room(across, along);
    // What is left of the shorter side is used too.
    const scale = right ? room(along, across) : room(across, along);
    const spare = right ? (1 / scale - 110) / (across || 1) : (shape / scale - 150) / (across || 1);
    const wider = Math.min(1.8, Math.max(1, spare));
    const places = new Map();
    rows.forEach((row, index) =>
      row.forEach((node) => {
        const there = (x.get(node.id) - least) * wider;
        places.set(node.id, right ? { x: index * RISE, y: there } : { x: there, y: index * RISE });
      }),
    );
    return right ? { places, width: along, height: across * wider } : { places, width: across * wider, height: along };
  }

  B.layout = { place, breather };
})();
