/**
 * Copies of the library's settings, which it makes for each of its parts of a drawing.
 *
 * The library's own function for them merges any two values, and takes half of the time of a
 * drawing: it defines each of some hundred properties separately. Most readers of a copy need one group of
 * settings, so the others are copied when they are first read.
 */
const DEPTH = 2; // deeper values are shared, as in the library

type Settings = Record<string, unknown>;

/** Return what `assignWithDepth({}, settings)` of the library returns. */
export function copySettings(settings: Settings): Settings {
  return copied(settings, DEPTH) as Settings;
}

/** Return such a copy whose groups are copied when they are first read. */
export function lazyCopy(settings: Settings): Settings {
  const read = (target: Settings, name: string): unknown => {
    const value = target[name];
    if (typeof value !== "object" || value === null || value !== settings[name]) return value;
    return (target[name] = copied(value, DEPTH - 1));
  };
  return new Proxy(withoutNulls(settings), {
    get: read as never,
    getOwnPropertyDescriptor(target, name) {
      read(target, name as string);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

function copied(value: object, depth: number): object {
  if (Array.isArray(value)) return [...new Set(value)];
  const copy: Settings = { ...value };
  if (depth <= 0) return copy;
  for (const name of Object.keys(copy)) {
    const own = copy[name];
    if (own === null) delete copy[name];
    else if (typeof own === "object") copy[name] = copied(own, depth - 1);
  }
  return copy;
}

function withoutNulls(settings: Settings): Settings {
  const copy = { ...settings };
  for (const name of Object.keys(copy)) if (copy[name] === null) delete copy[name];
  return copy;
}
