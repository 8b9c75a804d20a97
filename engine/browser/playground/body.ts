/**
 * The body of a request: fields for the values of its example, which can be removed and added,
 * or its text. Forms have fields only, and fields for files.
 */
import { identify, make } from "../components/dom";
import { isForm, type Body, type Content, type Hint, type Part } from "./request";
import { word } from "./words";

export interface BodyEditor {
  shown?: HTMLElement;
  value(): Content | undefined;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Hints = Record<string, Hint>;

/** A control of a value. Its value is undefined if there is none. */
interface ValueEditor {
  element: HTMLElement;
  value(): Json | File | undefined;
}

const MOST_LEVELS = 5;
const FILE = "@file"; // the example of a file
const LONG_TEXT = 60;

export function bodyEditor(bodies: Body[]): BodyEditor {
  if (!bodies.length) return { value: () => undefined };
  const holder = make("div");
  let editor: ValueEditor & { isText?: boolean };
  let shown = bodies[0]!;
  const show = (body: Body) => {
    const { hints } = bodies.find(({ kind }) => kind === body.kind) ?? {};
    shown = body;
    editor = editorOf({ ...body, hints });
    holder.replaceChildren(editor.element);
  };
  show(shown);
  const set = make("fieldset", {}, make("legend", {}, word("body")));
  if (bodies.length > 1) set.append(choice(bodies, show));
  set.append(holder);
  return {
    shown: set,
    value: () => (isForm(shown.kind) ? formOf(shown.kind, editor.value()) : { kind: shown.kind, text: textOf(editor.value()) }),
  };
}

function choice(bodies: Body[], show: (body: Body) => void): HTMLElement {
  const kinds = new Set(bodies.map(({ kind }) => kind)).size;
  const name = ({ kind, title }: Body) => (title ? (kinds > 1 ? `${title} (${kind})` : title) : kind);
  const select = make("select", {}, ...bodies.map((body) => make("option", {}, name(body))));
  select.addEventListener("change", () => show(bodies[select.selectedIndex]!));
  return row(kinds > 1 ? "Content-Type" : word("example"), select);
}

function editorOf(body: Body): ValueEditor {
  const value = parsed(body.text);
  const isTree = typeof value === "object" && value !== null;
  if (isForm(body.kind) && isTree) return valueEditor(value, "", body.hints ?? {}, 0);
  const text = textEditor(body.kind, body.text);
  if (!isTree || !body.kind.includes("json")) return text;
  return switchable(body, text);
}

/** Fields and text of the same JSON; the one that is shown counts. */
function switchable(body: Body, text: TextEditor): ValueEditor {
  const holder = make("div");
  const button = make("button", { type: "button", class: "ds-playground-switch" });
  let fields: ValueEditor | undefined;
  const showFields = (value: Json) => {
    fields = valueEditor(value, "", body.hints ?? {}, 0);
    holder.replaceChildren(fields.element);
    button.textContent = "JSON";
  };
  button.addEventListener("click", () => {
    if (fields) {
      text.set(textOf(fields.value()));
      fields = undefined;
      holder.replaceChildren(text.element);
      button.textContent = word("fields");
      return;
    }
    const value = parsed(text.value());
    if (value !== undefined) showFields(value);
  });
  showFields(parsed(body.text)!);
  return { element: make("div", { class: "ds-playground-body" }, button, holder), value: () => (fields ?? text).value() };
}

interface TextEditor extends ValueEditor {
  value(): string;
  set(text: string): void;
}

function textEditor(kind: string, text: string): TextEditor {
  const area = make("textarea", { rows: "10", spellcheck: "false" });
  area.value = text;
  return { element: row(kind, area), value: () => area.value, set: (given) => (area.value = given) };
}

function valueEditor(value: Json, path: string, hints: Hints, level: number): ValueEditor {
  if (Array.isArray(value)) return level < MOST_LEVELS ? listEditor(value, path, hints, level) : jsonEditor(value);
  if (value !== null && typeof value === "object") {
    return level < MOST_LEVELS ? objectEditor(value, path, hints, level) : jsonEditor(value);
  }
  const choices = hints[path]?.choices ?? (typeof value === "boolean" ? [true, false] : undefined);
  if (choices) return choiceEditor(value, choices);
  if (value === FILE) return fileEditor();
  if (typeof value === "string") return stringEditor(value);
  return jsonEditor(value);
}

function objectEditor(value: { [name: string]: Json }, path: string, hints: Hints, level: number): ValueEditor {
  const editors = new Map<string, ValueEditor>();
  const rows = make("div");
  const more = make("div", { class: "ds-playground-more" });
  const add = (name: string, before: Node | null) => {
    const at = path ? `${path}.${name}` : name;
    const editor = valueEditor(value[name]!, at, hints, level + 1);
    editors.set(name, editor);
    const drop = hints[at]?.required ? undefined : () => {
      editors.delete(name);
      line.remove();
      more.append(button(`+ ${name}`, word("add"), (event) => {
        (event.currentTarget as HTMLElement).remove();
        add(name, null);
      }));
      notifyForm(rows);
    };
    const line = row(name, editor.element, drop, hints[at]?.required);
    rows.insertBefore(line, before);
    notifyForm(rows);
  };
  for (const name of Object.keys(value)) add(name, null);
  return {
    element: make("div", { class: "ds-playground-group" }, rows, more),
    value: () => Object.fromEntries([...editors].map(([name, editor]) => [name, editor.value() as Json])),
  };
}

function listEditor(value: Json[], path: string, hints: Hints, level: number): ValueEditor {
  const editors = new Set<ValueEditor>();
  const rows = make("div");
  const add = (item: Json) => {
    const editor = valueEditor(item, path ? `${path}.*` : "*", hints, level + 1);
    editors.add(editor);
    const line = row("", editor.element, () => {
      editors.delete(editor);
      line.remove();
      notifyForm(rows);
    });
    rows.append(line);
    notifyForm(rows);
  };
  for (const item of value) add(item);
  const template = value[0] ?? "";
  const more = make("div", { class: "ds-playground-more" }, button(`+ ${word("add")}`, word("add"), () => add(template)));
  return {
    element: make("div", { class: "ds-playground-group" }, rows, more),
    value: () => [...editors].map((editor) => editor.value() as Json),
  };
}

function choiceEditor(value: Json, choices: readonly Json[]): ValueEditor {
  const select = make("select", {}, ...choices.map((each) => make("option", {}, String(each))));
  select.selectedIndex = Math.max(0, choices.indexOf(value));
  return { element: select, value: () => choices[select.selectedIndex] };
}

function stringEditor(value: string): ValueEditor {
  const isLong = value.length > LONG_TEXT || value.includes("\n");
  const control = isLong ? make("textarea", { rows: "3" }) : make("input", { type: "text", autocomplete: "off" });
  control.value = value;
  return { element: control, value: () => control.value };
}

/** Numbers, and what is nested too deep: JSON, or else a text. */
function jsonEditor(value: Json): ValueEditor {
  const inputmode = typeof value === "number" ? "decimal" : undefined;
  const control = make("input", { type: "text", inputmode, autocomplete: "off", spellcheck: "false" });
  control.value = JSON.stringify(value);
  return { element: control, value: () => parsed(control.value) ?? control.value };
}

function fileEditor(): ValueEditor {
  const control = make("input", { type: "file" });
  return { element: control, value: () => control.files?.[0] };
}

export function row(name: string, control: HTMLElement, drop?: () => void, required?: boolean): HTMLElement {
  const isGroup = control.classList.contains("ds-playground-group");
  const label = isGroup || !name ? make("span") : make("label", { for: identify(control) });
  if (name) label.append(make("code", {}, name));
  if (required) label.append(make("span", {}, word("required")));
  if (!name && !isGroup) control.setAttribute("aria-label", word("body"));
  const line = make("div", { class: "ds-playground-field", "data-name": name }, label, control);
  if (drop) line.append(button("×", `${word("remove")} ${name}`.trim(), drop));
  return line;
}

function button(text: string, label: string, press: (event: Event) => void): HTMLElement {
  const made = make("button", { type: "button", class: "ds-playground-edit" }, text);
  if (text === "×") made.setAttribute("aria-label", label);
  made.addEventListener("click", press);
  return made;
}

/** Notify the form of fields that came or went, as of typing. */
function notifyForm(element: HTMLElement): void {
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function textOf(value: Json | File | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function formOf(kind: string, value: Json | File | undefined): Content {
  if (typeof value !== "object" || value === null) return { kind, text: String(value ?? "") };
  const parts: Part[] = [];
  for (const [name, given] of Object.entries(value) as [string, Json | File | undefined][]) {
    for (const each of Array.isArray(given) ? (given as (Json | File)[]) : [given]) {
      if (each === undefined) continue;
      parts.push([name, each instanceof File ? each : typeof each === "string" ? each : JSON.stringify(each)]);
    }
  }
  return { kind, parts };
}
