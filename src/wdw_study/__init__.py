"""Studies with people: they judge problems of a dataset, and write questions about passages of its corpus.

Both tasks have one event log, one form of folder, one application and one sign-in. Every action of a person is an event, and
answers, scores and exports are derived from the events.
"""
