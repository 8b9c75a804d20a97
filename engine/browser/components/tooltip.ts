import { fresh } from "./dom";

const MARGIN = 8;
const GAP = 8;

/** The style sheet opens tooltips; this keeps them on the screen and lets Escape close them. */
export function enhanceTooltips(root: ParentNode): void {
  for (const tooltip of fresh(root, ".ds-tooltip")) {
    const position = () => positionBody(tooltip);
    tooltip.addEventListener("pointerenter", position);
    tooltip.addEventListener("focusin", position);
    tooltip.addEventListener("pointerleave", () => delete tooltip.dataset.closed);
    tooltip.addEventListener("focusout", () => delete tooltip.dataset.closed);
  }
}

export function closeTooltipsOnEscape(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of document.querySelectorAll<HTMLElement>(
      ".ds-tooltip:is(:hover, :focus-within)",
    )) {
      open.dataset.closed = "";
    }
  });
}

/** Show the text in the top layer, where no card or table cuts it. */
function positionBody(tooltip: HTMLElement): void {
  const body = tooltip.querySelector<HTMLElement>(".ds-tooltip-body");
  if (!body?.showPopover) return;
  body.popover = "manual";
  body.showPopover();
  const [term] = tooltip.getClientRects();
  const { width, height } = body.getBoundingClientRect();
  const above = term.top - GAP - height;
  const isBelow = above < MARGIN;
  const end = document.documentElement.clientWidth - MARGIN - width;
  const left = Math.max(MARGIN, Math.min(term.left + (term.width - width) / 2, end));
  body.toggleAttribute("data-below", isBelow);
  body.style.left = `${left + scrollX}px`;
  body.style.top = `${(isBelow ? term.bottom + GAP : above) + scrollY}px`;
}
