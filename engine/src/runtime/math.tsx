/** Formulas as MathML, which browsers draw by themselves and which keeps its source with it. */
import type { ComponentChildren } from "preact";
import { jsx } from "preact/jsx-runtime";
import temml from "temml";
import { plainText } from "../components/children";

interface Props {
  children?: ComponentChildren;
}

export function InlineMath({ children }: Props) {
  return formula(plainText(children), false);
}

/** A formula that cannot be read is shown as its author wrote it. */
export function formula(source: string, display: boolean) {
  const kind = display ? "div" : "span";
  try {
    const options = { displayMode: display, throwOnError: true, annotate: true, trust: false };
    const __html = temml.renderToString(source.trim(), options);
    return jsx(kind, { class: "ds-math", dangerouslySetInnerHTML: { __html } } as never);
  } catch {
    return jsx(kind, { class: "ds-math", children: jsx("code", { children: source }) } as never);
  }
}
