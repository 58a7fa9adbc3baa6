"""The recorded figures of the gold sets."""

import msgspec

from quality.gold import RECORDED


class Recorded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The recorded figures, and the models that they were measured on."""

    annotator: str
    sentences: int
    figures: dict[str, float]


def read_recorded(path=RECORDED):
    """The recorded figures."""
    return msgspec.json.decode(path.read_bytes(), type=Recorded)
