/**
 * Starts the compiler, a WebAssembly program, without files, network or workers. Its bytes
 * are put into `compilerBytes` before this script runs.
 */
import "../shims";
import {
  WASI,
  getDefaultContext,
  instantiateNapiModuleSync,
  // @ts-expect-error the package has no types
} from "@napi-rs/wasm-runtime";
import { replaceEach } from "../patterns";

const PAGE_BYTES = 64 * 1024;
const { RuntimeError } = WebAssembly;
const INITIAL_BYTES = 64 * 1024 * 1024;
const MAXIMUM_BYTES = 512 * 1024 * 1024;

const scope = globalThis as unknown as { compilerBytes?: ArrayBuffer };

type Exports = Record<string, (...values: any[]) => any>;

/**
 * The compiler's glue asks of every buffer whether it is shared, by catching the error that this getter
 * raises where it is not. If its class has no getter of its own when the glue starts, it compares classes.
 */
function withInheritedGetter<T>(start: () => T): T {
  const { prototype } = SharedArrayBuffer;
  const getter = Object.getOwnPropertyDescriptor(prototype, "byteLength") as PropertyDescriptor;
  const parent = Object.getPrototypeOf(prototype) as object;
  Reflect.deleteProperty(prototype, "byteLength");
  Object.setPrototypeOf(prototype, Object.create(parent, { byteLength: getter }) as object);
  try {
    return start();
  } finally {
    Object.setPrototypeOf(prototype, parent);
    Object.defineProperty(prototype, "byteLength", getter);
  }
}

const BEYOND_ASCII = /[^\x00-\x7f]+/g;
const { unescape: percentDecoded } = globalThis as unknown as Record<string, (text: string) => string>;

/** Return a text whose characters are the bytes of its UTF-8. Raises an error for lone surrogates. */
function binaryOf(text: string): string {
  return replaceEach(text, BEYOND_ASCII, (part) => percentDecoded(encodeURIComponent(part)));
}

/** The glue counts a text's bytes character by character, and encodes it then. This encodes once. */
function encodeQuickly(napi: Exports, memory: WebAssembly.Memory): void {
  const context = getDefaultContext();
  const general = napi.napi_get_value_string_utf8;
  let last = { text: "", binary: "" };
  napi.napi_get_value_string_utf8 = (env, value, target, capacity, result) => {
    const text: unknown = context.handleStore.get(value)?.value;
    if (typeof text !== "string" || !result) return general(env, value, target, capacity, result);
    try {
      if (last.text !== text) last = { text, binary: binaryOf(text) };
    } catch {
      return general(env, value, target, capacity, result);
    }
    const { binary } = last;
    if (target) {
      if (binary.length >= capacity >>> 0) return general(env, value, target, capacity, result);
      const bytes = new Uint8Array(memory.buffer, target >>> 0, binary.length + 1);
      for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
      bytes[binary.length] = 0;
    }
    new DataView(memory.buffer).setUint32(result >>> 0, binary.length, true);
    return context.envStore.get(env).clearLastError();
  };
}

function start(bytes: ArrayBuffer): Exports {
  const memory = new WebAssembly.Memory({
    initial: INITIAL_BYTES / PAGE_BYTES,
    maximum: MAXIMUM_BYTES / PAGE_BYTES,
    shared: true,
  });
  const { napiModule } = instantiateNapiModuleSync(bytes, {
    context: getDefaultContext(),
    asyncWorkPoolSize: 0,
    wasi: new WASI({
      version: "preview1",
      printErr(...said: string[]) {
        isOutOfMemory ||= said.join("").startsWith("memory allocation of");
      },
    }),
    onCreateWorker() {
      throw new Error("the compiler runs without workers");
    },
    overwriteImports(imports: { env: object; napi: Exports; emnapi: object }) {
      encodeQuickly(imports.napi, memory);
      imports.env = { ...imports.env, ...imports.napi, ...imports.emnapi, memory };
      return imports;
    },
    beforeInit({ instance }: { instance: { exports: Exports } }) {
      for (const [name, register] of Object.entries(instance.exports)) {
        if (name.startsWith("__napi_register__")) register();
      }
    },
  });
  return napiModule.exports as Exports;
}

