import type { ComponentChildren } from "preact";
import { presetIcon, kindOf } from "./callouts";
import { inline, isBlank, plainText } from "./children";
import { Boxed } from "./icon";
import { between, flag, frame, type BaseProps, type IconProps } from "./props";

interface CardProps extends BaseProps, IconProps {
  title?: ComponentChildren;
  href?: string;
  horizontal?: boolean | string;
  img?: string;
  cta?: string;
  arrow?: boolean | string;
  type?: string;
  target?: string;
}

const EXTERNAL = /^(https?:)?\/\//i;

/**
 * The whole card is the link's target area, but the link element is the title alone:
 * its name stays short, and links within the card remain links of their own.
 */
export function Card(props: CardProps) {
  const { href, img, children } = props;
  const kind = kindOf(props.type);
  return (
    <div
      {...frame("card", props)}
      id={props.id}
      data-link={href ? "" : undefined}
      data-horizontal={flag(props.horizontal) ? "" : undefined}
      data-callout={kind}
    >
      {img && <img class="ds-card-image" src={img} alt="" data-no-zoom="" />}
      <div class="ds-card-inner">
        <CardIcon {...props} />
        <div class="ds-card-body">
          <CardTitle {...props} />
          {!isBlank(children) && <div class="ds-card-text">{children}</div>}
          {props.cta && <p class="ds-card-cta">{props.cta}</p>}
        </div>
      </div>
      {arrowed(props) && <span class="ds-card-arrow" aria-hidden="true" />}
    </div>
  );
}

function CardIcon(props: CardProps) {
  const kind = kindOf(props.type);
  if (props.icon !== undefined) return <Boxed class="ds-card-icon" {...pictured(props)} />;
  return kind ? <span class="ds-card-icon">{presetIcon(kind)}</span> : null;
}

function pictured({ icon, iconType, iconLibrary, color }: CardProps): IconProps {
  return { icon, iconType, iconLibrary, color };
}

function CardTitle({ title, href, target, cta, children }: CardProps) {
  const heading = inline(title);
  if (!href) return title ? <p class="ds-card-title">{heading}</p> : null;
  const name = title ? undefined : cta || plainText(children).trim() || href;
  const link = (
    <a class="ds-card-link" href={href} target={target} aria-label={name}>
      {heading}
    </a>
  );
  return title ? <p class="ds-card-title">{link}</p> : link;
}

function arrowed({ href, arrow }: CardProps): boolean {
  return flag(arrow, href !== undefined && EXTERNAL.test(href));
}

interface ColumnsProps extends BaseProps {
  cols?: number | string;
}

function grid(name: string) {
  return (props: ColumnsProps) => {
    const { class: className, style } = frame("columns", props);
    const extra = name === "columns" ? className : `${className} ${name}`;
    return (
      <div class={extra} style={style} data-cols={between(props.cols, 1, 4, 2)}>
        {props.children}
      </div>
    );
  };
}

export const Columns = grid("columns");
export const CardGroup = grid("card-group");

export function Column(props: BaseProps) {
  return <div {...frame("column", props)}>{props.children}</div>;
}

interface TileProps extends BaseProps {
  href?: string;
  title?: string;
  description?: string;
}

export function Tile(props: TileProps) {
  const { href, title, description } = props;
  return (
    <div {...frame("tile", props)} data-link={href ? "" : undefined}>
      <div class="ds-tile-preview">{props.children}</div>
      <CardTitle title={title} href={href} cta={description} />
      {description && <p class="ds-tile-description">{inline(description)}</p>}
    </div>
  );
}
