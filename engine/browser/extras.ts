/** Components that most pages lack; a page with one loads this script, too. */
import { enhanceCodeMenus } from "./components/code-menu";
import { enhanceColors } from "./components/color";
import { offerImages } from "./components/images";
import { enhancePrompts } from "./components/prompt";
import { enhanceTrees } from "./components/tree";
import { enhanceUpdates } from "./components/updates";

const ENHANCEMENTS = [
  enhanceCodeMenus,
  enhanceColors,
  offerImages,
  enhancePrompts,
  enhanceTrees,
  enhanceUpdates,
];

function start(): void {
  for (const apply of ENHANCEMENTS) apply(document);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
