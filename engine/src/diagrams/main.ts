/**
 * Diagrams as SVG, rendered by Mermaid on a document of our own.
 *
 *     diagrams.render(source, id, font)
 *     diagrams.result()                -> JSON: {svg, title}, {problem} or {}
 *
 * A drawing has the colours of light and dark pages, by the style sheet that the build writes.
 */
import { document, repeatRandomNumbers } from "./environment";
import mermaid from "mermaid";
import { FRONTMATTER, MOST_EDGES, quoteNames, settingsOf } from "./authors";
import { clearBranchNames } from "./branches";
import { AUTHORS, BACKGROUND, brightenFixed, colorsOf, DARK, followPage, HAS_SERIES, LIGHT, named, PAIRS, SERIES } from "./colors";
import { HTML, Stage, Unsupported, type Element } from "./dom";
import { renderLabels } from "./labels";
import { problemOf, type Problem } from "./problems";
import { keepReadable, markBlocks } from "./readable";
import { serialize } from "./serialize";
import { applySheet, Sheet } from "./sheet";
import { mergeThemes } from "./toggles";
import { measureIn } from "./widths";

interface Result {
  svg?: string;
  title?: string;
  css?: string; // only for the build
  problem?: Problem; // an error of its author; without it, a browser may render the source
  pending?: true;
}

/** Kinds whose drawings have their styles from the sheet that the build writes. */
const KINDS: Record<string, string> = {
  "flowchart-v2": "flowchart",
  er: "er",
  sequence: "sequence",
  stateDiagram: "state",
  class: "class",
  classDiagram: "class",
  gantt: "gantt",
  pie: "pie",
  gitGraph: "git",
};

/** Kinds whose drawings have their styles in their elements. A browser renders the others. */
const OWN_KINDS = new Set(
  ("block c4 cynefin info journey kanban mindmap packet quadrantChart radar railroad railroadAbnf railroadEbnf " +
    "railroadPeg requirement sankey swimlane timeline treeView treemap venn wardley xychart").split(" "),
);

let result: Result = {};

function start(source: string, id: string, font: string, theme = LIGHT): void {
  result = { pending: true };
  renderDiagram(source, id, font, theme)
    .then((found) => (result = found))
    .catch(async (error: unknown) => (result = { problem: await problemOf(source, error) }));
}

async function renderDiagram(source: string, id: string, font: string, theme: string): Promise<Result> {
  if (!measureIn(font)) throw new Unsupported(`the font ${font}`);
  const settings = settingsOf(source);
  initialize(font, theme, ""); // without it no kind is known
  const type = mermaid.detectType(source.replace(FRONTMATTER, ""));
  const kind = KINDS[type];
  if (!kind && !OWN_KINDS.has(type)) throw new Unsupported(`diagrams such as ${type}`);
  if (!kind || !settings.isCommon) return withOwnStyles(source, id, font, type);
  const picture = await render(source, font, theme, type);
  const sheet = picture.querySelector("style");
  sheet?.remove();
  finish(picture, id);
  if (theme === LIGHT) followPage(picture, kind);
  return described(picture, `${kind}-${settings.theme ?? theme}`, sheet?.textContent);
}

/** Render a rare kind, or with rare settings, in both themes: its styles are in its elements. */
async function withOwnStyles(source: string, id: string, font: string, type: string): Promise<Result> {
  const pictures: Element[] = [];
  for (const theme of [LIGHT, DARK]) {
    let sheet: Sheet | undefined;
    document.textStyle = (element, name) => (sheet ??= textSheet()).value(element, name);
    const picture = await render(source, font, theme, type).finally(() => (document.textStyle = () => ""));
    const style = picture.querySelector("style");
    if (style) applySheet(new Sheet(style.textContent), picture.parentNode!);
    style?.remove();
    finish(picture, id);
    if (theme === DARK) brightenFixed(picture, type);
    pictures.push(picture);
  }
  mergeThemes(pictures[0]!, pictures[1]!);
  const { svg, title } = described(pictures[0]!, "own");
  return { svg: svg!.replaceAll(BACKGROUND, "var(--ds-bg)"), title };
}

function textSheet(): Sheet {
  return new Sheet(document.querySelector("style")?.textContent ?? "").only(/^font-(?:size|weight)$/);
}

async function render(source: string, font: string, theme: string, type: string): Promise<Element> {
  document.clear();
  repeatRandomNumbers();
  const stage = document.body.appendChild(new Stage(document, HTML, "div"));
  initialize(font, theme, type);
  await mermaid.render("m0", quoteNames(source), stage as never);
  const picture = stage.rendered?.querySelector("svg");
  if (!picture) throw new Unsupported("nothing to render");
  if (type === "gitGraph") clearBranchNames(picture);
  return picture;
}

let initialized = "";

function initialize(font: string, theme: string, type: string): void {
  const options = [font, theme, HAS_SERIES.has(type)].join();
  if (options === initialized) return;
  initialized = options;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    look: "classic",
    layout: "dagre",
    state: { layout: "dagre" },
    handDrawnSeed: 1, // equal sources, equal drawings
    maxEdges: MOST_EDGES,
    theme,
    fontFamily: font,
    themeVariables: { edgeLabelBackground: BACKGROUND, ...(HAS_SERIES.has(type) ? SERIES : {}) },
  } as never);
}

function finish(picture: Element, id: string): void {
  // A drawing is read on other days than the one on which it is made.
  picture.querySelectorAll(".today").forEach((line) => line.remove());
  renderLabels(picture);
  keepReadable(picture);
  markBlocks(picture);
  keepIds(picture, id);
}

/** Leave only the ids that something refers to, and make them those of this drawing. */
function keepIds(picture: Element, id: string): void {
  const used = new Map<string, string>();
  const everything = picture.querySelectorAll("*");
  for (const element of everything) {
    for (const [name, value] of element.attributes) {
      const found = /^url\((?:[^#)]*)#([^)]+)\)$/.exec(value)?.[1];
      if (!found) continue;
      if (!used.has(found)) used.set(found, found.startsWith("m0") ? found.replace("m0", id) : `${id}-${used.size}`);
      element.setAttribute(name, `url(#${used.get(found)!})`);
    }
  }
  for (const element of everything) {
    const own = used.get(element.id);
    if (own) element.setAttribute("id", own);
    else if (element.localName === "marker" || element.localName === "linearGradient") element.remove();
    else element.removeAttribute("id");
  }
}

/** The element around a drawing has its role and name. */
function described(picture: Element, styles: string, css?: string): Result {
  const title = picture.querySelector("title")?.textContent;
  const names = [picture.getAttribute("class"), "ds-drawing", `ds-drawing-${styles}`];
  picture.setAttribute("class", names.filter(Boolean).join(" "));
  picture.setAttribute("aria-hidden", "true");
  const width = Number.parseFloat(picture.style.getPropertyValue("max-width"));
  if (width) picture.style.setProperty("--ds-drawn-width", `${Math.round(width)}px`);
  for (const name of ["id", "role", "aria-roledescription", "aria-labelledby", "aria-describedby", "xmlns"]) {
    picture.removeAttribute(name);
  }
  return { svg: serialize(picture), title, css };
}

const themes = { light: LIGHT, dark: DARK, authors: AUTHORS, background: BACKGROUND, pairs: PAIRS, named, colorsOf };
(globalThis as unknown as Record<string, unknown>).diagrams = {
  render: start,
  result: () => JSON.stringify({ ...result, css: undefined }),
  css: () => result.css,
  themes,
};
