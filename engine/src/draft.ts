/** A text that is being repaired, with the original positions of its parts. */
import { positionOf, type Position } from "./text";

interface Edit extends Position {
  growth: number; // of the line, in characters
  breaks: number; // lines that it added
  indent: number; // characters before what was moved onto the last of them
}

/** Lines that were repaired separately. */
export interface Piece {
  start: number; // of its lines in the text before, in characters
  end: number;
  line: number; // of its start in the text before, from 0
  draft: Draft;
}

/** Pieces in order, with the lines from which they begin now, from 0. */
interface Adoption {
  pieces: readonly Piece[];
  lines: readonly number[];
}

export class Draft {
  private readonly edits: (Edit | Adoption)[] = [];

  constructor(public text: string) {}

  copy(): Draft {
    const copy = new Draft(this.text);
    copy.edits.push(...this.edits);
    return copy;
  }

  /** Replaces a range by other text of as many lines. */
  replace(start: number, end: number, text: string): void {
    const growth = text.length - (end - start);
    this.edits.push({ ...positionOf(this.text, start), growth, breaks: 0, indent: 0 });
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
  }

  /** Replaces whole lines, in order, by drafts of them. */
  adopt(pieces: readonly Piece[]): void {
    let text = "";
    let at = 0;
    let added = 0;
    const lines: number[] = [];
    for (const { start, end, line, draft } of pieces) {
      text += this.text.slice(at, start) + draft.text;
      at = end;
      lines.push(line + added);
      added += draft.addedLines();
    }
    this.edits.push({ pieces, lines });
    this.text = text + this.text.slice(at);
  }

  private addedLines(): number {
    return this.edits.reduce((sum, edit) => sum + ("breaks" in edit ? edit.breaks : 0), 0);
  }

  /** Moves what follows into a paragraph of its own, behind `indent`. */
  breakAt(offset: number, indent: string): void {
    const position = positionOf(this.text, offset);
    this.edits.push({ ...position, growth: 0, breaks: 2, indent: indent.length });
    this.text = `${this.text.slice(0, offset)}\n${indent.trimEnd()}\n${indent}${this.text.slice(offset)}`;
  }

  /** Return the original position of a position in the present text. */
  original({ line, column }: Position): Position {
    for (let at = this.edits.length - 1; at >= 0; at -= 1) {
      const edit = this.edits[at];
      if ("pieces" in edit) ({ line, column } = adopted(edit, { line, column }));
      else if (edit.breaks > 0) ({ line, column } = joined(edit, { line, column }));
      else if (edit.line === line && edit.column < column) {
        column = Math.max(edit.column, column - edit.growth);
      }
    }
    return { line, column };
  }

  originalOf(offset: number): Position {
    return this.original(positionOf(this.text, offset));
  }
}

/** Return a position as it was before pieces were put into the text. */
function adopted({ pieces, lines }: Adoption, { line, column }: Position): Position {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle] < line) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return { line, column };
  const piece = pieces[low - 1];
  const within = piece.draft.original({ line: line - lines[low - 1], column });
  return { line: within.line + piece.line, column: within.column };
}

/** Return a position as it was before its line was broken. */
function joined(edit: Edit, { line, column }: Position): Position {
  const moved = edit.line + edit.breaks;
  if (line > moved) return { line: line - edit.breaks, column };
  if (line <= edit.line) return { line, column };
  const behind = line === moved ? Math.max(0, column - 1 - edit.indent) : 0;
  return { line: edit.line, column: edit.column + behind };
}
