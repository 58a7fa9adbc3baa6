"""Word lists of the rules for persons, in folded form (see ``matching.fold``)."""

from __future__ import annotations

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
