/**
 * Folder lists as trees: one stop of the Tab key, arrow keys within. The rows become the
 * tree's items and own the lists below them; until then details and summaries do the work.
 */
import { all, fresh, identify, make } from "./dom";
import { word } from "./words";

const TYPING_MILLISECONDS = 700;
const ROW = ":scope > .ds-tree-row";
const LIST = ":scope > .ds-tree-list";

export function enhanceTrees(root: ParentNode): void {
  for (const tree of fresh(root, ".ds-tree")) {
    const list = tree.querySelector<HTMLElement>(LIST);
    if (list) new Tree(list).start();
  }
}

class Tree {
  private rows: HTMLElement[] = [];
  private typed = "";
  private typedAt = 0;

  constructor(private readonly list: HTMLElement) {}

  start(): void {
    this.list.setAttribute("role", "tree");
    if (!this.list.hasAttribute("aria-label")) this.list.setAttribute("aria-label", word("files"));
    for (const node of all(this.list, ".ds-tree-folder, .ds-tree-file")) prepare(node);
    this.rows = all(this.list, "[role=treeitem]");
    if (this.rows[0]) this.rows[0].tabIndex = 0;
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("focusin", (event) => this.rove(event.target as HTMLElement));
    this.list.addEventListener("click", (event) => this.onClick(event));
  }

  private visible(): HTMLElement[] {
    return this.rows.filter((row) => !node(row).parentElement?.closest("[data-closed]"));
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

  /** Moves to the next row whose name begins with what was typed in one go. */
  private type(key: string, visible: HTMLElement[], at: number): boolean {
    const now = Date.now();
    this.typed = now - this.typedAt < TYPING_MILLISECONDS ? this.typed + key : key;
    this.typedAt = now;
    const from = this.typed.length > 1 ? at : at + 1;
    const inOrder = [...visible.slice(from), ...visible.slice(0, from)];
    return focus(inOrder.find((row) => nameOf(row).startsWith(this.typed.toLowerCase())));
  }
}

function prepare(item: HTMLElement): void {
  item.setAttribute("role", "none");
  const details = item.querySelector<HTMLDetailsElement>(":scope > details");
  if (details) unfold(item, details);
  const row = item.querySelector<HTMLElement>(ROW);
  const list = item.querySelector<HTMLElement>(LIST);
  row?.setAttribute("role", "treeitem");
  if (row) row.tabIndex = -1;
  if (!row || !list) return;
  list.setAttribute("role", "group");
  row.setAttribute("aria-owns", identify(list));
}

/** The parts of a `details` element in its place; its own roles would contradict the tree's. */
function unfold(item: HTMLElement, details: HTMLDetailsElement): void {
  const summary = details.querySelector(":scope > summary");
  const row = make("div", { class: "ds-tree-row tree-folder" }, ...(summary?.childNodes ?? []));
  row.setAttribute("aria-expanded", String(details.open));
  item.toggleAttribute("data-closed", !details.open);
  summary?.remove();
  details.replaceWith(row, ...details.childNodes);
}

function node(row: HTMLElement): HTMLElement {
  return row.parentElement as HTMLElement;
}

function nameOf(row: HTMLElement): string {
  return (row.querySelector(".ds-tree-name")?.textContent ?? "").trim().toLowerCase();
}

function firstChild(row: HTMLElement): HTMLElement | null {
  return node(row).querySelector<HTMLElement>(`${LIST} [role=treeitem]`);
}

function parent(row: HTMLElement): HTMLElement | null | undefined {
  return node(row).parentElement?.closest(".ds-tree-folder")?.querySelector<HTMLElement>(ROW);
}

function focus(row: HTMLElement | null | undefined): boolean {
  row?.focus();
  return true;
}

/** Whether that changed anything. */
function open(row: HTMLElement, wanted: boolean): boolean {
  const state = row.getAttribute("aria-expanded");
  if (state === null || state === String(wanted)) return false;
  row.setAttribute("aria-expanded", String(wanted));
  node(row).toggleAttribute("data-closed", !wanted);
  return true;
}

function toggle(row: HTMLElement): boolean {
  open(row, row.getAttribute("aria-expanded") !== "true");
  return true;
}

function openSiblings(row: HTMLElement): boolean {
  for (const sibling of node(row).parentElement?.children ?? []) {
    const other = sibling.querySelector<HTMLElement>(ROW);
    if (other) open(other, true);
  }
  return true;
}
