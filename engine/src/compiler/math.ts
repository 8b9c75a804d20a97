/** Whether dollars on a page mark formulas. Far more often they are amounts of money. */
import { isMatch } from "../patterns";
import { codeRanges } from "../text";

/** A formula between two dollars, without blanks next to them: a command, or a letter with an index. */
const TEX =
  /(?<![\\$\w])\$(?![\s$])[^$\n]*?(?:\\[a-zA-Z]+|(?<!\w)\w[_^][\w{\\])[^$\n]*?(?<=\S)\$(?![\w$])/;

type MathFeature = boolean | { singleDollarTextMath: boolean };

/** Single dollars count only with TeX between them, double ones always. */
export function mathIn(source: string): MathFeature {
  if (!source.includes("$")) return false;
  const prose = withoutCode(source);
  if (isMatch(TEX, prose)) return true;
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
