"""Facts of one split from its counts: names of choices and answers, days and sources, and the border to held-out data."""

from __future__ import annotations

from collections.abc import Mapping

from wdw_build.dataset import SplitCounts, most_frequent_first
from wdw_build.text.names.matching import name_words
from wdw_build.views.card.audit_results import Border, Calendar, Common, NameFacts

_MOST_COMMON = 10


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def name_facts(split: SplitCounts, training: Mapping[str, int]) -> NameFacts:
    """Names of choices and answers; ``training`` says how often each name is an answer in training."""
    answers, choices = split.answer_names.total(), split.choice_names.total()
    words = {name: len(name_words(name)) for name in split.choice_names}
    return NameFacts(
        distinct_choices=len(split.choice_names),
        distinct_answers=len(split.answer_names),
        words_per_choice=_share(sum(words[name] * count for name, count in split.choice_names.items()), choices),
        one_word_choices=_share(sum(count for name, count in split.choice_names.items() if words[name] == 1), choices),
        mentions_per_choice=_share(split.choice_mentions, choices),
        answers_seen=_share(sum(count for name, count in split.answer_names.items() if name in training), answers),
        most_common=tuple(
            Common(name, count, _share(count, answers))
            for name, count in most_frequent_first(split.answer_names)[:_MOST_COMMON]
        ),
    )


def calendar(split: SplitCounts) -> Calendar:
    """Days, sources, windows and numbers of choices."""
    return Calendar(
        first_day=split.first_day,
        last_day=split.last_day,
        months=dict(sorted(split.months.items())),
        question_sources=dict(most_frequent_first(split.question_sources)),
        passage_sources=dict(most_frequent_first(split.passage_sources)),
        same_source=split.same_source,
        windows={str(days): count for days, count in sorted(split.windows.items())},
        choices={str(size): count for size, count in sorted(split.choices.items())},
    )


def border(training: SplitCounts, held_out: SplitCounts) -> Border:
    """The days on both sides of the border between training and held-out data."""
    last, first = training.last_day, held_out.first_day
    return Border(
        last_training_day=last,
        first_held_out_day=first,
        training_passages_beyond=sum(count for day, count in training.passage_days.items() if first and day >= first),
        held_out_passages_before=sum(count for day, count in held_out.passage_days.items() if last and day <= last),
    )
