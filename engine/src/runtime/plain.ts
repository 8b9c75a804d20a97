/**
 * Rendering of plain Markdown pages: the HTML of the compiler becomes what `elements.ts` and the
 * components make of the same page, by replacing text. It contains only elements that
 * `compiler/plain.ts` knows, and no attribute contains brackets.
 */
import { isExternal } from "../links";
import { link, media } from "../site";
import { slug } from "../slug";
import { word } from "../words";
import { isName, isRead, partsOf } from "./look";
import type { PageScope } from "./scope";

const FENCE = /<pre data-language="([^"]*)" data-meta="([^"]*)"><code(?: class="[^"]*")?>([^<]*)<\/code><\/pre>/g;
const QUOTED = />[^<"]*"[^<]*/g;
const EMPTY = /<(br|hr|input [^>]*)>/g;
const ALIGNED = / style="text-align: (\w+)"/g;
const LINK = /<a href="([^"]*)"( title="[^"]*")?>/g;
const IMAGE = /<img src="([^"]*)"([^>]*)>/g;
const HYPHENED_CODE = /<code>([^<-]*-[^<]*)<\/code>/g;
const LONG_CODE = /<code>([^<_]*_[^<]*)<\/code>/g;
const CELL = /<td((?: style="[^"]*")?)>([^]*?)<\/td>/g;
const HEADING = /<h([1-6])>([^]*?)<\/h\1>/g;
const TAG = /<[^>]*>/g;
const ENTITY = /&(?:quot|lt|gt|amp);/g;
const LAST_BREAK = /\n$/;
const CHARACTERS: Record<string, string> = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const ESCAPES: Record<string, string> = { '"': "&quot;", "<": "&lt;", "&": "&amp;" };

/** Return the HTML of a page; `directory` is the folder of its file. */
export function renderPlain(html: string, scope: PageScope, directory: string): string {
  const whole = html.replace(LAST_BREAK, "").replaceAll("&#x27;", "'");
  let rendered = whole.replace(FENCE, (_, language: string, meta: string, code: string) => {
    const text = decoded(code).replace(LAST_BREAK, "");
    scope.fences.push({ code: text, language: decoded(language), meta: decoded(meta), options: {} });
    return `<ds-fence data-n="${scope.fences.length - 1}"></ds-fence>`;
  });
  rendered = rendered
    .replace(QUOTED, (text) => text.replaceAll('"', "&quot;"))
    .replaceAll("&gt;", ">")
    .replace(EMPTY, "<$1/>")
    .replace(LINK, (_, href: string, title = "") => anchor(decoded(href), title, directory))
    .replace(IMAGE, (_, src: string, rest: string) => image(decoded(src), rest, directory))
    .replace(HYPHENED_CODE, (code, text: string) => (isName(decoded(text)) ? `<code class="ds-name">${text}</code>` : code))
    .replace(LONG_CODE, (_, text: string) => `<code>${partsOf(decoded(text)).map(escaped).join("<wbr/>")}</code>`);
  if (rendered.includes("<table>")) rendered = withTables(rendered);
  return rendered
    .replaceAll('=""', "")
    .replace(HEADING, (_, level: string, inner: string) => heading(Number(level), inner, scope))
    .toWellFormed();
}

function decoded(text: string): string {
  return text.includes("&") ? text.replace(ENTITY, (entity) => CHARACTERS[entity]) : text;
}

function escaped(text: string): string {
  return text.replace(/["<&]/g, (character) => ESCAPES[character]);
}

function anchor(href: string, title: string, directory: string): string {
  const rel = isExternal(href) ? ' rel="noopener"' : "";
  return `<a href="${escaped(link(href, directory))}"${title}${rel}>`;
}

function image(src: string, rest: string, directory: string): string {
  return `<img src="${escaped(media(src, directory))}"${rest} loading="lazy"/>`;
}

function withTables(html: string): string {
  return html
    .replace(ALIGNED, ' style="text-align:$1;"')
    .replace(CELL, (cell, style: string, inner: string) =>
      isRead(textOf(inner)) ? `<td${style} class="ds-read">${inner}</td>` : cell,
    )
    .replaceAll("<table>", '<div class="ds-table"><table>')
    .replaceAll("</table>", "</table></div>");
}

function heading(level: number, inner: string, scope: PageScope): string {
  const text = textOf(inner).replace(/\s+/g, " ").trim();
  const wanted = slug(text);
  if (!wanted) return `<h${level}>${inner}</h${level}>`;
  const id = scope.anchors.claim(wanted);
  if (level > 1) scope.headings.push({ level, text, anchor: id });
  const name = escaped(id);
  const link = `<a href="#${name}" aria-label="${escaped(word("section_link"))}" class="ds-heading-anchor"></a>`;
  return `<h${level} id="${name}">${inner}${link}</h${level}>`;
}

function textOf(html: string): string {
  return decoded(html.replace(TAG, ""));
}
