"""Everything that presents a run: summary, report, card, trace, diff, quality, inspect.

A page is a template in the environment of its language (``pages``), which escapes every value; tables are values
(``table``) that terminal, Markdown and HTML show each in its way.
"""
