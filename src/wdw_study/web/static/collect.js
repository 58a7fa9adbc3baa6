"use strict";
// Marks answers in the passage, keeps an unsent question or answer in the browser, and sends a form only when the server
// answers.
// Without this script, answers are typed, one per line, and the server finds them.

(() => {
  const form = document.getElementById("editor");
  if (!form) return;
  const self = document.currentScript.src;

  // ---- a server that does not answer ---------------------------------------------------------------------------------------

  const RETRY_MS = 2000;
  const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
  const isThere = () => fetch(self, { method: "GET", cache: "no-store" }).then((answer) => answer.ok, () => false);
  // The browser sends the form itself, so that an error page would replace this one: the server is asked for a small file first.
  let isSending = false;
  const lost = document.getElementById("lost");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    while (!(await isThere())) {
      lost.hidden = false;
      lost.textContent = "Not saved: the server does not answer. Leave this page open; the form is sent when the server is back.";
      await wait(RETRY_MS);
    }
    lost.hidden = true;
    // The button has the id "submit", which hides the form's method of this name.
    HTMLFormElement.prototype.submit.call(form);
    isSending = false;
  });

  // Ctrl+Enter submits from any field.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("#submit"));
    }
  });
  // Without scrolling: on a phone, the passage above is read first.
  document.querySelector("[data-focus]")?.focus({ preventScroll: true });

  const passage = document.getElementById("passage");
  const text = passage.textContent;
  const marking = document.getElementById("marking");
  const field = document.getElementById("spans");
  const told = document.getElementById("told");
  const add = document.getElementById("add");
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  const marked = document.getElementById("marked");
  const isLetter = /[\p{L}\p{N}]/u;
  let spans = [];
  let selected = null;

  // ---- marking -------------------------------------------------------------------------------------------------------

  const tell = (message) => { told.textContent = message; };

  function element(name, content, settings = {}) {
    const made = document.createElement(name);
    made.textContent = content;
    return Object.assign(made, settings);
  }

  function show() {
    spans.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    field.value = spans.map((span) => span.join("-")).join(" ");
    const pieces = [];
    let end = 0;
    for (const [start, stop] of spans) {
      if (start < end) continue;
      pieces.push(text.slice(end, start), element("mark", text.slice(start, stop)));
      end = stop;
    }
    passage.replaceChildren(...pieces, text.slice(end));
    marked.replaceChildren(...spans.map((span) => {
      const answer = text.slice(...span);
      const row = element("li", "");
      const remove = element("button", "Remove", { type: "button", ariaLabel: `Remove ${answer}` });
      remove.addEventListener("click", () => {
        spans = spans.filter((other) => other !== span);
        tell(`Removed: ${answer}`);
        show();
        find.focus();
      });
      row.append(element("span", answer), remove);
      return row;
    }));
    form.dispatchEvent(new Event("input"));
  }

  function mark(start, end) {
    const other = spans.find((span) => span[0] < end && start < span[1]);
    if (other) {
      const same = other[0] === start && other[1] === end;
      tell(same ? "This place is marked already." : `“${text.slice(start, end)}” overlaps the marked answer “${text.slice(...other)}”. Remove that one first.`);
      return;
    }
    spans.push([start, end]);
    tell(`Added: ${text.slice(start, end)}`);
    const answerable = form.querySelector("input[name=verdict][value=answerable]");
    if (answerable) answerable.checked = true;
    show();
  }

  // The selection within the passage, in UTF-16 units, without punctuation at its ends and widened to whole words.
  function selection() {
    const range = document.getSelection()?.rangeCount ? document.getSelection().getRangeAt(0) : null;
    if (!range || range.collapsed || !range.intersectsNode(passage)) return null;
    const inside = range.cloneRange();
    // A triple click ends after the passage.
    if (!passage.contains(inside.startContainer)) inside.setStart(passage, 0);
    if (!passage.contains(inside.endContainer)) inside.setEnd(passage, passage.childNodes.length);
    const before = document.createRange();
    before.selectNodeContents(passage);
    before.setEnd(inside.startContainer, inside.startOffset);
    let start = before.toString().length;
    let end = start + inside.toString().length;
    while (start < end && /[\s,;:.!?…–—-]/.test(text[start])) start += 1;
    while (end > start && /[\s,;:!?…–—-]/.test(text[end - 1])) end -= 1;
    if (start === end) return null;
    while (start > 0 && isLetter.test(text[start - 1]) && isLetter.test(text[start])) start -= 1;
    while (end < text.length && isLetter.test(text[end - 1]) && isLetter.test(text[end])) end += 1;
    return [start, end];
  }

  function addSelected() {
    if (!selected) {
      tell("Nothing is selected in the passage.");
      return;
    }
    const [start, end] = selected;
    selected = null;
    add.disabled = true;
    mark(start, end);
  }

  // Base letters, at the same offsets: "e" finds "é".
  const bare = (string) => string.replace(/./gsu, (letter) => {
    const base = letter.normalize("NFD").replace(/\p{M}/gu, "");
    return base.length === letter.length ? base : letter;
  });

  function search() {
    const pieces = bare(find.value).trim().split(/\s+/).filter(Boolean).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    if (!pieces.length) return;
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${pieces.join("\\s+")}(?![\\p{L}\\p{N}])`, "giu");
    const places = [...bare(text).matchAll(pattern)].slice(0, 20).map((place) => [place.index, place.index + place[0].length]);
    if (places.length === 1) {
      found.replaceChildren();
      mark(...places[0]);
      find.value = "";
      return;
    }
    tell(places.length ? `${places.length} places: choose one.` : "The passage does not contain this.");
    found.replaceChildren(...places.map(([start, end]) => {
      const around = `…${text.slice(Math.max(0, start - 30), start)}`;
      const row = element("li", "");
      const where = element("span", around);
      where.append(element("b", text.slice(start, end)), `${text.slice(end, end + 30)}…`);
      const choose = element("button", "Add", { type: "button", ariaLabel: `Add ${around}${text.slice(start, end)}` });
      choose.addEventListener("click", () => {
        found.replaceChildren();
        find.value = "";
        find.focus();
        mark(start, end);
      });
      row.append(where, choose);
      return row;
    }));
    found.querySelector("button")?.focus();
  }

  document.addEventListener("selectionchange", () => {
    const now = selection();
    // A press on the button may end the selection before it is clicked.
    if (now) selected = now;
    add.disabled = !selected;
  });
  add.addEventListener("click", addSelected);
  document.getElementById("search").addEventListener("click", search);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search();
    }
  });
  passage.addEventListener("keydown", (event) => {
    if (event.key === "a" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      addSelected();
    }
  });

  // ---- an unsent question ------------------------------------------------------------------------------------------------

  const question = document.getElementById("question");
  const draft = `collect:${form.dataset.draft}`;
  const SENT = "collect sent";
  const verdict = () => form.querySelector("input[name=verdict]:checked")?.value ?? "";
  const storage = (() => { try { return window.localStorage; } catch { return null; } })();

  const keep = () => {
    const state = [question?.value ?? "", spans, verdict()];
    try { storage?.setItem(draft, JSON.stringify(state)); } catch { /* the browser keeps nothing */ }
  };
  form.addEventListener("input", keep);
  form.addEventListener("submit", () => {
    try { storage?.setItem(SENT, draft); } catch { /* the browser keeps nothing */ }
  });

  // ---- the beginning ---------------------------------------------------------------------------------------------------------

  spans = marking.dataset.spans.split(" ").filter(Boolean).map((pair) => pair.split("-").map(Number));
  if (["yes", "unchecked"].includes(new URLSearchParams(window.location.search).get("saved"))) storage?.removeItem(storage.getItem(SENT));
  if (storage && (question ? !question.value : !verdict() && !spans.length)) {
    try {
      const [unsent, places, chosen] = JSON.parse(storage.getItem(draft) ?? '["", [], ""]');
      if (question) question.value = unsent;
      for (const box of form.querySelectorAll("input[name=verdict]")) box.checked = box.value === chosen;
      spans = places.filter(([start, end]) => start < end && end <= text.length);
    } catch { /* a damaged draft is not worth a message */ }
  }
  document.getElementById("answers").value = "";
  document.getElementById("typed").hidden = true;
  marking.hidden = false;
  show();
})();
