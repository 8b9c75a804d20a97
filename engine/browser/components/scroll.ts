import { all, fresh } from "./dom";

/** Make wide tables and drawings scrollable by keyboard: their box or, without one, the table. */
export function enhanceTables(root: ParentNode): void {
  for (const table of fresh<HTMLTableElement>(root, ".ds-prose table")) {
    sizes.observe(scroller(table));
    sizes.observe(table);
    // Fonts and pictures that arrive late only widen the rows.
    for (const rows of table.tBodies) sizes.observe(rows);
  }
  for (const stage of all(root, ".ds-published > .ds-mermaid-stage")) sizes.observe(stage);
}

function scroller(inner: Element): HTMLElement {
  const box = inner.closest<HTMLElement>(".ds-table, .ds-mermaid-stage");
  return box ?? inner.closest("table")!;
}

const sizes = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => scroller(target)))) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
});
