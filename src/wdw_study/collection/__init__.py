"""Questions that people write about passages of the corpus and answer by spans, as for QUOREF (Dasigi et al. 2019).

A person writes a question that asks for a link of coreference; rules and a model refuse questions that are too easy; a second
person answers the question, which confirms it. The events of a collection hold everything; ``state`` reads them.
"""
