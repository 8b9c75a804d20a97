/** Form below a field for a token: the flows that fetch one. */
import { make } from "../components/dom";
import { labelled } from "./form";
import { clientOf, redirectUrl, tokenFor, type Flow } from "./oauth";
import type { Way } from "./send";
import { word } from "./words";

const NAMES = {
  authorizationCode: "Authorization code (PKCE)",
  clientCredentials: "Client credentials",
  implicit: "Implicit",
};

export function tokenForm(flows: Flow[], way: Way, use: (token: string) => void): HTMLElement {
  const holder = make("div", {});
  const choice = make("select", {}, ...flows.map(({ kind }) => make("option", {}, NAMES[kind])));
  const show = () => holder.replaceChildren(...flowForm(flows[choice.selectedIndex]!, way, use));
  choice.addEventListener("change", show);
  show();
  const box = make("details", { class: "ds-playground-oauth" }, make("summary", {}, word("getToken")));
  box.append(labelled("flow", choice), holder);
  return box;
}

function flowForm(flow: Flow, way: Way, use: (token: string) => void): HTMLElement[] {
  const id = input(clientOf(flow));
  const secret = input("", "password");
  const scope = input(flow.wanted.join(" "), "text", flow.scopes.join(" "));
  const status = make("p", { role: "status" }, flow.kind === "implicit" ? word("implicit") : "");
  const button = make("button", { type: "button", class: "ds-playground-token" }, word("getToken"));
  button.addEventListener("click", () => {
    const client = { id: id.value.trim(), secret: secret.value.trim(), scope: scope.value.trim() };
    status.textContent = word("sending");
    tokenFor(flow, client, way).then(
      (token) => {
        use(token);
        status.textContent = word("hasToken");
      },
      (error: Error) => (status.textContent = `${word("noToken")}: ${error.message}`),
    );
  });
  const shown = [labelled("client_id", id)];
  if (flow.kind !== "implicit") shown.push(labelled("client_secret", secret));
  if (flow.scopes.length > 0) shown.push(labelled("scope", scope));
  if (flow.authorizationUrl) shown.push(labelled("redirect_uri", make("output", { class: "ds-playground-server" }, redirectUrl())));
  for (const each of shown) each.addEventListener("keydown", (event) => event.key === "Enter" && sendInstead(event, button));
  return [...shown, button, status];
}

/** Enter gets the token and does not send the request around these fields. */
function sendInstead(event: KeyboardEvent, button: HTMLButtonElement): void {
  if (!(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  button.click();
}

function input(value: string, type = "text", placeholder?: string): HTMLInputElement {
  const control = make("input", { type, placeholder, autocomplete: "off", spellcheck: "false" });
  control.value = value;
  return control;
}
