"""The cache of sentence vectors."""

from hypothesis import given, settings
from hypothesis import strategies as st

from support.fakes import FakeEncoder
from wdw_build.adapters.event_scorers import EncoderScorer
from wdw_build.adapters.kept_results import KeptResults, VectorStore
from wdw_build.ports import StoresResults
from wdw_build.text.passages.evidence import cosines_with


class Encoder(FakeEncoder):
    def __init__(self):
        self.read = []

    def vectors(self, texts, exact=False):
        self.read += texts
        return super().vectors(texts, exact)


@settings(max_examples=25)
@given(st.lists(st.text(max_size=8), max_size=6))
def test_a_stored_vector_exact_or_not_is_the_same_bit_for_bit_and_is_computed_once(tmp_path_factory, texts):
    folder, encoder, plain = tmp_path_factory.mktemp("vectors"), Encoder(), FakeEncoder()
    for _ in range(2):
        store = VectorStore(KeptResults(folder / "kept"), encoder)
        for exact in (False, True):
            for vector, expected in zip(store.vectors(texts, exact), plain.vectors(texts, exact), strict=True):
                assert vector.dtype == expected.dtype
                assert vector.tobytes() == expected.tobytes()
        store.flush()
    assert sorted(encoder.read) == sorted([*set(texts), *set(texts)])


def test_the_scorer_stores_what_its_encoder_computed(tmp_path):
    scorer = EncoderScorer(VectorStore(KeptResults(tmp_path / "kept"), Encoder()))
    assert isinstance(scorer, StoresResults)
    cosines_with(scorer._encoder, "one", ["two"])
    scorer.flush()
    assert (tmp_path / "kept").exists()
