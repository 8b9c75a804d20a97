/** If an author's component throws, a note replaces it, and the rest of the page is rendered. */
import type { ComponentChildren, ComponentType } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { messageOf } from "../diagnostics";
import { useIsland } from "./island";
import { Page } from "./scope";

type Props = Record<string, unknown> & { children?: ComponentChildren };

const trusted = new WeakSet<object>();
const wrappers = new WeakMap<object, ComponentType<any>>();

/** Ours need no boundary, and are recognized by those that look at their children's types. */
export function trust(components: Record<string, unknown>): void {
  for (const component of Object.values(components)) {
    if (component && typeof component === "object") trust(component as Record<string, unknown>);
    if (typeof component !== "function") continue;
    trusted.add(component);
    trust({ ...component } as Record<string, unknown>);
  }
}

export function guarded(component: ComponentType<any>): ComponentType<any> {
  if (trusted.has(component) || isClass(component)) return component;
  let wrapper = wrappers.get(component);
  if (!wrapper) {
    wrapper = withBoundary(component as (props: Props) => ComponentChildren);
    wrappers.set(component, wrapper);
  }
  return wrapper;
}

function isClass(component: ComponentType<any>): boolean {
  return Boolean(component.prototype?.render);
}

function withBoundary(component: (props: Props) => ComponentChildren): ComponentType<any> {
  // A context's provider keeps its children's context on `this`.
  return function Guarded(this: unknown, props: Props) {
    const page = useContext(Page);
    const island = useIsland(component, props);
    if (island) return island.render(wrappers.get(component) as ComponentType<any>, props);
    try {
      return component.call(this, props);
    } catch (error) {
      // A stack that is too deep is not only this component's.
      if (!page || error instanceof RangeError) throw error;
      const name = component.name || "a component";
      const hint = `fix ${name}; the rest of the page is shown`;
      page.warn("component-error", `${name} failed: ${messageOf(error)}`, component.name, hint);
      return jsx("div", {
        class: "ds-missing",
        "data-component": name,
        children: props.children,
      } as never);
    }
  } as ComponentType<any>;
}
