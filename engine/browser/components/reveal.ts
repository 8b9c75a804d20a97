/** Makes an element visible that is in closed details, an unselected tab or view. */

const REVEAL = "ds:reveal";

export function reveal(element: Element): void {
  for (let node: Element | null = element; node; node = node.parentElement) {
    if (node instanceof HTMLDetailsElement) node.open = true;
    node.dispatchEvent(new CustomEvent(REVEAL));
  }
}

/** Run `show` when something in `element` has to be visible, for a link or the browser's search. */
export function onReveal(element: HTMLElement, show: () => void): void {
  element.addEventListener(REVEAL, show);
  element.addEventListener("beforematch", show);
}

/** Hides an element from all but the browser's own search, where the browser can do that. */
export function hide(element: HTMLElement, hidden: boolean): void {
  if (!hidden) element.removeAttribute("hidden");
  else element.setAttribute("hidden", "onbeforematch" in element ? "until-found" : "");
}

export function followHash(): void {
  showTarget();
  window.addEventListener("hashchange", showTarget);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) showTarget();
  });
}

function showTarget(): void {
  const fragment = decoded(location.hash.slice(1));
  const target = document.getElementById(fragment) ?? innermost(fragment) ?? spelledLike(fragment);
  if (!target) return;
  reveal(target);
  target.scrollIntoView();
}

/** The last of several elements, each within the one before it: `#outer:inner`. */
function innermost(path: string): Element | null {
  const ids = path.split(":").map((id) => `[id="${CSS.escape(id)}"]`);
  return document.querySelector(ids.join(" "));
}

/** Links made for other site generators have characters that our ids lack. */
function spelledLike(fragment: string): Element | undefined {
  const name = spelled(fragment);
  if (!name) return undefined;
  return [...document.querySelectorAll("main [id]")].find((each) => spelled(each.id) === name);
}

function spelled(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
