/** The index of one language and version, of which a query reads a few files. */

import type { FilesOfQuery, Manifest } from "./files";
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

type Entry = [anchor: string, headings: string, excerpt: string];
type Page = [url: string, title: string, part: string, method: string, entries: Entry[]];

const SHORT = 3; // letters; shorter words are completed from the list of likely ones
const MOST_PARTS = 3; // of the vocabulary, where an unknown word has other forms
const MOST_VARIANTS = 20;
const COMPLETED = 6;
const CORRECTED = 3;
const AFTER_ALL = "\uffff";

export class Scope {
  readonly sections: number;
  private readonly firsts: string[];
  private readonly starts: number[];
  private readonly letters: string[];

  constructor(
    private readonly number: number,
    manifest: Manifest,
  ) {
    this.sections = manifest.n;
    this.firsts = manifest.t ? manifest.t.split(" ") : [];
    let start = 0;
    this.starts = manifest.r.map((sections) => (start += sections));
    this.letters = [...manifest.w];
  }

  /** The words of the index that a word of a query may mean; an open one reads so many parts of the vocabulary. */
  async variants(files: FilesOfQuery, word: string, isOpen: boolean, parts: number): Promise<Variant[]> {
    const isShort = word.length < SHORT && /^[\x20-\x7e]+$/.test(word);
    const known = isShort ? await this.exactly(files, [word], 1) : await this.alike(files, word, isOpen, parts);
    if (isShort && isOpen) known.push(...(await this.completed(files, word, parts)));
    return known.length > 0 ? known : this.corrected(files, word);
  }

  /** The part of the vocabulary that has a word, if any has it. */
  partOf(word: string): number {
    return Math.max(0, last(this.firsts, (first) => first <= word));
  }

  /** The file with the record of a section. */
  recordsOf(section: number): string {
    return `${this.number}-r${last(this.starts, (start) => start <= section)}`;
  }

  /** The record of a section. */
  async record(files: FilesOfQuery, section: number): Promise<Result> {
    const pages = await files.load<Page[]>(this.recordsOf(section));
    let left = section - this.starts[last(this.starts, (start) => start <= section)]!;
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
  private async alike(files: FilesOfQuery, word: string, isOpen: boolean, parts: number): Promise<Variant[]> {
    let found = await this.forms(files, word, this.partOf(word), isOpen ? parts : 1);
    if (found.length === 0) found = await this.forms(files, word, this.partOf(stemOf(word)), MOST_PARTS);
    const isKnown = found.some((each) => each.weight >= 0.8);
    const kept = isOpen || !isKnown ? found : found.filter((each) => each.weight >= 0.8);
    const use = ({ weight, postings }: Variant) => weight * Math.log(postings.length + 8);
    return kept.sort((a, b) => use(b) - use(a)).slice(0, MOST_VARIANTS);
  }

  /** Forms and completions of a word, in so many parts of the vocabulary from the `first`. */
  private async forms(files: FilesOfQuery, word: string, first: number, parts: number): Promise<Variant[]> {
    const stem = stemOf(word);
    const end = Math.min(this.partOf(stem + AFTER_ALL), first + parts - 1);
    const numbers = Array.from({ length: end - first + 1 }, (_, index) => first + index);
    const known = await Promise.all(numbers.map((number) => this.words(files, number)));
    return known
      .flat()
      .filter(([each]) => each.startsWith(stem))
      .map(([each, postings]) => ({ word: each, postings, weight: likelihood(each, word, stem) }))
      .filter(({ weight }) => weight > 0);
  }

  /** Likely words that begin so, from so many parts of the vocabulary. */
  private async completed(files: FilesOfQuery, start: string, parts: number): Promise<Variant[]> {
    const likely = (await this.likely(files, start)).filter((word) => word.startsWith(start) && word !== start);
    const read = new Set([this.partOf(start)]);
    const near = likely.slice(0, COMPLETED).filter((word) => {
      if (read.size < parts) read.add(this.partOf(word));
      return read.has(this.partOf(word));
    });
    return this.exactly(files, near, 0.6);
  }

  private async corrected(files: FilesOfQuery, word: string): Promise<Variant[]> {
    if (word.length < 4) return [];
    const most = word.length >= 8 ? 2 : 1;
    const near = (await this.likely(files, word))
      .filter((known) => known[0] === word[0])
      .map((known) => ({ known, count: slips(word, known, most) }))
      .filter(({ count }) => count <= most)
      .sort((a, b) => a.count - b.count); // and within, the likeliest first
    const least = near[0]?.count;
    const best = near.filter(({ count }) => count === least).slice(0, CORRECTED);
    return this.exactly(files, best.map(({ known }) => known), 0.6);
  }

  private async exactly(files: FilesOfQuery, words: string[], weight: number): Promise<Variant[]> {
    const found = await Promise.all(
      words.map(async (word) => {
        const entry = (await this.words(files, this.partOf(word))).find(([known]) => known === word);
        return entry ? [{ word, postings: entry[1], weight }] : [];
      }),
    );
    return found.flat();
  }

  /** Likely words of the letter with which a word begins, the likeliest first. */
  private async likely(files: FilesOfQuery, word: string): Promise<string[]> {
    const number = last(this.letters, (letter) => letter <= word[0]!);
    return number < 0 ? [] : (await files.load<string>(`${this.number}-w${number}`)).split(" ");
  }

  /** The words of a part of the vocabulary, and their postings. */
  private async words(files: FilesOfQuery, part: number): Promise<[string, string][]> {
    if (this.firsts.length === 0) return [];
    const [words, postings] = await files.load<[string, string]>(`${this.number}-t${part}`);
    const all = postings.split(" ");
    return words.split(" ").map((word, index) => [word, all[index]!]);
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
