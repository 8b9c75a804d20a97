/** Offers to ask about what a reader has selected in a page. */
import { make } from "../components/dom";
import { word } from "./words";

const SHORTEST = 3;
const LONGEST = 4_000;

export function offerSelection(ask: (text: string) => void): void {
  const button = make("button", { type: "button", class: "ds-ask-selection", hidden: "" }, word("askSelection"));
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    ask(selected());
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

function selected(): string {
  const selection = getSelection();
  const node = selection?.anchorNode;
  const element = node instanceof Element ? node : node?.parentElement;
  if (!selection || selection.isCollapsed || !element?.closest(".ds-content")) return "";
  return selection.toString().trim().slice(0, LONGEST);
}
