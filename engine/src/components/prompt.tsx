import type { ComponentChildren } from "preact";
import { word } from "../words";
import { inline } from "./children";
import { Boxed } from "./icon";
import { frame, list, type BaseProps, type IconProps } from "./props";

interface PromptProps extends BaseProps, IconProps {
  description?: ComponentChildren;
  actions?: unknown;
  raw?: string;
}

/**
 * A prompt to copy. `raw` is its text as written; without it, the browser script copies what is shown.
 */
export function Prompt(props: PromptProps) {
  const { description, icon, iconType, iconLibrary, color } = props;
  const actions = list(props.actions ?? "copy");
  return (
    <div {...frame("prompt", props)} data-actions={actions.join(" ")}>
      <div class="ds-prompt-head">
        <Boxed
          class="ds-prompt-icon"
          {...{ icon: icon ?? "sparkles", iconType, iconLibrary, color }}
        />
        <p class="ds-prompt-description">{inline(description ?? word("prompt"))}</p>
      </div>
      <details class="ds-prompt-details">
        <summary>{word("show_prompt")}</summary>
        {props.raw === undefined ? (
          <div class="ds-prompt-text">{props.children}</div>
        ) : (
          <pre class="ds-prompt-text">{props.raw}</pre>
        )}
      </details>
    </div>
  );
}
