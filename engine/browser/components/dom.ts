/** Functions that every enhancement of a page needs. */

type Attributes = Record<string, string | undefined>;

export function all<T extends HTMLElement = HTMLElement>(root: ParentNode, selector: string): T[] {
  return [...root.querySelectorAll<T>(selector)];
}

/** The matching elements that no earlier call has returned for the same purpose. */
export function fresh<T extends HTMLElement = HTMLElement>(
  root: ParentNode,
  selector: string,
): T[] {
  const found = all<T>(root, `${selector}:not([data-ready])`);
  for (const element of found) element.dataset.ready = "";
  return found;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Styles of a script, right after those of the theme, so that the site's own come later. */
export function addStyles(css: string): void {
  const theme = document.querySelector('link[href*="_docs/site."]') ?? document.head.lastElementChild;
  theme?.after(make("style", {}, css));
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing in a box of 24, hidden from assistive technology. */
export function drawing(...paths: string[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const box = { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "aria-hidden": "true" };
  const line = { "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round" };
  for (const [name, value] of Object.entries({ ...box, ...line })) svg.setAttribute(name, value);
  for (const path of paths) {
    const stroke = document.createElementNS(SVG, "path");
    stroke.setAttribute("d", path);
    svg.append(stroke);
  }
  return svg;
}

let lastId = 0;

/** The element's id, given now if it has none. */
export function identify(element: HTMLElement): string {
  element.id ||= `ds-part-${(lastId += 1)}`;
  return element.id;
}

/** Announce a text to screen readers. */
export function announce(message: string): void {
  const region = document.getElementById("ds-announcer") ?? document.body.appendChild(announcer());
  region.textContent = message;
}

function announcer(): HTMLElement {
  return make("div", { id: "ds-announcer", class: "ds-sr-only", "aria-live": "polite" });
}

/** Replaces the part of the URL after `#` or `?` without a new entry in the history. */
export function setUrl(url: string): void {
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // A page opened from disk may not change its URL; nothing else depends on it.
  }
}

/** Replaces the fragment of the URL; removes it if it is empty. */
export function setHash(fragment: string): void {
  setUrl(fragment ? `#${fragment}` : location.pathname + location.search);
}
