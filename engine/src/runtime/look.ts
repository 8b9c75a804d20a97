/** What is set in a way of its own. */

/** Browsers break lines after hyphens, which names of options, headers and models are full of. */
const NAME = /^(?=.*-)\S{1,24}$/;

/** Browsers break no lines after underscores and dots, which names of settings are full of. */
const LONG_NAME = /^[^\s-]{13,}$/;
const PARTS = /(?<=\w[_.])(?=\w)/;

/** More than this in a cell is read, not looked up, and needs a measure to be read in. */
const READ = 32;
const ONE_NAME = /^[!-~]*$/;

/** Whether code is a name, which is not to be broken. */
export function isName(code: string): boolean {
  return NAME.test(code);
}

/** The parts of a long name in code, between which a narrow cell may break it. */
export function partsOf(code: string): string[] {
  return LONG_NAME.test(code) ? code.split(PARTS) : [code];
}

/** Whether the text of a cell is there to be read. */
export function isRead(text: string): boolean {
  return text.length > READ && !ONE_NAME.test(text);
}
