/** Texts with a style of their own: names, and cells of tables. */

/** Browsers break lines after hyphens, which names of options, headers and models are full of. */
const NAME = /^(?=.*-)\S{1,24}$/;

/** Browsers break no lines within names of settings, types and paths. */
const LONG_NAME = /[^\s-]{13,}/g;
const PARTS = /(?<=\w[_./<[(=])(?=\w)|(?<=[a-z]{3})(?=[A-Z][a-z]{2})/;
const BREAK = "\0";

/** Characters of a cell above which its text is prose and gets a readable width. */
const READ = 32;
const ONE_NAME = /^[!-~]*$/;

/** Whether code is a name, which is not broken. */
export function isName(code: string): boolean {
  return NAME.test(code);
}

/** Code at the parts of its long names, between which a narrow cell may break them. */
export function partsOf(code: string): string[] {
  return code.replace(LONG_NAME, (name) => name.split(PARTS).join(BREAK)).split(BREAK);
}

/** Whether the text of a cell is prose. */
export function isRead(text: string): boolean {
  return text.length > READ && !ONE_NAME.test(text);
}
