/** Finds sections in the index of the reader's language and version. */

import { type Contents, type Files, FilesOfQuery } from "./files";
import { type Result, Scope } from "./scope";
import { Scores } from "./scores";
import { piecesOf, singular, wordsOf } from "./words";

export interface Found {
  words: string[]; // that the results have, to be marked
  results: Result[];
  hasMore: boolean; // in files that were not read
}

interface Candidate {
  scope: Scope;
  section: number;
  score: number;
}

export const MOST_RESULTS = 12;
const MOST_OF_A_PAGE = 3;
const MOST_WORDS = 8; // of a query, that are looked for
const MOST_PARTS = 3; // of the vocabulary, where the last word of a query may be the beginning of others
const FEW_PARTS = 4; // of the vocabulary: where a query reads these, it reads six files at most
const MOST_RECORDS = 12; // files of records where a reader wants more
const CANDIDATES = 60; // whose titles are compared with the query, if their records are read
const BEST = 14; // of them: with more, many of a few pages would be in front
const SAME_TITLE = 4;
const BEHIND_PAGES = 0.8;
const OPERATION = /\/|^(?:get|post|put|patch|delete|head|options|trace)\b/i; // a path or a method

export class Index {
  private scopes?: Promise<Scope[]>;

  constructor(
    private readonly files: Files,
    private readonly language: string,
    private version: string,
    private readonly tab = "",
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
   * Search a part of the site or all of it. Results are of the few files that have the records of the best
   * candidates; a reader who `wantsMore` gets those of other files, too.
   * Records are not read when the query is not `isCurrent` any more.
   */
  async search(
    query: string,
    part = "",
    isCurrent: () => boolean = () => true,
    wantsMore = part !== "",
  ): Promise<Found> {
    const { stop } = await this.files.index();
    const scopes = await this.prepare();
    const isOpen = !/\s$/.test(query); // the last word may still be typed
    const words = wordsOf(query, new Set(stop.split(" ")));
    if (words.length === 0) words.push(...wordsOf(query, new Set()));
    const used = longest(words);
    const pieces = piecesOf(query, new Set());
    const files = new FilesOfQuery(this.files);
    const found = await Promise.all(scopes.map((scope) => this.within(files, scope, used, pieces, isOpen)));
    const matched = [...new Set(found.flatMap((each) => each.words))];
    if (!isCurrent()) return { results: [], words: matched, hasMore: false };
    const best = found.flatMap((each) => each.ranked).sort((a, b) => b.score - a.score).slice(0, CANDIDATES);
    const candidates = inFirstFiles(best, wantsMore ? MOST_RECORDS : recordFiles(files.count));
    const read = candidates.map(async ({ scope, section, score }) => {
      const result = await scope.record(files, section);
      return { result, score: score * titleScore(result, query) };
    });
    const results = (await Promise.all(read)).sort((a, b) => b.score - a.score).map((each) => each.result);
    if (this.tab) putFirst(results, this.tab);
    const fitting = part ? results.filter((each) => partsOf(each).includes(part)) : results.slice(0, BEST);
    return { words: matched, results: gathered(fitting), hasMore: !wantsMore && candidates.length < best.length };
  }

  private async open(): Promise<Scope[]> {
    const contents = await this.files.index();
    const numbers = chosen(contents, this.language, this.version);
    return numbers.map((number) => new Scope(number, contents.s[number]![2]));
  }

  private async within(
    files: FilesOfQuery,
    scope: Scope,
    words: string[],
    pieces: ReadonlySet<string>,
    isOpen: boolean,
  ) {
    const [first, later] = divided(words, pieces, (word) => scope.partOf(word));
    const unused = Math.max(0, MOST_PARTS - new Set(first.map((word) => scope.partOf(word))).size);
    const read = (word: string) => scope.variants(files, word, isOpen && word === words.at(-1), 1 + unused);
    const terms = await Promise.all(first.map(read));
    const isUnknown = (word: string) => first.some((each, at) => each.includes(word) && terms[at]!.length === 0);
    terms.push(...(await Promise.all(later.filter(isUnknown).map(read))));
    const scores = new Scores(scope.sections);
    for (const variants of terms) scores.add(variants);
    const ranked = scores.best(CANDIDATES).map((each) => ({ scope, ...each }));
    return { ranked, words: terms.flat().map((variant) => variant.word) };
  }
}

/** So many files of records are read after those of the words: six in all, and of a query of many words, more. */
function recordFiles(read: number): number {
  return read > FEW_PARTS ? 4 : 6 - read;
}

/** The candidates whose records are in the files of the best, in so many of these. */
function inFirstFiles(ranked: readonly Candidate[], most: number): Candidate[] {
  const files = new Set<string>();
  return ranked.filter(({ scope, section }) => {
    const file = scope.recordsOf(section);
    if (files.size < most) files.add(file);
    return files.has(file);
  });
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

/**
 * The words to look for, and pieces of identifiers that are only looked for if these are unknown, so that a query of
 * few words reads few parts of the vocabulary.
 */
function divided(
  words: readonly string[],
  pieces: ReadonlySet<string>,
  partOf: (word: string) => number,
): [first: string[], later: string[]] {
  const first = words.filter((word) => !pieces.has(word));
  const parts = new Set(first.map(partOf));
  if (parts.size > FEW_PARTS) return [[...words], []];
  const later = words.filter((word) => {
    if (!pieces.has(word)) return false;
    if (parts.size < FEW_PARTS) parts.add(partOf(word));
    if (!parts.has(partOf(word))) return true;
    first.push(word);
    return false;
  });
  return [first, later];
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

/** Of results with one name, put those of a tab first: tabs may be versions or products. */
function putFirst(results: Result[], tab: string): void {
  const isOfTab = (result: Result) => Number(partsOf(result).includes(tab));
  const nameOf = ({ title, headings }: Result) => `${title}\n${headings}`;
  for (const name of new Set(results.map(nameOf))) {
    const alike = results.filter((each) => nameOf(each) === name).sort((a, b) => isOfTab(b) - isOfTab(a));
    results.forEach((each, at) => nameOf(each) === name && (results[at] = alike.shift()!));
  }
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
