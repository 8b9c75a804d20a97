/**
 * Copies of the library's settings, which it makes for each of its parts of a drawing.
 *
 * The library's own function for them merges any two values. It takes half of the time of a
 * drawing, since it defines each of some hundred properties separately.
 */
const DEPTH = 2; // deeper values are shared, as in the library

type Settings = Record<string, unknown>;

/** Return what `assignWithDepth({}, settings)` of the library returns. */
export function copySettings(settings: Settings): Settings {
  return copied(settings, DEPTH) as Settings;
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