let failure: unknown = null;
let isOutOfMemory = false;

/** Whether the compiler ran out of stack or memory. Its locks stay locked, so it cannot be used again. */
export function hasFailed(): boolean {
  return failure !== null;
}

/** Whether it failed for lack of memory, which grows with the square of a page's components side by side. */
export function lacksMemory(): boolean {
  return isOutOfMemory;
}

/** Remembers a failure of the compiler, and raises it at once for later calls, which would wait forever. */
function guarded(binding: Exports): Exports {
  const guardedCall = (call: Exports[string]): Exports[string] => (...values) => {
    if (failure) throw failure;
    try {
      return call(...values);
    } catch (error) {
      if (error instanceof RangeError || error instanceof RuntimeError) failure = error;
      throw error;
    }
  };
  return Object.fromEntries(Object.entries(binding).map(([name, call]) => [name, guardedCall(call)]));
}

const binding = guarded(withInheritedGetter(() => start(scope.compilerBytes as ArrayBuffer)));
delete scope.compilerBytes;

/** Whether the Markdown that is being compiled shall become HTML in place of a program. */
let isHtmlRequested = () => false;

/** Run a compilation whose result is HTML where `isRequested` says so after the tree was read. */
export function compileAsHtml<T>(isRequested: () => boolean, run: () => T): T {
  isHtmlRequested = isRequested;
  try {
    return run();
  } finally {
    isHtmlRequested = () => false;
  }
}

/** Reads the nodes that the compiler found, of kinds with these types, and returns commands. */
type Read = (found: Uint8Array, types: readonly number[]) => Uint8Array;

const NOTHING = new Uint8Array(4);
let read: Read | null = null;
let commandsRead: Uint8Array | null = null;

/** Run a compilation in which `reads` reads the nodes in place of the compiler's library. */
export function compileWithReader<T>(reads: Read, run: () => T): T {
  read = reads;
  try {
    return run();
  } finally {
    read = commandsRead = null;
  }
}

export const walkMdastHandle: Exports[string] = (handle, requested: { nodeType: number }[]) => {
  const found = binding.walkMdastHandle(handle, requested);
  if (!read) return found;
  commandsRead = read(found, requested.map(({ nodeType }) => nodeType));
  return NOTHING;
};

export const applyMdastCommandsAndConvertAndCompile: Exports[string] = (handle, given, program, conversion) => {
  const commands = commandsRead ?? given;
  if (!isHtmlRequested()) return binding.applyMdastCommandsAndConvertAndCompile(handle, commands, program, conversion);
  const { html, ...rest } = binding.applyMdastCommandsAndConvertAndRender(handle, commands, conversion);
  return { code: html, ...rest };
};

export const {
  applyCommandsAndCompileHandle,
  applyCommandsAndConvertToHastHandle,
  applyCommandsAndRenderHandle,
  applyCommandsToHandle,
  applyCommandsToMdastHandle,
  applyMdastCommandsAndConvertAndRender,
  compileHandle,
  compileMdx,
  convertMdastToHastHandle,
  createHastHandle,
  createHastHandleFromHtml,
  createHastHandleWithFrontmatter,
  createMdastHandle,
  createMdxHastHandle,
  createMdxHastHandleWithFrontmatter,
  createMdxMdastHandle,
  dropHandle,
  getHandleSource,
  getMdastFrontmatter,
  getNodeData,
  markdownToHtmlFast,
  markdownToJsFast,
  mdastTextContentHandle,
  mdxToJsFast,
  parseEsm,
  parseExpression,
  parseToHtml,
  renderHandle,
  serializeHandle,
  setNodeData,
  textContentHandle,
  walkHandle,
} = binding;
