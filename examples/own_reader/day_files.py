"""A corpus reader of one's own: a folder with one text file per day, and the articles of the day one after another.

    2014-03-04.txt      First title
                        Text of the first article.

                        A second paragraph.
                        %%
                        Second title
                        ...

Try it on two files that the script writes, without installing it:

    python examples/own_reader/day_files.py

Use it in a configuration (`corpus: {reader: day-files, path: FOLDER, options: {source: My Agency}}`), after

    pip install examples/own_reader
"""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import wdw_build
from wdw_build.core.hashing import digest, hash_file
from wdw_build.errors import MissingResourceError
from wdw_build.records import RawArticle, Unreadable

BETWEEN = "\n%%\n"


class DayFiles:
    """Reads files named YYYY-MM-DD.txt. ``wdw-build`` calls it with the path and the options of the section corpus."""

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.source = str(options.get("source", ""))
        self.files = sorted(path.glob("*.txt"))
        if not self.files:
            raise MissingResourceError(f"no file {path}/*.txt", hint="set corpus.path to a folder of day files")

    @property
    def identity(self) -> str:
        """Changes whenever ``read`` would yield something else: ``wdw-build`` compares it to know what must run again."""
        return f"day-files 1; {self.source}; {digest([(file.name, hash_file(file)) for file in self.files])}"

    def size(self) -> int:
        """Bytes of the corpus, for the progress bar."""
        return sum(file.stat().st_size for file in self.files)

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """Yield each article in a fixed order. Dates, empty texts and repeated ids are checked later, by ``ingest``."""
        for file in self.files:
            for number, part in enumerate(file.read_text(encoding="utf-8", errors="replace").split(BETWEEN), 1):
                title, _, text = part.strip().partition("\n")
                place = f"{file.name}:{number}"
                if not text:
                    yield Unreadable(place=place, error="nothing after the title")
                    continue
                yield RawArticle(
                    place=place,
                    id=f"{file.stem}.{number}",
                    date=file.stem,
                    source=self.source,
                    kind="story",
                    title=title,
                    dateline="",
                    paragraphs=tuple(filter(None, map(str.strip, text.split("\n\n")))),
                )


DEMONSTRATION = {
    "2014-03-04.txt": "Fair opens\nMayor Ann Ames met Governor Bob Beck at the fair on Tuesday.\n\nIt rained.\n%%\nA title only",
    "2014-03-05.txt": "Fair closes early\nThe harbour fair closed on Wednesday after a day of rain.",
}


def main() -> None:
    """Write two day files, and print what ``ingest``, the first stage, makes of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in DEMONSTRATION.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        result = wdw_build.run_stage("ingest", DayFiles(Path(folder), {"source": "My Agency"}).read())
    for article in result.records:
        print(f"{article.id}  {article.source}, {article.date}: {article.title}")
    for rejection in result.rejections:
        print(f"{rejection.id}  rejected: {rejection.reason} ({rejection.detail})")


if __name__ == "__main__":
    main()
