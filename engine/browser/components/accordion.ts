import { fresh, setHash } from "./dom";
import { word } from "./words";

/** A click sets the URL to the accordion, with those around it, or without it if it closes. */
export function enhanceAccordions(root: ParentNode): void {
  for (const accordion of fresh<HTMLDetailsElement>(root, "details.ds-accordion[id]")) {
    accordion.querySelector("summary")?.addEventListener("click", () => {
      setHash(pathTo(accordion.open ? accordion.parentElement : accordion).join(":"));
    });
    accordion.addEventListener("toggle", () => announce(accordion));
  }
}

/** The ids of the accordions around an element, the innermost last. */
function pathTo(element: Element | null): string[] {
  const accordion = element?.closest("details.ds-accordion[id]");
  return accordion ? [...pathTo(accordion.parentElement), encodeURIComponent(accordion.id)] : [];
}

/** Scripts and style sheets of sites read the state from the summary. */
function announce(box: HTMLDetailsElement): void {
  box.querySelector(":scope > summary")?.setAttribute("aria-expanded", String(box.open));
}

/** Set the label of a box to the effect of a click: show, or hide. */
export function enhanceExpandables(root: ParentNode): void {
  for (const box of fresh<HTMLDetailsElement>(root, "details.ds-expandable")) {
    const label = box.querySelector(":scope > summary > .ds-expandable-label");
    const title = label?.querySelector(".ds-expandable-title");
    if (!label || !title) continue;
    const relabel = () => {
      const [before = "", after = ""] = word(box.open ? "hideTitle" : "showTitle").split("{title}");
      label.replaceChildren(before, title, after);
      announce(box);
    };
    box.addEventListener("toggle", relabel);
    if (box.open) relabel();
  }
}
