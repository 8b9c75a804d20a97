/**
 * The assistant of a site: a button, a panel, and a conversation that outlives page changes
 * and refreshes. Its script says in `data-assistant` where the service is; without the
 * service, or without scripts, the page is complete.
 */
import { drawing, make } from "./components/dom";
import { Conversation, type AssistantEndpoint } from "./assistant/conversation";
import { Panel } from "./assistant/panel";
import { offerCode, offerSelection, QUESTION } from "./assistant/selection";
import { word } from "./assistant/words";

const script = document.currentScript as HTMLScriptElement | null;

function start(): void {
  const endpoint = JSON.parse(script?.dataset.assistant ?? "null") as AssistantEndpoint | null;
  if (!endpoint) return;
  const path = document.documentElement.dataset.currentPath;
  const panel = new Panel(new Conversation({ endpoint, path, store: "ds-assistant" }));
  document.body.append(panel.element);
  offerButton(panel);
  offerSelection((context) => panel.ask(context));
  offerCode((context) => panel.ask(context));
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "i" || !(event.metaKey || event.ctrlKey) || event.shiftKey) return;
    event.preventDefault();
    panel.toggle();
  });
  document.addEventListener("docstead:ask", (event) => {
    panel.show();
    panel.send((event as CustomEvent<string>).detail);
  });
  followUrl(panel);
  panel.restore();
}

function offerButton(panel: Panel): void {
  const button = make(
    "button",
    { type: "button", id: "assistant-entry", class: "ds-assistant-entry", "aria-keyshortcuts": "Control+I Meta+I" },
    drawing(...QUESTION),
    make("span", {}, word("ask")),
  );
  button.addEventListener("click", () => panel.toggle());
  const search = document.getElementById("search-bar-entry");
  if (search) search.after(button);
  else document.querySelector(".ds-bar-end")?.prepend(button);
}

/** `?assistant` opens the panel, `?assistant=text` asks as well, once. */
function followUrl(panel: Panel): void {
  const url = new URL(location.href);
  const text = url.searchParams.get("assistant");
  if (text === null) return;
  url.searchParams.delete("assistant");
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // A page opened from disk may not change its URL.
  }
  panel.show();
  if (text.trim()) panel.send(text.trim());
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
