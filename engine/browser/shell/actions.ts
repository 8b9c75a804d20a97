/** Entries of a page's menu that need a script. */

import { copy } from "../components/copy";
import { markdownOf } from "../components/markdown";

const SHOWN_MILLISECONDS = 2000;

export function offerActions(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-page-action]")) {
    button.addEventListener("click", () => {
      button.closest("details")?.removeAttribute("open");
      void act(button);
    });
  }
}

async function act(button: HTMLElement): Promise<void> {
  const { pageAction, text } = button.dataset;
  if (pageAction === "print") print();
  else if (pageAction === "ask") document.getElementById("assistant-entry")?.click();
  else await copyPage(text);
}

/** Copies the page, or the text that an option has instead. */
async function copyPage(text?: string): Promise<void> {
  const menu = document.querySelector<HTMLElement>("[data-markdown]");
  const url = menu?.dataset.markdown ?? "";
  if (!(await copy(text ?? (await markdown(url))))) return;
  const label = menu?.querySelector(".ds-action > span");
  if (!label || !menu) return;
  const before = label.textContent;
  label.textContent = menu.dataset.copied ?? "";
  setTimeout(() => (label.textContent = before), SHOWN_MILLISECONDS);
}

/** The page's Markdown version; from a disk or a sandbox, where no file can be read, the text of the page. */
async function markdown(url: string): Promise<string> {
  try {
    if (!location.protocol.startsWith("http") || window.origin === "null") throw new Error("no host");
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(answer.statusText);
    return await answer.text();
  } catch {
    const article = document.querySelector(".ds-content");
    return `# ${document.querySelector("h1")?.textContent?.trim()}\n\n${article ? markdownOf(article) : ""}\n`;
  }
}
