/**
 * Tokens by the OAuth flows of a specification. Readers sign in in another window, whose last page
 * (oauth.html in the folder of the site's scripts) hands over the code. The token and the client's name
 * are kept for the visit, the client's secret is not.
 */
import { read, write } from "../components/storage";
import { CHANNEL } from "./oauth-channel";
import type { Part, Request } from "./request";
import { send, type Way } from "./send";
import { word } from "./words";

export interface Flow {
  kind: "authorizationCode" | "clientCredentials" | "implicit";
  authorizationUrl?: string;
  tokenUrl?: string;
  scopes: string[];
  wanted: string[]; // by the operation
}

export interface Client {
  id: string;
  secret: string;
  scope: string;
}

type Said = Record<string, string>;

const FORM = "application/x-www-form-urlencoded";
const WEB_URL = /^https?:\/\//i;
let listening: BroadcastChannel | undefined;

export const clientOf = (flow: Flow): string => read("session", storageKey(flow)) ?? "";

/** Rejects with the reason that the server or the browser gives. */
export async function tokenFor(flow: Flow, client: Client, way: Way): Promise<string> {
  write("session", storageKey(flow), client.id);
  if (flow.kind === "clientCredentials") {
    return tokenFrom(flow, client, way, [["grant_type", "client_credentials"], ...scopeOf(client)]);
  }
  if (location.origin === "null" || location.protocol === "file:" || !crypto.subtle) throw new Error(word("noSignIn"));
  const verifier = random();
  const said = await signIn(flow, client, flow.kind === "implicit" ? "" : await challengeOf(verifier));
  if (said.access_token) return said.access_token;
  if (!said.code) throw reasonOf(said);
  const proof: Part[] = [["redirect_uri", redirectUrl()], ["code_verifier", verifier]];
  return tokenFrom(flow, client, way, [["grant_type", "authorization_code"], ["code", said.code], ...proof]);
}

/** The URL that is registered with the authorization server. */
export function redirectUrl(): string {
  const script = document.querySelector<HTMLScriptElement>("script[data-dialog]");
  return new URL("oauth.html", script?.src ?? document.baseURI).href;
}

/** Opens the page of the authorization server and waits for its answer to this very request. */
function signIn(flow: Flow, client: Client, challenge: string): Promise<Said> {
  const state = random();
  const url = new URL(flow.authorizationUrl!);
  const parameters = { client_id: client.id, redirect_uri: redirectUrl(), state, ...Object.fromEntries(scopeOf(client)) };
  const kind = challenge
    ? { response_type: "code", code_challenge: challenge, code_challenge_method: "S256" }
    : { response_type: "token" };
  for (const [name, value] of Object.entries({ ...parameters, ...kind })) url.searchParams.set(name, value);
  if (!WEB_URL.test(url.href)) throw new Error(url.protocol);
  listening?.close();
  const channel = (listening = new BroadcastChannel(CHANNEL));
  window.open(url.href, "_blank", "noopener,width=520,height=720");
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.state !== state) return;
      channel.close();
      resolve(data);
    };
  });
}

async function tokenFrom(flow: Flow, client: Client, way: Way, parts: Part[]): Promise<string> {
  const headers: [string, string][] = [["Accept", "application/json"], ["Content-Type", FORM]];
  if (client.secret) headers.push(["Authorization", `Basic ${btoa(`${plain(client.id)}:${plain(client.secret)}`)}`]);
  else parts.push(["client_id", client.id]);
  const request: Request = { method: "POST", url: flow.tokenUrl!, headers, content: { kind: FORM, parts } };
  const answer = await send(request, { ...way, credentials: false });
  const text = await answer.body.text();
  const said = parsed(text);
  if (said.access_token) return said.access_token;
  throw said.error ? reasonOf(said) : new Error(`${answer.status} ${text.slice(0, 200)}`.trim());
}

function parsed(text: string): Said {
  try {
    return (JSON.parse(text) as Said) ?? {};
  } catch {
    return {};
  }
}

function reasonOf({ error, error_description: description }: Said): Error {
  return new Error(description || error || word("failed"));
}

const scopeOf = ({ scope }: Client): [string, string][] => (scope ? [["scope", scope]] : []);

/** As a form spells it, before it becomes part of a header (RFC 6749, 2.3.1). */
const plain = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

const random = (): string => encoded(crypto.getRandomValues(new Uint8Array(32)));

async function challengeOf(verifier: string): Promise<string> {
  return encoded(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function encoded(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const storageKey = (flow: Flow): string => `ds-playground client ${flow.authorizationUrl ?? flow.tokenUrl}`;
