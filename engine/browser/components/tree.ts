/**
 * Trees of files: one stop of the Tab key, arrow keys within. The rows are the tree's items
 * and own the lists below them. Style sheets close what `aria-expanded` says is closed.
 */
import { all, fresh, identify } from "./dom";

const TYPING_MILLISECONDS = 700;
const ICON = '[data-component-part^="tree-folder-icon"]';
const CLOSED = '.ds-tree-row[aria-expanded="false"] + .ds-tree-list';

export function enhanceTrees(root: ParentNode): void {
  for (const tree of fresh(root, ".ds-tree")) new Tree(tree).start();
}

class Tree {
  private rows: HTMLElement[] = [];
  private typed = "";
  private typedAt = 0;

  constructor(private readonly list: HTMLElement) {}

  start(): void {
    this.rows = all(this.list, "[role=treeitem]");
    this.rows.forEach(prepare);
    if (this.rows[0]) this.rows[0].tabIndex = 0;
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("focusin", (event) => this.rove(event.target as HTMLElement));
    this.list.addEventListener("click", (event) => this.onClick(event));
  }

  private visible(): HTMLElement[] {
    return this.rows.filter((row) => !row.closest(CLOSED));
  }

  private rove(target: HTMLElement): void {
    for (const row of this.rows) row.tabIndex = row === target ? 0 : -1;
  }

  private onClick(event: Event): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!row) return;
    focus(row);
    toggle(row);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.act(event.target as HTMLElement, event.key)) event.preventDefault();
  }

  private act(row: HTMLElement, key: string): boolean {
    const visible = this.visible();
    const at = visible.indexOf(row);
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
        return open(row, true) || focus(firstChild(row));
      case "ArrowLeft":
        return open(row, false) || focus(parent(row));
      case "Enter":
      case " ":
        return toggle(row);
      case "*":
        return openSiblings(row);
      default:
        return key.length === 1 && this.type(key, visible, at);
    }
  }

  /** Move to the next row whose name begins with the keys that were typed in quick succession. */
  private type(key: string, visible: HTMLElement[], at: number): boolean {
    const now = Date.now();
    this.typed = now - this.typedAt < TYPING_MILLISECONDS ? this.typed + key : key;
    this.typedAt = now;
    const from = this.typed.length > 1 ? at : at + 1;
    const inOrder = [...visible.slice(from), ...visible.slice(0, from)];
    return focus(inOrder.find((row) => nameOf(row).startsWith(this.typed.toLowerCase())));
  }
}

function prepare(row: HTMLElement): void {
  row.tabIndex = -1;
  row.setAttribute("aria-level", String(level(row)));
  const list = listOf(row);
  if (list) row.setAttribute("aria-owns", identify(list));
}

function level(row: Element): number {
  const list = row.closest(".ds-tree-list");
  return list ? level(list.previousElementSibling!) + 1 : 1;
}

/** The content of a folder; null for a file, and for an empty folder. */
function listOf(row: HTMLElement): HTMLElement | null {
  const next = row.nextElementSibling;
  return next instanceof HTMLElement && next.matches(".ds-tree-list") ? next : null;
}

function nameOf(row: HTMLElement): string {
  return (row.querySelector(".ds-tree-name")?.textContent ?? "").trim().toLowerCase();
}

function firstChild(row: HTMLElement): HTMLElement | null | undefined {
  return listOf(row)?.querySelector<HTMLElement>("[role=treeitem]");
}

function parent(row: HTMLElement): HTMLElement | null | undefined {
  return row.closest(".ds-tree-list")?.previousElementSibling as HTMLElement | null | undefined;
}

function focus(row: HTMLElement | null | undefined): boolean {
  row?.focus();
  return true;
}

/** Return whether that changed anything. */
function open(row: HTMLElement, isOpen: boolean): boolean {
  const state = row.getAttribute("aria-expanded");
  if (state === null || state === String(isOpen)) return false;
  row.setAttribute("aria-expanded", String(isOpen));
  row.querySelector(ICON)?.setAttribute("data-component-part", `tree-folder-icon-${isOpen ? "open" : "closed"}`);
  return true;
}

function toggle(row: HTMLElement): boolean {
  open(row, row.getAttribute("aria-expanded") !== "true");
  return true;
}

function openSiblings(row: HTMLElement): boolean {
  const node = row.matches(".ds-tree-file") ? row : row.parentElement;
  for (const sibling of node?.parentElement?.children ?? []) {
    const other = sibling.querySelector<HTMLElement>(":scope > .ds-tree-row");
    if (other) open(other, true);
  }
  return true;
}
