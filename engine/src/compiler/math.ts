/** Whether a page's dollars are mathematics: far more often they are money. */
import { codeRanges } from "../text";

/** Between two dollars, no blanks at their insides: a command, or a letter with an index. */
const TEX =
  /(?<![\\$\w])\$(?![\s$])[^$\n]*?(?:\\[a-zA-Z]+|(?<!\w)\w[_^][\w{\\])[^$\n]*?(?<=\S)\$(?![\w$])/;

type MathFeature = boolean | { singleDollarTextMath: boolean };

/** Single dollars count only where TeX stands between two of them, double ones always. */
export function mathIn(source: string): MathFeature {
  if (!source.includes("$")) return false;
  const prose = withoutCode(source);
  if (TEX.test(prose)) return true;
  return prose.includes("$$") && { singleDollarTextMath: false };
}

function withoutCode(source: string): string {
  let text = "";
  let from = 0;
  for (const [start, end] of codeRanges(source)) {
    text += source.slice(from, start);
    from = end;
  }
  return text + source.slice(from);
}
