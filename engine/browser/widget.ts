/**
 * The assistant in pages of other sites, as `DocsAssistant`. It may be loaded as a classic script or as a module,
 * and asks the service that it was loaded from.
 */
import { speak } from "./components/language";
import { wordsOfPage } from "./widget/language";
import { Widget } from "./widget/widget";

const SCRIPT = "/_docs/widget.js";

/** Of the service: the URL of this script without its own path. */
function origin(): string {
  const own = document.currentScript as HTMLScriptElement | null;
  const script = own ?? document.querySelector<HTMLScriptElement>(`script[src*="${SCRIPT}"]`);
  return script?.src.split(SCRIPT)[0] ?? "";
}

speak(wordsOfPage);
const widget = new Widget(origin());

export const DocsAssistant = Object.freeze({
  init: widget.init.bind(widget),
  open: widget.open.bind(widget),
  close: widget.close.bind(widget),
  ask: widget.ask.bind(widget),
  update: widget.update.bind(widget),
  reset: widget.reset.bind(widget),
  destroy: widget.destroy.bind(widget),
});

declare global {
  interface Window {
    DocsAssistant?: typeof DocsAssistant;
  }
}

window.DocsAssistant ??= DocsAssistant;
