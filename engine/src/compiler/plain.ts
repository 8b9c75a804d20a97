/** Whether a source is Markdown and nothing else, as its tree and its HTML tell. */

/** Drawn by components: formulas and diagrams. */
const DRAWN = /^(?:math|mermaid)$/;
/** What an attribute of the compiler's HTML would hold unescaped. */
const BRACKET = /[<>]/;
const ATTRIBUTE = '="[^"]*"';
const KNOWN = [
  "(?:p|ul|ol|li|strong|em|del|code|blockquote|table|thead|tbody|tr|th|td|h[1-6]|br|hr)>",
  `(?:th|td) style${ATTRIBUTE}>`,
  `ol start${ATTRIBUTE}>`,
  '(?:ul class="contains-task-list"|li class="task-list-item")>',
  'input type="checkbox"(?: checked)? disabled>',
  `a href${ATTRIBUTE}(?: title${ATTRIBUTE})?>`,
  `img src${ATTRIBUTE} alt${ATTRIBUTE}(?: title${ATTRIBUTE})?>`,
  `pre data-language${ATTRIBUTE} data-meta${ATTRIBUTE}>`,
  `code class${ATTRIBUTE}>`,
].join("|");
/** Anything that `runtime/plain.ts` does not read, such as headings with attributes. */
const UNKNOWN = new RegExp(`<(?!/|${KNOWN})|&(?!(?:amp|lt|gt|quot|#x27);)`);
/** GitHub's callouts. */
const ALERT = /<blockquote>\s*<p>\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/i;

interface Described {
  url?: string;
  title?: string | null;
  alt?: string | null;
}

export class PlainReader {
  isPlain = true;

  /** Something is no Markdown. */
  leave(): void {
    this.isPlain = false;
  }

  block(language: string): void {
    if (DRAWN.test(language)) this.leave();
  }

  /** A link, a picture or a definition. */
  text({ url, title, alt }: Described): void {
    if ([url, title, alt].some((each) => each && BRACKET.test(each))) this.leave();
  }
}

/** Whether the compiler's HTML of a plain source is what `runtime/plain.ts` reads. */
export function isReadable(html: string): boolean {
  return !UNKNOWN.test(html) && !ALERT.test(html);
}
