/** A click on the name of a step, a field or an update goes to its URL, and copies that. */
import { copy } from "./copy";

const NAMES = ["field-name", "update-label", "step-title", "step-number-anchor-link"]
  .map((part) => `[data-component-part="${part}"]`)
  .join(", ");
const LINK = "a[href^='#']";

export function copyNameLinks(): void {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || isSelected()) return;
    const clicked = event.target as Element;
    const link = linkOf(clicked.closest?.(NAMES));
    const within = clicked.closest?.("a");
    if (!link || (within && within !== link)) return;
    if (!within) location.hash = link.hash;
    void copy(link.href);
  });
}

/** Whether the click ends a selection of text, which a copied URL would replace. */
function isSelected(): boolean {
  return !getSelection()!.isCollapsed;
}

/** The link in a name, or that of the number of a step. */
function linkOf(name: Element | null | undefined): HTMLAnchorElement | null | undefined {
  return name?.querySelector<HTMLAnchorElement>(LINK) ?? numberOf(name);
}

function numberOf(name: Element | null | undefined): HTMLAnchorElement | null | undefined {
  return name?.closest(".ds-step")?.querySelector(`:scope > .ds-step-marker ${LINK}`);
}
