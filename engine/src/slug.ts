import { replaceEach } from "./patterns";

const BLANKS = /[\s.]+/gu;
const UNSEEN = /[^\p{L}\p{N}\p{M}_\-/&’]/gu;
const HYPHENS = /-{2,}/g;
const OUTER_HYPHENS = /^-+|-+$/g;
const hyphen = () => "-";
const nothing = () => "";

/**
 * The ids of headings: lower case, hyphens for spaces and dots, a typographic apostrophe,
 * no brackets; `/` and `&` stay. Links of existing sites depend on every detail of it.
 */
export function slug(text: string): string {
  const lower = text.trim().toLowerCase().replaceAll("'", "’");
  const joined = replaceEach(replaceEach(lower, BLANKS, hyphen), UNSEEN, nothing);
  return replaceEach(replaceEach(joined, HYPHENS, hyphen), OUTER_HYPHENS, nothing);
}

/** Issues the ids of one page: the second `usage` becomes `usage-2`. */
export class Slugger {
  private readonly taken = new Set<string>();
  private readonly counts = new Map<string, number>(); // of ids that were requested again

  claim(requested: string): string {
    let id = requested;
    let count = this.counts.get(requested) ?? 1;
    while (this.taken.has(id)) id = `${requested}-${(count += 1)}`;
    this.taken.add(id);
    if (count > 1) this.counts.set(requested, count);
    return id;
  }
}
