import type { ComponentChildren } from "preact";
import { useAnchor } from "./anchors";
import { inline, inlineCode, plainText } from "./children";
import { Glyph } from "./icon";
import { flag, frame, type BaseProps, type IconProps } from "./props";
import { word } from "../words";

interface AccordionProps extends BaseProps, IconProps {
  title?: ComponentChildren;
  description?: string;
  defaultOpen?: boolean | string;
}

export function Accordion(props: AccordionProps) {
  const { title, description, icon, iconType, iconLibrary, color } = props;
  const id = useAnchor(plainText(title), props.id);
  const glyph = Glyph({ icon, iconType, iconLibrary, color });
  const open = flag(props.defaultOpen);
  const [label, region] = id ? [`${id}-label`, `${id}-accordion-children`] : [];
  return (
    <details
      {...frame("accordion", props)}
      id={id}
      data-component-part="accordion"
      open={open}
    >
      <summary
        class="ds-accordion-summary"
        id={label}
        aria-controls={region}
        aria-expanded={open ? "true" : "false"}
        data-component-part="accordion-button"
      >
        <div class="ds-caret" data-component-part="accordion-caret-right">
          <Caret />
        </div>
        {glyph && (
          <div class="ds-accordion-icon" data-component-part="accordion-icon">
            {glyph}
          </div>
        )}
        <div class="ds-accordion-heading" data-component-part="accordion-title-container">
          <p class="ds-accordion-title" data-component-part="accordion-title">
            {inlineCode(title) ?? word("details")}
          </p>
          {description && (
            <p class="ds-accordion-description" data-component-part="accordion-description">
              {inline(description)}
            </p>
          )}
        </div>
      </summary>
      <div
        class="ds-accordion-body"
        id={region}
        role="region"
        aria-labelledby={label}
        data-component-part="accordion-content"
      >
        {props.children}
      </div>
    </details>
  );
}

export function AccordionGroup(props: BaseProps) {
  return (
    <div {...frame("accordion-group", props)} data-component-part="accordion-group">
      {props.children}
    </div>
  );
}

/** Arrow that turns when its details are open. */
function Caret() {
  return <Glyph icon="chevron-right" iconLibrary="lucide" />;
}

interface ExpandableProps extends BaseProps {
  title?: ComponentChildren;
  defaultOpen?: boolean | string;
}

export function Expandable(props: ExpandableProps) {
  const open = flag(props.defaultOpen);
  const [before, after] = word(open ? "hide_title" : "show_title").split("{title}");
  return (
    <details
      {...frame("expandable", props)}
      id={props.id}
      data-component-part="expandable"
      open={open}
    >
      <summary
        class="ds-expandable-summary"
        aria-expanded={open ? "true" : "false"}
        data-component-part="expandable-button"
      >
        <span class="ds-caret">
          <Caret />
        </span>
        <p class="ds-expandable-label">
          {before}
          <span class="ds-expandable-title">{inlineCode(props.title) ?? word("child_attributes")}</span>
          {after}
        </p>
      </summary>
      <div
        class="ds-expandable-body expandable-content"
        data-component-part="expandable-content"
      >
        {props.children}
      </div>
    </details>
  );
}
