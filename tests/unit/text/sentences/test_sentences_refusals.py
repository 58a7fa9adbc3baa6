"""first_sentences: each form that makes no question, beside a sentence of news that is near to it."""

import pytest

from support.marked import marked
from support.tables import cases, rows
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.sentences.refusals import REASONS, no_main_clause, refusal, repeated_name

# The reason, and a text that is refused for it.
REFUSED = """
introduces-text | Here is the text of President Reagan's letter to Mikhail Gorbachev:
introduces-text | Following is the full text of Paul Volcker's letter to President Reagan
introduces-text | The following are quotations by Ann Ames and Bob Beck.
introduces-text | Here's what Ann Ames told Bob Beck on Monday.
introduces-text | Ann Ames and Bob Beck answered these questions:
introduces-text | Below are excerpts of a talk of Ann Ames with Bob Beck.
addresses-reader | You can choose one of the explanations for what happened to Ann Ames as Bob Beck closed in.
addresses-reader | If you tuned in last night, you know that Ann Ames wiped the floor with Bob Beck.
addresses-reader | I was disappointed to read what Ann Ames said of Bob Beck.
addresses-reader | On Friday, I reported that Ann Ames met Bob Beck.
addresses-reader | Why does Ann Ames still support Bob Beck?
addresses-reader | Let's be clear that Ann Ames beat Bob Beck.
addresses-reader | Imagine what Ann Ames would say to Bob Beck.
joins-sentences | BLITZER: Ann Ames, did you meet Bob Beck?
joins-sentences | Q. Did Ann Ames meet Bob Beck? A. No, she did not.
joins-sentences | “It is over.” — Ann Ames She told Bob Beck so.
joins-sentences | Ann Ames met Bob Beck on Monday, she said.The mayor left.
joins-sentences | Ann Ames called Bob Beck a “racist.” The mayor left.
joins-sentences | Ann Ames: We won. Bob Beck: You did not.
joins-sentences | In a talk with Ann Ames, Bob Beck laughed: Ames: You think so?
joins-sentences | Ann Ames rehires her lawyer and heads to rehab It seems that Bob Beck has left.
joins-sentences | Bob Beck faces four years if convicted A judge has delayed the trial of Ann Ames.
joins-sentences | Ann Ames enjoys the new history by Bob Beck The author has lived there for years.
joins-sentences | The ferry sank in 2004 The inquiry by Ann Ames blames Bob Beck.
joins-sentences | Bob Beck left on Dec. 5. President Ann Ames named another.
joins-sentences | Ann Ames met Bob Beck at the harbour . The mayor left .
joins-sentences | Ann Ames praised Bob Beck on Monday . `` We won , '' she said .
joins-sentences | Bob Beck works for Tarn Inc. The firm belongs to Ann Ames.
joins-sentences | A safe haven for migrants Writing in The Ledger, Ann Ames said that Bob Beck was right.
embedded-post | Ann Ames on Bob Beck pic.twitter.com/4tfyUE2vNc — Liz Cole (@LizC) September 18, 2016
embedded-post | Ann Ames met Bob Beck, see https://example.org/a for more.
embedded-post | http : / / www . example . org / ames Ann Ames met Bob Beck .
embedded-post | RT @ames: Bob Beck has left.
broken-text | Ann Ames s aide met Bob Beck.
broken-text | Ann Ames doesn t like Bob Beck.
broken-text | Ann Amesâ€™s aide met Bob Beck.
broken-text | Ann Ames leaned over and asked Bob Beck, "Where did you find this?
broken-text | Ann Ames has “no plans to meet Bob Beck.
no-main-clause | By Ann Ames Mayor Bob Beck will go.
no-main-clause | July 31: Ann Ames lays a boom with Bob Beck.
no-main-clause | 11/19/16, 3:14 PM CET BY Ann Ames So is Bob Beck.
no-main-clause | Ann Ames (L) and Bob Beck (R) at the river on Monday.
no-main-clause | From left: Mayor Ann Ames, Bob Beck and Karl Anker meet.
no-main-clause | Bob Beck walks, from left, Mayor Ann Ames walks too.
no-main-clause | Ann Ames (left) met Bob Beck at a joint briefing.
no-main-clause | Mayor Ann Ames (third left) met Bob Beck.
no-main-clause | Ann Ames signs the pact as Bob Beck looks on
no-main-clause | Ann Ames met Bob Beck. Pix by Karl Anker
no-main-clause | Mayor Ann Ames, left, and Bob Beck, second right, walk to the river.
no-main-clause | In this photo released by the town, Ann Ames talks with Bob Beck.
no-main-clause | Ann Ames and Bob Beck laugh in this file photo of May 3.
"""
NEWS = [
    "Here in Greyhaven, Ann Ames met Bob Beck.",
    "Following talks with Ann Ames, Bob Beck resigned.",
    "These are hard times for Ann Ames, Bob Beck said.",
    'Bob Beck said "I will not go" when Ann Ames asked him.',
    "“You are too late,” Ann Ames told Bob Beck.",
    '"Where did you go?" Ann Ames asked Bob Beck.',
    "Bob Beck of The Thick of It said Ann Ames would sing When We Were Young.",
    "Ann Ames, from the far left, attacked a threat from the right, Bob Beck said.",
    'Bob Beck called the plan “absurd" and “not new.”',
    "World War I ended before Ann Ames met Bob Beck.",
    "I. Lewis Libby met Ann Ames on Monday.",
    "Meet the Press host Ann Ames asked Bob Beck to leave.",
    "My Lai veteran Bob Beck wrote to Ann Ames.",
    "Sen. Ann Ames (R) and Rep. Bob Beck (D) voted for it.",
    "Gen. Colin Powell and St. Louis Mayor Ann Ames met.",
    "Yahoo! Chief Executive Ann Ames named Bob Beck.",
    "Atty. Gen. Ann Ames charged Bob Beck.",
    "Amazon.com hired Ann Ames, and Salon.com Bob Beck.",
    "By Labor Day Ann Ames had beaten Bob Beck.",
    "By George Bush's count Ann Ames has lost.",
    "Ann Ames has one question for voters: Is Bob Beck the man we want?",
    "Ann Ames appeared in a photo with Bob Beck, police said.",
    "A list of judges that Ann Ames gave Bob Beck grew on Monday.",
    "U.S. District Judge Eugene A. Gordon said Ann Ames won.",
    "Long ago World War I ended before Ann Ames met Bob Beck.",
    "Ann Ames left BEIRUT. Then Bob Beck came.",
    "Ann Ames left St. Louis with Bob Beck.",
    "Ann Ames saw the film The Long Way with Bob Beck.",
    "Ann Ames warned of hepatitis A infections, Bob Beck said.",
    "Ann Ames was in The Thick of It with Bob Beck.",
    "The U.S. President Ann Ames met Bob Beck.",
    "Ann Ames won 1.5 million votes on Jan. 6 against Bob Beck.",
]


