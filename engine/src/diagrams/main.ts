/**
 * Diagrams as SVG, drawn by Mermaid on a document of our own.
 *
 *     diagrams.draw(source, id, font)
 *     diagrams.result()                -> JSON: {svg, title}, {problem} or {}
 *
 * A drawing has the colours of light and dark pages, by the style sheet that the build writes.
 */
import { document, repeatRandomNumbers } from "./environment";
import mermaid from "mermaid";
import { check, MOST_EDGES, quoteNames } from "./authors";
import { AUTHORS, BACKGROUND, colorsOf, DARK, followPage, LIGHT, named, PAIRS, SERIES } from "./colors";
import { HTML, Stage, Unsupported, type Element } from "./dom";
import { drawLabels } from "./labels";
import { problemOf, type Problem } from "./problems";
import { keepReadable } from "./readable";
import { serialize } from "./serialize";
import { measureIn } from "./widths";

interface Result {
  svg?: string;
  title?: string;
  css?: string; // for the build alone
  problem?: Problem; // an error of its author; without it, a browser may draw the source
  pending?: true;
}

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

let result: Result = {};

function draw(source: string, id: string, font: string, theme = LIGHT): void {
  result = { pending: true };
  document.clear();
  repeatRandomNumbers();
  const stage = document.body.appendChild(new Stage(document, HTML, "div"));
  begin(source, font, theme, stage)
    .then(({ kind, theme }) => (result = finished(stage, kind, theme, id)))
    .catch(async (error: unknown) => (result = { problem: await problemOf(source, error) }));
}

async function begin(source: string, font: string, theme: string, stage: Stage) {
  if (!measureIn(font)) throw new Unsupported(`the font ${font}`);
  const wanted = check(source);
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
    themeVariables: { edgeLabelBackground: BACKGROUND, ...SERIES },
  } as never);
  const { diagramType } = await mermaid.render("m0", quoteNames(source), stage as never);
  const kind = KINDS[diagramType];
  if (!kind) throw new Unsupported(`diagrams such as ${diagramType}`);
  return { kind, theme: wanted ?? theme };
}

function finished(stage: Stage, kind: string, theme: string, id: string): Result {
  const picture = stage.drawn?.querySelector("svg");
  if (!picture) throw new Unsupported("nothing to draw");
  const sheet = picture.querySelector("style");
  sheet?.remove();
  // A drawing is read on other days than the one on which it is made.
  picture.querySelectorAll(".today").forEach((line) => line.remove());
  drawLabels(picture);
  keepReadable(picture);
  keepIds(picture, id);
  if (theme === LIGHT) followPage(picture, kind);
  const title = picture.querySelector("title")?.textContent;
  describe(picture, kind, theme);
  return { svg: serialize(picture), title, css: sheet?.textContent };
}

/** Leave only the ids that something refers to, and make them those of this drawing. */
function keepIds(picture: Element, id: string): void {
  const used = new Set<string>();
  const everything = picture.querySelectorAll("*");
  for (const element of everything) {
    for (const [name, value] of element.attributes) {
      const found = /^url\((?:[^#)]*)#([^)]+)\)$/.exec(value)?.[1];
      if (!found) continue;
      used.add(found);
      element.setAttribute(name, `url(#${found.replace(/^m0/, id)})`);
    }
  }
  for (const element of everything) {
    if (used.has(element.id)) element.setAttribute("id", element.id.replace(/^m0/, id));
    else if (element.localName === "marker" || element.localName === "linearGradient") element.remove();
    else element.removeAttribute("id");
  }
}

/** The element around a drawing has its role and name. */
function describe(picture: Element, kind: string, theme: string): void {
  const names = [picture.getAttribute("class"), "ds-drawing", `ds-drawing-${kind}-${theme}`];
  picture.setAttribute("class", names.filter(Boolean).join(" "));
  picture.setAttribute("aria-hidden", "true");
  const width = Number.parseFloat(picture.style.getPropertyValue("max-width"));
  if (width) picture.style.setProperty("--ds-drawn-width", `${Math.round(width)}px`);
  for (const name of ["id", "role", "aria-roledescription", "aria-labelledby", "aria-describedby", "xmlns"]) {
    picture.removeAttribute(name);
  }
}

const themes = { light: LIGHT, dark: DARK, authors: AUTHORS, background: BACKGROUND, pairs: PAIRS, named, colorsOf };
(globalThis as unknown as Record<string, unknown>).diagrams = {
  draw,
  result: () => JSON.stringify({ ...result, css: undefined }),
  css: () => result.css,
  themes,
};
