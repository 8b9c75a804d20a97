/** Notes on the tree of a source: positions of links, and what is not Markdown. */
import type { MdastPluginDefinition, MdastVisitorContext } from "satteri";
import { isMatch } from "../patterns";
import { Commands, nodesIn, type Found } from "./matches";
import type { JsxNode, PlainReader } from "./plain";

export interface LinkPosition {
  href: string;
  line: number;
  column: number;
}

interface Positioned {
  position?: { start: { line: number; column: number } };
}

const AUTHORS_LINK = /<a\b/;

export class Notes {
  readonly links: LinkPosition[] = [];
  readonly mayBeInLink: boolean;

  constructor(
    source: string,
    readonly plain?: PlainReader,
  ) {
    this.mayBeInLink = isMatch(AUTHORS_LINK, source);
  }

  link(node: Positioned, href: unknown): void {
    if (typeof href !== "string" || !node.position) return;
    this.links.push({ href, line: node.position.start.line, column: node.position.start.column });
  }
}

type Context = Readonly<MdastVisitorContext>;
type Visitors = Omit<MdastPluginDefinition, "name" | "options">;

function notesIn({ data }: Context): Notes {
  return (data as { notes: Notes }).notes;
}

function element(node: JsxNode & Positioned, context: Context): void {
  const notes = notesIn(context);
  notes.plain?.part(node, context as Parameters<PlainReader["part"]>[1]);
  for (const { name, value } of node.attributes) {
    if (name === "href" || name === "src") notes.link(node, value);
  }
}

function expression({ value }: { value: string }, context: Context): void {
  notesIn(context).plain?.expression(value);
}

function target(node: Positioned & { url: string }, context: Context): void {
  const notes = notesIn(context);
  notes.plain?.text(node);
  notes.link(node, node.url);
}

function other(_: object, context: Context): void {
  notesIn(context).plain?.leave();
}

/** Whether an author's `<a>` is around a node: its text may be a URL, which is no second link. */
function isInLink(node: object, context: Context): boolean {
  const parent = context.parent(node as never) as object | undefined;
  if (!parent) return false;
  return ("name" in parent && parent.name === "a") || isInLink(parent, context);
}

const VISITORS: Visitors = {
  code(node, context) {
    const { lang, meta } = node;
    notesIn(context).plain?.block(lang ?? "");
    context.setProperty(node, "data", {
      hProperties: { "data-language": lang ?? "", "data-meta": meta ?? "" },
    });
  },
  link(node, context) {
    const isInner = notesIn(context).mayBeInLink && isInLink(node, context);
    if (isInner) context.replaceNode(node, [...node.children]);
    else target(node, context);
  },
  image: target,
  definition: target,
  imageReference: (node, context) => notesIn(context).plain?.text(node),
  mdxJsxFlowElement: element as never,
  mdxJsxTextElement: element as never,
  mdxFlowExpression: expression,
  mdxTextExpression: expression,
  mdxjsEsm: other,
  html: other,
  math: other,
  inlineMath: other,
  footnoteReference: other,
  footnoteDefinition: other,
};

type Visit = (node: Found, context: object) => void;

interface Replacement {
  type: string;
  data: unknown;
}

/**
 * Take notes of the nodes that the compiler found, and return its commands.
 *
 * Parts are replaced once all nodes are known: a page that needs a program keeps its tree for it.
 */
export function visitNodes(notes: Notes, found: Uint8Array, types: readonly number[]): Uint8Array {
  const commands = new Commands();
  const replaced: [id: number, Replacement][] = [];
  const context = {
    data: { notes },
    setProperty: ({ id }: Found, _: "data", data: unknown) => commands.setData(id, data),
    replaceNode: ({ id }: Found, content: Replacement) => replaced.push([id, content]),
  };
  for (const node of nodesIn(found, types)) {
    (VISITORS[node.type as keyof Visitors] as unknown as Visit)(node, context);
  }
  if (notes.plain?.isPlain) replaced.forEach(([id, { type, data }]) => commands.replace(id, type, data));
  else notes.plain?.keepTree();
  return commands.taken();
}

/** Signs in a source that has nodes of these kinds: the compiler's time grows with the kinds that are requested. */
const SIGNS: Record<string, string> = {
  image: "![",
  imageReference: "![",
  definition: "]:",
  mdxJsxFlowElement: "<",
  mdxJsxTextElement: "<",
  mdxFlowExpression: "{",
  mdxTextExpression: "{",
  html: "<",
  math: "$",
  inlineMath: "$",
  footnoteReference: "[^",
  footnoteDefinition: "[^",
};

const plugins = new Map<string, MdastPluginDefinition>();

/**
 * Return a plugin that keeps the text after a fence's language, and fills `data.notes`.
 *
 * The compiler keeps plugins until the next full garbage collection, so pages share them.
 */
export function readerOf(source: string): MdastPluginDefinition {
  const kinds = Object.keys(VISITORS).filter((kind) => source.includes(SIGNS[kind] ?? ""));
  const key = kinds.join();
  let known = plugins.get(key);
  if (!known) {
    const visitors = Object.fromEntries(kinds.map((kind) => [kind, VISITORS[kind as keyof Visitors]]));
    known = { name: "docstead-reader", options: { position: true }, ...visitors };
    plugins.set(key, known);
  }
  return known;
}
