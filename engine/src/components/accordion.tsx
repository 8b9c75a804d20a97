import type { ComponentChildren } from "preact";
import { useAnchor } from "./anchors";
import { inline, inlineCode, plainText } from "./children";
import { Boxed } from "./icon";
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
  return (
    <details {...frame("accordion", props)} id={id} open={flag(props.defaultOpen)}>
      <summary class="ds-accordion-summary">
        <Boxed class="ds-accordion-icon" {...{ icon, iconType, iconLibrary, color }} />
        <span class="ds-accordion-heading">
          <span class="ds-accordion-title">{inlineCode(title) ?? word("details")}</span>
          {description && <span class="ds-accordion-description">{inline(description)}</span>}
        </span>
      </summary>
      <div class="ds-accordion-body">{props.children}</div>
    </details>
  );
}

export function AccordionGroup(props: BaseProps) {
  return <div {...frame("accordion-group", props)}>{props.children}</div>;
}

interface ExpandableProps extends BaseProps {
  title?: ComponentChildren;
  defaultOpen?: boolean | string;
}

export function Expandable(props: ExpandableProps) {
  return (
    <details {...frame("expandable", props)} id={props.id} open={flag(props.defaultOpen)}>
      <summary class="ds-expandable-summary">{inlineCode(props.title) ?? word("details")}</summary>
      <div class="ds-expandable-body">{props.children}</div>
    </details>
  );
}
