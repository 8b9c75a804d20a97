/** Finds sections in the index of the reader's language and version. */

import type { Contents, Files } from "./files";
import { decode, idf } from "./postings";
import { Scope } from "./scope";
import { wordsOf } from "./words";

export interface Result {
  address: string;
  title: string;
  part: string;
  method: string;
  anchor: string;
  headings: string;
  excerpt: string;
}

export interface Found {
  words: string[]; // that the results have, to be marked
  results: Result[];
}

/** A word of the index that may be meant, and how likely. */
export interface Variant {
  word: string;
  postings: string;
  weight: number;
}

const MOST_RESULTS = 12;
const MOST_OF_A_PAGE = 3;
const READ_AGAIN = 14; // candidates whose titles are compared with the query

export class Index {
  private scopes?: Promise<Scope[]>;

  constructor(
    private readonly files: Files,
    private readonly language: string,
    private readonly version: string,
  ) {}

  /** Read what every query needs. */
  async prepare(): Promise<Scope[]> {
    this.scopes ??= this.open();
    this.scopes.catch(() => (this.scopes = undefined));
    return this.scopes;
  }

  async search(query: string): Promise<Found> {
    const { stop } = await this.files.index();
    const scopes = await this.prepare();
    const isOpen = !/\s$/.test(query); // the last word may still be typed
    const words = wordsOf(query, new Set(stop.split(" ")));
    if (words.length === 0) words.push(...wordsOf(query, new Set()));
    const found = await Promise.all(scopes.map((scope) => this.within(scope, words, isOpen)));
    const matched = new Set(found.flatMap((each) => each.words));
    const best = found.flatMap((each) => each.ranked).sort((a, b) => b.score - a.score);
    const read = await Promise.all(
      best.slice(0, READ_AGAIN).map(async ({ scope, section, score }) => {
        const result = await scope.record(section);
        return { result, score: score * likeness(result, query) };
      }),
    );
    const results = read.sort((a, b) => b.score - a.score).map((each) => each.result);
    return { words: [...matched], results: gathered(results) };
  }

  private async open(): Promise<Scope[]> {
    const contents = await this.files.index();
    const numbers = chosen(contents, this.language, this.version);
    return Promise.all(numbers.map((number) => Scope.open(this.files, number)));
  }

  private async within(scope: Scope, words: string[], isOpen: boolean) {
    const last = words.length - 1;
    const terms = await Promise.all(
      words.map((word, index) => scope.variants(word, isOpen && index === last)),
    );
    const scores = new Map<number, { score: number; seen: number }>();
    let whole = 0;
    for (const variants of terms) {
      const of = new Map<number, number>();
      let rarest = 0;
      for (const { postings, weight } of variants) {
        const sections = decode(postings);
        const rarity = idf(scope.sections, sections.length);
        rarest = Math.max(rarest, rarity);
        for (const [section, impact] of sections) {
          const score = rarity * weight * (0.15 + impact / 63);
          if (score > (of.get(section) ?? 0)) of.set(section, score);
        }
      }
      const reach = rarest || idf(scope.sections, 1);
      whole += reach;
      for (const [section, score] of of) {
        const known = scores.get(section) ?? { score: 0, seen: 0 };
        scores.set(section, { score: known.score + score, seen: known.seen + reach });
      }
    }
    const ranked = [...scores]
      .map(([section, { score, seen }]) => ({
        scope,
        section,
        score: score * (seen / whole) ** 1.5,
      }))
      .sort((a, b) => b.score - a.score)
      .slice(0, READ_AGAIN);
    return { ranked, words: terms.flat().map((variant) => variant.word) };
  }
}

/** The indexes of a language and version, and of pages that have none; all where none fits. */
function chosen({ s }: Contents, language: string, version: string): number[] {
  const numbers = s.map((_, number) => number);
  const fits = (of: string, wanted: string) => of === "" || of === wanted;
  const found = numbers.filter((n) => fits(s[n]![0], language) && fits(s[n]![1], version));
  return found.length > 0 ? found : numbers;
}

/** More than 1 where a title or heading begins with, or is, what was asked for. */
function likeness(result: Result, query: string): number {
  const wanted = query.trim().toLowerCase();
  const named = result.anchor ? (result.headings.split(" › ").at(-1) ?? "") : result.title;
  const name = named.toLowerCase();
  if (name === wanted) return result.anchor ? 1.35 : 1.6;
  if (name.startsWith(wanted)) return 1.2;
  return name.includes(wanted) ? 1.1 : 1;
}

/** Few of one page, and those together, in the place of the best. */
function gathered(results: Result[]): Result[] {
  const pages = new Map<string, Result[]>();
  for (const result of results) {
    const own = pages.get(result.address) ?? [];
    if (own.length < MOST_OF_A_PAGE) own.push(result);
    pages.set(result.address, own);
  }
  return [...pages.values()]
    .flatMap((own) => own.sort((a, b) => Number(a.anchor !== "") - Number(b.anchor !== "")))
    .slice(0, MOST_RESULTS);
}
