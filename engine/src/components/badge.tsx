import { Glyph } from "./icon";
import { flag, frame, oneOf, type BaseProps, type IconProps } from "./props";

const SIZES = ["xs", "sm", "md", "lg"] as const;
const SHAPES = ["rounded", "pill"] as const;
const COLORS = [
  "gray",
  "blue",
  "green",
  "yellow",
  "orange",
  "red",
  "purple",
  "white",
  "surface",
  "white-destructive",
  "surface-destructive",
] as const;

interface BadgeProps extends BaseProps, Omit<IconProps, "color"> {
  color?: string;
  size?: string;
  shape?: string;
  stroke?: boolean | string;
  disabled?: boolean | string;
}

export function Badge(props: BadgeProps) {
  const { icon, iconType, iconLibrary } = props;
  const drawn = Glyph({ icon, iconType, iconLibrary });
  return (
    <span
      {...frame("badge", props)}
      data-badge=""
      data-color={oneOf(props.color, COLORS, "gray")}
      data-size={oneOf(props.size, SIZES, "md")}
      data-shape={oneOf(props.shape, SHAPES, "rounded")}
      data-stroke={flag(props.stroke) ? "" : undefined}
      data-variant={flag(props.stroke) ? "outline" : "solid"}
      data-disabled={flag(props.disabled) ? "" : undefined}
    >
      {drawn && (
        <span
          class="ds-badge-icon"
          data-component-part="tail-icon"
          data-icon-type={typeof props.icon === "string" ? "string" : "element"}
        >
          {drawn}
        </span>
      )}
      {props.children}
    </span>
  );
}
