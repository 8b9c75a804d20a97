/**
 * The web APIs that our dependencies take for granted and a bare V8 does not have.
 * Nothing here reaches outside: no clock beyond V8's own, no network, no files.
 */
type Global = Record<string, unknown>;
const scope = globalThis as unknown as Global;

class Utf8Encoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const bytes = new Uint8Array(text.length * 3);
    return bytes.slice(0, this.encodeInto(text, bytes).written);
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let written = 0;
    let read = 0;
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

class Utf8Decoder {
  readonly encoding = "utf-8";

  decode(input?: ArrayBuffer | ArrayBufferView): string {
    if (!input) return "";
    const bytes = bytesOf(input);
    let text = "";
    let units: number[] = [];
    for (let at = 0; at < bytes.length; ) {
      at = readPoint(bytes, at, units);
      if (units.length > 8_000) {
        text += String.fromCharCode(...units);
        units = [];
      }
    }
    return text + String.fromCharCode(...units);
  }
}

function bytesOf(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  return new Uint8Array(input);
}

function readPoint(bytes: Uint8Array, at: number, units: number[]): number {
  const first = bytes[at];
  if (first < 0x80) {
    units.push(first);
    return at + 1;
  }
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  let point = first & (0xff >> (size + 1));
  for (let index = 1; index < size; index += 1) point = (point << 6) | (bytes[at + index] & 0x3f);
  if (point > 0xffff) {
    units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
  } else {
    units.push(point);
  }
  return at + size;
}

/** Enough of a URL for code that only takes one apart. */
class PlainUrl {
  readonly href: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;

  constructor(address: string, base?: string) {
    const whole = /^[a-z][a-z\d+.-]*:/i.test(address) ? address : `${base ?? ""}${address}`;
    const match = /^([a-z][a-z\d+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(whole);
    if (!match) throw new TypeError(`Invalid URL: ${address}`);
    this.href = whole;
    [, this.protocol, this.hostname = "", this.pathname, this.search = "", this.hash = ""] = match;
  }

  toString(): string {
    return this.href;
  }
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
