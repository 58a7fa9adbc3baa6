"""The persons of the candidates that ``choices`` refused, and of the passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wdw_build.adapters.annotation_store import stored_annotation
from wdw_build.core.store.name_table import read_names
from wdw_build.dataset import History, Run
from wdw_build.records import Alternative, Article, Mention, Problem, Question, Refusal, Span
from wdw_build.stages.choices.rules import Refused, deleted_name, eligible, entities, in_question
from wdw_build.text.names.boundaries import join_adjacent
from wdw_build.text.names.entities import Entity, refusals
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.views.trace.passages import found_passage, refused_by_choices
from wdw_build.views.trace.records import NameForm, PassagePerson, PassagePersons


def tried_persons(run: Run, history: History, problem: Problem | None) -> tuple[PassagePersons, ...]:
    """The persons of the candidates that ``choices`` refused for every blank, and of the problem's passage, which is last.

    Skips articles without a stored annotation.
    """
    question, record = history.record(run.questions), history.record(run.all_alternatives)
    if question is None or not run.all_alternatives.exists:
        return ()
    usable = {passage.article for passage in record.passages} if record else set()
    refused = refused_by_choices(record, history.rejection(run.all_alternatives))
    # Article -> the question with the first blank for which a rule refused the article, and no alternative.
    tried: dict[str, tuple[Question, Alternative | None]] = {}
    for name, blank in refused:
        if name not in usable:
            tried.setdefault(name, (question.with_blank(blank), None))
    found = found_passage(record, problem)
    if record is not None and problem is not None and found is not None:
        tried[found[0]] = (question.with_blank(found[1]), record.alternatives[problem.alternative])
    persons_by_article = (
        _persons(run, asked, article, alternative)
        for name, (asked, alternative) in tried.items()
        if (article := run.articles.find(name))
    )
    return tuple(persons for persons in persons_by_article if persons)


def _persons(run: Run, question: Question, article: Article, alternative: Alternative | None) -> PassagePersons | None:
    """The persons of one article; None if its annotation is not stored. Without an alternative, a rule refused the article."""
    output, config = run.all_alternatives.output, run.all_alternatives.settings
    identity = output.manifest.ingredients.backends.get("annotations", "")
    annotation = stored_annotation(output.folder.parents[1] / "annotations", identity, article)
    if annotation is None:
        return None
    evidence = read_names(run.counted_names.output.folder)
    passage_entities = entities(article.text, annotation.persons, config, evidence)
    own = run.articles.find(question.id) if alternative is None else None
    name = deleted_name(question, own.text, config, evidence) if own else question.name.text
    found = eligible(question, name, passage_entities, config, evidence) if alternative is None else None
    refused = found if isinstance(found, Refused) else Refused("")
    return PassagePersons(
        article=article.id,
        rule=refused.rule,
        detail=refused.detail,
        persons=tuple(
            _person(article, entity, index, alternative, in_question(entity.name, question, config, evidence))
            for index, entity in enumerate(passage_entities)
        ),
        no_persons=_not_persons(
            article,
            join_adjacent(annotation.persons, article.text),
            {(mention.start, mention.end) for entity in passage_entities for mention in entity.mentions},
            evidence,
        ),
    )


def _person(
    article: Article, entity: Entity, index: int, alternative: Alternative | None, shown: bool
) -> PassagePerson:
    """``index``: the place of the person among the persons of the article; ``shown``: whether the question names the person."""
    choices = alternative.choices if alternative else ()
    number = choices.index(index) + 1 if index in choices else 0
    not_in_set = alternative is not None and index in alternative.eligible and not number
    return PassagePerson(
        name=entity.name,
        written=_forms(article, entity.mentions),
        number=number,
        answer=alternative is not None and number == alternative.answer + 1,
        left_out="the question shows this person" if shown else "not in the set of choices" if not_in_set else "",
    )


def _forms(article: Article, mentions: Iterable[Span]) -> tuple[NameForm, ...]:
    counts = Counter(" ".join(article.text[mention.start : mention.end].split()) for mention in mentions)
    return tuple(NameForm(form=form, count=count) for form, count in counts.items())


def _not_persons(
    article: Article, mentions: list[Mention], of_persons: set[tuple[int, int]], evidence: NameEvidence
) -> tuple[Refusal, ...]:
    """The first refusal of each tagged name, unless the refused mention belongs to a person."""
    refused: dict[str, Refusal] = {}
    for mention, why in zip(mentions, refusals(mentions, article.text, evidence), strict=True):
        if why and (mention.start, mention.end) not in of_persons:
            refused.setdefault(mention.text, Refusal(name=mention.text, rule="not-a-person", detail=why))
    return tuple(refused.values())
