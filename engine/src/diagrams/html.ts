/** The HTML of labels: lines, paragraphs and emphasis. Labels of anything else are not supported. */
import { HTML, SVG, Unsupported, type Element, Text } from "./dom";

const PIECE = /<(\/?)([a-zA-Z]\w*)((?:[\s/][^<>]*)?)>|([^<]+|<)/g;
const NAMES = new Set(["b", "br", "code", "em", "i", "p", "span", "strong"]);
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Append the content of `source` to `parent`. Raises `Unsupported`. */
export function parseHtml(source: string, parent: Element): void {
  if (parent.namespaceURI === SVG) return parseSvg(source, parent);
  const document = parent.ownerDocument;
  let open = parent;
  for (const [, closing, tag, rest, text] of source.matchAll(PIECE)) {
    if (text !== undefined) {
      open.appendChild(new Text(document, unescaped(text)));
      continue;
    }
    const name = tag!.toLowerCase();
    if (!NAMES.has(name) || /[^\s/]/.test(rest!)) throw new Unsupported(`<${name}> in a label`);
    if (closing) {
      if (open === parent || open.localName !== name) throw new Unsupported("tags that cross");
      open = open.parentNode!;
    } else {
      const element = open.appendChild(document.createElementNS(HTML, name));
      if (name !== "br") open = element;
    }
  }
}

const SHAPE = /<(\/?)([a-zA-Z]\w*)((?:\s[^<>]*?)?)(\/?)>|([^<]+|<)/g;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The icons of the library, which are elements of a drawing and not HTML. */
function parseSvg(source: string, parent: Element): void {
  let open = parent;
  for (const [, closing, name, attributes, empty, text] of source.matchAll(SHAPE)) {
    if (text !== undefined) {
      open.appendChild(new Text(parent.ownerDocument, unescaped(text)));
    } else if (closing) {
      if (open === parent || open.localName !== name) throw new Unsupported("tags that cross");
      open = open.parentNode!;
    } else {
      const element = open.appendChild(parent.ownerDocument.createElementNS(SVG, name!));
      for (const [, key, double, single] of attributes!.matchAll(ATTRIBUTE)) {
        element.setAttribute(key!, unescaped(double ?? single!));
      }
      if (!empty) open = element;
    }
  }
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([\da-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (name) {
      if (!Object.hasOwn(NAMED, name)) throw new Unsupported(`the entity ${whole}`);
      return NAMED[name]!;
    }
    const code = decimal ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}
