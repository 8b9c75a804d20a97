/**
 * HTML of the compiler among the children of a component, in place of elements. Components and
 * elements of authors stand between its pieces.
 */
import { Fragment, isValidElement, type VNode } from "preact";
import { jsx } from "preact/jsx-runtime";
import { isMatch, matchesOf, replaceEach } from "../patterns";

export interface MarkupProps {
  tpl: readonly string[]; // as the renderer calls the pieces
  exprs: readonly VNode[]; // what stands between them
  fences?: readonly { code: string }[]; // code blocks of marks
}

export type Markup = VNode & { props: MarkupProps };

/** Mark around numbers of headings and code blocks, whose order is that of rendering. */
export const MARK = "\ue002";

const MARKED = /\ue002([fil])(\d+)\ue002/g;
const TAG = /<[^>]*>/g;
const NAMED_TAG = /<\/?([^\s/>]*)[^>]*>/g;
const OF_A_LINE = /^(?:a|b|code|del|em|i|img|kbd|s|span|strong|sub|sup|u|wbr)$/;
const ENTITY = /&(?:quot|lt|gt|amp);/g;
const CHARACTERS: Record<string, string> = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const LINK_STOP = /\ue002|<(?:a|input|h[1-6]|blockquote|table)[ >]/;
const ALT = / alt="([^"]+)"/g;
const NAMED = /\ue002| alt="[^"]/;
const PARAGRAPH = /^<p>((?:(?!<\/?p>)[^])*)<\/p>$/;

const nothing = () => "";

/** Pieces that need nothing of the page around them. */
export function markup(tpl: readonly string[], exprs: readonly unknown[] = []): Markup {
  return jsx(Fragment, { tpl, exprs } as never) as Markup;
}

export function isMarkup(child: unknown): child is Markup {
  return isValidElement(child) && (child as Markup).props.tpl !== undefined;
}

export function decoded(text: string): string {
  return text.includes("&") ? replaceEach(text, ENTITY, (entity) => CHARACTERS[entity]) : text;
}

/** Whether an element stands within a line of text. */
export function isOfLine(type: unknown): boolean {
  return typeof type === "string" && isMatch(OF_A_LINE, type);
}

/** The text of HTML and its code blocks, if they are given. `gap` stands between paragraphs and the like. */
export function textOf(html: string, fences: MarkupProps["fences"] = [], gap = ""): string {
  const text = decoded(html.includes("<") ? withoutTags(html, gap) : html);
  if (!text.includes(MARK)) return text;
  return replaceEach(text, MARKED, (_, kind, at) => (kind === "f" ? gap + (fences[Number(at)]?.code ?? "") + gap : ""));
}

function withoutTags(html: string, gap: string): string {
  if (gap === "") return replaceEach(html, TAG, nothing);
  return replaceEach(html, NAMED_TAG, (_, name) => (isOfLine(name) ? "" : gap));
}

/** The descriptions of the pictures in a piece. */
export function altsOf(html: string): string {
  return [...matchesOf(ALT, html)].map(([, alt]) => decoded(alt)).join(" ");
}

/** Whether a link may contain these pieces. */
export function fitsMarkup({ props }: Markup): boolean {
  return !props.tpl.some((html) => isMatch(LINK_STOP, html));
}

/** Whether the pieces have text, or pictures with a description. */
export function isNamedMarkup({ props }: Markup): boolean {
  return props.tpl.some((html) => isMatch(NAMED, html) || textOf(html).trim() !== "");
}

/** The content of an only paragraph, or else everything. */
export function withoutParagraph(child: Markup): unknown {
  const { tpl, exprs } = child.props;
  if (!PARAGRAPH.test(tpl.join(""))) return child;
  const last = tpl.length - 1;
  const inner = tpl.map((html, at) => html.slice(at === 0 ? "<p>".length : 0, at === last ? -"</p>".length : undefined));
  return last > 0 || inner[0].includes("<") ? markup(inner, exprs) : decoded(inner[0]);
}