@pytest.mark.parametrize(("reason", "text"), rows(REFUSED))
def test_a_form_that_makes_no_question_is_named_unless_its_rule_is_off(reason, text):
    assert refusal(text, [])[0] == reason
    assert refusal(text, [])[1]
    assert refusal(text, [], frozenset(REASONS)) == ("", "")


@pytest.mark.parametrize("text", NEWS)
def test_a_sentence_of_news_passes(text):
    assert refusal(text, []) == ("", "")


# Case and tree.
FRAGMENTS = """
noun phrase | (ROOT (NP (NP (DT The) (NN text)) (PP (IN of) (NP (DT a) (NN letter)))))
headline | (ROOT (NP (NP (NNP Ames)) (S (VP (TO to) (VP (VB meet) (NP (NNP Beck)))))))
caption | (ROOT (S (NP (NNP Ames)) (VP (VBG speaking) (PP (TO to) (NP (NNP Beck))))))
question word | (ROOT (SBAR (WHADVP (WRB How)) (S (NP (NNP Ames)) (VP (VBD beat) (NP (NNP Beck))))))
relative clause | (ROOT (NP (NP (NNP Ames)) (SBAR (WHNP (WP who)) (S (VP (VBD lost))))))
relative clause without its label | (ROOT (NP (NP (NNP Ames)) (S (NP (WP who)) (VP (VBD lost)))))
"""
CLAUSES = """
after a relative clause | (ROOT (S (NP (NNP Ames) (S (NP (WP who)) (VP (VBD lost)))) (VP (VBD met) (NP (NNP Beck)))))
plain | (ROOT (S (NP (NNP Ames)) (VP (VBD met) (NP (NNP Beck)))))
speech | (ROOT (S (S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ late)))) (, ,) (NP (NNP Ames)) (VP (VBD said))))
taken for a noun phrase | (ROOT (NP (NP (NNP Ames)) (VP (VBD called) (PP (IN on) (NP (NNP Beck))))))
verb taken for a participle | (ROOT (S (NP (NNP Ames)) (VP (VBN granted) (NP (NNS requests)))))
verb taken for a plural | (ROOT (S (NP (NNP Ames)) (VP (NNS plans) (S (VP (TO to) (VP (VB go)))))))
verb behind a name | (ROOT (S (NP (NNP Ames)) (NP (NNP Wednesday) (VBN blasted) (NNP Beck))))
no phrases | (ROOT (XX Ames) (XX met) (XX Beck))
"""


