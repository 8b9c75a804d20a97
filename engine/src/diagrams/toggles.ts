/** One drawing made of two: differences between the light and the dark one follow the page. */
import { declarations, Unsupported, type Element } from "./dom";

const COLORS = new Set(["color", "fill", "flood-color", "opacity", "fill-opacity", "stop-color", "stroke", "stroke-opacity", "stroke-width"]);

/**
 * Give `light` the values of both drawings. The style sheet makes one of `--ds-light` and
 * `--ds-dark` invalid, which gives its fallback, and the other one empty.
 */
export function mergeThemes(light: Element, dark: Element): void {
  const names = new Map<string, string>();
  const both = (one: string, other: string): string => {
    const value = `var(--ds-light,${one}) var(--ds-dark,${other})`;
    const name = names.get(value) ?? `--ds-${names.size}`;
    names.set(value, name);
    return `var(${name})`;
  };
  merge(light, dark, both);
  for (const [value, name] of names) light.style.setProperty(name, value);
}

type Both = (light: string, dark: string) => string;

function merge(light: Element, dark: Element, both: Both): void {
  if (light.localName !== dark.localName || light.childNodes.length !== dark.childNodes.length) {
    throw new Unsupported("themes that differ in more than colours");
  }
  for (const name of new Set([...light.attributes.keys(), ...dark.attributes.keys()])) {
    const [one, other] = [light.getAttribute(name), dark.getAttribute(name)];
    if (one === other) continue;
    if (name === "style") mergeStyles(light, dark, both);
    else if (COLORS.has(name)) light.setAttribute(name, both(one ?? "inherit", other ?? "inherit"));
  }
  light.children.forEach((child, at) => merge(child, dark.children[at]!, both));
}

function mergeStyles(light: Element, dark: Element, both: Both): void {
  const [ones, others] = [declarations(light), declarations(dark)];
  for (const name of new Set([...ones.keys(), ...others.keys()])) {
    const [one, other] = [ones.get(name), others.get(name)];
    if (one !== other && COLORS.has(name)) light.style.setProperty(name, both(one ?? "inherit", other ?? "inherit"));
  }
}
