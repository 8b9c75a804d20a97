import { fresh } from "./dom";

/** Make wide tables scrollable by keyboard, in their box or, without one, by themselves. */
export function enhanceTables(root: ParentNode): void {
  for (const table of fresh<HTMLTableElement>(root, ".ds-prose table")) {
    sizes.observe(scroller(table));
    sizes.observe(table);
    // Fonts and pictures that arrive late widen the rows alone.
    for (const rows of table.tBodies) sizes.observe(rows);
  }
}

function scroller(inner: Element): HTMLElement {
  const table = inner.querySelector<HTMLElement>(":scope > table") ?? inner.closest("table")!;
  return table.closest<HTMLElement>(".ds-table > table") ? table.parentElement! : table;
}

const sizes = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => scroller(target)))) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
});
