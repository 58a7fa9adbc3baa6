"""Real persons whose names are words, and things with names like those of persons: how many are taken for what they are not."""

import pytest

from fit_persons import annotated, is_choice, read_names, texts_of
from quality.labelled_names import STORY, of_stories
from wdw_build.api import annotator
from wdw_build.text.names.evidence import NO_EVIDENCE

# Of 150 persons and 150 things. The goal is 0 and 3; a better model lowers the numbers.
MOST_PERSONS_REFUSED, MOST_THINGS_ACCEPTED = 5, 26


@pytest.fixture(scope="module")
def read():
    stories = [story for story in of_stories() if story.test]
    return read_names(stories, annotated(texts_of(stories), annotator()), {STORY: NO_EVIDENCE})


@pytest.mark.real
def test_persons_whose_names_are_words_are_persons(read):
    refused = [one.name.name for one in read if one.name.label == "person" and not is_choice(one)]
    assert len(refused) <= MOST_PERSONS_REFUSED, refused


@pytest.mark.real
def test_things_with_names_like_those_of_persons_are_no_persons(read):
    accepted = [one.name.name for one in read if one.name.label == "no" and is_choice(one)]
    assert len(accepted) <= MOST_THINGS_ACCEPTED, accepted
