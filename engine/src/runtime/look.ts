/** What is set in a way of its own. */

/** Browsers break lines after hyphens, which names of options, headers and models are full of. */
const NAME = /^(?=.*-)\S{1,24}$/;

/** More than this in a cell is read, not looked up, and needs a measure to be read in. */
const READ = 32;

/** Whether code is a name, which is not to be broken. */
export function isName(code: string): boolean {
  return NAME.test(code);
}

/** Whether the text of a cell is there to be read. */
export function isRead(text: string): boolean {
  return text.length > READ;
}
