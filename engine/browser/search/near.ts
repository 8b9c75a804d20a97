/** On the page of unknown URLs: pages that may have been meant. */

import type { Index } from "./index";

const MOST = 5;
const SAME = 4; // first letters of a word that a page must have in common with the URL

export async function suggestPages(index: Index, root: string): Promise<void> {
  const holder = document.querySelector<HTMLElement>("[data-near]");
  const path = pathBelow(root).replace(/\.html?$/, "");
  const asked = path.split("/").slice(-2).join(" ").replace(/[-_./]+/g, " ");
  if (!holder || !asked.trim()) return;
  const { results } = await index.search(`${asked} `);
  const starts = asked.toLowerCase().split(" ").filter(Boolean).map((word) => word.slice(0, SAME));
  const near = results.filter(({ url, title }) => starts.some((start) => `${url} ${title}`.toLowerCase().includes(start)));
  const pages = new Map(near.map(({ url, title }) => [url, title]));
  const items = [...pages].slice(0, MOST).map(([url, title]) => {
    const link = document.createElement("a");
    link.href = root + url;
    link.className = "not-found-recommended-page-link";
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  holder.querySelector("ul")?.replaceChildren(...items);
  holder.hidden = items.length === 0;
}

/** The path of this page below the root of the site, whose own folders say nothing about pages. */
function pathBelow(root: string): string {
  const { pathname } = location;
  const start = new URL(root, location.href).pathname;
  return decodeURIComponent(pathname.startsWith(start) ? pathname.slice(start.length) : pathname);
}
