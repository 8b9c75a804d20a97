/** Addresses of the parts of a page that are not headings: tabs, steps, accordions, fields. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { slug } from "../slug";

/** Hands each id of a page out once; the second claim of `setup` becomes `setup-2`. */
export interface AnchorRegistry {
  claim(wanted: string): string;
}

export const Anchors = createContext<AnchorRegistry | null>(null);

/** The anchor of a part: the author's id, or one made from its title. */
export function useAnchor(title: string, id?: unknown): string | undefined {
  const anchors = useContext(Anchors);
  const wanted = id ? String(id) : slug(title);
  if (!wanted) return undefined;
  return anchors ? anchors.claim(wanted) : wanted;
}
