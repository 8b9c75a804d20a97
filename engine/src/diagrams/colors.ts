/** Colours of drawings that follow the page: the light ones of the library, and their names. */
import type { Element } from "./dom";

export const BACKGROUND = "#123457"; // stands for that of the page while a diagram is rendered
export const LIGHT = "neutral";
export const DARK = "dark";
export const AUTHORS = ["default"]; // themes that authors may name, alike on light and dark pages

const FILLS = "60a5fa 34d399 fbbf24 f87171 a78bfa 22d3ee fb923c a3e635 f472b6 94a3b8 2dd4bf facc15".split(" ");
const INK = "#111111";

/** Colours of the parts of charts and of branches, which a text can be read on. */
export const SERIES: Record<string, string> = {
  ...Object.fromEntries(FILLS.map((color, at) => [`pie${at + 1}`, `#${color}`])),
  ...Object.fromEntries(FILLS.slice(0, 8).map((color, at) => [`git${at}`, `#${color}`])),
  ...Object.fromEntries(FILLS.slice(0, 8).map((_, at) => [`gitBranchLabel${at}`, INK])),
  ...Object.fromEntries(FILLS.map((color, at) => [`cScale${at}`, `#${color}`])),
  ...Object.fromEntries(FILLS.map((_, at) => [`cScaleLabel${at}`, INK])),
  pieOpacity: "1",
  pieOuterStrokeColor: BACKGROUND,
  pieSectionTextColor: INK,
  pieStrokeColor: BACKGROUND,
};

export const HAS_SERIES = new Set(["gitGraph", "mindmap", "pie"]);

/** Kinds with lines and texts that the library leaves dark on dark pages, and these colours. */
const FIXED_KINDS = new Set(["c4", "treeView", "wardley"]);
const FIXED = new Set(["#000", "#444444", "black"]);
const BRIGHT = "#ccc";

/** Brighten colours that would be dark on a dark page. */
export function brightenFixed(picture: Element, type: string): void {
  if (!FIXED_KINDS.has(type)) return;
  for (const element of picture.querySelectorAll("*")) {
    for (const name of ["fill", "stroke"]) {
      if (FIXED.has(element.style.getPropertyValue(name))) element.style.setProperty(name, BRIGHT);
      if (FIXED.has(element.getAttribute(name) ?? "")) element.setAttribute(name, BRIGHT);
    }
  }
}

/** By kind of diagram and attribute: the value in the light theme, and that in the dark one. */
export const PAIRS: Record<string, [attribute: string, light: string, dark: string][]> = {
  flowchart: [
    ["fill", "#eee", "#1f2020"],
    ["stroke", "#999", "#ccc"],
    ["fill", "#666", "lightgrey"],
    ["stroke", "#666", "lightgrey"],
  ],
  er: [
    ["stroke", "#999", "#ccc"],
    ["fill", "#eee", "#1f2020"],
    ["fill", "hsl(0, 0%, 100%)", "#2c2d2d"],
    ["fill", "#f4f4f4", "#060606"],
  ],
  class: [
    ["fill", "#eee", "#1f2020"],
    ["stroke", "#999", "#ccc"],
    ["fill", "#666", "#484a4a"],
    ["style", "fill:#666 !important;stroke:#999 !important", "fill:#484a4a !important;stroke:#2f2f2f !important"],
  ],
  sequence: [["style", "stroke: hsl(0, 0%, 83%);", "stroke: #ccc;"]],
  state: [
    ["fill", "#666", "#484a4a"],
    ["stroke", "#999", "#2f2f2f"],
    ["fill", "#eee", "#1f2020"],
    ["stroke", "#666", "lightgrey"],
    ["fill", "#000", "#ccc"],
    ["stroke", "#000", "#ccc"],
  ],
};

/** Replace colours of the light theme by their names. */
export function followPage(drawing: Element, kind: string): void {
  const pairs = PAIRS[kind] ?? [];
  for (const element of drawing.querySelectorAll("*")) {
    if (element.getAttribute("fill") === "white") element.setAttribute("fill", "var(--ds-bg)");
    for (const [attribute, light, dark] of pairs) {
      if (element.getAttribute(attribute) !== light) continue;
      element.setAttribute(attribute, attribute === "style" ? styled(light, dark) : named(light, dark));
    }
  }
}

function styled(light: string, dark: string): string {
  return colorsOf(light, dark).reduce((style, [one, other]) => style.replace(one, named(one, other)), light);
}

const COLOR = /#[\da-f]{3,8}\b|hsl\([^()]*\)/g;

/** The colours of two styles that differ in nothing else. */
export function colorsOf(light: string, dark: string): [string, string][] {
  const others = dark.match(COLOR) ?? [];
  return (light.match(COLOR) ?? []).map((color, at) => [color, others[at]!]);
}

/** Return the variable that is `light` on light pages and `dark` on dark ones. */
export function named(light: string, dark: string): string {
  return `var(--ds-d-${letters(light)}-${letters(dark)})`;
}

function letters(color: string): string {
  return color.replace(/[^\w]+/g, "_");
}
