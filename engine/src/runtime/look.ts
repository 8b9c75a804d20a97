/** Texts with a style of their own: names, and cells of tables. */
import { isMatch, replaceEach } from "../patterns";

/** Browsers break lines after hyphens, which names of options, headers and models are full of. */
const NAME = /^(?=.*-)\S{1,24}$/;

/** Browsers break no lines within names of settings, types and paths. */
const LONG_NAME = /[^\s-]{13,}/g;
const PARTS = /(?<=\w[_./<[(=])(?=\w)|(?<=[a-z]{3})(?=[A-Z][a-z]{2})/g;
const BREAK = "\0";

/** Ends of the parts of a URL. Browsers break lines after its hyphens. */
const URL_PARTS = /(?<=\w[./?&])(?=\w)/g;

/** A name or URL that may be wider than a line of a phone. */
const WIDE_NAME = /[^\s-]{31,}/;

/** Characters of a cell above which its text is prose and gets a readable width. */
const READ = 32;
const ONE_NAME = /^[!-~]*$/;

/** Whether code is a name, which is not broken. */
export function isName(code: string): boolean {
  return isMatch(NAME, code);
}

/** Whether a name in code, or a URL that a link shows, may be broken in text, too. */
export function isWide(code: string): boolean {
  return isMatch(WIDE_NAME, code);
}

/** Code at the parts of its long names, between which a narrow cell may break them. */
export function partsOf(code: string): string[] {
  return replaceEach(code, LONG_NAME, (name) => replaceEach(name, PARTS, () => BREAK)).split(BREAK);
}

/** The text of a link at the parts of a URL, between which a narrow screen may break it. */
export function urlPartsOf(text: string): string[] {
  return replaceEach(text, URL_PARTS, () => BREAK).split(BREAK);
}

/** Whether the text of a cell is prose. */
export function isRead(text: string): boolean {
  return text.length > READ && !isMatch(ONE_NAME, text);
}
