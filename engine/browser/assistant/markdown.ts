/**
 * The Markdown of answers as elements. HTML is shown as text, no picture is loaded, and links lead only to web
 * pages or within the site.
 */
import { toClipboard } from "../components/copy";
import { make } from "../components/dom";
import { colored } from "../components/tokens";
import { iconButton } from "./icons";
import { word } from "./words";

const FENCE = /^(`{3,}|~{3,})\s*(\S*)\s*(.*)$/;
const ITEM = /^(\s*(?:[-*+]|(\d+)[.)])\s+)(.*)$/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:-]+$/;
const CELL_END = /(?<!\\)\|/;
const INLINE = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/,
    /(?<!(?<!\\)`)(?<mark>`+)(?!`)(?<code>.+?)(?<!`)\k<mark>(?!`)/,
    /\*\*(?<strong>(?:[^*]|\*[^*]+\*)+)\*\*/,
    /\*(?<starred>[^*\s](?:[^*]*[^*\s])?)\*/,
    /(?<!\w)_(?<underlined>[^_\s](?:[^_]*[^_\s])?)_(?!\w)/,
    /<(?<autolink>(?:https?|mailto):[^<>\s]+)>/,
    /!?\[(?<label>(?:\\.|[^\]\\]){0,999})\]\((?<destination>[^()\s]+)\)/,
  ]
    .map((each) => each.source)
    .join("|"),
  "g",
);
const CITATION = /^\d+$/;
export const CITED = "ds-answer-citation";
const MOST_NESTED = 30; // quotes and lists within each other; more may exhaust the stack
const NO_BREAK = "\u00a0"; // keeps a number on the line of its sentence

/** Return the blocks of a text at a depth of nested ones; what is nested too deeply is shown as it is written. */
export function rendered(markdown: string, depth = 0): Node[] {
  if (depth > MOST_NESTED) return [make("p", {}, markdown)];
  const lines = markdown.split("\n");
  const found: Node[] = [];
  while (lines.length) found.push(...block(lines, depth));
  return found;
}

