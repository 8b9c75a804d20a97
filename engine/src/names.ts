/** Names that authors use in their scripts without importing them. */
import * as compat from "preact/compat";
import * as hooks from "preact/hooks";
import { components } from "./components/index";

/** The library under its usual name, without the hooks into how all pages are rendered. */
const { options: _, ...known } = compat as Record<string, unknown>;
export const react = Object.freeze({ ...known, default: Object.freeze(known), __esModule: true });

/** Hooks, our components, and `user`, which is empty for a reader who is not signed in. */
export function authorScope(more: Record<string, unknown> = {}): Record<string, unknown> {
  const all = { ...hooks, ...components, ...more, React: react, Fragment: compat.Fragment, user: {} };
  return Object.fromEntries(Object.entries(all).filter(([name]) => /^use|^[A-Z]|^user$/.test(name)));
}

export function scopeNames(): string[] {
  return Object.keys(authorScope()).sort();
}
