/** On the page of unknown addresses: pages that may have been meant. */

import type { Index } from "./index";

const MOST = 5;

export async function suggestPages(index: Index, root: string): Promise<void> {
  const place = document.querySelector<HTMLElement>("[data-near]");
  const path = decodeURIComponent(location.pathname).replace(/\.html?$/, "");
  const asked = path.split("/").slice(-2).join(" ").replace(/[-_./]+/g, " ");
  if (!place || !asked.trim()) return;
  const { results } = await index.search(`${asked} `);
  const pages = new Map(results.map(({ address, title }) => [address, title]));
  const items = [...pages].slice(0, MOST).map(([address, title]) => {
    const link = document.createElement("a");
    link.href = root + address;
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  place.querySelector("ul")?.replaceChildren(...items);
  place.hidden = items.length === 0;
}
