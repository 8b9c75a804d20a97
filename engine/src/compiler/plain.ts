/**
 * Detection of pages without code of their own: Markdown, elements and our components, whose
 * attributes are literals. The compiler makes HTML of them, in which numbered elements stand for
 * components and for elements that authors wrote.
 */
import type { ComponentType } from "preact";
import { components, isBlock } from "../components/index";
import { countOf, isMatch, matchesOf } from "../patterns";
import { BLOCKS } from "../runtime/blocks";
import { literalOf } from "./literals";

/** Languages of blocks that components render: formulas and diagrams. */
const WITH_COMPONENTS = /^(?:math|mermaid)$/;
/** Characters that the compiler leaves unescaped in attributes. */
const BRACKET = /[<>]/;
const ATTRIBUTE = '="[^"]*"';
const KNOWN = [
  "(?:p|ul|ol|li|strong|em|del|code|blockquote|table|thead|tbody|tr|th|td|h[1-6]|br|hr)>",
  `(?:th|td) style${ATTRIBUTE}>`,
  `ol start${ATTRIBUTE}>`,
  '(?:ul class="contains-task-list"|li class="task-list-item")>',
  'input type="checkbox"(?: checked)? disabled>',
  `a href${ATTRIBUTE}(?: title${ATTRIBUTE})?>`,
  `img src${ATTRIBUTE} alt${ATTRIBUTE}(?: title${ATTRIBUTE})?>`,
  `pre data-language${ATTRIBUTE} data-meta${ATTRIBUTE}>`,
  `code class${ATTRIBUTE}>`,
  'ds-part data-n="\\d+">',
].join("|");
/** Anything that `runtime/plain.ts` does not know, such as headings with attributes. */
const UNKNOWN = new RegExp(`<(?!/|${KNOWN})|&(?!(?:amp|lt|gt|quot|#x27);)`);
/** GitHub's callouts. */
const ALERT = /<blockquote>\s*<p>\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/i;

/** Code that the compiler does not show: comments. */
const COMMENT = /^\s*\/\*(?:(?!\*\/)[^])*\*\/\s*$/;
/** Imports and exports. */
const STATEMENT = /^(?:import|export)\b/gm;
/** Characters that stand for headings and code blocks in `runtime/plain.ts`. */
const MARK = /\ue002/;
/** Components that read the elements within them, or other files. */
const READERS = /^(?:CodeBlock|Color|FileTree|GitHub|Latex|Tree)$/;
/** Elements that read the elements within them, or whose text is not HTML. */
const SPECIAL = /^(?:h[1-6]|pre|code|blockquote|table|td|p|style|script|noscript|textarea|select|option|title|svg|math)$/;
/** The element in the HTML that stands for a part. */
const PART = "ds-part";
const NAME = /^[a-z][a-z\d-]*$/;
/** Attributes that JSX reads itself. */
const RESERVED = /^(?:key|ref|children|dangerouslySetInnerHTML|__proto__)$/;

type PartType = string | ComponentType<never>;

/** A component or an element of an author, by its number in the HTML. */
export interface Part {
  type: PartType;
  props: Record<string, unknown>;
}

export interface Attribute {
  type: string;
  name?: string;
  value?: unknown;
}

export interface JsxNode {
  type: string;
  name?: string | null;
  attributes: Attribute[];
}

interface Tree {
  replaceNode(node: unknown, content: unknown): void;
}

interface Described {
  url?: string;
  title?: string | null;
  alt?: string | null;
}

export class PlainReader {
  isPlain = true;
  readonly parts: Part[] = [];
  private readonly takesParts: boolean;

  constructor(source: string) {
    this.takesParts = !hasStatements(source);
    // Of a comment at the end, the HTML keeps no line break.
    if (isMatch(MARK, source) || source.trimEnd().endsWith("*/}")) this.leave();
  }

  /** Note that the page needs a program. */
  leave(): void {
    this.isPlain = false;
  }

  /** Forget the parts of a page that needs a program, because none has been replaced. */
  keepTree(): void {
    this.parts.length = 0;
  }

  /** Replace a component or an element by a numbered element. */
  part(node: JsxNode, tree: Tree): void {
    const type = this.isPlain && this.takesParts ? typeOf(node) : null;
    const props = type && propsOf(node.attributes);
    if (!props) return this.leave();
    const data = { hName: PART, hProperties: { "data-n": String(this.parts.length) } };
    this.parts.push({ type, props });
    tree.replaceNode(node, { type: "docsteadPart", data, _keepChildren: true });
  }

  expression(code: string): void {
    if (!isMatch(COMMENT, code)) this.leave();
  }

  block(language: string): void {
    if (isMatch(WITH_COMPONENTS, language)) this.leave();
  }

  /** Check a link, an image or a definition. */
  text({ url, title, alt }: Described): void {
    if ([url, title, alt].some((each) => each && isMatch(BRACKET, each))) this.leave();
  }
}

/** Report whether `runtime/plain.ts` knows every element of this HTML. */
export function isReadable(html: string): boolean {
  return !isMatch(UNKNOWN, html) && !isMatch(ALERT, html);
}

/** Whether imports or exports stand outside blocks of code, most likely: then no attempt is made. */
function hasStatements(source: string): boolean {
  let fences = 0;
  let from = 0;
  for (const { index } of matchesOf(STATEMENT, source)) {
    fences += countOf("```", source.slice(from, index));
    if (fences % 2 === 0) return true;
    from = index;
  }
  return false;
}

/** The component or the name of the element that a tag means; null if its page needs a program. */
function typeOf({ type, name }: JsxNode): PartType | null {
  if (!name) return null;
  const isText = type === "mdxJsxTextElement"; // in a paragraph, which holds no blocks
  if (isMatch(NAME, name)) return isMatch(SPECIAL, name) || (isText && isMatch(BLOCKS, name)) ? null : name;
  if (!Object.hasOwn(components, name) || isMatch(READERS, name)) return null;
  return isText && isBlock(components[name]) ? null : components[name];
}

function propsOf(attributes: readonly Attribute[]): Record<string, unknown> | null {
  const props: Part["props"] = {};
  for (const { type, name, value } of attributes) {
    if (type !== "mdxJsxAttribute" || !name || isMatch(RESERVED, name)) return null;
    const known = valueOf(value);
    if (!known) return null;
    props[name] = known.value;
  }
  return props;
}

function valueOf(value: unknown): { value: unknown } | null {
  if (value === null || value === undefined) return { value: true };
  if (typeof value === "string") return { value };
  return literalOf((value as { value: string }).value);
}
