// Writes the style sheet of rendered diagrams: the rules of Mermaid, with colours of light and dark pages.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";

const built = join(dirname(fileURLToPath(import.meta.url)), "../../src/docstead/markup/assets/built");
const SAMPLES = {
  flowchart: "flowchart LR\n  A --> B",
  sequence: "sequenceDiagram\n  A->>B: c",
  state: "stateDiagram-v2\n  [*] --> A",
  er: "erDiagram\n  A ||--o{ B : c",
  class: "classDiagram\n  A --> B",
  gantt: "gantt\n  section A\n  B: 2026-01-01, 1d",
  pie: 'pie\n  "A": 1',
  git: "gitGraph\n  commit",
};
const COLOR = /#[\da-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|\b(?:white|black|lightgrey|darkgrey|grey)\b/gi;
/** For other looks, and for labels of HTML: drawings have neither. */
const UNUSED = /data-look|:root|tooltip|popup|error-|icon|katex|\bsvg\b|\bspan\b|\bp\b|@keyframes|\bdiv\b/i;

const context = createContext({});
runInContext(readFileSync(join(built, "diagram-engine.js"), "utf8"), context);
const { render, css, result, themes } = context.diagrams;

async function rulesOf(kind, theme) {
  render(SAMPLES[kind], "m0", "Inter", theme);
  await new Promise((resolve) => setTimeout(resolve, 0));
  while (JSON.parse(result()).pending) await new Promise((resolve) => setTimeout(resolve, 5));
  const found = [...css().matchAll(/((?:@keyframes )?[^{}]+)\{((?:[^{}]|\{[^{}]*\})*)\}/g)];
  return found.map(([, selectors, body]) => [selectors.trim(), body]);
}

const used = new Map();

function following(light, dark) {
  if (light === dark) return light;
  const [ours, theirs] = [light.match(COLOR) ?? [], dark.match(COLOR) ?? []];
  if (ours.length !== theirs.length) throw new Error(`"${light}" and "${dark}" differ in more than colours`);
  let at = 0;
  return light.replace(COLOR, (color) => {
    const other = theirs[at++];
    return color === other ? color : pair(color, other);
  });
}

function pair(light, dark) {
  const name = themes.named(light, dark);
  used.set(name.slice(4, -1), [light, dark]);
  return name;
}

function written([selectors, body], scope) {
  const kept = selectors.split(",").filter((each) => !UNUSED.test(each));
  if (kept.length === 0) return "";
  const rules = body
    .split(";")
    .filter((each) => each && !/^(?:filter|font-family|background-color|text-align|cursor|position)\b/.test(each))
    .join(";")
    .replace(/#m0/g, scope);
  return rules ? `${kept.join(",").replace(/#m0/g, scope)}{${rules}}` : "";
}

const sheet = [];
for (const kind of Object.keys(SAMPLES)) {
  const [light, dark] = [await rulesOf(kind, themes.light), await rulesOf(kind, themes.dark)];
  light.forEach(([selectors, body], at) => {
    sheet.push(written([selectors, following(body, dark[at][1])], `.ds-drawing-${kind}-${themes.light}`));
  });
  for (const theme of themes.authors) {
    for (const rule of await rulesOf(kind, theme)) sheet.push(written(rule, `.ds-drawing-${kind}-${theme}`));
  }
  for (const [attribute, one, other] of themes.pairs[kind] ?? []) {
    if (attribute === "style") themes.colorsOf(one, other).forEach((each) => pair(...each));
    else pair(one, other);
  }
}
const variables = (mode) => [...used].map(([name, colors]) => `${name}:${colors[mode]}`).join(";");
const page = new RegExp(`${themes.background}|rgba?\\(18, 52, 87[^)]*\\)`, "g");
const text = [
  "/*! From the styles of Mermaid (MIT). */",
  `.ds-drawing{${variables(0)}}`,
  `@media screen{html[data-theme=dark] .ds-drawing{${variables(1)}}}`,
  `@media screen and (prefers-color-scheme:dark){html:not([data-theme]) .ds-drawing{${variables(1)}}}`,
  ".ds-drawing{--ds-light:initial;--ds-dark: }", // of drawings with styles of their own: toggles.ts
  "@media screen{html[data-theme=dark] .ds-drawing{--ds-light: ;--ds-dark:initial}}",
  "@media screen and (prefers-color-scheme:dark){html:not([data-theme]) .ds-drawing{--ds-light: ;--ds-dark:initial}}",
  ".ds-drawing text{font-family:inherit}",
  ...sheet.filter(Boolean),
  `.ds-drawing .edgeLabel rect.background{fill:${themes.background};opacity:1;stroke:none}`,
];
writeFileSync(join(built, "diagrams.css"), `${text.join("\n").replace(page, "var(--ds-bg)")}\n`);
