// The symmetry that was found: the group, its types, what each property leaves of it, and what broke more,
// with the place in the source.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const { h, svg, number, plural, notice } = B.dom;
  const view = { name: "symmetry", title: "Symmetry", key: "s" };

  const DRAWN = 24; // elements of a type in its picture

  const KINDS = {
    full: "every element can be exchanged with every other",
    ring: "the elements can be rotated",
    partial: "some elements can be exchanged",
    none: "no element can be exchanged",
  };

  view.show = async (root) => {
    root.append(h("div.page-head", {}, h("h1", {}, "Symmetry")));
    try {
      const found = await B.api.get("symmetry");
      if (!root.isConnected) return;
      root.append(
        group(found),
        ...types(found.types ?? []),
        ...broken(found.broken ?? []),
        ...properties(found),
        ...distinct(found.not_symmetric ?? []),
      );
    } catch (problem) {
      root.append(notice("bad", "The symmetry could not be had.", h("p", {}, problem.message)));
    }
  };

  function group(found) {
    const trivial = String(found.order) === "1";
    return h(
      "div.panel.group",
      {},
      h(
        "div",
        {},
        h("p.big", {}, number(found.order)),
        h(
          "p.muted",
          {},
          trivial
            ? "The model has no symmetry but the trivial one: every orbit is a single state."
            : "permutations leave the model as it is; up to so many states are one orbit",
        ),
      ),
      (found.generators ?? []).length > 0
        ? h(
            "div",
            {},
            h("h2.minor", {}, "Generators"),
            h("ul.generators", {}, ...found.generators.slice(0, 40).map((text) => h("li", {}, h("code", {}, text)))),
            found.generators.length > 40 ? h("p.muted", {}, `and ${number(found.generators.length - 40)} more`) : null,
          )
        : null,
    );
  }

  /** The elements of a type around a circle: joined to all if all can be exchanged, to the next in a ring. */
  function picture(type) {
    const count = Math.min(type.size, DRAWN);
    const points = Array.from({ length: count }, (_, index) => {
      const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
      return { x: 40 + 30 * Math.cos(angle), y: 40 + 30 * Math.sin(angle) };
    });
    const lines = [];
    points.forEach((a, i) =>
      points.forEach((b, j) => {
        const joined =
          type.kind === "full" ? i < j && count <= 12 : type.kind === "ring" ? j === (i + 1) % count : false;
        if (joined) lines.push(svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
      }),
    );
    return svg(
      `svg.type-picture.${type.kind}`,
      { viewBox: "0 0 80 80", "aria-hidden": "true" },
      ...lines,
      ...points.map(({ x, y }) => svg("circle", { cx: x, cy: y, r: count > 12 ? 3 : 4.5 })),
    );
  }

  function types(list) {
    if (list.length === 0) return [];
    return [
      h("h2", {}, "Types"),
      h(
        "div.cards",
        {},
        ...list.map((type) =>
          h(
            "div.card.type",
            {},
            picture(type),
            h(
              "div",
              {},
              h("strong", {}, type.name),
              h(
                "p",
                {},
                plural(type.size, "element"),
                ", ",
                h("span.kind", {}, type.kind),
                type.inferred ? h("span.kind", {}, "inferred") : null,
              ),
              h("p.muted", {}, KINDS[type.kind] ?? ""),
              type.size > DRAWN ? h("p.muted", {}, `The picture has ${DRAWN} of them.`) : null,
            ),
          ),
        ),
      ),
    ];
  }

  function place(entry) {
    const there = entry.line && (entry.text !== undefined || B.app.model.source);
    return h(
      "li",
      {},
      h("p", {}, entry.type ? h("strong", {}, `${entry.type}: `) : null, entry.reason),
      there
        ? B.source.snippet(B.app.model, entry)
        : entry.line
          ? h("p.muted", {}, `line ${entry.line}, column ${entry.column}`)
          : null,
    );
  }

  function broken(list) {
    const title = h("h2", {}, "What broke it");
    if (list.length === 0)
      return [
        title,
        h("p.muted", {}, "Nothing: each symmetric type has all the symmetry that its declaration promises."),
      ];
    return [
      title,
      h("ul.places", {}, ...list.slice(0, 100).map(place)),
      list.length > 100 ? h("p.muted", {}, `and ${number(list.length - 100)} more`) : "",
    ];
  }

  function properties(found) {
    const list = found.properties ?? [];
    if (list.length === 0) return [];
    return [
      h("h2", {}, "What properties leave of it"),
      h(
        "div.panel.narrow",
        {},
        h(
          "table.plain",
          {},
          h(
            "thead",
            {},
            h("tr", {}, h("th", { scope: "col" }, "Property"), h("th.figure", { scope: "col" }, "Permutations")),
          ),
          h(
            "tbody",
            {},
            ...list.map((one) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, one.property),
                h(
                  "td.figure",
                  {},
                  number(one.order),
                  String(one.order) === String(found.order) ? h("span.muted", {}, " (all)") : null,
                ),
              ),
            ),
          ),
        ),
      ),
    ];
  }

  /** Ranges and enums whose values the model tells apart: nothing is wrong with that, so they are folded. */
  function distinct(list) {
    if (list.length === 0) return [];
    return [
      h("h2", {}, "Types without symmetry"),
      h("p.muted", {}, "Ranges and enums whose values the model tells apart, and where it does."),
      ...list.map((type) => {
        const body = h("ul.places", {});
        return h(
          "details.panel",
          {
            ontoggle: () =>
              body.childElementCount === 0 && body.append(...(type.broken ?? []).slice(0, 100).map(place)),
          },
          h(
            "summary",
            {},
            h("strong", {}, type.name),
            " ",
            h("span.muted", {}, plural((type.broken ?? []).length, "place")),
          ),
          body,
        );
      }),
    ];
  }

  B.symmetry = { view };
})();
