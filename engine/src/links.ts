/** Targets of links: another site, a part of the page, or a root-absolute path of the site. */

import { isMatch, replaceEach } from "./patterns";

/** Mark before root-absolute paths in HTML, which the shell replaces by the root. */
export const LINK_MARK = "\ue000";

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const UNSAFE = /^(?:javascript|vbscript|data)\s*:/i;
const SCRIPT = /^(?:javascript|vbscript)\s*:/i;
const EXTERNAL = /^(?:https?:)?\/\//i;
/** Browsers read URLs without them. */
const UNSEEN = /[\x00-\x1f]/g;

/** The paths that a site has: pages and static files, root-absolute. */
export type KnownPath = (path: string) => boolean;

/** A URL as browsers read it. */
function visible(url: string): string {
  return replaceEach(url, UNSEEN, () => "").trim();
}

/** Whether a browser would run this URL as a script. */
export function isScript(url: string): boolean {
  return isMatch(SCRIPT, visible(url));
}

/** A link of a file in `directory` ("/", "/guides/") as it stands in HTML. */
export function linkOf(href: string, directory: string, known: KnownPath): string {
  const written = visible(href);
  if (isMatch(UNSAFE, written)) return "#";
  return resolved(written, directory, known);
}

/** The URL of an image or a video; unlike a link it may be a data URL. */
export function mediaOf(src: string, directory: string, known: KnownPath): string {
  const written = visible(src);
  if (/^data:(?:image|video|audio|font)\//i.test(written)) return written;
  return isMatch(UNSAFE, written) ? "" : resolved(written, directory, known);
}

function resolved(written: string, directory: string, known: KnownPath): string {
  const own = isOwnLink(written);
  return own ? LINK_MARK + absolute(written, directory, known) : written;
}

/** A name for the page that a link leads to, from its URL, if the link shows no words. */
export function nameOfTarget(href: string): string {
  if (isExternal(href)) return href.replace(/^(?:https?:)?\/\//i, "");
  const path = /^[^?#]*/.exec(href.replace(LINK_MARK, ""))![0].replace(/(?:\/index)?\/*$/, "");
  const words = path.slice(path.lastIndexOf("/") + 1).replace(/[-_]+/g, " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1) : href;
}

export function isExternal(href: string): boolean {
  return isMatch(EXTERNAL, href.trim());
}

export function isOwnLink(written: string): boolean {
  if (written === "" || written[0] === "#" || written[0] === LINK_MARK) return false;
  return !isMatch(SCHEME, written) && !written.startsWith("//");
}

/** Root-absolute spelling of a relative path; anything else stays as it is. */
export function absolute(written: string, directory: string, known: KnownPath): string {
  if (written[0] === "/") return written;
  const [, path, rest] = /^([^?#]*)(.*)$/s.exec(written) as unknown as [string, string, string];
  if (path === "") return written;
  const beside = normalize(directory + path);
  // Without a leading dot many authors mean the site's root.
  if (path[0] !== "." && !known(beside)) {
    const atRoot = normalize(`/${path}`);
    if (known(atRoot)) return atRoot + rest;
  }
  return beside + rest;
}

/** A path without `.`, `..` and empty parts; `..` never leads above the root. */
export function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function directoryOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/") + 1);
}
