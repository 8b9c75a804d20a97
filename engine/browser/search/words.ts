/**
 * Words of a query, divided as the index divides text (search/analyser.py): an identifier whole and in its
 * parts, Chinese, Japanese and Korean in pairs of characters.
 */

const CHAIN = /[\p{L}\p{N}_]+(?:[.\-'’][\p{L}\p{N}_]+)*/gu;
const ATOM = /[A-Z]{2,}s(?![\p{Ll}\p{N}])|[A-Z]+(?![a-z])\d*|[A-Z]?(?:(?![A-Z_])[\p{L}\p{N}_])+/gu;
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;
const VERSION = /^v?\d+(?:\.\d+)+$/;
const ACCENTED = /[\u00c0-\u04ff]/g;
const LONGEST_WORD = 40;

/** Letters without their accents, which readers often omit. */
export function plain(text: string): string {
  return text.replace(ACCENTED, (letter) => letter.normalize("NFD")[0]!);
}

/** Each word once, in order; without stop words. */
export function wordsOf(text: string, stopWords: ReadonlySet<string>): string[] {
  const chains = plain(text).match(CHAIN) ?? [];
  return [...new Set(chains.flatMap((chain) => wordsOfChain(chain, stopWords)))];
}

/** The words of a text that are only in longer ones: the pieces of its identifiers. */
export function piecesOf(text: string, stopWords: ReadonlySet<string>): Set<string> {
  const pieces = new Set<string>();
  const whole = new Set<string>();
  for (const chain of plain(text).match(CHAIN) ?? []) {
    const words = wordsOfChain(chain, stopWords);
    for (const word of words) {
      (words.some((each) => each !== word && each.includes(word)) ? pieces : whole).add(word);
    }
  }
  for (const word of whole) pieces.delete(word);
  return pieces;
}

function wordsOfChain(written: string, stopWords: ReadonlySet<string>): string[] {
  const chain = written.replace(/’/g, "'");
  const lower = chain.toLowerCase();
  if (stopWords.has(lower)) return [];
  if (VERSION.test(lower)) return [lower];
  if (chain.search(CJK) >= 0) return pairsOf(chain, stopWords);
  return identifier(chain.replace(/'s$/, ""), stopWords);
}

function identifier(chain: string, stopWords: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const atoms: string[] = [];
  for (const word of chain.split(/[.\-']/)) {
    const own = (word.match(ATOM) ?? []).map((atom) => atom.toLowerCase());
    atoms.push(...own);
    if (own.length > 1) found.push(own.join(""));
  }
  const whole = atoms.join("");
  if (atoms.length > 1 && /[.\-']/.test(chain) && whole.length <= LONGEST_WORD) found.push(whole);
  const kept = atoms.filter((atom) => !stopWords.has(atom) && atom.length <= LONGEST_WORD);
  return [...found, ...kept];
}

function pairsOf(chain: string, stopWords: ReadonlySet<string>): string[] {
  const found: string[] = [];
  let position = 0;
  for (const run of chain.matchAll(CJK)) {
    found.push(...wordsOf(chain.slice(position, run.index), stopWords));
    const [letters] = run;
    if (letters.length === 1) found.push(letters);
    for (let i = 0; i + 1 < letters.length; i++) found.push(letters.slice(i, i + 2));
    position = run.index + letters.length;
  }
  return [...found, ...wordsOf(chain.slice(position), stopWords)];
}

const ENDINGS = /(?:izations?|ations?|ments?|ings?|ions?|ies|ied|ers?|ed|es|ly|s|e|y)$/;

/** Return what the forms of an English word share: "configure", "configured", "configuration". */
export function stemOf(word: string): string {
  const stem = word.replace(ENDINGS, "");
  return stem.length >= 3 ? stem : word;
}

/** A title without signs and plurals, in which "Refund" and "🔄 Refunds" are the same. */
export function singular(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "")).join(" ");
}

/** Return the number of wrong, missing, extra or swapped letters; `most` + 1 if there are more than `most`. */
export function slips(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const last = before;
    before = row;
    row = [i];
    for (let j = 1; j <= other.length; j++) {
      const differs = one[i - 1] === other[j - 1] ? 0 : 1;
      let best = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + differs);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        best = Math.min(best, last[j - 2]! + 1);
      }
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
  }
  return row[other.length]!;
}
