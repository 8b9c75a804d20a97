/** Points of a path: its ends, and enough of its curves to know how far they bend. */
type Point = [number, number];

const COMMAND = /([a-zA-Z])([^a-zA-Z]*(?:e-?\d+[^a-zA-Z]*)*)/g;
const NUMBERS: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
const STEPS = 12; // points of a curve that are looked at

const known = new Map<string, Point[]>();
const MOST_KNOWN = 500; // a drawing measures its paths again for every group around them

/** Return the points of a path, which are not to be changed. */
export function pathPoints(path: string): readonly Point[] {
  let points = known.get(path);
  if (points) return points;
  points = readPoints(path);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(path, points);
  return points;
}

function readPoints(path: string): Point[] {
  const points: Point[] = [];
  let [at, start, control]: [Point, Point, Point] = [[0, 0], [0, 0], [0, 0]];
  for (const [, letter, rest] of path.matchAll(COMMAND)) {
    const name = letter!.toLowerCase();
    const count = NUMBERS[name];
    if (count === undefined) continue;
    const numbers = (rest!.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g) ?? []).map(Number);
    if (name === "z") at = start;
    for (let n = 0; count > 0 && n + count <= numbers.length; n += count) {
      const [x, y] = letter === name ? at : [0, 0];
      const given = numbers.slice(n, n + count);
      if (name === "h") at = [x + given[0]!, at[1]];
      else if (name === "v") at = [at[0], y + given[0]!];
      else {
        const pairs = name === "a" ? [given.slice(5)] : couples(given);
        const ends = pairs.map(([a, b]) => [a! + x, b! + y] as Point);
        const to = ends.at(-1)!;
        if (name === "c") points.push(...curve([at, ...ends]));
        if (name === "q") points.push(...curve([at, ...ends]));
        if (name === "s") points.push(...curve([at, [2 * at[0] - control[0], 2 * at[1] - control[1]], ...ends]));
        if (name === "a") points.push(...bulge(at, to, given));
        control = ends.length > 1 ? ends.at(-2)! : to;
        at = to;
        if (name === "m" && n === 0) start = to;
      }
      points.push(at);
    }
  }
  return points;
}

function couples(numbers: number[]): number[][] {
  return numbers.flatMap((number, at) => (at % 2 === 0 ? [[number, numbers[at + 1]!]] : []));
}

/** De Casteljau's points on a curve of any degree. */
function curve(controls: Point[]): Point[] {
  return Array.from({ length: STEPS - 1 }, (_, step) => {
    const t = (step + 1) / STEPS;
    const xs = controls.map((point) => point[0]);
    const ys = controls.map((point) => point[1]);
    for (let last = controls.length - 1; last > 0; last -= 1) {
      for (let at = 0; at < last; at += 1) {
        xs[at] = xs[at]! * (1 - t) + xs[at + 1]! * t;
        ys[at] = ys[at]! * (1 - t) + ys[at + 1]! * t;
      }
    }
    return [xs[0]!, ys[0]!];
  });
}

/** The middle of an arc, at the side to which it turns. */
function bulge([x, y]: Point, [toX, toY]: Point, [rx, ry, , isLarge, isClockwise]: number[]): Point[] {
  const [dx, dy] = [toX - x, toY - y];
  const chord = Math.hypot(dx, dy) || 1;
  const radius = Math.abs(dx) > Math.abs(dy) ? ry! : rx!;
  const half = Math.abs(dx) > Math.abs(dy) ? Math.min(1, chord / 2 / (rx! || 1)) : Math.min(1, chord / 2 / (ry! || 1));
  const rise = radius * (isLarge ? 1 + Math.sqrt(1 - half * half) : 1 - Math.sqrt(1 - half * half));
  const sign = isClockwise ? 1 : -1;
  return [[(x + toX) / 2 + (sign * dy * rise) / chord, (y + toY) / 2 - (sign * dx * rise) / chord]];
}
