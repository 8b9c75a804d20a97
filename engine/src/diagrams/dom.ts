/** The part of a document that the library for diagrams asks for: a tree, attributes and boxes. */
import { boxOf, type Box } from "./boxes";
import { parseHtml } from "./html";
import { isMatching, matching } from "./selectors";
import { layOut, textWidth } from "./text";

export const HTML = "http://www.w3.org/1999/xhtml";
export const SVG = "http://www.w3.org/2000/svg";

const MOST_NODES = 60_000; // a drawing of more is left to the reader's browser

const COLUMN = 720; // px

export class Unsupported extends Error {}

export class TreeNode {
  parentNode: Element | null = null;
  readonly childNodes: TreeNode[] = [];

  constructor(
    readonly nodeType: number,
    readonly ownerDocument: Document,
  ) {
    ownerDocument.count();
  }

  get parentElement(): Element | null {
    return this.parentNode;
  }

  /** Data of the library refer to elements, and it writes them to its log. */
  toJSON(): undefined {
    return undefined;
  }

  /** 2 where `other` comes before this node, 4 where it follows. */
  compareDocumentPosition(other: TreeNode): number {
    const [own, theirs] = [this.path(), other.path()];
    const at = own.findIndex((position, level) => position !== theirs[level]);
    if (at < 0) return 4;
    return (theirs[at] ?? -1) < own[at]! ? 2 : 4;
  }

  private path(): number[] {
    const parent = this.parentNode;
    return parent ? [...parent.path(), parent.childNodes.indexOf(this)] : [];
  }

  get firstChild(): TreeNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): TreeNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get previousSibling(): TreeNode | null {
    const siblings = this.parentNode?.childNodes;
    return siblings?.[siblings.indexOf(this) - 1] ?? null;
  }

  get nextSibling(): TreeNode | null {
    const siblings = this.parentNode?.childNodes;
    return siblings?.[siblings.indexOf(this) + 1] ?? null;
  }

  get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  set textContent(text: string | null) {
    for (const child of [...this.childNodes]) child.remove();
    if (text !== null && text !== "") this.appendChild(new Text(this.ownerDocument, String(text)));
  }

  appendChild<T extends TreeNode>(child: T): T {
    return this.insertBefore(child, null);
  }

  insertBefore<T extends TreeNode>(child: T, before: TreeNode | null): T {
    child.remove();
    const at = before ? this.childNodes.indexOf(before) : -1;
    if (at < 0) this.childNodes.push(child);
    else this.childNodes.splice(at, 0, child);
    child.parentNode = this as unknown as Element;
    return child;
  }

  removeChild<T extends TreeNode>(child: T): T {
    child.remove();
    return child;
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }
}

export class Text extends TreeNode {
  constructor(
    document: Document,
    readonly data: string,
  ) {
    super(3, document);
  }

  override get textContent(): string {
    return this.data;
  }

  override set textContent(_: string | null) {
    throw new Unsupported("text that changes");
  }

  cloneNode(): Text {
    return new Text(this.ownerDocument, this.data);
  }
}

export class Element extends TreeNode {
  readonly attributes = new Map<string, string>();
  readonly style = new Style(this);
  readonly classList = new ClassList(this);

  constructor(
    document: Document,
    readonly namespaceURI: string,
    readonly localName: string,
  ) {
    super(1, document);
  }

  get tagName(): string {
    return this.namespaceURI === HTML ? this.localName.toUpperCase() : this.localName;
  }

  get nodeName(): string {
    return this.tagName;
  }

  get children(): Element[] {
    const found: Element[] = [];
    for (const child of this.childNodes) if (child.nodeType === 1) found.push(child as Element);
    return found;
  }

  get firstElementChild(): Element | null {
    return (this.childNodes.find((child) => child.nodeType === 1) as Element | undefined) ?? null;
  }

  get id(): string {
    return this.getAttribute("id") ?? "";
  }

  /** Only the lines of a label are counted in it; drawings are serialized by `serialize`. */
  get innerHTML(): string {
    return this.childNodes.map((child) => (child instanceof Element ? child.lineMark : "")).join("");
  }

  private get lineMark(): string {
    return this.localName === "br" ? "<br>" : this.innerHTML;
  }

  set innerHTML(source: string) {
    this.textContent = "";
    parseHtml(String(source), this);
  }

