/** Code blocks become numbered marks in the HTML, which Python replaces by highlighted blocks. */
import { isValidElement, type ComponentChildren, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { Anchors } from "../components/anchors";
import { plainText } from "../components/children";
import { flag } from "../components/props";
import { Redrawn } from "../components/redrawn";
import { word } from "../words";
import { formula } from "./math";
import { Page, SnippetProps, type Fence } from "./scope";
import { warnOfUnknown } from "./unknown";

type Props = Record<string, unknown> & { children?: ComponentChildren };

export function Pre(props: Props) {
  const page = useContext(Page);
  const values = useContext(SnippetProps);
  const code = codeOf(props.children);
  if (!code) return jsx("pre", props as never);
  const { language, meta } = described(props, code);
  const text = interpolate(plainText(code.props.children), values).replace(/\n$/, "");
  if (!page) return redrawn(text, language);
  if (language === "math") return formula(text, true);
  if (language === "mermaid") return jsx(Diagram, { source: text, meta });
  return mark(page.fences, text, language, meta, {});
}

function codeOf(children: unknown): VNode<Props> | undefined {
  const list = Array.isArray(children) ? children : [children];
  const elements = list.filter((child) => isValidElement(child));
  const [only] = elements;
  return elements.length === 1 && only.type === "code" ? (only as VNode<Props>) : undefined;
}

function described(pre: Props, code: VNode<Props>): { language: string; meta: string } {
  const name = String(code.props.className ?? code.props.class ?? "");
  const language = pre["data-language"] ?? /\blanguage-(\S+)/.exec(name)?.[1] ?? "";
  return { language: String(language), meta: String(pre["data-meta"] ?? "") };
}

function mark(
  fences: Fence[],
  code: string,
  language: string,
  meta: string,
  options: Record<string, unknown>,
) {
  fences.push({ code, language, meta, options });
  const block = jsx("ds-fence" as "div", { "data-n": fences.length - 1 } as never);
  return jsx(Redrawn, { name: nameOf(code, language), mark: block });
}

/** Name by which the browser finds a block of an island. */
function nameOf(code: string, language: string): string {
  return `${language}/${code}`;
}

/** A block that the browser renders: as Python did, or plain if it did not. */
function redrawn(code: string, language: string) {
  const plain = jsx("pre", { children: jsx("code", { children: code } as never) } as never);
  const block = { class: "ds-code code-block", "data-language": language, children: plain };
  return jsx(Redrawn, { name: nameOf(code, language), mark: jsx("div", block as never) });
}

/** Replace `{name}` in the code of a snippet by the prop that the page passed. */
function interpolate(code: string, values: Readonly<Record<string, unknown>>): string {
  if (!code.includes("{")) return code;
  return code.replace(/\{([A-Za-z_$][\w$]*)\}/g, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : written;
  });
}

/** Source of a diagram, which a script replaces by the drawing. */
function Diagram({ source, meta }: { source: string; meta: string }) {
  const actions = /\bactions=\{?"?(true|false)/.exec(meta)?.[1];
  const placement = /\bplacement="?((?:top|bottom)-(?:left|right))/.exec(meta)?.[1];
  return jsx(Mermaid, { chart: source, actions, placement });
}

interface MermaidProps {
  chart?: string;
  actions?: boolean | string;
  placement?: string;
  children?: ComponentChildren;
}

/** A diagram as a component, for sources that an author's code makes. */
export function Mermaid({ chart, actions, placement, children }: MermaidProps) {
  const anchors = useContext(Anchors);
  const id = anchors ? anchors.claim("diagram-source") : "diagram-source";
  const source = typeof chart === "string" ? chart : blockText(children);
  const shown = actions === undefined ? undefined : String(flag(actions));
  const name = { "aria-label": word("diagram") };
  const controls = { class: "ds-mermaid-actions", "data-component-part": "zoom-controls", role: "group", ...name };
  const stage = { class: "ds-mermaid-stage", "data-component-part": "mermaid-diagram", role: "img", ...name };
  return jsx("div", {
    class: "ds-mermaid mermaid",
    "data-actions": shown,
    "data-placement": placement,
    children: [
      shown === "true" && jsx("div", controls as never),
      jsx("div", { ...stage, "aria-describedby": id } as never),
      jsx("pre", { class: "mermaid-source", id, "aria-hidden": "true", children: source } as never),
    ],
  } as never);
}

interface CodeBlockProps {
  language?: string;
  filename?: string;
  title?: string;
  children?: ComponentChildren;
  [option: string]: unknown;
}

/** The component for code inside an author's own components. */
export function CodeBlock({ children, language, filename, title, ...options }: CodeBlockProps) {
  const page = useContext(Page);
  const code = blockText(children);
  if (!page) return redrawn(code, String(language ?? ""));
  warnOfUnknown(children, page);
  const named = { ...options, title: filename ?? title };
  return mark(page.fences, code, String(language ?? ""), "", named);
}

/** Authors put a string or a fenced block there. */
function blockText(children: ComponentChildren): string {
  return plainText(children).replace(/^\n+|\s+$/g, "");
}
