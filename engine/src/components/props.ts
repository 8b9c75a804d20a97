/**
 * Reading props as authors write them: booleans as "true", numbers as "2",
 * `class` and `className`, styles as objects or as CSS text.
 */
import type { ComponentChildren, CSSProperties } from "preact";

export interface BaseProps {
  children?: ComponentChildren;
  className?: string;
  class?: string;
  style?: CSSProperties | string;
  id?: string;
}

export interface IconProps {
  icon?: ComponentChildren;
  iconType?: string;
  iconLibrary?: string;
  color?: string;
}

/** `flag`, `flag={true}`, `flag="true"` and `flag=""` are true; `flag="false"` is not. */
export function flag(value: unknown, fallback = false): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "string") return Boolean(value);
  return !["false", "no", "off", "0"].includes(value.trim().toLowerCase());
}

/** The whole number meant by `2`, `"2"` or `"2px"`, or undefined. */
export function integer(value: unknown): number | undefined {
  const number = typeof value === "number" ? value : Number.parseInt(String(value ?? ""), 10);
  return Number.isFinite(number) ? Math.trunc(number) : undefined;
}

export function between(value: unknown, low: number, high: number, fallback: number): number {
  return Math.min(high, Math.max(low, integer(value) ?? fallback));
}

/** The value when it is one of those allowed, compared without regard to case. */
export function oneOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  const requested = String(value ?? "")
    .trim()
    .toLowerCase();
  return allowed.find((each) => each === requested) ?? fallback;
}

/** A list from an array, a single value, or comma-separated text. */
export function list(value: unknown): string[] {
  if (value === undefined || value === null || value === false) return [];
  const items = Array.isArray(value) ? value : String(value).split(",");
  return items.map((item) => String(item).trim()).filter(Boolean);
}

/** The bare names that a site's own style sheet may select; others are too common. */
const HOOKS = new Set([
  "accordion",
  "accordion-group",
  "callout",
  "card",
  "code-block",
  "code-group",
  "color",
  "color-item",
  "color-row",
  "columns",
  "expandable",
  "field",
  "frame",
  "panel",
  "prompt",
  "step",
  "steps",
  "tabs",
  "tile",
  "tree",
  "tree-file",
  "update",
]);

/** Class names of a component's outermost element. */
export function classes(name: string, props: BaseProps): string {
  let all = HOOKS.has(name) ? `ds-${name} ${name}` : `ds-${name}`;
  for (const own of [props.className, props.class]) if (own) all += ` ${own}`;
  return all;
}

/** A component's style with a variable that style sheets of sites may read. */
export function withVariable(style: BaseProps["style"], name: string, value: string | number) {
  if (typeof style === "string") return `${name}:${value};${style}`;
  return { [name]: String(value), ...style } as BaseProps["style"];
}

/** Class and style of a component's outermost element. */
export function frame(name: string, props: BaseProps) {
  return { class: classes(name, props), style: props.style };
}
