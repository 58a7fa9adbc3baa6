"""What kind of document a text is: a story, or one of the others that news corpora hold."""
