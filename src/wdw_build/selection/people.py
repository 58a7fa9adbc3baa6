"""Groups the names of a dataset by person: "Reagan", "President Reagan" and "Ronald Reagan".

Two full names belong to one person if ``compare`` says so. A single word belongs to the most frequent person with this last
word, else to the most frequent person whose name contains the word ("Chen" of "Chen Shui-bian").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from wdw_build.text.names.compare import compare, spelling_keys
from wdw_build.text.names.name import Words, parse


def persons(names: Mapping[str, int]) -> dict[str, str]:
    """Maps each name to the words of the most frequent name of the same person. ``names`` maps a name to its frequency.

    Equally frequent names are taken in alphabetical order, so the order of ``names`` has no effect.
    """
    counts, written = Counter[str](), dict[str, str]()
    for mention, count in sorted(names.items(), key=lambda item: (-item[1], item[0])):
        counts[parse(mention).key] += count
        written.setdefault(parse(mention).key, parse(mention).bare)
    person, by_last_word, by_word = dict[str, str](), dict[str, str](), dict[str, str]()
    by_key = defaultdict[Words, dict[str, None]](dict)
    # Single words come last.
    for key in sorted(counts, key=lambda key: (not parse(written[key]).is_full, -counts[key], key)):
        name = parse(written[key])
        if not name.is_full and not name.has_initials_alone:
            person[key] = by_last_word.get(name.family) or by_word.get(name.family) or name.bare
            continue
        keys = [*((given, name.family) for given in name.parts[:-1]), *spelling_keys(name)]
        similar = dict.fromkeys(other for words in keys for other in by_key[words])
        same = next((other for other in similar if compare(name.bare, other).is_one_person), None)
        if same is None:
            for words in keys:
                by_key[words][name.bare] = None
        person[key] = same or name.bare
        by_last_word.setdefault(name.family, person[key])
        for word in name.core:
            by_word.setdefault(word, person[key])
    return {mention: " ".join(parse(person[parse(mention).key]).words) for mention in names}
