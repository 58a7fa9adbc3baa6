"""The pool of Faker: plain Latin words of many origins, always the same."""

import subprocess
import sys
from importlib.metadata import version

from wdw_build.adapters.surrogates import FakerNames
from wdw_build.core.hashing import digest
from wdw_build.text.pseudonyms.checks import COMMON_WORDS


def test_the_pool_has_plain_capitalised_words_of_many_origins():
    pool = FakerNames().pool
    assert len(pool.origins) > 25
    for origin in pool.origins:
        for names in (origin.female, origin.male, origin.family):
            assert len(names) >= 10
            assert all(name.isascii() and name.isalpha() and name.istitle() for name in names)
            assert not COMMON_WORDS & {name.lower() for name in names}
        assert not set(origin.female) & set(origin.male)


def test_the_identity_changes_with_the_pool():
    pool = FakerNames().pool
    lists = [(origin.name, origin.female, origin.male, origin.family) for origin in pool.origins]
    names = digest([lists, pool.blends, sorted(pool.female), sorted(pool.male)])[:16]
    # After a change of the pool with the same version of Faker, raise _POOL in adapters/surrogates.py, then edit both.
    assert (FakerNames().identity, names) == (f"faker {version('faker')}, pool 2", "6f8e94c728e443ec")


def test_the_identity_is_told_without_reading_the_lists():
    code = (
        "import sys; from wdw_build.adapters.surrogates import FakerNames; FakerNames().identity; "
        "print([name for name in sys.modules if name.startswith('faker')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_blends_are_new_names():
    pool = FakerNames().pool
    families = {name for origin in pool.origins for name in origin.family}
    assert len(pool.blends) > 10_000
    assert len(set(pool.blends) & families) < 100
    assert len({name[0] for name in pool.blends}) > 15
