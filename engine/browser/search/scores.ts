/** Scores of the sections of an index for a query, word by word. */

import { decode, idf } from "./postings";
import type { Variant } from "./scope";

export interface Scored {
  section: number;
  score: number;
}

export class Scores {
  private readonly scores: Float32Array;
  private readonly seen: Float32Array; // how much of the query stands in a section
  private whole = 0;

  constructor(private readonly sections: number) {
    this.scores = new Float32Array(sections);
    this.seen = new Float32Array(sections);
  }

  /** A word of the query, by what it may mean; of a section's, the best counts. */
  add(variants: readonly Variant[]): void {
    const best = new Float32Array(this.sections);
    const written = variants.find((variant) => variant.weight === 1);
    const most = written ? idf(this.sections, decode(written.postings).count) : Infinity;
    let rarest = 0;
    for (const { postings, weight } of variants) {
      const { count, sections, weights } = decode(postings);
      const rarity = Math.min(most, idf(this.sections, count)); // no form counts more than the word itself
      rarest = Math.max(rarest, rarity);
      for (let at = 0; at < count; at++) {
        const score = rarity * weight * (0.15 + weights[at]! / 63);
        if (score > best[sections[at]!]!) best[sections[at]!] = score;
      }
    }
    const share = rarest || idf(this.sections, 1);
    this.whole += share;
    for (let section = 0; section < this.sections; section++) {
      if (best[section] === 0) continue;
      this.scores[section]! += best[section]!;
      this.seen[section]! += share;
    }
  }

  /** The best, in order; sections that have more of the query stand before those with less. */
  best(count: number): Scored[] {
    const found: Scored[] = [];
    for (let section = 0; section < this.sections; section++) {
      if (this.scores[section] === 0) continue;
      const score = this.scores[section]! * (this.seen[section]! / this.whole) ** 1.5;
      if (found.length === count && score <= found[count - 1]!.score) continue;
      let position = found.length;
      while (position > 0 && found[position - 1]!.score < score) position--;
      found.splice(position, 0, { section, score });
      if (found.length > count) found.pop();
    }
    return found;
  }
}
