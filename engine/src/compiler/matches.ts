/**
 * Nodes that the compiler found, read from its bytes, and commands that change them.
 *
 * Its library makes an object with all properties, both positions and a way to the children of each node. What
 * `notes.ts` needs of them takes a third of that time. The bytes are those of satteri 0.10.5
 * (`mdast/mdast-visitor.js`, `mdast/generated/layout.js`, `command-buffer.js`).
 */
import type { Attribute } from "./plain";

export interface Found {
  id: number;
  type: string;
  position?: { start: { line: number; column: number } };
  name?: string | null;
  attributes?: Attribute[];
  value?: string;
  lang?: string | null;
  meta?: string | null;
  url?: string;
  alt?: string;
  title?: string | null;
}

const TYPES: Readonly<Record<number, string>> = {
  7: "html",
  8: "code",
  9: "definition",
  15: "link",
  16: "image",
  18: "imageReference",
  19: "footnoteDefinition",
  20: "footnoteReference",
  27: "math",
  28: "inlineMath",
  100: "mdxJsxFlowElement",
  101: "mdxJsxTextElement",
  102: "mdxFlowExpression",
  103: "mdxTextExpression",
  104: "mdxjsEsm",
};

const ENTRY_BYTES = 10;
const POSITION_BYTES = 24;
const SHORT = 24; // characters that are decoded one by one
/** The compiler writes it for spaces in expressions. */
const PHANTOM_SPACE = "\uf002";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Yield the nodes in their order; `types` are those of the requested kinds. */
export function* nodesIn(bytes: Uint8Array, types: readonly number[]): Generator<Found> {
  const reader = new Reader(bytes);
  const count = reader.u32();
  for (let entry = 0; entry < count; entry += 1) {
    reader.at = 4 + entry * ENTRY_BYTES;
    const id = reader.u32();
    const type = types[bytes[reader.at]];
    reader.at += 2;
    reader.at = reader.u32();
    yield reader.node(id, type);
  }
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  node(id: number, type: number): Found {
    this.skip(this.u32()); // data of earlier plugins
    const node: Found = { id, type: TYPES[type], position: this.position() };
    this.skip(this.u32() * 5); // numbers and types of children
    if (type >= 100) {
      if (type <= 101) this.element(node);
      else if (type <= 103) node.value = withSpaces(this.text(this.u32()));
    } else if (type === 8) {
      node.lang = this.word() || null;
      node.meta = this.word() || null;
    } else if (type === 9 || type === 15) {
      node.url = this.word();
      node.title = this.word() || null;
    } else if (type === 16) {
      node.url = this.word();
      node.alt = this.word();
      node.title = this.word() || null;
    } else if (type === 18) {
      this.skip(this.u16()); // identifier
      this.skip(this.u16() + 1); // label, kind
      node.alt = this.word();
    }
    return node;
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }

  private skip(bytes: number): void {
    this.at += bytes;
  }

  private u16(): number {
    const { bytes, at } = this;
    this.at = at + 2;
    return bytes[at] | (bytes[at + 1] << 8);
  }

  private position(): Found["position"] {
    const end = this.at + POSITION_BYTES;
    this.at += 8;
    const line = this.u32();
    const column = this.u32();
    this.at = end;
    return line === 0 ? undefined : { start: { line, column } };
  }

  private element(node: Found): void {
    node.name = this.word() || null;
    const attributes: Attribute[] = [];
    for (let left = this.u16(); left > 0; left -= 1) {
      const kind = this.bytes[this.at];
      this.at += 1;
      const name = this.word();
      attributes.push(attribute(kind, name, this.text(this.u32())));
    }
    node.attributes = attributes;
  }

  private word(): string {
    return this.text(this.u16());
  }

  private text(length: number): string {
    const { bytes, at } = this;
    const end = (this.at = at + length);
    if (length > SHORT) return decoder.decode(bytes.subarray(at, end));
    let text = "";
    for (let index = at; index < end; index += 1) {
      if (bytes[index] > 0x7f) return decoder.decode(bytes.subarray(at, end));
      text += String.fromCharCode(bytes[index]);
    }
    return text;
  }
}

function attribute(kind: number, name: string, text: string): Attribute {
  if (kind === 0) return { type: "mdxJsxAttribute", name, value: null };
  if (kind === 1) return { type: "mdxJsxAttribute", name, value: text };
  const value = withSpaces(text);
  if (kind === 2) return { type: "mdxJsxAttribute", name, value: { type: "mdxJsxAttributeValueExpression", value } };
  return { type: "mdxJsxExpressionAttribute", value };
}

function withSpaces(text: string): string {
  return text.includes(PHANTOM_SPACE) ? text.replaceAll(PHANTOM_SPACE, " ") : text;
}

const REPLACE = 0x0b;
const SET_PROPERTY = 0x0c;
const OPERATIONS = 0x14;
const OPEN = 0x01;
const CLOSE = 0x02;
const KEEP_CHILDREN = 0x04;
const STRING = 0x05;
const DATA = 0x09;
const CUSTOM = 38;
const NAME = 8;
const TEXT = 0;

/** Commands for the compiler. */
export class Commands {
  private bytes = new Uint8Array(4_096);
  private size = 0;

  setData(id: number, data: unknown): void {
    this.reserve(6);
    this.put(SET_PROPERTY);
    this.u32(id);
    this.put(TEXT);
    this.text("data");
    this.text(JSON.stringify(data));
  }

  /** Replace a node by one with this name and data, and the same children. */
  replace(id: number, name: string, data: unknown): void {
    this.reserve(12);
    this.put(REPLACE);
    this.u32(id);
    this.put(OPERATIONS);
    const start = (this.size += 4);
    this.put(OPEN);
    this.put(CUSTOM);
    this.reserve(2);
    this.put(STRING);
    this.put(NAME);
    this.text(name);
    this.reserve(1);
    this.put(DATA);
    this.text(JSON.stringify(data));
    this.reserve(2);
    this.put(KEEP_CHILDREN);
    this.put(CLOSE);
    this.u32At(start - 4, this.size - start);
  }

  taken(): Uint8Array {
    return this.bytes.slice(0, this.size);
  }

  private put(byte: number): void {
    this.bytes[this.size] = byte;
    this.size += 1;
  }

  private u32(value: number): void {
    this.u32At(this.size, value);
    this.size += 4;
  }

  private u32At(at: number, value: number): void {
    const { bytes } = this;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }

  private text(text: string): void {
    this.reserve(4 + text.length * 3);
    const start = this.size + 4;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) return this.encoded(text);
      this.bytes[start + at] = unit;
    }
    this.u32(text.length);
    this.size += text.length;
  }

  private encoded(text: string): void {
    const { written } = encoder.encodeInto(text, this.bytes.subarray(this.size + 4));
    this.u32(written);
    this.size += written;
  }

  private reserve(bytes: number): void {
    if (this.size + bytes <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.size + bytes));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
