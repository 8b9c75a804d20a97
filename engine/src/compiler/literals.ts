/** Values of attributes that are written as literals of the language. */

const TOKEN =
  /\s*(?:(-?(?:0|[1-9]\d*)(?:\.\d+)?)(?![\w.])|"([^"\\\r\n]*)"|'([^'\\\r\n]*)'|`([^`\\$\r]*)`|([A-Za-z_$][\w$]*)|([[\]{},:]))/y;
const NAMED: Record<string, unknown> = { true: true, false: false, null: null, undefined };
const MOST_LEVELS = 10;

/** Return the value in an object, which is null if the code is anything but a literal. */
export function literalOf(code: string): { value: unknown } | null {
  const reader = new LiteralReader(code);
  try {
    const value = reader.value(0);
    return reader.isAtEnd() ? { value } : null;
  } catch (error) {
    if (error instanceof NoLiteral) return null;
    throw error;
  }
}

class NoLiteral extends Error {}

interface Token {
  mark?: string;
  name?: string;
  text?: string;
  number?: number;
}

class LiteralReader {
  private at = 0;

  constructor(private readonly code: string) {}

  isAtEnd(): boolean {
    return this.code.slice(this.at).trim() === "";
  }

  value(level: number): unknown {
    const { mark, name, text, number } = this.next();
    if (text !== undefined) return text;
    if (number !== undefined) return number;
    if (name !== undefined && Object.hasOwn(NAMED, name)) return NAMED[name];
    if (level < MOST_LEVELS && mark === "[") return this.list(level + 1);
    if (level < MOST_LEVELS && mark === "{") return this.object(level + 1);
    throw new NoLiteral();
  }

  private list(level: number): unknown[] {
    const items: unknown[] = [];
    while (!this.ends("]")) {
      items.push(this.value(level));
      if (!this.ends(",")) {
        this.expect("]");
        break;
      }
    }
    return items;
  }

  private object(level: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    while (!this.ends("}")) {
      const { name, text } = this.next();
      const key = name ?? text;
      if (key === undefined || key === "__proto__") throw new NoLiteral();
      this.expect(":");
      object[key] = this.value(level);
      if (!this.ends(",")) {
        this.expect("}");
        break;
      }
    }
    return object;
  }

  private next(): Token {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.code);
    if (!found) throw new NoLiteral();
    this.at = TOKEN.lastIndex;
    const [, number, double, single, template, name, mark] = found;
    return {
      mark,
      name,
      text: double ?? single ?? template,
      number: number === undefined ? undefined : Number(number),
    };
  }

  private expect(mark: string): void {
    if (this.next().mark !== mark) throw new NoLiteral();
  }

  /** Read a mark if it is the next token. */
  private ends(mark: string): boolean {
    TOKEN.lastIndex = this.at;
    if (TOKEN.exec(this.code)?.[6] !== mark) return false;
    this.at = TOKEN.lastIndex;
    return true;
  }
}
