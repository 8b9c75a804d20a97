/** Reads postings as site/search_bundle/postings.py writes them. */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

/** Section and weight, 0 to 63, of each posting. */
export function decode(postings: string): [section: number, weight: number][] {
  const found: [number, number][] = [];
  let section = 0;
  for (let place = 0; place < postings.length; ) {
    let value = VALUES[postings.charCodeAt(place++)]!;
    let distance = value & 31;
    for (let shift = 5; value > 31; shift += 5) {
      value = VALUES[postings.charCodeAt(place++)]!;
      distance |= (value & 31) << shift;
    }
    section += distance;
    found.push([section, VALUES[postings.charCodeAt(place++)]!]);
  }
  return found;
}

/** How much a word tells that stands in `count` of `all` sections. */
export function idf(all: number, count: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5));
}
