/** Sends a request, from the browser itself or through the service that hosts the site. */
import { bodyOf, type Request } from "./request";

export interface Way {
  proxy?: string;
  credentials: boolean;
}

export interface Answer {
  status: number;
  statusText: string;
  headers: [string, string][];
  body: Blob;
  milliseconds: number;
}

export async function send(request: Request, way: Way): Promise<Answer> {
  const begun = performance.now();
  const isOurs = request.url.startsWith(`${location.origin}/`);
  const answer = way.proxy && !isOurs ? await throughProxy(request, way.proxy) : await direct(request, way);
  return { ...answer, milliseconds: Math.round(performance.now() - begun) };
}

type Untimed = Omit<Answer, "milliseconds">;

async function direct(request: Request, way: Way): Promise<Untimed> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers.filter(([name]) => name !== "Cookie"),
    body: request.content && bodyOf(request.content),
    credentials: way.credentials ? "include" : "omit",
  });
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    body: await response.blob(),
  };
}

async function throughProxy(request: Request, proxy: string): Promise<Untimed> {
  const { method, url } = request;
  const response = await fetch(proxy, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ page: location.pathname, method, url, ...(await packed(request)) }),
  });
  const relayed = (await response.json()) as {
    error?: string;
    status: number;
    headers: [string, string][];
    body: string;
  };
  if (!response.ok) throw new Error(relayed.error ?? response.statusText);
  const bytes = Uint8Array.from(atob(relayed.body), (character) => character.charCodeAt(0));
  const type = relayed.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return { status: relayed.status, statusText: "", headers: relayed.headers, body: new Blob([bytes], { type }) };
}

/** Headers and body for the proxy, which takes texts: bytes of files are sent in base 64. */
async function packed({ headers, content }: Request): Promise<object> {
  const body = content ? bodyOf(content) : "";
  if (typeof body === "string") return { headers, body };
  const form = new Response(body);
  const type = form.headers.get("Content-Type") ?? "";
  const bytes = new Uint8Array(await form.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { headers: [...headers, ["Content-Type", type]], body: btoa(text), base64: true };
}
