/**
 * Finds expressions that are nested so deeply that the compiler's time doubles with each level.
 *
 * The compiler tries what follows a `<` as a type first and as an element or a comparison then, each
 * time with everything that is nested in it. Of 12,360 files of public repositories, the deepest has
 * 9 such levels.
 */
import { countOf, matchesOf } from "../patterns";
import { codeRanges } from "../text";

export const MOST_LEVELS = 16;
const MARK = /[{}()<]/g;

interface Bracket {
  mark: string;
  isLevel: boolean; // whether the compiler reads its content twice
  hasTag: boolean; // whether a `<` stands in its content so far
}

/** The offset of the first bracket that is one level too deep; null if there is none. */
export function tooDeepIn(source: string): number | null {
  if (!isLikely(source)) return null;
  const code = codeRanges(source);
  const open: Bracket[] = [];
  let next = 0;
  let levels = 0;
  const close = () => {
    if (open.pop()?.isLevel) levels -= 1;
  };
  for (const { 0: mark, index } of matchesOf(MARK, source)) {
    while (next < code.length && code[next][1] <= index) next += 1;
    const around = open.at(-1);
    const isCode = !around && next < code.length && code[next][0] <= index;
    if (isCode || source[index - 1] === "\\") continue;
    if (mark === "{" || (mark === "(" && around)) {
      const isLevel = around?.hasTag ?? true;
      open.push({ mark, isLevel, hasTag: false });
      if (isLevel && (levels += 1) > MOST_LEVELS) return index;
    } else if (mark === "<") {
      if (around) around.hasTag = true;
    } else if (mark === "}") {
      while (open.length > 0 && open.at(-1)?.mark !== "{") close();
      close();
    } else if (around?.mark === "(") {
      close();
    }
  }
  return null;
}

/** Whether a source has enough brackets for such a level. Most pages do not. */
function isLikely(source: string): boolean {
  return source.includes("{") && countOf("{", source) + countOf("(", source) > MOST_LEVELS;
}
