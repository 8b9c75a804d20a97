/** What authors use in their scripts without importing it. */
import * as compat from "preact/compat";
import * as hooks from "preact/hooks";
import { components } from "./components/index";

/** Hooks, our components, and `user`, which is empty for a reader who is not signed in. */
export function authorScope(more: Record<string, unknown> = {}): Record<string, unknown> {
  const all = { ...hooks, ...components, ...more, React: compat, Fragment: compat.Fragment, user: {} };
  return Object.fromEntries(Object.entries(all).filter(([name]) => /^use|^[A-Z]|^user$/.test(name)));
}

export function scopeNames(): string[] {
  return Object.keys(authorScope()).sort();
}
