/** Folder lists as trees: one stop of the Tab key, arrow keys within. */
import { all, fresh } from "./dom";
import { word } from "./words";

const TYPING_MILLISECONDS = 700;

export function enhanceTrees(root: ParentNode): void {
  for (const tree of fresh(root, ".ds-tree")) new Tree(tree).start();
}

class Tree {
  private typed = "";
  private typedAt = 0;

  constructor(private readonly element: HTMLElement) {}

  start(): void {
    const [list, ...lists] = all(this.element, ".ds-tree-list");
    if (!list) return;
    list.setAttribute("role", "tree");
    if (!list.hasAttribute("aria-label")) list.setAttribute("aria-label", word("files"));
    for (const inner of lists) inner.setAttribute("role", "group");
    const items = this.items();
    for (const item of items) prepare(item);
    if (items[0]) items[0].tabIndex = 0;
    list.addEventListener("keydown", (event) => this.onKey(event));
    list.addEventListener("focusin", (event) => this.rove(event.target as HTMLElement));
    list.addEventListener("click", (event) => this.onClick(event));
  }

  private items(): HTMLElement[] {
    return all(this.element, ".ds-tree-folder, .ds-tree-file");
  }

  private visible(): HTMLElement[] {
    return this.items().filter((item) => !item.parentElement?.closest("details:not([open])"));
  }

  private rove(target: HTMLElement): void {
    if (!target.classList.contains("ds-tree-item")) return;
    for (const item of this.items()) item.tabIndex = item === target ? 0 : -1;
  }

  private onClick(event: Event): void {
    const item = (event.target as HTMLElement).closest<HTMLElement>(".ds-tree-item");
    item?.focus();
  }

  private onKey(event: KeyboardEvent): void {
    const item = event.target as HTMLElement;
    if (!item.classList.contains("ds-tree-item") || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (this.act(item, event.key)) event.preventDefault();
  }

  private act(item: HTMLElement, key: string): boolean {
    const visible = this.visible();
    const at = visible.indexOf(item);
    switch (key) {
      case "ArrowDown":
        return focus(visible[at + 1]);
      case "ArrowUp":
        return focus(visible[at - 1]);
      case "Home":
        return focus(visible[0]);
      case "End":
        return focus(visible.at(-1));
      case "ArrowRight":
        return opener(item, true) || focus(firstChild(item));
      case "ArrowLeft":
        return opener(item, false) || focus(parent(item));
      case "Enter":
      case " ":
        return toggle(item);
      case "*":
        return openSiblings(item);
      default:
        return key.length === 1 && this.type(key, visible, at);
    }
  }

  /** Moves to the next item whose name begins with what was typed in one go. */
  private type(key: string, visible: HTMLElement[], at: number): boolean {
    const now = Date.now();
    this.typed = now - this.typedAt < TYPING_MILLISECONDS ? this.typed + key : key;
    this.typedAt = now;
    const from = this.typed.length > 1 ? at : at + 1;
    const inOrder = [...visible.slice(from), ...visible.slice(0, from)];
    return focus(inOrder.find((item) => nameOf(item).startsWith(this.typed.toLowerCase())));
  }
}

function prepare(item: HTMLElement): void {
  item.classList.add("ds-tree-item");
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-label", item.querySelector(".ds-tree-label")?.textContent?.trim() ?? "");
  item.tabIndex = -1;
  const details = folder(item);
  if (!details) return;
  details.setAttribute("role", "none");
  details.querySelector("summary")?.setAttribute("tabindex", "-1");
  details.querySelector("summary")?.setAttribute("role", "none");
  const tell = () => item.setAttribute("aria-expanded", String(details.open));
  details.addEventListener("toggle", tell);
  tell();
}

function folder(item: HTMLElement): HTMLDetailsElement | null {
  return item.querySelector<HTMLDetailsElement>(":scope > details");
}

function nameOf(item: HTMLElement): string {
  return (item.querySelector(".ds-tree-name")?.textContent ?? "").trim().toLowerCase();
}

function firstChild(item: HTMLElement): HTMLElement | null {
  return item.querySelector<HTMLElement>(".ds-tree-item");
}

function parent(item: HTMLElement): HTMLElement | null | undefined {
  return item.parentElement?.closest<HTMLElement>(".ds-tree-item");
}

function focus(item: HTMLElement | null | undefined): boolean {
  item?.focus();
  return true;
}

function opener(item: HTMLElement, open: boolean): boolean {
  const details = folder(item);
  if (!details || details.open === open) return false;
  details.open = open;
  return true;
}

function toggle(item: HTMLElement): boolean {
  const details = folder(item);
  if (details) details.open = !details.open;
  return true;
}

function openSiblings(item: HTMLElement): boolean {
  for (const sibling of item.parentElement?.children ?? []) opener(sibling as HTMLElement, true);
  return true;
}
