/** Positions in a source text: lines, columns, and ranges of code. */

export interface Position {
  line: number;
  column: number;
}

/** Half-open ranges of a text, in order. */
export type Range = readonly [start: number, end: number];

const LEAD = /^[\s>]+/;
const BLANK_LINE = /\n[ \t]*\n/;
const FENCE_OPEN = /^[ \t]*(?:(?:[-*+]|\d+[.)]|>)[ \t]+)*(`{3,}|~{3,})(?!.*`)/;

/** Fenced blocks, then inline code between them. */
export function codeRanges(source: string): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  for (const fence of fences(source)) {
    inlineCode(source, from, fence[0], ranges);
    ranges.push(fence);
    from = fence[1];
  }
  inlineCode(source, from, source.length, ranges);
  return ranges;
}

function fences(source: string): Range[] {
  const found: Range[] = [];
  if (!source.includes("```") && !source.includes("~~~")) return found;
  let open: { start: number; mark: string } | null = null;
  for (let at = 0; at < source.length; ) {
    const newline = source.indexOf("\n", at);
    const end = newline < 0 ? source.length : newline + 1;
    const line = source.slice(at, end);
    if (open) {
      if (closes(line, open.mark)) {
        found.push([open.start, end]);
        open = null;
      }
    } else {
      const mark = FENCE_OPEN.exec(line)?.[1];
      if (mark) open = { start: at, mark };
    }
    at = end;
  }
  if (open) found.push([open.start, source.length]);
  return found;
}

function closes(line: string, mark: string): boolean {
  const text = line.slice(LEAD.exec(line)?.[0].length ?? 0).trimEnd();
  return text.length >= mark.length && text === mark[0].repeat(text.length);
}

function inlineCode(source: string, from: number, to: number, ranges: Range[]): void {
  const ticks = /(?<![\\`])(`+)(?!`)/g;
  ticks.lastIndex = from;
  let limit = -1; // where the paragraph ends
  for (let match = ticks.exec(source); match && match.index < to; match = ticks.exec(source)) {
    const start = match.index + match[1].length;
    if (start > limit) limit = paragraphEnd(source, start, to);
    const end = closingTicks(source, start, match[1].length, limit);
    if (end < 0) continue;
    ranges.push([match.index, end]);
    ticks.lastIndex = end;
  }
}

function paragraphEnd(source: string, from: number, to: number): number {
  const blank = BLANK_LINE.exec(source.slice(from, to));
  return blank ? from + blank.index : to;
}

/** Return the end of the next run of as many backticks before `limit`, or -1. */
function closingTicks(source: string, from: number, count: number, limit: number): number {
  for (let at = source.indexOf("`", from); at >= 0 && at < limit; ) {
    let end = at;
    while (source[end] === "`") end += 1;
    if (end - at === count) return end;
    at = source.indexOf("`", end);
  }
  return -1;
}

export function isWithin(ranges: Range[], offset: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle][1] <= offset) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low][0] <= offset;
}

export function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: countLines(before) + 1, column: offset - lineStart + 1 };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** The offset of a position; past the end of its line it is that line's end. */
export function offsetOf(source: string, { line, column }: Position): number {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    const newline = source.indexOf("\n", start);
    if (newline < 0) return source.length;
    start = newline + 1;
  }
  const end = source.indexOf("\n", start);
  return Math.min(start + column - 1, end < 0 ? source.length : end);
}
