import { fresh, setUrl } from "./dom";
import { word } from "./words";

/** Opening an accordion sets the URL to that of the accordion. */
export function enhanceAccordions(root: ParentNode): void {
  for (const accordion of fresh<HTMLDetailsElement>(root, "details.ds-accordion[id]")) {
    accordion.querySelector("summary")?.addEventListener("click", () => {
      if (!accordion.open) setUrl(`#${encodeURIComponent(accordion.id)}`);
    });
    accordion.addEventListener("toggle", () => announce(accordion));
  }
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
