import { fresh } from "./dom";

const MARGIN = 8;

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

function positionBody(tooltip: HTMLElement): void {
  const body = tooltip.querySelector<HTMLElement>(".ds-tooltip-body");
  if (!body) return;
  delete tooltip.dataset.below;
  body.style.removeProperty("--ds-shift");
  const box = body.getBoundingClientRect();
  if (box.top < MARGIN) tooltip.dataset.below = "";
  const width = document.documentElement.clientWidth;
  const shift = Math.max(MARGIN - box.left, 0) - Math.max(box.right - (width - MARGIN), 0);
  if (shift) body.style.setProperty("--ds-shift", `${shift}px`);
}
