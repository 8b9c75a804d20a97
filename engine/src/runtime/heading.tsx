/** Headings, whose ids are unique on the page and numbered in reading order. */
import { Fragment, type ComponentChildren, type ComponentType } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { plainText } from "../components/children";
import { slug } from "../slug";
import { word } from "../words";
import { InLink, Page } from "./scope";

interface HeadingProps {
  children?: ComponentChildren;
  id?: string;
  noAnchor?: boolean | string;
  [attribute: string]: unknown;
}

function heading(level: number): ComponentType<HeadingProps> {
  return function Heading({ noAnchor, ...props }) {
    const page = useContext(Page);
    const inLink = useContext(InLink);
    if (isAboveFootnotes(props)) props.children = word("footnotes");
    const text = plainText(props.children).replace(/\s+/g, " ").trim();
    const requested = typeof props.id === "string" && props.id ? props.id : slug(text);
    if (!page || !requested || props["data-footnote-label"]) return bare(level, props);
    const anchor = page.anchors.claim(requested);
    // The page's title is its only heading of the first level.
    if (level > 1) page.headings.push({ level, text, anchor });
    const plain = inLink || (noAnchor !== undefined && noAnchor !== false && noAnchor !== "false");
    const children = plain ? props.children : linked(props.children, anchor);
    return bare(level, { ...props, id: anchor, children });
  };
}

/** Whether the compiler wrote the heading, in English. */
function isAboveFootnotes({ id, className }: HeadingProps): boolean {
  return id === "footnote-label" && className === "sr-only";
}

function bare(level: number, props: HeadingProps) {
  return jsx(`h${level}` as "h2", props as never);
}

function linked(children: ComponentChildren, anchor: string) {
  const link = jsx("a", {
    class: "ds-heading-anchor",
    href: `#${anchor}`,
    "aria-label": word("section_link"),
  } as never);
  return jsx(Fragment, { children: [children, link] } as never);
}

export const headings: Record<string, ComponentType<HeadingProps>> = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)]),
);
