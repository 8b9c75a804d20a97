/**
 * Reports to the publisher of the site that a page is read, and what its reader thinks of it. It sets no cookie,
 * stores nothing, and sends nothing for readers who ask not to be tracked. The script's element has the URL of the
 * service.
 */
import { make } from "./components/dom";

const { events = "", feedback = "", key = "" } = (document.currentScript as HTMLScriptElement).dataset;
const page = document.documentElement;
const SHORTEST_QUERY = 2;
const LONGEST_QUERY = 500;

function post(url: string, what: object): Promise<boolean> {
  const path = page.dataset.currentPath;
  const headers = key ? { Authorization: `Bearer ${key}`, "Content-Type": "application/json" } : undefined;
  const body = JSON.stringify({ ...what, path });
  const sent = fetch(url, { method: "POST", headers, body, keepalive: true, credentials: "omit" });
  return sent.then((answer) => answer.ok).catch(() => false);
}

function isUnwanted(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}

function countView(): void {
  if (document.querySelector("[data-near]")) return; // the page of unknown URLs
  void post(events, { event: "view" });
}

/** A search is reported once: when its reader opens a result, or leaves it. */
function followSearches(): void {
  let postedQuery = "";
  const postSearch = (clicked?: string) => {
    const dialog = document.querySelector<HTMLElement>(".ds-search-dialog");
    const query = dialog?.dataset.answered?.trim() ?? "";
    if (!dialog || query.length < SHORTEST_QUERY || query === postedQuery) return;
    postedQuery = query;
    const results = dialog.querySelectorAll(".ds-search-option").length;
    void post(events, { event: "search", query: query.slice(0, LONGEST_QUERY), results, clicked });
  };
  document.addEventListener(
    "click",
    (event) => {
      const option = (event.target as Element).closest<HTMLAnchorElement>("a.ds-search-option");
      if (option) postSearch(option.pathname);
    },
    true,
  );
  document.addEventListener("close", () => postSearch(), true);
}

/** A prerendered page is counted when it is shown. */
function countOnceSeen(): void {
  if (document.visibilityState === "visible") return countView();
  document.addEventListener("visibilitychange", countView, { once: true });
}

function offerThumbs(holder: HTMLElement): void {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const { yes = "", no = "" } = holder.dataset;
  const buttons = [true, false].map((helpful) => {
    const hooks = { id: `feedback-thumbs-${helpful ? "up" : "down"}`, class: "contextual-feedback-button" };
    const button = make("button", { type: "button", ...hooks, "aria-pressed": "false" }, helpful ? yes : no);
    button.addEventListener("click", async () => {
      if (!(await post(feedback, { id, helpful }))) return;
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      askForWords(holder, (words) => post(feedback, { id, helpful, ...words }));
    });
    return button;
  });
  holder.append(...buttons);
  holder.dataset.ready = "";
}

function askForWords(holder: HTMLElement, send: (words: object) => Promise<boolean>): void {
  holder.parentElement?.querySelector("form, [role=status]")?.remove();
  const { thanks = "", more = "", contact = "" } = holder.dataset;
  const field = { class: "contextual-feedback-input" };
  const words = make("textarea", { ...field, rows: "2", maxlength: "4000", placeholder: more, "aria-label": more });
  const mail = make("input", { ...field, type: "email", maxlength: "320", placeholder: contact, "aria-label": contact, autocomplete: "email" });
  const title = make("p", { class: "contextual-feedback-form-title", role: "status" }, thanks);
  const submit = make("button", { type: "submit", class: "contextual-feedback-form-submit-button" }, holder.dataset.send ?? "");
  const form = make("form", { class: "contextual-feedback-form" }, title, words, mail, submit);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = { comment: words.value.trim() || undefined, contact: mail.value.trim() || undefined };
    if (await send(given)) form.replaceWith(make("p", { role: "status" }, thanks));
  });
  holder.parentElement?.append(form);
}

if (!isUnwanted()) {
  countOnceSeen();
  followSearches();
}
for (const holder of document.querySelectorAll<HTMLElement>("[data-thumbs]")) offerThumbs(holder);
