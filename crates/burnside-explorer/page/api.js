// Where the data comes from: the program that serves the page, or the report that the page is part of. Views
// call `get` and `post` and do not know which of the two it is.
"use strict";
(() => {
  const B = (globalThis.Burnside ??= {});
  const inlined = document.getElementById("burnside-data");
  const data = inlined ? JSON.parse(inlined.textContent) : null;

  function query(values) {
    const pairs = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
    return pairs.length === 0 ? "" : `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
  }

  async function answer(response) {
    let body = null;
    try {
      body = await response.json();
    } catch {
      throw new Error(`The answer to ${response.url.split("/api/")[1] ?? "the request"} is no JSON (status ${response.status}).`);
    }
    if (response.ok) return body;
    const error = new Error(body?.error ?? `The program answered with status ${response.status}.`);
    error.status = response.status;
    throw error;
  }

  async function ask(path, options) {
    let response = null;
    try {
      response = await fetch(`api/${path}`, { cache: "no-store", ...options });
    } catch (problem) {
      if (problem.name === "AbortError") throw problem;
      throw new Error("The program that serves this page does not answer. Is `burnside explore` still running?");
    }
    return answer(response);
  }

  function recorded(name, values) {
    const found = name === "evidence" ? data.evidence?.[values?.property] : data[name];
    if (found) return found;
    if (name === "check") return { run: null, state: "idle", results: [] };
    throw Object.assign(new Error(`This report has no ${name}.`), { status: 404 });
  }

  /** What the API says of `name`, with the given values: `get("evidence", {property})`. */
  async function get(name, values, options) {
    return data ? recorded(name, values) : ask(name + query(values), options);
  }

  function post(name, body) {
    return ask(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  }

  B.api = { get, post, report: data !== null, has: (name) => data === null || Boolean(data[name]) };
})();
