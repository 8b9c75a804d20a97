/** The words of the assistant that are there before its panel, in the page's language; English where there are none. */

import { translated } from "../components/language";

export const word = /* @__PURE__ */ translated("assistant", {
  ask: "Ask",
  askSelection: "Ask about this",
  askCode: "Ask about this code",
  notLoaded: "The assistant could not be loaded.",
});
