/** Configuration that a page passes to the widget, checked and completed by defaults. */
import { Failure } from "../assistant/failure";

export interface Config {
  id: string; // the deployment's domain
  key: string; // an assistant key, which is public
  endpoint: string; // of the service
  identity: string;
  nonce: string;
  defaultOpen: boolean;
  appearance: {
    variant: "widget" | "modal" | "panel";
    theme: "light" | "dark" | "system";
    accent: string;
    radius: number;
    font: string;
    side: "top" | "bottom" | "left" | "right" | "inline-start" | "inline-end";
    align: "start" | "center" | "end";
    dismissOnInteractOutside: boolean;
    logo: string;
    zIndex: number;
  };
  labels: { title: string; trigger: string; placeholder: string; disclaimer: string | false; suggestions: string };
  supportEmail: string;
  starterQuestions: string[];
  filter: { language: string; version: string };
  hooks: { event: ((event: WidgetEvent) => void) | null; error: ((error: WidgetError) => void) | null };
  analytics: { capturePathname: boolean };
}

export interface WidgetEvent {
  type: "init" | "open" | "close" | "ask" | "update" | "reset" | "navigate" | "destroy";
  source?: string;
}

export interface WidgetError {
  code: string;
  retryable: boolean;
  status?: number;
}

/** A part of a configuration; null is the default. */
export type Patch<T> = T extends (...given: never[]) => unknown
  ? T | null
  : T extends readonly unknown[]
    ? T | null
    : T extends object
      ? { [K in keyof T]?: Patch<T[K]> } | null
      : T | null;

const CHOICES: Record<string, readonly unknown[]> = {
  "appearance.variant": ["widget", "modal", "panel"],
  "appearance.theme": ["light", "dark", "system"],
  "appearance.side": ["top", "bottom", "left", "right", "inline-start", "inline-end"],
  "appearance.align": ["start", "center", "end"],
};
const MOST_STARTERS = 3;

/** `words` are those of the page's language. */
export function defaults(endpoint: string, words: { title: string; trigger: string; placeholder: string; suggestions: string }): Config {
  return {
    id: "",
    key: "",
    endpoint,
    identity: "",
    nonce: "",
    defaultOpen: false,
    appearance: {
      variant: "widget",
      theme: "system",
      accent: "#0f766e",
      radius: 10,
      font: "system-ui, sans-serif",
      side: "bottom",
      align: "end",
      dismissOnInteractOutside: false,
      logo: "",
      zIndex: 1000,
    },
    labels: { ...words, disclaimer: false },
    supportEmail: "",
    starterQuestions: [],
    filter: { language: "", version: "" },
    hooks: { event: null, error: null },
    analytics: { capturePathname: true },
  };
}

/** Return `base` changed by `patch`; null restores the value of `original`. Throw on unknown names. */
export function patched<T extends object>(base: T, patch: object, original: T, path = ""): T {
  const changed = { ...base } as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch)) {
    const option = `${path}${name}`;
    if (!Object.hasOwn(original, name)) throw wrong(option, "unknown option");
    const usual = (original as Record<string, unknown>)[name];
    if (value === undefined) continue;
    else if (value === null) changed[name] = usual;
    else if (isGroup(usual)) changed[name] = patched(changed[name] as object, group(value, option), usual, `${option}.`);
    else changed[name] = checked(value, usual, option);
  }
  return changed as T;
}

/** Return the configuration without a trailing slash of `endpoint`; throw if a required value is missing. */
export function complete(config: Config): Config {
  for (const name of ["id", "key", "endpoint"] as const) {
    if (!config[name].trim()) throw wrong(name, "is required");
  }
  return { ...config, endpoint: config.endpoint.replace(/\/+$/, "") };
}

function checked(value: unknown, usual: unknown, option: string): unknown {
  const choices = CHOICES[option];
  if (choices && !choices.includes(value)) throw wrong(option, `must be one of ${choices.join(", ")}`);
  if (option.startsWith("hooks.")) {
    if (typeof value !== "function") throw wrong(option, "must be a function");
  } else if (option === "labels.disclaimer") {
    if (typeof value !== "string" && value !== false) throw wrong(option, "must be a string or false");
  } else if (Array.isArray(usual)) {
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) throw wrong(option, "must be a list of strings");
    return value.slice(0, MOST_STARTERS);
  } else if (typeof value !== typeof usual) throw wrong(option, `must be a ${typeof usual}`);
  else if (option === "appearance.accent" && !CSS.supports("color", String(value))) throw wrong(option, "must be a CSS color");
  return value;
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function group(value: unknown, option: string): object {
  if (!isGroup(value)) throw wrong(option, "must be an object");
  return value;
}

function wrong(option: string, why: string): Failure {
  return new Failure("invalid_config", `${option}: ${why}`);
}
