/**
 * The ids of headings: lower case, hyphens for spaces and dots, a typographic apostrophe,
 * no brackets; `/` and `&` stay. Links of existing sites depend on every detail of it.
 */
export function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/'/g, "’")
    .replace(/[\s.]+/gu, "-")
    .replace(/[^\p{L}\p{N}\p{M}_\-/&’]/gu, "")
    .replace(/-{2,}/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** Hands out the ids of one page: the second `usage` becomes `usage-2`. */
export class Slugger {
  private readonly taken = new Set<string>();

  claim(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.taken.has(id); count += 1) id = `${wanted}-${count}`;
    this.taken.add(id);
    return id;
  }
}
