/** Sends a request, from the browser itself or through the service that hosts the site. */
import type { Request } from "./request";

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
    body: request.body,
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
  const response = await fetch(proxy, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ page: location.pathname, ...request }),
  });
  const told = (await response.json()) as {
    error?: string;
    status: number;
    headers: [string, string][];
    body: string;
  };
  if (!response.ok) throw new Error(told.error ?? response.statusText);
  const bytes = Uint8Array.from(atob(told.body), (character) => character.charCodeAt(0));
  const type = told.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return { status: told.status, statusText: "", headers: told.headers, body: new Blob([bytes], { type }) };
}
