/**
 * The JSX runtime of pages: every element that a page, a snippet or one of our own
 * components creates goes through `jsx`, which gives links their mark, headings their ids
 * and code its frame, and keeps an author's component that throws from taking the page along.
 */
import { Fragment, isValidElement, type ComponentChildren, type ComponentType, type VNode } from "preact";
import { jsx as createElement } from "preact/jsx-runtime";
import { plainText } from "../components/children";
import { isBlock } from "../components/index";
import { isMarkup, withoutParagraph } from "../components/markup";
import { flag, list } from "../components/props";
import { isExternal, isScript } from "../links";
import { isMatch } from "../patterns";
import { link, media, resolve } from "../site";
import { word } from "../words";
import { Quote } from "./alert";
import { BLOCKS } from "./blocks";
import { guarded } from "./boundary";
import { Pre } from "./fence";
import { headings } from "./heading";
import { isName, isRead, isWide, partsOf, urlPartsOf } from "./look";
import { InlineMath } from "./math";
import { InLink } from "./scope";
import { Table } from "./table";
import { unknownComponent } from "./unknown";
import { written } from "./written";

type Props = Record<string, unknown>;
export type Jsx = (type: unknown, props: Props, key?: string) => VNode;

export interface Home {
  directory: string; // of the file: "/", "/guides/"
  own: boolean; // ours, not an author's
}

const MEDIA: Record<string, readonly string[]> = {
  img: ["src"],
  video: ["src", "poster"],
  audio: ["src"],
  source: ["src"],
  track: ["src"],
  iframe: ["src"],
  embed: ["src"],
  object: ["data"],
  image: ["href"],
};
const BACK = "data-footnote-backref";
const PROPS_WITH_PATHS = ["href", "src", "img", "icon"];
const COMPONENTS: Record<string, ComponentType<any>> = { ...headings, pre: Pre, blockquote: Quote, table: Table };
/** Elements of our own components that need nothing of what is done for an author's. */
const OWN: ReadonlySet<string> = new Set(["div", "section", "aside", "details", "ul", "li", "i"]);
/** Elements of one line, whose text MDX makes a paragraph when it stands on its own line. */
const TIGHT = /^(?:h[1-6]|summary|button|figcaption|span|label|dt)$/;

export function runtimeOf(home: Home): { jsx: Jsx; jsxs: Jsx; jsxDEV: Jsx; Fragment: unknown } {
  const jsx: Jsx = (type, props, key) => {
    if (typeof type === "string") return element(type, props, key, home);
    if (type === Fragment) return create(Fragment, props, key);
    if (typeof type !== "function") return create(unknownComponent(nameOf(type)), props, key);
    return home.own
      ? create(type as ComponentType, props, key)
      : create(guarded(type as ComponentType), withPaths(props, home), key);
  };
  return { jsx, jsxs: jsx, jsxDEV: jsx, Fragment };
}

function create(type: string | ComponentType<any>, props: Props, key?: string): VNode {
  return createElement(type as string, props as never, key) as VNode;
}

function nameOf(type: unknown): string {
  return type === undefined || type === null ? "" : String((type as Props).displayName ?? "");
}

function element(type: string, props: Props, key: string | undefined, home: Home): VNode {
  const own = home.own ? ownElement(type, props) : null;
  if (own) return own;
  const changed = attributes(type, props, home);
  if (changed.children !== undefined) normalizeChildren(type, changed);
  const component = Object.hasOwn(COMPONENTS, type) ? COMPONENTS[type] : undefined;
  if (type === "code" && isMath(changed)) return create(InlineMath, changed, key);
  const className = lookOf(type, changed);
  const look = className ? { ...changed, className } : changed;
  if (type === "code" && className !== "ds-name") return create(type, { ...look, children: withBreaks(changed.children, partsOf) }, key);
  if (type === "a" && className) return create(type, { ...look, children: withBreaks(changed.children, urlPartsOf) }, key);
  if (className) return create(type, look, key);
  if (type === "p" && holdsBlock(changed.children)) return create("div", changed, key);
  if (type === "a" && typeof changed.children === "object") return create(LinkAround, changed, key);
  return create(component ?? type, changed, key);
}

function ownElement(type: string, props: Props): VNode | null {
  if (OWN.has(type)) return written(type, props);
  if (type === "p") return written(holdsBlock(props.children) ? "div" : "p", props);
  return type === "span" || type === "summary" ? written(type, { ...props, children: unwrapped(props.children) }) : null;
}

function LinkAround(props: Props): VNode {
  return create(InLink.Provider, { value: true, children: create("a", props) });
}

function isMath(props: Props): boolean {
  return typeof props.className === "string" && props.className.includes("math-inline");
}

/** The class of names, URLs and cells with a style of their own, unless the author gives a class. */
function lookOf(type: string, { children, className, class: own }: Props): string | undefined {
  if (className || own) return undefined;
  if (type === "code") return typeof children === "string" ? codeLook(children) : undefined;
  if (type === "a") return typeof children === "string" && isWide(children) ? "ds-wide" : undefined;
  return type === "td" && isRead(plainText(children as ComponentChildren)) ? "ds-read" : undefined;
}

function codeLook(code: string): string | undefined {
  if (isName(code)) return "ds-name";
  return isWide(code) ? "ds-wide" : undefined;
}

