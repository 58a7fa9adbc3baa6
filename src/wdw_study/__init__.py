"""People in the loop: sheets of problems, what people answered, how well they agree, and the questions that they wrote.

Nothing here serves pages; ``web`` does. Every action of a person is an event in an ``EventLog``, and answers, scores and
exports are derived from the events.
"""
