"""The sheet as one HTML page that works from a file, without any network: text escaped, one script, allowed by its hash.

Answers are kept in the browser as they are given, and saved as JSON in the form of ``forms.SavedAnswers``.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from string import Template

from wdw_build.views.quality.judgements import BLANK, CANNOT_TELL, FAULTS, SheetLine

# Characters that HTML forbids (control characters but tab and newline, and lone surrogates).
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --mark: #fe9; }
@media (prefers-color-scheme: dark) { :root { --mark: #651; } }
body { font: 17px/1.5 Georgia, serif; max-width: 46rem; margin: 0 auto; padding: 0 1rem 6rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin: 0 0 .5rem; opacity: .7; }
section { border-top: 2px solid var(--line); padding: 1.2rem 0; }
.question { font-size: 1.1rem; font-weight: bold; overflow-wrap: anywhere; }
.passage { border-left: 3px solid var(--line); padding-left: 1rem; overflow-wrap: anywhere; }
.passage p { white-space: pre-line; margin: .6rem 0; }
mark { background: var(--mark); color: inherit; padding: 0 .4em; letter-spacing: .1em; }
fieldset { border: 1px solid var(--line); margin: .8rem 0; } label { display: block; padding: .15rem 0; cursor: pointer; }
textarea { width: 100%; box-sizing: border-box; font: inherit; }
footer { position: fixed; inset: auto 0 0; padding: .6rem 1rem; background: Canvas; border-top: 2px solid var(--line);
  display: flex; gap: 1rem; justify-content: center; align-items: center; } button { font: inherit; padding: .3rem 1rem; }
"""

_SCRIPT = """
"use strict";
const form = document.querySelector("form"), sheet = form.dataset.sheet, store = "wdw-build quality " + sheet;
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
try { const kept = localStorage.getItem(store); if (kept) fill(JSON.parse(kept)); } catch { /* nothing kept */ }
form.addEventListener("input", () => {
  try { localStorage.setItem(store, JSON.stringify(all())); } catch { /* the file is what counts */ }
  count();
});
document.querySelector("button").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(all(), null, 1) + "\\n"], { type: "application/json" }));
  link.download = `answers-${sheet}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
});
count();
"""

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-$hash'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sheet $sheet</title>
<style>$style</style>
</head>
<body>
<h1>$count problems, sheet $sheet</h1>
<p>Which person does $blank stand for? Answer from the passage alone, not from what you know. If the passage does not tell,
say so. Tick what is wrong with a problem, if anything. Your answers stay in this browser; save them at the end.</p>
<form data-sheet="$sheet" autocomplete="off">
$sections
</form>
<footer><output aria-live="polite"></output><button type="button">Save the answers</button></footer>
<script>$script</script>
</body>
</html>
""")

_SECTION = Template("""<section data-number="$number" aria-labelledby="n$number">
<h2 id="n$number">$number</h2>
<p class="question">$question</p>
<div class="passage">$passage</div>
<fieldset><legend>Who is it?</legend>
$choices
</fieldset>
<details><summary>Faults and remarks</summary>
$faults
<label>Remarks <textarea rows="2"></textarea></label>
</details>
</section>""")

_MARK = f"<mark>{BLANK}</mark>"


def without_forbidden(raw: str) -> str:
    """The text with a replacement for every character that HTML forbids."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", raw)


def _text(raw: str) -> str:
    return html.escape(without_forbidden(raw))


def _radio(number: int, value: str, label: str) -> str:
    return f'<label><input type="radio" name="answer-{number}" value="{_text(value)}"> {_text(label)}</label>'


def _section(line: SheetLine) -> str:
    paragraphs = (f"<p>{_text(paragraph.strip())}</p>" for paragraph in line.passage.split("\n\n"))
    choices = [_radio(line.number, choice, choice) for choice in line.choices]
    choices.append(_radio(line.number, CANNOT_TELL, "cannot be told from the passage"))
    faults = (
        f'<label><input type="checkbox" value="{name}"> {_text(meaning)}</label>' for name, meaning in FAULTS.items()
    )
    return _SECTION.substitute(
        number=line.number,
        question=_text(line.question).replace(BLANK, _MARK),
        passage="\n".join(paragraphs),
        choices="\n".join(choices),
        faults="\n".join(faults),
    )


def page(lines: Sequence[SheetLine]) -> str:
    """The page of a sheet."""
    allowed = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    return _PAGE.substitute(
        hash=allowed,
        sheet=lines[0].sheet,
        style=_STYLE,
        script=_SCRIPT,
        count=len(lines),
        blank=_MARK,
        sections="\n".join(map(_section, lines)),
    )
