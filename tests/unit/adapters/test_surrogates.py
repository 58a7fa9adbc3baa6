"""The pool of Faker: plain Latin words of many origins, always the same."""

from wdw_build.adapters.surrogates import FakerNames
from wdw_build.text.pseudonyms.ambiguity import COMMON_WORDS


def test_the_pool_has_plain_capitalised_words_of_many_origins():
    pool = FakerNames().pool
    assert len(pool.origins) > 25
    for origin in pool.origins:
        for names in (origin.female, origin.male, origin.family):
            assert len(names) >= 10
            assert all(name.isascii() and name.isalpha() and name.istitle() for name in names)
            assert not COMMON_WORDS & {name.lower() for name in names}
        assert not set(origin.female) & set(origin.male)


def test_the_identity_names_the_version_and_the_pool():
    assert FakerNames().identity == FakerNames().identity
    assert FakerNames().identity.startswith("faker ")


def test_blends_are_new_names():
    pool = FakerNames().pool
    families = {name for origin in pool.origins for name in origin.family}
    assert len(pool.blends) > 10_000
    assert len(set(pool.blends) & families) < 100
    assert len({name[0] for name in pool.blends}) > 15
