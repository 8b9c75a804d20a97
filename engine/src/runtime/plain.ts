/**
 * Rendering of plain Markdown pages: the HTML of the compiler becomes what `elements.ts` and the
 * components make of the same page, by replacing text. It contains only elements that
 * `compiler/plain.ts` knows, and no attribute contains brackets.
 */
import { decoded, MARK, textOf } from "../components/markup";
import { isExternal } from "../links";
import { replaceEach } from "../patterns";
import { link, media } from "../site";
import { slug } from "../slug";
import { word } from "../words";
import { isName, isRead, isWide, partsOf, urlPartsOf } from "./look";
import type { Fence, PageScope } from "./scope";
import { escaped } from "./written";

const FENCE = /<pre data-language="([^"]*)" data-meta="([^"]*)"><code(?: class="[^"]*")?>([^<]*)<\/code><\/pre>/g;
const QUOTED = />[^<"]*"[^<]*/g;
const EMPTY = /<(br|hr|input [^>]*)>/g;
const ALIGNED = / style="text-align: (\w+)"/g;
const LINK = /<a href="([^"]*)"( title="[^"]*")?>/g;
const IMAGE = /<img src="([^"]*)"([^>]*)>/g;
const HYPHENED_CODE = /<code>([^<-]*-[^<]*)<\/code>/g;
const LONG_CODE = /<code>([^<]{13,})<\/code>/g;
const LONG_LINK = /<a (href="[^"]*"[^>]*)>([^<]{31,})<\/a>/g;
const CELL = /<td((?: style="[^"]*")?)>([^]*?)<\/td>/g;
const HEADING = /<h([1-6])>([^]*?)<\/h\1>/g;
const MARKED = new RegExp(`${MARK}([fil])(\\d+)${MARK}`, "g");
const BLANKS = /\s+/g;

/** HTML of a page, in which marks stand for what depends on the order of rendering. */
export interface Prepared {
  html: string;
  fences: Fence[];
  headings: { level: number; text: string; requested: string; anchor: string }[];
}

/** Return the HTML of a page without components; `directory` is the folder of its file. */
export function renderPlain(html: string, scope: PageScope, directory: string): string {
  const prepared = prepare(html, directory);
  return fill(prepared.html, prepared, scope, false).toWellFormed();
}

export function prepare(html: string, directory: string): Prepared {
  const fences: Fence[] = [];
  const headings: Prepared["headings"] = [];
  const whole = withoutBreak(html).replaceAll("&#x27;", "'");
  let rendered = replaceEach(whole, FENCE, (_, language, meta, code) => {
    const text = withoutBreak(decoded(code));
    const count = fences.push({ code: text, language: decoded(language), meta: decoded(meta), options: {} });
    return `${MARK}f${count - 1}${MARK}`;
  });
  rendered = replaceEach(rendered, QUOTED, (text) => text.replaceAll('"', "&quot;")).replaceAll("&gt;", ">");
  rendered = replaceEach(rendered, EMPTY, (_, tag) => `<${tag}/>`);
  rendered = replaceEach(rendered, LINK, (_, href, title = "") => anchor(decoded(href), title, directory));
  rendered = replaceEach(rendered, IMAGE, (_, src, rest) => image(decoded(src), rest, directory));
  rendered = replaceEach(rendered, HYPHENED_CODE, (code, text) => (isName(decoded(text)) ? `<code class="ds-name">${text}</code>` : code));
  rendered = replaceEach(rendered, LONG_CODE, (_, text) => longCode(decoded(text)));
  rendered = replaceEach(rendered, LONG_LINK, (whole, rest, text) => longLink(decoded(text), rest) ?? whole);
  if (rendered.includes("<table>")) rendered = withTables(rendered);
  rendered = replaceEach(rendered.replaceAll('=""', ""), HEADING, (whole, level, inner) => {
    const text = replaceEach(textOf(inner), BLANKS, () => " ").trim();
    const requested = slug(text);
    if (!requested) return whole;
    const number = headings.push({ level: Number(level), text, requested, anchor: "" }) - 1;
    return `<h${level}${MARK}i${number}${MARK}>${inner}${MARK}l${number}${MARK}</h${level}>`;
  });
  return { html: rendered, fences, headings };
}

function longCode(code: string): string {
  const look = isWide(code) ? ' class="ds-wide"' : "";
  return `<code${look}>${partsOf(code).map(escaped).join("<wbr/>")}</code>`;
}

function longLink(text: string, attributes: string): string | null {
  if (!isWide(text)) return null;
  return `<a ${attributes} class="ds-wide">${urlPartsOf(text).map(escaped).join("<wbr/>")}</a>`;
}

function withoutBreak(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/** Return prepared HTML with its code blocks and headings, which are numbered and named in order. */
export function fill(html: string, { fences, headings }: Prepared, scope: PageScope, inLink: boolean): string {
  if (!html.includes(MARK)) return html;
  return replaceEach(html, MARKED, (_, kind, number) => {
    if (kind === "f") {
      const count = scope.fences.push(fences[Number(number)]);
      return `<ds-fence data-n="${count - 1}"></ds-fence>`;
    }
    const heading = headings[Number(number)];
    if (kind === "l") return inLink ? "" : headingLink(heading.anchor);
    const { level, text, requested } = heading;
    heading.anchor = scope.anchors.claim(requested);
    if (level > 1) scope.headings.push({ level, text, anchor: heading.anchor });
    return ` id="${escaped(heading.anchor)}"`;
  });
}

function headingLink(anchor: string): string {
  return `<a href="#${escaped(anchor)}" aria-label="${escaped(word("section_link"))}" class="ds-heading-anchor"></a>`;
}

function anchor(href: string, title: string, directory: string): string {
  const rel = isExternal(href) ? ' rel="noopener"' : "";
  return `<a href="${escaped(link(href, directory))}"${title}${rel}>`;
}

function image(src: string, rest: string, directory: string): string {
  return `<img src="${escaped(media(src, directory))}"${rest} loading="lazy"/>`;
}

function withTables(html: string): string {
  const aligned = replaceEach(html, ALIGNED, (_, align) => ` style="text-align:${align};"`);
  return replaceEach(aligned, CELL, (cell, style, inner) =>
    isRead(textOf(inner)) ? `<td${style} class="ds-read">${inner}</td>` : cell,
  )
    .replaceAll("<table>", '<div class="ds-table"><table>')
    .replaceAll("</table>", "</table></div>");
}
