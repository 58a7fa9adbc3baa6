"""What a piece of Python does in an interpreter of its own."""

import subprocess
import sys


def heavy_imports(code):
    """The heavy libraries that a piece of Python loads in a new interpreter."""
    heavy = "torch tokenizers stanza jnius pyserini kenlm pulp highspy pyarrow datasets trafilatura warcio zstandard"
    tail = f"\nimport sys\nprint(*sorted(set({heavy!r}.split()) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code + tail], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
