/**
 * A block is `<div class="ds-code" data-title data-language>` with a header, where it has a
 * title, and `pre > code`; `data-nocopy`, `data-expandable` and `data-wrap` say what it wants.
 */
import { all, fresh, make, setHash } from "./dom";
import { copyButton } from "./copy";
import { Dropdown, TabList, type Choice, type Options } from "./switcher";
import { word } from "./words";

const PART = "data-component-part";
const BAR = { class: "ds-code-bar", [PART]: "code-group-tab-bar" };
const SHOWN = ["code-block-root", "code-group-tab-content"]; // parts of a panel that is shown

export function enhanceCode(root: ParentNode): void {
  const groups = all(root, ".ds-code-group");
  for (const figure of fresh(root, ".ds-code")) enhanceFigure(figure);
  for (const group of groups) if (!("ready" in group.dataset)) makeGroup(group);
}

function enhanceFigure(figure: HTMLElement): void {
  const code = figure.querySelector("pre");
  if (!code) return;
  code.tabIndex = 0;
  if (!code.hasAttribute("aria-label")) code.setAttribute("aria-label", describe(figure));
  code.setAttribute("role", "group");
  if (copyable(figure)) figure.append(codeCopyButton(() => figure));
  if ("expandable" in figure.dataset) makeExpandable(figure, code);
}

function describe(figure: HTMLElement): string {
  return titleOf(figure) ?? word("code");
}

function titleOf(figure: HTMLElement): string | undefined {
  return figure.dataset.title || figure.dataset.label || figure.dataset.language || undefined;
}

function copyable(figure: HTMLElement): boolean {
  return !("nocopy" in figure.dataset);
}

function codeCopyButton(figure: () => HTMLElement): HTMLButtonElement {
  const button = copyButton(word("copyCode"), () => codeOf(figure()), "code-block-copy-button");
  button.dataset.testid = "copy-code-button";
  return button;
}

function codeOf(figure: HTMLElement): string {
  const code = figure.querySelector("pre code") ?? figure.querySelector("pre");
  return (code?.textContent ?? "").replace(/\n$/, "");
}

function makeExpandable(figure: HTMLElement, code: HTMLElement): void {
  const button = figure.querySelector<HTMLElement>(":scope > .ds-code-more > button");
  const label = button?.lastChild;
  if (!button || !label) {
    delete figure.dataset.expandable;
    return;
  }
  const all = label.textContent;
  button.addEventListener("click", () => {
    const open = figure.toggleAttribute("data-open");
    button.setAttribute("aria-expanded", String(open));
    label.textContent = open ? word("collapse") : all;
    if (!open) code.scrollTop = 0;
  });
}

/** The bar of a group holds its tabs and one copy button, for the block that is shown. */
function makeGroup(group: HTMLElement): void {
  const blocks = all(group, ".ds-code").filter((each) => each.closest(".ds-code-group") === group);
  if (blocks.length === 0) return;
  group.dataset.ready = "";
  for (const block of blocks) block.querySelector(":scope > .ds-copy")?.remove();
  const choices = blocks.map((panel, index) => ({ panel, title: titleIn(panel, index) }));
  let shown = 0;
  const button = codeCopyButton(() => blocks[shown]!);
  const options = {
    label: word("code"),
    sync: true,
    onChoose: () => setHash(""), // which may be that of a tab
    onSelect: (index: number) => {
      shown = index;
      button.hidden = !copyable(blocks[index]!);
      blocks.forEach((block, at) => nameParts(block, at === index));
    },
  };
  const bar = group.querySelector<HTMLElement>(":scope > .ds-code-bar") ?? make("div", BAR);
  const switcher = "dropdown" in group.dataset ? new Dropdown(choices, options) : tabList(bar, choices, options);
  bar.append(switcher.control, button);
  group.prepend(bar);
  switcher.start();
}

function titleIn(block: HTMLElement, index: number): string {
  return titleOf(block) ?? `${word("code")} ${index + 1}`;
}

/** Tabs that came with the page, or the same. */
function tabList(bar: HTMLElement, choices: Choice[], options: Options): TabList {
  const served = bar.querySelector<HTMLElement>(":scope > .ds-tab-list");
  const list = served ?? make("div", { class: "ds-tab-list", role: "tablist" }, ...choices.map(tab));
  return new TabList(choices, options, list, [...list.children] as HTMLElement[], show);
}

function tab({ title }: Choice): HTMLElement {
  return make("button", { type: "button", class: "ds-tab-button", role: "tab" }, title);
}

function show(tab: HTMLElement, isChosen: boolean): void {
  tab.toggleAttribute("data-active", isChosen);
}

/** Names the parts of the block that is shown; those of others are not on the page. */
function nameParts(block: HTMLElement, isShown: boolean): void {
  const content = block.querySelector("pre")?.parentElement;
  if (isShown) block.setAttribute("role", "tabpanel");
  else block.removeAttribute("role");
  const elements = block.classList.contains("ds-code-panel") ? [content?.parentElement, content] : [content];
  elements.forEach((element, at) => {
    if (isShown) element?.setAttribute(PART, SHOWN[at]!);
    else element?.removeAttribute(PART);
  });
}
