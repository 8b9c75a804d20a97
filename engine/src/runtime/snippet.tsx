/** `<Snippet file="note.mdx" />`, the way to include a file before there were imports. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { jsx } from "preact/jsx-runtime";
import { diagnosticsWithin, snippet } from "../modules";
import { Page } from "./scope";
import { missing } from "./unknown";

interface Props {
  file?: string;
  children?: ComponentChildren;
  [prop: string]: unknown;
}

export function Snippet({ file, ...props }: Props) {
  const page = useContext(Page);
  const module = file ? snippet(String(file)) : null;
  if (module) {
    for (const diagnostic of diagnosticsWithin(module)) page?.note(diagnostic);
    return jsx(module.exports.default, props as never);
  }
  // That it is missing is found when the repository is read.
  return missing(`Snippet file="${file ?? ""}"`, props.children);
}
