/** Filters over the entries of a changelog; several tags mean entries that have them all. */
import { all, announce, fresh, make, setUrl } from "./dom";
import { word } from "./words";

/** Pages in these modes show their content only. */
const PLAIN_MODES = ["wide", "center", "custom"];

export function enhanceUpdates(root: ParentNode): void {
  if (PLAIN_MODES.includes(document.documentElement.dataset.pageMode ?? "")) return;
  const entries = fresh(root, ".ds-update");
  const tags = [...new Set(entries.flatMap(tagsOf))];
  if (entries.length > 1 && tags.length > 0) new Filters(entries, tags).start();
}

function tagsOf(entry: HTMLElement): string[] {
  return entry.dataset.tags ? (JSON.parse(entry.dataset.tags) as string[]) : [];
}

class Filters {
  private readonly active: Set<string>;
  private readonly buttons: Map<string, HTMLButtonElement>;

  constructor(
    private readonly entries: HTMLElement[],
    tags: string[],
  ) {
    const asked = new URLSearchParams(location.search).get("tags")?.split(",") ?? [];
    this.active = new Set(asked.filter((tag) => tags.includes(tag)));
    this.buttons = new Map(tags.map((tag) => [tag, this.button(tag)]));
  }

  start(): void {
    const legend = make("legend", {}, word("filter"));
    const attributes = { class: "ds-filters", id: "changelog-filters" };
    const group = make("fieldset", attributes, legend, ...this.buttons.values());
    this.position(group);
    addEventListener("resize", () => this.position(group));
    if (this.active.size > 0) this.apply();
  }

  /** Put the group in place of the table of contents if that is next to the page, else above the entries. */
  private position(group: HTMLElement): void {
    const aside = document.querySelector(".ds-aside-inner");
    const contents = aside?.querySelector<HTMLElement>(".ds-contents");
    const isBeside = !!contents && !!aside?.getClientRects().length;
    if (contents) contents.hidden = isBeside;
    const isThere = group.isConnected && isBeside === aside?.contains(group);
    if (isThere) return;
    if (isBeside) aside?.prepend(group);
    else this.entries[0]?.before(group);
  }

  private button(tag: string): HTMLButtonElement {
    const button = make(
      "button",
      { type: "button", class: "ds-filter", "aria-pressed": "false" },
      tag,
    );
    button.addEventListener("click", () => {
      if (!this.active.delete(tag)) this.active.add(tag);
      this.apply();
      this.record();
    });
    return button;
  }

  private apply(): void {
    for (const [tag, button] of this.buttons)
      button.setAttribute("aria-pressed", String(this.active.has(tag)));
    for (const entry of this.entries) entry.hidden = !this.admits(entry);
    const shown = this.entries.filter((entry) => !entry.hidden).length;
    announce(`${word("entries")}: ${shown}`);
    this.showInContents();
  }

  private admits(entry: HTMLElement): boolean {
    const tags = tagsOf(entry);
    return [...this.active].every((tag) => tags.includes(tag));
  }

  private showInContents(): void {
    for (const entry of this.entries) {
      for (const heading of all(entry, "[id]:is(h2, h3, h4)")) {
        const link = document.querySelector(
          `#table-of-contents a[href$="#${CSS.escape(heading.id)}"]`,
        );
        const item = link?.closest("li");
        if (item) item.hidden = entry.hidden;
      }
    }
  }

  private record(): void {
    const url = new URL(location.href);
    if (this.active.size > 0) url.searchParams.set("tags", [...this.active].join(","));
    else url.searchParams.delete("tags");
    setUrl(url.href);
  }
}
