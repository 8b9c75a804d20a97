/**
 * The web APIs that our dependencies need and a bare V8 lacks.
 * Nothing here leaves V8: no clock beyond V8's own, no network, no files.
 */
import { replaceEach } from "./patterns";

type Global = Record<string, unknown>;
const scope = globalThis as unknown as Global;

/** UTF-8 of every page, into the compiler and out of it. */
class Utf8Encoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const bytes = new Uint8Array(text.length * 3);
    return bytes.slice(0, this.encodeInto(text, bytes).written);
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = writeAscii(text, target);
    let written = read;
    while (read < text.length) {
      const point = scalar(text.codePointAt(read) as number);
      const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (written + size > target.length) break;
      writePoint(point, size, target, written);
      written += size;
      read += point > 0xffff ? 2 : 1;
    }
    return { read, written };
  }
}

/** Write the characters before the first one beyond ASCII, and return their number. */
function writeAscii(text: string, target: Uint8Array): number {
  const most = Math.min(text.length, target.length);
  for (let at = 0; at < most; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return at;
    target[at] = unit;
  }
  return most;
}

function scalar(point: number): number {
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
}

function writePoint(point: number, size: number, target: Uint8Array, at: number): void {
  if (size === 1) {
    target[at] = point;
    return;
  }
  for (let index = size - 1; index > 0; index -= 1) {
    target[at + index] = 0x80 | (point & 0x3f);
    point >>= 6;
  }
  target[at] = [0, 0, 0xc0, 0xe0, 0xf0][size] | point;
}

const MOST_UNITS = 8_192; // as many as one call may be given as arguments
const BEYOND_ASCII = /[\x80-\xff]+/g;
// Taken before pages run. Both are native, and faster than any loop here.
const { decodeURIComponent: percentDecoded, escape: percentEncoded } = globalThis as unknown as Record<
  string,
  (text: string) => string
>;

class Utf8Decoder {
  readonly encoding = "utf-8";

  decode(input?: ArrayBuffer | ArrayBufferView): string {
    if (!input) return "";
    const bytes = bytesOf(input);
    let text = "";
    for (let at = 0; at < bytes.length; at += MOST_UNITS) text += textOf(bytes.subarray(at, at + MOST_UNITS));
    try {
      return replaceEach(text, BEYOND_ASCII, (part) => percentDecoded(percentEncoded(part)));
    } catch {
      return decodePoints(bytes);
    }
  }
}

function textOf(units: Uint8Array | Uint16Array): string {
  return String.fromCharCode.apply(null, units as unknown as number[]);
}

const UNITS = new Uint16Array(MOST_UNITS);

/** Decode bytes of which some are no UTF-8. */
function decodePoints(bytes: Uint8Array): string {
  let text = "";
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at];
    const size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    count = putPoint(size === 1 ? first : readPoint(bytes, at, size), count);
    at += size;
    if (count > UNITS.length - 2) {
      text += textOf(UNITS.subarray(0, count));
      count = 0;
    }
  }
  return text + textOf(UNITS.subarray(0, count));
}

function bytesOf(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  return new Uint8Array(input);
}

function readPoint(bytes: Uint8Array, at: number, size: number): number {
  let point = bytes[at] & (0xff >> (size + 1));
  for (let index = 1; index < size; index += 1) point = (point << 6) | (bytes[at + index] & 0x3f);
  return point;
}

/** Write one unit, or two for a character beyond the first plane, and return the next position. */
function putPoint(point: number, count: number): number {
  if (point <= 0xffff) {
    UNITS[count] = point;
    return count + 1;
  }
  UNITS[count] = 0xd800 + ((point - 0x10000) >> 10);
  UNITS[count + 1] = 0xdc00 + ((point - 0x10000) & 0x3ff);
  return count + 2;
}

/** The part of `URL` that parsing needs. */
class PlainUrl {
  readonly href: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;

  constructor(url: string, base?: string) {
    const whole = /^[a-z][a-z\d+.-]*:/i.test(url) ? url : `${base ?? ""}${url}`;
    const match = /^([a-z][a-z\d+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(whole);
    if (!match) throw new TypeError(`Invalid URL: ${url}`);
    this.href = whole;
    [, this.protocol, this.hostname = "", this.pathname, this.search = "", this.hash = ""] = match;
  }

  toString(): string {
    return this.href;
  }
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Characters up to U+00FF as base64, as `btoa` has it. */
function toBase64(given: string): string {
  const text = String(given);
  let written = "";
  for (let at = 0; at < text.length; at += 3) {
    const units = [0, 1, 2].map((next) => text.charCodeAt(at + next) || 0);
    if (units.some((unit) => unit > 0xff)) throw new RangeError("a character beyond U+00FF");
    const [one, two, three] = units;
    const sextets = [one >> 2, ((one & 3) << 4) | (two >> 4), ((two & 15) << 2) | (three >> 6), three & 63];
    const known = Math.min(3, text.length - at) + 1;
    written += sextets.map((each, index) => (index < known ? BASE64[each] : "=")).join("");
  }
  return written;
}

function fromBase64(given: string): string {
  const text = String(given).replace(/[\t\n\f\r ]/g, "").replace(/={1,2}$/, "");
  let bits = 0;
  let count = 0;
  let read = "";
  for (const character of text) {
    const value = BASE64.indexOf(character);
    if (value < 0) throw new RangeError("not base64");
    bits = (bits << 6) | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      read += String.fromCharCode((bits >> count) & 0xff);
    }
  }
  return read;
}

function provide(name: string, value: unknown): void {
  if (scope[name] === undefined) scope[name] = value;
}

function silent(): void {}

provide("self", globalThis);
provide("global", globalThis);
provide("console", { log: silent, info: silent, warn: silent, error: silent, debug: silent });
provide("TextEncoder", Utf8Encoder);
provide("TextDecoder", Utf8Decoder);
provide("URL", PlainUrl);
provide("btoa", toBase64);
provide("atob", fromBase64);
provide("queueMicrotask", (task: () => void) => void Promise.resolve().then(task));
// The host's own timers outlive the context that they belong to. What the compiler puts off
// is done when the call ends; a page has ended before any timer of its own could ring.
const soon = (task: () => void, delay = 0) => (delay > 0 ? 0 : queueMicrotask(task) ?? 0);
scope.setTimeout = soon;
scope.setImmediate = soon;
scope.setInterval = () => 0;
scope.clearTimeout = scope.clearInterval = silent;
provide("structuredClone", (value: unknown) => JSON.parse(JSON.stringify(value)));
provide("performance", { now: () => Date.now() });
// Seeds of hash tables only; nothing secret is made in here.
provide("crypto", {
  getRandomValues(target: Uint8Array) {
    for (let index = 0; index < target.length; index += 1) target[index] = Math.random() * 256;
    return target;
  },
});
