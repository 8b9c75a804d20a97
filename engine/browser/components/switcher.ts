/**
 * One of several panels at a time, chosen by a tab list or a select. Choices of the same
 * title move together over the whole page and are remembered for the next one.
 */
import { identify, make } from "./dom";
import { latestOf, remember } from "./memory";
import { hide, onReveal } from "./reveal";

export interface Choice {
  title: string;
  panel: HTMLElement;
}

export interface Options {
  label: string;
  sync: boolean;
  first?: number;
  onSelect?: (index: number) => void;
  onChoose?: (index: number) => void; // by the reader
}

const CHOSEN = "ds:chosen";
const FADE = 40; // px at an edge of the list that fades out

abstract class Switcher {
  readonly titles: string[];
  selected = -1;

  constructor(
    readonly choices: Choice[],
    readonly options: Options,
  ) {
    this.titles = choices.map((choice) => choice.title);
  }

  abstract readonly control: HTMLElement;
  protected abstract mark(index: number): void;

  start(): void {
    const remembered = this.options.sync ? latestOf(this.titles) : -1;
    const first = this.options.first ?? 0;
    this.select(remembered >= 0 ? remembered : Math.min(first, this.choices.length - 1));
    this.choices.forEach(({ panel }, index) => onReveal(panel, () => this.select(index)));
    if (this.options.sync) document.addEventListener(CHOSEN, (event) => this.follow(event));
  }

  select(index: number): void {
    if (index === this.selected) return;
    this.selected = index;
    this.choices.forEach(({ panel }, at) => hide(panel, at !== index));
    this.mark(index);
    this.options.onSelect?.(index);
  }

  /** A choice by the reader: it is remembered, and the page does not jump under the pointer. */
  protected choose(index: number): void {
    const before = this.control.getBoundingClientRect().top;
    this.select(index);
    if (this.options.sync) this.broadcast(this.titles[index] ?? "");
    this.options.onChoose?.(index);
    window.scrollBy({
      top: this.control.getBoundingClientRect().top - before,
      behavior: "instant",
    });
  }

  private broadcast(title: string): void {
    remember(title);
    document.dispatchEvent(new CustomEvent(CHOSEN, { detail: title }));
  }

  private follow(event: Event): void {
    const index = this.titles.indexOf((event as CustomEvent<string>).detail);
    if (index >= 0) this.select(index);
  }
}

/** A list of tabs, served with the page or made by a script, one for each choice. */
export class TabList extends Switcher {
  constructor(
    choices: Choice[],
    options: Options,
    readonly control: HTMLElement,
    private readonly tabs: HTMLElement[],
    private readonly show: (tab: HTMLElement, isChosen: boolean) => void,
  ) {
    super(choices, options);
    control.setAttribute("aria-label", options.label);
    tabs.forEach((tab, index) => this.connect(tab, choices[index]!.panel, index));
    control.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** The tab takes the id of its panel: links lead to the tab where there is one. */
  private connect(tab: HTMLElement, panel: HTMLElement, index: number): void {
    tab.id = identify(panel);
    panel.id = `panel-${tab.id}`;
    tab.setAttribute("aria-controls", panel.id);
    onReveal(tab, () => this.select(index));
    tab.addEventListener("click", () => this.choose(index));
    panel.classList.add("ds-tab-panel");
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
  }

  protected mark(index: number): void {
    this.tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
      this.show(tab, at === index);
      this.choices[at]!.panel.tabIndex = at === index ? 0 : -1; // hidden ones would still be stopped at
    });
    // To measure now would lay out the whole page before the other tabs are made.
    requestAnimationFrame(() => this.bringIntoSight(this.tabs[index]));
  }

  private bringIntoSight(tab: HTMLElement | undefined): void {
    const { scrollLeft, clientWidth } = this.control;
    if (!tab || this.control.scrollWidth <= clientWidth) return;
    const hidden = tab.offsetLeft < scrollLeft + FADE;
    const cut = tab.offsetLeft + tab.offsetWidth > scrollLeft + clientWidth - FADE;
    if (hidden || cut) this.control.scrollLeft = tab.offsetLeft - clientWidth / 3;
  }

  private onKey(event: KeyboardEvent): void {
    const index = this.aim(event.key);
    if (index === undefined || index < 0) return;
    event.preventDefault();
    this.choose(index);
    this.tabs[index]?.focus();
  }

  /** The tab to which a key leads. Enter and Space choose the focused one. */
  private aim(key: string): number | undefined {
    const count = this.tabs.length;
    const forward = getComputedStyle(this.control).direction === "rtl" ? -1 : 1;
    switch (key) {
      case "ArrowRight":
        return (this.selected + forward + count) % count;
      case "ArrowLeft":
        return (this.selected - forward + count) % count;
      case "Home":
        return 0;
      case "End":
        return count - 1;
      case "Enter":
      case " ":
        return this.tabs.indexOf(document.activeElement as HTMLElement);
      default:
        return undefined;
    }
  }
}

export class Dropdown extends Switcher {
  readonly control: HTMLElement;
  private readonly field: HTMLSelectElement;

  constructor(choices: Choice[], options: Options) {
    super(choices, options);
    const items = this.titles.map((title, at) => make("option", { value: String(at) }, title));
    this.field = make("select", { class: "ds-select", "aria-label": options.label }, ...items);
    this.field.addEventListener("change", () => this.choose(this.field.selectedIndex));
    this.control = make("div", { class: "ds-code-choice" }, this.field);
  }

  protected mark(index: number): void {
    this.field.selectedIndex = index;
  }
}
