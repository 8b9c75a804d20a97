/**
 * The assistant of a site: a button, and a panel that is loaded when it is first needed. The
 * script says in `data-assistant` where the service is; without the service, or without
 * scripts, the page is complete.
 */
import type { AssistantEndpoint } from "./assistant/conversation";
import styles from "./assistant/entry.css";
import { word } from "./assistant/entry-words";
import { isOpen, loadPanel } from "./assistant/loading";
import type { Panel } from "./assistant/panel";
import { offerCode, offerSelection, QUESTION } from "./assistant/selection";
import { addStyles, drawing, make } from "./components/dom";
import { sayFailure } from "./components/failure-note";

const endpoint = JSON.parse(
  (document.currentScript as HTMLScriptElement | null)?.dataset.assistant ?? "null",
) as AssistantEndpoint | null;
let loaded: Promise<Panel> | undefined;
let typed: string | undefined; // since the reader asked for the panel, until it is there

function load(): Promise<Panel> {
  loaded ??= loadPanel(document.querySelector<HTMLElement>("script[data-panel]")?.dataset.panel ?? "").then(
    (makePanel) => makePanel(endpoint!),
  );
  return loaded;
}

/** Do something with the panel. What the reader types until it is there goes into its field. */
async function use(act: (panel: Panel) => void): Promise<void> {
  typed ??= "";
  const panel = await prepare();
  if (panel) {
    act(panel);
    panel.type(typed ?? "");
  } else sayFailure(word("notLoaded"), document.getElementById("assistant-entry"));
  typed = undefined;
}

/** Load the panel without showing it. After a failure, the next call tries again. */
async function prepare(): Promise<Panel | undefined> {
  try {
    return await load();
  } catch {
    loaded = undefined;
    return undefined;
  }
}

function start(): void {
  if (!endpoint) return;
  addStyles(styles);
  offerButton();
  offerSelection((context) => use((panel) => panel.ask(context)));
  offerCode((context) => use((panel) => panel.ask(context)));
  document.addEventListener("keydown", onKey);
  document.addEventListener("docstead:ask", (event) => ask((event as CustomEvent<string>).detail));
  followUrl();
  if (isOpen()) void prepare().then((panel) => panel?.reveal());
}

/** Open the panel, and ask in it unless the text is empty. */
function ask(text: string): void {
  void use((panel) => {
    panel.show();
    panel.send(text);
  });
}

function onKey(event: KeyboardEvent): void {
  const isCombined = event.metaKey || event.ctrlKey;
  if (event.key.toLowerCase() === "i" && isCombined && !event.shiftKey) void use((panel) => panel.toggle());
  else if (typed !== undefined && !isCombined && isText(event)) typed += event.key;
  else return;
  event.preventDefault();
}

/** Whether a key writes a character that no field of the page takes. */
function isText(event: KeyboardEvent): boolean {
  const field = (event.target as Element).closest("input, textarea, select, [contenteditable]");
  return event.key.length === 1 && !field && !event.altKey;
}

function offerButton(): void {
  const button = make(
    "button",
    { type: "button", id: "assistant-entry", class: "ds-assistant-entry", "aria-keyshortcuts": "Control+I Meta+I" },
    drawing(...QUESTION),
    make("span", {}, word("ask")),
  );
  button.addEventListener("click", () => void use((panel) => panel.toggle()));
  for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => void prepare());
  const search = document.getElementById("search-bar-entry");
  if (search) search.after(button);
  else document.querySelector(".ds-bar-end")?.prepend(button);
}

/**
 * `?assistant` opens the panel, `?assistant=text` asks as well, once. In a frame the question is only typed:
 * pages that frame the site would ask with its key, and for every visitor.
 */
function followUrl(): void {
  const url = new URL(location.href);
  const text = url.searchParams.get("assistant");
  if (text === null) return;
  url.searchParams.delete("assistant");
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // A page opened from disk may not change its URL.
  }
  if (window === window.top) ask(text.trim());
  else void use((panel) => (panel.show(), panel.type(text.trim())));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
