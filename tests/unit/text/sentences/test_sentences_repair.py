"""repair: damaged encodings, lost apostrophes and lost spaces come back where that is certain, and nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from support.make import raw
from wdw_build.text.sentences.repair import damage, detokenise, is_tokenised, repair, repair_article

REPAIRED = [
    # Encodings.
    ("Ameâ€™s boat", "Ame’s boat"),
    ("â€œYes,â€\x9d she said.", "“Yes,” she said."),
    ("â€œIt is dark,â€ said Marr of the lamp. “Noâ€.", "“It is dark,” said Marr of the lamp. “No”."),
    ("It is dark._x000D_ Marr left._x000D_", "It is dark. Marr left."),
    ("CafÃ© in ZÃ¼rich", "Café in Zürich"),
    ("Ann Ames isnâ\x80\x99t here", "Ann Ames isn’t here"),
    # Width.
    ("Heavy indust\ufeffry", "Heavy industry"),
    ("a legit\u00adim\u00adate threat", "a legitimate threat"),
    ("\u2060It is", "It is"),
    ("the area of\u200b\u200bthe bay", "the area of the bay"),
    ("orders\u200b as it", "orders as it"),
    ("Garc\u00c3\u00ada", "Garc\u00eda"),
    # Entities and apostrophes.
    ("Zoe\u0308 Mu\u0308ller", "Zoë Müller"),
    ("Ames &amp; Beck&#39;s &quot;boat&quot; &mdash; at&nbsp;sea", 'Ames & Beck\'s "boat" — at sea'),
    ("Beck&amp;amp;#39;s", "Beck's"),
    ("R&D; AT&T; &nosuch; &amp;T;", "R&D; AT&T; &nosuch; &T;"),
    ("Ames ███ left █ █ now.", "Ames left now."),
    ("It isn’ t hers. They ’re Ann’ s, and I ’ m late", "It isn’t hers. They’re Ann’s, and I’m late"),
    ("We did n't go", "We didn't go"),
    # Lost apostrophes.
    ("She couldn t swim, and it s late. They re gone.", "She couldn't swim, and it's late. They're gone."),
    ("Ames s boat is Beck's now.", "Ames's boat is Beck's now."),
    ("The ferry s crew didn t know.", "The ferry's crew didn't know."),
    ("I m sure that you ll go.", "I'm sure that you'll go."),
    # Lost spaces.
    ("They went home.The mayor stayed.", "They went home. The mayor stayed."),
    ("“Yes.”The mayor left.", "“Yes.” The mayor left."),
    ('He said "no."The mayor left.', 'He said "no." The mayor left.'),
    ('He left."We stay now."', 'He left. "We stay now."'),
    ("I don t.Now he is gone.", "I don't. Now he is gone."),
    ("It was Ann Ames.They knew.", "It was Ann Ames. They knew."),
    # Rows of marks that part sections.
    ("She left. *** That May, he came. * * * “Yes.” ———", "She left. That May, he came. “Yes.”"),
    ("___ The mayor left.", "The mayor left."),
    # Marks of markup.
    ("The ferry **Island Pearl** sank, *he* said.", "The ferry Island Pearl sank, he said."),
    ("The ***very*** __old__ ferry sank.", "The very old ferry sank."),
    ("Ann Ames[1] met [[Bo Beck|Mr. Beck]] and [[Cy Cole]].[2][13]", "Ann Ames met Mr. Beck and Cy Cole."),
]


@pytest.mark.parametrize(("damaged", "whole"), REPAIRED)
def test_what_is_surely_damaged_is_repaired_and_what_may_be_intended_is_left(damaged, whole):
    assert repair([damaged]) == (whole,)


def test_entities_beside_tags_are_left_because_they_may_belong_to_the_markup():
    assert repair(["<b>Ames</b>", "&lt;i&gt; &amp; more"]) == ("<b>Ames</b>", "&lt;i&gt; &amp; more")
    assert repair(["<unk> &amp; more"]) == ("<unk> & more",)


IN_ORDER = [
    "Plain text.",
    "“Curly” and ‘single’ — as they are…",
    "Zoë Müller, São Paulo, Çelik",
    "naïve façade",
    "АБВ где",
    "東京",
    "",
    "½ of £5",
    "Vitamin s and t cells",
    "con s chim r ng",
    "she re-entered the room",
    "a settlement of s claims",
    "See Example.Com today",
    "at www.example.The site",
    "Node.Js is new",
    "the U.S. President",
    "3.Five",
    "It was followed s per the rules.",
    "Ames donít",
    "the players’ re-election, 'an' s-curve, the girls' team",
    "He said a f *** *** * thing --- or so -- He left. -- Ann Ames",
    "He said f**k and s**t, 2 * 3 * 4, a__b__c and [sic].",
]


@pytest.mark.parametrize("text", IN_ORDER)
def test_text_that_is_in_order_stays_as_it_is(text):
    assert repair([text]) == (text,)


DAMAGED = [
    "Trump s plan",
    "he couldn t go",
    "Ame\ufffds boat",
    "isnâ€™t",
    "drama\u00c2 features",
    "The bridge fell in Jan- uary.",
    "M ayor Dalia H esk met Tomas V errell.",
]


@pytest.mark.parametrize("text", DAMAGED)
def test_what_is_still_damaged_is_named(text):
    assert damage(text)


UNDAMAGED = [
    "Ames's plan",
    "Mr. T said",
    "I can't",
    "Turk Henkel A.S. issued",
    "Yapi ve Kredi Bankasi",
    "Âge d'or",
    "T. S. Eliot",
    "s*it",
    "A pre- and post-war plan.",
    "Plan B was ready.",
    "In Group C we won, in Group D they did.",
]


@pytest.mark.parametrize("text", UNDAMAGED)
def test_text_in_order_shows_no_damage(text):
    assert not damage(text)


@given(st.lists(st.text(alphabet=st.characters(codec="ascii"))))
def test_repair_gives_as_many_texts_as_it_got_and_is_settled_after_one_pass(texts):
    once = repair(texts)
    assert len(once) == len(texts)
    assert repair(once) == once


TOKENS = [
    ("`` No , '' said Ann Ames 's aide , `` she did n't . ''", '"No," said Ann Ames\'s aide, "she didn\'t."'),
    ("Ames -LRB- 45 -RRB- paid $ 5 , or 3 % .", "Ames (45) paid $5, or 3%."),
    ("The film ' Deep Sea , ' she ’ s told , won . “ Well ! ”", "The film 'Deep Sea,' she’s told, won. “Well!”"),
    ("The workers ' rights , \" he said , matter .", "The workers' rights,\" he said, matter."),
]


@pytest.mark.parametrize(("tokens", "text"), TOKENS)
def test_tokens_are_joined_as_they_stood_in_the_text(tokens, text):
    assert is_tokenised([tokens])
    assert detokenise(tokens) == text


@pytest.mark.parametrize("text", ["Ames , Beck and Poole.", "Ames left, and Beck stayed .", "No marks", ""])
def test_text_with_a_few_loose_marks_is_not_taken_for_tokens(text):
    assert not is_tokenised([text])


@given(st.text(alphabet='Aa ,."$()“”’%'))
def test_joining_tokens_changes_spaces_alone(text):
    assert detokenise(text).replace(" ", "") == text.replace(" ", "")


def test_an_article_in_order_is_the_same_object_and_a_damaged_one_keeps_all_else():
    fine = raw("a", paragraphs=["Fine."])
    assert repair_article(fine) is fine
    found = repair_article(replace(fine, title="CafÃ©", paragraphs=("Itâ€™s", "x")))
    assert found == replace(fine, title="Café", paragraphs=("It’s", "x"))


def test_an_article_of_tokens_is_joined_with_its_title():
    tokenised = replace(raw("a"), title="Ames 's win", paragraphs=("Ann Ames won , Bob Beck said .",))
    joined = replace(raw("a"), title="Ames's win", paragraphs=("Ann Ames won, Bob Beck said.",))
    assert repair_article(tokenised) == joined


def test_a_word_parted_at_a_line_end_is_joined_if_the_article_has_it_whole() -> None:
    texts = ["Tomas Ver- rell rebuilt a pre- and post-war bridge in Jan- uary.", "Verrell is 58."]
    assert repair(texts)[0] == "Tomas Verrell rebuilt a pre- and post-war bridge in Jan- uary."
