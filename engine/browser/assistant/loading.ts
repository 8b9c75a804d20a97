/**
 * The script of the panel, loaded when it is first needed. The shell requests it before the first
 * paint of a page on which the panel is still open.
 */
import { read } from "../components/storage";
import type { AssistantEndpoint } from "./conversation";
import type { Panel } from "./panel";

export type MakePanel = (endpoint: AssistantEndpoint) => Panel;

export const OPEN = "ds-assistant-open";

const globals = globalThis as unknown as { docsteadPanel?: MakePanel };

export function isOpen(): boolean {
  return read("session", OPEN) === "true";
}

/** Request the script of the panel, once; after a failure, again. */
export function requestPanel(url: string): HTMLScriptElement {
  const requested = document.querySelector<HTMLScriptElement>("script[data-assistant-panel]");
  if (requested) return requested;
  const script = document.createElement("script");
  script.dataset.assistantPanel = "";
  if (!document.body) script.setAttribute("blocking", "render");
  script.addEventListener("error", () => script.remove());
  script.src = url;
  document.head.append(script);
  return script;
}

export async function loadPanel(url: string): Promise<MakePanel> {
  if (!globals.docsteadPanel) {
    const script = requestPanel(url);
    await new Promise((resolve, reject) => {
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
    });
  }
  return globals.docsteadPanel!;
}
