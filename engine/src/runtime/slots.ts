/** Slots: elements of an island that stand for HTML which was rendered before. */
import { jsx } from "preact/jsx-runtime";

/** The plain props of an element, or a child that is no element. */
export type Entry = Record<string, unknown> | string | number | null;

/** Names of the slots of an element: the whole of it, and what it holds. */
export function slotNames(list: string, index: number): [whole: string, inner: string] {
  return [`${list}.${index}`, `${list}.${index}.inner`];
}

export function slot(name: string, html: string) {
  return jsx("ds-slot" as "div", {
    "data-name": name,
    dangerouslySetInnerHTML: { __html: html },
  } as never);
}
