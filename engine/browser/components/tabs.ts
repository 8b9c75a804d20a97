import { all, fresh, make, setHash } from "./dom";
import { chosen, remember } from "./memory";
import { hide, onReveal } from "./reveal";
import { TabList, type Choice } from "./switcher";
import { word } from "./words";

export function enhanceTabs(root: ParentNode): void {
  for (const group of fresh(root, ".ds-tabs")) makeTabs(group);
}

function makeTabs(group: HTMLElement): void {
  const panels = all(group, ".ds-tab").filter((panel) => panel.closest(".ds-tabs") === group);
  if (panels.length === 0) return;
  const choices = panels.map((panel) => ({ panel, title: panel.dataset.title ?? "" }));
  const options = {
    label: choices.map(({ title }) => title).join(", "),
    sync: group.dataset.sync !== "false",
    first: Number(group.dataset.default ?? 0),
    onSelect: (index: number) => panels.forEach((panel, at) => panel.setAttribute("aria-hidden", String(at !== index))),
    onChoose: (index: number) => setHash(encodeURIComponent(tabs[index]!.id)),
  };
  const list = listOf(group, choices);
  const tabs = [...list.children] as HTMLElement[];
  for (const panel of panels) panel.dataset.ready = "";
  tabs.forEach((tab, at) => ((tab.firstElementChild as HTMLElement).dataset.testid = `tab-${choices[at]!.title}`));
  new TabList(choices, options, list, tabs, show).start();
}

/** The list in the page, or a new one of the same form if it lacks a panel. */
function listOf(group: HTMLElement, choices: Choice[]): HTMLElement {
  const served = group.querySelector<HTMLElement>(":scope > .ds-tab-list");
  if (served?.children.length === choices.length) return served;
  const attributes = { class: "ds-tab-list", role: "tablist", "data-component-part": "tabs-list" };
  const list = make("ul", attributes, ...choices.map(({ title }) => tab(title)));
  served?.remove();
  group.prepend(list);
  return list;
}

function tab(title: string): HTMLElement {
  const attributes = { class: "ds-tab-button", role: "tab", "data-component-part": "tab" };
  return make("li", attributes, make("div", { "data-component-part": "tab-button" }, title));
}

function show(tab: HTMLElement, isChosen: boolean): void {
  (tab.firstElementChild as HTMLElement).dataset.active = String(isChosen);
}

/** One select for all views of the page; content outside of views is always visible. */
export function enhanceViews(root: ParentNode): void {
  const views = fresh(root, ".ds-view");
  const titles = [...new Set(views.map((view) => view.dataset.view ?? ""))];
  if (titles.length === 0) return;
  const items = titles.map((title) => make("option", {}, title));
  const field = make("select", { class: "ds-select multi-view-dropdown-trigger" }, ...items);
  const show = (title: string) => showView(views, field, title);
  field.addEventListener("change", () => {
    remember(field.value);
    show(field.value);
  });
  for (const view of views) onReveal(view, () => show(view.dataset.view ?? ""));
  views[0]?.before(
    make("label", { class: "ds-view-chooser", id: "multi-view-dropdown" }, word("view"), field),
  );
  show(chosen().find((title) => titles.includes(title)) ?? titles[0] ?? "");
}

function showView(views: HTMLElement[], field: HTMLSelectElement, title: string): void {
  field.value = title;
  for (const view of views) {
    const isShown = view.dataset.view === title;
    hide(view, !isShown);
    view.querySelector(":scope > .ds-view-body")?.classList.toggle("multi-view-item", isShown);
    for (const heading of all(view, ":is(h2, h3, h4, h5, h6)[id]")) {
      hideInContents(heading.id, !isShown);
    }
  }
}

function hideInContents(id: string, hidden: boolean): void {
  const links = all<HTMLAnchorElement>(
    document,
    `#table-of-contents a[href$="#${CSS.escape(id)}"]`,
  );
  for (const link of links) (link.closest("li") ?? link).hidden = hidden;
}
