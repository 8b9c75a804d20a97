/** The titles a reader chose lately (`npm`, `Python`, …), latest first, on this site. */

import { read, write } from "./storage";

const KEY = "ds-choices";
const KEPT = 30;

export function chosen(): string[] {
  try {
    const stored: unknown = JSON.parse(read("local", KEY) ?? "[]");
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}

export function remember(title: string): void {
  const titles = [title, ...chosen().filter((other) => other !== title)].slice(0, KEPT);
  write("local", KEY, JSON.stringify(titles));
}

/** The index among `titles` of the one chosen last, or -1. */
export function latestOf(titles: string[]): number {
  for (const title of chosen()) {
    const index = titles.indexOf(title);
    if (index >= 0) return index;
  }
  return -1;
}
