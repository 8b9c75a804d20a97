import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { childrenOf, flatten, isElement, plainText, type Element } from "./children";
import { Glyph } from "./icon";
import { flag, frame, type BaseProps } from "./props";

/** Whether an outer folder is highlighted, which tints all that it holds. */
const Tinted = createContext(false);

interface NodeProps extends BaseProps {
  name?: string;
  comment?: string;
  highlight?: boolean | string;
  defaultOpen?: boolean | string;
  openable?: boolean | string;
}

export function Tree(props: BaseProps & { title?: string }) {
  const items = flatten(props.children);
  const drawn = items.some(isList) ? items.map(fromMarkdown) : withoutBlanks(items);
  return (
    <div {...frame("tree", props)} data-component-part="tree-root">
      <ul class="ds-tree-list" aria-label={props.title}>
        {drawn}
      </ul>
    </div>
  );
}

/** Line breaks between the tags become text nodes, which a list may not hold. */
function withoutBlanks(items: ReturnType<typeof flatten>) {
  return items.filter((item) => isElement(item) || String(item).trim() !== "");
}

function isList(item: unknown): item is Element {
  return isElement(item) && (item.type === "ul" || item.type === "ol");
}

/** The nodes of a Markdown list: a trailing slash or a list within makes a folder. */
function fromMarkdown(item: Element | string | number): ComponentChildren {
  if (!isList(item)) return isElement(item) ? item : null;
  const entries = flatten(childrenOf(item)).filter(isElement);
  return entries.map((entry) => fromEntry(flatten(childrenOf(entry))));
}

function fromEntry(parts: (Element | string | number)[]) {
  const lists = parts.filter(isList);
  const name = plainText(parts.filter((part) => !isList(part))).trim();
  if (lists.length === 0 && !name.endsWith("/")) return <File name={name} />;
  return (
    <Folder name={name.replace(/\/$/, "")} defaultOpen>
      {lists.map(fromMarkdown)}
    </Folder>
  );
}

function Folder(props: NodeProps) {
  const tinted = useContext(Tinted) || flag(props.highlight);
  const label = <Label {...props} kind="folder" tinted={tinted} />;
  const inner = (
    <Tinted.Provider value={tinted}>
      <ul class="ds-tree-list" data-component-part="tree-folder-children-wrapper">
        {withoutBlanks(flatten(props.children))}
      </ul>
    </Tinted.Provider>
  );
  return (
    <li {...frame("tree-folder", props)} data-component-part="tree-folder">
      {flag(props.openable, true) ? (
        <details open={flag(props.defaultOpen)}>
          <summary class="ds-tree-row tree-folder">{label}</summary>
          {inner}
        </details>
      ) : (
        <>
          <div class="ds-tree-row tree-folder">{label}</div>
          {inner}
        </>
      )}
    </li>
  );
}

function File(props: NodeProps) {
  const tinted = useContext(Tinted) || flag(props.highlight);
  return (
    <li {...frame("tree-file", props)} data-component-part="tree-file">
      <div class="ds-tree-row">
        <Label {...props} kind="file" tinted={tinted} />
      </div>
    </li>
  );
}

function Label(props: NodeProps & { kind: "folder" | "file"; tinted: boolean }) {
  const { kind } = props;
  const state = flag(props.openable, true) && flag(props.defaultOpen) ? "open" : "closed";
  return (
    <span
      class="ds-tree-label"
      data-tinted={props.tinted ? "" : undefined}
      aria-current={flag(props.highlight) ? "true" : undefined}
    >
      <Glyph
        icon={kind}
        iconLibrary="lucide"
        part={kind === "file" ? "tree-file-icon" : `tree-folder-icon-${state}`}
      />
      <span class="ds-tree-name" data-component-part={`tree-${kind}-title`}>{props.name ?? plainText(props.children)}</span>
      {props.comment && <span class="ds-tree-comment">{props.comment}</span>}
    </span>
  );
}

Tree.Folder = Folder;
Tree.File = File;
