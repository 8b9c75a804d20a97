/** What stands in the page for a component that nobody defined: its name and its children. */
import type { ComponentChildren, ComponentType } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { Page } from "./scope";

interface Props {
  children?: ComponentChildren;
}

const placeholders = new Map<string, ComponentType<Props>>();

export function unknownComponent(name: string): ComponentType<Props> {
  let placeholder = placeholders.get(name);
  if (!placeholder) {
    placeholder = make(name);
    placeholders.set(name, placeholder);
  }
  return placeholder;
}

/** Of a file or package that is missing, which has been told where it is imported. */
export function missingComponent(name: string): ComponentType<Props> {
  return ({ children }) => missing(name, children);
}

/** Frozen, because pages share it. */
function make(name: string): ComponentType<Props> {
  return Object.freeze(function Unknown({ children }: Props) {
    const page = useContext(Page);
    const message = name ? `there is no component <${name}>` : "a component is not defined";
    page?.warn("unknown-component", message, name, "import it, or correct its name");
    return missing(name, children);
  });
}

/** The box around what is left of a component. */
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
