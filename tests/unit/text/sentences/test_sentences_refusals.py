"""first_sentences: each form that makes no question, beside a sentence of news that is near to it."""

import pytest

from support.marked import marked
from support.tables import cases, rows
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.sentences.refusals import REASONS, no_main_clause, refusal, repeated_name

# The reason, and a text that is refused for it.
REFUSED = """
introduces-text | Here is the text of President Reagan's letter to Mikhail Gorbachev:
introduces-text | Ann Ames and Bob Beck answered these questions:
addresses-reader | You can choose one of the explanations for what happened to Ann Ames as Bob Beck closed in.
addresses-reader | If you tuned in last night, you know that Ann Ames wiped the floor with Bob Beck.
addresses-reader | I was disappointed to read what Ann Ames said of Bob Beck.
addresses-reader | On Friday, I reported that Ann Ames met Bob Beck.
addresses-reader | Why does Ann Ames still support Bob Beck?
addresses-reader | Let's be clear that Ann Ames beat Bob Beck.
joins-sentences | BLITZER: Ann Ames, did you meet Bob Beck?
joins-sentences | “It is over.” — Ann Ames She told Bob Beck so.
joins-sentences | Ann Ames called Bob Beck a “racist.” The mayor left.
joins-sentences | Ann Ames: We won. Bob Beck: You did not.
joins-sentences | Ann Ames rehires her lawyer and heads to rehab It seems that Bob Beck has left.
joins-sentences | Ann Ames enjoys the new history by Bob Beck The author has lived there for years.
joins-sentences | The ferry sank in 2004 The inquiry by Ann Ames blames Bob Beck.
joins-sentences | A safe haven for migrants Writing in The Ledger, Ann Ames said that Bob Beck was right.
embedded-post | Ann Ames on Bob Beck pic.twitter.com/4tfyUE2vNc — Liz Cole (@LizC) September 18, 2016
embedded-post | Ann Ames met Bob Beck, see https://example.org/a for more.
broken-text | Ann Ames s aide met Bob Beck.
broken-text | Ann Ames doesn t like Bob Beck.
broken-text | Ann Amesâ€™s aide met Bob Beck.
broken-text | Ann Ames leaned over and asked Bob Beck, "Where did you find this?
broken-text | Ann Ames has “no plans to meet Bob Beck.
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


def test_every_reason_has_a_case():
    assert {reason for reason, _ in rows(REFUSED)} | {"no-main-clause"} == set(REASONS)


# Case and tree.
FRAGMENTS = """
noun phrase | (ROOT (NP (NP (DT The) (NN text)) (PP (IN of) (NP (DT a) (NN letter)))))
headline | (ROOT (NP (NP (NNP Ames)) (S (VP (TO to) (VP (VB meet) (NP (NNP Beck)))))))
caption | (ROOT (S (NP (NNP Ames)) (VP (VBG speaking) (PP (TO to) (NP (NNP Beck))))))
question word | (ROOT (SBAR (WHADVP (WRB How)) (S (NP (NNP Ames)) (VP (VBD beat) (NP (NNP Beck))))))
relative clause | (ROOT (NP (NP (NNP Ames)) (SBAR (WHNP (WP who)) (S (VP (VBD lost))))))
"""
CLAUSES = """
after a relative clause | (ROOT (S (NP (NNP Ames) (S (NP (WP who)) (VP (VBD lost)))) (VP (VBD met) (NP (NNP Beck)))))
plain | (ROOT (S (NP (NNP Ames)) (VP (VBD met) (NP (NNP Beck)))))
speech | (ROOT (S (S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ late)))) (, ,) (NP (NNP Ames)) (VP (VBD said))))
taken for a noun phrase | (ROOT (NP (NP (NNP Ames)) (VP (VBD called) (PP (IN on) (NP (NNP Beck))))))
verb taken for a participle | (ROOT (S (NP (NNP Ames)) (VP (VBN granted) (NP (NNS requests)))))
verb taken for a plural | (ROOT (S (NP (NNP Ames)) (VP (NNS plans) (S (VP (TO to) (VP (VB go)))))))
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
