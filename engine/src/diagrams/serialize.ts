/** SVG as text, of the elements and attributes that a drawing may have. */
import { Element, HTML, Text, Unsupported, type TreeNode } from "./dom";

const ELEMENTS = new Set(
  ("circle defs desc ellipse g line linearGradient marker path polygon polyline rect stop svg text title " +
    "tspan").split(" "),
);
const DROPPED = new Set(["clipPath", "feDropShadow", "filter", "style", "symbol"]);
const ATTRIBUTES =
  /^(?:alignment-baseline|aria-(?:describedby|hidden|label|labelledby|roledescription)|class|c[xy]|d|d[xy]|dominant-baseline|fill(?:-opacity|-rule)?|font-(?:family|size|style|weight)|gradientUnits|height|id|marker(?:-end|-start|-mid|Height|Units|Width)|name|offset|opacity|orient|points|preserveAspectRatio|r|ref[XY]|role|r[xy]|stop-(?:color|opacity)|stroke(?:-dasharray|-dashoffset|-linecap|-linejoin|-opacity|-width)?|style|text-anchor|transform|viewBox|width|x[12]?|xmlns|y[12]?)$/;
/** Of a style: nothing that asks the network, and no escapes that could hide it. */
const OUTSIDE = /url\s*\(\s*(?!["']?#)|\\|expression|@import|image-set|src\s*\(/i;

const GEOMETRY = /^(?:[drxy]|[cdr][xy]|[xy][12]|height|points|transform|viewBox|width)$/;

export function serialize(node: TreeNode): string {
  if (node instanceof Text) return escaped(node.data);
  if (!(node instanceof Element) || node.namespaceURI === HTML) return inner(node);
  const name = node.localName;
  if (DROPPED.has(name)) return "";
  if (!ELEMENTS.has(name)) throw new Unsupported(`<${name}> in a drawing`);
  const attributes = [...node.attributes].map(([key, value]) => attribute(key, value)).join("");
  const content = inner(node);
  return content ? `<${name}${attributes}>${content}</${name}>` : `<${name}${attributes}/>`;
}

function inner(node: TreeNode): string {
  return node.childNodes.map(serialize).join("");
}

/** Of lines that cross; on dark pages nothing of them would be left. */
const BLENDED = /mix-blend-mode\s*:[^;]*;?\s*/g;

function attribute(name: string, written: string): string {
  if (!ATTRIBUTES.test(name)) return "";
  const value = name === "style" ? written.replace(BLENDED, "") : written;
  if (OUTSIDE.test(value)) throw new Unsupported("a style that names a file");
  return value === "" || value === ";" ? "" : ` ${name}="${escaped(GEOMETRY.test(name) ? shortened(value) : value)}"`;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** Numbers of two decimals, which are finer than a screen. */
function shortened(value: string): string {
  return value.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, (number) => String(Math.round(Number(number) * 100) / 100));
}
