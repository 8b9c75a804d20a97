/** Colours of an accent with enough contrast to their backgrounds. */

const LIGHT = [255, 255, 255] as const;
const DARK = [17, 20, 24] as const; // as in widget.css
const ENOUGH = 4.5; // WCAG 2, AA
const STEPS = 20;

type Rgb = readonly number[];

/** The accent for fills, for text on it, and for words on light and on dark. */
export function shades(accent: string): { fill: string; on: string; light: string; dark: string } {
  const fill = parsed(accent);
  const on = contrast(fill, LIGHT) >= contrast(fill, DARK) ? LIGHT : DARK;
  return { fill: css(fill), on: css(on), light: css(readable(fill, LIGHT, DARK)), dark: css(readable(fill, DARK, LIGHT)) };
}

/** Whether a colour is one of text on light backgrounds. */
export function isDark(color: string): boolean {
  const text = parsed(color);
  return contrast(text, LIGHT) > contrast(text, DARK);
}

/** Move a colour towards `to` until its contrast to `behind` is sufficient. */
function readable(color: Rgb, behind: Rgb, to: Rgb): Rgb {
  for (let step = 0; step <= STEPS; step++) {
    const mixed = color.map((value, index) => value + ((to[index]! - value) * step) / STEPS);
    if (contrast(mixed, behind) >= ENOUGH) return mixed;
  }
  return to;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return the colour as the browser parses it, or black. */
function parsed(color: string): Rgb {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!pen) return DARK;
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

function css(color: Rgb): string {
  return `rgb(${color.map(Math.round).join(" ")})`;
}
