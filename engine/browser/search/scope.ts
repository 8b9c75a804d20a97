/** The index of one language and version, of which a query reads a few files. */

import type { Files } from "./files";
import { slips, stemOf } from "./words";

export interface Result {
  url: string;
  title: string;
  part: string;
  method: string;
  anchor: string;
  headings: string;
  excerpt: string;
}

/** A word of the index that may be meant, and how likely. */
export interface Variant {
  word: string;
  postings: string;
  weight: number;
}

interface Manifest {
  n: number;
  t: string; // the beginning of the first word of each part of the vocabulary
  r: number[]; // the sections before each file of records, counted from the file before it
}

type Entry = [anchor: string, headings: string, excerpt: string];
type Page = [url: string, title: string, part: string, method: string, entries: Entry[]];

const SHORT = 3; // letters; shorter words are completed from the list of likely ones
const MOST_PARTS = 3; // of the vocabulary, that one word reads, or fewer where there are many words
const MOST_VARIANTS = 20;
const COMPLETED = 6;
const CORRECTED = 3;
const AFTER_ALL = "\uffff";

export class Scope {
  readonly sections: number;
  private readonly firsts: string[];
  private readonly starts: number[];

  private constructor(
    private readonly files: Files,
    private readonly number: number,
    manifest: Manifest,
  ) {
    this.sections = manifest.n;
    this.firsts = manifest.t ? manifest.t.split(" ") : [];
    let start = 0;
    this.starts = manifest.r.map((sections) => (start += sections));
  }

  static async open(files: Files, number: number): Promise<Scope> {
    return new Scope(files, number, await files.load<Manifest>(`${number}`));
  }

  /** The words of the index that a word of a query may mean. */
  async variants(word: string, isOpen: boolean, parts: number): Promise<Variant[]> {
    const isShort = word.length < SHORT && /^[\x20-\x7e]+$/.test(word);
    const known = isShort ? await this.exactly([word], 1) : await this.alike(word, isOpen, parts);
    if (isShort && isOpen) known.push(...(await this.completed(word)));
    return known.length > 0 ? known : this.corrected(word);
  }

  /** The record of a section. */
  async record(section: number): Promise<Result> {
    const file = last(this.starts, (start) => start <= section);
    const pages = await this.files.load<Page[]>(`${this.number}-r${file}`);
    let left = section - this.starts[file]!;
    for (const [url, title, part, method, entries] of pages) {
      if (left < entries.length) {
        const [anchor, headings, excerpt] = entries[left]!;
        return { url, title, part, method, anchor, headings, excerpt };
      }
      left -= entries.length;
    }
    throw new Error(`there is no record of section ${section}`);
  }

  /** The word itself, its other forms, and what it begins while it is being typed. */
  private async alike(word: string, isOpen: boolean, parts: number): Promise<Variant[]> {
    const stem = stemOf(word);
    const found: Variant[] = [];
    for (const [known, postings] of await this.between(stem, stem + AFTER_ALL, parts)) {
      const weight = likelihood(known, word, stem);
      if (weight > 0) found.push({ word: known, postings, weight });
    }
    const isKnown = found.some((each) => each.weight >= 0.8);
    const kept = isOpen || !isKnown ? found : found.filter((each) => each.weight >= 0.8);
    const use = ({ weight, postings }: Variant) => weight * Math.log(postings.length + 8);
    return kept.sort((a, b) => use(b) - use(a)).slice(0, MOST_VARIANTS);
  }

  private async completed(start: string): Promise<Variant[]> {
    const likely = (await this.likely()).filter((word) => word.startsWith(start) && word !== start);
    return this.exactly(likely.slice(0, COMPLETED), 0.6);
  }

  private async corrected(word: string): Promise<Variant[]> {
    if (word.length < 4) return [];
    const most = word.length >= 8 ? 2 : 1;
    const near = (await this.likely())
      .filter((known) => known[0] === word[0])
      .map((known) => ({ known, count: slips(word, known, most) }))
      .filter(({ count }) => count <= most)
      .sort((a, b) => a.count - b.count); // and within, the likeliest first
    const least = near[0]?.count;
    const best = near.filter(({ count }) => count === least).slice(0, CORRECTED);
    return this.exactly(best.map(({ known }) => known), 0.6);
  }

  private async exactly(words: string[], weight: number): Promise<Variant[]> {
    const found = await Promise.all(
      words.map(async (word) => {
        const [entry] = await this.between(word, word);
        return entry ? [{ word, postings: entry[1], weight }] : [];
      }),
    );
    return found.flat();
  }

  private async likely(): Promise<string[]> {
    return (await this.files.load<string>(`${this.number}-w`)).split(" ");
  }

  /** Words of the index and their postings. */
  private async between(from: string, to: string, most = MOST_PARTS): Promise<[string, string][]> {
    const first = Math.max(0, last(this.firsts, (word) => word <= from));
    const end = last(this.firsts, (word) => word <= to);
    const numbers: number[] = [];
    for (let n = first; n <= end && numbers.length < Math.min(most, MOST_PARTS); n++) numbers.push(n);
    const parts = await Promise.all(
      numbers.map((n) => this.files.load<[string, string]>(`${this.number}-t${n}`)),
    );
    return parts.flatMap(([words, postings]) => {
      const all = postings.split(" ");
      return words
        .split(" ")
        .map((word, index): [string, string] => [word, all[index]!])
        .filter(([word]) => word >= from && word <= to);
    });
  }
}

function likelihood(known: string, word: string, stem: string): number {
  if (known === word) return 1;
  if (stemOf(known) === stem) return 0.85;
  return known.startsWith(word) ? 0.75 * Math.sqrt(word.length / known.length) : 0;
}

/** The position of the last entry that fits, or -1, if all that fit come first. */
function last<T>(entries: readonly T[], fits: (entry: T) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
