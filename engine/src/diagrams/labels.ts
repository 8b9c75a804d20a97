/** Labels of HTML as SVG text: the same lines at the same positions. */
import { declarations, SVG, Unsupported, type Element } from "./dom";
import { ASCENT, DESCENT, fontSize, layOut, LINE, type Piece } from "./text";

const TEXT_STYLES = ["font-size", "font-weight", "font-style", "font-family", "text-decoration", "opacity"];

/** Replace every `foreignObject` below an element. */
export function renderLabels(drawing: Element): void {
  drawing.querySelectorAll("switch").forEach(chooseText);
  for (const holder of drawing.querySelectorAll("foreignObject")) {
    const label = holder.firstElementChild;
    if (label && label.textContent.trim()) renderLabel(holder, label);
    holder.remove();
  }
}

/** Take the SVG version of a label that has two versions. */
function chooseText(choice: Element): void {
  const group = choice.ownerDocument.createElementNS(SVG, "g");
  const holder = choice.querySelector("foreignObject");
  const label = holder?.querySelector(".label");
  const color = label && declarations(label).get("color");
  holder?.remove();
  if (color) choice.querySelectorAll("text").forEach((text) => text.style.setProperty("fill", color));
  choice.parentNode!.insertBefore(group, choice);
  for (const child of choice.children) group.appendChild(child);
  choice.remove();
}

function renderLabel(holder: Element, label: Element): void {
  const document = holder.ownerDocument;
  const { lines, width, height } = layOut(label);
  const span = label.querySelector("span") ?? label;
  const group = document.createElementNS(SVG, "g");
  const text = document.createElementNS(SVG, "text");
  const style = styles(label, span);
  const isCentred = !isLeft(label, holder);
  const [x, y] = [Number.parseFloat(holder.getAttribute("x") ?? "") || 0, Number.parseFloat(holder.getAttribute("y") ?? "") || 0];
  group.setAttribute("class", [span.getAttribute("class"), label.getAttribute("class")].filter(Boolean).join(" "));
  if (x || y) group.setAttribute("transform", `translate(${x}, ${y})`);
  if (hasBackground(holder, label, span)) group.appendChild(background(holder, width, height));
  if (style) text.setAttribute("style", style);
  if (isCentred) text.setAttribute("text-anchor", "middle");
  const size = fontSize(span);
  const start = isCentred ? round(width / 2) : 0;
  const baseline = (LINE - ASCENT - DESCENT) / 2 + ASCENT;
  lines.forEach((line, number) => {
    if (line.length === 0) return;
    const row = text.appendChild(document.createElementNS(SVG, "tspan"));
    row.setAttribute("x", start);
    row.setAttribute("y", round((number * LINE + baseline) * size));
    for (const piece of line) row.appendChild(renderPiece(piece, holder));
  });
  group.appendChild(text);
  holder.parentNode!.insertBefore(group, holder);
}

function renderPiece(piece: Piece, holder: Element) {
  const document = holder.ownerDocument;
  if (!piece.isBold && !piece.isItalic && !piece.isCode) return document.createTextNode(piece.text);
  const span = document.createElementNS(SVG, "tspan");
  if (piece.isBold) span.setAttribute("font-weight", "bold");
  if (piece.isItalic) span.setAttribute("font-style", "italic");
  if (piece.isCode) span.setAttribute("font-family", "monospace");
  span.textContent = piece.text;
  return span;
}

function isLeft(label: Element, holder: Element): boolean {
  if (isWithin(holder, "items")) return true; // cards of a board
  const align = label.style.getPropertyValue("text-align");
  if (align) return align === "left" || align === "start";
  return ["members-group", "methods-group", "annotation-group", "label-group"].some((name) => isWithin(holder, name));
}

function isWithin(element: Element, name: string): boolean {
  for (let each: Element | null = element; each; each = each.parentNode) {
    if (each.classList.contains(name)) return true;
  }
  return false;
}

function hasBackground(holder: Element, label: Element, span: Element): boolean {
  if (span.classList.contains("edgeLabel")) return true;
  return label.classList.contains("labelBkg") && isWithin(holder, "edgeLabel");
}

function background(holder: Element, width: number, height: number): Element {
  const box = holder.ownerDocument.createElementNS(SVG, "rect");
  box.setAttribute("class", "background");
  box.setAttribute("width", round(width));
  box.setAttribute("height", round(height));
  return box;
}

/** Return an author's styles of a label as SVG properties. */
function styles(label: Element, span: Element): string {
  const found = new Map([...declarations(label), ...declarations(span)]);
  const kept = TEXT_STYLES.flatMap((name) => (found.has(name) ? [`${name}:${found.get(name)!}`] : []));
  const color = found.get("color");
  if (color) kept.push(`fill:${color}`);
  if (found.has("background") || found.has("background-color")) throw new Unsupported("a background of a label");
  return kept.join(";");
}

export function round(number: number): number {
  return Math.round(number * 100) / 100;
}
