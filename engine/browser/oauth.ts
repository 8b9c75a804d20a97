/** On the page after a sign-in: passes the authorization server's response to the playground. */
import { CHANNEL } from "./playground/oauth-channel";

const said = [...new URLSearchParams(location.search), ...new URLSearchParams(location.hash.slice(1))];
history.replaceState(null, "", location.pathname);
new BroadcastChannel(CHANNEL).postMessage(Object.fromEntries(said));
window.close();
