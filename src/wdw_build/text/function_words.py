"""Function words of English."""

from __future__ import annotations

_CLOSED_CLASSES = {
    "determiners": "a an the this that these those each every either neither another any some no all both half such",
    "pronouns": "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves one ones oneself somebody someone something anybody anyone "
    "anything everybody everyone everything nobody none nothing other others",
    "question words": "who whom whose which what when where why how whoever whomever whatever whichever whenever wherever however",
    "prepositions": "about above across after against along alongside amid among amongst around as at before behind below beneath "
    "beside besides between beyond by despite down during except for from in inside into like near of off on onto out outside "
    "over past per since through throughout till to toward towards under underneath until up upon via with within without",
    "conjunctions": "and but or nor so yet if unless because although though while whereas whether than lest once",
    "auxiliaries": "be am is are was were been being have has had having do does did doing done can could may might must shall "
    "should will would ought cannot",
    "clitics": "'s 'm 're 've 'll 'd n't s t m re ve ll d ca wo sha ai",
    "negation and answers": "not never no yes",
    "adverbs of time, place and degree": "again ago almost already also always away back else even ever here hence indeed instead "
    "just maybe more most much many meanwhile moreover nearly nevertheless now often only otherwise perhaps quite rather really "
    "same several soon still then there thereby therefore thus together too very well less least few enough own",
}
STOP_WORDS = frozenset(word for words in _CLOSED_CLASSES.values() for word in words.split())
"""Closed-class words, casefolded, with straight apostrophes."""
