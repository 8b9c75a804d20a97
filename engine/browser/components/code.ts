/**
 * A block is `<figure class="ds-code" data-title data-language>` with a caption, where it has
 * a title, and `pre > code`; `data-nocopy`, `data-expandable` and `data-wrap` say what it wants.
 */
import { all, drawing, fresh, make } from "./dom";
import { copyButton } from "./copy";
import { Dropdown, TabList, type Choice } from "./switcher";
import { word } from "./words";

const EXPAND = ["m7 15 5 5 5-5", "m7 9 5-5 5 5"];
const ROWS_WITHOUT_FOLD = 12;
const BAR = { class: "ds-code-bar", "data-component-part": "code-group-tab-bar" };

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
  return copyButton(word("copyCode"), () => codeOf(figure()), "code-block-copy-button");
}

function codeOf(figure: HTMLElement): string {
  const code = figure.querySelector("pre code") ?? figure.querySelector("pre");
  return (code?.textContent ?? "").replace(/\n$/, "");
}

function makeExpandable(figure: HTMLElement, code: HTMLElement): void {
  if (codeOf(figure).split("\n").length <= ROWS_WITHOUT_FOLD) {
    delete figure.dataset.expandable;
    return;
  }
  const button = make("button", {
    type: "button",
    class: "ds-code-more",
    "aria-expanded": "false",
  });
  button.append(drawing(...EXPAND), word("expand"));
  button.addEventListener("click", () => {
    const open = figure.toggleAttribute("data-open");
    button.setAttribute("aria-expanded", String(open));
    button.lastChild!.textContent = word(open ? "collapse" : "expand");
    if (!open) code.scrollTop = 0;
  });
  figure.append(button);
}

/** The bar of a group holds its tabs and one copy button, for the block that is shown. */
function makeGroup(group: HTMLElement): void {
  const figures = all(group, ".ds-code").filter((each) => each.closest(".ds-code-group") === group);
  if (figures.length === 0) return;
  group.dataset.ready = "";
  let shown = figures[0]!;
  const button = codeCopyButton(() => shown);
  const kind = "dropdown" in group.dataset ? Dropdown : TabList;
  const switcher = new kind(figures.map(choiceOf), {
    label: word("code"),
    sync: true,
    onSelect: (index) => {
      shown = figures[index]!;
      button.hidden = !copyable(shown);
    },
  });
  group.prepend(make("div", BAR, switcher.control, button));
  switcher.start();
}

function choiceOf(figure: HTMLElement, index: number): Choice {
  const panel = make("div");
  figure.querySelector(":scope > .ds-copy")?.remove();
  figure.replaceWith(panel);
  panel.append(figure);
  const icon = figure.querySelector("figcaption :is(.ds-icon, .ds-code-icon)");
  return {
    panel,
    title: titleOf(figure) ?? `${word("code")} ${index + 1}`,
    icon: icon?.cloneNode(true),
  };
}
