/** Reads postings as outputs/search_bundle/postings.py writes them. */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

export interface Postings {
  count: number;
  sections: Int32Array; // of which the first `count` are meant, as of the weights
  weights: Uint8Array; // 0 to 63
}

export function decode(postings: string): Postings {
  const most = postings.length >> 1;
  const sections = new Int32Array(most);
  const weights = new Uint8Array(most);
  let count = 0;
  let section = 0;
  for (let position = 0; position < postings.length; ) {
    let value = VALUES[postings.charCodeAt(position++)]!;
    let distance = value & 31;
    for (let shift = 5; value > 31; shift += 5) {
      value = VALUES[postings.charCodeAt(position++)]!;
      distance |= (value & 31) << shift;
    }
    section += distance;
    sections[count] = section;
    weights[count++] = VALUES[postings.charCodeAt(position++)]!;
  }
  return { count, sections, weights };
}

/** Return the weight of a word that occurs in `count` of `all` sections. */
export function idf(all: number, count: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5));
}
