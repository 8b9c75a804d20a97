/** Chips that narrow a search: the parts of the site with results, and its versions. */

import { partsOf } from "./index";
import type { Result } from "./scope";
import { word } from "./texts";

const MOST_PARTS = 6;

export interface Choices {
  part: string; // "" for all
  version: string;
}

export class Chips {
  readonly choices: Choices = { part: "", version: "" };
  private parts: string[] = [];
  private versions: string[] = [];

  constructor(
    private readonly holder: HTMLElement,
    private readonly changed: () => void,
  ) {
    holder.addEventListener("click", (event) => {
      event.stopPropagation(); // the chip is replaced, and would be outside of the dialog
      const { part, version } = (event.target as Element).closest<HTMLElement>("button")?.dataset ?? {};
      if (part !== undefined) this.choices.part = part;
      else if (version) this.choices.version = version;
      else return;
      this.render();
      this.changed();
    });
  }

  knowVersions([all, current]: [all: string[], current: string]): void {
    if (this.choices.version) return;
    this.versions = all.length > 1 ? all : [];
    this.choices.version = current;
    this.render();
  }

  /** Forget the part: another query is typed. */
  reset(): void {
    if (!this.choices.part) return;
    this.choices.part = "";
    this.parts = [];
  }

  /** Offer the outermost parts in which the results of all parts differ. */
  offer(results: readonly Result[]): void {
    if (this.choices.part) return;
    const levels = results.map(partsOf);
    const distinct = (level: number) => [...new Set(levels.map((parts) => parts[level] ?? "").filter(Boolean))];
    const level = [0, 1, 2].find((each) => distinct(each).length > 1);
    this.parts = level === undefined ? [] : distinct(level).slice(0, MOST_PARTS);
    this.render();
  }

  private render(): void {
    const { part, version } = this.choices;
    const parts = this.parts.length ? ["", ...this.parts] : [];
    this.holder.replaceChildren(
      ...parts.map((each) => chip(each || word("all"), each === part, { part: each })),
      ...this.versions.map((each) => chip(each, each === version, { version: each })),
    );
    this.holder.hidden = this.holder.childElementCount === 0;
  }
}

function chip(text: string, isChosen: boolean, data: Record<string, string>): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "ds-search-chip";
  button.textContent = text;
  button.setAttribute("aria-pressed", String(isChosen));
  Object.assign(button.dataset, data);
  return button;
}
