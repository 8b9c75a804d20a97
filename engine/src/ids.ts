/** Ids that authors write on elements of their own: each at most once on a page. */
import { matchesOf } from "./patterns";

const ID = / id="[^"]*"/g;
const TAG_WITH_ID = /<([a-zA-Z][\w-]*)([^<]*?) id="([^"]*)"/g;

/**
 * Headings and parts own their ids. An author's element of the same id, which nearly always wraps the heading,
 * loses it, so that links lead to the heading.
 */
export function withoutDoubledIds(html: string, owned: ReadonlySet<string>): string {
  const seen = new Set(owned);
  return html.replace(TAG_WITH_ID, (whole, tag: string, before: string, id: string) => {
    if (/^h[1-6]$/.test(tag)) return whole;
    if (seen.has(id)) return `<${tag}${before}`;
    seen.add(id);
    return whole;
  });
}

/** Whether an id stands twice in HTML, most likely. */
export function hasDoubledIds(html: string): boolean {
  const ids = new Set<string>();
  for (const { 0: id } of matchesOf(ID, html)) {
    if (ids.has(id)) return true;
    ids.add(id);
  }
  return false;
}