function block(lines: string[], depth: number): Node[] {
  const line = lines.shift() as string;
  if (!line.trim()) return [];
  const fence = FENCE.exec(line);
  if (fence) {
    const title = (fence[3] as string).trim();
    const caption = title && title.toLowerCase() !== fence[2] ? [make("p", { class: "ds-answer-title" }, title)] : [];
    return [...caption, code(lines, fence[1] as string)];
  }
  const heading = /^#{1,6}\s+(.*)$/.exec(line);
  if (heading) return [make("p", { class: "ds-answer-heading" }, ...inline(heading[1] as string))];
  if (line.startsWith(">")) return [quote(line, lines, depth)];
  if (ITEM.test(line)) return [list(line, lines, depth)];
  if (ROW.test(line) && RULE.test(lines[0] ?? "")) return [table(line, lines)];
  const text = [line];
  while (lines.length && lines[0]?.trim() && !/^(>|#{1,6}\s|```|~~~)/.test(lines[0]) && !ITEM.test(lines[0])) {
    text.push(lines.shift() as string);
  }
  return [make("p", {}, ...inline(text.join(" ")))];
}

function code(lines: string[], mark: string): HTMLElement {
  const text: string[] = [];
  while (lines.length) {
    const line = lines.shift() as string;
    if (line.trim() === mark) break;
    text.push(line);
  }
  const source = text.join("\n");
  const copy = iconButton("copy", word("copy"), async () => {
    if (await toClipboard(source)) copy.dataset.done = "";
  });
  copy.className = "ds-answer-copy";
  return make("div", { class: "ds-answer-code" }, make("pre", { tabindex: "0" }, colored(source)), copy);
}

function quote(first: string, lines: string[], depth: number): HTMLElement {
  const text = [first];
  while (lines[0]?.startsWith(">")) text.push(lines.shift() as string);
  return make("blockquote", {}, ...rendered(text.map((line) => line.replace(/^> ?/, "")).join("\n"), depth + 1));
}

function list(first: string, lines: string[], depth: number): HTMLElement {
  const number = ITEM.exec(first)?.[2];
  const items = number ? make("ol", { start: number }) : make("ul");
  let line: string | undefined = first;
  while (line !== undefined) {
    const [, marker = "", , begin = ""] = ITEM.exec(line) ?? [];
    const indentation = new RegExp(`^ {0,${marker.length}}`);
    const text = [begin];
    while (continues(lines)) text.push((lines.shift() as string).replace(indentation, ""));
    items.append(make("li", {}, ...(text.length > 1 ? rendered(text.join("\n"), depth + 1) : inline(text[0] as string))));
    while (lines.length > 1 && !lines[0]?.trim() && ITEM.test(lines[1] ?? "")) lines.shift();
    line = ITEM.test(lines[0] ?? "") ? lines.shift() : undefined;
  }
  return items;
}

/** Whether an item goes on: with an indented line, or blank ones above it. */
function continues(lines: string[]): boolean {
  return !!lines.find((line) => line.trim())?.startsWith("  ");
}

/** Return the table in a box that scrolls, since it may be wider than the panel. */
function table(first: string, lines: string[]): HTMLElement {
  lines.shift();
  const body: HTMLElement[] = [];
  while (ROW.test(lines[0] ?? "")) body.push(row(lines.shift() as string, "td"));
  const whole = make("table", {}, make("thead", {}, row(first, "th")), make("tbody", {}, ...body));
  return make("div", { class: "ds-answer-table", tabindex: "0" }, whole);
}

function row(line: string, cell: "td" | "th"): HTMLElement {
  const cells = line.trim().slice(1, -1).split(CELL_END);
  return make("tr", {}, ...cells.map((text) => make(cell, {}, ...inline(text.trim().replaceAll("\\|", "|")))));
}

/** Links within the label of a link (`isLabel`) are text: they would lead elsewhere than it does. */
function inline(text: string, isLabel = false): (Node | string)[] {
  const found: (Node | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const parts = match.groups as Record<string, string | undefined>;
    const before = text.slice(at, match.index);
    at = match.index + match[0].length;
    found.push(CITATION.test(parts.label ?? "") ? before.replace(/ $/, NO_BREAK) : before);
    found.push(element(match[0], parts, isLabel));
  }
  return [...found, text.slice(at)];
}

function element(whole: string, parts: Record<string, string | undefined>, isLabel: boolean): Node | string {
  if (parts.escaped !== undefined) return parts.escaped;
  if (parts.code !== undefined) return make("code", {}, parts.code.trim());
  if (parts.strong !== undefined) return make("strong", {}, ...inline(parts.strong, isLabel));
  const stressed = parts.starred ?? parts.underlined;
  if (stressed !== undefined) return make("em", {}, ...inline(stressed, isLabel));
  if (parts.autolink !== undefined) return isLabel ? parts.autolink : link(parts.autolink, parts.autolink);
  const { label = "", destination = "" } = parts;
  return isLabel || whole.startsWith("!") ? label : link(label || destination, destination);
}

/** A page of this site at the host that shows it: answers name canonical URLs. */
function shownHere(url: URL): URL {
  const path = document.documentElement.dataset.currentPath?.replace(/\/index$/, "");
  const canonical = document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href;
  if (path === undefined || !canonical) return url;
  const [site, shown] = [canonical, location.origin + location.pathname].map((each) => siteOf(each, path));
  if (site === undefined || shown === undefined || !url.href.startsWith(`${site}/`)) return url;
  return new URL(shown + url.href.slice(site.length));
}

/** Return the URL of a site from that of a page at this path; none for files, whose names have an ending. */
function siteOf(page: string, path: string): string | undefined {
  const whole = page.replace(/\/$/, "");
  return whole.endsWith(path) && !whole.endsWith(".html") ? whole.slice(0, whole.length - path.length) : undefined;
}

export function link(label: string, destination: string): HTMLElement | string {
  try {
    const url = shownHere(new URL(destination, location.href));
    if (url.protocol === "mailto:") return make("a", { href: url.href }, ...inline(label, true));
    if (!/^https?:$/.test(url.protocol)) return label;
    // Sources open in a new tab on pages of other sites, so that readers find their way back.
    const outside = url.origin !== location.origin ? { target: "_blank", rel: "noopener" } : {};
    const cited = CITATION.test(label) ? { class: CITED } : {};
    return make("a", { href: url.href, ...outside, ...cited }, ...inline(label, true));
  } catch {
    return label;
  }
}
