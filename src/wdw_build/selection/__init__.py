"""The selection of alternatives: at most one problem per article, under bounds on shallow systems and caps."""
