/**
 * The playground of API pages: a form for the request, and the answer. Only pages with an
 * operation load it. `data-proxy` of its script names the service's proxy, where there is one;
 * without it requests go from the browser itself.
 */
import { make } from "./components/dom";
import { buildForm } from "./playground/form";
import { send, type Way } from "./playground/send";
import type { Description } from "./playground/request";
import { showAnswer, showFailure } from "./playground/answer";
import { openChannel } from "./playground/channel";
import { word } from "./playground/words";

const script = document.currentScript as HTMLScriptElement | null;
const way: Way = {
  proxy: script?.dataset.proxy,
  credentials: script?.dataset.credentials !== undefined,
};

function open(button: HTMLElement, description: Description): void {
  const dialog = make("dialog", { class: "ds-playground", "aria-label": word("title") });
  const close = make("button", { type: "button", class: "ds-playground-close", "aria-label": word("close") }, "×");
  close.addEventListener("click", () => dialog.close());
  const over = description.socket ? openChannel(dialog, description) : openRequest(dialog, description);
  dialog.prepend(close);
  dialog.addEventListener("close", () => {
    over();
    dialog.remove();
    mark(null);
    button.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  mark("open");
}

/** What is to be done when the dialog closes. */
function openRequest(dialog: HTMLElement, description: Description): () => void {
  const answer = make("div", { class: "ds-playground-answer", role: "status", "aria-live": "polite" });
  const form = buildForm(description, async (request) => {
    answer.replaceChildren(make("p", {}, word("sending")));
    try {
      showAnswer(answer, await send(request, way));
    } catch (error) {
      showFailure(answer, error, way);
    }
  });
  dialog.append(form, answer);
  return () => {};
}

/** `?playground=open` opens the playground, and the address follows. */
function mark(state: string | null): void {
  const address = new URL(location.href);
  if (state) address.searchParams.set("playground", state);
  else address.searchParams.delete("playground");
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // A page opened from disk may not change its address.
  }
}

function start(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-playground]")) {
    const description = JSON.parse(button.dataset.playground ?? "{}") as Description;
    button.hidden = false;
    button.addEventListener("click", () => open(button, description));
    if (new URLSearchParams(location.search).get("playground") === "open") open(button, description);
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
