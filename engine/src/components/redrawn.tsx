/** Icons and code within an island. Only Python renders them, and the browser shows them again. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { drawings, InIsland } from "../runtime/inner";

/** `mark` is its placeholder elsewhere, and if the browser has no drawing of that name. */
export function Redrawn({ name, mark }: { name: string; mark: ComponentChildren }) {
  if (!useContext(InIsland)) return mark as never;
  const known = drawings.byName?.get(name);
  const inner = known === undefined ? { children: mark } : { dangerouslySetInnerHTML: { __html: known } };
  return jsx("ds-drawing" as "span", { "data-name": name, ...inner } as never);
}
