/** Anchors of the parts of a page that are not headings: tabs, steps, accordions, fields. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { hasDoubledIds, withoutDoubledIds } from "../ids";
import { replaceEach } from "../patterns";
import { slug } from "../slug";

/** Issues each id of a page once; the second claim of `setup` becomes `setup-2`. */
export interface AnchorRegistry {
  claim(requested: string): string;
}

export const Anchors = createContext<AnchorRegistry | null>(null);

/** The anchor of a part: the author's id, or one made from its title. */
export function useAnchor(title: string, id?: unknown): string | undefined {
  return useAnchors()(title, id);
}

/** Return a function that claims anchors, for components with several parts. */
export function useAnchors(): (title: string, id?: unknown) => string | undefined {
  const anchors = useContext(Anchors);
  return (title, id) => {
    const requested = id ? String(id) : slug(title);
    return requested && anchors ? anchors.claim(requested) : requested || undefined;
  };
}

const MARK = "\ue001";
const MARKED = new RegExp(`${MARK}(\\d+)${MARK}`, "g");
const ESCAPED = /[&<>"]/g;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Headings have priority over parts: a tab with the name of a later heading may not take the id to which links to
 * the heading point. So parts get marks while the page is rendered, and their ids
 * when all headings have theirs.
 */
export class PartAnchors implements AnchorRegistry {
  private readonly requested: string[] = [];

  claim(requested: string): string {
    this.requested.push(requested);
    return MARK + (this.requested.length - 1) + MARK;
  }

  /** Return the HTML with all ids, each once; `headings` are those of headings. */
  resolve(html: string, anchors: AnchorRegistry, headings: readonly string[] = []): string {
    const ids = this.requested.map((requested) => escaped(anchors.claim(requested)));
    const fill = (marked: string) => replaceEach(marked, MARKED, (_, index) => ids[Number(index)] ?? "");
    const filled = fill(html);
    return hasDoubledIds(filled) ? fill(withoutDoubledIds(html, new Set([...ids, ...headings]))) : filled;
  }
}

function escaped(text: string): string {
  return replaceEach(text, ESCAPED, (character) => ESCAPES[character]);
}
