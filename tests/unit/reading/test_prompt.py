"""The words in which a problem is put to a language model: one text, whoever asks."""

from wdw_build.reading.prompt import bulleted, chat_prompt, lettered

NAMES = ["Ann Fox", "Bo Lee"]


def test_a_chat_model_reads_the_passage_the_sentence_and_the_choices():
    assert chat_prompt("Fox met Lee.", "XXX left.", "one of the names", bulleted(NAMES)) == (
        "Fox met Lee.\n\n"
        "In this sentence from another article, XXX replaces a person:\nXXX left.\n\n"
        "Who is XXX? Answer with one of the names only:\n- Ann Fox\n- Bo Lee"
    )


def test_without_a_passage_the_sentence_is_from_no_other_article():
    assert chat_prompt(None, "____ left.", "the letter", lettered(NAMES), "____") == (
        "In this sentence from a news article, ____ replaces a person:\n____ left.\n\n"
        "Who is ____? Answer with the letter only:\nA. Ann Fox\nB. Bo Lee"
    )
