"""Developers' tools behind `fastwrap bench` and `fastwrap eval`: speed and accuracy, as tables and reports."""
