/** The form of a request. Credentials are kept for the visit, and for this server only. */
import { identify, make } from "../components/dom";
import { read, write } from "../components/storage";
import { bodyEditor } from "./body";
import { requestOf, type Description, type Field, type Request } from "./request";
import type { Way } from "./send";
import { tokenForm } from "./token-form";
import { word, type Word } from "./words";

const TITLES: [Word, (field: Field) => boolean][] = [
  ["authorization", (field) => Boolean(field.scheme)],
  ["path", (field) => field.in === "path"],
  ["query", (field) => field.in === "query"],
  ["headers", (field) => field.in === "header" || field.in === "cookie"],
];

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface Listeners {
  changed(request: Request, field: string): void; // with placeholders for credentials
  sent(request: Request): Promise<void>;
}

export function buildForm(description: Description, way: Way, { changed, sent }: Listeners): HTMLFormElement {
  const form = make("form", { class: "ds-playground-form" });
  const server = serverChoice(description.servers);
  const controls = new Map<Field, Control>();
  const body = bodyEditor(description.bodies);
  const submit = make("button", { type: "submit", class: "ds-playground-send" }, word("send"));
  form.append(make("div", { class: "ds-playground-bar" }, head(description), submit), server.shown);
  form.append(...groups(description.fields, controls, server.value));
  addTokenForms(controls, server.value, way);
  if (body.shown) form.append(body.shown);
  const values = () => new Map([...controls].map(([field, control]) => [field, control.value.trim()]));
  const filled = () => ({ server: server.value(), values: values(), content: body.value() });
  const show = (event?: Event) => {
    const target = (event?.target as Element | undefined)?.closest?.<HTMLElement>("[data-name]");
    changed(requestOf(description, { ...filled(), isSample: true }), target?.dataset.name ?? "");
  };
  for (const kind of ["input", "change", "focusin", "pointerover"]) form.addEventListener(kind, show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    keepAll(controls, server.value());
    submit.disabled = true;
    void sent(requestOf(description, filled())).finally(() => (submit.disabled = false));
  });
  show();
  return form;
}

/** Add forms that fetch a token for fields with OAuth flows in the specification. */
function addTokenForms(controls: Map<Field, Control>, server: () => string, way: Way): void {
  for (const [field, control] of controls) {
    if (!field.oauth) continue;
    const form = tokenForm(field.oauth, way, (token) => {
      control.value = token;
      keep(field, server(), token);
      control.dispatchEvent(new Event("input", { bubbles: true }));
    });
    control.closest(".ds-playground-field")!.after(form);
  }
}

export function head({ method, path }: Description): HTMLElement {
  const name = make("span", { class: "ds-method", "data-method": method }, method);
  const parts = path.split(/(?=\/)/).flatMap((part) => [make("wbr"), part]); // lines break before them
  return make("h2", { class: "ds-playground-head" }, name, make("code", {}, ...parts));
}

/** The server is always in view, also where there is no other. */
export function serverChoice(servers: string[]): { shown: HTMLElement; value: () => string } {
  const select = make("select", {}, ...servers.map((each) => make("option", {}, absolute(each))));
  const only = make("output", { class: "ds-playground-server" }, absolute(servers[0] ?? ""));
  const control = servers.length > 1 ? select : only;
  return { shown: labelled(word("server"), control), value: () => select.value };
}

/** Return the URL of a server, which may be relative to the site. */
function absolute(server: string): string {
  try {
    return new URL(server, location.href).href.replace(/\/$/, "");
  } catch {
    return server;
  }
}

/** The fields of a request below their titles; the inputs are added to `controls`. */
export function groups(
  fields: Field[],
  controls: Map<Field, Control>,
  server: () => string,
): HTMLElement[] {
  const left = new Set(fields);
  return TITLES.flatMap(([title, belongs]) => {
    const chosen = [...left].filter(belongs);
    for (const field of chosen) left.delete(field);
    return chosen.length ? [group(title, chosen, controls, server)] : [];
  });
}

/** Return the values of the fields; credentials are kept for the visit. */
export function valuesOf(controls: Map<Field, Control>, server: string): Map<Field, string> {
  keepAll(controls, server);
  return new Map([...controls].map(([field, control]) => [field, control.value.trim()]));
}

function keepAll(controls: Map<Field, Control>, server: string): void {
  for (const [field, control] of controls) keep(field, server, control.value);
}

function group(
  title: Word,
  fields: Field[],
  controls: Map<Field, Control>,
  server: () => string,
): HTMLElement {
  const set = make("fieldset", {}, make("legend", {}, word(title)));
  for (const field of fields) {
    const control = input(field);
    control.value = kept(field, server()) ?? field.value ?? "";
    if (field.required && !field.scheme) control.required = true;
    controls.set(field, control);
    set.append(labelled(field.name, control, field));
  }
  return set;
}

function input(field: Field): Control {
  if (field.kind === "boolean" || field.choices?.length) {
    const choices = field.choices?.length ? field.choices : ["true", "false"];
    const empty = field.required ? [] : [make("option", { value: "" }, "")];
    return make("select", {}, ...empty, ...choices.map((each) => make("option", {}, String(each))));
  }
  const type = field.scheme ? "password" : "text";
  const numeric = field.kind === "integer" || field.kind === "number" ? "decimal" : undefined;
  const { placeholder } = field;
  return make("input", { type, inputmode: numeric, placeholder, autocomplete: "off", spellcheck: "false" });
}

export function labelled(name: string, control: HTMLElement, field?: Field): HTMLElement {
  const label = make("label", { for: identify(control) }, make("code", {}, name));
  const about = [field?.scheme ? word(field.scheme) : field?.kind, field?.required ? word("required") : ""];
  label.append(make("span", {}, about.filter(Boolean).join(" · ")));
  return make("div", { class: "ds-playground-field", "data-name": name }, label, control);
}

const storageKey = (field: Field, server: string) => `ds-playground ${server} ${field.name}`;

function keep(field: Field, server: string, value: string): void {
  if (field.scheme) write("session", storageKey(field, server), value);
}

function kept(field: Field, server: string): string | null {
  return field.scheme ? read("session", storageKey(field, server)) : null;
}
