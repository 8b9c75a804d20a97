/**
 * Words of scripts in the language of their page. English is in the scripts; a page in another
 * language loads a small script before them, with its words of each namespace.
 */

export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

let spoken = () => (globalThis as { docsteadWords?: Words }).docsteadWords;

/** Return a function that finds words of a namespace by name, in English if there is no translation. */
export function translated<T extends Record<string, string>>(
  namespace: string,
  english: T,
): (name: keyof T & string) => string {
  return (name) => spoken()?.[namespace]?.[name] ?? english[name]!;
}

/** Set the words of a script that brings its own; `words` is called for each word. */
export function speak(words: () => Words | undefined): void {
  spoken = words;
}