/** Attributes that browsers follow, submit to or load, in every spelling of HTML and JSX. */
const FOLLOWED = /^(?:(?:xlink:?)?href|(?:form)?action|src|data)$/i;
/** The attributes that give an animation of SVG the values of another attribute. */
const ANIMATED = /^(?:to|from|by|values)$/i;

/** The props without URLs that are scripts; `anchor` knows what a link shows instead. */
function withoutScripts(type: string, props: Props): Props {
  const animates = type === "animate" || type === "set";
  let changed = props;
  for (const name in props) {
    const value = props[name];
    if (name === "children" || name === "className" || !value) continue;
    if (!isMatch(animates ? ANIMATED : FOLLOWED, name)) continue;
    // A list or an object becomes text here, once, because that text is what is written.
    const text = typeof value === "object" ? String(value) : value;
    const parts = typeof text === "string" ? (animates ? text.split(";") : [text]) : [];
    const unsafe = parts.some(isScript) && !(type === "a" && name === "href");
    if (text === value && !unsafe) continue;
    if (changed === props) changed = { ...props };
    changed[name] = unsafe ? undefined : text;
  }
  return changed;
}

function attributes(type: string, given: Props, home: Home): Props {
  const props = withoutScripts(type, given);
  if (type === "a") return anchor(props, home);
  const names = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  if (!names) return props;
  const changed = { ...props };
  for (const name of names) {
    if (typeof changed[name] === "string") changed[name] = media(changed[name], home.directory);
  }
  return type === "img" ? image(changed) : changed;
}

function anchor(props: Props, home: Home): Props {
  if (typeof props.href !== "string") return props;
  const changed: Props = { ...props, href: link(props.href, home.directory) };
  if (isExternal(props.href)) changed.rel ??= "noopener";
  return BACK in changed ? withLabel(changed) : changed;
}

/** Links from a footnote to its references, in the compiler's words. */
function withLabel(props: Props): Props {
  const reference = /[\d-]+$/.exec(String(props["aria-label"]))?.[0] ?? "";
  return { ...props, "aria-label": word("footnote_back").replace("{reference}", reference) };
}

function image({ noZoom, ...props }: Props): Props {
  props.alt ??= "";
  props.loading ??= "lazy";
  if (noZoom !== undefined && noZoom !== false && noZoom !== "false") props["data-no-zoom"] = "";
  return props.actions === undefined ? props : withActions(props);
}

const ACTIONS = ["copy", "download"];
const PLACEMENT = /^(?:top|bottom)-(?:left|center|right)$/;

/** Add the actions that a reader has on an image; `true` stands for all. */
function withActions({ actions, actionsPlacement, ...props }: Props): Props {
  const all = flag(actions) && (actions === true || /^(?:true)?$/i.test(String(actions)));
  const requested = all ? ACTIONS : list(actions).filter((each) => ACTIONS.includes(each));
  if (!requested.length) return props;
  props["data-image-actions"] = requested.join(" ");
  if (PLACEMENT.test(String(actionsPlacement))) props["data-placement"] = actionsPlacement;
  return props;
}

function normalizeChildren(type: string, props: Props): void {
  if ((type === "style" || type === "script") && typeof props.children === "string") {
    props.dangerouslySetInnerHTML = { __html: props.children };
    delete props.children;
  } else if (isMatch(TIGHT, type)) {
    props.children = unwrapped(props.children);
  }
}

/** The content of an only paragraph. */
function unwrapped(children: unknown): unknown {
  const kept = Array.isArray(children)
    ? children.filter((child) => typeof child !== "string" || child.trim() !== "")
    : [children];
  const [only] = kept;
  if (kept.length === 1 && isMarkup(only)) return withoutParagraph(only);
  if (kept.length !== 1 || !isValidElement(only) || only.type !== "p") return children;
  return (only.props as Props).children;
}

/** Code whose long name may be broken between its parts. */
function withBreaks(children: unknown, partsOf: (text: string) => string[]): unknown {
  const parts = typeof children === "string" ? partsOf(children) : [];
  return parts.length > 1 ? parts.flatMap((part, at) => (at ? [create("wbr", {}), part] : [part])) : children;
}

/** HTML allows no block in a paragraph; a browser would end the paragraph before it. */
function holdsBlock(children: unknown): boolean {
  if (Array.isArray(children)) return children.some(holdsBlock);
  if (!isValidElement(children)) return false;
  const { type } = children;
  return typeof type === "string" ? isMatch(BLOCKS, type) : isBlock(type);
}

/** Make relative paths in an author's props root-absolute. */
function withPaths(props: Props, home: Home): Props {
  let changed = props;
  for (const name of PROPS_WITH_PATHS) {
    const value = props[name];
    if (typeof value !== "string" || !isRelative(name, value)) continue;
    if (changed === props) changed = { ...props };
    changed[name] = resolve(value, home.directory);
  }
  return changed;
}

const DOTS = /^\.{1,2}\//;

/** Names of icons look like paths without a dot; an `href` may be one. */
function isRelative(name: string, value: string): boolean {
  if (value[0] === "." && isMatch(DOTS, value)) return true;
  return name === "href" && /^[\w-]/.test(value) && !/^[a-z][a-z\d+.-]*:/i.test(value);
}
