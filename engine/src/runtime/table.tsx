/** A table in a box that scrolls, so that it can be as wide as its column. */
import type { ComponentChildren } from "preact";
import { jsx } from "preact/jsx-runtime";

type Props = Record<string, unknown> & { children?: ComponentChildren };

/** A table with a class or a style of its author's has the author's layout, and no box. */
export function Table(props: Props) {
  const table = jsx("table", props as never);
  if (props.className ?? props.class ?? props.style) return table;
  return jsx("div", { class: "ds-table", children: table } as never);
}
