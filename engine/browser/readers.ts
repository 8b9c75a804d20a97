/**
 * Tells whoever publishes the site that a page is read, and what its reader thinks of it. No
 * cookie, nothing kept, nothing sent for readers who ask not to be tracked. Its script says
 * where to; a page without it asks nobody anything.
 */
import { make } from "./components/dom";

const { events = "", feedback = "", key = "" } = (document.currentScript as HTMLScriptElement).dataset;
const page = document.documentElement;
const SHORTEST_QUERY = 2;
const LONGEST_QUERY = 500;

function tell(address: string, what: object): Promise<boolean> {
  const path = page.dataset.currentPath;
  const headers = key ? { Authorization: `Bearer ${key}`, "Content-Type": "application/json" } : undefined;
  const body = JSON.stringify({ ...what, path });
  const sent = fetch(address, { method: "POST", headers, body, keepalive: true, credentials: "omit" });
  return sent.then((answer) => answer.ok).catch(() => false);
}

function isUnwanted(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}

function countView(): void {
  if (document.querySelector("[data-near]")) return; // the page of unknown addresses
  void tell(events, { event: "view" });
}

/** A search is told once: when its reader follows a result, or turns away. */
function followSearches(): void {
  let told = "";
  const tellSearch = (clicked?: string) => {
    const dialog = document.querySelector<HTMLElement>(".ds-search-dialog");
    const query = dialog?.dataset.answered?.trim() ?? "";
    if (!dialog || query.length < SHORTEST_QUERY || query === told) return;
    told = query;
    const results = dialog.querySelectorAll(".ds-search-option").length;
    void tell(events, { event: "search", query: query.slice(0, LONGEST_QUERY), results, clicked });
  };
  document.addEventListener(
    "click",
    (event) => {
      const option = (event.target as Element).closest<HTMLAnchorElement>("a.ds-search-option");
      if (option) tellSearch(option.pathname);
    },
    true,
  );
  document.addEventListener("close", () => tellSearch(), true);
}

/** A page that is made ready before somebody looks at it counts when they do. */
function countOnceSeen(): void {
  if (document.visibilityState === "visible") return countView();
  document.addEventListener("visibilitychange", countView, { once: true });
}

function offerThumbs(place: HTMLElement): void {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const { yes = "", no = "" } = place.dataset;
  const buttons = [true, false].map((helpful) => {
    const hooks = { id: `feedback-thumbs-${helpful ? "up" : "down"}`, class: "contextual-feedback-button" };
    const button = make("button", { type: "button", ...hooks, "aria-pressed": "false" }, helpful ? yes : no);
    button.addEventListener("click", async () => {
      if (!(await tell(feedback, { id, helpful }))) return;
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      askForWords(place, (words) => tell(feedback, { id, helpful, ...words }));
    });
    return button;
  });
  place.append(...buttons);
  place.dataset.ready = "";
}

function askForWords(place: HTMLElement, send: (words: object) => Promise<boolean>): void {
  place.parentElement?.querySelector("form, [role=status]")?.remove();
  const { thanks = "", more = "", contact = "" } = place.dataset;
  const field = { class: "contextual-feedback-input" };
  const words = make("textarea", { ...field, rows: "2", maxlength: "4000", placeholder: more, "aria-label": more });
  const mail = make("input", { ...field, type: "email", maxlength: "320", placeholder: contact, "aria-label": contact, autocomplete: "email" });
  const title = make("p", { class: "contextual-feedback-form-title", role: "status" }, thanks);
  const submit = make("button", { type: "submit", class: "contextual-feedback-form-submit-button" }, place.dataset.send ?? "");
  const form = make("form", { class: "contextual-feedback-form" }, title, words, mail, submit);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = { comment: words.value.trim() || undefined, contact: mail.value.trim() || undefined };
    if (await send(given)) form.replaceWith(make("p", { role: "status" }, thanks));
  });
  place.parentElement?.append(form);
}

if (!isUnwanted()) {
  countOnceSeen();
  followSearches();
}
for (const place of document.querySelectorAll<HTMLElement>("[data-thumbs]")) offerThumbs(place);
