/** Rendering of pages of Markdown with components and elements, which have no code. */
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import { jsx as createElement } from "preact/jsx-runtime";
import type { Part } from "../compiler/plain";
import { decoded, MARK, markup, type MarkupProps } from "../components/markup";
import { matchesOf } from "../patterns";
import { runtimeOf, type Jsx } from "./elements";
import { fill, prepare } from "./plain";
import { InLink, type Fence, type PageScope } from "./scope";

type Child = string | VNode;
type Fill = (html: string, inLink: boolean) => string;
interface Filling {
  fillIn: Fill;
  fences: readonly Fence[];
}

const PART = /<ds-part data-n="(\d+)">|<\/ds-part>/g;
const EMPTY_ELEMENT = /<(?:br|hr|img|input|wbr)\b/y;

/** Return the content of a page; `directory` is the folder of its file. */
export function mixedContent(html: string, parts: readonly Part[], scope: PageScope, directory: string): readonly Child[] {
  const prepared = prepare(html, directory);
  const filling = {
    fillIn: (piece: string, inLink: boolean) => fill(piece, prepared, scope, inLink),
    fences: prepared.fences,
  };
  const { jsx } = runtimeOf({ directory, own: false });
  const page = new Level(null, filling);
  const open = [page];
  let from = 0;
  for (const { 0: tag, 1: number, index } of matchesOf(PART, prepared.html)) {
    const level = open[open.length - 1];
    level.add(prepared.html.slice(from, index));
    from = index + tag.length;
    if (number !== undefined) open.push(new Level(parts[Number(number)], filling));
    else {
      open.pop();
      open[open.length - 1].put(level.element(jsx));
    }
  }
  page.add(prepared.html.slice(from));
  return page.children;
}

/** The page or a part, while its content is read. */
class Level {
  readonly children: Child[] = [];
  private tpl: string[] = []; // of markup whose elements are not all closed
  private exprs: VNode[] = [];
  private depth = 0;

  constructor(
    private readonly part: Part | null,
    private readonly filling: Filling,
  ) {}

  add(html: string): void {
    if (html === "" && this.depth === 0) return;
    this.tpl.push(html);
    if (html.includes("<")) this.depth += growthOf(html);
    if (this.depth !== 0) return;
    this.children.push(childOf(this.tpl, this.exprs, this.filling));
    this.tpl = [];
    this.exprs = [];
  }

  put(element: VNode): void {
    (this.depth === 0 ? this.children : this.exprs).push(element);
  }

  element(jsx: Jsx): VNode {
    const { type, props } = this.part as Part;
    const { children } = this;
    if (children.length > 0) props.children = children.length === 1 ? children[0] : children;
    return jsx(type, props);
  }
}

/** Return the number of elements that a piece of HTML leaves open; negative if it closes more. */
function growthOf(html: string): number {
  let growth = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    if (html[at + 1] === "/") growth -= 1;
    else if (!isEmptyElement(html, at)) growth += 1;
  }
  return growth;
}

function isEmptyElement(html: string, at: number): boolean {
  EMPTY_ELEMENT.lastIndex = at;
  return "bhiw".includes(html[at + 1]) && EMPTY_ELEMENT.exec(html) !== null;
}

function childOf(tpl: readonly string[], exprs: readonly VNode[], filling: Filling): Child {
  const isMarked = tpl.some((html) => html.includes(MARK));
  if (isMarked) return createElement(Marked, { tpl, exprs, ...filling } as never) as VNode;
  return tpl.length > 1 || tpl[0].includes("<") ? markup(tpl, exprs) : decoded(tpl[0]);
}

/** Markup with code blocks or headings, which are numbered when they are rendered. */
function Marked({ tpl, exprs, fillIn }: MarkupProps & { fillIn: Fill }): VNode {
  const inLink = useContext(InLink);
  if (tpl.length === 1) return markup([fillIn(tpl[0], inLink)]);
  const content = tpl.flatMap((html, at) => [createElement(Marked, { tpl: [html], exprs: [], fillIn } as never), exprs[at]]);
  return markup(content.map(() => ""), content);
}
