import { h, type ComponentChildren } from "preact";
import { Badge } from "./badge";
import { presetIcon, kindOf } from "./callouts";
import { fitsInLink, inline, isBlank, isNamed, pictureText, plainText } from "./children";
import { Glyph, Icon } from "./icon";
import { nameOfTarget } from "../links";
import { replaceEach } from "../patterns";
import { between, flag, frame, oneOf, withVariable, type BaseProps, type IconProps } from "./props";

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
  as?: string;
}

const BLANKS = /\s+/g;
const LONGEST_NAME = 100; // characters
const EXTERNAL = /^(https?:)?\/\//i;
const TAGS = ["div", "article", "aside", "li", "section"] as const;
const INERT: ReadonlySet<unknown> = new Set([Icon, Badge]);

/**
 * A card with a URL is a link. If a link may not contain the card's content, the title is the link, and the whole
 * card its target area.
 */
export function Card({ disabled, ...given }: CardProps) {
  const props = flag(disabled) ? { ...given, href: undefined } : given;
  const { href, img, children, target } = props;
  const kind = kindOf(props.type);
  const isLink = Boolean(href) && fitsInLink([inline(props.title), children], INERT);
  const Root = isLink ? "a" : (oneOf(props.as, TAGS, "div") as "div");
  const label = isNamed([props.title, props.cta, children]) ? undefined : targetName(href);
  const link = isLink ? { href, target, "aria-label": label } : {};
  return (
    <Root
      {...frame("card", props)}
      id={props.id}
      {...link}
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
          <CardTitle {...props} href={isLink ? undefined : href} part="card-title" />
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
    </Root>
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
  const glyph = props.icon !== undefined ? Glyph(pictured(props)) : kind && presetIcon(kind);
  if (!glyph) return null;
  return (
    <div class="ds-card-icon" data-component-part="card-icon">
      {glyph}
    </div>
  );
}

function pictured({ icon, iconType, iconLibrary, color }: CardProps): IconProps {
  return { icon, iconType, iconLibrary, color };
}

function CardTitle({ title, href, target, cta, children, part }: CardProps & { part: Part }) {
  const heading = inline(title);
  if (!href) return title ? <Title part={part}>{heading}</Title> : null;
  const words = cta || start(plainText(children, " ")) || start(pictureText(children));
  const name = title ? undefined : words || targetName(href);
  const link = (
    <a class="ds-card-link" href={href} target={target} aria-label={name}>
      {heading}
    </a>
  );
  return title ? <Title part={part}>{link}</Title> : link;
}

function targetName(href: string | undefined): string | undefined {
  return href && nameOfTarget(href);
}

/** The first words of a content, which name its link. */
function start(content: string): string {
  const text = replaceEach(content, BLANKS, () => " ").trim();
  if (text.length <= LONGEST_NAME) return text;
  const end = text.lastIndexOf(" ", LONGEST_NAME);
  return `${text.slice(0, end > 0 ? end : LONGEST_NAME).toWellFormed()}…`;
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

/** `CardGroup` is its former name, which style sheets of sites still use. */
export function Columns(props: ColumnsProps) {
  const { class: className, style } = frame("columns", props);
  const cols = between(props.cols, 1, 4, 2);
  return (
    <div class={`${className} card-group`} style={withVariable(style, "--cols", cols)} data-cols={cols}>
      {props.children}
    </div>
  );
}

export const CardGroup = Columns;

export function Column(props: BaseProps) {
  return <div {...frame("column", props)}>{props.children}</div>;
}

interface TileProps extends BaseProps {
  href?: string;
  title?: string;
  description?: string;
}

export function Tile(props: TileProps) {
  const { href, title, description, children } = props;
  const isLink = Boolean(href) && fitsInLink([inline(title), inline(description), children], INERT);
  const hasWords = title || description;
  const Root = isLink ? "a" : "div";
  const label = isNamed([title, description, children]) ? undefined : targetName(href);
  const link = isLink ? { href, "aria-label": label } : {};
  return (
    <Root {...frame("tile", props)} {...link} data-link={href ? "" : undefined}>
      <div class="ds-tile-preview" data-component-part="tile-children-container">
        <div data-component-part="tile-background-light" aria-hidden="true" />
        <div data-component-part="tile-background-dark" aria-hidden="true" />
        <div class="ds-tile-content" data-component-part="tile-children-inner-container">
          {children}
        </div>
      </div>
      {(hasWords || (href && !isLink)) && (
        <div class="ds-tile-words" data-component-part="tile-text-container">
          <CardTitle
            title={title}
            href={isLink ? undefined : href}
            cta={description}
            part="tile-title"
          />
          {description && (
            <p class="ds-tile-description" data-component-part="tile-description">
              {inline(description)}
            </p>
          )}
        </div>
      )}
    </Root>
  );
}
