/**
 * Additions of scripts to a page whose HTML is complete without them. `enhance` may be called
 * again for content that arrives later; what has been enhanced is not changed again.
 */
import { copyNameLinks } from "./components/name-links";
import { enhanceAccordions, enhanceExpandables } from "./components/accordion";
import { enhanceCode } from "./components/code";
import { followHash } from "./components/reveal";
import { enhanceTables } from "./components/scroll";
import { enhanceTabs, enhanceViews } from "./components/tabs";
import { closeTooltipsOnEscape, enhanceTooltips } from "./components/tooltip";
import { enhanceImages } from "./components/zoom";
import { offerActions } from "./shell/actions";

const ENHANCEMENTS = [
  enhanceAccordions,
  enhanceExpandables,
  enhanceCode,
  enhanceTables,
  enhanceTabs,
  enhanceViews,
  enhanceTooltips,
  enhanceImages,
];

export function enhance(root: ParentNode = document): void {
  for (const apply of ENHANCEMENTS) apply(root);
}

function start(): void {
  enhance(document);
  offerActions();
  followHash();
  copyNameLinks();
  closeTooltipsOnEscape();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
