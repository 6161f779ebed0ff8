// Renders formulas for overrides/maths.py: a line of JSON in, [[tex, display], …]; a line out, [{html} or {error}, …].
const katex = require("katex");
const lines = require("node:readline").createInterface({ input: process.stdin });

const options = {
  output: "htmlAndMathml",
  strict: "ignore",
  // \ledger{state}{16P} wears the colour of that ledger.
  macros: { "\\ledger": "\\htmlClass{ledger #1}{#2}" },
  trust: ({ command }) => command === "\\htmlClass",
};

function render([tex, displayMode]) {
  try {
    // Without the annotation, whose raw TeX a reader could find and select, and which doubles the weight.
    const html = katex.renderToString(tex, { ...options, displayMode });
    return { html: html.replace(/<annotation[^]*?<\/annotation>/g, "") };
  } catch (error) {
    return { error: error.message };
  }
}

lines.on("line", (line) => process.stdout.write(JSON.stringify(JSON.parse(line).map(render)) + "\n"));
