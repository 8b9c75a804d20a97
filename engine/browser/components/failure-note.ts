/** The note that something could not be loaded, below the button that needs it. */

import { make } from "./dom";

const GAP = 6; // px between button and note
const EDGE = 8; // px that stay free at the sides of the window

/** Show the note until the next click. */
export function sayFailure(text: string, button: Element | null | undefined): void {
  const said = make("p", { role: "alert", class: "ds-popup ds-failure" }, text);
  document.body.append(said);
  const { bottom, left } = button?.getBoundingClientRect() ?? new DOMRect();
  const most = innerWidth - said.getBoundingClientRect().width - EDGE;
  said.style.cssText = `top:${bottom + GAP}px;left:${Math.max(EDGE, Math.min(left, most))}px`;
  document.addEventListener("click", () => said.remove(), { once: true });
}
