/**
 * First script of the 404 page of a bundle with an unknown root, which hosts show at any depth. It finds the
 * root, a folder with a file of the bundle, before anything else, because the rest of the page depends on it.
 */

const MOST = 8;
const probe = document.currentScript?.dataset["probe"] ?? "";

function isRoot(root: string): boolean {
  const request = new XMLHttpRequest();
  try {
    request.open("HEAD", root + probe, false);
    request.send();
  } catch {
    return false;
  }
  // Some hosts answer every URL with a page.
  return request.status === 200 && /css/.test(request.getResponseHeader("content-type") ?? "");
}

/** Links within the page would lead to the root, too. */
function keepFragments(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
    link.href = location.pathname + location.search + link.getAttribute("href");
  }
}

function findRoot(): void {
  const folders = location.pathname.split("/").slice(1, -1);
  if (!folders.length || !location.protocol.startsWith("http")) return;
  const to = (_: string, depth: number) => [location.origin, ...folders.slice(0, depth), ""].join("/");
  // The nearest first: there may be another version of the site above.
  const root = ["", ...folders].slice(0, MOST).map(to).findLast(isRoot);
  if (root === undefined) return;
  const base = document.createElement("base");
  base.href = root;
  document.head.prepend(base);
  addEventListener("DOMContentLoaded", keepFragments);
}

findRoot();
