/** Reading children, which MDX passes as text, arrays, fragments or nothing. */
import { altsOf, fitsMarkup, isMarkup, isNamedMarkup, isOfLine, textOf } from "./markup";
import { Fragment, isValidElement, toChildArray, type ComponentChildren, type VNode } from "preact";

type Props = { children?: ComponentChildren } & Record<string, unknown>;
export type Element = VNode<Props>;

export function isElement(child: unknown): child is Element {
  return isValidElement(child);
}

export function childrenOf(element: Element): ComponentChildren {
  return element.props?.children;
}

/** Children as one flat list, fragments opened. Functions show nothing: `{Name}` of a component is one. */
export function flatten(children: ComponentChildren): (Element | string | number)[] {
  return toChildArray(children).flatMap((child) => {
    if (typeof child === "function") return [];
    return isElement(child) && child.type === Fragment && !isMarkup(child)
      ? flatten(childrenOf(child))
      : [child as Element | string | number];
  });
}

export function isBlank(children: ComponentChildren): boolean {
  return flatten(children).every((child) => typeof child === "string" && child.trim() === "");
}

/** The text a reader sees, as far as it can be known before rendering. `gap` stands between paragraphs and the like. */
export function plainText(children: ComponentChildren, gap = ""): string {
  return flatten(children)
    .map((child) => (isElement(child) ? textWithin(child, gap) : String(child)))
    .join("");
}

function textWithin(child: Element, gap: string): string {
  if (isMarkup(child)) {
    const { tpl, exprs, fences } = child.props;
    return tpl.map((html, at) => textOf(html, fences, gap) + plainText(exprs[at], gap)).join("");
  }
  const text = plainText(childrenOf(child), gap);
  return isOfLine(child.type) ? text : gap + text + gap;
}

/** The descriptions of the pictures among children. */
export function pictureText(children: ComponentChildren): string {
  const texts = flatten(children).map((child) => {
    if (!isElement(child)) return "";
    if (isMarkup(child)) return [...child.props.tpl.map(altsOf), pictureText([...child.props.exprs])].join(" ");
    return `${child.props?.alt ?? ""} ${pictureText(childrenOf(child))}`;
  });
  return texts.join(" ").trim();
}

/** Whether children have text, or pictures with a description. */
export function isNamed(children: ComponentChildren): boolean {
  return flatten(children).some((child) => {
    if (isMarkup(child)) return isNamedMarkup(child) || isNamed([...child.props.exprs]);
    return isElement(child)
      ? Boolean(child.props?.alt || child.props?.["aria-label"]) || isNamed(childrenOf(child))
      : String(child).trim() !== "";
  });
}

const INTERACTIVE = /^(?:a|audio|button|details|embed|iframe|input|label|object|select|textarea|video)$/;

/**
 * Whether a link may contain these children: HTML allows no links and no controls in a link. Components are not
 * examined.
 */
export function fitsInLink(children: ComponentChildren, inert: ReadonlySet<unknown>): boolean {
  return flatten(children).every((child) => {
    if (!isElement(child)) return true;
    if (isMarkup(child)) return fitsMarkup(child) && fitsInLink([...child.props.exprs], inert);
    const isInert = inert.has(child.type) && !child.props.href;
    const isKnown = typeof child.type === "string" ? !INTERACTIVE.test(child.type) : isInert;
    return isKnown && fitsInLink(childrenOf(child), inert);
  });
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\b_([^_\s][^_]*)_\b|\[([^\]]+)\]\(([^()\s]+)\)/;

/** Inline Markdown of a string prop (code, strong, emphasis, links) as elements. */
export function inline(value: ComponentChildren): ComponentChildren {
  if (typeof value !== "string") return value;
  const match = INLINE.exec(value);
  if (!match) return value;
  return (
    <>
      {value.slice(0, match.index)}
      {marked(match)}
      {inline(value.slice(match.index + match[0].length))}
    </>
  );
}

/** Code of a title, whose other characters stay as they are. */
export function inlineCode(title: ComponentChildren): ComponentChildren {
  if (typeof title !== "string" || !title.includes("`")) return title;
  const parts = title.split(/`([^`]+)`/);
  return parts.length === 1 ? title : parts.map((part, at) => (at % 2 ? <code>{part}</code> : part));
}

function marked(match: RegExpExecArray): ComponentChildren {
  const [, code, bold, bolder, emphasis, underlined, label, href] = match;
  if (code !== undefined) return <code>{code}</code>;
  if (label !== undefined) return <a href={href}>{inline(label)}</a>;
  const strong = bold ?? bolder;
  if (strong !== undefined) return <strong>{inline(strong)}</strong>;
  return <em>{inline(emphasis ?? underlined)}</em>;
}
