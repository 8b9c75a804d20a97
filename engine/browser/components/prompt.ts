import { copyButton } from "./copy";
import { fresh, make } from "./dom";
import { markdownOf } from "./markdown";
import { word } from "./words";

export function enhancePrompts(root: ParentNode): void {
  for (const prompt of fresh(root, ".ds-prompt")) {
    const actions = (prompt.dataset.actions ?? "copy").split(" ");
    const buttons: HTMLElement[] = [];
    if (actions.includes("cursor")) buttons.push(cursorLink(prompt));
    if (actions.includes("copy"))
      buttons.push(copyButton(word("copyPrompt"), () => textOf(prompt)));
    prompt
      .querySelector(".ds-prompt-head")
      ?.append(make("div", { class: "ds-prompt-actions" }, ...buttons));
  }
}

function cursorLink(prompt: HTMLElement): HTMLElement {
  const url = `cursor://anysphere.cursor-deeplink/prompt?text=${encodeURIComponent(textOf(prompt))}`;
  return make("a", { class: "ds-filter", href: url }, "Open in Cursor");
}

function textOf(prompt: HTMLElement): string {
  const text = prompt.querySelector(".ds-prompt-text");
  if (!text) return "";
  return text instanceof HTMLPreElement ? (text.textContent ?? "") : markdownOf(text);
}
