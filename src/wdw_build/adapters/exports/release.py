"""The statements of the section ``release`` in an export: in the card of formats that have one, else in RELEASE.md."""

from __future__ import annotations

from pathlib import Path

from wdw_build.core.config.corpus_settings import ReleaseConfig

RELEASE = "RELEASE.md"
_LABELS = {
    "version": "Version",
    "authors": "Authors",
    "licence": "Licence",
    "source_licence": "Licence of the articles",
    "contact": "Contact",
    "citation": "Citation",
}


class WithRelease:
    """Base of exporters that write the statements; ``registry`` sets them."""

    release: ReleaseConfig = ReleaseConfig()

    def write_release(self, folder: Path, name: str) -> dict[str, list[str]]:
        """Write RELEASE.md into the folder of a format without a card; returns the file, or nothing if nothing is given."""
        if self.release == ReleaseConfig():
            return {}
        (folder / name).mkdir(parents=True, exist_ok=True)
        text = f"# {self.release.title or 'Release'}\n\n{release_text(self.release)}"
        (folder / name / RELEASE).write_text(text, encoding="utf-8")
        return {f"{name}/{RELEASE}": []}


def release_text(release: ReleaseConfig) -> str:
    """The statements that are given as a list in Markdown, without the title; empty if none is given."""
    given = {name: getattr(release, name) for name in _LABELS}
    given["authors"] = ", ".join(release.authors)
    return "".join(f"- {_LABELS[name]}: {' '.join(text.split())}\n" for name, text in given.items() if text)
