import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { childrenOf, flatten, isElement, plainText, type Element } from "./children";
import { Glyph } from "./icon";
import { word } from "../words";
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
  const rows = items.some(isList) ? items.map(fromMarkdown) : withoutBlanks(items);
  return (
    <div
      {...frame("tree", props)}
      role="tree"
      aria-label={props.title ?? word("files")}
      data-component-part="tree-root"
    >
      {rows}
    </div>
  );
}

/** Line breaks between the tags become text nodes, which a list may not contain. */
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

/**
 * Style sheets close folders where scripts run; without a script all of them are open. A folder
 * that cannot be opened shows nothing of its content. One without content is not open or closed.
 */
function Folder(props: NodeProps) {
  const tinted = useContext(Tinted) || flag(props.highlight);
  const openable = flag(props.openable, true);
  const children = openable ? withoutBlanks(flatten(props.children)) : [];
  const state = children.length > 0 ? String(flag(props.defaultOpen)) : undefined;
  return (
    <div {...frame("tree-folder", props)} data-component-part="tree-folder" role="none">
      <div class="ds-tree-row tree-folder" role="treeitem" aria-expanded={state as "true" | undefined}>
        <Label {...props} kind="folder" tinted={tinted} isEmpty={children.length === 0} />
      </div>
      {children.length > 0 && (
        <div class="ds-tree-list" role="group" data-component-part="tree-folder-children-wrapper">
          <div class="ds-tree-line" data-component-part="tree-folder-children-line" />
          <Tinted.Provider value={tinted}>{children}</Tinted.Provider>
        </div>
      )}
    </div>
  );
}

function File(props: NodeProps) {
  const tinted = useContext(Tinted) || flag(props.highlight);
  const { class: name, style } = frame("tree-file", props);
  return (
    <div class={`ds-tree-row ${name}`} style={style} role="treeitem" data-component-part="tree-file">
      <Label {...props} kind="file" tinted={tinted} />
    </div>
  );
}

interface LabelProps extends NodeProps {
  kind: "folder" | "file";
  tinted: boolean;
  isEmpty?: boolean;
}

function Label(props: LabelProps) {
  const { kind } = props;
  const state = flag(props.defaultOpen) && !props.isEmpty ? "open" : "closed";
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
