"use strict";
const form = document.querySelector("form"), sheet = form.dataset.sheet, store = "wdw-build annotate " + sheet;
const sections = [...document.querySelectorAll("section")];
const read = (section) => ({
  number: Number(section.dataset.number),
  answer: section.querySelector("input[type=radio]:checked")?.value ?? null,
  faults: [...section.querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value),
  remarks: section.querySelector("textarea").value,
});
const all = () => ({ sheet, answers: sections.map(read) });
const count = () => {
  const open = sections.filter((section) => read(section).answer === null).map((section) => section.dataset.number);
  const next = open.length ? " Open: " + open.slice(0, 8).join(", ") + (open.length > 8 ? " …" : "") : " Ready to save.";
  document.querySelector("output").textContent = `${sections.length - open.length} of ${sections.length} answered.${next}`;
};
const fill = (saved) => {
  for (const given of saved.answers) {
    const section = sections[given.number - 1];
    for (const box of section.querySelectorAll("input"))
      box.checked = box.type === "radio" ? box.value === given.answer : given.faults.includes(box.value);
    section.querySelector("textarea").value = given.remarks;
  }
};
try { const stored = localStorage.getItem(store); if (stored) fill(JSON.parse(stored)); } catch { /* no answers are stored */ }
form.addEventListener("input", () => {
  try { localStorage.setItem(store, JSON.stringify(all())); } catch { /* storage is off: the saved file is what counts */ }
  count();
});
document.querySelector("button").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(all(), null, 1) + "\n"], { type: "application/json" }));
  link.download = `answers-${sheet}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
});
count();
