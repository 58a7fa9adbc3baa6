"""Closed word classes: pronouns, auxiliaries, frequent verbs, titles and first names by gender."""

from __future__ import annotations

WH_WORDS = frozenset("who whom whose what which where when why how".split())
AUXILIARIES = frozenset("do does did".split())
COPULAS = frozenset("is are was were be been am 's ’s".split())
MASCULINE = frozenset("he him his himself".split())
FEMININE = frozenset("she her hers herself".split())
PRONOUNS = MASCULINE | FEMININE
IRREGULAR_VERBS = frozenset(
    "said says say was were is are had has have did does do made make makes took take takes told tell tells gave give gives "
    "went go goes came come comes got get gets saw see sees knew know knows thought think thinks found find finds left leave "
    "leaves felt feel feels put puts kept keep keeps let lets began begin begins met meet meets ran run runs held hold holds "
    "brought bring brings wrote write writes sat sit sits stood stand stands lost lose loses paid pay pays sent send sends "
    "built build builds fell fall falls led lead leads spoke speak speaks spent spend spends won win wins bought buy buys "
    "became become becomes broke break breaks chose choose chooses drew draw draws drove drive drives ate eat eats fought "
    "fight fights flew fly flies forgot forget forgets hid hide hides hit hits hurt hurts read reads rode ride rides rose "
    "rise rises sang sing sings sold sell sells set sets shot shoot shoots slept sleep sleeps swam swim swims taught teach "
    "teaches threw throw throws understood understand wore wear wears quit will would should could".split()
)
MASCULINE_TITLES = frozenset("mr sir lord king prince father uncle brother grandpa dad".split())
FEMININE_TITLES = frozenset("mrs ms miss lady queen princess mother aunt sister grandma mom".split())
MASCULINE_NAMES = frozenset(
    "james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald "
    "steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas "
    "eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis "
    "jerry tyler aaron jose henry adam douglas nathan peter zachary kyle walter harold jeremy ethan carl keith roger "
    "gerald christian terry sean arthur austin noah lawrence jesse joe bryan billy jordan albert dylan bruce willie "
    "gabriel alan juan logan wayne ralph roy eugene randy vincent russell louis philip bobby johnny bradley bob bill tom "
    "jim mike steve dave dan tim fred ben sam greg jeff ken tony ted barack rick mitt al max todd ron don jimmy tommy "
    "danny andy mikhail boris vladimir yasser yitzhak benjamin helmut jacques francois saddam osama mohammed ali".split()
)
FEMININE_NAMES = frozenset(
    "mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley "
    "kimberly emily donna michelle carol amanda melissa deborah stephanie dorothy rebecca sharon laura cynthia amy "
    "kathleen angela shirley brenda emma anna pamela nicole samantha katherine christine helen debra rachel carolyn janet "
    "maria catherine heather diane olivia julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith "
    "andrea hannah megan cheryl jacqueline martha madison teresa gloria sara janice ann kathryn abigail sophia frances "
    "jean alice judy isabella julia grace amber denise danielle marilyn beverly charlotte natalie theresa diana brittany "
    "doris kayla alexis lori marie hillary monica condoleezza angela benazir indira sally lucy kate jane jenny lily molly "
    "sue annie ellen tina katie anne rose ella chelsea ivanka melania nancy janet sonia susie mandy wendy".split()
)


def is_verb(word: str) -> bool:
    """Whether a word in lower case looks like a finite verb: one of the frequent ones, or a form in -ed."""
    return word in IRREGULAR_VERBS or (word.endswith("ed") and len(word) > len("need"))
