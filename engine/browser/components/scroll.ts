import { fresh } from "./dom";

/** Tables wider than their place scroll; the keyboard reaches those and no others. */
export function enhanceTables(root: ParentNode): void {
  for (const table of fresh<HTMLTableElement>(root, ".ds-prose table")) {
    sizes.observe(table);
    // Fonts and pictures that arrive late widen the rows alone.
    for (const rows of table.tBodies) sizes.observe(rows);
  }
}

const sizes = new ResizeObserver((entries) => {
  for (const table of new Set(entries.map(({ target }) => target.closest("table")!))) {
    if (table.scrollWidth > table.clientWidth) table.setAttribute("tabindex", "0");
    else table.removeAttribute("tabindex");
  }
});