@pytest.mark.parametrize("tree", cases(FRAGMENTS))
def test_a_tree_without_a_main_clause_is_named_by_its_label(tree):
    assert no_main_clause(Sentence(tree)) == tree.split()[1].strip("(")


@pytest.mark.parametrize("tree", cases(CLAUSES))
def test_a_tree_with_a_verb_that_may_be_the_main_one_passes(tree):
    assert no_main_clause(Sentence(tree)) == ""


JOINED = [
    ("[Ann Ames] met [Bob Beck] [Ann Ames] has met him.", "Ann Ames"),
    ("[Ames] meets [Beck] [Ann Ames] has met him.", "Ann Ames"),
    ("[Ann Ames] dead at 95 [Ann Joy Ames] has died.", "Ann Joy Ames"),
    ("[Ann Ames] said that [Ames] met [Bob Beck].", ""),
    ("[Ames] said that [Ames] met [Bob Beck].", ""),
    ("[Eva Ames] is the sister of [Ann Ames].", ""),
    ('"Bring back [Ames]!" they shouted as [Bob Beck] replaced [Ann Ames].', ""),
]


@pytest.mark.parametrize(("sentence", "shown"), JOINED)
def test_a_full_name_after_itself_or_a_shorter_form_shows_joined_sentences(sentence, shown):
    assert repeated_name(*marked(sentence)) == shown


# Sentence, and the words that show a caption.
CAPTIONS = """
Quell News' [Ann Ames] discusses her trip to join the Navy. | discusses
Rep. [Ann Ames], R-Ky., discusses the record of [Bob Beck]. | , R-Ky., discusses
[Ann Ames] joins 'The Lamp' to discuss [Bob Beck]. | joins 'The Lamp' to discuss
[Ann Ames] reacts to the Jets firing [Bob Beck]. | reacts to
Sen. [Ann Ames] speaks at the Cork Fair, in Cork, Ohio, on Monday, where [Bob Beck] won.
    | speaks at the Cork Fair, in Cork, Ohio, on Monday
[Ann Ames] delivers a speech at Moss Park in Cork, Ohio, Monday. | delivers a speech at Moss Park in Cork, Ohio, Monday
[Ann Ames] waves to [Bob Beck] after a rally on Monday. | waves to Bob Beck after a rally on Monday
[Ann Ames] arrives in Cork, Ohio, on Monday to meet [Bob Beck]. |
[Ann Ames] spoke at the fair, in Cork, Ohio, on Monday. |
(Ida Moss/The Ledger) [Ann Ames] blamed [Bob Beck]. | (Ida Moss/The Ledger)
(Tarn) [Ann Ames] blamed [Bob Beck]. |
[Ann Ames] discussed the trip with [Bob Beck]. |
[Ann Ames] joins the Jets. |
As [Ann Ames] discusses the bill, [Bob Beck] left. |
At talks in Tarn, [Ann Ames] reacts to [Bob Beck]. |
"""


@pytest.mark.parametrize(("sentence", "shown"), rows(CAPTIONS))
def test_a_person_who_presents_a_topic_shows_the_caption_of_a_video_or_photo(sentence, shown):
    assert refusal(*marked(sentence)) == (("no-main-clause" if shown else ""), shown)
