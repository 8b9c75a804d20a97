/** Detection of pages that are plain Markdown, by their tree and the HTML of the compiler. */

/** Languages of blocks that components render: formulas and diagrams. */
const WITH_COMPONENTS = /^(?:math|mermaid)$/;
/** Characters that the compiler leaves unescaped in attributes. */
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
/** Anything that `runtime/plain.ts` does not know, such as headings with attributes. */
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

  /** Note that something is not plain Markdown. */
  leave(): void {
    this.isPlain = false;
  }

  block(language: string): void {
    if (WITH_COMPONENTS.test(language)) this.leave();
  }

  /** Check a link, an image or a definition. */
  text({ url, title, alt }: Described): void {
    if ([url, title, alt].some((each) => each && BRACKET.test(each))) this.leave();
  }
}

/** Report whether `runtime/plain.ts` knows every element of this HTML. */
export function isReadable(html: string): boolean {
  return !UNKNOWN.test(html) && !ALERT.test(html);
}
