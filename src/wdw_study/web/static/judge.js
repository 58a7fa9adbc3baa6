"use strict";
// Saves every change of a problem at once, and gives the page its keys. Without this script the page's buttons do the same.
const form = document.getElementById("problem"), number = form.dataset.number, note = document.getElementById("note");
const status = document.getElementById("status"), keysOn = document.getElementById("keys-on");
// A note is saved after a pause in typing, and at least every LONGEST_MS.
const RETRY_MS = 2000, PAUSE_MS = 800, LONGEST_MS = 3000;
// The changes that are not saved, in their order: the state of the form after each. Each is one step of undo.
const unsaved = [];
const bar = document.getElementById("bar");
let saving = null, typing = 0, typedSince = 0, leaving = false, shown = bar.value;

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
  document.getElementById("undo").disabled = false;
};

// The form as it is now, with the names of the fields that changed.
const state = (...changed) => {
  const body = new URLSearchParams(new FormData(form));
  body.set("changed", changed.join(" "));
  return body;
};
// Sends a state. Returns "saved"; "signed out"; "refused": the server would refuse it again. Throws if it does not answer.
const send = async (body) => {
  const answer = await fetch(form.action, {
    method: "POST", body, headers: { Accept: "application/json" }, redirect: "manual",
  });
  if (answer.type === "opaqueredirect") return "signed out";
  if (answer.status >= 500) throw new Error(answer.statusText);
  if (answer.ok) show(await answer.json());
  return answer.ok ? "saved" : "refused";
};

const saveAll = async () => {
  while (unsaved.length) {
    if (!status.classList.contains("unsaved")) say("Saving …");
    const outcome = await send(unsaved[0]).catch(() => "no answer");
    if (outcome === "saved") {
      unsaved.shift();
      say("Saving …");
      continue;
    }
    if (outcome === "refused") {
      say("The server refused the change. Reload the page; what was saved before is kept.", true);
      return false;
    }
    say(outcome === "signed out"
      ? "You are signed out: sign in again in another tab, and leave this page open. Your change is kept and sent again."
      : "Not saved: the server does not answer. Leave this page open; your change is sent again every two seconds.", true);
    await wait(RETRY_MS);
  }
  say(typing ? "Not saved yet." : `Saved. ${shown} of ${bar.max} answered.`);
  return true;
};
// Puts a typed note among the changes.
const endTyping = () => {
  if (!typing) return;
  clearTimeout(typing);
  typing = 0;
  unsaved.push(state("note"));
};
// Changes are sent one after the other; what is changed meanwhile is sent next.
const save = () => {
  endTyping();
  saving ??= saveAll().finally(() => { saving = null; });
  return saving;
};
const isClean = () => !(unsaved.length || typing || saving);
// Goes on when everything is saved; a page with a change that is not saved is never left.
const afterSaving = async (go) => {
  if (leaving) return;
  leaving = true;
  if (isClean() || await save()) go();
  else leaving = false;
};

form.addEventListener("change", (event) => {
  endTyping();
  if (event.target !== note) unsaved.push(state(event.target.name));
  if (!isClean()) save();
});
note.addEventListener("input", () => {
  if (!typing) typedSince = Date.now();
  clearTimeout(typing);
  typing = setTimeout(save, Math.max(0, Math.min(PAUSE_MS, typedSince + LONGEST_MS - Date.now())));
  if (!status.classList.contains("unsaved")) say("Not saved yet.");
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (button?.hasAttribute("formaction")) toAction(button);
  else if (button?.value === "previous") toPrevious();
  else toNext();
});
// A page that Back restores as it was left would show an old state.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
addEventListener("beforeunload", (event) => { if (!isClean()) event.preventDefault(); });
// What is not saved when the page goes is sent in one piece, without waiting for the answer.
addEventListener("pagehide", () => {
  endTyping();
  if (unsaved.length) navigator.sendBeacon(form.action, state(...new Set(unsaved.map((body) => body.get("changed")))));
});

// Addresses are relative: a proxy may serve the pages below a path of its own.
const toNext = () => afterSaving(() => location.assign(`../next?after=${number}`));
const toPrevious = () => afterSaving(() => location.assign(`${Math.max(Number(number) - 1, 1)}`));
// Undo. Everything is saved by then, so that the form names no changed field.
const toAction = (button) => afterSaving(() => {
  form.elements.changed.value = "";
  form.action = button.formAction;
  form.submit();
});
const showKeys = () => {
  const keys = document.getElementById("keys");
  keys.open = !keys.open;
  if (keys.open) keys.scrollIntoView({ block: "nearest" });
  keys.querySelector("summary").focus();
};
const actions = {
  Enter: toNext, ArrowRight: toNext, ArrowLeft: toPrevious, "?": showKeys, n: () => note.focus(),
  u: () => document.getElementById("undo").click(),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (event.target === note) { if (event.key === "Escape") note.blur(); return; }
  // Enter on a link, a button or a summary does what it always does.
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  // The arrows move between the choices while one of them has the focus.
  if (event.key.startsWith("Arrow") && event.target.matches("input[type=radio]")) return;
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
