import { h, type ComponentChildren } from "preact";
import { presetIcon, kindOf } from "./callouts";
import { inline, isBlank, plainText } from "./children";
import { Glyph } from "./icon";
import { between, flag, frame, withVariable, type BaseProps, type IconProps } from "./props";

interface CardProps extends BaseProps, IconProps {
  title?: ComponentChildren;
  href?: string;
  horizontal?: boolean | string;
  img?: string;
  cta?: string;
  arrow?: boolean | string;
  type?: string;
  target?: string;
  disabled?: boolean | string;
}

const EXTERNAL = /^(https?:)?\/\//i;

/**
 * The whole card is the link's target area, but the link element is the title alone:
 * its name stays short, and links within the card remain links of their own.
 */
export function Card({ disabled, ...given }: CardProps) {
  const props = flag(disabled) ? { ...given, href: undefined } : given;
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
      {img && (
        <img
          class="ds-card-image"
          data-component-part="card-image"
          src={img}
          alt=""
          data-no-zoom=""
        />
      )}
      <div class="ds-card-inner" data-component-part="card-content-container">
        {href && <Arrow hidden={!arrowed(props)} />}
        <CardIcon {...props} />
        <div class="ds-card-body">
          <CardTitle {...props} part="card-title" />
          <div class="ds-card-text" data-component-part="card-content">
            {isBlank(children) ? null : children}
          </div>
          {props.cta && (
            <div class="ds-card-cta" data-component-part="card-cta">
              <span>{props.cta}</span>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function Arrow({ hidden }: { hidden: boolean }) {
  return (
    <div
      class="ds-card-arrow"
      data-component-part="card-arrow"
      hidden={hidden}
      aria-hidden="true"
    />
  );
}

function CardIcon(props: CardProps) {
  const kind = kindOf(props.type);
  const drawn = props.icon !== undefined ? Glyph(pictured(props)) : kind && presetIcon(kind);
  if (!drawn) return null;
  return (
    <div class="ds-card-icon" data-component-part="card-icon">
      {drawn}
    </div>
  );
}

function pictured({ icon, iconType, iconLibrary, color }: CardProps): IconProps {
  return { icon, iconType, iconLibrary, color };
}

function CardTitle({ title, href, target, cta, children, part }: CardProps & { part: Part }) {
  const heading = inline(title);
  if (!href) return title ? <Title part={part}>{heading}</Title> : null;
  const name = title ? undefined : cta || plainText(children).trim() || href;
  const link = (
    <a class="ds-card-link" href={href} target={target} aria-label={name}>
      {heading}
    </a>
  );
  return title ? <Title part={part}>{link}</Title> : link;
}

type Part = "card-title" | "tile-title";

/**
 * A card's title has the tag of a heading, which style sheets of sites name, but is none:
 * it is not among the page's contents, nor does it open a section for screen readers.
 */
function Title({ part, children }: { part: Part; children: ComponentChildren }) {
  const isHeading = part === "card-title";
  const attributes = { class: "ds-card-title", "data-component-part": part };
  return isHeading ? h("h2", { ...attributes, role: "none" }, children) : h("p", attributes, children);
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
    const cols = between(props.cols, 1, 4, 2);
    return (
      <div class={extra} style={withVariable(style, "--cols", cols)} data-cols={cols}>
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
      <div class="ds-tile-preview" data-component-part="tile-children-container">
        <div data-component-part="tile-background-light" aria-hidden="true" />
        <div data-component-part="tile-background-dark" aria-hidden="true" />
        <div class="ds-tile-content" data-component-part="tile-children-inner-container">
          {props.children}
        </div>
      </div>
      {(title || description || href) && (
        <div class="ds-tile-words" data-component-part="tile-text-container">
          <CardTitle title={title} href={href} cta={description} part="tile-title" />
          {description && (
            <p class="ds-tile-description" data-component-part="tile-description">
              {inline(description)}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
