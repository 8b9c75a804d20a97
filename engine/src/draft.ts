/** A text that is being mended, which still knows where each place was in the original. */
import { placeOf, type Place } from "./text";

interface Edit extends Place {
  growth: number; // of the line, in characters
}

export class Draft {
  private readonly edits: Edit[] = [];

  constructor(public text: string) {}

  /** Puts other text of as many lines in the place of a range. */
  replace(start: number, end: number, text: string): void {
    this.edits.push({ ...placeOf(this.text, start), growth: text.length - (end - start) });
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
  }

  /** Where a place of the text as it is now was at first. */
  original({ line, column }: Place): Place {
    for (let at = this.edits.length - 1; at >= 0; at -= 1) {
      const edit = this.edits[at];
      if (edit.line === line && edit.column < column) {
        column = Math.max(edit.column, column - edit.growth);
      }
    }
    return { line, column };
  }

  originalOf(offset: number): Place {
    return this.original(placeOf(this.text, offset));
  }
}
