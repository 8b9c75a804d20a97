/**
 * A long sidebar is divided: groups far from the page are fetched when they are opened. They are scripts, because a
 * page opened from a disk may load nothing else.
 */

declare global {
  interface Window {
    __docsteadNav?: (html: string) => void;
  }
}

let whole: Promise<DocumentFragment> | undefined;

export function completeSidebar(): void {
  const nav = document.querySelector<HTMLElement>("nav[data-whole]");
  if (!nav) return;
  nav.addEventListener(
    "toggle",
    (event) => {
      const group = event.target as HTMLDetailsElement;
      if (group.open && group.matches("[data-group][data-more]")) void complete(nav, group);
    },
    true,
  );
  nav.addEventListener("click", (event) => {
    const more = (event.target as Element).closest<HTMLAnchorElement>("a[data-more]");
    const group = more?.closest<HTMLElement>("[data-group]");
    if (!more || !group || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void complete(nav, group).then(() => focusLink(group, more.href));
  });
}

async function complete(nav: HTMLElement, group: HTMLElement): Promise<void> {
  whole ??= load(new URL(nav.dataset.whole!, document.baseURI).href);
  const parts = await whole.catch(() => (whole = undefined)); // the part stays as it is
  const full = parts?.querySelector(`[data-group="${group.dataset.group}"] > ul`);
  if (!full) return;
  group.removeAttribute("data-more");
  group.querySelector(":scope > ul")?.replaceWith(full.cloneNode(true));
  for (const link of group.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    if (link.href.split("#")[0] === location.href.split("#")[0]) {
      link.setAttribute("aria-current", "page");
      for (let up = link.closest("details"); up && up !== group; up = up.parentElement!.closest("details")) up.open = true;
    }
  }
}

/** Focus the link that replaces the one that was activated. */
function focusLink(group: HTMLElement, href: string): void {
  const links = [...group.querySelectorAll<HTMLAnchorElement>("a[href]")];
  links.find((link) => link.href === href)?.focus({ preventScroll: true });
}

function load(url: string): Promise<DocumentFragment> {
  return new Promise((resolve, reject) => {
    window.__docsteadNav = (html) => {
      const template = document.createElement("template");
      template.innerHTML = html;
      const root = url.slice(0, url.lastIndexOf("_docs/"));
      for (const link of template.content.querySelectorAll("a[href^='~/']")) {
        link.setAttribute("href", root + link.getAttribute("href")!.slice(2));
      }
      resolve(template.content);
    };
    const script = document.createElement("script");
    script.src = url;
    script.onerror = () => reject(new Error("the sidebar cannot be loaded"));
    document.head.append(script);
  });
}
