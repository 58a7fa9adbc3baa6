"""English given names, their short forms and their spellings. The lists are used where the corpus has no evidence."""

from __future__ import annotations

import re

# Each full form with its short forms. Prefixes of three or more letters ("Rob" of "Robert") need no entry.
_SHORT_FORMS = (
    "abraham abe; albert al bert; alexander alec alex sandy sasha; alfred al fred; andrew andy drew; ann nancy; anthony tony; "
    "arthur art; barbara barb; benjamin ben benny; bernard bernie; catherine cathy kate kathy katie; "
    "charles charlie chuck; christopher chris kit; clifford cliff; cynthia cindy; daniel dan danny; david dave davey; deborah "
    "deb debbie debby; donald don donnie; dorothy dolly; douglas doug; edward ed eddie ned ted teddy; edwin ed; elizabeth "
    "beth betsy betty eliza liz lizzie; eugene gene; francis frank; franklin frank; frederick fred freddie; geoffrey geoff jeff; "
    "gerald gerry jerry; gregory greg; harold hal harry; henry hank harry; jacob jake; james jamie jim jimmy; jeffrey jeff; "
    "joan joanie; john jack johnny jon; jonathan jon; joseph joe joey; katherine kate kathy katie; kathleen kathy; kenneth ken "
    "kenny; laurence larry; lawrence larry; leonard len lenny; louis lou; margaret maggie meg peggy; martha marty; martin "
    "marty; matthew matt; maurice mo; michael mick mickey mike; nathaniel nat nate; nicholas nick; patricia pat patty; patrick "
    "pat; peter pete; philip phil; phillip phil; raymond ray; rebecca becky bekah; richard dick rich rick; robert bob bobby rob "
    "robby; ronald ron ronnie; rudolph rudy; samuel sam; sidney sid; stephen steve; steven steve; susan sue susie suzy; teresa "
    "terry; theodore ted teddy theo; theresa terry; thomas tom tommy; timothy tim; victoria vicky; vincent vince vinny; walter "
    "walt; wesley wes; william bill billy will willy; zachary zach"
)
_FORMS = tuple(frozenset(forms.split()) for forms in _SHORT_FORMS.split("; "))
# A woman's name may begin with a man's: "Roberta", "Nicole", "Josephine".
_FEMININE = re.compile(r"[lnt]?[aei]|i[ae]|in[ae]|elle|ett[ae]")
_SHORTEST_PREFIX = 3
_SHORTEST_SPELLING = 4
# Given names that are also words or places.
ALSO_WORDS = frozenset(
    "art april austin brooke carolina charlotte chase chelsea chip crystal dallas dawn dean drew faith florence gene "
    "georgia grace grant guy hope israel jackson jordan joy june lincoln madison may pat penny rich rod rose ruby rush rusty "
    "sandy savannah sydney virginia will".split()
)
# The most frequent English given names.
GIVEN_NAMES = frozenset().union(ALSO_WORDS, *_FORMS) | frozenset(
    "abdul abdullah adam ahmed alan albert alexander alfred ali alice amy andrea andrew angela ann anna anne annette anthony "
    "antonio arthur barbara benjamin bernard boris brian bruce carl carlos carol caroline charlie chris christian christine "
    "christopher claude craig dan daniel david dennis diana diane donald donna doug douglas edwin elena emily emma eric "
    "ernest eva fernando fidel francis francisco francois frank franklin franz fred frederick gary george gerald gerhard "
    "giovanni giuseppe gordon greg guillermo hans harold harvey hassan heather helen helmut henri howard hugh hussein ian "
    "igor ivan jacob jacques jamal jane janet jason javier jay jean jennifer jerry jesse jessica jill joan johannes jon "
    "jonathan jorge jose josef juan judith julia julie karen karl katie keith kelly ken kenneth kevin khaled kim klaus laura "
    "leo leon leonard leonid linda lisa louis louise lucy luis luke manuel marco margaret maria mario mark martha martin mary "
    "matt matthew melissa michel michelle miguel mikhail mohamed mohammad mohammed monica muhammad natalie neil nicholas "
    "nicolas nicole nigel nikolai omar oscar otto pablo pamela patricia patrick paul paula pedro pete peter philip phillip "
    "pierre rachel ralph raul ray raymond rebecca robin roger roland ron ronald rosa roy rudolf russell ruth ryan samuel sam "
    "sandra sara sarah scott sean sergei sharon shirley simon sophie stanley stephanie stephen stuart susan sylvia tamara "
    "teresa terry theresa tim timothy todd tracy ursula vera victor victoria vincent viktor vladimir walter wayne wendy "
    "wolfgang yuri yusuf yvonne".split()
)


def may_be_one_given_name(one: str, other: str) -> bool:
    """Whether two folded given names may be one person's: one begins with the other, or both are forms of one name."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or _are_forms_of_one_name(one, other)


def are_one_given_name(one: str, other: str) -> bool:
    """Whether two folded given names are surely forms or spellings of one name: "Bill" and "William", "Tracy" and "Tracey"."""
    short, long = sorted((one, other), key=len)
    is_prefix = (
        len(short) >= _SHORTEST_PREFIX and long.startswith(short) and not _FEMININE.fullmatch(long[len(short) :])
    )
    return is_prefix or _are_forms_of_one_name(one, other) or has_one_letter_more(one, other)


def _are_forms_of_one_name(one: str, other: str) -> bool:
    return any(one in forms and other in forms for forms in _FORMS)


def has_one_letter_more(one: str, other: str) -> bool:
    """Whether one of two folded words is the other with one letter more, which is neither the first nor the last."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) != 1 or len(short) < _SHORTEST_SPELLING or (long[0], long[-1]) != (short[0], short[-1]):
        return False
    return any(long[:index] + long[index + 1 :] == short for index in range(1, len(short)))
