"""credits: the forms of paragraphs that are no text, each beside a sentence of a story that is near to it."""

import pytest

from support.cutting import cut
from wdw_build.text.pages.credits import credits, is_credit

CREDITS = [
    "The post Light out at Quell appeared first on Quell Echo.",
    "Associated Press writer Ann Ames in Oslo contributed to this report.",
    "(Bob Beck and Ann Ames contributed to this story from Greyhaven.)",
    "--With assistance from Ann Ames, Ida Moss and Lee van der Hof.",
    "Ames and Beck reported from Tarn, Rill; Moss from Selm. Press writer Ida Lee contributed.",
    "(Reporting by Ann Ames; editing by Bob Beck)",
    "Additional reporting by Ann Ames in Oslo",
    "(Reporting By Ann Ames; Editing by Bob Beck)",
    "Follow Ann Ames on Twitter: @ames",
    "Follow Ann Ames at http://example.org/ames and Bob Beck at http://example.org/beck",
    "Write to Ann Ames at ann.ames@example.org",
    "Ann Ames-USA TODAY Sports",
    "Ann Ames/Reuters",
    "Written by Ann Ames",
    "(With inputs from Ann Ames in Oslo and PTI)",
    "With agency inputs Image: PTI",
    "With inputs from PTI and agencies",
    "(With agency inputs, Image: ANI/PTI)",
    "Compiled by the staff of the Herald",
    "(AP Photo/Ann Ames)",
    "Photo by Ann Ames",
    "Photos: Bob Beck",
    "Photo credit: AFP",
    "Story Continued Below",
    "STORY CONTINUED BELOW",
    "Article continues below",
    "Continued on page 4",
    "Advertisement",
    "(MORE)",
    "-30-",
    "nn",
    "ENDS",
    "###",
    "(STORY CAN END HERE. OPTIONAL MATERIAL FOLLOWS)",
    "(Begin optional trim)",
    "On the Net:",
    "On the Net: http://www.example.org",
    "https://example.org/a?b=c",
    "(c) 2003 The Greyhaven Herald",
    "c.2003 New York Times News Service",
    "Copyright 1999 Harbour Press. All rights reserved.",
    "Ann Ames can be reached at ames@example.org",
    "E-mail: ames@example.org",
    "By Ann Ames",
    "BY ANN AMES",
    "By Ann Ames and Bob Beck",
    "By Ann Ames, Associated Press Writer",
    "By Jan de Vries",
    "Eds: UPDATES with quotes",
    "EDS: Note the language in paragraph 3.",
    "EDITOR'S NOTE _ Ann Ames has covered the bridge for ten years.",
    "Editors' note: names were changed.",
    "(EDITORS: a photo is moving)",
    "Attention editors - this story is under embargo",
    "Read more",
    "[ad_1]",
    '[caption id="a" width="3"] A ferry. [/caption]',
    "A Harbour Bros. Discovery Company. All Rights Reserved.",
    "SAP is the sponsor of this content.",
    "RECOMMENDED: Ferry sinks off U.S. coast",
    "[Mayor of Tarn: who will win?]",
    "Harbour Press writer Ann Ames\ncontributed to\nthis report.",
]
STORY = [
    "Ann Ames contributed to this week's fall of prices, critics say.",
    "The storm contributed to the report's delay.",
    "With help from Ann Ames and Ida Moss, members can now vote.",
    "Ann Ames reported from Tarn and said that it was late.",
    "Reporting by state television was cut off on Monday.",
    "Editing by hand is slow, said Ann Ames.",
    "Photos of the bridge show a hole.",
    "Photographer Ann Ames fell into the river.",
    "The story continued to spread on Monday, and Ames laughed about it with some of her friends at noon.",
    "More.",
    "The end.",
    "Write to Ann Ames at the city hall, he said.",
    "Follow Ann Ames at work, and Bob Beck at home.",
    "The post about the light appeared on Monday, Ann Ames said.",
    "On the net, Ann Ames was slow; on grass she was quick.",
    "Copyright law is a jungle, Ann Ames said.",
    "By Monday, Ann Ames had left.",
    "By the river stood Bob Beck",
    "By Ann Ames's count, 40 people drowned.",
    "Editors of ten newspapers met in Oslo on Monday.",
    "Ames can be reached only by boat, which is why nobody went there, and nobody will until the ice has gone from the bay "
    "and the ferry sails again some time in the spring.",
    "***",
    "More: the mayor said so, too.",
    "[He left on Monday.]",
    "[He] left on [Monday], Ann Ames said.",
    "",
    "Word " * 80 + CREDITS[0],
]


