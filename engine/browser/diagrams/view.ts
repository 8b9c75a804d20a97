/** One drawing: its name, and the buttons that move and enlarge it. */
import { drawing, make } from "../components/dom";
import { word, type Word } from "../components/words";
import { keepReadable } from "./readable";

const TALL = 120; // px; lower diagrams have buttons only where their author wants them
const STEP = 1.25;
const SHIFT = 60; // px

const ACTIONS: [Word, string, (view: View) => void][] = [
  ["zoomIn", "M12 5v14M5 12h14", (view) => view.zoom(STEP)],
  ["zoomOut", "M5 12h14", (view) => view.zoom(1 / STEP)],
  ["panLeft", "M15 6l-6 6 6 6", (view) => view.pan(SHIFT, 0)],
  ["panRight", "M9 6l6 6-6 6", (view) => view.pan(-SHIFT, 0)],
  ["panUp", "M6 15l6-6 6 6", (view) => view.pan(0, SHIFT)],
  ["panDown", "M6 9l6 6 6-6", (view) => view.pan(0, -SHIFT)],
  ["resetView", "M4 4v6h6M4.5 10a8 8 0 1 1-.5 4", (view) => view.reset()],
];

/** Puts a drawing where the source of a diagram stood, or in place of an earlier drawing. */
export function show(diagram: HTMLElement, svg: string): void {
  const stage = diagram.querySelector<HTMLElement>(".ds-mermaid-stage");
  if (!stage) return;
  stage.innerHTML = svg;
  const picture = stage.querySelector("svg");
  if (!picture) return;
  name(stage, picture);
  keepReadable(picture);
  diagram.dataset.drawn = "";
  addActions(diagram);
}

/** Add the buttons that the author requests, or that the size requires. */
export function addActions(diagram: HTMLElement): void {
  const stage = diagram.querySelector(".ds-mermaid-stage");
  const picture = stage?.querySelector("svg");
  if (!stage || !picture) return;
  diagram.querySelector(".ds-mermaid-actions")?.remove();
  const setting = diagram.dataset.actions;
  const isTall = picture.viewBox.baseVal.height > TALL;
  if (setting === "true" || (setting !== "false" && isTall)) stage.before(actions(new View(picture)));
}

/** Show the source of a diagram that cannot be rendered. */
export function giveUp(diagram: HTMLElement): void {
  diagram.dataset.failed = "";
  diagram.querySelector(".ds-mermaid-stage")?.remove();
  diagram.querySelector(".mermaid-source")?.removeAttribute("aria-hidden");
}

/** A drawing has the name that its author gave it; its source no longer describes it. */
function name(stage: HTMLElement, picture: SVGElement): void {
  const given = picture.querySelector("title")?.textContent?.trim();
  if (given) stage.setAttribute("aria-label", given);
  stage.removeAttribute("aria-describedby");
  picture.removeAttribute("role");
  picture.removeAttribute("aria-roledescription");
  picture.removeAttribute("aria-labelledby");
  picture.setAttribute("aria-hidden", "true");
}

function actions(view: View): HTMLElement {
  const bar = make("div", {
    class: "ds-mermaid-actions",
    "data-component-part": "zoom-controls",
    role: "group",
    "aria-label": word("diagram"),
  });
  for (const [label, path, act] of ACTIONS) {
    const button = make("button", { type: "button", "aria-label": word(label), title: word(label) });
    button.append(drawing(path));
    button.addEventListener("click", () => act(view));
    bar.append(button);
  }
  return bar;
}

class View {
  private scale = 1;
  private x = 0;
  private y = 0;

  constructor(private readonly picture: SVGElement) {}

  zoom(factor: number): void {
    this.scale = Math.min(8, Math.max(0.5, this.scale * factor));
    this.apply();
  }

  pan(x: number, y: number): void {
    this.x += x;
    this.y += y;
    this.apply();
  }

  reset(): void {
    this.scale = 1;
    this.x = this.y = 0;
    this.apply();
  }

  private apply(): void {
    this.picture.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }
}
