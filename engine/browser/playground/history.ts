/** Answers of a page since it was loaded, the newest first. They are stored nowhere. */
import { make } from "../components/dom";
import { showAnswer } from "./answer";
import type { Description, Request } from "./request";
import type { Answer } from "./send";
import { word } from "./words";

const KEPT = 10;

interface Entry {
  at: Date;
  request: Request;
  answer: Answer;
}

const entriesOf = new WeakMap<Description, Entry[]>();

export class History {
  readonly element = make("details", { class: "ds-playground-history" });
  private readonly list = make("ol");
  private readonly entries: Entry[];

  constructor(
    description: Description,
    private readonly output: HTMLElement,
  ) {
    this.entries = entriesOf.get(description) ?? [];
    entriesOf.set(description, this.entries);
    this.element.append(make("summary", {}, word("history")), this.list);
    this.render();
  }

  add(request: Request, answer: Answer): void {
    this.entries.unshift({ at: new Date(), request, answer });
    this.entries.length = Math.min(this.entries.length, KEPT);
    this.render();
  }

  private render(): void {
    this.element.hidden = this.entries.length === 0;
    this.list.replaceChildren(...this.entries.map((entry) => make("li", {}, this.button(entry))));
  }

  private button({ at, request, answer }: Entry): HTMLElement {
    const time = at.toLocaleTimeString(document.documentElement.lang || undefined);
    const kind = answer.status < 400 ? "good" : "bad";
    const { pathname, search } = new URL(request.url);
    const status = make("strong", {}, String(answer.status));
    const button = make("button", { type: "button", class: "ds-playground-status", "data-kind": kind });
    button.append(status, make("code", {}, `${request.method} ${pathname}${search}`), make("time", {}, time));
    button.addEventListener("click", () => showAnswer(this.output, answer));
    return button;
  }
}
