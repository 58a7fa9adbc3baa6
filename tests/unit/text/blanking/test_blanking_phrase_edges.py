"""spans: what is taken into the blank and what is left out of it, in the sentences that showed it."""

import pytest

from support.blanking import deleted
from support.tables import cases, rows

BECK = "(NNP Bob) (NNP Beck)"


def tree_of(nodes):
    """A tree in which Cole met what the nodes are, or did to it what their verb says; a whole tree is itself."""
    nodes = nodes.replace("BECK", BECK)
    verb = "" if nodes.startswith("(VB") else "(VBD met) "
    return nodes if nodes.startswith("(ROOT") else f"(ROOT (S (NP (NNP Cole)) (VP {verb}{nodes}) (. .)))"


# Case, nodes in which BECK stands for the two leaves of the name, and the words that are deleted.
EDGES = """
demonym | (NP (JJ Russian) (NNP President) BECK) | Russian President Bob Beck
participle | (NP (VBG visiting) (JJ Senegalese) (NNP Prime) (NNP Minister) BECK) | visiting Senegalese Prime Minister Bob Beck
participle outside | (ROOT (S (NP (NNP Cole)) (VP (VBD met) (VP (VBN fired) (NP (NNP FBI) (NN director) BECK)))))
    | fired FBI director Bob Beck
participle of a compound | (NP (DT a) (NN talk)) (PP (RB alongside) (NP (VBG running) (NN mate) BECK)) | running mate Bob Beck
participle of a compound outside | (S (VP (VBG managing) (NP (NN director) BECK))) | managing director Bob Beck
a participle before a role is a verb | (VBD was) (NP (VBG praising) (NN mate) BECK) | mate Bob Beck
a verb is none | (VBD fired) (NP (NNP FBI) (NN director) BECK) | FBI director Bob Beck
bank | (NP (NP (NNP Bank)) (PP (IN of) (NP (NNP Japan) (NNP Governor) BECK))) | Bank of Japan Governor Bob Beck
republic | (NP (NP (NNP Republic)) (PP (IN of) (NP (NNP China) (NNP Vice) (NNP President) BECK)))
    | Republic of China Vice President Bob Beck
representative | (NP (NP (NNP Envoy)) (PP (TO to) (NP (DT the) (NNP United) (NNPS States) BECK)))
    | Envoy to the United States Bob Beck
chamber | (NP (NNP House)) (NP (NNP Minority) (NNP Leader) BECK) | House Minority Leader Bob Beck
chief tagged as a verb | (NP (NNP CDU)) (VP (VBD chief) (NP BECK)) | CDU chief Bob Beck
office in a phrase of its own | (PP (IN by) (NP (NNP Cork) (NN police) (NN officer))) (NP BECK) | Cork police officer Bob Beck
noun tagged as if it were outside | (PP (IN by) (S (VP (NN debate) (NP (NN moderator) BECK)))) | debate moderator Bob Beck
possessor outside | (NP (NP (NP (NNP Cole) (POS 's)) (JJ new) (NN chief)) (PP (IN of) (NP (NN staff) BECK)))
    | Cole 's new chief of staff Bob Beck
quoted epithet | (NP (NP (JJ Former) (`` ") (NNP Miss) (NNP Cork)) (`` ") (NP BECK)) | Former " Miss Cork " Bob Beck
county | (NP (NP (NNP Kerry) (NNP County)) (, ,) (NP (NNP Ohio) (NNP Sheriff) BECK)) | Kerry County , Ohio Sheriff Bob Beck
then | (PP (IN with) (ADVP (RB then)) (NP (NN mayor) BECK)) | then mayor Bob Beck
party after the name | (NP (NP BECK) (, ,) (NP (NNP R) (HYPH -) (NNP Ohio)) (S (VP (TO to) (VP (VB go))))) | Bob Beck
a noun with "of" | (NP (NP (DT the) (NN shooting) (NN death)) (PP (IN of) (NP BECK))) | Bob Beck
a time after the name | (NP (NP (NNP Mayor) BECK) (NP (JJ last) (NN week))) | Mayor Bob Beck
flat | (NP (JJ controversial) (NNP Arizona) (NNP Sheriff) (NP BECK)) | controversial Arizona Sheriff Bob Beck
participle that governs | (NP (NN chairman) (VBG succeeding) BECK) | Bob Beck
result | (VBD shot) (NP (JJ dead) BECK) | Bob Beck
verb after "to" | (VP (VBG rushing) (PP (TO to) (NP (VB support) BECK))) | Bob Beck
noun after "to" | (VBD said) (NP (DT no)) (PP (TO to) (NP (VB relief) (NN envoy) BECK)) | relief envoy Bob Beck
adjective after "aimed to" | (VBD aimed) (PP (IN to) (NP (JJ outpoll) (JJ rival) BECK)) | rival Bob Beck
adjective after another "to" | (VBD spoke) (PP (IN to) (NP (JJ outspoken) (JJ rival) BECK)) | outspoken rival Bob Beck
adverb after a comma | (NP (DT the) (JJ recently) (JJ widowed) (NN mayor) BECK) | the recently widowed mayor Bob Beck
a subject within the first phrase | (ROOT (S (PP (IN As) (NP (NP (DT a) (NN star)) (, ,) (NP BECK))) (VP (VBD slept)))) | Bob Beck
with a subject | (ROOT (S (PP (IN For) (NP (NN aide) BECK)) (, ,) (NP (PRP it)) (VP (VBD was)))) | aide Bob Beck
in particular | (PP (IN in) (NP (JJ particular) (NNP Mayor) BECK)) | Mayor Bob Beck
theory | (NP (NP (DT the) (NN theory)) (NP (NNP President) BECK)) | President Bob Beck
no | (NP (DT no) (NN wonder) (NNP Judge) BECK) | Judge Bob Beck
pronoun before | (VBD has) (NP (NP (PRP it)) (NN nominee) BECK) | nominee Bob Beck
relative pronoun | (NP (NP (DT the) (NN man)) (NP (WP who) BECK)) | Bob Beck
clause before | (NP (PRP she) (VBZ hopes) (NNP Mayor) BECK) | Mayor Bob Beck
modal before | (ROOT (S (NP (NN time)) (VP (MD will) (NP (NN judge) (NNP Beck))) (. .))) | Beck
verb after its subject | (ROOT (S (NP (PRP$ its) (NN board)) (VP (VBN elected) (NP BECK)) (. .))) | Bob Beck
verb after an auxiliary | (VBD had) (VP (ADVP (RB already)) (VP (VBN sacked) (NP (NN chief) BECK))) | chief Bob Beck
year | (PP (IN in) (NP (CD 2004) (NNP President) BECK)) | President Bob Beck
date before | (PP (IN since) (NP (CD 11) (NNP June) (CD 2010) (CD 13.01) (NNP BST) BECK)) | Bob Beck
date after | (NP (NP BECK) (NP (NNP March) (CD 19))) | Bob Beck
today after | (NP BECK (NN today)) | Bob Beck
a weekday as a given name | (NP (NNP Chief) (NNP Sunday) BECK) | Chief Sunday Bob Beck
a weekday after a verb | (VBD said) (NP (NNP Sunday) BECK) | Bob Beck
a second person | (NP (NP BECK) (, ,) (NP (NNP Karl) (NNP Anker)) (, ,)) | Bob Beck
the score of a game | (VBD beat) (NP (NP BECK) (PP (IN of) (NP (NNP Vale) (CD 3)))) (: -) (CD 1) | Bob Beck of Vale
an amount | (VBD gave) (NP (NP BECK) (NP (CD ten) (NNS dollars))) | Bob Beck
a year after a comma | (NP (NNP July) (CD 26) (, ,) (CD 2005) (NNP District) (NNP Attorney) BECK) | District Attorney Bob Beck
a phrase in a list | (NP (DT the) (NN winner) (, ,) (NN clerk) BECK) | clerk Bob Beck
clause after | (VBD warned) (NP (NP BECK) (S (VP (TO to) (VP (VB leave))))) | Bob Beck
clause in brackets | (NP (NP BECK) (PRN (-LRB- -LRB-) (S (NP (PRP he)) (VP (VBD slept))) (-RRB- -RRB-))) | Bob Beck
of with a noun | (VB accuse) (NP (NP (NN nominee) BECK) (PP (IN of) (NP (JJ civil) (NN fraud)))) | nominee Bob Beck
of with a participle | (VBD accused) (NP (NP BECK) (PP (IN of) (NP (VBG stealing)))) | Bob Beck
all | (NP (DT all) BECK) | Bob Beck
an apposition and its age | (NP (NP BECK) (, ,) (NP (NN mayor)) (, ,) (NP (CD 50)) (, ,)) | Bob Beck
a dash | (NP (NP BECK) (: --) (NP (DT the) (NN mayor)) (: --)) | Bob Beck
a suffix | (NP (NP BECK) (, ,) (NP (NNP Jr.)) (, ,) (NP (DT the) (NN mayor))) | Bob Beck , Jr.
a description set off before | (NP (NP (NN mayor)) (PP (IN of) (NP (NNP Cork))) (, ,) BECK) | Bob Beck
a capitalised participle | (ROOT (S (NP (JJ Congratulating) (NNP President) BECK) (VP (VBD left)))) | President Bob Beck
a body in several phrases
    | (NP (NP (DT the) (NNP Board)) (PP (IN of) (NP (NP (NNP Trade)) (PP (IN of) (NP (NNP Cork) (NNP Chairman) BECK)))))
    | the Board of Trade of Cork Chairman Bob Beck
adverb | (NP (RB even) BECK) | Bob Beck
an intern | (VBD saw) (NP (NNP White) (NNP House)) (PP (IN intern) (NP BECK)) | White House intern Bob Beck
a place before an untitled name | (NP (NP (NN envoy)) (PP (IN to) (NP (NNP Cork) BECK))) | envoy to Cork Bob Beck
an office in several phrases
    | (NP (NP (DT the) (NNP Minister)) (PP (IN of) (NP (NP (NNP Cork) (NNPS Affairs)) (PP (IN of) (NP (NNP Erin) BECK)))))
    | the Minister of Cork Affairs of Erin Bob Beck
an office with its short form
    | (NP (NP (NNP Inspector)) (PP (IN of) (NNP Tax)) (-LRB- -LRB-) (NNP IT) (-RRB- -RRB-) (PP (IN of) (NP (NNP Cork) BECK)))
    | Inspector of Tax ( IT ) of Cork Bob Beck
a possessor | (NP (NP (NNP Cork) (POS 's)) (ADJP (RB newly) (VBN elected)) (NNP Mayor) BECK) | Cork 's newly elected Mayor Bob Beck
a possessor with the tag of a verb | (NP (NNP Cork)) (VP (VBZ 's) (NP (JJ chief) BECK)) | Cork 's chief Bob Beck
a member | (NP (NP (NNP Member)) (PP (IN of) (NP (NNP Parliament) BECK))) | Member of Parliament Bob Beck
a designated envoy | (NP (NP (NNP Envoy) (HYPH -) (NN designate)) (PP (TO to) (NP (NNP Cork) BECK)))
    | Envoy - designate to Cork Bob Beck
a role after a short form | (NP (NP (NNP Cork) (NNP Union)) (PRN (-LRB- -LRB-) (NNP CU) (-RRB- -RRB-)) (NN member)) (NP BECK)
    | Cork Union ( CU ) member Bob Beck
of with an adverb | (VBD accused) (NP (NP BECK) (PP (IN of) (ADVP (RB covertly)) (S (VP (VBG stealing))))) | Bob Beck
a visit | (NP (NP (NN visit)) (PP (IN to) (NP (NNP Cork) BECK))) | Cork Bob Beck
an office and its short form before the name
    | (NP (NP (NNP Trade) (NNP Minister)) (PRN (-LRB- -LRB-) (NNP TM) (-RRB- -RRB-)) (NP BECK)) | Trade Minister ( TM ) Bob Beck
an organisation with its short form
    | (NP (NP (DT the) (NNP Cork) (NNP Union)) (PRN (-LRB- -LRB-) (NNP CU) (-RRB- -RRB-)) (NP (NN leader) BECK))
    | the Cork Union ( CU ) leader Bob Beck
a company with its ticker
    | (NP (NP (NNP Cork) (NNP Inc)) (PRN (-LRB- -LRB-) (NNP CRK.N) (-RRB- -RRB-)) (NP (NNP Chief) (NNP Executive) BECK))
    | Cork Inc ( CRK.N ) Chief Executive Bob Beck
participle behind | (NP (NP BECK) (VP (VBG heading) (PP (IN into) (NP (NN town))))) | Bob Beck
predicate behind | (NP (NP BECK) (NP (DT a) (NN fool))) | Bob Beck
pronoun behind | (NP BECK (PRP She)) | Bob Beck
weekday | (NP (NP BECK) (, ,) (NP (NNP Cork)) (, ,) (NP (NNP Monday))) | Bob Beck
somebody else's office
    | (ROOT (S (NP (NNP Chairman)) (IN of) (NP (NP (NNP President) (NNP Beck) (POS 's)) (NN Council)) (VP (VBD left))))
    | President Beck
a home | (VBD beat) (NP BECK) (PP (IN of) (NP (NNP United) (NNPS States))) | Bob Beck of United States
a home and its state | (NP (NP BECK) (PP (IN of) (NP (NNP Erie) (, ,) (NNP Pa.)))) (, ,) | Bob Beck
somebody else's country | (VBD beat) (NP BECK) (PP (IN of) (NP (NP (NNP West) (NNP Germany) (POS 's)))) | Bob Beck
a country's plans | (VBD beat) (NP BECK) (PP (IN of) (NP (NNP West) (NNP Germany) (NNS plans))) | Bob Beck
a possessor after the name | (VBD told) (NP BECK) (PP (IN of) (NP (NNP West) (NNP Germany) (POS 's))) | Bob Beck
a place that is no name | (VBD beat) (NP BECK) (PP (IN of) (NP (JJ west) (NNP Germany))) | Bob Beck
a verb that takes "of" itself | (VBD convicted) (NP BECK) (PP (IN of) (NP (NNP West) (NNP Germany))) | Bob Beck
a verb that could be an epithet | (VBD convicted) (NP BECK) | Bob Beck
an adjective before the phrase | (JJ retired) (NP (NN chandler) BECK) | retired chandler Bob Beck
an article and an adjective before the phrase | (DT the) (JJ jailed) (NP (NN chandler) BECK) | the jailed chandler Bob Beck
a participle before the phrase | (VBD saw) (VBN ousted) (NP (NN chandler) BECK) | ousted chandler Bob Beck
an adjective that is not of a person | (JJ certain) (NP (NN chandler) BECK) | chandler Bob Beck
a participle after an auxiliary | (VBZ has) (JJ forgiven) (NP BECK) | Bob Beck
a subject before an office | (VBD saw) (S (NP (NNP Ann)) (VP (NN debate) (NP (NNP Gov) BECK))) | Gov Bob Beck
an office after that of another
    | (ROOT (S (NP (NP (NNP Department)) (PP (IN of) (NP (NNP Energy)))) (VP (VBZ is) (NP (NNP Energy) (NNP Secretary) BECK))))
    | Energy Secretary Bob Beck
"""
# Case, nodes, and the rule that refuses the phrase.
CUT = """
number | (NP (CD two) BECK) | name-cut
nor | (NP BECK) (CC nor) (NP (NNP Anker)) | and-beside
body's name | (NP (NNP Means)) (NP (NNP Committee) (NN chairman) BECK) | name-cut
article | (NP (DT the) (NNP Beck)) | name-cut
body | (NP (DT the) (NN shadow) (NN cabinet) BECK) | name-cut
a verb within | (NP (NN actor) (VBD won) BECK) | finite-verb
somebody with an office | (VBD told) (NP (DT the) (NN judge)) (NP BECK) | name-cut
another name | (NP (NP BECK) (NN alias) (NP (NNP Bobby))) | name-cut
an office to another | (NP (NNP Secretary)) (PP (TO to) (NP (DT the) (NNP President) BECK)) | name-cut
a short form of an unknown body | (NN board) (-LRB- -LRB-) (NNP CB) (-RRB- -RRB-) (NP (NN chief) BECK) | name-cut
a possessor with the tag of a verb | (NP (PRP it)) (VBZ 's) (NP (JJ chief) BECK) | name-cut
a season | (VBD spent) (NP (DT the) (NN fall) (NN debating) BECK) | name-cut
a noun without a person | (NN interest) (NP BECK) | name-cut
an office cut by the phrase
    | (ROOT (S (NP (NNP Department)) (IN of) (NP (NNP Energy) (NNP Secretary) BECK) (VP (VBD left)))) | name-cut
a clause within | (NP (DT a) (NN fan) (RB fatally) (NN shot) BECK) | finite-verb
a lost comma
    | (ROOT (S (PP (IN On) (NP (NP (DT the) (NN bench)) (PP (IN of) (NP (DT the) (NNP Court) (NNP Justice) BECK)))) (VP (VBD was))))
    | name-cut
"""


