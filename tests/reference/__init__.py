"""The slow, obvious twin: the rules of draughts in plain Python, to test the fast core against.

Nothing here shares code or method with the core. Squares are (row, column) pairs, positions are sets, tables
are dicts. A difference between the two is a defect in one of them, and this one can be read beside the rule
book. "Section" and "rule" in the comments mean the rule book of the project.
"""
