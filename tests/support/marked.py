"""Texts whose mentions stand between brackets."""

from wdw_build.records import Mention


def marked(text):
    """The text without its brackets, and a mention for each pair of them."""
    plain, mentions, start = "", [], 0
    for ch in text:
        if ch == "[":
            start = len(plain)
        elif ch == "]":
            mentions.append(Mention(start=start, end=len(plain), text=plain[start:]))
        else:
            plain += ch
    return plain, mentions