@pytest.mark.parametrize(("nodes", "words"), cases(EDGES))
def test_the_blank_is_the_persons_whole_noun_phrase_and_no_more(nodes, words):
    assert deleted(tree_of(nodes), "Bob Beck" if "Bob Beck" in words else "Beck")[:2] == (words, "")


@pytest.mark.parametrize(("nodes", "reason"), cases(CUT))
def test_a_phrase_that_cannot_be_mended_is_refused(nodes, reason):
    assert deleted(tree_of(nodes), "Bob Beck" if "BECK" in nodes else "Beck")[1] == reason


# The text as it is written, nodes, and the words that are deleted.
BEFORE = """
Texas Sen. Bob Beck | (NP (NNP Texas) (NNP Sen)) (. .) (NP BECK) | Texas Sen . Bob Beck
Texas Sen . Bob Beck | (NP (NNP Texas) (NNP Sen)) (. .) (NP BECK) | Bob Beck
Texas Man. Bob Beck | (NP (NNP Texas) (NNP Man)) (. .) (NP BECK) | Bob Beck
a London-based financier Bob Beck | (NP (DT a) (NNP London) (HYPH -) (VBN based)) (NP (NN financier) BECK)
    | a London - based financier Bob Beck
East London-based financier Bob Beck | (NP (JJ East) (NNP London) (HYPH -) (VBN based)) (NP (NN financier) BECK)
    | East London - based financier Bob Beck
a London - based financier Bob Beck | (NP (DT a) (NNP London) (HYPH -) (VBN based)) (NP (NN financier) BECK) | financier Bob Beck
a London- based financier Bob Beck | (NP (DT a) (NNP London) (HYPH -) (VBN based)) (NP (NN financier) BECK) | financier Bob Beck
the minister-designate Bob Beck | (NP (DT the) (NN minister) (HYPH -) (NN designate)) (NP BECK) | the minister - designate Bob Beck
left-hander Bob Beck | (NP (JJ left) (HYPH -)) (NP (NN hander) BECK) | left - hander Bob Beck
Under-Secretary of State for Economics Bob Beck
    | (NP (NP (NNP Under) (HYPH -) (NNP Secretary)) (PP (IN of) (NP (NNP State)))) (PP (IN for) (NP (NNP Economics) BECK))
    | Under - Secretary of State for Economics Bob Beck
the Bank of the Japan Governor Bob Beck | (NP (NP (DT the) (NNP Bank)) (PP (IN of) (NP (DT the) (NNP Japan) (NNP Governor) BECK)))
    | the Bank of the Japan Governor Bob Beck
West Bank of Japan Governor Bob Beck | (NP (NP (NNP West) (NNP Bank)) (PP (IN of) (NP (NNP Japan) (NNP Governor) BECK)))
    | West Bank of Japan Governor Bob Beck
the Bank of Senegalese Governor Bob Beck
    | (NP (NP (DT the) (NNP Bank)) (PP (IN of) (NP (JJ Senegalese) (NNP Governor) BECK))) | Senegalese Governor Bob Beck
the village of Japan Governor Bob Beck
    | (NP (NP (DT the) (NN village)) (PP (IN of) (NP (NNP Japan) (NNP Governor) BECK))) | Japan Governor Bob Beck
Bank in Japan Governor Bob Beck | (NP (NP (NNP Bank)) (PP (IN in) (NP (NNP Japan) (NNP Governor) BECK))) | Japan Governor Bob Beck
House Leader Bob Beck | (NP (NNP House)) (NP (NNP Leader) BECK) | House Leader Bob Beck
House leader Bob Beck | (NP (NNP House)) (NP (NN leader) BECK) | House leader Bob Beck
Monday Sen. Bob Beck | (NP (NNP Monday) (NNP Sen)) (. .) (NP BECK) | Sen . Bob Beck
all old Bob Beck | (NP (DT all) (JJ old) BECK) | all old Bob Beck
Bob Beck - era miners | (NP BECK) (- -) (NN era) (NNS miners) | Bob Beck
the man to Japan Governor Bob Beck | (NP (NP (DT the) (NN man)) (PP (IN to) (NP (NNP Japan) (NNP Governor) BECK)))
    | Japan Governor Bob Beck
Acme, senator Bob Beck | (NP (NNP Acme)) (, ,) (NP (NN senator)) (NP BECK) | senator Bob Beck
Bob Beck, 0, there | (NP BECK) (, ,) (CD 0) (, ,) (ADVP (RB there)) | Bob Beck
Bob Beck, 1, there | (NP BECK) (, ,) (CD 1) (, ,) (ADVP (RB there)) | Bob Beck
Bob Beck, 120, there | (NP BECK) (, ,) (CD 120) (, ,) (ADVP (RB there)) | Bob Beck
Bob Beck, the mayor that, again | (NP BECK) (, ,) (NP (DT the) (NN mayor) (SBAR (IN that))) (, ,) (ADVP (RB again)) | Bob Beck
Bob Beck, the mayor that, again | (NP BECK) (, ,) (NP (DT the) (NN mayor) (VP (VBG that))) (, ,) (ADVP (RB again)) | Bob Beck
Bob Beck, the mayor that, again | (NP BECK) (, ,) (NP (DT the) (NN mayor) (S (JJ that))) (, ,) (ADVP (RB again)) | Bob Beck
Bob Beck, the mayor that, again | (NP BECK) (, ,) (NP (DT the) (NN mayor) (ADJP (JJ that))) (, ,) (ADVP (RB again)) | Bob Beck
"""


