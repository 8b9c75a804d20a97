/** Placeholder of an undefined component: its name and its children. */
import { type ComponentChildren, type ComponentType, toChildArray } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { Page, type PageScope } from "./scope";

interface Props {
  children?: ComponentChildren;
}

const placeholders = new Map<string, ComponentType<Props>>();
const names = new WeakMap<object, string>();

export function unknownComponent(name: string): ComponentType<Props> {
  let placeholder = placeholders.get(name);
  if (!placeholder) {
    placeholder = make(name);
    placeholders.set(name, placeholder);
    names.set(placeholder, name);
  }
  return placeholder;
}

/** Placeholder of a missing file or package, which is reported at its import. */
export function missingComponent(name: string): ComponentType<Props> {
  return ({ children }) => missing(name, children);
}

/** Reports values that nobody defined: `{Name}` where `Name` is no export of its file. */
export function warnOfUnknown(values: ComponentChildren, page: PageScope): void {
  for (const value of toChildArray(values)) {
    const name = typeof value === "function" ? names.get(value) : undefined;
    if (name) page.warn("unknown-component", `${name} is not defined`, name, "Import it, or correct its name.");
  }
}

/** Frozen, because pages share it. */
function make(name: string): ComponentType<Props> {
  return Object.freeze(function Unknown({ children }: Props) {
    const page = useContext(Page);
    const message = name ? `there is no component <${name}>` : "a component is not defined";
    page?.warn("unknown-component", message, name, "Import it, or correct its name.");
    return missing(name, children);
  });
}

/** The box around the children of an undefined component. */
export function missing(name: string, children: ComponentChildren) {
  return jsx("div", {
    class: "ds-missing",
    "data-component": name || undefined,
    children: [label(name), children],
  } as never);
}

function label(name: string) {
  return jsx("code", { class: "ds-missing-name", children: name ? `<${name}>` : "?" } as never);
}
