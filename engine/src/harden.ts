/**
 * Makes the language immutable. All pages of a worker share one context, so the next page would see
 * what the code of a page changes in it.
 */

/** Inherited properties that code may assign on its own objects: `error.name = "Mine"`. */
const OVERRIDDEN = ["name", "message", "toString", "valueOf", "stack"];

/** Ways to machine code and to memory that threads share; only the compiler needs them. */
const WITHHELD = ["Atomics", "SharedArrayBuffer", "WebAssembly"];
/** Globals of the host, which it cannot remove. */
const HOSTS = ["__timer_manager"];

/**
 * Freezes the language, the global object with every name that it has by now, and what the host
 * declared in addition.
 */
export function harden(...declared: unknown[]): void {
  for (const name of WITHHELD) Reflect.deleteProperty(globalThis, name);
  for (const name of HOSTS) Reflect.set(globalThis, name, undefined);
  const seen = new Set<object>();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    freeze((globalThis as unknown as Record<string, unknown>)[name], seen);
  }
  for (const each of declared) freeze(each, seen);
  for (const sample of [function* () {}, async function () {}, async function* () {}, [][Symbol.iterator](), "".matchAll(/x/g)]) {
    freeze(Object.getPrototypeOf(sample), seen);
  }
  for (const name of Reflect.ownKeys(globalThis)) fix(globalThis, name);
  Object.preventExtensions(globalThis);
}

function freeze(value: unknown, seen: Set<object>): void {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return;
  if (value === globalThis || seen.has(value as object) || isData(value)) return;
  const object = value as object;
  seen.add(object);
  freeze(Object.getPrototypeOf(object), seen);
  for (const key of Reflect.ownKeys(object)) {
    const { value: inner, get, set } = Object.getOwnPropertyDescriptor(object, key)!;
    for (const each of [inner, get, set]) freeze(each, seen);
  }
  if (object === Object.prototype || object === Error.prototype || object instanceof Error) {
    for (const key of OVERRIDDEN) letOverride(object, key);
  }
  Object.freeze(object);
}

/** Report whether a value holds data of the engine, and cannot be frozen. */
function isData(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof WebAssembly.Memory;
}

/** An inherited property that is frozen cannot be assigned to, unless by a setter. */
function letOverride(object: object, key: string): void {
  const known = Object.getOwnPropertyDescriptor(object, key);
  if (!known?.writable || !known.configurable) return;
  const { value, enumerable } = known;
  Object.defineProperty(object, key, {
    configurable: false,
    enumerable,
    get: () => value,
    set(this: object, own: unknown) {
      if (this === object) throw new TypeError(`${key} is fixed`);
      Object.defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
    },
  });
}

function fix(object: object, key: PropertyKey): void {
  const known = Object.getOwnPropertyDescriptor(object, key);
  if (!known?.configurable) return;
  const fixed = "value" in known ? { writable: false, configurable: false } : { configurable: false };
  Object.defineProperty(object, key, fixed);
}
