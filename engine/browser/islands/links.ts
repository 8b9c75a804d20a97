/**
 * Links that an island renders for the first time here, when nobody resolves them any more: from
 * the root of the site, which stands where this script's folder does.
 */
import { options, type VNode } from "preact";
import { LINK_MARK } from "../../src/links";

const NAMES = ["href", "src", "poster"];
const FILE = /\.[a-z\d]{1,5}$/i;

/** `script` is that of the islands; `data-files` says that pages are files with a suffix. */
export function resolveLinks(script: HTMLScriptElement | null): void {
  if (!script) return;
  const root = script.src.replace(/[^/]*\/[^/]*$/, "");
  const files = script.dataset.files !== undefined;
  const before = options.vnode;
  options.vnode = (node: VNode) => {
    if (typeof node.type === "string") resolve(node.props as Record<string, unknown>, root, files);
    before?.(node);
  };
}

function resolve(props: Record<string, unknown>, root: string, files: boolean): void {
  for (const name of NAMES) {
    const written = props[name];
    if (typeof written === "string") props[name] = urlOf(written, root, files);
  }
}

export function urlOf(written: string, root: string, files: boolean): string {
  const url = written.startsWith(LINK_MARK) ? written.slice(LINK_MARK.length) : written;
  if (url[0] !== "/" || url[1] === "/") return url;
  const [, path, rest] = /^\/([^?#]*)(.*)$/s.exec(url) as unknown as [string, string, string];
  const page = path.replace(/\/$/, "") || (files ? "index" : "");
  return root + (files && !FILE.test(page) ? `${page}.html` : page) + rest;
}
