/**
 * Brings the islands of a page to life. Loaded, before the page's own script of islands, only
 * by pages that have some; where it fails the page shows what was rendered for it.
 */
import "preact/compat";
import { Fragment, h, hydrate, render, type ComponentType } from "preact";
import { jsx } from "preact/jsx-runtime";
import { authorScope, react } from "../src/names";
import { drawings, InIsland } from "../src/runtime/inner";
import { resolveLinks } from "./islands/links";
import type { Island } from "../src/runtime/island";
import { slotNames, type Entry } from "../src/runtime/slots";

type Exports = Record<string, unknown>;
type File = [Record<string, string>, (require: Require, exports: Exports, scope: Exports) => void];
type Require = (specifier: string) => unknown;

const RUNTIME = { jsx, jsxs: jsx, jsxDEV: jsx, Fragment };
const PACKAGES = /^(?:react|react-dom|preact(?:\/(?:hooks|compat))?)$/;

class Files {
  private readonly loaded = new Map<string, Exports>();
  private readonly scope = authorScope();

  constructor(private readonly files: Readonly<Record<string, File>>) {}

  exports(path: string): Exports {
    const known = this.loaded.get(path);
    if (known) return known;
    const exports: Exports = {};
    this.loaded.set(path, exports);
    const file = this.files[path];
    if (file) file[1]((specifier) => this.require(file[0], specifier), exports, this.scope);
    return exports;
  }

  private require(paths: Record<string, string>, specifier: string): unknown {
    if (specifier === "#runtime/jsx-runtime") return RUNTIME;
    if (PACKAGES.test(specifier)) return react;
    return this.exports(paths[specifier] ?? specifier);
  }
}

/** The islands of a page, each started once its element is in the page. */
class Islands {
  constructor(
    private readonly files: Files,
    private readonly islands: readonly Island[],
  ) {}

  /** Start the islands in an element that have not been started. Some arrive later, in a slot. */
  wakeWithin(root: ParentNode): void {
    for (const host of root.querySelectorAll<HTMLElement>("ds-island[data-n]:not([data-alive])")) {
      const island = this.islands[Number(host.dataset.n)];
      if (!island || !host.isConnected) continue;
      host.dataset.alive = "";
      try {
        this.wake(island, host);
      } catch (error) {
        console.warn(`${island.name} could not be started:`, error);
      }
    }
  }

  private wake(island: Island, host: HTMLElement): void {
    const component = this.files.exports(island.module)[island.name] as ComponentType | undefined;
    if (!component) return;
    const slots = island.slots.map((name) => [name, this.slot(host, name)] as const);
    const lists = Object.entries(island.lists ?? {}).map(
      ([name, entries]) => [name, entries.map((entry, index) => this.child(host, name, entry, index))] as const,
    );
    const props = { ...island.props, ...Object.fromEntries(slots), ...Object.fromEntries(lists) };
    const inner = h(component, props);
    const whole = h(InIsland.Provider, { value: true, children: inner } as never);
    // A component that failed without a browser is rendered from the start here.
    if (host.querySelector(".ds-missing")) {
      host.replaceChildren();
      render(whole, host);
    } else {
      hydrate(whole, host);
    }
  }

  /** An element with the props that its author gave it, showing what was rendered for it. */
  private child(host: HTMLElement, list: string, entry: Entry, index: number) {
    if (entry === null || typeof entry !== "object") return entry;
    const [whole, inner] = slotNames(list, index).map((name) => this.slot(host, name));
    const Whole = () => whole!;
    const Inner = () => inner!;
    return h(Whole as never, { ...entry, key: index, children: h(Inner as never, {}) } as never);
  }

  private slot(host: HTMLElement, name: string) {
    const shown = host.querySelector(`ds-slot[data-name="${name}"]`);
    const kept = document.querySelector(
      `template[data-island="${host.dataset.n}"][data-name="${name}"]`,
    );
    const html = (shown ?? kept)?.innerHTML ?? "";
    const ref = (element: HTMLElement | null) => element && this.wakeWithin(element);
    return h("ds-slot", { "data-name": name, dangerouslySetInnerHTML: { __html: html }, ref } as never);
  }
}

/** Icons and code, which only Python renders, by name and as they are before scripts change them. */
function drawingsByName(): Map<string, string> {
  const marks = document.querySelectorAll<HTMLElement>("ds-drawing");
  return new Map([...marks].map((mark) => [mark.dataset.name ?? "", still(mark)]));
}

function still(mark: HTMLElement): string {
  const copy = mark.cloneNode(true) as HTMLElement;
  for (const each of copy.querySelectorAll(".ds-copy")) each.remove();
  for (const each of copy.querySelectorAll("[data-ready]")) each.removeAttribute("data-ready");
  return copy.innerHTML;
}

resolveLinks(document.currentScript as HTMLScriptElement | null);

function start(files: Record<string, File>, islands: readonly Island[]): void {
  drawings.byName = drawingsByName();
  new Islands(new Files(files), islands).wakeWithin(document);
}

// Components of sites read the library as a global, too.
Object.assign(globalThis, { docsteadIslands: start, React: react });
