/** The words of the assistant's buttons, in the page's language; English where there are none. */

import { translated } from "../components/language";

export const word = /* @__PURE__ */ translated("assistant", {
  ask: "Ask",
  askSelection: "Ask about this",
  askCode: "Ask about this code",
});
