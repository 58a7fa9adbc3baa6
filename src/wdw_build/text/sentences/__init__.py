"""First sentences: splitting, datelines, credits, refusal rules."""
