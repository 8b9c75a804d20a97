/**
 * Renders the diagrams of a page. Only pages that have some load this script, and it loads the
 * library named by its own `data-library`, which has the common kinds of diagrams. A source that
 * this cannot render gets the `data-complete` one; where that fails, too, it stays readable.
 */
import { isDark, onThemeChange } from "./diagrams/theme";
import { addActions, giveUp, show } from "./diagrams/view";

interface Mermaid {
  initialize(options: Record<string, unknown>): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

const UNDRAWN = ".ds-mermaid:not([data-failed], .ds-published)";
const NEEDS_COMPLETE = /\$\$|\belk\b/; // formulas, and a layout that only it has
const { library, complete } = (document.currentScript as HTMLScriptElement | null)?.dataset ?? {};
let mermaid: Mermaid | undefined;
let isComplete = false;

async function load(url: string): Promise<Mermaid> {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  return (globalThis as unknown as { mermaid: Mermaid }).mermaid;
}

async function loadComplete(): Promise<void> {
  isComplete = true;
  if (!complete) return;
  mermaid = await load(complete);
  initialize();
}

function initialize(): void {
  const page = getComputedStyle(document.body);
  mermaid?.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    look: "classic",
    layout: "dagre", // "elk" is most of the complete library, and authors can name it
    state: { layout: "dagre" },
    theme: isDark() ? "dark" : "neutral",
    fontFamily: page.fontFamily,
    themeVariables: { edgeLabelBackground: page.backgroundColor },
  });
}

async function renderAll(): Promise<void> {
  initialize();
  const diagrams = [...document.querySelectorAll<HTMLElement>(UNDRAWN)];
  for (const [number, diagram] of diagrams.entries()) {
    const source = diagram.querySelector(".mermaid-source")?.textContent ?? "";
    try {
      show(diagram, await render(`ds-diagram-${number}`, source));
    } catch {
      giveUp(diagram);
    }
  }
}

async function render(id: string, source: string): Promise<string> {
  if (!isComplete && NEEDS_COMPLETE.test(source)) await loadComplete();
  try {
    return (await mermaid!.render(id, source)).svg;
  } catch (error) {
    // The library leaves a drawing of its own for sources that it cannot read.
    document.getElementById(`d${id}`)?.remove();
    if (isComplete) throw error;
    await loadComplete();
    return render(id, source);
  }
}

async function start(): Promise<void> {
  document.querySelectorAll<HTMLElement>(".ds-published").forEach(addActions);
  if (!library) return;
  mermaid = await load(library);
  await document.fonts.ready; // labels are as wide as their letters
  await renderAll();
  onThemeChange(() => void renderAll());
}

void start().catch(() => {});
