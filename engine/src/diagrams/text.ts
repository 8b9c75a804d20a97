/** Texts set without a browser: how wide they are, and where lines break. */
import { declarations, Element, Text, Unsupported, type TreeNode } from "./dom";
import { widthOf } from "./widths";

export const FONT_SIZE = 16;
export const LINE = 1.5; // the height of a line of a label
export const ASCENT = 1; // as browsers round that of the themes' fonts at this size
export const DESCENT = 0.25;
const MONOSPACE = 0.6;
const EX = 0.546; // the height of an "x" in the themes' fonts

export interface Piece {
  text: string;
  isBold: boolean;
  isItalic: boolean;
  isCode: boolean;
}

export interface Layout {
  lines: Piece[][];
  width: number;
  height: number;
}

interface Look {
  isBold: boolean;
  isItalic: boolean;
  isCode: boolean;
}

/** Return the font size of an element, from its own style or that of one above it. */
export function fontSize(element: Element): number {
  for (let each: Element | null = element; each; each = each.parentNode) {
    const written = styleOf(each, "font-size") || each.getAttribute("font-size") || "";
    const size = /^([\d.]+)(px|em|rem|pt|ex)?$/.exec(written.trim());
    if (written && !size) throw new Unsupported(`the font size ${written}`);
    if (size) return sizeOf(Number(size[1]), size[2]);
  }
  return FONT_SIZE;
}

function styleOf(element: Element, name: string): string {
  return element.style.getPropertyValue(name) || element.ownerDocument.textStyle(element, name);
}

function sizeOf(number: number, unit = "px"): number {
  if (unit === "ex") return number * EX * FONT_SIZE;
  if (unit === "pt") return (number * 4) / 3;
  return unit === "px" ? number : number * FONT_SIZE;
}

export function isBold(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentNode) {
    if (each.localName === "strong" || each.localName === "b") return true;
    const written = styleOf(each, "font-weight") || each.getAttribute("font-weight");
    if (written) return written.startsWith("bold") || Number(written) >= 600;
    if (each.classList.contains("classTitle")) return true;
  }
  return false;
}

/** Return the width of an element of SVG text, in one line. */
export function textWidth(element: Element): number {
  const own = element.childNodes.map((child) =>
    child instanceof Element ? textWidth(child) : measured(child.textContent, isBold(element), fontSize(element)),
  );
  return own.reduce((sum, width) => sum + width, 0);
}

function measured(text: string, bold: boolean, size: number): number {
  const width = widthOf(text.replace(/[\n\r\t]/g, " "), bold);
  if (width === undefined) throw new Unsupported("a text that no table of widths has");
  return width * size;
}

function pieceWidth({ text, isBold, isCode }: Piece, size: number): number {
  return isCode ? text.length * MONOSPACE * size : measured(text, isBold, size);
}

/** Break the HTML of a label into lines, as wide as its style lets them be. */
export function layOut(element: Element): Layout {
  const style = declarations(element);
  const size = fontSize(element.querySelector("span") ?? element);
  const wraps = style.get("white-space")?.startsWith("break-spaces") ?? false;
  const declared = pixels(style.get("width"));
  const most = pixels(style.get("max-width"));
  const written = paragraphs(element);
  const limit = wraps && declared ? Math.max(declared, ...written.flat().map((piece) => longestWord(piece, size))) : 0;
  const lines = limit ? written.flatMap((line) => wrapped(line, limit, size)) : written;
  let width = Math.max(0, ...lines.map((line) => lineWidth(line, size)));
  if (declared !== undefined) width = Math.max(width, declared);
  else if (most !== undefined && width > most) width = most;
  return { lines, width, height: element.textContent.trim() ? lines.length * LINE * size : 0 };
}

function pixels(written: string | undefined): number | undefined {
  const found = /^([\d.]+)px/.exec(written ?? "");
  return found ? Number(found[1]) : undefined;
}

export function lineWidth(line: Piece[], size: number): number {
  return line.reduce((sum, piece) => sum + pieceWidth(piece, size), 0);
}

/** The lines that an author breaks by hand, blanks collapsed. */
function paragraphs(root: Element): Piece[][] {
  const lines: Piece[][] = [[]];
  const visit = (node: TreeNode, look: Look): void => {
    if (node instanceof Text) lines.at(-1)!.push({ text: node.data.replace(/[ \n\t\r]+/g, " "), ...look });
    if (!(node instanceof Element)) return;
    const name = node.localName;
    if (name === "br" || (name === "p" && lines.at(-1)!.length > 0)) lines.push([]);
    const next = {
      isBold: look.isBold || isBold(node),
      isItalic: look.isItalic || name === "em" || name === "i",
      isCode: look.isCode || name === "code",
    };
    for (const child of node.childNodes) visit(child, next);
  };
  visit(root, { isBold: false, isItalic: false, isCode: false });
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines.map(trimmed);
}

function trimmed(line: Piece[]): Piece[] {
  const pieces = line.map((piece) => ({ ...piece }));
  if (pieces[0]) pieces[0].text = pieces[0].text.trimStart();
  const last = pieces.at(-1);
  if (last) last.text = last.text.trimEnd();
  return pieces.filter(({ text }) => text !== "");
}

/** A box is at least as wide as what cannot be broken. */
function longestWord(piece: Piece, size: number): number {
  return Math.max(0, ...wordsOf(piece).map((word) => (word.text.trim() ? pieceWidth(word, size) : 0)));
}

function wordsOf(piece: Piece): Piece[] {
  return (piece.text.match(/[^ -]*-+|[^ -]+| +/g) ?? []).map((text) => ({ ...piece, text }));
}

function wrapped(line: Piece[], width: number, size: number): Piece[][] {
  const lines: Piece[][] = [[]];
  let used = 0;
  for (const piece of line) {
    for (const word of wordsOf(piece)) {
      const wide = pieceWidth(word, size);
      if (used + wide > width && used > 0 && word.text.trim()) {
        lines.push([]);
        used = 0;
      }
      lines.at(-1)!.push(word);
      used += wide;
    }
  }
  return lines.map(trimmed).filter((each) => each.length > 0);
}
