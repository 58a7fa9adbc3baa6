"""Does a problem need coreference? An estimate by rules, and its agreement with people."""
