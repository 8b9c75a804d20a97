import type { ComponentChildren } from "preact";
import { word } from "../words";
import { inline } from "./children";
import { frame, list, type BaseProps } from "./props";

interface UpdateProps extends BaseProps {
  label?: ComponentChildren;
  description?: ComponentChildren;
  date?: string;
  tags?: unknown;
  rss?: unknown;
}

export function Update(props: UpdateProps) {
  const { label, description, date } = props;
  const tags = [...new Set(list(props.tags))];
  const detail = description ?? date;
  return (
    <div
      {...frame("update", props)}
      data-tags={tags.length ? JSON.stringify(tags) : undefined}
      data-rss={entryOf(props.rss)}
    >
      <div class="ds-update-side">
        {label && (
          <div data-component-part="update-label">
            <h2 class="ds-update-label" id={props.id}>
              {label}
            </h2>
          </div>
        )}
        {tags.length > 0 && <Tags tags={tags} />}
        {detail && (
          <div class="ds-update-description" data-component-part="update-description">
            {inline(detail)}
          </div>
        )}
      </div>
      <div class="ds-update-body" data-component-part="update-content">
        {props.children}
      </div>
    </div>
  );
}

/** Return the text of a feed about the update, in place of its headings. */
function entryOf(rss: unknown): string | undefined {
  if (!rss || typeof rss !== "object") return undefined;
  const { title, description } = rss as { title?: unknown; description?: unknown };
  return JSON.stringify([title ?? "", description ?? ""].map(String));
}

function Tags({ tags }: { tags: string[] }) {
  return (
    <div
      class="ds-update-tags"
      role="list"
      data-component-part="update-tag-list"
      aria-label={word("tags")}
    >
      {tags.map((tag) => (
        <span class="ds-update-tag" role="listitem" data-component-part="update-tag">
          {tag}
        </span>
      ))}
    </div>
  );
}
