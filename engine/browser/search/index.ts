/** Finds sections in the index of the reader's language and version. */

import type { Contents, Files } from "./files";
import { type Result, Scope } from "./scope";
import { Scores } from "./scores";
import { singular, wordsOf } from "./words";

export interface Found {
  words: string[]; // that the results have, to be marked
  results: Result[];
}

const MOST_RESULTS = 12;
const MOST_OF_A_PAGE = 3;
const MOST_WORDS = 8; // of a query, that are looked for
const MOST_PARTS = 8; // of the vocabulary, that the words of a query read
const READ_AGAIN = 14; // candidates whose titles are compared with the query
const READ_FIRST = 4; // of them, that are passed on while the others are still read
const SAME_TITLE = 4;
const BEHIND_PAGES = 0.8;
const OPERATION = /\/|^(?:get|post|put|patch|delete|head|options|trace)\b/i; // a path or a method
const READ_IN_PART = 60; // candidates, where results of one part of the site are requested

export class Index {
  private scopes?: Promise<Scope[]>;

  constructor(
    private readonly files: Files,
    private readonly language: string,
    private version: string,
  ) {}

  /** The versions in the reader's language, and which of them is searched. */
  async versions(): Promise<[all: string[], current: string]> {
    const { s } = await this.files.index();
    const found = s.filter(([language]) => language === "" || language === this.language);
    return [[...new Set(found.map(([, version]) => version))].filter(Boolean), this.version];
  }

  searchVersion(version: string): void {
    this.version = version;
    this.scopes = undefined;
  }

  /** Whether the host joins files, so that a query is a few requests. */
  async isJoined(): Promise<boolean> {
    return (await this.files.index()).joins === 1;
  }

  /** Read what every query needs. */
  async prepare(): Promise<Scope[]> {
    this.scopes ??= this.open();
    this.scopes.catch(() => (this.scopes = undefined));
    return this.scopes;
  }

  /**
   * Search a part of the site or all of it; `early` receives the best results before the rest is read.
   * Records are not read when the query is not `isCurrent` any more.
   */
  async search(
    query: string,
    part = "",
    isCurrent: () => boolean = () => true,
    early?: (found: Found) => void,
  ): Promise<Found> {
    const { stop } = await this.files.index();
    const scopes = await this.prepare();
    const isOpen = !/\s$/.test(query); // the last word may still be typed
    const words = wordsOf(query, new Set(stop.split(" ")));
    if (words.length === 0) words.push(...wordsOf(query, new Set()));
    const used = longest(words);
    const found = await Promise.all(scopes.map((scope) => this.within(scope, used, isOpen, part)));
    const matched = [...new Set(found.flatMap((each) => each.words))];
    if (!isCurrent()) return { results: [], words: matched };
    const best = found.flatMap((each) => each.ranked).sort((a, b) => b.score - a.score);
    const most = part ? READ_IN_PART : READ_AGAIN;
    const read = best.slice(0, most).map(async ({ scope, section, score }) => {
      const result = await scope.record(section);
      return { result, score: score * titleScore(result, query) };
    });
    const firstOf = async (count: number): Promise<Found> => {
      const results = await Promise.all(read.slice(0, count));
      results.sort((a, b) => b.score - a.score);
      const fitting = results.map((each) => each.result).filter((each) => !part || partsOf(each).includes(part));
      return { words: matched, results: gathered(fitting) };
    };
    const all = firstOf(most);
    if (early && !part && read.length > READ_FIRST) await Promise.race([firstOf(READ_FIRST).then(early), all]);
    return all;
  }

  private async open(): Promise<Scope[]> {
    const contents = await this.files.index();
    const numbers = chosen(contents, this.language, this.version);
    return Promise.all(numbers.map((number) => Scope.open(this.files, number)));
  }

  private async within(scope: Scope, words: string[], isOpen: boolean, part: string) {
    const last = words.length - 1;
    const parts = Math.ceil(MOST_PARTS / words.length);
    const terms = await Promise.all(
      words.map((word, index) => scope.variants(word, isOpen && index === last, parts)),
    );
    const scores = new Scores(scope.sections);
    for (const variants of terms) scores.add(variants);
    const ranked = scores.best(part ? READ_IN_PART : READ_AGAIN).map((each) => ({ scope, ...each }));
    return { ranked, words: terms.flat().map((variant) => variant.word) };
  }
}

/** Product, tab and group of a result, from the outside in. */
export function partsOf({ part }: Result): string[] {
  return part.split(" › ").filter(Boolean);
}

/** The indexes of a language and version, and of pages that have none; all where none fits. */
function chosen({ s }: Contents, language: string, version: string): number[] {
  const numbers = s.map((_, number) => number);
  const fits = (of: string, requested: string) => of === "" || of === requested;
  const found = numbers.filter((n) => fits(s[n]![0], language) && fits(s[n]![1], version));
  return found.length > 0 ? found : numbers;
}

/** The words of a query, in order; of very many the most specific. */
function longest(words: string[]): string[] {
  if (words.length <= MOST_WORDS) return words;
  const kept = new Set([...words].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS));
  return words.filter((word) => kept.has(word));
}

/**
 * Return more than 1 if a title or heading is, or begins with, the query. The page of exactly that title is first;
 * operations follow other pages unless the query has a method or a path.
 */
function titleScore(result: Result, query: string): number {
  const normalized = query.trim().toLowerCase();
  const named = result.anchor ? (result.headings.split(" › ").at(-1) ?? "") : result.title;
  const whole = similarity(named.toLowerCase(), normalized, result.anchor ? 1.35 : SAME_TITLE);
  return result.method && !OPERATION.test(query) ? whole * BEHIND_PAGES : whole;
}

function similarity(name: string, query: string, same: number): number {
  if (name === query) return same;
  if (singular(name) === singular(query)) return same * 0.95;
  if (name.startsWith(query)) return 1.2;
  return name.includes(query) ? 1.1 : 1;
}

/** Few of one page, and those together, at the position of the best. */
function gathered(results: Result[]): Result[] {
  const pages = new Map<string, Result[]>();
  for (const result of results) {
    const own = pages.get(result.url) ?? [];
    if (own.length < MOST_OF_A_PAGE) own.push(result);
    pages.set(result.url, own);
  }
  return [...pages.values()]
    .flatMap((own) => own.sort((a, b) => Number(a.anchor !== "") - Number(b.anchor !== "")))
    .slice(0, MOST_RESULTS);
}
