"""Folded trees of G-STM, for `folding`: nothing here is for Python."""
