"""Word lists of the rules for names and persons, in folded form (see ``matching.fold``), and forms of given names.

The lists of given names are used where the corpus has no evidence.
"""

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
FIRM_SUFFIXES = frozenset("inc corp co ltd plc bros brothers llc llp".split())
# Last words of organisations, places, laws, prizes and programmes.
ORGANISATIONS = frozenset(
    "inc corp co ltd plc llc llp ag sa nv kgaa spa gmbh bros brothers sons bank bancorp banken "
    "incorporated dlrs group holdings holding industries motors oil "
    "energy airlines airways securities partners associates university college institute hospital foundation museum "
    "party committee commission council ministry department agency association federation union league club "
    "news times journal tribune avenue square airport stadium river island islands herald gazette chronicle daily weekly "
    "mount county district province administration act amendment cup prize award medal trophy hughes-tool fund magazine "
    "trust cathedral school studios records films pictures orchestra rovers wanderers athletic boldklub images show poll "
    "rangers shipping lines line mines mining works senate congress parliament cabinet throne palace polls survey "
    "treasury pentagon kremlin wire classic invitational building center centre plaza hotel casino resort theater "
    "theatre mountains highway road boulevard harbor harbour prison academy library "
    "society tribunal police army navy brigade brigades corps forces games olympics championship championships bowl prix "
    "series kingdom republic treaty accord accords pact agreement protocol convention declaration doctrine initiative "
    "memorial monument dynasty systems software technologies pharmaceuticals laboratories stores foods radio television tv "
    "channel network media entertainment government campaign coalition alliance movement kuomintang".split()
)
NEVER_ALONE = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december republican republicans democrat democrats labour liberal conservative christmas easter "
    "god allah i he she they we you it who".split()
)
NEVER_LAST = frozenset(
    "monday tuesday wednesday thursday saturday sunday republican republicans democrat democrats i he she they we you it "
    "who supreme federal superior appeals".split()
)
# Titles that are not family names.
TITLES_NEVER_LAST = frozenset(
    "sen rep gov gen lt col maj capt cmdr adm sgt cpl mr mrs ms prof rev president senator congressman congresswoman "
    "secretary minister premier spokesman spokeswoman ambassador governor chairman".split()
)
# Names that look like names of persons. This list is used last, if neither the article nor the corpus decides.
BYWORDS = frozenset(
    "jim crow,uncle sam,uncle tom,john doe,jane doe,goldman sachs,morgan stanley,merrill lynch,wells fargo,fannie mae,"
    "freddie mac,sallie mae,arthur andersen,dow jones,rolls royce,drexel burnham,dean witter,e.f. hutton,ef hutton,"
    "kidder peabody,smith barney,paine webber,bear stearns,bretton woods,camp david,capitol hill,vanity fair,rolling stone,"
    "daily mail,little rock,downing street,eli lilly,philip morris,ernst young,coopers lybrand,dun bradstreet,marks spencer,"
    "abercrombie fitch,procter gamble,gallup daily,dodd frank,gramm rudman,glass steagall,taft hartley,mccain feingold,"
    "allahu akbar,playboy bunny,santa claus,red cross,aston martin,jack daniels,jim beam,johnnie walker".split(",")
)
SHIP_PREFIXES = frozenset("uss hms ss usns hmas".split())
# Words before a name in a sentence or a headline that are not part of the name.
SENTENCE_OPENERS = frozenset("can do how if is now then like who vote for in on to the just even only not".split())
NEVER_FIRST = frozenset(
    "after before both could did does has have when while why what where unlike since without about against and but from with "
    "that this".split()
)
HEADLINE_WORDS = frozenset(
    "has have had is are was were not no to for with from over her his their by in on at as but that after says said".split()
)
# Words that modify a title. Alone they do not make the next word a person ("former Yugoslavia").
PARTIAL_TITLES = frozenset(
    "former vice prime foreign finance defence defense interior first acting deputy chief".split()
)
# Things with names like those of persons: "the galleon Santa Brígida".
THINGS = frozenset(
    "ship galleon tanker ferry trawler yacht vessel steamer freighter schooner frigate destroyer boat barge tug liner sloop "
    "club newspaper magazine novel film opera horse racehorse stallion mare colt dog hurricane typhoon cyclone storm "
    "village town city island hotel restaurant brokerage brokers stockbrokers firm company brewers insurer retailer "
    "conglomerate carmaker automaker airline".split()
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
