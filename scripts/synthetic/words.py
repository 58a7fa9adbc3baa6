"""Words, names and places of the invented wire, written for this project or built from parts by a number.

Given names and surnames are closed lists, so that persons can be found without a model.
"""

from __future__ import annotations

import functools
import random

GIVEN = (
    "Adam Agnes Albert Alice Amira Andrew Angela Anita Anton Arthur Barbara Beatrice Benjamin Bernard Boris Brian Bruno "
    "Carla Carlos Caroline Cecilia Charles Chidi Clara Claude Colin Cyril Daniel David Deborah Diana Dmitri Dominic Doris "
    "Edgar Edith Edward Elena Elias Emma Eric Ernest Esther Eva Fatima Felix Fiona Frances Frank Frederick Gabriel George "
    "Gerald Gloria Gordon Greta Gustav Hanna Harold Hassan Hector Helen Henry Hugo Ian Ibrahim Ida Igor Ingrid Irene Isaac "
    "Ivan Jacob James Janet Javier Joan Johan Jonas Joseph Judith Julia Karim Karl Katherine Kenneth Laila Lars Laura "
    "Leila Leo Leonard Linda Louis Lucia Magnus Marcus Margaret Maria Marina Mark Martha Martin Matthew Maya Michael Mikhail "
    "Miriam Monica Nadia Nancy Natalia Nelson Nicholas Nina Nora Oliver Olga Omar Oscar Pamela Patrick Paul Paula Peter "
    "Philip Rachel Rafael Ralph Ravi Rebecca Richard Rita Robert Rosa Ruth Samuel Sandra Sarah Sergei Simon Sofia Stella "
    "Stephen Susan Theodore Thomas Tobias Vera Victor Vincent Walter William Yusuf"
).split()
_STEMS = (
    "Ald Amb Bald Bren Carl Cor Dal Dor Eck Eld Fen Fal Gar Grim Hal Hol Hes Ing Jan Jor Kel Kir Lam Lind Mal Mor Nor Nav "
    "Ost Pel Pet Quin Ros Ram Sal Sten Tal Tor Ulm Var Ver Wes Wol Yar Zel"
).split()
_ENDS = "berg son mann ton ford well ley field strand quist wick ham ova enko ini ado ez escu opoulos sen ström aker".split()
SURNAMES = tuple(stem + end for stem in _STEMS for end in _ENDS)
PLACES = tuple(
    first + last
    for first in "Ash Brack Cald Dun East Fair Grey Hart Iron Kings Lang Mill North Oak Port Red South Stone West Wind".split()
    for last in "bridge bury dale ford gate haven mouth port stead water wick worth".split()
)
COUNTRIES = (
    "Estmark Valdoria Quillora Tamaria Norland Karvania Belmora Osterra Lindovia Sarakhan Velland Mirania".split()
)
TITLES = (
    "President; Prime Minister; Foreign Minister; Finance Minister; Judge; Mayor; Governor; Senator; Gen.; Professor; "
    "Bishop; Ambassador; Police Chief; Defense Minister; Dr.; Coach"
).split("; ")
DESCRIPTIONS = (
    "a lawyer; a former minister; a union leader; an economist; a local farmer; a retired judge; a spokesman; a surgeon; "
    "the team's captain; a neighbor; an aide; a school teacher; a party official; a harbor pilot; a trade expert"
).split("; ")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
# The most frequent words of body text, in order; made-up words have the higher ranks.
COMMON = (
    "the of to in a and that for on said with as by was at from it his has an be will is were after he who had but their not "
    "they have been its would more this also which one about or over two when than out up last there into before government "
    "new police year people first week officials against under between country state talks could three other some report years "
    "city since many told time group court most party months during plan million day early while court trade where minister "
    "company national still only public major military market members workers night home local house law vote region border "
    "power water price oil coast road school hospital support attack crisis budget reform election bank fire storm strike "
    "deal aid peace team match season tax labor food health court appeal charge trial evidence witness prison border army "
    "soldiers troops ship port rail bridge tunnel mine factory plant crop harvest flood drought river island forest mountain"
).split()
TOPICS = tuple(
    tuple(line.split(", "))
    for line in (
        "the peace accord, border talks, signed, ceasefire, negotiators",
        "the budget bill, spending cuts, rejected, deficit, lawmakers",
        "the harbor strike, a pay dispute, ended, dockers, wages",
        "the bribery trial, a court hearing, adjourned, testimony, prosecutors",
        "the dam project, flood relief, delayed, engineers, villages",
        "the championship final, a late penalty, lost, supporters, stadium",
        "the rail merger, a takeover bid, approved, shareholders, carriages",
        "the vaccine campaign, an outbreak, launched, clinics, nurses",
        "the mine collapse, a rescue, investigated, miners, shafts",
        "the fishing treaty, a quota row, suspended, trawlers, stocks",
        "the museum theft, a police search, solved, paintings, guards",
        "the election recount, a ballot dispute, ordered, voters, precincts",
        "the oil pipeline, an export deal, reopened, refineries, tankers",
        "the earthquake relief, an aid convoy, stranded, shelters, survivors",
        "the school reform, a teachers' protest, withdrawn, pupils, classrooms",
        "the airline crash, a safety inquiry, examined, pilots, recorders",
    )
)
_ONSETS = "b br c cl d dr f fl g gr h l m n p pl pr r s sc st t tr v".split()
_VOWELS = "a e i o u ea io".split()
_CODAS = ["", "l", "m", "n", "r", "s", "nt", "st"]


def made_up(number: int) -> str:
    """The made-up word for a number; different for all numbers below about ten million."""
    parts = []
    number += len(_ONSETS) * len(_VOWELS)  # two syllables at least
    while number:
        number, onset = divmod(number, len(_ONSETS))
        number, vowel = divmod(number, len(_VOWELS))
        parts.append(_ONSETS[onset] + _VOWELS[vowel])
    return "".join(parts) + _CODAS[len(parts[0]) * 3 % len(_CODAS)]


TAPE = 1 << 20


@functools.cache
def tape() -> list[str]:
    """A shuffled list of words by Mandelbrot's form of Zipf's law: rank r has a weight of 1/(r + 3)."""
    words: list[str] = []
    total = sum(1 / (rank + 3) for rank in range(80_000))
    rank = 0
    while len(words) < TAPE:
        word = COMMON[rank] if rank < len(COMMON) else made_up(rank)
        words += [word] * max(1, round(TAPE / total / (rank + 3)))
        rank += 1
    words = words[:TAPE]
    random.Random(0).shuffle(words)
    return words