@pytest.mark.parametrize(("text", "nodes", "blank"), rows(BEFORE))
def test_titles_bodies_and_compounds_before_the_phrase_go_with_it_as_far_as_they_belong(text, nodes, blank):
    assert deleted(tree_of(nodes), "Bob Beck", text=f"Cole met {text}.")[:2] == (blank, "")


REFUSED = """
the shadow cabinet Bob Beck | (NP (DT the) (NN shadow) (NN cabinet) BECK) | name-cut | cabinet Bob
the minister-aide Bob Beck | (NP (DT the) (NN minister) (HYPH -) (NN aide)) (NP BECK) | name-cut | minister-aide
the Bob Beck | (NP (DT the) BECK) | name-cut | the Bob
Acme > senator Bob Beck | (NP (NNP Acme)) (SYM >) (NP (NN senator)) (NP BECK) | name-cut | senator
the house leader Bob Beck | (NP (DT the) (NN house)) (NP (NN leader) BECK) | name-cut | house leader Bob Beck
some kind Bob Beck | (NP (DT some) (NN kind) BECK) | name-cut | kind Bob Beck
Bob Beck-era miners | (NP BECK) (- -) (NN era) (NNS miners) | modifies-noun | Bob Beck -
Bob Beck–era miners | (NP BECK) (– –) (NN era) (NNS miners) | modifies-noun | Bob Beck –
"""


@pytest.mark.parametrize(("text", "nodes", "rule", "detail"), rows(REFUSED))
def test_a_refusal_names_the_words_that_show_it(text, nodes, rule, detail):
    assert deleted(tree_of(nodes), "Bob Beck", text=f"Cole met {text}.")[1:] == (rule, detail)


def test_a_title_with_its_full_stop_may_open_the_sentence():
    tree = f"(ROOT (S (NP (NNP Sen)) (. .) (NP {BECK}) (VP (VBD left)) (. .)))"
    assert deleted(tree, "Bob Beck", text="Sen. Bob Beck left.")[:2] == ("Sen . Bob Beck", "")
