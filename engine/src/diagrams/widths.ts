/** Widths of characters in the fonts that sites come with, in thousandths of their size. */
import table from "./widths.json";

type Weight = "400" | "700";

const FULL = 1000;
const EMOJI = 1370; // of the widest font for emoji
const rows = table.fonts as Record<string, Record<Weight, number[]>>;
const columns = new Map([...table.characters].map((character, column) => [character, column]));

let row = rows.Inter!;

/** Measure texts in a font from now on. Return whether its widths are known. */
export function measureIn(font: string): boolean {
  const found = Object.hasOwn(rows, font) ? rows[font] : undefined;
  if (found) row = found;
  return found !== undefined;
}

/** Return the width of a text in a font of one pixel. */
export function widthOf(text: string, isBold: boolean): number | undefined {
  const widths = row[isBold ? "700" : "400"];
  let sum = 0;
  for (const character of text) {
    const width = widths[columns.get(character) ?? -1] ?? other(character);
    if (width === undefined) return undefined;
    sum += width;
  }
  return sum / FULL;
}

/** Characters that every font renders in one width. A browser measures the others. */
function other(character: string): number | undefined {
  if (/[\u{200b}-\u{200d}\u{fe00}-\u{fe0f}\u{1f3fb}-\u{1f3ff}\n\r\t]/u.test(character)) return 0;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u.test(character)) {
    return FULL;
  }
  if (/\p{Extended_Pictographic}/u.test(character)) return EMOJI;
  if (/[\u2190-\u21ff\u2200-\u22ff\u2500-\u25ff]/.test(character)) return FULL;
  return undefined;
}
