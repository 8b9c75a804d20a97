/** Formulas: rendered for display, as MathML for screen readers, and with their source. */
import type { ComponentChildren } from "preact";
import katex from "katex";
import { jsx } from "preact/jsx-runtime";
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
    const options = { displayMode: display, throwOnError: true, strict: false, trust: false };
    const __html = katex.renderToString(source.trim(), options);
    return jsx(kind, { class: "ds-math", dangerouslySetInnerHTML: { __html } } as never);
  } catch {
    return jsx(kind, { class: "ds-math", children: jsx("code", { children: source }) } as never);
  }
}
