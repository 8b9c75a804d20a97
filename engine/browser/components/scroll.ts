import { fresh } from "./dom";

/** Tables wider than their place scroll; the keyboard reaches those and no others. */
export function enhanceTables(root: ParentNode): void {
  for (const table of fresh<HTMLTableElement>(root, ".ds-prose table")) sizes.observe(table);
}

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
