import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { word } from "../words";
import { inline, plainText } from "./children";
import { between, classes, flag, frame, type BaseProps } from "./props";

interface TooltipProps extends BaseProps {
  tip?: ComponentChildren;
  headline?: string;
  cta?: string;
  href?: string;
}

/** Opens on hover and focus by style only; the browser script adds Escape and the position. */
export function Tooltip(props: TooltipProps) {
  const { tip, headline, cta, href } = props;
  const id = `tip-${useId()}`;
  return (
    <span {...frame("tooltip", props)}>
      <span class="ds-tooltip-trigger tooltip" tabIndex={0} role="button" aria-describedby={id}>
        {props.children}
      </span>
      <span
        class="ds-tooltip-body"
        data-component-part="tooltip-content"
        role="tooltip"
        id={id}
      >
        {headline && (
          <strong class="ds-tooltip-headline" data-component-part="tooltip-title">
            {headline}
          </strong>
        )}
        <span class="ds-tooltip-tip" data-component-part="tooltip-description">
          {inline(tip)}
        </span>
        {href && (
          <a class="ds-tooltip-link" data-component-part="tooltip-cta" href={href}>
            {cta || href}
          </a>
        )}
      </span>
    </span>
  );
}

export function Panel(props: BaseProps) {
  return (
    <aside {...frame("panel", props)} data-ds-panel="" aria-label={word("contents")}>
      {props.children}
    </aside>
  );
}

interface HeadingProps extends BaseProps {
  level?: number | string;
  as?: string;
  noAnchor?: boolean | string;
}

export function Heading(props: HeadingProps) {
  const level = /^h([1-6])$/.exec(props.as ?? "")?.[1] ?? props.level;
  const Title = `h${between(level, 1, 6, 2)}` as "h2";
  const extra = flag(props.noAnchor) ? { noAnchor: true } : {};
  return (
    <Title id={props.id} class={props.className ?? props.class} style={props.style} {...extra}>
      {props.children}
    </Title>
  );
}

/** The source of a formula, which stays readable wherever formulas cannot be set. */
export function Latex(props: BaseProps) {
  return (
    <code class={classes("latex", props)} style={props.style}>
      {plainText(props.children)}
    </code>
  );
}
