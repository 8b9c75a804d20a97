/** Texts on the fills that authors choose, as in drawings of the build (engine/src/diagrams/readable.ts). */

const DARK_TEXT = "#111";
const LIGHT_TEXT = "#fff";
const MIDDLE = 0.18; // relative luminance with equal contrast to both texts
const LEAST_ALPHA = 0.6;
const LABELS = "text, foreignObject span";

/** Give labels on an author's fill a color to be read by, and mark the colored blocks of sequences. */
export function keepReadable(picture: SVGElement): void {
  for (const shape of picture.querySelectorAll<SVGElement>("[style*='fill']")) {
    const part = shape.closest(".node, .cluster");
    const text = part && textOn(getComputedStyle(shape).fill);
    if (text) part.querySelectorAll<SVGElement | HTMLElement>(LABELS).forEach((label) => color(label, text));
  }
  for (const block of picture.querySelectorAll("rect.rect")) {
    const text = textOn(getComputedStyle(block).fill);
    if (text) block.classList.add(text === DARK_TEXT ? "ds-pale" : "ds-deep");
  }
}

function color(label: SVGElement | HTMLElement, text: string): void {
  const { style } = label;
  if (style.color || style.fill) return; // the author's
  style.color = style.fill = text;
}

function textOn(fill: string): string | undefined {
  const found = /^rgba?\(([^)]+)\)$/.exec(fill);
  const [red, green, blue, alpha = 1] = found ? found[1]!.split(/[ ,/]+/).map(Number) : [];
  if (red === undefined || green === undefined || blue === undefined || alpha < LEAST_ALPHA) return undefined;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > MIDDLE ? DARK_TEXT : LIGHT_TEXT;
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
