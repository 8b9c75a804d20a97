/** A text that is being mended, which still knows where each place was in the original. */
import { placeOf, type Place } from "./text";

interface Edit extends Place {
  growth: number; // of the line, in characters
  breaks: number; // lines that it added
  indent: number; // characters before what was moved onto the last of them
}

export class Draft {
  private readonly edits: Edit[] = [];

  constructor(public text: string) {}

  copy(): Draft {
    const copy = new Draft(this.text);
    copy.edits.push(...this.edits);
    return copy;
  }

  /** Puts other text of as many lines in the place of a range. */
  replace(start: number, end: number, text: string): void {
    const growth = text.length - (end - start);
    this.edits.push({ ...placeOf(this.text, start), growth, breaks: 0, indent: 0 });
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
  }

  /** Moves what follows into a paragraph of its own, behind `indent`. */
  breakAt(offset: number, indent: string): void {
    const place = placeOf(this.text, offset);
    this.edits.push({ ...place, growth: 0, breaks: 2, indent: indent.length });
    this.text = `${this.text.slice(0, offset)}\n${indent.trimEnd()}\n${indent}${this.text.slice(offset)}`;
  }

  /** Where a place of the text as it is now was at first. */
  original({ line, column }: Place): Place {
    for (let at = this.edits.length - 1; at >= 0; at -= 1) {
      const edit = this.edits[at];
      if (edit.breaks > 0) ({ line, column } = joined(edit, { line, column }));
      else if (edit.line === line && edit.column < column) {
        column = Math.max(edit.column, column - edit.growth);
      }
    }
    return { line, column };
  }

  originalOf(offset: number): Place {
    return this.original(placeOf(this.text, offset));
  }
}

/** Where a place was before its line was broken. */
function joined(edit: Edit, { line, column }: Place): Place {
  const moved = edit.line + edit.breaks;
  if (line > moved) return { line: line - edit.breaks, column };
  if (line <= edit.line) return { line, column };
  const behind = line === moved ? Math.max(0, column - 1 - edit.indent) : 0;
  return { line: edit.line, column: edit.column + behind };
}
