/** A field of an API page and the lines of the samples that name it light up together. */
import { all } from "../components/dom";

const NAME = "ds-lit"; // of the highlight, and of the attribute of the field
const FIELD = ".ds-operation .ds-field";
const SAMPLES = "[data-ds-example] pre code";
const SPECIAL = /[.*+?^${}()|[\]\\]/g;
const KEY = /^\W*(?:--(?:form|data|header) ['"])?["']?([\w.$-]+)["']?\s*(?::|=)/;

export function lightUp(root: Document): void {
  if (!("highlights" in CSS) || !root.querySelector(FIELD)) return;
  const light = (event: Event) => {
    const target = event.target as Element;
    const field = target.closest?.<HTMLElement>(FIELD);
    if (field) show(field);
    else if (event instanceof PointerEvent && target.closest?.(SAMPLES)) show(fieldAt(root, event));
    else show(null);
  };
  root.addEventListener("pointerover", light);
  root.addEventListener("focusin", light);
}

function show(field: HTMLElement | null): void {
  document.querySelector(`[data-${NAME}]`)?.removeAttribute(`data-${NAME}`);
  CSS.highlights.delete(NAME);
  if (!field) return;
  field.setAttribute(`data-${NAME}`, "");
  CSS.highlights.set(NAME, new Highlight(...linesOf(nameOf(field), samplesOf(field))));
}

function nameOf(field: HTMLElement): string {
  return field.querySelector(".ds-field-name code")?.textContent ?? "";
}

/** Return the samples of the request or of the response, as the field belongs to one of them. */
function samplesOf(field: HTMLElement): HTMLElement[] {
  const kind = field.id.startsWith("response") ? "response" : "request";
  return all(document, `[data-ds-example="${kind}"] pre code`);
}

function* linesOf(name: string, samples: HTMLElement[]): Generator<Range> {
  if (!name) return;
  const named = new RegExp(`(?<![\\w-])${name.replace(SPECIAL, "\\$&")}(?![\\w-])`);
  for (const sample of samples) {
    let at = 0;
    for (const line of (sample.textContent ?? "").split("\n")) {
      const indent = line.length - line.trimStart().length;
      if (named.test(line)) yield rangeOf(sample, at + indent, at + line.length);
      at += line.length + 1;
    }
  }
}

function rangeOf(sample: HTMLElement, from: number, to: number): Range {
  const range = new Range();
  const texts = document.createTreeWalker(sample, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    if (from >= at && from <= at + text.length) range.setStart(text, from - at);
    if (to >= at && to <= at + text.length) {
      range.setEnd(text, to - at);
      break;
    }
    at += text.length;
  }
  return range;
}

/** The field whose name begins the line of a sample below the pointer. */
function fieldAt(root: Document, { clientX, clientY, target }: PointerEvent): HTMLElement | null {
  const sample = (target as Element).closest<HTMLElement>(SAMPLES)!;
  const caret = root.caretRangeFromPoint?.(clientX, clientY);
  if (!caret) return null;
  const before = new Range();
  before.setStart(sample, 0);
  before.setEnd(caret.startContainer, caret.startOffset);
  const line = (sample.textContent ?? "").split("\n")[before.toString().split("\n").length - 1] ?? "";
  const name = KEY.exec(line)?.[1];
  const kind = sample.closest<HTMLElement>("[data-ds-example]")!.dataset.dsExample === "response";
  const isOfKind = (field: HTMLElement) => field.id.startsWith("response") === kind;
  return all(root, FIELD).find((field) => nameOf(field) === name && isOfKind(field)) ?? null;
}
