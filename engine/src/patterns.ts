/**
 * Searching texts by patterns.
 *
 * Once `harden` has frozen the prototype of patterns, only `exec` is quick. Everything else follows the
 * steps of the specification one by one, and `split` tries the pattern at each character.
 */

/** Whether a pattern, which is not global, matches a text. */
export function isMatch(pattern: RegExp, text: string): boolean {
  return pattern.exec(text) !== null;
}

/** The matches of a global pattern, which may not be used for anything else meanwhile. */
export function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) yield found;
}

/** Return a text in which each match of a global pattern is replaced. */
export function replaceEach(
  text: string,
  pattern: RegExp,
  replace: (match: string, one: string, two: string, three: string) => string,
): string {
  let written = "";
  let from = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const end = pattern.lastIndex;
    written += text.slice(from, found.index) + replace(found[0], found[1], found[2], found[3]);
    from = end;
    pattern.lastIndex = found[0] === "" ? end + 1 : end;
  }
  return written === "" && from === 0 ? text : written + text.slice(from);
}

/** The number of times that a text contains another one. */
export function countOf(searched: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length)) count += 1;
  return count;
}
