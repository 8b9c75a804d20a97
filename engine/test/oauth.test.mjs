// Tokens of the playground, by the flows of a specification, against a scripted server.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, describe, it } from "node:test";
import { bundled } from "./support/render.mjs";

const source = await bundled(`export { tokenFor, redirectUrl } from "./browser/playground/oauth";`);
const { tokenFor, redirectUrl } = await import(
  `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`
);

const URLS = { authorizationUrl: "https://id.example/authorize?a=1", tokenUrl: "https://id.example/token" };
const CODE = { kind: "authorizationCode", ...URLS, scopes: ["read", "write"], wanted: ["read"] };
const CLIENT = { id: "docs", secret: "", scope: "read" };
const BACK = "https://docs.example/base/_docs/oauth.html";
const ONE = { credentials: false };
let asked, opened, stored, answer, reply;

beforeEach(() => {
  [asked, opened, stored] = [[], [], new Map()];
  answer = { access_token: "secret-token" };
  reply = (url) => ({ code: "one-time", state: url.searchParams.get("state") });
  globalThis.location = { origin: "https://docs.example", protocol: "https:", pathname: "/api" };
  const script = { src: "https://docs.example/base/_docs/playground.0123.js" };
  globalThis.document = { documentElement: { lang: "en" }, querySelector: () => script };
  globalThis.window = {
    sessionStorage: { getItem: (key) => stored.get(key), setItem: (key, value) => stored.set(key, value) },
    open(target, _, features) {
      const url = new URL(target);
      opened.push({ url, features });
      const channel = new BroadcastChannel("docstead-oauth");
      channel.postMessage({ code: "of another window", state: "forged" });
      channel.postMessage(reply(url));
      channel.close();
    },
  };
  globalThis.fetch = async (url, options) => {
    asked.push({ url, headers: new Headers(options.headers), body: new URLSearchParams(options.body), options });
    return Response.json(answer, { status: answer.access_token ? 200 : 400 });
  };
});

describe("a token", () => {
  it("comes for a code that only this page can exchange", async () => {
    assert.equal(await tokenFor(CODE, CLIENT, ONE), "secret-token");
    const [{ url, features }] = opened;
    assert.match(features, /noopener/);
    const sent = Object.fromEntries(url.searchParams);
    assert.equal(sent.a, "1");
    assert.equal(sent.response_type, "code");
    assert.equal(sent.redirect_uri, BACK);
    assert.equal(sent.scope, "read");
    assert.equal(sent.code_challenge_method, "S256");
    const [{ body, headers }] = asked;
    const verifier = body.get("code_verifier");
    assert.equal(createHash("sha256").update(verifier).digest("base64url"), sent.code_challenge);
    assert.ok(verifier.length >= 43);
    assert.deepEqual([body.get("code"), body.get("client_id"), body.get("redirect_uri")], ["one-time", "docs", BACK]);
    assert.equal(headers.get("authorization"), null);
    assert.ok(![...stored.values()].some((value) => value.includes("secret-token")), "the form stores it, for its server");
  });

  it("comes for the client's own credentials, and these are not stored", async () => {
    const flow = { kind: "clientCredentials", tokenUrl: URLS.tokenUrl, scopes: [], wanted: [] };
    const client = { id: "a b", secret: "p:ß", scope: "" };
    assert.equal(await tokenFor(flow, client, ONE), "secret-token");
    const [{ body, headers, options }] = asked;
    assert.equal(headers.get("authorization"), `Basic ${btoa("a+b:p%3A%C3%9F")}`);
    assert.deepEqual(Object.fromEntries(body), { grant_type: "client_credentials" });
    assert.equal(options.credentials, "omit");
    assert.deepEqual([...stored.values()], ["a b"]);
    assert.equal(opened.length, 0);
  });

  it("comes in the URL where the flow is implicit", async () => {
    reply = (url) => ({ access_token: "from-url", state: url.searchParams.get("state") });
    assert.equal(await tokenFor({ ...CODE, kind: "implicit" }, CLIENT, ONE), "from-url");
    assert.equal(opened[0].url.searchParams.get("response_type"), "token");
    assert.equal(asked.length, 0);
  });

  it("does not come, and the server says why", async () => {
    answer = { error: "invalid_grant", error_description: "The code has expired" };
    await assert.rejects(tokenFor(CODE, CLIENT, ONE), /The code has expired/);
    reply = (url) => ({ error: "access_denied", state: url.searchParams.get("state") });
    await assert.rejects(tokenFor(CODE, CLIENT, ONE), /access_denied/);
  });

  for (const page of [{ origin: "null", protocol: "https:" }, { origin: "file://", protocol: "file:" }]) {
    it(`needs a host of its own, not ${page.protocol} with ${page.origin}`, async () => {
      globalThis.location = { ...page, pathname: "/api" };
      await assert.rejects(tokenFor(CODE, CLIENT, ONE), /own host/);
      assert.equal(opened.length, 0);
    });
  }

  it("is delivered beside the scripts of the site", () => assert.equal(redirectUrl(), BACK));

  it("is asked for through the proxy of a site that has one", async () => {
    answer = { status: 200, headers: [], body: btoa(JSON.stringify({ access_token: "by-proxy" })), access_token: "x" };
    const flow = { kind: "clientCredentials", tokenUrl: URLS.tokenUrl, scopes: [], wanted: [] };
    assert.equal(await tokenFor(flow, CLIENT, { ...ONE, proxy: "/_docs/api/request" }), "by-proxy");
    assert.equal(asked[0].url, "/_docs/api/request");
    const sent = JSON.parse(asked[0].options.body);
    assert.deepEqual([sent.method, sent.url], ["POST", URLS.tokenUrl]);
    assert.equal(sent.body, "grant_type=client_credentials&scope=read&client_id=docs");
  });
});
