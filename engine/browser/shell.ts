/**
 * The behaviour of the shell. It stands in the head and runs at once, so that a page never
 * shows in the wrong theme; what needs the page waits for it. Nothing here is necessary:
 * without scripts the system's theme, menus, drawer and contents work all the same.
 */

import { isOpen, requestPanel } from "./assistant/loading";
import { make } from "./components/dom";
import { sayFailure } from "./components/failure-note";
import { translated } from "./components/language";
import { read, write } from "./components/storage";
import { leadToLanguage } from "./shell/languages";
import { tameMenus } from "./shell/menus";
import { completeSidebar } from "./shell/sidebar";

type Theme = "system" | "light" | "dark";

const THEME = "ds-theme";
const BANNER = "ds-banner";
const WIDE = "(min-width: 80rem)";
const searchWord = /* @__PURE__ */ translated("search", { failed: "The search index could not be loaded." });

const page = document.documentElement;
const preset = page.dataset.theme as Theme | undefined;
const darkSystem = matchMedia("(prefers-color-scheme: dark)");

let theme: Theme = preset ?? "system";

function showTheme(): void {
  const shown = theme === "system" ? (darkSystem.matches ? "dark" : "light") : theme;
  page.dataset.theme = shown;
  page.classList.toggle("dark", shown === "dark"); // style sheets of the site may ask for it
  page.classList.toggle("light", shown === "light");
  for (const button of document.querySelectorAll<HTMLElement>("[data-set-theme]")) {
    button.setAttribute("aria-pressed", String(button.dataset.setTheme === theme));
  }
}

function startTheme(): void {
  if (!("themeFixed" in page.dataset)) theme = (read("local", THEME) as Theme | null) ?? theme;
  darkSystem.addEventListener("change", showTheme);
  showTheme();
}

/** Wide screens show three buttons; small ones only the chosen one, which then steps on. */
function offerThemes(): void {
  const group = document.querySelector<HTMLElement>(".ds-theme");
  if (!group) return;
  const buttons = [...group.querySelectorAll<HTMLElement>("button")];
  const seen = (button: HTMLElement) => button.offsetParent !== null;
  buttons.forEach((button, index) =>
    button.addEventListener("click", () => {
      const isSingle = buttons.filter(seen).length === 1;
      const next = isSingle ? buttons[(index + 1) % buttons.length]! : button;
      theme = next.dataset.setTheme as Theme;
      write("local", THEME, theme);
      showTheme();
      if (isSingle) next.focus();
    }),
  );
  showTheme();
}

function hideClosedBanner(): void {
  const id = page.dataset.bannerId;
  if (id && read("local", BANNER) === id) page.dataset.bannerClosed = "";
}

function offerBannerClose(): void {
  const button = document.querySelector<HTMLElement>("[data-banner-close]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    page.dataset.bannerClosed = "";
    write("local", BANNER, page.dataset.bannerId ?? "");
  });
}

/** Links of the bar that do not fit into its one line scroll there when they are reached. */
function keepFirstLinks(): void {
  const links = document.querySelector(".ds-navbar-links");
  links?.addEventListener("focusout", () => (links.scrollTop = 0));
}

/** The current entry of a long sidebar, and the current tab of a narrow bar, in sight. */
function showCurrent(): void {
  const sidebar = document.querySelector<HTMLElement>(".ds-sidebar");
  const entry = sidebar?.querySelector<HTMLElement>('[aria-current="page"]');
  if (sidebar && entry) {
    const center = () => {
      const box = sidebar.getBoundingClientRect();
      const own = entry.getBoundingClientRect();
      if (own.bottom > box.bottom - 48 || own.top < box.top) {
        sidebar.scrollTop += own.top - box.top - box.height / 3;
      }
    };
    center();
    sidebar.addEventListener("toggle", center);
  }
  const bar = document.querySelector<HTMLElement>(".ds-tabs-bar > ul");
  const tab = bar?.querySelector<HTMLElement>("[aria-current]");
  if (bar && tab && tab.offsetLeft + tab.offsetWidth > bar.clientWidth) {
    bar.scrollLeft = tab.offsetLeft - bar.clientWidth / 3;
  }
}

/** Wide screens close the drawer; on narrow ones, style sheets of sites select tabs by another name. */
function followWidth(): void {
  const sidebar = document.querySelector<HTMLElement>(".ds-sidebar");
  const tabs = document.querySelectorAll(".nav-tabs-item");
  const wide = matchMedia("(min-width: 64rem)");
  const follow = () => {
    if (wide.matches && sidebar?.matches(":popover-open")) sidebar.hidePopover();
    for (const tab of tabs) tab.classList.toggle("mobile-nav-tabs-item", !wide.matches);
  };
  wide.addEventListener("change", follow);
  follow();
}

/** The list of contents covers much of a phone's screen: it closes when the reader scrolls on. */
function closeContentsOnScroll(): void {
  const contents = document.querySelector<HTMLDetailsElement>(".ds-contents-inline");
  const list = contents?.querySelector("ul");
  if (!contents || !list) return;
  let opened = 0;
  contents.addEventListener("toggle", () => (opened = window.scrollY));
  addEventListener(
    "scroll",
    () => {
      const isRead = list.matches(":focus-within"); // the keyboard scrolls the page, too
      if (contents.open && !isRead && Math.abs(window.scrollY - opened) > window.innerHeight / 8) contents.open = false;
    },
    { passive: true },
  );
}

