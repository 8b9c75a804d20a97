/** The library's style sheet of one drawing, which has no browser that applies it. */
import type { Element } from "./dom";
import { isMatching, matching } from "./selectors";

interface Declaration {
  name: string;
  value: string;
  isImportant: boolean;
  weight: number; // of its selector
}

const RULE = /([^{}@;]+)\{([^{}]*)\}/g;
const BLOCK = /@[\w-]+[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g; // animations and media
const KEPT =
  /^(?:color|display|dominant-baseline|fill(?:-opacity)?|font-(?:size|style|weight)|opacity|stroke(?:-dasharray|-linecap|-linejoin|-opacity|-width)?|text-anchor|visibility)$/;

/** Styles by element, of a root that has all its elements already or gets more of them. */
export class Sheet {
  private readonly rules: { selector: string; weight: number; body: [string, string, boolean][] }[] = [];

  constructor(text: string) {
    for (const [, selectors, body] of text.replace(BLOCK, "").matchAll(RULE)) {
      const kept = declared(body!);
      if (kept.length === 0) continue;
      for (const selector of selectors!.split(",")) {
        this.rules.push({ selector: selector.trim(), weight: weightOf(selector), body: kept });
      }
    }
  }

  /** Return the rules with certain properties. */
  only(names: RegExp): Sheet {
    const part = new Sheet("");
    part.rules.push(...this.rules.filter(({ body }) => body.some(([name]) => names.test(name))));
    return part;
  }

  /** Return the value of a property of an element by the rule with the highest specificity, or "". */
  value(element: Element, name: string): string {
    let [found, most] = ["", -1];
    for (const { selector, weight, body } of this.rules) {
      const declared = body.findLast(([each]) => each === name);
      if (declared && weight >= most && fits(element, selector)) [found, most] = [declared[1], weight];
    }
    return found;
  }

  /** Return the declarations of the elements below `root` that have any. */
  below(root: Element): Map<Element, Map<string, Declaration>> {
    const found = new Map<Element, Map<string, Declaration>>();
    for (const { selector, weight, body } of this.rules) {
      for (const element of fitting(root, selector)) {
        const own = found.get(element) ?? new Map<string, Declaration>();
        found.set(element, own);
        for (const [name, value, isImportant] of body) {
          const before = own.get(name);
          if (before && (before.isImportant && !isImportant)) continue;
          if (before && before.isImportant === isImportant && before.weight > weight) continue;
          own.set(name, { name, value, isImportant, weight });
        }
      }
    }
    return found;
  }
}

/** Write the styles of a sheet into the elements below `root`; their own styles have priority. */
export function applySheet(sheet: Sheet, root: Element): void {
  for (const [element, declarations] of sheet.below(root)) {
    for (const { name, value, isImportant } of declarations.values()) {
      if (isImportant || !element.style.getPropertyValue(name)) element.style.setProperty(name, value);
    }
  }
  for (const holder of root.querySelectorAll("foreignObject")) {
    const label = holder.querySelector("span") ?? holder.querySelector(".label") ?? holder.firstElementChild;
    const color = label && inheritedColor(label);
    if (color) label.style.setProperty("color", color);
  }
}

function inheritedColor(label: Element): string {
  for (let each: Element | null = label; each; each = each.parentNode) {
    const color = each.style.getPropertyValue("color");
    if (color && color !== "inherit") return color;
  }
  return "";
}

function declared(body: string): [string, string, boolean][] {
  return body.split(";").flatMap((each) => {
    const [name = "", ...rest] = each.split(":");
    const value = rest.join(":").trim();
    if (!KEPT.test(name.trim()) || !value) return [];
    return [[name.trim(), value.replace(/\s*!important$/, ""), value.endsWith("!important")]];
  });
}

function weightOf(selector: string): number {
  const count = (pattern: RegExp) => (selector.match(pattern) ?? []).length;
  return count(/#/g) * 10_000 + count(/[.[:]/g) * 100 + count(/(?:^|[\s>])\w/g);
}

/** Selectors that need a browser, of pointers and of HTML, are ignored. */
function fitting(root: Element, selector: string): Element[] {
  try {
    return matching(root, selector, false);
  } catch {
    return [];
  }
}

function fits(element: Element, selector: string): boolean {
  try {
    return isMatching(element, selector);
  } catch {
    return false;
  }
}
