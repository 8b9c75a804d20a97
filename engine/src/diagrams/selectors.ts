/** Elements by selectors of names, ids, classes and attributes, below or right below each other. */
import { Unsupported, type Element } from "./dom";

interface Step {
  isChild: boolean;
  fits(element: Element): boolean;
}

const STEP = /\s*(>?)\s*((?:[\w*-]+|#[^\s>,.:[\]]+|\.[\w-]+|\[[\w-]+(?:[*^$]?=(?:"[^"]*"|'[^']*'))?\]|:[\w-]+(?:\([^()]*\))?)+)/y;
const PART = /^[\w*-]+|#[^\s>,.:[\]]+|\.[\w-]+|\[([\w-]+)(?:([*^$]?)=(?:"([^"]*)"|'([^']*)'))?\]|:[\w-]+(?:\([^()]*\))?/g;
const known = new Map<string, Step[][]>();

/** Return the elements below `root` that fit, in order. Raises `Unsupported` for other selectors. */
export function matching(root: Element, selector: string, isFirst: boolean): Element[] {
  const ways = read(selector);
  const found: Element[] = [];
  const visit = (element: Element): boolean => {
    for (const child of element.children) {
      if (ways.some((steps) => fits(child, steps, steps.length - 1, root))) {
        found.push(child);
        if (isFirst) return true;
      }
      if (visit(child)) return true;
    }
    return false;
  };
  visit(root);
  return found;
}

function fits(element: Element, steps: Step[], at: number, root: Element): boolean {
  const step = steps[at]!;
  if (!step.fits(element)) return false;
  if (at === 0) return !step.isChild || element.parentNode === root;
  for (let above = element.parentNode; above; above = above.parentNode) {
    if (fits(above, steps, at - 1, root)) return true;
    if (step.isChild) return false;
  }
  return false;
}

/** Whether an element fits a selector, wherever it is. */
export function isMatching(element: Element, selector: string): boolean {
  return read(selector).some((steps) => fits(element, steps, steps.length - 1, element));
}

function read(selector: string): Step[][] {
  let ways = known.get(selector);
  if (ways) return ways;
  ways = selector.split(",").map((each) => steps(each.trim().replace(/^:scope\s*/, "")));
  if (known.size < 200) known.set(selector, ways);
  return ways;
}

function steps(source: string): Step[] {
  const found: Step[] = [];
  for (let at = 0; at < source.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const match = STEP.exec(source);
    if (!match) throw new Unsupported(`the selector ${source.slice(0, 80)}`);
    const parts = [...match[2]!.matchAll(PART)].map(test);
    found.push({ isChild: match[1] === ">", fits: (element) => parts.every((part) => part(element)) });
  }
  return found;
}

function test(match: RegExpMatchArray): (element: Element) => boolean {
  const [part, name, sign, double, single] = match;
  const value = double ?? single;
  if (part.startsWith("#")) return (element) => element.getAttribute("id") === part.slice(1);
  if (part.startsWith(".")) return (element) => element.classList.contains(part.slice(1));
  if (name && value === undefined) return (element) => element.hasAttribute(name);
  if (name) return (element) => fitsValue(element.getAttribute(name) ?? "", sign!, value!);
  if (part === ":first-child") return isFirst;
  if (part === ":not(:first-child)") return (element) => !isFirst(element);
  if (part === ":last-child") return (element) => element.parentNode?.children.at(-1) === element;
  const nth = /^:nth-child\((\d+)\)$/.exec(part);
  if (nth) return (element) => element.parentNode?.children[Number(nth[1]) - 1] === element;
  if (part.startsWith(":")) throw new Unsupported(`the selector ${part}`);
  if (part === "*") return () => true;
  return (element) => element.localName.toLowerCase() === part.toLowerCase();
}

function isFirst(element: Element): boolean {
  return element.parentNode?.firstElementChild === element;
}

function fitsValue(found: string, sign: string, value: string): boolean {
  if (sign === "*") return found.includes(value);
  if (sign === "^") return found.startsWith(value);
  return sign === "$" ? found.endsWith(value) : found === value;
}
