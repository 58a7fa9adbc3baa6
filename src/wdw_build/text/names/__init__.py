"""Person names: matching, evidence for a name, the persons of an article."""
