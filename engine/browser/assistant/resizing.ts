/** The edge of the panel, which can be dragged. The width is kept for the site. */
import { make } from "../components/dom";
import { read, write } from "../components/storage";

const WIDTH = "ds-assistant-width";
const LEAST = 320; // pixels
const MOST_SHARE = 0.6; // of the window

export function resizable(panel: HTMLElement): HTMLElement {
  const edge = make("div", { class: "ds-assistant-edge", "aria-hidden": "true" });
  const set = (pixels: number) => {
    const width = Math.round(Math.min(Math.max(pixels, LEAST), innerWidth * MOST_SHARE));
    document.documentElement.style.setProperty("--ds-assistant-width", `${width}px`);
    return width;
  };
  const kept = Number(read("local", WIDTH));
  if (kept) set(kept);
  edge.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
  });
  edge.addEventListener("pointermove", (event) => {
    if (!edge.hasPointerCapture(event.pointerId)) return;
    const { left, right } = panel.getBoundingClientRect();
    const isRtl = getComputedStyle(panel).direction === "rtl";
    write("local", WIDTH, String(set(isRtl ? event.clientX - left : right - event.clientX)));
  });
  return edge;
}