@pytest.mark.parametrize("paragraph", CREDITS)
def test_a_credit_is_cut(paragraph):
    assert is_credit(paragraph)


@pytest.mark.parametrize("paragraph", STORY)
def test_a_paragraph_of_the_story_stays(paragraph):
    assert not is_credit(paragraph)


def test_nothing_is_lost_and_the_order_is_kept():
    mixed = [STORY[0], CREDITS[0], STORY[1], CREDITS[1]]
    assert cut(mixed, credits) == ([STORY[0], STORY[1]], [CREDITS[0], CREDITS[1]])
    assert cut((), credits) == ([], [])


LONG = "The mayor met the council on Monday, and said that she would not go before the river is clean again. " * 3
HEADS = [
    "(Photo: Ann Ames/AP) ",
    "(AP Photo/Ann Ames) ",
    "Photo by Ann Ames/Getty Images ",
    "Getty Images ",
    "Ann Ames/Getty Images ",
    "Image credit: AP ",
    "[Image by Ann Ames] ",
    "(By Lilian Wu) ",
    "From the Harbour News Foundation: ",
]
TAILS = [
    ["(With inputs from PTI)", "(Image: AP)"],
    ["(Reporting by Ann Ames in St. Louis; editing by Bob B. Beck)"],
    ["Reporting by Ann Ames; Editing by Bob Beck"],
    ["(By Lilian Wu)", "ENDITEM/J"],
    ["(By Sofia Wu and Flor Wang)", "ENDITEM"],
    ["Enditem"],
    ["CNN's Ann D. Ames contributed to this report."],
    ["ABC News' J.J. Ames contributed to this report"],
    ["Featured image via Getty  Who will win? See more."],
    ["Photo by Ann Ames via Getty."],
    ["(Source: Harbour News)"],
    ["Sources: Harbour News, AP / Photo credit: Ann Ames"],
    ["Ann Ames is the Herald's chief political columnist."],
    ["Follow Ann Ames on Twitter."],
    ["This story has been updated.", "Ann Ames contributed to this report."],
    ["-30-"],
    ["© 2016 Harbour News, Inc.", "A Harbour Bros. Company.", "All Rights Reserved.", "[ad_2]"],
    ["(Additional reporting by Ann Ames)", "(Editing by Bob Beck)"],
    ["Ann Ames contributed to this report.", "UPDATE: After this story was published, Ann Ames called. She said more."],
    ["Share this story and let us know.", "What do you think of Ann Ames's plan?"],
    ["You can read the full letter here."],
    ["Footage of the fire can be found here:"],
    ["Get your daily dose by entering your address below."],
]


@pytest.mark.parametrize("head", HEADS)
def test_a_photo_line_before_the_first_sentence_is_cut_from_its_paragraph(head):
    assert cut([head + LONG.strip()], credits) == ([LONG.strip()], [head.strip()])


@pytest.mark.parametrize("tail", TAILS)
def test_credits_behind_the_last_sentence_are_cut_from_its_paragraph(tail):
    assert cut([LONG + " ".join(tail)], credits) == ([LONG.strip()], tail)


ENDS = [
    "He said no (by the way).",
    "The dog was found by Ann Ames. Photo by Ann Ames showed it asleep.",
    "He spoke to reporters.",
    "It was posted on Twitter.",
    "He told CNN's Ann Ames.",
    "The end is near.",
    "Ann Ames is a doctor.",
    "He left (on Monday).",
    "Share prices fell below 5 dollars.",
    "She said she would find peace here.",
    "What do you do, he asked?",
    "UPDATE: A man was arrested on Monday, police said.",
    "Reporting by state television was cut off on Monday, he said, and the minister who had ordered it was asked to leave "
    "at once by the president and by the party's own men. It began again on Friday.",
]
STARTS = [
    "Getty Images Inc. said so.",
    "Photos of Ames hang.",
    "Images of the AP bridge show a hole.",
    "(He left.)",
]


@pytest.mark.parametrize("paragraph", [*(LONG + end for end in ENDS), *(f"{start} {LONG}" for start in STARTS)])
def test_a_first_or_last_sentence_of_the_story_stays(paragraph):
    assert cut([paragraph], credits) == ([paragraph], [])
