/** Makes a request of a filled form. */
import type { Flow } from "./oauth";

export interface Field {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  kind?: string;
  choices?: (string | number)[];
  value?: string;
  placeholder?: string;
  scheme?: "bearer" | "basic" | "key";
  oauth?: Flow[];
}

/** Facts of a schema about a value of a body that its example lacks. */
export interface Hint {
  required?: boolean;
  choices?: (string | number)[];
}

/**
 * An example of a body. The first of a kind has its `hints`: their keys are names of properties,
 * joined by dots; `*` is an item.
 */
export interface Body {
  kind: string;
  text: string;
  title?: string;
  hints?: Record<string, Hint>;
}

export interface Description {
  method: string;
  path: string;
  servers: string[];
  fields: Field[];
  bodies: Body[];
  socket?: boolean; // a channel: `bodies` are messages that can be sent
}

export type Part = [name: string, value: string | File];

/** Content of a request: a text, or the fields of a form. */
export interface Content {
  kind: string;
  text?: string;
  parts?: Part[];
}

export interface Request {
  method: string;
  url: string;
  headers: [string, string][];
  content?: Content;
}

export interface Filled {
  server: string;
  values: Map<Field, string>;
  content?: Content;
  isSample?: boolean; // with placeholders instead of credentials
}

const FORM = /^(multipart\/form-data|application\/x-www-form-urlencoded)/;

export const isForm = (kind: string): boolean => FORM.test(kind);

/** Empty optional fields are left out; empty required ones are sent as they are. */
export function requestOf({ method, path }: Pick<Description, "method" | "path">, filled: Filled): Request {
  const headers: [string, string][] = [];
  const query = new URLSearchParams();
  const cookies: string[] = [];
  let filledPath = path;
  for (const [field, given] of filled.values) {
    const value = filled.isSample && field.scheme ? `<${field.scheme === "bearer" ? "token" : "credentials"}>` : given;
    if (field.in === "path") {
      if (value || !filled.isSample) filledPath = filledPath.replaceAll(`{${field.name}}`, encodeURIComponent(value));
    } else if (value !== "" || (field.required && !field.scheme && !filled.isSample)) {
      const sent = filled.isSample && field.scheme === "basic" ? `Basic ${value}` : credential(field, value);
      if (field.in === "query") add(query, field, sent);
      else if (field.in === "cookie") cookies.push(`${field.name}=${encodeURIComponent(sent)}`);
      else headers.push([field.name, sent]);
    }
  }
  if (cookies.length) headers.push(["Cookie", cookies.join("; ")]);
  const { content } = filled;
  const hasContent = content && (content.text || content.parts?.length);
  if (hasContent && content.kind && !content.kind.startsWith("multipart/")) headers.push(["Content-Type", content.kind]);
  const text = query.toString();
  const url = filled.server.replace(/\/+$/, "") + filledPath + (text ? `?${text}` : "");
  return { method, url, headers, ...(hasContent ? { content } : {}) };
}

/** The body as `fetch` takes it; it names the boundary of a form with files itself. */
export function bodyOf({ kind, text, parts }: Content): string | FormData {
  if (!parts) return text ?? "";
  if (!kind.startsWith("multipart/")) return formText(parts);
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

export function formText(parts: Part[]): string {
  return new URLSearchParams(parts.map(([name, value]) => [name, typeof value === "string" ? value : value.name])).toString();
}

function add(query: URLSearchParams, field: Field, value: string): void {
  const parts = field.kind === "array" ? value.split(",").map((part) => part.trim()) : [value];
  for (const part of parts) query.append(field.name, part);
}

/** The value as it is sent, with the scheme that HTTP wants before it. */
function credential(field: Field, value: string): string {
  if (field.scheme === "bearer") return /^bearer /i.test(value) ? value : `Bearer ${value}`;
  if (field.scheme !== "basic" || /^basic /i.test(value)) return value;
  const bytes = new TextEncoder().encode(value);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
