"""Everything that presents a run: summary, report, card, trace, diff, quality, inspect."""
