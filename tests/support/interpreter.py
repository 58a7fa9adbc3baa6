"""What a piece of Python does in an interpreter of its own."""

import subprocess
import sys


def modules_after(code):
    """What a piece of Python prints in a new interpreter, and the names of the modules that it loads."""
    listed = f"{code}\nimport sys\nprint('modules', *sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, set(done.stderr.rpartition("modules ")[2].split())


def heavy_imports(code):
    """The heavy libraries that a piece of Python loads in a new interpreter."""
    heavy = "torch tokenizers stanza jnius pyserini kenlm pulp highspy pyarrow datasets trafilatura warcio"
    return sorted(set(heavy.split()) & modules_after(code)[1])
