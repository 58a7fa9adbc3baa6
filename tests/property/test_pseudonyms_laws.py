"""Laws of pseudonyms: spans in order, no word of a name left, and one code for each person."""

import re

from hypothesis import given
from hypothesis import strategies as st

from support.pseudonyms import renamed_problem, rewritten
from wdw_build.text.names.name import fold, parse
from wdw_build.text.pseudonyms.codes import Refused

PERSONS = ["Tom Quillby", "Mary Quillby", "Carla Dresch", "Olaf Ki-Munt", "Zoë Pardew"]
FORMS = [
    "{full}", "{last}", "{first}", "{last}'s", "Mr. {last}", "pro-{last}", "{last}ism", "@{first}{last}", "#{last}",
    "{upper}", "{first} R. {last}", "the {last}s",
]  # fmt: skip


@st.composite
def texts(draw):
    parts = [f"{name} spoke ." for name in PERSONS[:2]]
    for _ in range(draw(st.integers(1, 8))):
        name = draw(st.sampled_from(PERSONS))
        first, last = name.split()
        form = draw(st.sampled_from(FORMS))
        parts.append(f"then {form.format(full=name, first=first, last=last, upper=name.upper())} left .")
    return " ".join(parts)


@given(texts(), st.integers(0, 5))
def test_no_word_of_a_name_is_left_and_every_person_has_a_code(text, seed):
    found = renamed_problem(text, "Tom Quillby won .", PERSONS, PERSONS[:2], seed=seed)
    assert not isinstance(found, Refused), found
    real = {word for person in found.persons for word in set(parse(person.name).core)}
    left = re.findall(r"[^\W\d_]+", rewritten(text, found.passage))
    assert not real & {fold(word) for word in left if word[0].isupper()}
    assert sorted(person.code for person in found.persons) == [f"@entity{n}" for n in range(len(found.persons))]
    assert found == renamed_problem(text, "Tom Quillby won .", PERSONS, PERSONS[:2], seed=seed)
