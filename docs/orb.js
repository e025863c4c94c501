// Colours for `orb` blocks in the book. The words are those of the lexer: a test of `burnside-lsp` compares them.
"use strict";

const orbWords = {
  keyword:
    "const type symmetric ring enum record var process fair strong rule at when init fn let if else match for in where any " +
    "proc inout assert assume goto locations forall exists count sum min max of invariant reachable deadlock free allowed ltl ctl " +
    "never enabled union subset symmetry hint constraint check expect",
  literal: "true false none",
  type: "bool int array set queue bag",
  built_in: "abs next ord prev",
};

function orb(hljs) {
  return {
    name: "Orb",
    keywords: orbWords,
    contains: [
      hljs.COMMENT("/\\*", "\\*/", { contains: ["self"] }),
      hljs.COMMENT("//", "$"),
      // Words that are names elsewhere.
      {
        className: "keyword",
        begin:
          "\\b(?:import(?=\\s*\")|as(?=\\s+\\w+\\s*;)|changing(?=\\s+(?:process|rule|\\w+\\s*[({]|\\{))|priority(?=\\s+[-(0-9A-Z])|" +
          "choose(?=\\s+\\w+\\s*(?::|in\\b))|not(?=\\s+in\\b)|is(?=\\s+\\w))",
      },
      { className: "string", begin: '"', end: '"|$' },
      { className: "number", begin: "\\b[0-9][0-9_]*\\b" },
      {
        beginKeywords: "process rule fn type symmetric ring enum record",
        end: "[^A-Za-z0-9_ ]",
        excludeEnd: true,
        contains: [{ className: "title", begin: "[A-Za-z_][A-Za-z0-9_]*", endsParent: true }],
      },
    ],
  };
}

// The book has coloured its blocks before it comes to this file, and did not know the language.
if (typeof document !== "undefined" && typeof hljs !== "undefined") {
  hljs.registerLanguage("orb", orb);
  document.querySelectorAll("code.language-orb").forEach((block) => {
    block.innerHTML = hljs.highlight("orb", block.textContent, true).value;
    block.classList.add("hljs");
  });
}

if (typeof module !== "undefined") {
  module.exports = { orb, orbWords };
}
