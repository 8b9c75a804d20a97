/** Values that a browser keeps for a site: permanently (`local`), or for the visit (`session`). */

type Span = "local" | "session";

/** null where nothing is kept: storage may be off, and pages opened from disk may have none. */
export function read(span: Span, key: string): string | null {
  try {
    return window[`${span}Storage`].getItem(key);
  } catch {
    return null;
  }
}

/** Keep a value, if the browser has storage. */
export function write(span: Span, key: string, value: string): void {
  try {
    window[`${span}Storage`].setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}
