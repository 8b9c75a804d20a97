/** The components that a page may use without importing them. */
import { CodeBlock, Mermaid } from "../runtime/fence";
import { Visibility } from "../runtime/visibility";
import { Accordion, AccordionGroup, Expandable } from "./accordion";
import { Badge } from "./badge";
import { Callout, Check, Danger, Info, Note, Tip, Warning } from "./callouts";
import { Card, CardGroup, Column, Columns, Tile } from "./cards";
import { CodeGroup, RequestExample, ResponseExample } from "./code";
import { Color } from "./color";
import { ParamField, ResponseField } from "./fields";
import { Icon } from "./icon";
import { Frame, GitHub, Image, Link } from "./media";
import { Prompt } from "./prompt";
import { Step, Steps } from "./steps";
import { Tab, Tabs, View } from "./tabs";
import { Heading, Latex, Panel, Tooltip } from "./text";
import { Tree } from "./tree";
import { Update } from "./update";

export { Anchors, PartAnchors, type AnchorRegistry } from "./anchors";

// Authors pass any props whatever, so each component reads its own.
export const components: Record<string, any> = {
  Accordion,
  AccordionGroup,
  Badge,
  Callout,
  Card,
  CardGroup,
  Check,
  CodeBlock,
  CodeGroup,
  Color,
  Column,
  Columns,
  Danger,
  Expandable,
  FileTree: Tree,
  Frame,
  GitHub,
  Heading,
  Icon,
  Image,
  Info,
  Latex,
  Link,
  Mermaid,
  Note,
  Panel,
  ParamField,
  Prompt,
  RequestExample,
  RequestField: ParamField,
  ResponseExample,
  ResponseField,
  Step,
  Steps,
  Tab,
  Tabs,
  Tile,
  Tip,
  Tooltip,
  Tree,
  Update,
  View,
  Visibility,
  Warning,
};

const BLOCKS: ReadonlySet<unknown> = new Set([...Object.values(components), GitHub.Repo]);
const INLINE: ReadonlySet<unknown> = new Set([
  Badge,
  Icon,
  Image,
  Latex,
  Link,
  Tooltip,
  Visibility,
]);

/** Whether a component of ours makes a block, which may not stand in a paragraph. */
export function isBlock(type: unknown): boolean {
  return BLOCKS.has(type) && !INLINE.has(type);
}
