import { announce, drawing, make } from "./dom";
import { word } from "./words";

const COPY = [
  "M8 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2z",
  "M16 8V4a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h4",
];
const DONE = ["M20 6 9 17l-5-5"];
const SHOWN_MILLISECONDS = 2000;

/** A button that copies the result of `text`, or that calls it and shows whether it succeeded. */
export function copyButton(
  label: string,
  text: () => string | Promise<boolean>,
  name = "",
): HTMLButtonElement {
  const attributes = { type: "button", class: `ds-copy ${name}`.trim(), "aria-label": label };
  const button = make("button", { ...attributes, title: label }, drawing(...COPY));
  let timer = 0;
  button.addEventListener("click", async () => {
    const given = text();
    if (!(await (typeof given === "string" ? copy(given) : given))) return;
    button.dataset.done = "";
    describe(button, word("copied"));
    button.replaceChildren(drawing(...DONE));
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      delete button.dataset.done;
      describe(button, label);
      button.replaceChildren(drawing(...COPY));
    }, SHOWN_MILLISECONDS);
  });
  return button;
}

function describe(button: HTMLElement, label: string): void {
  button.title = label;
  button.setAttribute("aria-label", label);
}

export async function copy(text: string): Promise<boolean> {
  const copied = await toClipboard(text);
  announce(word(copied ? "copied" : "notCopied"));
  return copied;
}

/** Copy without a message, and return whether it worked. */
export async function toClipboard(text: string): Promise<boolean> {
  return (await copyByApi(text)) || copyBySelection(text);
}

async function copyByApi(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The old way, for pages that are served without TLS. */
function copyBySelection(text: string): boolean {
  const field = make("textarea", { class: "ds-sr-only", "aria-hidden": "true" });
  const focused = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
