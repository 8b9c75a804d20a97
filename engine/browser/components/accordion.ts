import { fresh, setAddress } from "./dom";

/** Opening an accordion makes the address of the page the address of the accordion. */
export function enhanceAccordions(root: ParentNode): void {
  for (const accordion of fresh<HTMLDetailsElement>(root, "details.ds-accordion[id]")) {
    accordion.querySelector("summary")?.addEventListener("click", () => {
      if (!accordion.open) setAddress(`#${encodeURIComponent(accordion.id)}`);
    });
  }
}
