/** Return HTML as Markdown, complete enough for a prompt that is pasted elsewhere. */

const AROUND: Record<string, string> = {
  STRONG: "**",
  B: "**",
  EM: "_",
  I: "_",
  CODE: "`",
  DEL: "~~",
};
const BLOCKS = /^(P|DIV|UL|OL|LI|PRE|BLOCKQUOTE|H[1-6]|TABLE|FIGURE|SECTION|DETAILS)$/;

export function markdownOf(element: Element): string {
  return blocks(element).join("\n\n").trim();
}

function blocks(element: Element): string[] {
  const found: string[] = [];
  let run = "";
  const flush = () => {
    if (run.trim()) found.push(run.trim());
    run = "";
  };
  for (const child of element.childNodes) {
    if (child instanceof HTMLElement && BLOCKS.test(child.tagName)) {
      flush();
      found.push(...block(child));
    } else {
      run += inline(child);
    }
  }
  flush();
  return found;
}

function block(element: HTMLElement): string[] {
  const { tagName } = element;
  if (tagName === "PRE")
    return [`\`\`\`\n${(element.textContent ?? "").replace(/\n$/, "")}\n\`\`\``];
  if (tagName === "UL" || tagName === "OL") return [listOf(element)];
  const heading = /^H([1-6])$/.exec(tagName)?.[1];
  if (heading) return [`${"#".repeat(Number(heading))} ${inlines(element).trim()}`];
  const inner = blocks(element);
  return tagName === "BLOCKQUOTE" ? [inner.join("\n\n").replace(/^/gm, "> ")] : inner;
}

function listOf(list: HTMLElement): string {
  const items = [...list.children].map((item, index) => {
    const bullet = list.tagName === "OL" ? `${index + 1}. ` : "- ";
    const inner = blocks(item)
      .join("\n")
      .replace(/\n/g, `\n${" ".repeat(bullet.length)}`);
    return bullet + inner;
  });
  return items.join("\n");
}

function inlines(element: Element): string {
  return [...element.childNodes].map(inline).join("");
}

function inline(node: Node): string {
  if (!(node instanceof HTMLElement)) return (node.textContent ?? "").replace(/\s+/g, " ");
  if (node.tagName === "BR") return "\n";
  const text = inlines(node);
  if (node instanceof HTMLAnchorElement) return `[${text}](${node.href})`;
  const mark = AROUND[node.tagName] ?? "";
  return mark + text + mark;
}
