"""Person names, from the labels of the taggers to the persons of a text.

The modules, in the order in which they run:

1. The annotator: ``second_opinion`` weighs two taggers, and ``mention_repair`` cuts each mention to one name.
2. The stage ``names``: ``evidence`` counts how the names of the corpus are tagged.
3. Whoever needs the persons of a text (``persons``): ``settle`` settles the boundaries of its mentions, ``person_model`` weighs
   the features of each name, ``unmarked`` finds the names without a label, and ``persons`` groups the mentions.

``name`` is the type of a name, and ``compare`` the one comparison of two names, on the evidence of ``spellings``.
``beside`` looks up what stands beside a name in an article.
"""
