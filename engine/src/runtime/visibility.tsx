/** Content for people or for agents, which Python separates. */
import type { ComponentChildren } from "preact";
import { jsx } from "preact/jsx-runtime";

interface Props {
  for?: string;
  children?: ComponentChildren;
}

export function Visibility({ for: readers, children }: Props) {
  const name = readers === "agents" ? "ds-agents" : "ds-humans";
  return jsx(name as "div", { children } as never);
}