/** Marks the heading that was jumped to, or the one that is being read: the last above the upper third of the window. */
function followHeadings(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".ds-contents li a")];
  const parts = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });
  if (parts.length === 0) return;
  const now = make("span", { class: "ds-contents-now", "aria-hidden": "true" });
  document.querySelector(".ds-contents-inline > summary > span")?.after(now);
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    const line = window.innerHeight / 3;
    const atEnd = window.innerHeight + window.scrollY >= page.scrollHeight - 2;
    const passed = parts.filter(({ heading }) => heading.getBoundingClientRect().top < line);
    const atStart = window.scrollY <= 0 && !location.hash;
    const last = atStart ? undefined : passed.at(-1);
    const target = parts.find(({ link, heading }) => {
      const { top } = heading.getBoundingClientRect();
      return link.hash === location.hash && top >= 0 && top < (atEnd ? window.innerHeight : line);
    });
    const chosen = target ?? (atEnd && window.scrollY > 0 ? parts.at(-1) : (last ?? parts[0]));
    now.textContent = window.scrollY > 0 && passed.length > 0 ? chosen!.link.textContent : "";
    if (chosen?.link === current) return;
    current?.removeAttribute("aria-current");
    current = chosen?.link;
    current?.setAttribute("aria-current", "location");
    current?.scrollIntoView({ block: "nearest" });
  };
  let waiting = false;
  addEventListener(
    "scroll",
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    },
    { passive: true },
  );
  addEventListener("hashchange", mark);
  mark();
}

/** Move panels and examples to the right of the page if there is space, else into it. */
function moveAside(): void {
  const inner = document.querySelector<HTMLElement>(".ds-has-aside .ds-aside-inner");
  const parts = [...document.querySelectorAll<HTMLElement>(".ds-content [data-ds-panel], .ds-content [data-ds-example]")];
  if (!inner || parts.length === 0) return;
  const contents = [...inner.children].filter((child) => !child.matches(".ds-page-links")) as HTMLElement[];
  const markers = parts.map((part) => {
    const marker = document.createComment("");
    part.before(marker);
    return marker;
  });
  const wide = matchMedia(WIDE);
  const move = () => {
    if (wide.matches) inner.prepend(...parts);
    else parts.forEach((part, index) => markers[index]!.after(part));
    for (const element of contents) element.hidden = wide.matches;
  };
  wide.addEventListener("change", move);
  move();
}

/** The script of the search is loaded when it is first requested. Keys pressed until then go into its field. */
function offerSearch(): void {
  const button = document.querySelector<HTMLElement>("[data-search]");
  if (!button) return;
  const apple = /Mac|iPhone|iPad/.test(navigator.platform);
  if (apple) button.querySelector("kbd")!.dataset.keys = "⌘K";
  let script: HTMLScriptElement | undefined;
  let isReady = false;
  const buttons = [button, ...document.querySelectorAll("#search-bar-entry-mobile, [data-open-search]")];
  const fail = () => {
    script = undefined; // the next click tries again
    if (button.dataset.requested === undefined) return;
    delete button.dataset.requested;
    sayFailure(searchWord("failed"), buttons.find((each) => each.checkVisibility()));
  };
  const load = () => {
    if (script) return document.dispatchEvent(new Event("docstead:search"));
    script = document.createElement("script");
    script.src = button.dataset.search!;
    script.onload = () => (isReady = true);
    script.onerror = fail;
    return document.head.append(script);
  };
  const open = () => {
    button.dataset.requested ??= "";
    load();
  };
  if (document.querySelector("[data-near]")) load(); // the page of unknown URLs asks by itself
  for (const each of buttons) each.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const field = (event.target as Element).closest("input, textarea, select, [contenteditable]");
    const combined = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
    const isText = event.key.length === 1 && !field && !event.ctrlKey && !event.metaKey && !event.altKey;
    const typed = button.dataset.requested;
    if (isText && script && !isReady && typed !== undefined) button.dataset.requested = typed + event.key;
    else if (combined || (isText && event.key === "/")) open();
    else return;
    event.preventDefault();
  });
}

/**
 * Fonts are optional. Browsers wait a moment with the first paint for those that a script loads:
 * those of texts, and the one of code where the page has some.
 */
function loadFonts(): void {
  const style = getComputedStyle(page);
  for (const name of ["sans", "heading", ..."code" in page.dataset ? ["mono"] : []]) {
    const families = style.getPropertyValue(`--ds-font-${name}`);
    for (const weight of families ? ["400", "600"] : []) {
      void document.fonts.load(`${weight} 1em ${families}`).catch(() => undefined);
    }
  }
}

const { languages, panel } = (document.currentScript as HTMLScriptElement | null)?.dataset ?? {};

leadToLanguage(languages);
if (panel && isOpen()) requestPanel(panel);
page.dataset.scripts = ""; // what needs scripts shows from the start, without moving the page
loadFonts();
startTheme();
hideClosedBanner();
document.addEventListener("DOMContentLoaded", () => {
  offerThemes();
  offerBannerClose();
  tameMenus();
  keepFirstLinks();
  offerSearch();
  moveAside();
  completeSidebar();
  showCurrent();
  followWidth();
  followHeadings();
  closeContentsOnScroll();
});
