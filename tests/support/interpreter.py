"""What a piece of Python does in an interpreter of its own."""

import subprocess
import sys


def python(*arguments, **options):
    """What Python prints that is started with these arguments; it must end well."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def modules_after(code):
    """What a piece of Python prints in a new interpreter, and the names of the modules that it loads."""
    out, _, names = python("-c", f"{code}\nimport sys\nprint('modules', *sys.modules)").rpartition("modules ")
    return out, set(names.split())


def heavy_imports(code):
    """The heavy libraries that a piece of Python loads in a new interpreter."""
    heavy = "torch tokenizers stanza jnius pyserini kenlm pulp highspy pyarrow datasets trafilatura warcio"
    return sorted(set(heavy.split()) & modules_after(code)[1])