  append(...children: (TreeNode | string)[]): void {
    for (const each of children) this.appendChild(typeof each === "string" ? new Text(this.ownerDocument, each) : each);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  getAttributeNS(_: string, name: string): string | null {
    return this.getAttribute(name);
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }

  setAttributeNS(_: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  removeAttributeNS(_: string, name: string): void {
    this.removeAttribute(name);
  }

  querySelector(selector: string): Element | null {
    return matching(this, selector, true)[0] ?? null;
  }

  querySelectorAll(selector: string): Element[] {
    return matching(this, selector, false);
  }

  getElementsByTagName(name: string): Element[] {
    return this.querySelectorAll(name);
  }

  getElementsByClassName(name: string): Element[] {
    return this.querySelectorAll(`.${name}`);
  }

  matches(selector: string): boolean {
    return isMatching(this, selector);
  }

  closest(name: string): Element | null {
    for (let each: Element | null = this; each; each = each.parentNode) {
      if (each.localName === name) return each;
    }
    return null;
  }

  cloneNode(isDeep = false): Element {
    const copy = new Element(this.ownerDocument, this.namespaceURI, this.localName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    if (isDeep) {
      for (const child of this.childNodes) copy.appendChild((child as Element | Text).cloneNode(true));
    }
    return copy;
  }

  addEventListener(): void {}

  /** Width of charts: about the column of a page. */
  get offsetWidth(): number {
    return COLUMN;
  }

  getBBox(): Box {
    return boxOf(this) ?? { x: 0, y: 0, width: 0, height: 0 };
  }

  getBoundingClientRect(): Box & { left: number; top: number } {
    const box = this.namespaceURI === HTML ? { x: 0, y: 0, ...layOut(this) } : this.getBBox();
    return { ...box, left: box.x, top: box.y };
  }

  getComputedTextLength(): number {
    return textWidth(this);
  }
}

/** Keeps what is rendered in it, which the library takes away at the end. */
export class Stage extends Element {
  rendered: Element | undefined;

  override insertBefore<T extends TreeNode>(child: T, before: TreeNode | null): T {
    if (child instanceof Element) this.rendered = child;
    return super.insertBefore(child, before);
  }
}

class Style {
  private read: Map<string, string> | undefined;
  private written: string | null = null; // that was read

  constructor(private readonly element: Element) {}

  getPropertyValue(name: string): string {
    const written = this.element.getAttribute("style");
    if (written === null) return "";
    if (written !== this.written) {
      this.read = declarations(this.element);
      this.written = written;
    }
    return this.read?.get(name)?.replace(/\s*!important$/, "") ?? "";
  }

  setProperty(name: string, value: unknown, priority = ""): void {
    const found = declarations(this.element);
    found.delete(name);
    found.set(name, priority ? `${String(value)} !${priority}` : String(value));
    this.write(found);
  }

  removeProperty(name: string): void {
    const found = declarations(this.element);
    found.delete(name);
    this.write(found);
  }

  private write(found: Map<string, string>): void {
    this.element.setAttribute("style", [...found].map(([name, value]) => `${name}: ${value};`).join(" "));
  }
}

/** Return the declarations of an element's own `style`. */
export function declarations(element: Element): Map<string, string> {
  const found = new Map<string, string>();
  for (const each of (element.getAttribute("style") ?? "").split(";")) {
    const colon = each.indexOf(":");
    if (colon > 0) found.set(each.slice(0, colon).trim().toLowerCase(), each.slice(colon + 1).trim());
  }
  return found;
}

class ClassList {
  constructor(private readonly element: Element) {}

  private get names(): string[] {
    return (this.element.getAttribute("class") ?? "").split(/\s+/).filter(Boolean);
  }

  contains(name: string): boolean {
    const written = this.element.getAttribute("class");
    return written !== null && written.includes(name) && this.names.includes(name);
  }

  add(...names: string[]): void {
    this.element.setAttribute("class", [...new Set([...this.names, ...names])].join(" "));
  }

  remove(...names: string[]): void {
    this.element.setAttribute("class", this.names.filter((name) => !names.includes(name)).join(" "));
  }
}

export class Document {
  readonly nodeType = 9;
  readonly documentElement: Element;
  readonly body: Element;
  readonly head: Element;
  readonly defaultView: unknown = globalThis;
  /** Of the sheet that is written into the drawing: what it says of an element's texts. */
  textStyle: (element: Element, name: string) => string = () => "";
  private nodes = 0;

  constructor() {
    this.documentElement = this.createElement("html");
    this.head = this.documentElement.appendChild(this.createElement("head"));
    this.body = this.documentElement.appendChild(this.createElement("body"));
  }

  /** Start the count of nodes of one drawing. */
  clear(): void {
    this.body.textContent = "";
    this.nodes = 0;
  }

  count(): void {
    this.nodes += 1;
    if (this.nodes > MOST_NODES) throw new Unsupported("a drawing of so many parts");
  }

  createElement(name: string): Element {
    return new Element(this, HTML, name.toLowerCase());
  }

  createElementNS(namespace: string, name: string): Element {
    return new Element(this, namespace, name);
  }

  createTextNode(data: string): Text {
    return new Text(this, data);
  }

  getElementById(id: string): Element | null {
    return this.documentElement.querySelector(`[id="${id}"]`);
  }

  querySelector(selector: string): Element | null {
    return this.documentElement.querySelector(selector);
  }

  querySelectorAll(selector: string): Element[] {
    return this.documentElement.querySelectorAll(selector);
  }
}
