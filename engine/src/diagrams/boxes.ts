/** Boxes of what is rendered, in the coordinates of the element that was asked. */
import type { Element } from "./dom";
import { pathPoints } from "./paths";
import { ASCENT, DESCENT, fontSize, textWidth } from "./text";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Matrix = [number, number, number, number, number, number];
export type Point = [number, number];

const NOT_RENDERED = new Set(["clipPath", "defs", "desc", "filter", "marker", "metadata", "script", "style", "title"]);

/** Return the box of an element, its own transform left out. None where it renders nothing. */
export function boxOf(element: Element): Box | undefined {
  const points = pointsOf(element);
  if (points.length === 0) return undefined;
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let at = 0; at < points.length; at += 1) {
    const point = points[at]!; // by index, which costs a third of taking it apart
    if (point[0] < left) left = point[0];
    if (point[0] > right) right = point[0];
    if (point[1] < top) top = point[1];
    if (point[1] > bottom) bottom = point[1];
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function pointsOf(element: Element): readonly Point[] {
  const number = (name: string) => Number.parseFloat(element.getAttribute(name) ?? "") || 0;
  switch (element.localName) {
    case "rect":
    case "foreignObject":
    case "image":
      return corners({ x: number("x"), y: number("y"), width: number("width"), height: number("height") });
    case "circle":
      return around(number("cx"), number("cy"), number("r"), number("r"));
    case "ellipse":
      return around(number("cx"), number("cy"), number("rx"), number("ry"));
    case "line":
      return [[number("x1"), number("y1")], [number("x2"), number("y2")]];
    case "polygon":
    case "polyline":
      return pairs(element.getAttribute("points") ?? "");
    case "path":
      return pathPoints(element.getAttribute("d") ?? "");
    case "text":
    case "tspan":
      return textBoxes(element).flatMap(corners);
    default:
      return below(element);
  }
}

function below(element: Element): Point[] {
  const points: Point[] = [];
  for (const child of element.children) {
    if (NOT_RENDERED.has(child.localName) || child.style.getPropertyValue("display") === "none") continue;
    points.push(...outlineOf(child));
  }
  return points;
}

/** Return the corners of an element's box one after the other, with its own transform; none if it renders nothing. */
export function outlineOf(element: Element): Point[] {
  const box = boxOf(element);
  if (!box || (box.width === 0 && box.height === 0)) return [];
  const matrix = matrixOf(element.getAttribute("transform"));
  return corners(box).map((point) => moved(point, matrix));
}

function corners({ x, y, width, height }: Box): Point[] {
  return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
}

function around(x: number, y: number, rx: number, ry: number): Point[] {
  return corners({ x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry });
}

function pairs(text: string): Point[] {
  const numbers = (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  return numbers.flatMap((x, at) => (at % 2 === 0 && at + 1 < numbers.length ? [[x, numbers[at + 1]!] as Point] : []));
}

/** A line for each piece with a position of its own; the others stand in the line of their parent. */
function textBoxes(text: Element): Box[] {
  const found: Box[] = [];
  const size = fontSize(text);
  const start = { x: first(text, "x", size) ?? 0, y: (first(text, "y", size) ?? 0) + (first(text, "dy", size) ?? 0) };
  const rows = text.children.filter((child) => child.localName === "tspan" && child.hasAttribute("x"));
  if (rows.length === 0) return text.textContent ? [lineBox(text, start.x, start.y, size)] : [];
  let { y } = start;
  for (const row of rows) {
    y = (first(row, "y", size) ?? y) + (first(row, "dy", size) ?? 0);
    if (row.textContent) found.push(lineBox(row, first(row, "x", size) ?? start.x, y, size));
  }
  return found;
}

function lineBox(row: Element, x: number, y: number, size: number): Box {
  const width = textWidth(row);
  const anchor = inherited(row, "text-anchor");
  const left = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width : x;
  const baseline = inherited(row, "alignment-baseline") || inherited(row, "dominant-baseline");
  const height = (ASCENT + DESCENT) * size;
  const isCentral = baseline === "central" || baseline === "middle";
  const above = isCentral ? height / 2 : ASCENT * size;
  return { x: left, y: y - above, width, height };
}

function inherited(element: Element, name: string): string {
  for (let each: Element | null = element; each; each = each.parentNode) {
    const value = each.style.getPropertyValue(name) || each.getAttribute(name);
    if (value) return value;
    if (each.localName === "text") break;
  }
  return "";
}

function first(element: Element, name: string, size: number): number | undefined {
  const written = element.getAttribute(name);
  if (!written) return undefined;
  const number = Number.parseFloat(written);
  return written.endsWith("em") ? number * size : number;
}

/** Return the matrix of a `transform`: that of translations, scales and turns. */
function matrixOf(written: string | null): Matrix {
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  if (!written) return matrix;
  for (const [, name, values] of written.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const numbers = (values!.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    matrix = times(matrix, single(name!, numbers));
  }
  return matrix;
}

function single(name: string, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: number[]): Matrix {
  if (name === "translate") return [1, 0, 0, 1, a, b];
  if (name === "scale") return [a, 0, 0, b || a, 0, 0];
  if (name === "matrix") return [a, b, c, d, e, f];
  if (name !== "rotate") return [1, 0, 0, 1, 0, 0];
  const [cos, sin] = [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)];
  return [cos, sin, -sin, cos, b - b * cos + c * sin, c - b * sin - c * cos];
}

function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function moved([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}
