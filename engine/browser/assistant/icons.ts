/** Buttons of the assistant: a drawing and a text, which some of them have for screen readers only. */
import { drawing, make } from "../components/dom";

const PATHS = {
  again: ["M3 12a9 9 0 1 0 3-6.700L3 8", "M3 3v5h5"],
  bad: ["M17 14V2", "M9 18.100 10 14H4.200a2 2 0 0 1-1.900-2.600l2.300-8A2 2 0 0 1 6.500 2H20a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-2.800L13 22a3 3 0 0 1-4-3.900z"],
  copy: ["M8 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2z", "M16 8V4a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h4"],
  fresh: ["M12 5v14", "M5 12h14"],
  good: ["M7 10v12", "M15 5.900 14 10h5.800a2 2 0 0 1 1.900 2.600l-2.300 8a2 2 0 0 1-1.900 1.400H4a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2h2.800L11 2a3 3 0 0 1 4 3.900z"],
  send: ["M12 19V5", "M5 12l7-7 7 7"],
  stop: ["M6 6h12v12H6z"],
};

export type IconName = keyof typeof PATHS;

export function iconButton(name: IconName, label: string, act?: (event: Event) => void): HTMLButtonElement {
  const button = make("button", { type: "button" });
  setIcon(button, name, label);
  if (act) button.addEventListener("click", act);
  return button;
}

export function setIcon(button: HTMLElement, name: IconName, label: string): void {
  if (button.textContent === label && button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.title = label;
  button.replaceChildren(drawing(...PATHS[name]), make("span", {}, label));
}
