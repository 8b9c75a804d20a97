/** `> [!NOTE]` of GitHub as a callout. */
import { isValidElement, type ComponentChildren, type ComponentType, type VNode } from "preact";
import { jsx } from "preact/jsx-runtime";
import { components } from "../components/index";

type Props = Record<string, unknown> & { children?: ComponentChildren };

const ALERTS: Record<string, string> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Info",
  WARNING: "Warning",
  CAUTION: "Danger",
};
const MARK = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

export function Quote(props: Props) {
  const list = Array.isArray(props.children) ? props.children : [props.children];
  const at = list.findIndex((child) => isValidElement(child));
  const alert = at < 0 ? null : alertOf(list[at] as VNode<Props>);
  if (!alert) return jsx("blockquote", props as never);
  const children = [...list.slice(0, at), alert.rest, ...list.slice(at + 1)];
  return jsx(alert.component, { children } as never);
}

function alertOf(paragraph: VNode<Props>): { component: ComponentType; rest: VNode } | null {
  if (paragraph.type !== "p") return null;
  const inner = paragraph.props.children;
  const [first, ...others] = Array.isArray(inner) ? inner : [inner];
  const match = typeof first === "string" ? MARK.exec(first) : null;
  if (!match) return null;
  const children = [(first as string).slice(match[0].length), ...others];
  return {
    component: components[ALERTS[match[1].toUpperCase()]],
    rest: jsx("p", { children } as never) as VNode,
  };
}
