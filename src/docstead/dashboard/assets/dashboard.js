// Everything here only helps: each page works without it.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    const done = await copy(field);
    const label = button.textContent;
    button.textContent = done ? "Copied" : "Select it";
    setTimeout(() => { button.textContent = label; }, 1600);
  });
}

// The clipboard is only there in secure contexts; a selected field can be copied anywhere.
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

// Escape closes the account menu and goes back to its button; so does a click elsewhere.
const menu = document.querySelector("details.menu");
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});

// Only admin keys have scopes.
for (const scopes of document.querySelectorAll("[data-only-kind]")) {
  const radios = document.querySelectorAll("input[name=kind]");
  const update = () => {
    const chosen = [...radios].find((radio) => radio.checked)?.value;
    scopes.hidden = chosen !== scopes.dataset.onlyKind;
    for (const input of scopes.querySelectorAll("input")) input.disabled = scopes.hidden;
  };
  for (const radio of radios) radio.addEventListener("change", update);
  update();
}

// A page that answered a form is not sent again when it is reloaded.
if (document.querySelector("[data-shown-once]")) {
  history.replaceState(null, "", location.href);
}

// Regions that show running work are asked for until it has ended.
for (const region of document.querySelectorAll("[data-poll]")) {
  poll(region);
}

async function poll(region) {
  let failures = 0;
  while (region.dataset.running === "true" && failures < 20) {
    const pause = Number(region.dataset.pollSeconds || 1.5) * 1000;
    await new Promise((resolve) => setTimeout(resolve, pause * (1 + failures)));
    if (document.hidden) continue;
    try {
      const answer = await fetch(region.dataset.poll, { headers: { Accept: "application/json" } });
      if (answer.status === 401) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      show(region, await answer.json());
      failures = 0;
    } catch {
      failures += 1;
    }
  }
}

// The server renders the region, and others by their ids, so that there is one place where they
// are designed. They are replaced only when they changed; focus, open details and typed text are
// kept.
function show(region, { running, html, seconds, others = {} }) {
  replace(region, html);
  for (const [id, other] of Object.entries(others)) {
    const element = document.getElementById(id);
    if (element) replace(element, other);
  }
  region.dataset.running = String(running);
  if (seconds) region.dataset.pollSeconds = String(seconds);
}

function replace(region, html) {
  const same = html.replace(/name="csrf" value="\w+"/g, "");
  if (region.dataset.html === same) return;
  const kept = stateOf(region);
  region.innerHTML = html;
  region.dataset.html = same;
  restore(region, kept);
}

function stateOf(region) {
  const focused = region.contains(document.activeElement) ? document.activeElement : null;
  return {
    open: [...region.querySelectorAll("details[open][id]")].map((each) => each.id),
    typed: [...region.querySelectorAll("textarea[id], input[type=text][id], select[id]")].map((each) => [each.id, each.value]),
    focused: focused?.id,
    selection: focused?.tagName === "TEXTAREA" ? [focused.selectionStart, focused.selectionEnd] : null,
  };
}

function restore(region, { open, typed, focused, selection }) {
  for (const id of open) find(region, id)?.setAttribute("open", "");
  for (const [id, value] of typed) {
    const field = find(region, id);
    if (field) field.value = value;
  }
  const field = focused && find(region, focused);
  field?.focus({ preventScroll: true });
  if (field && selection) field.setSelectionRange(...selection);
}

function find(region, id) {
  return region.querySelector(`#${CSS.escape(id)}`);
}

// One box for all boxes of a name.
for (const all of document.querySelectorAll("[data-choose-all]")) {
  all.hidden = false;
  const boxes = all.form.querySelectorAll(`input[name="${all.dataset.chooseAll}"]`);
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
}

// Tabs may be wider than the screen: the current one is shown, and where there are more.
for (const tabs of document.querySelectorAll(".tabs")) {
  const current = tabs.querySelector("[aria-current]");
  if (current) {
    const [strip, tab] = [tabs.getBoundingClientRect(), current.getBoundingClientRect()];
    tabs.scrollLeft += tab.left + tab.width / 2 - strip.left - strip.width / 2;
  }
  const update = () => {
    const rest = tabs.scrollWidth - tabs.clientWidth - tabs.scrollLeft;
    tabs.classList.toggle("more-before", tabs.scrollLeft > 1);
    tabs.classList.toggle("more-after", rest > 1);
  };
  tabs.addEventListener("scroll", update, { passive: true });
  addEventListener("resize", update);
  update();
}

for (const menu of document.querySelectorAll("details.menu")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// A click on the number of a line opens a form for a comment below it.
const lineForm = document.getElementById("line-form");
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-line]");
  if (!link || !lineForm || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.querySelector("tr.new-comment")?.remove();
  const row = document.createElement("tr");
  row.className = "talk-row new-comment";
  const cell = row.appendChild(document.createElement("td"));
  cell.colSpan = 4;
  cell.append(lineForm.content.cloneNode(true));
  const form = cell.querySelector("form");
  form.elements.file.value = link.closest("[data-file]").dataset.file;
  form.elements.line.value = link.dataset.line;
  form.elements.side.value = link.dataset.side;
  form.querySelector("label").textContent = `Comment on line ${link.dataset.line}`;
  const cancel = document.createElement("button");
  Object.assign(cancel, { type: "button", className: "as-link", textContent: "Cancel" });
  const close = () => { row.remove(); link.focus(); };
  cancel.addEventListener("click", close);
  row.addEventListener("keydown", (pressed) => { if (pressed.key === "Escape") close(); });
  form.querySelector(".actions").append(cancel);
  link.closest("tr").after(row);
  form.elements.text.focus();
});

// A file that was viewed is closed without loading the page again.
for (const form of document.querySelectorAll("form[data-viewed]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    const digest = form.elements.digest;
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
    if (answer?.type !== "opaqueredirect") return form.submit();
    const viewed = digest.value !== "";
    button.setAttribute("aria-pressed", String(viewed));
    form.parentElement.querySelector("details").open = !viewed;
    digest.value = viewed ? "" : form.dataset.viewed;
  });
}
