/**
 * Authors' components with state or events of their own: rendered here like any other, and
 * then brought to life in the browser, each as an island in a page that needs no script.
 *
 * What an author hands to such a component as children, or as an element in another prop, is
 * rendered once and travels as HTML: in the browser it is a slot, whose inside nobody touches.
 * Components among several children keep their plain props, which authors read (`list.ts`).
 */
import { isValidElement, type ComponentChildren, type ComponentType, type Context } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import { Anchors } from "../components/anchors";
import { Numbers } from "../components/numbers";
import { InIsland } from "./inner";
import { isList, List } from "./list";
import { Page, SnippetProps, type PageScope } from "./scope";
import { slot, type Entry } from "./slots";

type Props = Record<string, unknown>;

/** Location from which a component can be imported again. */
export interface Origin {
  module: string; // root-absolute path of its file
  name: string; // under which that exports it
}

/** An island of a page, as the browser receives it. */
export interface Island extends Origin {
  props: Props;
  slots: string[]; // names of props that are slots
  lists?: Record<string, Entry[]>; // props that are several elements, each a slot of its own
}

const ALIVE = /\buse[A-Z]\w*\s*\(|\bon[A-Z]\w*\s*[:=]/;

const origins = new WeakMap<object, Origin>();

/** Whether code uses hooks or handles events. */
export function isAlive(code: string): boolean {
  return ALIVE.test(code);
}

/**
 * Notes which exports of an evaluated file have a life of their own: all of them where the
 * whole file has, whose other functions they may use; by the code of each where that is unknown.
 */
export function noteOrigins(module: string, exports: Props, wholeFile?: boolean): void {
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value !== "function" || name === "default") continue;
    if (wholeFile ?? isAlive(String(value))) origins.set(value, { module, name });
  }
}

/** The component as an island, where it is one and what it was given can travel. */
export function useIsland(component: object, props: Props): Pending | null {
  const page = useContext(Page);
  const within = useContext(InIsland);
  const contexts: [Context<any>, unknown][] = [
    [Page, page],
    [Anchors, useContext(Anchors)],
    [Numbers, useContext(Numbers)],
    [SnippetProps, useContext(SnippetProps)],
  ];
  const origin = origins.get(component);
  if (!page || within || !origin || !canTravel(props)) return null;
  return new Pending(page, origin, (children) =>
    contexts.reduce(
      (inner, [context, value]) => jsx(context.Provider, { value, children: inner }),
      children,
    ),
  );
}

function canTravel(props: Props): boolean {
  return Object.values(props).every(
    (value) => isMarkup(value) || (typeof value !== "function" && isPlain(value)),
  );
}

function isPlain(value: unknown): boolean {
  try {
    return value === undefined || JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function isMarkup(value: unknown): boolean {
  return isValidElement(value) || (Array.isArray(value) && value.some(isMarkup));
}

/** An island that is about to be rendered. */
export class Pending {
  constructor(
    private readonly page: PageScope,
    private readonly origin: Origin,
    private readonly around: (children: ComponentChildren) => ComponentChildren,
  ) {}

  render(component: ComponentType<any>, given: Props): ComponentChildren {
    const number = this.page.islands.length;
    const island: Island = { ...this.origin, props: {}, slots: [] };
    this.page.islands.push(island);
    const props: Props = {};
    const rendered: Record<string, string> = {};
    const lists: List[] = [];
    for (const [name, value] of Object.entries(given)) {
      if (!isMarkup(value)) {
        props[name] = island.props[name] = value;
        continue;
      }
      if (isList(value)) {
        const list = new List(name, value, (children) => this.html(children));
        (island.lists ??= {})[name] = list.entries;
        lists.push(list);
        props[name] = list.children;
        continue;
      }
      const html = (rendered[name] = this.html(value as ComponentChildren));
      island.slots.push(name);
      props[name] = slot(name, html);
    }
    const inner = jsx(component as never, props as never);
    const html = this.html(jsx(InIsland.Provider as never, { value: true, children: inner } as never));
    for (const list of lists) Object.assign(rendered, list.rendered());
    return [
      jsx("ds-island" as "div", { "data-n": number, dangerouslySetInnerHTML: { __html: html } } as never),
      ...Object.keys(rendered)
        .filter((name) => !html.includes(`<ds-slot data-name="${name}"`))
        .map((name) => kept(number, name, rendered[name])),
    ] as never;
  }

  private html(children: ComponentChildren): string {
    return renderToString(this.around(children) as never);
  }
}

/** Return children that the component does not show yet, as a template. */
function kept(number: number, name: string, html: string) {
  return jsx("template", {
    "data-island": number,
    "data-name": name,
    dangerouslySetInnerHTML: { __html: html },
  } as never);
}
