/** Components that most pages lack; a page with one loads this script, too. */
import { enhanceCodeMenus } from "./components/code-menu";
import { enhanceColors } from "./components/color";
import { enhancePrompts } from "./components/prompt";
import { enhanceTrees } from "./components/tree";
import { enhanceUpdates } from "./components/updates";

function start(): void {
  for (const apply of [enhanceCodeMenus, enhanceColors, enhancePrompts, enhanceTrees, enhanceUpdates]) apply(document);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
