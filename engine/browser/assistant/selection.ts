/** Offers to ask about what a reader has selected in a page, and about its code. */
import { all, drawing, fresh, make } from "../components/dom";
import type { Context } from "./conversation";
import { word } from "./entry-words";

const SHORTEST = 3;
const LONGEST = 4_000;
export const QUESTION = ["M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-6A8.5 8.5 0 1 1 21 11.5z", "M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.6.3-1 .8-1 1.4", "M12 16h.01"];

export function offerSelection(ask: (context: Context) => void): void {
  const button = make("button", { type: "button", class: "ds-ask-selection", hidden: "" }, word("askSelection"));
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    ask({ type: "textSelection", value: selected() });
    button.hidden = true;
  });
  document.body.append(button);
  document.addEventListener("selectionchange", () => {
    const range = selected().length >= SHORTEST ? getSelection()?.getRangeAt(0) : undefined;
    button.hidden = !range;
    if (!range) return;
    const box = range.getBoundingClientRect();
    button.style.top = `${box.bottom + scrollY + 6}px`;
    button.style.left = `${Math.max(8, Math.min(box.left + scrollX, innerWidth - 180))}px`;
  });
}

/** A button on each block of code; blocks that share a bar share the button in it. */
export function offerCode(ask: (context: Context) => void): void {
  for (const bar of fresh(document, ".ds-content .ds-code-bar")) {
    const blocks = all(bar.parentElement!, "pre");
    const shown = () => blocks.find((pre) => !pre.closest("[hidden]"));
    bar.lastElementChild?.before(codeButton(shown, ask));
  }
  for (const pre of fresh(document, ".ds-content .ds-code pre")) {
    if (!pre.closest(".ds-code-group[data-ready]")) pre.closest(".ds-code")?.append(codeButton(() => pre, ask));
  }
}

function codeButton(block: () => HTMLElement | undefined, ask: (context: Context) => void): HTMLButtonElement {
  const label = word("askCode");
  const button = make("button", { type: "button", class: "ds-copy ds-ask-code", "aria-label": label, title: label });
  button.append(drawing(...QUESTION));
  button.addEventListener("click", () => {
    ask({ type: "code", value: (block()?.textContent ?? "").trim().slice(0, LONGEST) });
  });
  return button;
}

function selected(): string {
  const selection = getSelection();
  const node = selection?.anchorNode;
  const element = node instanceof Element ? node : node?.parentElement;
  if (!selection || selection.isCollapsed || !element?.closest(".ds-content")) return "";
  return selection.toString().trim().slice(0, LONGEST);
}
