/**
 * Draws the diagrams of a page. Only pages that have some load this script, and it loads the
 * library named by its own `data-library`; where that fails the sources stay readable.
 */
import { isDark, onThemeChange } from "./diagrams/theme";
import { giveUp, show } from "./diagrams/view";

interface Mermaid {
  initialize(options: Record<string, unknown>): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

const library = (document.currentScript as HTMLScriptElement | null)?.dataset.library;

async function load(address: string): Promise<Mermaid> {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  return (globalThis as unknown as { mermaid: Mermaid }).mermaid;
}

async function draw(mermaid: Mermaid): Promise<void> {
  const page = getComputedStyle(document.body);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    look: "classic",
    theme: isDark() ? "dark" : "neutral",
    fontFamily: page.fontFamily,
    themeVariables: { edgeLabelBackground: page.backgroundColor },
  });
  const diagrams = [...document.querySelectorAll<HTMLElement>(".ds-mermaid:not([data-failed])")];
  for (const [number, diagram] of diagrams.entries()) {
    const source = diagram.querySelector(".mermaid-source")?.textContent ?? "";
    try {
      const { svg } = await mermaid.render(`ds-diagram-${number}`, source);
      show(diagram, svg);
    } catch {
      // The library leaves a drawing of its own for sources that it cannot read.
      document.getElementById(`dds-diagram-${number}`)?.remove();
      giveUp(diagram);
    }
  }
}

async function start(): Promise<void> {
  if (!library) return;
  const mermaid = await load(library);
  await document.fonts.ready; // labels are as wide as their letters
  await draw(mermaid);
  onThemeChange(() => void draw(mermaid));
}

void start().catch(() => {});
