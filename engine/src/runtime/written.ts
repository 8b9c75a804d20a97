/**
 * Elements of our own components as finished HTML. The renderer would look at every name and value of
 * their attributes several times; these names need no change.
 *
 * In the browser, where islands are rendered again, they stay elements.
 */
import type { VNode } from "preact";
import { markup } from "../components/markup";
import { isMatch, replaceEach } from "../patterns";

type Props = Record<string, unknown>;

const SIMPLE = /^(?:id|role|hidden|open|style|(?:data|aria)-[a-z-]+)$/;
const ESCAPED = /["<&]/g;
const CHARACTERS: Record<string, string> = { '"': "&quot;", "<": "&lt;", "&": "&amp;" };

const simple = new Map<string, boolean>(); // by name
const setting = { isOn: false };

/** Write our own elements as HTML from now on. */
export function writeOwnElements(): void {
  setting.isOn = true;
}

/** Return an element as HTML, as the renderer writes it; null if it has anything that is not simple. */
export function written(type: string, props: Props): VNode | null {
  const start = setting.isOn ? startTag(type, props) : null;
  if (start === null) return null;
  const { children } = props;
  if (children !== null && typeof children === "object") return markup([start, `</${type}>`], [children]);
  return markup([`${start}${textOf(children)}</${type}>`]);
}

/** The class is the last attribute, as it is with Preact's compatibility layer. */
function startTag(type: string, props: Props): string | null {
  let tag = `<${type}`;
  for (const name in props) {
    if (name === "children" || name === "class") continue;
    const value = props[name];
    if (value === undefined || value === null) continue;
    if (typeof value === "object" || typeof value === "function" || !isSimple(name)) return null;
    tag += attribute(name, value);
  }
  const { class: classes } = props;
  if (classes && typeof classes !== "string") return null;
  return `${tag}${classes ? attribute("class", classes) : ""}>`;
}

function attribute(name: string, value: unknown): string {
  if (value === "") return ` ${name}`;
  if (typeof value !== "boolean" || name[4] === "-") return ` ${name}="${escaped(String(value))}"`;
  return value ? ` ${name}` : "";
}

function isSimple(name: string): boolean {
  let known = simple.get(name);
  if (known === undefined) simple.set(name, (known = isMatch(SIMPLE, name)));
  return known;
}

function textOf(child: unknown): string {
  return typeof child === "string" || typeof child === "number" ? escaped(String(child)) : "";
}

export function escaped(text: string): string {
  return replaceEach(text, ESCAPED, (character) => CHARACTERS[character]);
}
