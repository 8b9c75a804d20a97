/** The dialog of the playground: a form, the request in a language, answers and their history. */
import { addStyles, make, setUrl } from "./components/dom";
import type { Open } from "./playground";
import { showAnswer, showFailure } from "./playground/answer";
import { openChannel } from "./playground/channel";
import styles from "./playground/dialog.css";
import { buildForm } from "./playground/form";
import { History } from "./playground/history";
import type { Description } from "./playground/request";
import { RequestSample } from "./playground/sample";
import { send, type Way } from "./playground/send";
import { word } from "./playground/words";

const open: Open = (button, description, way) => {
  const dialog = make("dialog", { class: "ds-playground", "aria-label": word("title") });
  const close = make("button", { type: "button", class: "ds-playground-close", "aria-label": word("close") }, "×");
  close.addEventListener("click", () => dialog.close());
  const over = description.socket ? openChannel(dialog, description) : openRequest(dialog, description, way);
  dialog.prepend(close);
  dialog.addEventListener("close", () => {
    over();
    dialog.remove();
    mark(null);
    button.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  if (!matchMedia("(pointer: coarse)").matches) emptyField(dialog)?.focus(); // a keyboard on the screen would cover it
  mark("open");
};

function emptyField(dialog: HTMLElement): HTMLElement | undefined {
  const fields = dialog.querySelectorAll<HTMLInputElement>("form :is(input:not([type=checkbox], [type=file]), textarea)");
  return [...fields].find((each) => !each.value && each.checkVisibility());
}

/** Fill the dialog. Return a function to call when it closes. */
function openRequest(dialog: HTMLElement, description: Description, way: Way): () => void {
  const sample = new RequestSample();
  const answer = make("div", { role: "status", "aria-live": "polite" });
  const history = new History(description, answer);
  const form = buildForm(description, way, {
    changed: (request, field) => sample.show(request, field),
    sent: async (request) => {
      answer.replaceChildren(make("p", {}, word("sending")));
      try {
        const received = await send(request, way);
        showAnswer(answer, received);
        history.add(request, received);
      } catch (error) {
        showFailure(answer, error, way);
      }
    },
  });
  dialog.append(form, make("div", { class: "ds-playground-answer" }, sample.element, answer, history.element));
  return () => {};
}

/** `?playground=open` opens the playground, and the URL follows. */
function mark(state: string | null): void {
  const url = new URL(location.href);
  if (state) url.searchParams.set("playground", state);
  else url.searchParams.delete("playground");
  setUrl(url.href);
}

addStyles(styles);
(globalThis as unknown as { docsteadPlayground: Open }).docsteadPlayground = open;
