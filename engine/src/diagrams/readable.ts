/** Labels on the fills that authors choose: the page's theme knows nothing of these. */
import { alpha, luminance } from "khroma";
import type { Element } from "./dom";

const DARK_TEXT = "#111";
const LIGHT_TEXT = "#fff";
const MIDDLE = 0.18; // relative luminance with equal contrast to both texts
const PARTS = ["node", "cluster"];

/** Give labels on an author's fill a colour to be read by, where the author gave none. */
export function keepReadable(picture: Element): void {
  for (const shape of picture.querySelectorAll("[style]")) {
    const text = textOn(shape.style.getPropertyValue("fill"));
    const part = text && partOf(shape);
    if (!part) continue;
    for (const label of part.querySelectorAll("text")) {
      if (!label.style.getPropertyValue("fill")) label.style.setProperty("fill", text);
    }
  }
}

/** Mark the colored blocks of sequences: the lines and texts on them have the colors of the page. */
export function markBlocks(picture: Element): void {
  for (const block of picture.querySelectorAll("rect.rect")) {
    const text = textOn(block.getAttribute("fill") ?? "");
    if (text) block.setAttribute("class", `rect ${text === DARK_TEXT ? "ds-pale" : "ds-deep"}`);
  }
}

function textOn(fill: string): string | undefined {
  if (!fill || fill === "none" || fill.startsWith("var(")) return undefined;
  try {
    if (alpha(fill) < 0.6) return undefined;
    return luminance(fill) > MIDDLE ? DARK_TEXT : LIGHT_TEXT;
  } catch {
    return undefined; // no colour that is known here
  }
}

function partOf(shape: Element): Element | undefined {
  for (let each = shape.parentNode; each; each = each.parentNode) {
    if (PARTS.some((name) => each!.classList.contains(name))) return each;
  }
  return undefined;
}
