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
  return (
    <span
      {...frame("badge", props)}
      data-badge=""
      data-color={oneOf(props.color, COLORS, "gray")}
      data-size={oneOf(props.size, SIZES, "md")}
      data-shape={oneOf(props.shape, SHAPES, "rounded")}
      data-stroke={flag(props.stroke) ? "" : undefined}
      data-disabled={flag(props.disabled) ? "" : undefined}
    >
      <Glyph icon={props.icon} iconType={props.iconType} iconLibrary={props.iconLibrary} />
      {props.children}
    </span>
  );
}
