/**
 * Buttons of the playground, and fields of API pages that light up with their lines of the samples.
 * The dialog is a separate script (`data-dialog`), loaded when it is opened. `data-proxy` names
 * the service's proxy, where there is one; without it requests go from the browser itself.
 */
import { all } from "./components/dom";
import { lightUp } from "./playground/lights";
import type { Description } from "./playground/request";
import type { Way } from "./playground/send";

export type Open = (button: HTMLElement, description: Description, way: Way) => void;

const script = document.currentScript as HTMLScriptElement | null;
const way: Way = {
  proxy: script?.dataset.proxy,
  credentials: script?.dataset.credentials !== undefined,
};
let loaded: Promise<Open> | undefined;

function load(url: string): Promise<Open> {
  return new Promise((resolve, reject) => {
    const dialog = document.createElement("script");
    dialog.src = url;
    dialog.onload = () => resolve((globalThis as unknown as { docsteadPlayground: Open }).docsteadPlayground);
    dialog.onerror = reject;
    document.head.append(dialog);
  });
}

async function open(button: HTMLElement, description: Description): Promise<void> {
  loaded ??= load(script?.dataset.dialog ?? "");
  (await loaded)(button, description, way);
}

function start(): void {
  for (const button of all(document, "[data-playground]")) {
    const description = JSON.parse(button.dataset.playground ?? "{}") as Description;
    button.hidden = false;
    button.addEventListener("click", () => void open(button, description));
    if (new URLSearchParams(location.search).get("playground") === "open") void open(button, description);
  }
  lightUp(document);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
