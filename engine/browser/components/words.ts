/** The few words that scripts add to a page, in its language; English where there are none. */

import { translated } from "./language";

const ENGLISH = {
  copyCode: "Copy code",
  copyPrompt: "Copy prompt",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Could not copy",
  showTitle: "Show {title}",
  hideTitle: "Hide {title}",
  collapse: "Collapse",
  view: "View",
  filter: "Filter",
  entries: "Entries shown",
  enlarge: "Enlarge image",
  code: "Code",
  files: "Files",
  diagram: "Diagram",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  panLeft: "Move left",
  panRight: "Move right",
  panUp: "Move up",
  panDown: "Move down",
  resetView: "Reset view",
  copyImage: "Copy image",
  downloadImage: "Download image",
};

export type Word = keyof typeof ENGLISH;

export const word = /* @__PURE__ */ translated("components", ENGLISH);
