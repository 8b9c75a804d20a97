/** The globals of a browser that the library looks for, before it is loaded. */
import { Document, Element } from "./dom";

/** Keeps only rules that start empty; those of authors are in their elements, too. */
class StyleSheet {
  readonly cssRules: StyleRule[] = [];

  insertRule(text: string): number {
    if (text.endsWith("{}")) this.cssRules.push(new StyleRule(text.slice(0, -2)));
    return this.cssRules.length - 1;
  }

  replaceSync(): void {}
}

class StyleRule {
  private readonly declarations: string[] = [];

  constructor(private readonly selector: string) {}

  get style() {
    return {
      length: this.declarations.length,
      setProperty: (name: string, value: string) => void this.declarations.push(`${name}:${value}`),
    };
  }

  get cssText(): string {
    return `${this.selector}{${this.declarations.join(";")}}`;
  }
}

export const document = new Document();

const silent = () => {};
const globals = {
  window: globalThis,
  document,
  Element,
  HTMLElement: Element,
  SVGElement: Element,
  CSSStyleSheet: StyleSheet,
  CSS: { supports: () => false },
  navigator: { userAgent: "" },
  screen: { availHeight: 800, availWidth: 1280 },
  location: { href: "", protocol: "", host: "", pathname: "", search: "" },
  console: { debug: silent, error: silent, info: silent, log: silent, trace: silent, warn: silent },
  addEventListener: silent,
  getComputedStyle: () => ({ fontSize: "16px", textAnchor: "", getPropertyValue: () => "" }),
  btoa: () => "", // of what no drawing keeps
  queueMicrotask: (task: () => void) => void Promise.resolve().then(task),
  structuredClone: (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown,
};

for (const [name, value] of Object.entries(globals)) {
  if (!(name in globalThis) || name === "console") {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** Repeat the same random numbers: equal sources are equal drawings, ids of commits included. */
export function repeatRandomNumbers(): void {
  let state = 1;
  Math.random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
