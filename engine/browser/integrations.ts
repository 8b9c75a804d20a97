/**
 * Loads the scripts of other hosts that a site's settings name, each as its vendor's own
 * snippet does. Accounts and hosts were checked when the settings were read. A page opened
 * from a disk loads none, nor one whose reader has not given the consent it waits for; who
 * asks not to be tracked gets only chats.
 */
type Fields = Record<string, string>;
type Globals = Record<string, any>;

const globals = window as unknown as Globals;
const { vendors = {}, consent = null } = JSON.parse(
  (document.currentScript as HTMLScriptElement).dataset.integrations || "{}",
) as { vendors?: Record<string, Fields>; consent?: [string, string] | null };
const CHATS = ["frontchat", "intercom"];
const CONSENT_EVERY_MS = 2_000;

function load(src: string, attributes: Fields = {}, done?: () => void): void {
  const script = document.createElement("script");
  script.async = true;
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
  if (done) script.addEventListener("load", done);
  script.src = src;
  document.head.append(script);
}

/** A function that keeps its calls in `q`, until the vendor's script takes them over. */
function queue(name: string): void {
  const kept = (...call: unknown[]): unknown => (kept.q = [...kept.q, call]);
  kept.q = [] as unknown[];
  globals[name] ??= kept;
}

function dataLayer(): IArguments[] {
  return (globals.dataLayer ??= []);
}

/** Tags want the arguments of a call, not an array. */
function gtag(..._: unknown[]): void {
  dataLayer().push(arguments);
}

const LOADERS: Record<string, (fields: Fields) => void> = {
  adobe: ({ launchUrl }) => load(launchUrl),
  amplitude: ({ apiKey }) =>
    load(`https://cdn.amplitude.com/script/${apiKey}.js`, {}, () => globals.amplitude?.init(apiKey)),
  clarity: ({ projectId }) => {
    queue("clarity");
    load(`https://www.clarity.ms/tag/${projectId}`);
  },
  clearbit: ({ publicApiKey }) =>
    load(`https://tag.clearbitscripts.com/v1/${publicApiKey}/tags.js`, {
      referrerpolicy: "strict-origin-when-cross-origin",
    }),
  fathom: ({ siteId }) => load("https://cdn.usefathom.com/script.js", { "data-site": siteId }),
  frontchat: ({ snippetId }) =>
    load("https://chat-assets.frontapp.com/v1/chat.bundle.js", {}, () =>
      globals.FrontChat?.("init", { chatId: snippetId, useDefaultLauncher: true }),
    ),
  ga4: ({ measurementId }) => {
    globals.gtag ??= gtag;
    globals.gtag("js", new Date());
    globals.gtag("config", measurementId);
    load(`https://www.googletagmanager.com/gtag/js?id=${measurementId}`);
  },
  gtm: ({ tagId }) => {
    dataLayer().push({ "gtm.start": Date.now(), event: "gtm.js" } as unknown as IArguments);
    load(`https://www.googletagmanager.com/gtm.js?id=${tagId}`);
  },
  heap: ({ appId }) => {
    globals.heap = Object.assign(globals.heap ?? [], { appid: appId, config: {} });
    load(`https://cdn.heapanalytics.com/js/heap-${appId}.js`);
  },
  hightouch: ({ writeKey, apiHost }) => {
    const waiting = [["page"]];
    globals.htevents ??= Object.assign(waiting, { _writeKey: writeKey, _loadOptions: { apiHost }, invoked: true });
    load("https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js");
  },
  hotjar: ({ hjid, hjsv = "6" }) => {
    queue("hj");
    globals._hjSettings = { hjid: Number(hjid), hjsv: Number(hjsv) };
    load(`https://static.hotjar.com/c/hotjar-${hjid}.js?sv=${hjsv}`);
  },
  intercom: ({ appId }) => {
    globals.intercomSettings = { app_id: appId };
    queue("Intercom");
    load(`https://widget.intercom.io/widget/${appId}`);
  },
  logrocket: ({ appId }) =>
    load("https://cdn.logrocket.io/LogRocket.min.js", { crossorigin: "anonymous" }, () =>
      globals.LogRocket?.init(appId),
    ),
  mixpanel: ({ projectToken }) => {
    const first = [projectToken, { track_pageview: true }, "mixpanel"];
    globals.mixpanel ??= Object.assign([], { _i: [first], people: [], __SV: 1.2 });
    load("https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js");
  },
  pirsch: ({ id }) => load("https://api.pirsch.io/pa.js", { id: "pianjs", "data-code": id }),
  plausible: ({ domain, server }) => load(`https://${server}/js/script.js`, { "data-domain": domain }),
  posthog: ({ apiKey, apiHost, assets, sessionRecording }) => {
    const settings = {
      api_host: `https://${apiHost}`,
      disable_session_recording: sessionRecording !== "true",
    };
    globals.posthog ??= Object.assign([], { _i: [[apiKey, settings, "posthog"]], people: [], __SV: 1 });
    load(`https://${assets}/static/array.js`, { crossorigin: "anonymous" });
  },
  segment: ({ key }) => {
    const waiting = [["page"]];
    globals.analytics ??= Object.assign(waiting, { _writeKey: key, invoked: true, SNIPPET_VERSION: "5.2.1" });
    load(`https://cdn.segment.com/analytics.js/v1/${key}/analytics.min.js`);
  },
};

function isUntracked(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}

function isAllowed(): boolean {
  if (!consent) return true;
  const [key, value] = consent;
  const cookies = document.cookie.split("; ");
  if (cookies.some((each) => each === `${key}=${value}` || each === `${key}=${encodeURIComponent(value)}`)) return true;
  try {
    return localStorage.getItem(key) === value;
  } catch {
    return false; // storage is switched off
  }
}

function begin(): void {
  for (const [name, fields] of Object.entries(vendors)) {
    if (!isUntracked() || CHATS.includes(name)) LOADERS[name]?.(fields);
  }
}

/** Consent is often given on the page that asks for it. */
function beginOnceAllowed(): void {
  if (isAllowed()) return begin();
  const waiting = setInterval(() => {
    if (!isAllowed()) return;
    clearInterval(waiting);
    begin();
  }, CONSENT_EVERY_MS);
}

/** A page that the browser renders in advance begins when it is shown. */
function beginOnceShown(): void {
  const page = document as Document & { prerendering?: boolean };
  if (!page.prerendering) return beginOnceAllowed();
  page.addEventListener("prerenderingchange", beginOnceAllowed, { once: true });
}

if (location.protocol !== "file:") beginOnceShown();
