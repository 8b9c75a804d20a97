/** From a filled form to a request. */

export interface Field {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  kind?: string;
  choices?: (string | number)[];
  value?: string;
  placeholder?: string;
  scheme?: "bearer" | "basic" | "key";
}

export interface Body {
  kind: string;
  text: string;
}

export interface Description {
  method: string;
  path: string;
  servers: string[];
  fields: Field[];
  bodies: Body[];
  socket?: boolean; // a channel: `bodies` are messages that can be sent
}

export interface Request {
  method: string;
  url: string;
  headers: [string, string][];
  body?: string;
}

export interface Filled {
  server: string;
  values: Map<Field, string>;
  body?: Body;
}

/** Empty optional fields are left out; empty required ones are sent as they are. */
export function requestOf({ method, path }: Description, filled: Filled): Request {
  const headers: [string, string][] = [];
  const query = new URLSearchParams();
  const cookies: string[] = [];
  let address = path;
  for (const [field, value] of filled.values) {
    if (field.in === "path") {
      address = address.replaceAll(`{${field.name}}`, encodeURIComponent(value));
    } else if (value !== "" || (field.required && !field.scheme)) {
      const sent = credential(field, value);
      if (field.in === "query") add(query, field, sent);
      else if (field.in === "cookie") cookies.push(`${field.name}=${encodeURIComponent(sent)}`);
      else headers.push([field.name, sent]);
    }
  }
  if (cookies.length) headers.push(["Cookie", cookies.join("; ")]);
  const body = filled.body?.text;
  if (body) headers.push(["Content-Type", filled.body?.kind ?? ""]);
  const text = query.toString();
  const url = filled.server.replace(/\/+$/, "") + address + (text ? `?${text}` : "");
  return { method, url, headers, ...(body ? { body } : {}) };
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
