/**
 * Several children of an island: elements with props, as their author's component reads them.
 * Each element is one slot, and its own children are another, because components show either.
 */
import { isValidElement, type ComponentChild, type ComponentChildren, type VNode } from "preact";
import { jsx } from "preact/jsx-runtime";
import { slot, slotNames, type Entry } from "./slots";

type Render = (children: ComponentChildren) => string;

/** Whether a value is several children with components of props that can be read. */
export function isList(value: unknown): value is ComponentChild[] {
  return Array.isArray(value) && value.some((child) => isReadable(child));
}

function isReadable(child: unknown): boolean {
  if (!isValidElement(child) || typeof child.type !== "function") return false;
  return Object.keys(plainProps(child)).length > 0;
}

export class List {
  readonly entries: Entry[];
  readonly children: ComponentChild[];
  private readonly known: Record<string, string> = {};

  constructor(
    private readonly name: string,
    private readonly given: ComponentChild[],
    private readonly render: Render,
  ) {
    this.entries = given.map((child) => (isValidElement(child) ? plainProps(child) : plain(child)));
    this.children = given.map((child, index) => (isValidElement(child) ? this.element(child, index) : child));
  }

  /** The HTML of all slots of the kinds that the component shows; of both where it shows none. */
  rendered(): Record<string, string> {
    const shown = Object.keys(this.known);
    const inner = shown.filter((name) => name.endsWith(".inner")).length;
    const kinds = [inner < shown.length || inner === 0, inner > 0 || shown.length === 0];
    this.given.forEach((child, index) => {
      if (!isValidElement(child)) return;
      slotNames(this.name, index).forEach((name, kind) => kinds[kind] && this.html(name, child, kind));
    });
    return this.known;
  }

  private element(child: VNode<any>, index: number): VNode {
    const [whole, inner] = slotNames(this.name, index);
    const Inner = () => slot(inner, this.html(inner, child, 1));
    const Whole = () => slot(whole, this.html(whole, child, 0));
    const children = jsx(Inner as never, {} as never);
    return jsx(Whole as never, { ...plainProps(child), children } as never, child.key ?? index);
  }

  private html(name: string, child: VNode<any>, kind: number): string {
    return (this.known[name] ??= this.render(kind === 0 ? child : child.props.children));
  }
}

function plainProps(element: VNode<any>): Record<string, unknown> {
  const entries = Object.entries(element.props as Record<string, unknown>);
  return Object.fromEntries(entries.filter(([name, value]) => name !== "children" && isPlain(value)));
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (value === null || typeof value !== "object") return ["string", "number", "boolean"].includes(typeof value);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

function plain(child: ComponentChild): Entry {
  return typeof child === "string" || typeof child === "number" ? child : null;
}
