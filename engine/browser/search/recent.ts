/** Rows of an empty search: earlier searches, then the first pages. */

import { read, write } from "../components/storage";

const STORE = "ds-searches";
const MOST_SEARCHES = 5;
const MOST_PAGES = 6;

export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(read("local", STORE) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string").slice(0, MOST_SEARCHES) : [];
  } catch {
    return [];
  }
}

/** Keeps a search whose result was opened, the latest first. */
export function keepSearch(query: string): void {
  const text = query.trim();
  if (!text) return;
  const others = recentSearches().filter((each) => each.toLowerCase() !== text.toLowerCase());
  write("local", STORE, JSON.stringify([text, ...others].slice(0, MOST_SEARCHES)));
}

/** The first pages of the menu around the page: name and URL. */
export function firstPages(): [name: string, href: string][] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".ds-nav-list a.ds-nav-link[href]")];
  const named = new Map<string, string>();
  for (const link of links) {
    const name = link.querySelector(".ds-nav-label")?.textContent ?? "";
    if (!named.has(name)) named.set(name, link.href);
  }
  return [...named].slice(0, MOST_PAGES);
}
