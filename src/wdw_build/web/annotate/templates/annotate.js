"use strict";
// Saves every change of a problem at once, and gives the page its keys. Without this script the page's buttons do the same.
const form = document.getElementById("problem"), number = form.dataset.number, note = document.getElementById("note");
const status = document.getElementById("status"), keysOn = document.getElementById("keys-on");
const RETRY_MS = 2000, TYPING_MS = 800;
// Names of the fields that were changed and are not saved.
const unsaved = new Set();
const bar = document.getElementById("bar");
let saving = null, typing = 0, leaving = false, shown = bar.value;

const say = (text, bad = false) => {
  if (status.textContent !== text) status.textContent = text;
  status.classList.toggle("unsaved", bad);
};
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

const show = (saved) => {
  shown = saved.answered;
  document.getElementById("answered").textContent = shown;
  bar.value = shown;
  const link = document.querySelector(`.numbers-list [data-number="${number}"]`);
  link.className = saved.status;
  link.querySelector(".state").textContent = saved.status;
  document.querySelector("#undo button").disabled = false;
};

// Sends the changed fields. True: saved; false: the server refuses them, and would again.
const send = async (changed) => {
  form.elements.changed.value = changed.join(" ");
  const answer = await fetch(form.action, {
    method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" }, redirect: "error",
  });
  if (answer.status >= 500) throw new Error(answer.statusText);
  if (answer.ok) show(await answer.json());
  return answer.ok;
};

const saveAll = async () => {
  while (unsaved.size) {
    const changed = [...unsaved];
    unsaved.clear();
    say("Saving …");
    try {
      if (await send(changed)) continue;
      changed.forEach((name) => unsaved.add(name));
      say("The server refused the change. Reload the page; what was saved before is kept.", true);
      return false;
    } catch {
      changed.forEach((name) => unsaved.add(name));
      say("Not saved: the server does not answer. Leave this page open; your change is sent again every two seconds.", true);
      await wait(RETRY_MS);
    }
  }
  say(`Saved. ${shown} of ${bar.max} answered.`);
  return true;
};
// Changes are sent one after the other; what is changed meanwhile is sent next.
const save = () => {
  clearTimeout(typing);
  typing = 0;
  saving ??= saveAll().finally(() => { saving = null; });
  return saving;
};
const isClean = () => !(unsaved.size || saving);
// Goes on when everything is saved; a page with a change that is not saved is never left.
const afterSaving = async (go) => {
  if (leaving) return;
  leaving = true;
  if (isClean() || await save()) go();
  else leaving = false;
};

form.addEventListener("change", (event) => { unsaved.add(event.target.name); save(); });
note.addEventListener("input", () => {
  unsaved.add("note");
  clearTimeout(typing);
  typing = setTimeout(save, TYPING_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.value === "previous") toPrevious();
  else toNext();
});
for (const other of [document.getElementById("undo"), document.getElementById("pause")])
  other.addEventListener("submit", (event) => { event.preventDefault(); afterSaving(() => other.submit()); });
addEventListener("beforeunload", (event) => { if (!isClean()) event.preventDefault(); });

const toNext = () => afterSaving(() => location.assign(`/next?after=${number}`));
const toPrevious = () => afterSaving(() => location.assign(`/problem/${Math.max(Number(number) - 1, 1)}`));
const showKeys = () => {
  const keys = document.getElementById("keys");
  keys.open = !keys.open;
  if (keys.open) keys.scrollIntoView({ block: "nearest" });
  keys.querySelector("summary").focus();
};
const actions = {
  Enter: toNext, ArrowRight: toNext, ArrowLeft: toPrevious, "?": showKeys, n: () => note.focus(),
  u: () => document.getElementById("undo").requestSubmit(), p: () => document.getElementById("pause").requestSubmit(),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (event.target === note) { if (event.key === "Escape") note.blur(); return; }
  // Enter on a link, a button or a summary does what it always does.
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  if (!keysOn.checked && event.key !== "?") return;
  const box = form.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!box && !Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  if (box) box.click();
  else actions[event.key]();
});

// Keys of one letter can be switched off (WCAG 2.1.4).
const STORE = "wdw-build annotate keys";
try { keysOn.checked = localStorage.getItem(STORE) !== "off"; } catch { /* storage is off: the keys are on */ }
keysOn.addEventListener("change", () => {
  try { localStorage.setItem(STORE, keysOn.checked ? "on" : "off"); } catch { /* the choice holds for this page */ }
});

// The clock of the problem stops while the page is hidden.
document.addEventListener("visibilitychange", () => {
  const body = new URLSearchParams({ csrf: form.elements.csrf.value, state: document.visibilityState });
  navigator.sendBeacon(`/problem/${number}/attention`, body);
});
