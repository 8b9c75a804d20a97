import type { ComponentChildren } from "preact";
import { integer, type BaseProps, type IconProps } from "./props";
import { Redrawn } from "./redrawn";

interface GlyphProps extends IconProps {
  size?: number | string;
  part?: string | null; // of another component, or of none
  label?: string; // of an icon that says something; others are hidden from screen readers
  class?: string;
  style?: BaseProps["style"];
}

const IMAGE = /^(https?:|data:|\.{0,2}\/)|\.(svg|png|jpe?g|gif|webp|avif|ico)$/i;
const BARE_HEX = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A colour in CSS notation; authors omit the `#`. */
export function cssColor(color: unknown): string | undefined {
  if (typeof color !== "string" || color.trim() === "") return undefined;
  const value = color.trim();
  return BARE_HEX.test(value) && /\d/.test(value) ? `#${value}` : value;
}

/**
 * An icon by name, URL or element; nothing when there is none. A name becomes `<i data-ds-icon>`, which a later
 * pass replaces by the drawing.
 */
export function Glyph({ icon, iconType, iconLibrary, color, size, part, label, ...given }: GlyphProps) {
  if (icon === undefined || icon === null || icon === "" || typeof icon === "boolean") return null;
  const rest = part === undefined ? { ...given, class: hooked(given.class) } : given;
  if (typeof icon !== "string") return <span class={withIconClass(given.class)}>{icon}</span>;
  const name = icon.trim();
  const pixels = integer(size);
  if (IMAGE.test(name)) return <ImageIcon src={name} pixels={pixels} {...rest} />;
  const mark = (
    <i
      class={rest.class}
      style={rest.style}
      data-component-part={part === undefined ? "icon-svg" : (part ?? undefined)}
      data-ds-icon={name}
      data-ds-icon-type={iconType}
      data-ds-library={iconLibrary}
      data-ds-size={pixels}
      data-ds-color={cssColor(color)}
      data-ds-label={label}
      aria-hidden="true"
    />
  );
  return <Redrawn name={[iconLibrary, iconType, name].join("/")} mark={mark} />;
}

/** The bare name by which style sheets of sites select icons. */
function hooked(name?: string): string {
  return name ? `icon ${name}` : "icon";
}

/** The pass that renders named icons adds this class itself. */
function withIconClass(name?: string): string {
  return name ? `ds-icon ${name}` : "ds-icon";
}

interface ImageIconProps {
  src: string;
  pixels?: number;
  class?: string;
  style?: BaseProps["style"];
}

function ImageIcon({ src, pixels, style, ...rest }: ImageIconProps) {
  // A drawing without a size of its own would else be as wide as the text.
  const size = pixels ? `width:${pixels}px;height:${pixels}px` : undefined;
  return (
    <img
      class={`${withIconClass(rest.class)} ds-icon-image`}
      data-component-part="icon-image"
      src={src}
      alt=""
      width={pixels}
      height={pixels}
      style={style ?? size}
      data-no-zoom=""
    />
  );
}

/** An icon with a box of its own around it, so that its position does not depend on its kind. */
export function Boxed({ class: name, ...icon }: IconProps & { class: string }) {
  const glyph = Glyph(icon);
  return glyph && <span class={name}>{glyph}</span>;
}

interface NamedIconProps extends BaseProps, IconProps {
  src?: string;
  name?: string;
  size?: number | string;
  children?: ComponentChildren;
}

export function Icon(props: NamedIconProps) {
  const { icon, src, name, iconType, iconLibrary, color, size, style } = props;
  const names = [props.className, props.class];
  return (
    <Glyph
      icon={icon ?? src ?? name ?? props.children}
      iconType={iconType}
      iconLibrary={iconLibrary}
      color={color}
      size={size}
      style={style}
      class={names.filter(Boolean).join(" ")}
    />
  );
}
